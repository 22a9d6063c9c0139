"""Verbs that stream need no more memory for a large log than for a small one: 64 MiB at most."""

import pathlib
import subprocess
import sys

import pytest

from tool import BIN, HERE, make_large_log

MOST_KIB = 64 * 1024
SMALLEST_KIB = 20 * 1024  # whoever measures counts as well


def peak_kib(*words):
    done = subprocess.run(["/usr/bin/python3", "-I", "-S", HERE / "peak_memory.py", *map(str, words)], check=True,
                          capture_output=True, timeout=300)
    code, peak = map(int, done.stdout.split())
    assert code == 0, done.stderr.decode()
    return peak


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("memory")
    for kind, count in (("posix", 200_000), ("dxt", 2_000_000)):
        make_large_log(kind, count, folder / kind)
    return folder


def test_the_measure_is_of_the_program_and_nothing_else():
    ballast = bytearray(b"x") * (150 << 20)  # this process is large; what it starts is not
    assert peak_kib("true") < SMALLEST_KIB
    assert peak_kib(sys.executable, "-I", "-S", "-c", "bytearray(b'x') * (100 << 20)") > 100 * 1024
    assert len(ballast) == 150 << 20


@pytest.mark.parametrize("log, words", [
    ("posix", ["info"]), ("posix", ["parse"]), ("posix", ["parse", "--total", "--perf"]), ("posix", ["parse", "--all"]),
    ("dxt", ["info"]), ("dxt", ["dxt"]), ("dxt", ["dxt", "--threads"]), ("dxt", ["parse", "--all"]),
    ("posix", ["export", "-f", "csv", "-t", "posix"]), ("posix", ["export", "-f", "arrow", "-t", "posix"]),
    ("dxt", ["export", "-f", "json"]), ("dxt", ["export", "-f", "perfetto"]),
], ids=lambda value: value if isinstance(value, str) else " ".join(value))
def test_large_logs_do_not_need_large_memory(logs, log, words):
    assert peak_kib(BIN / "trikal", *words, logs / log) <= MOST_KIB


@pytest.mark.parametrize("log", ["posix", "dxt"])
def test_neither_does_converting_them(logs, tmp_path, log):
    assert peak_kib(BIN / "trikal", "convert", logs / log, tmp_path / "out") <= MOST_KIB


def test_a_log_that_is_not_a_file_is_held_whole_and_no_more(logs):
    """Standard input is kept, compressed as it is, because a log has to be read from more than one offset."""
    size = pathlib.Path(logs / "dxt").stat().st_size // 1024
    assert peak_kib("bash", "-c", f"'{BIN}/trikal' dxt - < '{logs}/dxt'") <= MOST_KIB + 2 * size
