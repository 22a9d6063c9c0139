"""Running the program under test."""

import gzip
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = ROOT / os.environ.get("TRIKAL_BUILD", "build/release") / "bin"
HERE = pathlib.Path(__file__).resolve().parent


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


def golden_table(log, suffix):
    """A table of the golden runs, which may be compressed."""
    plain = log.with_suffix(suffix)
    packed = plain.with_name(plain.name + ".gz")
    return lines(plain.read_bytes() if plain.exists() else gzip.decompress(packed.read_bytes()))
