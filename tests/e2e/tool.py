"""Running the program under test, and where its inputs are."""

import csv
import gzip
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = ROOT / os.environ.get("TRIKAL_BUILD", "build/release") / "bin"
SHARED = pathlib.Path(os.environ.get("TRIKAL_SHARED", ROOT.parent / "shared"))
REAL = sorted((SHARED / "logs").glob("*.darshan"))
GOLDEN = sorted((SHARED / "golden" / "runs").glob("*.darshan"))
EXPECTED = SHARED / "logs" / "expected"
HERE = pathlib.Path(__file__).resolve().parent

needs_shared = pytest.mark.skipif(not REAL, reason=f"the folder with real logs is not there: {SHARED}")


def each(logs):
    """Parametrizes over logs by name; without any, one test that skips and says why."""
    rows = [pytest.param(log, id=log.stem) for log in logs]
    return pytest.mark.parametrize("log", rows or [pytest.param(None, marks=needs_shared, id="no-shared-folder")])


def run(*words, program="trikal", stdin=None):
    """The finished process; never raises for its exit status."""
    return subprocess.run([str(BIN / program), *map(str, words)], capture_output=True, input=stdin, timeout=120,
                          env={**os.environ, "TZ": "UTC"}, check=False)


def make_large_log(kind, count, path):
    """A log of that many records (posix) or segments (dxt), by the program the benchmarks use."""
    maker = BIN.parent / "bench" / "make-log"
    assert maker.exists(), f"the build has no benchmarks (TRIKAL_BUILD_BENCH): {maker} is not there"
    subprocess.run([maker, kind, str(count), path], check=True)


def output(*words, program="trikal"):
    """Standard output of a run that must succeed, as lines."""
    done = run(*words, program=program)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return lines(done.stdout)


def lines(raw):
    return raw.split(b"\n")[:-1] if raw.endswith(b"\n") else raw.split(b"\n")


def data_lines(found):
    """Counter lines of a listing. A file name may hold a line break, so a line is one if it is no comment."""
    return [line for line in found if line and not line.startswith(b"#")]


def expected(log, kind):
    """Lines of what the original's tools print for a real log, or None where there is no such file."""
    path = EXPECTED / f"{log.stem}.{kind}.gz"
    return [line for line in lines(gzip.decompress(path.read_bytes())) if line] if path.exists() else None


def table(path):
    """Rows of a tab separated file with a head, as dictionaries."""
    with path.open(newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def excluded():
    """(log, counter) of values the original gets wrong; they are not in its output."""
    path = EXPECTED / "EXCLUDED.tsv"
    return {(row["log"], row["counter"]) for row in table(path)} if path.exists() else set()


def golden_table(log, suffix):
    """A table of the golden runs, which may be compressed."""
    plain = log.with_suffix(suffix)
    packed = plain.with_name(plain.name + ".gz")
    return lines(plain.read_bytes() if plain.exists() else gzip.decompress(packed.read_bytes()))
