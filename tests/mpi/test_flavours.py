"""MPI libraries that no package has: one with the standard's binary interface, and ones that nobody knows."""

import os
import subprocess

import pytest

from conftest import HERE, RUNTIME, TRIKAL, Log

PROGRAMS = HERE / "programs"
START = 'for r in 0 1; do FAKE_RANK=$r FAKE_SIZE=2 "$0" "$1" & pids="$pids $!"; done; for p in $pids; do wait $p || exit; done'


def build(folder, *says):
    library, program = folder / "libmpi_abi.so", folder / "fake_program"
    subprocess.run(["cc", "-shared", "-fPIC", *says, "-o", str(library), str(PROGRAMS / "fake_mpi.c")], check=True)
    subprocess.run(["cc", "-o", str(program), str(PROGRAMS / "fake_program.c"), str(library), f"-Wl,-rpath,{folder}"],
                   check=True)
    return str(program)


def observe(folder, program):
    log = folder / "job.darshan"
    done = subprocess.run([TRIKAL, "run", "--log", str(log), "--", "sh", "-c", START, program, str(folder)],
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return Log(log), done.stderr


def test_standard_interface(tmp_path):
    log, _ = observe(tmp_path, build(tmp_path, "-DSTANDARD"))
    ranks = [int(row["rank"]) for row in log.rows("processes") if row["exe"].endswith("/fake_program")]
    assert {0, 1} <= set(ranks) <= {-1, 0, 1}  # -1: the shell's child before it became the program
    shared = log.record("mpiio", "/shared.dat")
    expected = {"COLL_OPENS": 2, "INDEP_WRITES": 2, "NB_WRITES": 2, "INDEP_READS": 2, "BYTES_WRITTEN": 2200,
                "BYTES_READ": 80, "HINTS": 2}
    assert {name: int(shared["MPIIO_" + name]) for name in expected} == expected
    # As every other log has it: CREATE is 1 and RDWR 8, though this library says 2 and 32.
    assert int(shared["MPIIO_MODE"]) == 1 | 8
    for rank in (0, 1):
        own = log.record("mpiio", f"/own.{rank}", rank)
        assert (int(own["MPIIO_MODE"]), int(own["MPIIO_INDEP_OPENS"]), int(own["MPIIO_BYTES_WRITTEN"])) == (
            1 | 4 | 64 | 32, 1, 7)
    assert [(row["rank"], row["key"], row["value"]) for row in log.rows("mpiio_hints")] == [
        ("-1", "striping_factor", "8")]


# The second knows of the standard's interface and says that this is not it.
@pytest.mark.parametrize("says", [[], ["-DNATIVE"]])
def test_unknown_library_is_left_alone(tmp_path, says):
    log, told = observe(tmp_path, build(tmp_path, *says))
    assert "MPI-IO is not observed: this MPI library is unknown" in told
    assert [row for row in log.rows("posix") if row["name"].endswith("/shared.dat")]
    tables = subprocess.run([TRIKAL, "export", str(log.path), "-f", "csv", "-t", "mpiio", "-o", "-"], capture_output=True)
    assert tables.returncode != 0 or tables.stdout.count(b"\n") <= 1


def test_unknown_library_preloaded_gives_a_log_each(tmp_path):
    program = build(tmp_path)
    (tmp_path / "logs").mkdir()
    done = subprocess.run(["sh", "-c", START, program, str(tmp_path)], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "LD_PRELOAD": RUNTIME, "TRIKAL_LOGPATH": str(tmp_path / "logs")})
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("this MPI library is unknown") == 2
    logs = [Log(path) for path in (tmp_path / "logs").rglob("*fake_program*.darshan")]
    written = sorted(sum(int(row["POSIX_BYTES_WRITTEN"]) for row in log.rows("posix") if "/own." in row["name"])
                     for log in logs)
    assert written == [7, 7]
