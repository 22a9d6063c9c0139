#!/usr/bin/env python3
"""Sends damaged logs through the reader and all that stands on it, under sanitizers, and says what happened.

  mutations.py --build build/asan [--seed S] [--count N] [--jobs J] [--sample K]

Logs: one log and one trailer cut after every byte, all logs cut at every boundary of a region, every damaged log of
the corpus, then N random mutants of the corpus (and of the real logs in the shared folder, where there is one). Each
is read by mutation-driver, one process a job; K of the random ones also by the trikal program itself. Fails on a
crash, a sanitizer's report, a log that takes more than a second of processor time, an allocation over the limit, or a
reading with salvage that contradicts the strict one. The seed makes the same mutants again.
"""

import argparse
import collections
import concurrent.futures
import itertools
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import time

import junit
import mutant_sets
import program_runs

LIMIT = 16 << 20     # memory for any one thing
EXPANDED = 4 << 20   # plain bytes of a region: bombs get here, and then no further
SECONDS = 1.0
CRASHES = 5          # after so many a job gives up
# What the driver runs in its own process; {} is the log.
COMMANDS = ["info {}", "parse --all {}", "parse --all --salvage {}", "dxt --salvage --threads {}"]
# A short stack for each allocation and little kept behind: twice as fast, and reports still name the line. Variables of
# functions that have returned cost an eighth: with --full only; in fast runs unit tests and fuzzers look at them.
RETURNED = int(os.environ.get("TRIKAL_FULL") == "1")
ASAN = ("detect_leaks=1:max_allocation_size_mb=1100:malloc_context_size=6:quarantine_size_mb=8:"
        f"detect_stack_use_after_return={RETURNED}")


class Job:
    """What one job found."""

    def __init__(self):
        self.names, self.problems = [], {}
        self.counts, self.exits, self.most = collections.Counter(), collections.Counter(), {}
        self.seconds = 0.0

    def add(self, output):
        for line in output.splitlines():
            key, _, rest = line.partition("=")
            if key == "count":
                self.counts.update({k: int(v) for k, v in re.findall(r"(\w+)=(\d+)", line)})
            elif key == "exit":
                code, times = rest.split()
                self.exits[int(code)] += int(times)
            elif key == "bad":
                name, _, what = rest.partition(": ")
                self.problems[name] = what
            elif key in ("slowest", "largest", "peak"):
                value, name = rest.split(maxsplit=1)
                self.most[key] = max(self.most.get(key, (0.0, "")), (float(value), name))

    def join(self, other):
        self.names += other.names
        self.problems.update(other.problems)
        self.counts.update(other.counts)
        self.exits.update(other.exits)
        for key, value in other.most.items():
            self.most[key] = max(self.most.get(key, (0.0, "")), value)

    def show(self):
        c = self.counts
        print(f"{c['count']} logs: {c['accepted']} accepted, {c['salvaged']} salvaged, {c['refused']} refused")
        for kind, times in sorted(collections.Counter(map(mutant_sets.kind_of, self.names)).items()):
            print(f"  {times:6} {kind}")
        print(f"slowest: {self.most['slowest'][0]:.3f} s of processor time ({self.most['slowest'][1]})")
        for key, text in (("largest", "largest allocation"), ("peak", "most memory at once")):
            print(f"{text}: {self.most[key][0] / (1 << 20):.1f} MiB ({self.most[key][1]}); limit {LIMIT >> 20} MiB")
        print(f"{c['commands']} commands in the driver, exit codes {dict(sorted(self.exits.items()))}")


def driver_command(args):
    command = [str(args.build / "bin" / "mutation-driver"), "--limit", str(LIMIT), "--expanded", str(EXPANDED),
               "--seconds", str(SECONDS), "--artifacts", str(args.artifacts), "--every", str(args.every)]
    for line in COMMANDS:
        command += ["--cli", line]
    return command


def feed(args, mutants):
    """One driver with these mutants: the names it was sent, its exit code, its report, what it wrote besides."""
    env = dict(os.environ, ASAN_OPTIONS=ASAN, UBSAN_OPTIONS="print_stacktrace=1")
    names = []
    with tempfile.TemporaryFile() as errors:
        driver = subprocess.Popen(driver_command(args), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                                  env=env)
        try:
            for name, data in mutants:
                text = name.encode()
                driver.stdin.write(struct.pack("<I", len(text)) + text + struct.pack("<I", len(data)) + data)
                names.append(name)
        except BrokenPipeError:
            pass  # it died; what it said is below
        try:
            output = driver.communicate()[0].decode()
        except BrokenPipeError:
            output = driver.stdout.read().decode()
            driver.wait()
        errors.seek(0)
        lines = errors.read().decode(errors="replace").splitlines()
    said = "\n".join(line for line in lines if not line.startswith("trikal: /proc/self/fd/"))
    return names, driver.returncode, output, said


def run_job(args, number):
    """This job's share. A driver that dies is started again behind the log that killed it."""
    mutants = mutant_sets.Mutants(args.seed, args.count)
    job, done = Job(), 0
    for _ in range(CRASHES):
        names, code, output, said = feed(args, itertools.islice(mutants.share(number, args.jobs), done, None))
        job.add(output)
        if code in (0, 1):  # it came to its end; complaints are in the report
            job.names += names
            return job
        found = re.findall(r"while reading (\S+)", said)
        killer = found[-1] if found else ""
        index = names.index(killer) if killer in names else len(names) - 1
        job.names += names[:index + 1]
        job.counts["count"] += index + 1
        job.problems[killer or f"job-{number}"] = f"the driver ended with {code}\n{said[-6000:]}"
        done += index + 1
    return job


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="a build with the address sanitizer")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=17000, help="random mutants")
    parser.add_argument("--least", type=int, default=0, help="fails if fewer logs than this were read in all")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--every", type=int, default=40, help="run the commands on every Nth log")
    parser.add_argument("--sample", type=int, default=100, help="logs for the program itself")
    parser.add_argument("--artifacts", type=pathlib.Path, help="where logs that fail are kept")
    args = parser.parse_args()
    args.build = args.build.resolve()
    args.artifacts = (args.artifacts or args.build / "mutation-artifacts").resolve()
    args.artifacts.mkdir(parents=True, exist_ok=True)
    return args


def main():
    args = arguments()
    print(f"seed {args.seed}; TRIKAL_SEED={args.seed} scripts/test mutate makes the same mutants", flush=True)
    begin = time.monotonic()
    total = Job()
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        for job in pool.map(run_job, [args] * args.jobs, range(args.jobs)):
            total.join(job)
    if total.most:
        total.show()
    print(f"{time.monotonic() - begin:.0f} s so far", flush=True)
    runs = program_runs.run(args, mutant_sets.Mutants(args.seed, args.count))
    print(f"{len(runs)} runs of the program; {time.monotonic() - begin:.0f} s in all")
    junit.write("mutate", [(mutant_sets.kind_of(name), name, total.problems.get(name)) for name in total.names])
    junit.write("mutate-program", runs)
    problems = [f"{name}: {what}" for name, what in total.problems.items()]
    problems += [f"{name}: trikal {command}: {what}" for command, name, what in runs if what]
    for problem in problems[:50]:
        print(f"PROBLEM: {problem}")
    if problems:
        print(f"{len(problems)} problems; the logs are in {args.artifacts}")
    if total.counts["count"] < args.least:
        print(f"only {total.counts['count']} logs were read")
        return 1
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
