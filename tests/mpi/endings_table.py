#!/usr/bin/env python3
"""Writes docs/mpi-endings-run.md: an MPI job of three ranks that ends in every way there is, under `trikal run`.

    tests/mpi/endings_table.py        after a build; test_endings.py checks that the page is today's
"""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from launching import again, make_anew, wait  # noqa: E402

ROOT = HERE.parents[1]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()
TRIKAL = str(BUILD / "bin" / "trikal")
PAGE = ROOT / "docs" / "mpi-endings-run.md"
MPIS = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--mca", "orte_tmpdir_base", "/dev/shm"],
        "mpich": ["mpirun.mpich"]}
ENDINGS = {"finalize": "all call `MPI_Finalize`", "kill": "rank 1: SIGKILL", "abort": "rank 1: `MPI_Abort(7)`",
           "exit": "rank 1: `exit(5)` without `MPI_Finalize`", "stuck": "rank 1 hangs, mpirun gets SIGTERM",
           "without": "rank 1 runs without the library", "missing": "the log's directory goes away",
           "readonly": "the log's directory becomes read-only", "full": "the log's file system is full"}
# Launchers whose own answer differs from run to run: all that were seen bare, which hold for `run -- mpirun`, and those
# seen with an observer in each rank. -11 and -9: Open MPI's crashes at times, or hangs and is ended here.
STATUSES = {("mpich", "exit"): ((5, 9), (5, 9)), ("openmpi", "stuck"): ((1, -11, -9), (1, -11, -9)),
            ("mpich", "stuck"): ((15, 0), (15, 0, 9))}
KILLED = ("kill", "abort", "exit", "stuck")  # by the launcher, in no certain order
INTRO = """# However an MPI job ends under `trikal run`

Written by `tests/mpi/endings_table.py`. Each of three ranks writes 1,000 bytes with `write` to a file of its own and 500
bytes with `MPI_File_write_at` to one file of all; then the job ends. It runs bare, as `trikal run -- mpirun -np 3 app`, and
as `mpirun -np 3 trikal run -- app`. "bytes" are those of the files and those of the log; "by" says who made the log: the
`trikal run` itself, or `trikal recover` afterwards, because it had nowhere to write to. "either": launchers kill what
they started, observers included, and which of them is in time to write the log differs from run to run. So does the
status of some launchers, also of bare runs: then all that were seen are given. A negative one is the signal that ended
the launcher: Open MPI's has been seen to crash, and to hang until it was killed. Only one status is not seen bare: MPICH's
9 with an observer in each rank. Its launcher kills what is not gone at once, and the observer is still writing its log.

| how it ends | MPI | bytes in the files | status: bare | `run -- mpirun` | `mpirun … run` | bytes: `run -- mpirun` | by | bytes: `mpirun … run` | by |
|---|---|---|---|---|---|---|---|---|---|
"""


def command_of(mpi, program, how, folder, observer=()):
    start = [*observer, *program, str(folder), how]
    if how != "without":
        return [*MPIS[mpi], "-np", "3", *start]
    bare = ["env", "-u", "LD_PRELOAD", *program, str(folder), how]
    return [*MPIS[mpi], "-np", "1", *start, ":", "-np", "1", *bare, ":", "-np", "1", *start]


