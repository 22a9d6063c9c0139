"""Counts with callgrind the instructions the runtime adds to one call, and holds them against the limits.

    python3 bench/capture/instructions.py [BUILD]      prints a table; fails where a limit is passed

Two runs, with and without the runtime, of one program that does every kind of call. Counts do not jitter, but for
those of calls in a stream's buffer (below).
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CALLS = 1000
POSIX, STDIO = ("pread", "pwrite", "read", "write"), ("fread", "fwrite", "fgetc", "fputc", "fgets", "fputs")
# Calls that stay in a stream's buffer are timed one in some: how many depends on their pace.
BUFFERED = {"fread": 130, "fwrite": 130, "fputs": 130, "fgetc": 90, "fputc": 90}
LIMITS = {**dict.fromkeys(POSIX, 250), **dict.fromkeys(STDIO, 150), **BUFFERED}
UNLIMITED = ("openknown", "opennew")


def count(build, folder, preload=None):
    """{kind of call: instructions each}"""
    environment = {**os.environ, "TRIKAL_EXCLUDE": "none", "TRIKAL_LOGPATH": str(folder),
                   "TRIKAL_MAP_DIRECTORY": str(folder)}
    if preload:
        environment["LD_PRELOAD"] = str(preload)
    out = folder / "callgrind.out"
    subprocess.run(["valgrind", "--tool=callgrind", "--combine-dumps=yes", f"--callgrind-out-file={out}",
                    build / "bench" / "calls", "instructions", str(CALLS), folder],
                   check=True, capture_output=True, env=environment, timeout=300)
    found = re.findall(r"^desc: Trigger: Client Request: (\w+)$.*?^(?:totals|summary): (\d+)", out.read_text(),
                       re.MULTILINE | re.DOTALL)
    return {name: int(total) / CALLS for name, total in found}


def added(build):
    """{kind of call: (bare, with the runtime)}"""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        bare = count(build, pathlib.Path(folder))
        seen = count(build, pathlib.Path(folder), build / "lib" / "libtrikal.so")
    return {name: (bare[name], seen[name]) for name in (*LIMITS, *UNLIMITED)}


def over(rows):
    return [name for name, limit in LIMITS.items() if rows[name][1] - rows[name][0] > limit]


def table(rows):
    yield f"{'call (64 bytes)':<16}{'bare':>8}{'observed':>10}{'added':>8}{'limit':>8}"
    for name, (bare, seen) in rows.items():
        yield f"{name:<16}{bare:>8.0f}{seen:>10.0f}{seen - bare:>8.0f}{LIMITS.get(name, '-'):>8}"


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "release").absolute()
    rows = added(build)
    print("user-space instructions per call", *table(rows), sep="\n")
    return 1 if over(rows) else 0


if __name__ == "__main__":
    sys.exit(main())
