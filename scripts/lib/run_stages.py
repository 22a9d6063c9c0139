"""What scripts/test does after the dependencies are there: builds presets, runs stages, prints a table."""

import argparse
import os
import pathlib
import shutil
import signal
import sys

import stage as stages

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOGS = ROOT / "build" / "test-logs"
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


def show(outcome):
    run, failed, skipped = verdict(outcome)
    print(f"{run} run, {failed} failed, {skipped} skipped, {outcome.seconds:.1f} s", flush=True)
    if failed:
        lines = outcome.log.read_text(errors="replace").splitlines()[-TAIL:]
        print("\n".join(f"    | {line}" for line in lines), flush=True)


def build(preset):
    """Configures and builds one preset; one row of the table each."""
    name = f"build-{preset}"
    command = f"cmake --preset {preset} && cmake --build --preset {preset}"
    return stages.run_command(name, ["/bin/sh", "-c", command], LOGS / f"{name}.log")


def run_all(chosen, full):
    presets = list(dict.fromkeys(preset for stage in chosen for preset in stage.needs))
    total = len(presets) + len(chosen)
    outcomes, broken = [], set()

    def announce(name):
        print(f"[{len(outcomes) + 1:2}/{total}] {name:<16} ", end="", flush=True)

    def keep(outcome):
        outcomes.append(outcome)
        show(outcome)

    for preset in presets:
        announce(f"build-{preset}")
        outcome, code = build(preset)
        keep(outcome)
        if code != 0:
            broken.add(preset)
    for stage in chosen:
        announce(stage.name)
        lacking = broken.intersection(stage.needs)
        if lacking:
            log = LOGS / f"{stage.name}.log"
            log.write_text(f"not run: build-{', build-'.join(sorted(lacking))} failed\n")
            keep(stages.Outcome(stage.name, [stages.one_test(stage.name, "of the build", log)], 0.0, log))
        else:
            keep(stages.run(stage, ROOT, LOGS, full))
    return outcomes


def print_table(outcomes):
    print(f"\n{'stage':<18}{'suite':<18}{'run':>8}{'failed':>8}{'skipped':>9}{'seconds':>9}")
    for outcome in outcomes:
        for index, suite in enumerate(outcome.suites):
            seconds = f"{outcome.seconds:9.1f}" if index == 0 else ""
            name = outcome.name if index == 0 else ""
            shown = "" if suite.name == outcome.name else suite.name
            counts = f"{suite.run:8}{len(suite.failures):8}{len(suite.skips):9}"
            print(f"{name:<18}{shown:<18}{counts}{seconds}")


def print_list(title, entries):
    if entries:
        print(f"\n{title}:")
        for where, test, text in entries:
            print(f"  {where}: {test}: {text}")


def gather(outcomes, kind):
    return [(o.name, *entry) for o in outcomes for suite in o.suites for entry in getattr(suite, kind)]


def conclude(outcomes):
    failures, skips = gather(outcomes, "failures"), gather(outcomes, "skips")
    print_table(outcomes)
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
    return conclude(run_all(choose(everything, args), args.full))


if __name__ == "__main__":
    sys.exit(main())