def run(command, folder, how):
    """The status a shell would see. The launcher of a job that hangs is ended once all have written."""
    launcher = next(i for i, word in enumerate(command) if word.startswith("mpirun"))
    command = [*command[:launcher], "sh", "-c", 'echo $$ > "$0"; exec "$@"', str(folder / "pid"), *command[launcher:]]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    if how == "stuck":
        deadline = time.monotonic() + 60
        while not (folder / "ready").exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(0.5)  # the others are on their way to MPI_Finalize
        os.kill(launcher_of(folder), signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return child.wait(timeout=20)
        end_all(folder)
    return wait(child, lambda: launcher_of(folder), timeout=120).returncode


def launcher_of(folder):
    """The pid that the shell in front of it wrote; none before that."""
    with contextlib.suppress(OSError, ValueError):
        return int((folder / "pid").read_text())


def end_all(folder):
    """Every process that was started for this folder, as `timeout -k` would: Open MPI's launcher hangs at times."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (process / "cmdline").read_bytes().split(b"\0")
            if int(process.name) != os.getpid() and (str(folder).encode() in words or str(folder / "pid").encode() in words):
                if b"run" not in words[:2]:  # an observer outside of the job lives on
                    os.kill(int(process.name), signal.SIGKILL)


def in_files(folder):
    return sum(path.stat().st_size for path in [*folder.glob("own.*"), folder / "shared"])


def in_log(log, folder):
    done = subprocess.run([TRIKAL, "parse", "--base", str(log)], capture_output=True, text=True, check=True)
    rows = [line.split("\t") for line in done.stdout.splitlines() if line and not line.startswith("#")]
    counted = {"POSIX_BYTES_WRITTEN": f"{folder}/own.", "MPIIO_BYTES_WRITTEN": f"{folder}/shared"}
    return sum(int(row[4]) for row in rows if row[3] in counted and row[5].startswith(counted[row[3]]))


def left_behind(folder):
    """Directories of each `trikal run` that was started for this folder."""
    for directory in pathlib.Path("/dev/shm").glob("trikal-run-*"):
        with contextlib.suppress(OSError):
            if f"{folder} " in (directory / "run").read_text(errors="replace"):
                yield directory


def recovered(folder):
    logs = folder / "recovered"
    logs.mkdir()
    deadline = time.monotonic() + 30  # killed processes take their time to go
    while not list(logs.iterdir()) and time.monotonic() < deadline:
        for directory in left_behind(folder):
            subprocess.run([TRIKAL, "recover", "-o", str(logs), str(directory)], check=True, capture_output=True)
        time.sleep(0.2)
    return list(logs.iterdir())


@contextlib.contextmanager
def log_directory(how, folder):
    directory = folder / "logs"
    directory.mkdir()
    if how not in ("readonly", "full"):
        yield directory
        return
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", str(directory)], check=True)
    try:
        if how == "full":
            (directory / "filler").write_bytes(b"x" * 4096)
        yield directory
    finally:
        subprocess.run(["umount", str(directory)], check=True)


def observed(mpi, program, how, folder, outside):
    """Status, bytes in the log and who made it."""
    make_anew(folder)
    with log_directory(how, folder) as directory:
        observer = [TRIKAL, "run", "--quiet", "--log", str(directory / "job.darshan"), "--"]
        command = command_of(mpi, program, how, folder, () if outside else observer)
        status = run([*(observer if outside else ()), *command], folder, how)
        own = [path for path in (directory.glob("*.darshan") if directory.exists() else ())]
        bytes_seen = sum(in_log(log, folder) for log in own)
    logs = own or recovered(folder)
    bytes_seen = bytes_seen if own else sum(in_log(log, folder) for log in logs)
    by = "`trikal run`" if own else "`trikal recover`" if logs else "nobody"
    for directory in left_behind(folder):
        shutil.rmtree(os.path.realpath(directory / "overflow"), ignore_errors=True)
        shutil.rmtree(directory)
    return status, bytes_seen, f"{by}, {len(logs)} logs" if len(logs) > 1 else by


def unobserved(mpi, program, how, folder):
    make_anew(folder)
    return run(command_of(mpi, program, how, folder), folder, how)


def row(mpi, program, how, directory):
    bare = directory / f"{mpi}-{how}-bare"
    status = again(lambda: unobserved(mpi, program, how, bare))
    outside = again(lambda: observed(mpi, program, how, directory / f"{mpi}-{how}-outside", True))
    inside = again(lambda: observed(mpi, program, how, directory / f"{mpi}-{how}-inside", False))
    return {"how": how, "mpi": mpi, "files": in_files(bare), "bare": status, "outside": outside, "inside": inside}


def rows(mpis=MPIS, endings=ENDINGS):
    with tempfile.TemporaryDirectory() as directory:
        for mpi in mpis:
            program = pathlib.Path(directory) / f"endings.{mpi}"
            subprocess.run([f"mpicc.{mpi}", "-O1", "-o", program, HERE / "programs" / "endings.c"], check=True)
            for how in endings:
                yield row(mpi, [str(program)], how, pathlib.Path(directory))


def allowed(row, inside):
    """Statuses of the launcher that may be; none: those of the bare run."""
    return STATUSES.get((row["mpi"], row["how"]), ((row["bare"],), (row["bare"],)))[inside]


def shown(row, status, inside=False):
    return " or ".join(map(str, allowed(row, inside))) if (row["mpi"], row["how"]) in STATUSES else str(status)


def page(table):
    lines = []
    for row in table:
        (out, out_bytes, out_by), (inn, in_bytes, in_by) = row["outside"], row["inside"]
        in_by = "either" if row["how"] in KILLED and in_by in ("`trikal run`", "`trikal recover`") else in_by
        lines.append(f"| {ENDINGS[row['how']]} | {row['mpi']} | {row['files']:,} | {shown(row, row['bare'])} | {shown(row, out)} "
                     f"| {shown(row, inn, inside=True)} "
                     f"| {out_bytes:,} | {out_by} | {in_bytes:,} | {in_by} |")
    return INTRO + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(list(rows())))
    sys.stdout.write(PAGE.read_text())
