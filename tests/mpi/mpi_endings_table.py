#!/usr/bin/env python3
"""Writes docs/mpi-endings.md: a job whose ranks end in every way there is, under every MPI of the machine.

    tests/mpi/mpi_endings_table.py        after a build; test_mpi_endings.py checks that the page is today's
"""

import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from conftest import LAUNCH, ROOT, Mpi  # noqa: E402
from shutdown_support import Preloaded, bare, told, truth, written  # noqa: E402

PAGE = ROOT / "docs" / "mpi-endings.md"
RANKS = 3
DEADLINE = 3
ENDINGS = {"all come": {}, "rank 1 comes after the deadline": {"how": "sleep", "whose": 1},
           "rank 0 comes after the deadline": {"how": "sleep", "whose": 0},
           "rank 1 has no library": {"without": 1}, "rank 0 has no library": {"without": 0},
           "rank 1: `exit(3)` without `MPI_Finalize`": {"how": "exit", "whose": 1},
           "rank 1: `MPI_Abort(5)`": {"how": "abort", "whose": 1}, "rank 1: SIGKILL": {"how": "kill", "whose": 1},
           "rank 0 finds no directory for logs": {"rank_settings": {0: {"TRIKAL_LOGPATH": "/proc/nowhere"}}},
           "rank 2 finds no directory for logs": {"rank_settings": {2: {"TRIKAL_LOGPATH": "/proc/nowhere"}}}}
INTRO = f"""# However the ranks of a job end

Written by `tests/mpi/mpi_endings_table.py`. {RANKS} ranks write files of their own and shared ones, with nothing but `LD_PRELOAD`
and a deadline of {DEADLINE} s; then `trikal recover` looks for what was left. "lost" is what the observed ranks wrote and no log
has. Where a rank dies, the launcher kills the others, and when it does is not the same every time: how many of the logs
are their own then varies, so only their sum is shown.

| how it ends | MPI | status: bare | preloaded | logs | with recovered ones | bytes written | in the logs | lost |
|---|---|---|---|---|---|---|---|---|
"""


def expected(without):
    files = truth(RANKS)
    if without is not None:
        files["shared.dat"] -= 1000 * (without + 1)
        files[f"own.{without}"] = 0
        files["others.dat"] -= 10 if without > 0 else 0
        files["some.dat"] -= 7 if without < 2 else 0
    return files


def row(mpi, title, options, folder):
    how, whose = options.get("how", "plain"), options.get("whose", -1)
    plain = bare(mpi, folder / "bare", RANKS, how, whose)
    run = Preloaded(mpi, folder, RANKS, environment={"TRIKAL_MPI_DEADLINE": str(DEADLINE)}, **options)
    own = len(run.own)
    logs = run.recover()
    found, wanted = written(logs), expected(options.get("without"))
    there = sum(count for name, count in found.items() if name in wanted)
    lost = sum(max(0, count - found.get(name, 0)) for name, count in wanted.items())
    dies = how in ("exit", "abort", "kill")
    return (f"| {title} | {mpi.name} | {told(mpi, how, plain)} | {told(mpi, how, run.status)} | {'-' if dies else own} | {len(logs)} "
            f"| {sum(wanted.values()):,} | {there:,} | {lost:,} |")


def page():
    with tempfile.TemporaryDirectory() as scratch:
        rows = []
        for name in LAUNCH:
            mpi = Mpi(name, pathlib.Path(scratch))
            for number, (title, options) in enumerate(ENDINGS.items()):
                folder = pathlib.Path(scratch) / f"{name}-{number}"
                folder.mkdir()
                rows.append(row(mpi, title, options, folder))
    return INTRO + "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
    sys.stdout.write(PAGE.read_text())
