"""The example log is sound: read back by the independent decoder, its trace and its counters agree."""

import collections
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    path = tmp_path_factory.mktemp("example") / "checkpoint.darshan"
    subprocess.run([sys.executable, str(ROOT / "examples" / "checkpoint_log.py"), str(path)], check=True)
    return path


def rows(log, form):
    command = [sys.executable, str(ROOT / "tests" / "independent" / "decoder.py"), str(log), form]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [line.split("\t") for line in text.splitlines()]


def test_trace_and_counters_agree(log):
    moved, calls = collections.Counter(), collections.Counter()
    for _, ident, _, _, way, _, _, length, _, _, _ in rows(log, "--dxt"):
        moved[ident, way] += int(length)
        calls[ident, way] += 1
    counters = {(row[2], row[3]): row[4] for row in rows(log, "--base")}
    idents = {ident for ident, _ in counters}
    assert len(idents) == 3
    for ident in idents:
        assert int(counters[ident, "POSIX_BYTES_WRITTEN"]) == moved[ident, "write"]
        assert int(counters[ident, "POSIX_BYTES_READ"]) == moved[ident, "read"]
        assert int(counters[ident, "POSIX_WRITES"]) == calls[ident, "write"]
        assert int(counters[ident, "POSIX_READS"]) == calls[ident, "read"]


def test_the_same_bytes_every_time(log, tmp_path):
    again = tmp_path / "again.darshan"
    subprocess.run([sys.executable, str(ROOT / "examples" / "checkpoint_log.py"), str(again)], check=True)
    assert again.read_bytes() == log.read_bytes()
