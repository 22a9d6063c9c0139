"""The logs that tests read.

OWN   logs of the repository: tests/logs, written by our own runtime, with what is in them
MADE  logs of every release, every module and either byte order, written by the independent encoder when first asked for
REAL, GOLDEN   logs of other people and of the original's runtime, where the folder `shared` is beside the repository
               (or TRIKAL_SHARED names it); nobody outside has it, so no capability may be tested by these alone

Beside each of them but GOLDEN is a folder `expected` with what the original's tools print (tests/independent/ground/shown.py
says what is in it).
"""

import csv
import functools
import gzip
import hashlib
import os
import pathlib
import shutil
import sys
import tempfile
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
INDEPENDENT = ROOT / "tests" / "independent"
if str(INDEPENDENT) not in sys.path:
    sys.path.insert(0, str(INDEPENDENT))

SHARED = pathlib.Path(os.environ.get("TRIKAL_SHARED") or ROOT.parent / "shared").absolute()
REAL = sorted((SHARED / "logs").glob("*.darshan"))
GOLDEN = sorted((SHARED / "golden" / "runs").glob("*.darshan"))
OWN = sorted((ROOT / "tests" / "logs").glob("*.darshan"))

# The stage `clone` of scripts/test runs what has this mark without the shared folder.
reads_logs = pytest.mark.reads_logs


def _made():
    """Written once for each state of the sources, by whichever process comes first."""
    sources = sorted(INDEPENDENT.rglob("*.py"))
    state = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    cache = ROOT / "build" / "made-logs"
    folder = cache / state
    if not folder.is_dir():
        import job_logs
        cache.mkdir(parents=True, exist_ok=True)
        fresh = pathlib.Path(tempfile.mkdtemp(dir=cache))
        job_logs.write(fresh)
        try:
            fresh.rename(folder)
        except OSError:  # somebody else was faster
            shutil.rmtree(fresh)
        for old in cache.iterdir():
            if old.stat().st_mtime < time.time() - 86400:
                shutil.rmtree(old, ignore_errors=True)
    return sorted(folder.glob("*.darshan"))


MADE = _made()
OURS = OWN + MADE
FULL = os.environ.get("TRIKAL_FULL") == "1"
FEW = 6  # one in so many logs of our own is read where TRIKAL_LOGS=few
ALL = OURS + REAL


def by_name(stem):
    """The log of that name, or None where there is none."""
    return next((log for log in ALL if log.stem == stem), None)


def needs_shared(why):
    """For what only the shared folder can show; `why` says what stands for it in a clone."""
    return pytest.mark.skipif(not REAL, reason=f"the logs of {SHARED} are not there; {why}")


def some(logs, step):
    """One in `step` of them, the first included; all with scripts/test --full."""
    return logs if FULL else logs[::step]


def each(logs, why="", argument="log"):
    """Parametrizes over logs by name. Without any: one test that is skipped and says why. With TRIKAL_LOGS=few (the stage
    `clone`, whose logs the other stages have read already) over a part of them."""
    if os.environ.get("TRIKAL_LOGS") == "few":
        logs = logs[::FEW]
    rows = [pytest.param(log, id=log.stem, marks=reads_logs) for log in logs]
    return pytest.mark.parametrize(
        argument, rows or [pytest.param(None, id="no-shared-folder", marks=[reads_logs, needs_shared(why)])])


def rows_about_shared(arguments, rows, why):
    """Parametrizes over what is known of certain logs of the shared folder; without it, one test that is skipped."""
    held = [pytest.param(*row, marks=reads_logs) for row in rows]
    nothing = pytest.param(*[None] * len(arguments.split(",")), id="no-shared-folder", marks=[reads_logs, needs_shared(why)])
    return pytest.mark.parametrize(arguments, held if REAL else [nothing])


def expected(log, kind):
    """Lines of what the original's tools print of a log, or None where there is no such file."""
    path = log.parent / "expected" / f"{log.stem}.{kind}.gz"
    return [line for line in gzip.decompress(path.read_bytes()).split(b"\n") if line] if path.exists() else None


def table(path):
    """Rows of a tab separated file with a head, as dictionaries."""
    with path.open(newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def excluded_rows():
    """Values of real logs that the original gets wrong: they are not in what is expected there."""
    path = SHARED / "logs" / "expected" / "EXCLUDED.tsv"
    return table(path) if path.exists() else []


@functools.cache
def wrong_in_the_original(log):
    """Counters of a log that the original gets wrong, by the versions in it (defect 7 of the specification)."""
    from ground import container
    header = container.parse_header(log.read_bytes())
    version, found = header.mod_ver.get(1, 4), set()
    if version == 3:
        found |= {"POSIX_F_VARIANCE_RANK_TIME", "POSIX_F_VARIANCE_RANK_BYTES"}  # lost
    if version < 4 and header.order == ">":
        found |= {"POSIX_F_META_TIME", "POSIX_F_MAX_READ_TIME", "POSIX_F_MAX_WRITE_TIME"}  # left unswapped
    return found
