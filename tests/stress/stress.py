#!/usr/bin/env python3
"""Threads, forks, signals and closes at once, in slices until the time is over.

  stress.py --seconds N                 the program plain, under trikal run and preloaded, alternating
  stress.py --seconds N --observed P    P has the wrappers compiled in, for the thread sanitizer to see

A slice fails if the program does, hangs or is told of a race; under trikal run also if its writes are not all in the log.
"""

import argparse
import collections
import csv
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", HERE.parents[1] / "build" / "release")).absolute()
TRIKAL, RUNTIME = BUILD / "bin" / "trikal", BUILD / "lib" / "libtrikal.so"
HANGS = 240  # seconds that a slice may take longer than it was told to


class Failure(Exception):
    pass


def build(folder):
    program = folder / "stress"
    subprocess.run(["gcc", "-O1", "-g", "-Wall", "-Wextra", "-pthread", "-o", program, *sorted(HERE.glob("*.c"))], check=True)
    return program


def run(command, folder, seconds, environment):
    """What it has printed. Whatever it has started is gone afterwards."""
    environment = {**os.environ, "TRIKAL_LOGPATH": str(folder), "TRIKAL_MAP_DIRECTORY": str(folder), **environment}
    process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        out, err = process.communicate(timeout=seconds + HANGS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        raise Failure(f"hangs\n{out}{err}") from None
    reports = "".join(path.read_text(errors="replace") for path in sorted(folder.glob("tsan.*")))
    if process.returncode != 0 or reports:
        raise Failure(f"exit status {process.returncode}\n{out}{err}{reports}")
    return out


def compare(log, out):
    """The log's writes are the program's, but for those that are counted as missed and those that were left by a jump."""
    writes, jumps = map(int, re.search(r"writes (\d+) jumps (\d+)", out).groups())
    totals = subprocess.run([TRIKAL, "parse", "--total", log], capture_output=True, text=True, check=True).stdout
    counters = dict(re.findall(r"total_(POSIX_WRITES|POSIX_BYTES_WRITTEN): (\d+)", totals))
    rows = subprocess.run([TRIKAL, "export", "-f", "csv", "-t", "processes", "-o", "-", log], capture_output=True, text=True,
                          check=True).stdout
    processes = list(csv.DictReader(io.StringIO(rows)))
    missed = sum(int(row["missed"]) for row in processes)
    seen, moved = int(counters["POSIX_WRITES"]), int(counters["POSIX_BYTES_WRITTEN"])
    if not writes - missed - jumps <= seen <= writes + jumps:
        raise Failure(f"{writes} writes, {seen} in the log, {missed} missed, {jumps} jumps")
    if abs(moved - 10 * seen) > 10 * jumps:
        raise Failure(f"{seen} writes in the log have {moved} bytes")
    return {"writes": writes, "missed": missed, "jumps": jumps, "processes": len(processes)}


def check_events(path):
    """What was emitted is what was stored and what was dropped; the lines are those that were stored."""
    stored, line = 0, "{}"
    with path.open() as lines:  # millions: not all at once
        for line in lines:
            stored += json.loads(line)["type"] == "event"
    totals = json.loads(line)
    if totals["type"] != "totals" or totals["stored"] != stored or totals["emitted"] != stored + totals["dropped"]:
        raise Failure(f"{stored} events in the file, {totals}")
    return {"events": totals["emitted"], "dropped": totals["dropped"]}


def slice_of(program, folder, number, args):
    """One slice; the kinds alternate."""
    seed, how = args.seed + number, ("run", "preload", "run exit", "preload exit")[number % 4]
    if args.observed:
        how = ("compiled in", "compiled in, exit")[number % 2]
    seconds = min(args.slice, args.seconds)
    arguments = [program, str(seconds), str(seed), *(["exit"] if "exit" in how else []), *(["calm"] if args.observed else [])]
    environment, log = {"TRIKAL_CALL_SITES": str(number // 2 % 2)}, folder / "stress.darshan"
    with_events = number // 4 % 2 == 0
    if how.startswith("run"):
        options = ["--events", "--events-file", folder / "events"] if with_events else []
        arguments = [TRIKAL, "run", "--log", log, *options, "--", *arguments]
    elif args.observed:
        if with_events:  # into rings that nobody reads
            (folder / "run").mkdir(mode=0o700)
            environment |= {"TRIKAL_EVENTS": "all,memory=4", "TRIKAL_RUN_DIRECTORY": str(folder / "run")}
        environment["TSAN_OPTIONS"] = f"log_path={folder}/tsan exitcode=66 history_size=4 suppressions={HERE}/tsan.suppressions"
    else:
        environment["LD_PRELOAD"] = str(RUNTIME)
    out = run(arguments, folder, seconds, environment)
    told = compare(log, out) if how == "run" else {}
    if how.startswith("run") and with_events:
        told |= check_events(folder / "events")
    return how, seed, told


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, required=True)
    parser.add_argument("--slice", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--observed", type=pathlib.Path)
    args = parser.parse_args()
    sums, began, number = collections.Counter(), time.monotonic(), 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        program = args.observed.absolute() if args.observed else build(scratch)
        while time.monotonic() - began < args.seconds:
            folder = scratch / "slice"
            folder.mkdir()
            try:
                how, seed, told = slice_of(program, folder, number, args)
            except Failure as failure:
                print(f"stress: slice {number} (seed {args.seed + number}) after {time.monotonic() - began:.0f} s: {failure}")
                return 1
            sums.update(told)
            print(f"{time.monotonic() - began:6.0f} s  seed {seed}  {how}", *(f"{value} {name}" for name, value in told.items()),
                  flush=True)
            shutil.rmtree(folder)
            number += 1
    print(f"stress: {number} slices in {time.monotonic() - began:.0f} s, none failed;", *(f"{v} {n}" for n, v in sums.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
