"""Damaged logs through the trikal program itself: exit codes, and what it says when it refuses."""

import concurrent.futures
import pathlib
import random
import re
import subprocess
import tempfile

# {} is the log, {out} a file that may be written.
COMMANDS = ["info {}", "info --salvage {}", "parse --all {}", "parse --all --salvage {}", "dxt {}",
            "dxt --salvage --threads {}", "convert {} {out}", "convert --salvage {} {out}", "insights {}",
            "summary {}", "report {} -o -", "insights --json --salvage {}", "report --salvage {} -o -"]
EACH = 2  # commands for each log
OK, SYSTEM, DAMAGED, LIMIT = 0, 3, 4, 5
SECONDS = 60  # of real time, which a busy machine stretches; the driver measures processor time


def complaint(log, code, said):
    """What is wrong with how the program ended, or None."""
    if "Sanitizer" in said or "runtime error" in said:
        return f"a sanitizer's report:\n{said[-3000:]}"
    if code not in (OK, DAMAGED, LIMIT):
        return f"exit {code}: {said[-500:]}"
    lines = said.splitlines()
    if code == OK:
        lines = [line for line in lines if not line.startswith(f"trikal: {log}: ")]
        return f"says something else: {lines[0]}" if lines else None
    if not lines:
        return f"exit {code} without a word"
    for line in lines:
        if not line.startswith(f"trikal: {log}: "):
            return f"a line that does not name the file: {line[:200]!r}"
    if not any(re.search(r": offset \d+: \S", line) for line in lines):
        return f"no line tells a byte: {lines[0][:200]!r}"
    return None


def try_one(build, folder, command, name, data):
    """(class, name, problem) of one run."""
    log, out = folder / f"{name}.{abs(hash(command)):x}", folder / f"out-{name}.{abs(hash(command)):x}"
    log.write_bytes(data)
    trikal = str(build / "bin" / "trikal")
    words = [trikal] + [word.replace("{out}", str(out)).replace("{}", str(log)) for word in command.split()]
    try:
        done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=SECONDS)
        problem = complaint(log, done.returncode, done.stderr.decode(errors="replace"))
        if problem is None and out.exists():  # even of a damaged log: what was written is sound
            again = subprocess.run([trikal, "info", str(out)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   timeout=SECONDS)
            if again.returncode != OK:
                problem = f"wrote a log that it cannot read: {again.stderr.decode(errors='replace')[:500]}"
    except subprocess.TimeoutExpired:
        problem = f"not done after {SECONDS} s"
    finally:
        log.unlink()
        out.unlink(missing_ok=True)
    return command, name, problem


def run(args, mutants):
    """Runs a sample of the random mutants and every log that is damaged on purpose."""
    rng = random.Random(f"{args.seed}/sample")
    sample = [mutants.random(index) for index in rng.sample(range(args.count), min(args.sample, args.count))]
    work = [(COMMANDS[(index * EACH + run) % len(COMMANDS)], *mutant)
            for index, mutant in enumerate(sample) for run in range(EACH)]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        cases = list(pool.map(lambda item: try_one(args.build, pathlib.Path(folder), *item), work))
    for command, name, problem in cases:
        if problem:
            (args.artifacts / name).write_bytes(next(data for n, data in sample if n == name))
    return cases
