#!/usr/bin/env python3
"""Runs the libFuzzer targets for a while and says how much of the readers they reached.

  run_fuzzers.py --build build/asan [--seconds N] [--seed S] [--least PERCENT] [TARGET...]

What a target finds is kept in BUILD/fuzz-artifacts, what it learns in BUILD/fuzz-corpus (used again next time; a
folder that can be thrown away). Fails when a target fails, or when less than PERCENT of the lines of src/log/read
or of src/log/crash was run.
"""

import argparse
import base64
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zlib

import junit

HERE = pathlib.Path(__file__).resolve().parent
TIMEOUT_EXIT = 70  # libFuzzer's
ROUNDS = 8  # in which a target gets its processor time on a machine that has other work
MOST_SHOWN = 8 << 10  # characters of an input that failed
WATCHED = ("src/log/read/", "src/log/crash/")
# Share of the time, and the longest input. The whole log has most to look at.
TARGETS = {"log": (4, 32 << 10), "module": (2, 8 << 10), "names": (1, 8 << 10), "job": (1, 4200),
           "codec": (1, 8 << 10), "encode": (1, 8 << 10), "hdf5": (1, 8 << 10), "trailer": (1, 8 << 10),
           "crash": (3, 24 << 10), "requests": (1, 4 << 10), "rings": (1, 80 << 10), "wire": (1, 8 << 10)}


def took_too_long_once(args, name, text):
    """A timeout whose input takes no time on its own: the machine stood still, or its clock was set."""
    found = re.search(r"Test unit written to (\S+)", text)
    if not found or "timeout" not in pathlib.Path(found[1]).name:
        return False
    again = subprocess.run([str(args.build / "bin" / f"fuzz-{name}"), "-timeout=20", found[1]],
                           env=dict(os.environ, LLVM_PROFILE_FILE=os.devnull), capture_output=True)
    return again.returncode == 0


def run_target(args, name, seconds):
    """One target, again where it stood still without a reason that is its own."""
    result = run_once(args, name, seconds)
    if result[1] == TIMEOUT_EXIT and took_too_long_once(args, name, result[4]):
        lines = [line for line in result[4].splitlines() if not line.startswith("#")]
        print(f"fuzz-{name}: stood still for 20 s on an input that takes none; once more. Where it was:\n" + "\n".join(lines[-40:]))
        return run_once(args, name, seconds)
    return result


def run_once(args, name, seconds):
    """One target, until it had its processor time: its exit status, inputs, what it reached and the end of what it said. A round
    goes on where the one before it ended."""
    used, inputs = 0.0, 0
    for number in range(ROUNDS):
        code, runs, cover, text, processor = run_round(args, name, max(1, round(seconds - used)), number)
        used, inputs = used + processor, inputs + runs
        if code != 0 or used >= 0.9 * seconds:
            break
    return name, code, inputs, cover, text


def run_round(args, name, seconds, number):
    corpus, artifacts = args.build / "fuzz-corpus" / name, args.build / "fuzz-artifacts"
    corpus.mkdir(parents=True, exist_ok=True)
    artifacts.mkdir(exist_ok=True)
    (args.seeds / name).mkdir(exist_ok=True)  # fuzz-crash, fuzz-rings and fuzz-wire make their own
    command = [str(args.build / "bin" / f"fuzz-{name}"), f"-max_total_time={seconds}", f"-seed={args.seed + number}",
               f"-max_len={TARGETS[name][1]}", "-timeout=20", "-rss_limit_mb=1024", "-malloc_limit_mb=64",
               f"-artifact_prefix={artifacts}/{name}-", "-print_final_stats=1", "-verbosity=1",
               str(corpus), str(args.seeds / name)]
    env = dict(os.environ, LLVM_PROFILE_FILE=str(args.profiles / f"{name}.{number}.profraw"), UBSAN_OPTIONS="print_stacktrace=1",
               ASAN_OPTIONS="detect_leaks=1")
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, env=env, stdout=said, stderr=subprocess.STDOUT)
        _, status, spent = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode(errors="replace")
    runs = re.search(r"stat::number_of_executed_units: *(\d+)", text)
    cover = re.findall(r"cov: (\d+) ft: (\d+) corp: (\S+)", text)
    return (process.returncode, int(runs.group(1)) if runs else 0, cover[-1] if cover else ("?", "?", "?"), text,
            spent.ru_utime + spent.ru_stime)


