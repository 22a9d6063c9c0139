"""Calls that stay in a stream's buffer are timed one in some: counts and bytes are exact, estimates are marked."""

import subprocess
import time

import pytest

from conftest import HERE, Log, TRIKAL, sections

CALLS, SHARED = 100_000, 80_000
# file: reads and their bytes, writes and theirs
EXPECTED = {"characters": (CALLS + CALLS // 10, 2 * CALLS, CALLS, CALLS), "pieces": (0, 0, 2 * CALLS, 20 * CALLS),
            "child": (0, 0, CALLS, CALLS), "shared": (0, 0, SHARED, SHARED)}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = tmp_path_factory.mktemp("buffered") / "program"
    subprocess.run(["gcc", "-O1", "-Wall", "-Werror", "-pthread", "-o", made, HERE / "programs" / "buffered.c"], check=True)
    return made


def run(program, tmp_path, *options, arguments=(), status=0):
    log = tmp_path / "job.darshan"
    began = time.monotonic()
    done = subprocess.run([TRIKAL, "run", "--quiet", *options, "--log", log, "--", program, *arguments], cwd=tmp_path, timeout=120)
    assert done.returncode == status
    return Log(log), time.monotonic() - began


def check_counts(log, tmp_path, files=EXPECTED):
    for name in files:
        counters = ("STDIO_READS", "STDIO_BYTES_READ", "STDIO_WRITES", "STDIO_BYTES_WRITTEN")
        assert tuple(log[tmp_path / name, counter] for counter in counters) == EXPECTED[name], name


def untimed(log):
    """{file: reads and writes whose time is an estimate}"""
    return {log.names[row["id"]].rsplit("/", 1)[-1]: row["STDIO_READS_NOT_TIMED"] + row["STDIO_WRITES_NOT_TIMED"]
            for row in sections(log.path).get("stdio_extra", [])}


def seconds(log, name):
    out = subprocess.run([TRIKAL, "parse", "--base", log.path], capture_output=True, check=True, text=True).stdout
    rows = [line.split("\t") for line in out.splitlines() if not line.startswith("#")]
    return {row[3]: float(row[4]) for row in rows if len(row) > 5 and row[5].endswith(name) and row[3].startswith("STDIO_F")}


def test_counts_and_bytes_are_exact_and_estimates_are_marked(program, tmp_path):
    log, wall = run(program, tmp_path)
    check_counts(log, tmp_path)
    marked = untimed(log)
    for name, (reads, _, writes, _) in EXPECTED.items():
        assert 0 < marked[name] < reads + writes, name
        times = seconds(log, f"/{name}")
        assert 0 < times["STDIO_F_WRITE_TIME"] < wall
        assert times["STDIO_F_WRITE_START_TIMESTAMP"] < times["STDIO_F_WRITE_END_TIMESTAMP"] < wall
    # Most of them: they take far less than reading a counter.
    assert marked["pieces"] > CALLS
    summary = subprocess.run([TRIKAL, "summary", log.path], capture_output=True, text=True, check=True).stdout
    assert "were not timed: their time is estimated" in summary


def test_all_are_timed_on_request(program, tmp_path):
    log, _ = run(program, tmp_path, "--time-all")
    check_counts(log, tmp_path)
    assert not any(untimed(log).values())


def test_a_killed_process_has_counted_them_all(program, tmp_path):
    log, _ = run(program, tmp_path, arguments=["killed"], status=-9)
    assert log[tmp_path / "characters", "STDIO_WRITES"] == log[tmp_path / "characters", "STDIO_BYTES_WRITTEN"] == CALLS


def test_bytes_over_time_are_all_there(program, tmp_path):
    log, _ = run(program, tmp_path)
    out = subprocess.run([TRIKAL, "export", "-f", "csv", "-t", "heatmap_bins", "-o", "-", log.path], capture_output=True,
                         check=True, text=True).stdout.splitlines()
    head = out[0].split(",")
    rows = [dict(zip(head, line.split(","))) for line in out[1:] if "STDIO" in line]
    assert sum(int(row["write_bytes"]) for row in rows) == sum(written for _, _, _, written in EXPECTED.values())
