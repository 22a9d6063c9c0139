"""What scripts/test does after the dependencies are there: builds presets, runs stages, prints a table."""

import argparse
import os
import pathlib
import shutil
import signal
import sys
import threading
import time

import stage as stages

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOGS = ROOT / "build" / "test-logs"
UNDER_TEST = "ci"  # the preset of the build that most stages try
ASIDE = 10  # niceness of what runs beside it
BUILD_LIMIT = 75  # minutes
BUDGET = 30
SLOWEST = 20  # tests that are named
TAIL = 40  # lines of a failed stage's log that are shown


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/test", description="Builds and tests trikal.")
    parser.add_argument("--full", action="store_true", help="every stage, with longer fuzzing")
    parser.add_argument("--list", action="store_true", help="list the stages")
    parser.add_argument("names", nargs="*", metavar="NAME", help="run only these stages")
    return parser.parse_args()


def choose(everything, args):
    if args.names:
        unknown = set(args.names) - {stage.name for stage in everything}
        if unknown:
            raise SystemExit(f"scripts/test: no such stage: {', '.join(sorted(unknown))} (see --list)")
        return [stage for stage in everything if stage.name in args.names]
    return [stage for stage in everything if args.full or stage.when == "fast"]


def has_shared_logs():
    """Whether the folder with logs of other people is there; a folder of that name that holds something else is not it."""
    shared = pathlib.Path(os.environ.get("TRIKAL_SHARED") or ROOT.parent / "shared")
    return any(shared.glob("logs/*.darshan"))


def verdict(outcome):
    run = sum(suite.run for suite in outcome.suites)
    failed = sum(len(suite.failures) for suite in outcome.suites)
    skipped = sum(len(suite.skips) for suite in outcome.suites)
    return run, failed, skipped


def show(number, total, outcome):
    run, failed, skipped = verdict(outcome)
    print(f"[{number:2}/{total}] {outcome.name:<16} {run} run, {failed} failed, {skipped} skipped, {outcome.seconds:.1f} s,"
          f" {outcome.processor:.0f} s of processor", flush=True)
    if failed:
        lines = outcome.log.read_text(errors="replace").splitlines()[-TAIL:]
        print("\n".join(f"    | {line}" for line in lines), flush=True)


def build(preset, full, niceness):
    """Configures and builds one preset; one row of the table each."""
    name = f"build-{preset}"
    command = f"cmake --preset {preset} && cmake --build --preset {preset}"
    return stages.run_command(name, ["/bin/sh", "-c", command], LOGS / f"{name}.log", None, BUILD_LIMIT * (6 if full else 1), niceness)


class Run:
    """Two lines of work side by side: what needs the build under test, and, with what that leaves of the processors, what
    needs any other build. Each does its stages one after the other."""

    def __init__(self, chosen, full):
        self.chosen, self.full, self.lock, self.outcomes = chosen, full, threading.Lock(), []
        self.total = len(chosen) + len({preset for stage in chosen for preset in stage.needs})

    def keep(self, outcome):
        with self.lock:
            self.outcomes.append(outcome)
            show(len(self.outcomes), self.total, outcome)

    def work(self, chosen, niceness):
        broken, built = set(), set()
        for stage in chosen:
            for preset in stage.needs:
                if preset not in built:
                    built.add(preset)
                    outcome, code = build(preset, self.full, niceness)
                    self.keep(outcome)
                    broken |= {preset} if code else set()
            lacking = broken.intersection(stage.needs)
            if lacking:
                log = LOGS / f"{stage.name}.log"
                log.write_text(f"not run: build-{', build-'.join(sorted(lacking))} failed\n")
                self.keep(stages.Outcome(stage.name, [stages.one_test(stage.name, "of the build", log)], 0.0, 0.0, log))
            else:
                self.keep(stages.run(stage, ROOT, LOGS, self.full, niceness))

    def everything(self):
        aside = [stage for stage in self.chosen if set(stage.needs) - {UNDER_TEST}]
        other = threading.Thread(target=self.work, args=(aside, ASIDE))
        other.start()
        self.work([stage for stage in self.chosen if stage not in aside], 0)
        other.join()
        return self.outcomes


def print_table(outcomes):
    print(f"\n{'stage':<18}{'suite':<18}{'run':>8}{'failed':>8}{'skipped':>9}{'seconds':>9}{'processor':>11}{'tests':>9}")
    for outcome in outcomes:
        for index, suite in enumerate(outcome.suites):
            seconds = f"{outcome.seconds:9.1f}{outcome.processor:11.1f}" if index == 0 else 20 * " "
            name = outcome.name if index == 0 else ""
            shown = "" if suite.name == outcome.name else suite.name
            counts = f"{suite.run:8}{len(suite.failures):8}{len(suite.skips):9}"
            tests = f"{suite.seconds:9.1f}" if suite.seconds else ""
            print(f"{name:<18}{shown:<18}{counts}{seconds}{tests}".rstrip())


def print_slowest(outcomes):
    slow = sorted((entry for outcome in outcomes for suite in outcome.suites for entry in suite.slowest), reverse=True)
    print("\nslowest tests (seconds)")
    for seconds, test in slow[:SLOWEST]:
        print(f"{seconds:9.1f}  {test}")


def print_budget(outcomes, elapsed):
    """How many processor seconds were used, beside what the whole may take."""
    used = sum(outcome.processor for outcome in outcomes)
    print(f"\n{elapsed / 60:.1f} minutes, {used / 60:.1f} of processor (a whole run from nothing: {BUDGET} minutes on two processors)")


def print_list(title, entries):
    if entries:
        print(f"\n{title}:")
        for where, test, text in entries:
            print(f"  {where}: {test}: {text}")


def gather(outcomes, kind):
    return [(o.name, *entry) for o in outcomes for suite in o.suites for entry in getattr(suite, kind)]


def conclude(outcomes, elapsed):
    failures, skips = gather(outcomes, "failures"), gather(outcomes, "skips")
    print_table(outcomes)
    print_slowest(outcomes)
    print_budget(outcomes, elapsed)
    print_list("skipped", skips)
    print_list("failed", failures)
    bad = bool(failures)
    if gather([outcome for outcome in outcomes if not outcome.may_skip], "skips") and has_shared_logs():
        print("\nnothing may be skipped while the shared folder is there")
        bad = True
    run = sum(verdict(outcome)[0] for outcome in outcomes)
    print(f"\n{run - len(failures) - len(skips)} passed, {len(failures)} failed, {len(skips)} skipped")
    return 1 if bad else 0


def take_signals_again():
    """A shell lets what it starts in the background ignore these; tests that send them would wait in vain."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)


def main():
    args = arguments()
    take_signals_again()
    os.chdir(ROOT)
    everything = stages.load_all(ROOT)
    if args.list:
        for stage in everything:
            print(f"{stage.name:<14}{stage.when:<6}{stage.about}")
        return 0
    shutil.rmtree(LOGS, ignore_errors=True)
    LOGS.mkdir(parents=True)
    begin = time.monotonic()
    outcomes = Run(choose(everything, args), args.full).everything()
    return conclude(outcomes, time.monotonic() - begin)


if __name__ == "__main__":
    sys.exit(main())