def coverage(args, names):
    """{file: {line: times run}} of the watched folders, over all targets."""
    merged = args.profiles / "all.profdata"
    raw = [str(path) for path in sorted(args.profiles.glob("*.profraw"))]
    subprocess.run(["llvm-profdata-19", "merge", "-sparse", "-o", str(merged), *raw], check=True)
    binaries = [str(args.build / "bin" / f"fuzz-{name}") for name in names]
    command = ["llvm-cov-19", "export", "-format=lcov", f"-instr-profile={merged}", binaries[0]]
    for binary in binaries[1:]:
        command += ["-object", binary]
    command += ["-ignore-filename-regex", r"_test\.|/tests/"]
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode()
    lines = collections.defaultdict(dict)
    for line in text.splitlines():
        if line.startswith("SF:"):
            # As it was where it was compiled: ccache gives what another clone has compiled.
            path = "src/" + line.rpartition("/src/")[2]
        elif line.startswith("DA:") and path.startswith(WATCHED):
            number, times = line[3:].split(",")[:2]
            lines[path][int(number)] = max(int(times), lines[path].get(int(number), 0))
    return lines


def show_coverage(lines, folder):
    """Prints a row a file with the lines that were never run; the percentage of the folder."""
    total = run = 0
    for path in sorted(path for path in lines if path.startswith(folder)):
        missed = sorted(number for number, times in lines[path].items() if times == 0)
        total, run = total + len(lines[path]), run + len(lines[path]) - len(missed)
        share = 100 * (1 - len(missed) / len(lines[path]))
        print(f"  {path:<36}{len(lines[path]):5} lines {share:6.1f} %  {ranges(missed)}")
    percent = 100 * run / max(total, 1)
    print(f"  {folder:<36}{total:5} lines {percent:6.1f} %")
    return percent


def ranges(numbers):
    """[1, 2, 3, 7] as '1-3 7'."""
    found = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    text = " ".join(str(a) if a == b else f"{a}-{b}" for a, b in found)
    return f"never run: {text}" if text else ""


def show_inputs(folder):
    """Small inputs in full: where this runs, nobody may be able to fetch a file."""
    for path in sorted(folder.iterdir()):
        packed = base64.b64encode(zlib.compress(path.read_bytes(), 9)).decode()
        if len(packed) <= MOST_SHOWN:
            print(f"{path.name}, zlib and base64: {packed}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="a build of the preset asan")
    parser.add_argument("--seconds", type=int, default=100, help="of processor time, for all targets together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=float, default=90.0, help="lines of a watched folder that must be run, per cent")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    args = parser.parse_args()
    args.build = args.build.resolve()
    args.profiles, args.seeds = args.build / "fuzz-profiles", args.build / "fuzz-seeds"
    return args


def main():
    args = arguments()
    names = args.targets or list(TARGETS)
    for folder in (args.profiles, args.seeds):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    subprocess.run([sys.executable, str(HERE / "seeds.py"), str(args.seeds)], check=True)
    print(f"seed {args.seed}", flush=True)
    shares = sum(TARGETS[name][0] for name in names)
    begin, failed, cases = time.monotonic(), [], []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        waiting = [pool.submit(run_target, args, name, max(1, args.seconds * TARGETS[name][0] // shares))
                   for name in names]
        for future in concurrent.futures.as_completed(waiting):
            name, code, runs, (blocks, features, kept), text = future.result()
            print(f"fuzz-{name}: {runs} inputs, {blocks} blocks, {features} features, corpus {kept}", flush=True)
            cases.append(("target", f"fuzz-{name}", f"exit {code}\n{text[-3000:]}" if code else None))
            if code != 0:
                failed.append(name)
                lines = [line for line in text.splitlines() if not line.startswith("#")]
                print("\n".join(lines[-60:]))
    print(f"{time.monotonic() - begin:.0f} s; lines that were run:")
    lines, few = coverage(args, names), []
    for folder in WATCHED:
        percent = show_coverage(lines, folder)
        least = f"{percent:.1f} % of {folder} was run, not {args.least} %" if percent < args.least else None
        cases.append(("coverage", folder, least))
        few += [least] if least else []
    print("\n".join(few), end="\n" if few else "")
    junit.write("fuzz", cases)
    if failed:
        print(f"failed: {', '.join(failed)}; the inputs are in {args.build}/fuzz-artifacts")
        show_inputs(args.build / "fuzz-artifacts")
    return 1 if failed or few else 0


if __name__ == "__main__":
    sys.exit(main())
