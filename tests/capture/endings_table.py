#!/usr/bin/env python3
"""Writes docs/endings.md: a program that writes a file and then ends in every way there is.

    tests/capture/endings_table.py        after a build; test_endings.py checks that the page is today's
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()
TRIKAL = BUILD / "bin" / "trikal"
PAGE = ROOT / "docs" / "endings.md"
ENDINGS = {"return": "returns from `main`", "exit": "`exit(3)`", "_exit": "`_exit(4)`", "quick_exit": "`quick_exit(5)`",
           "exit_group": "the system call `exit_group`", "abort": "`abort()`", "segv": "writes to address 0",
           "term": "SIGTERM", "kill": "SIGKILL", "exec": "becomes another program",
           "self": "becomes itself once more, writes again, `exit(3)`"}
INTRO = """# However a process ends

Written by `tests/capture/endings_table.py`. One program writes 6,400 bytes, 64 at a time, and ends. It runs bare, under
`trikal run`, and with nothing but `LD_PRELOAD`, after which `trikal recover` looks for what was left. "log by" says who
made the log in the last case: the process itself at its end, or `trikal recover` because it could not.

| how it ends | the shell sees: bare | `trikal run` | preloaded | bytes in the file | in the log of `trikal run` | preloaded | log by |
|---|---|---|---|---|---|---|---|
"""


def shown(status):
    return str(status) if status >= 0 else signal.Signals(-status).name


def written(log, data):
    done = subprocess.run([TRIKAL, "parse", "--base", log], capture_output=True, text=True, check=True)
    rows = [line.split("\t") for line in done.stdout.splitlines() if not line.startswith("#")]
    return sum(int(row[4]) for row in rows if len(row) > 5 and row[3] == "POSIX_BYTES_WRITTEN" and row[5] == str(data))


def preloaded(program, data, how, folder):
    """Exit status, bytes in all logs, and who wrote them."""
    (folder / "logs").mkdir()
    (folder / "maps").mkdir()
    environment = {**os.environ, "LD_PRELOAD": str(BUILD / "lib" / "libtrikal.so"),
                   "TRIKAL_LOGPATH": str(folder / "logs"), "TRIKAL_MAP_DIRECTORY": str(folder / "maps")}
    done = subprocess.run([program, data, how], env=environment, timeout=60)
    own = set((folder / "logs").rglob("*.darshan"))
    subprocess.run([TRIKAL, "recover", "-o", folder / "logs", folder / "maps" / f"trikal-{os.geteuid()}"], check=True,
                   capture_output=True, timeout=60)
    logs = set((folder / "logs").rglob("*.darshan"))
    makers = [maker for maker, made in (("itself", own), ("`trikal recover`", logs - own)) if made]
    return done.returncode, sum(written(log, data) for log in logs), " and ".join(makers)


def row(program, how, folder):
    data, log = folder / "out.dat", folder / "job.darshan"
    bare = subprocess.run([program, data, how], timeout=60).returncode
    size = data.stat().st_size
    data.unlink()
    run = subprocess.run([TRIKAL, "run", "--quiet", "--log", log, "--", program, data, how], timeout=60).returncode
    in_run = written(log, data)
    data.unlink()
    status, recovered, makers = preloaded(program, data, how, folder)
    return (f"| {ENDINGS[how]} | {shown(bare)} | {shown(run)} | {shown(status)} | {size:,} | {in_run:,} | {recovered:,} "
            f"| {makers} |")


def page():
    with tempfile.TemporaryDirectory() as scratch:
        program = pathlib.Path(scratch) / "endings"
        subprocess.run(["cc", "-O1", "-o", program, HERE / "programs" / "endings.c"], check=True)
        rows = []
        for how in ENDINGS:
            folder = pathlib.Path(scratch) / how
            folder.mkdir()
            rows.append(row(program, how, folder))
    return INTRO + "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
    sys.stdout.write(PAGE.read_text())
