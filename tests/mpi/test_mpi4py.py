"""MPI from Python: mpi4py loads it through an extension module, long after the session began."""

import subprocess

import pytest

from conftest import HERE, TRIKAL, Log, Mpi

PYTHON = "/usr/bin/python3"  # Debian's, which its mpi4py belongs to; it is built with Open MPI
PROGRAM = str(HERE / "programs" / "transfers_mpi4py.py")
RANKS = 3


@pytest.fixture(scope="module")
def openmpi(tmp_path_factory):
    if subprocess.run([PYTHON, "-c", "import mpi4py"], capture_output=True).returncode != 0:
        pytest.skip("no mpi4py: scripts/install-deps installs python3-mpi4py")
    return Mpi("openmpi", tmp_path_factory.mktemp("mpi4py"))


def check(log):
    assert log.nprocs() == RANKS
    shared = log.record("mpiio", "/python.dat")
    expected = {"COLL_OPENS": 1, "INDEP_WRITES": 1, "COLL_WRITES": 1, "NB_WRITES": 1, "INDEP_READS": 1, "SYNCS": 1,
                "HINTS": 1, "BYTES_WRITTEN": 1000 + 500 + 80, "BYTES_READ": 600}
    assert {name: int(shared["MPIIO_" + name]) for name in expected} == {
        name: RANKS * count for name, count in expected.items()}
    assert int(shared["MPIIO_MODE"]) == 9
    for rank in range(RANKS):
        own = log.record("mpiio", f"/own.{rank}", rank)
        assert (int(own["MPIIO_INDEP_OPENS"]), int(own["MPIIO_BYTES_WRITTEN"])) == (1, 1000)


def test_one_log_of_all_ranks(openmpi, tmp_path):
    log, _ = openmpi.observe(tmp_path, [*openmpi.launch(RANKS), PYTHON, PROGRAM, str(tmp_path)])
    check(log)
    assert (tmp_path / "python.dat").stat().st_size == 4000 * (RANKS - 1) + 1580


def test_launcher_outside(openmpi, tmp_path):
    done = subprocess.run([*openmpi.launch(RANKS), TRIKAL, "run", "--log", str(tmp_path / "job.darshan"), "--", PYTHON,
                           PROGRAM, str(tmp_path)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    check(Log(tmp_path / "job.darshan"))
