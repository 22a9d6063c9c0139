"""What other observers were found not to see is counted here: calls, fortified calls, many files, killed programs, pools."""

import os
import signal
import subprocess
import sys

import pytest

from conftest import HERE, sections
from test_calls import extras_of

PROGRAMS = HERE / "programs"


@pytest.fixture
def data(tmp_path):
    """The folder that a program uses."""
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def test_every_kind_of_call(run, data, tmp_path):
    binary = tmp_path / "many_ways"
    subprocess.run(["g++", "-std=gnu++17", "-O2", "-Wall", "-Wextra", "-o", binary, PROGRAMS / "many_ways.cpp"], check=True)
    done, log = run(binary, data)
    assert done.returncode == 0, done.stderr
    extras = extras_of(log.path, log.names)
    block, copied = 100 * 4096, 2 * 200 * 1024
    counted = lambda name, counter: log[data / name, counter]
    noted = lambda name, counter: extras[str(data / name), counter]
    assert counted("asked", "POSIX_BYTES_WRITTEN") == block and counted("asked", "POSIX_STATS") == 2000
    assert counted("asked", "POSIX_BYTES_READ") == counted("copied", "POSIX_BYTES_WRITTEN") == copied
    assert noted("copied", "POSIX_BYTES_COPIED_TO") == copied
    assert counted("mapped", "POSIX_MMAPS") == noted("mapped", "POSIX_MSYNCS") == 1
    assert noted("mapped", "POSIX_BYTES_MAPPED") == noted("mapped", "POSIX_BYTES_MSYNCED") == 1 << 20
    assert counted("ofstream", "POSIX_BYTES_WRITTEN") == block == (data / "ofstream").stat().st_size
    assert counted("ofstream", "STDIO_OPENS") == 1 and counted("ofstream", "POSIX_OPENS") == 0  # fileno is no open
    assert counted("unlocked", "STDIO_BYTES_WRITTEN") == block
    assert counted("lines", "STDIO_BYTES_READ") == counted("lines", "STDIO_BYTES_WRITTEN") == 10000
    assert (counted("dprintf", "POSIX_BYTES_WRITTEN"), counted("dprintf", "POSIX_WRITES")) == (1000, 100)
    assert (counted("syscall", "POSIX_BYTES_WRITTEN"), counted("syscall", "POSIX_WRITES")) == (block, 100)
    total = lambda counter: sum(value for (_, name), value in extras.items() if name == counter)
    assert total("POSIX_MKDIRS") == total("POSIX_RMDIRS") == total("POSIX_UNLINKS") == 200
    assert extras[str(data), "POSIX_OPENDIRS"] == 1
    assert extras[str(data), "POSIX_READDIRS"] == len(os.listdir(data)) + 2


@pytest.mark.parametrize("level", ["0", "2", "3"])
def test_fortified(program, run, data, level):
    source, written = data / "in", data / "out"
    source.write_bytes(b"x" * 409600)
    done, log = run(program("fortified", "-O2", "-U_FORTIFY_SOURCE", f"-D_FORTIFY_SOURCE={level}"), source, written, "100",
                    options=["--quiet"])
    assert int(done.stdout) == 150 * 100
    assert (log[source, "POSIX_READS"], log[source, "POSIX_BYTES_READ"]) == (100, 10000)
    assert (log[source, "STDIO_READS"], log[source, "STDIO_BYTES_READ"]) == (50, 5000)
    assert (log[written, "STDIO_WRITES"], log[written, "STDIO_BYTES_WRITTEN"]) == (50, written.stat().st_size)


def test_a_million_writes(program, run, data):
    _, log = run(program("many_calls"), "writes", data / "out")
    assert (log[data / "out", "POSIX_WRITES"], log[data / "out", "POSIX_BYTES_WRITTEN"]) == (1_000_000, 64_000_000)


def test_three_thousand_files(program, run, data):
    _, log = run(program("many_calls"), "files", data)
    for i in (0, 1023, 1024, 1025, 2999):
        assert log[data / f"f{i}", "POSIX_BYTES_WRITTEN"] == 10
    assert sum(value for (_, counter), value in log.values.items() if counter == "POSIX_OPENS") == 3000


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGABRT])
def test_killed(program, run, data, number):
    done, log = run(program("many_calls"), "killed", data / "out", str(int(number)))
    assert done.returncode == -number
    assert log[data / "out", "POSIX_BYTES_WRITTEN"] == 1000 * 4096


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.parametrize("end", ["terminated", "joined"])
def test_pools(run, data, method, end):
    _, log = run(sys.executable, PROGRAMS / "pools.py", method, end, data)
    written = sum(log[data / f"p{i}.bin", "POSIX_BYTES_WRITTEN"] for i in range(16))
    assert written == 16 * 10 * 65536
    assert any(row["ended"] for row in sections(log.path)["processes"])
