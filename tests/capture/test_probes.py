"""The probes of the shared folder: everything that was found invisible elsewhere is counted here.

They write to /tmp/probe; each test moves that name into a folder of its own in the sources.
"""

import os
import pathlib
import signal
import subprocess
import sys

import pytest

from conftest import ROOT, sections
from test_calls import extras_of

PROBES = pathlib.Path(os.environ.get("TRIKAL_SHARED", ROOT.parent / "shared")).absolute() / "probes"


@pytest.fixture
def probe(tmp_path):
    """Builds a probe, or answers with the script; its files are in tmp_path / "data"."""
    if not PROBES.is_dir():
        pytest.skip(f"no probes: {PROBES} is not there")
    (tmp_path / "data").mkdir()

    def build(name, *flags):
        source = tmp_path / name
        source.write_text((PROBES / name).read_text().replace("/tmp/probe", str(tmp_path / "data"))
                          .replace("char p[64]", "char p[4096]").replace("char d[64]", "char d[4096]"))
        if name.endswith(".py"):
            return source
        compiler = ["g++", "-std=gnu++17"] if name.endswith(".cpp") else ["gcc"]
        binary = tmp_path / source.stem
        subprocess.run([*compiler, "-w", "-O2", *flags, "-o", binary, source], check=True, capture_output=True)
        return binary
    return build


def test_every_kind_of_call(probe, run, tmp_path):
    done, log = run(probe("probe.cpp"))
    assert done.returncode == 0
    extras = extras_of(log.path, log.names)
    file = lambda name: str(tmp_path / "data" / name)
    kib = 200 * 1024
    assert log[file("A.dat"), "POSIX_BYTES_WRITTEN"] == 100 * 4096
    assert log[file("A.dat"), "POSIX_STATS"] == 2000
    assert log[file("A.dat"), "POSIX_BYTES_READ"] == log[file("B.dat"), "POSIX_BYTES_WRITTEN"] == 2 * kib
    assert extras[file("B.dat"), "POSIX_BYTES_COPIED_TO"] == 2 * kib
    assert log[file("C.dat"), "POSIX_MMAPS"] == extras[file("C.dat"), "POSIX_MSYNCS"] == 1
    assert extras[file("C.dat"), "POSIX_BYTES_MAPPED"] == extras[file("C.dat"), "POSIX_BYTES_MSYNCED"] == 1 << 20
    assert log[file("D.dat"), "POSIX_BYTES_WRITTEN"] == 100 * 4096 == (tmp_path / "data" / "D.dat").stat().st_size
    assert log[file("D.dat"), "STDIO_OPENS"] == 1 and log[file("D.dat"), "POSIX_OPENS"] == 0  # fileno is no open
    assert log[file("E.dat"), "STDIO_BYTES_WRITTEN"] == 100 * 4096
    assert log[file("F.dat"), "STDIO_BYTES_READ"] == log[file("F.dat"), "STDIO_BYTES_WRITTEN"] == 10000
    assert log[file("G.dat"), "POSIX_BYTES_WRITTEN"] == 1000 and log[file("G.dat"), "POSIX_WRITES"] == 100
    assert log[file("H.dat"), "POSIX_BYTES_WRITTEN"] == 100 * 4096
    total = lambda counter: sum(value for (_, name), value in extras.items() if name == counter)
    assert total("POSIX_MKDIRS") == total("POSIX_RMDIRS") == total("POSIX_UNLINKS") == 200
    folder = str(tmp_path / "data")
    assert extras[folder, "POSIX_OPENDIRS"] == 1
    assert extras[folder, "POSIX_READDIRS"] == len(os.listdir(folder)) + 2


@pytest.mark.parametrize("level", ["0", "2", "3"])
def test_fortified(probe, run, tmp_path, level):
    source = tmp_path / "data" / "A.dat"
    binary = probe("fort.c", "-U_FORTIFY_SOURCE", f"-D_FORTIFY_SOURCE={level}")
    source.write_bytes(b"x" * 409600)
    done, log = run(binary, "100", options=["--quiet"])
    assert int(done.stdout) == 150 * 100
    assert (log[source, "POSIX_READS"], log[source, "POSIX_BYTES_READ"]) == (100, 10000)
    assert (log[source, "STDIO_READS"], log[source, "STDIO_BYTES_READ"]) == (50, 5000)
    written = tmp_path / "data" / "W.txt"
    assert (log[written, "STDIO_WRITES"], log[written, "STDIO_BYTES_WRITTEN"]) == (50, written.stat().st_size)


def test_a_million_writes(probe, run, tmp_path):
    _, log = run(probe("ops.c"))
    data = tmp_path / "data" / "O.dat"
    assert (log[data, "POSIX_WRITES"], log[data, "POSIX_BYTES_WRITTEN"]) == (1_000_000, 64_000_000)


def test_three_thousand_files(probe, run, tmp_path):
    _, log = run(probe("many.c"))
    for i in (0, 1023, 1024, 1025, 2999):
        assert log[tmp_path / "data" / f"f{i}", "POSIX_BYTES_WRITTEN"] == 10
    assert sum(value for (_, counter), value in log.values.items() if counter == "POSIX_OPENS") == 3000


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGABRT])
def test_killed(probe, run, tmp_path, number):
    done, log = run(probe("kill9.c"), str(int(number)))
    assert done.returncode == -number
    assert log[tmp_path / "data" / "K.dat", "POSIX_BYTES_WRITTEN"] == 1000 * 4096


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.parametrize("end", ["with", "join"])
def test_pools(probe, run, tmp_path, method, end):
    _, log = run(sys.executable, probe("mp2.py"), method, end)
    written = sum(log[tmp_path / "data" / f"p{i}.bin", "POSIX_BYTES_WRITTEN"] for i in range(16))
    assert written == 16 * 10 * 65536
    assert any(row["ended"] for row in sections(log.path)["processes"])
