"""The golden programs that use HDF5, beside what Darshan recorded with the parallel HDF5 of Open MPI."""

import shutil
import subprocess

import pytest

from test_golden import GOLDEN, check, rows_about_shared, work  # noqa: F401: a fixture
from test_golden_mpi import run


@pytest.fixture(scope="session")
def programs(work):  # noqa: F811
    if shutil.which("h5pcc.openmpi") is None:
        pytest.skip("no h5pcc.openmpi: scripts/install-deps installs it")
    folder = work / "hdf5-bin"
    folder.mkdir()
    for name in ("hdf5_serial", "hdf5_par"):
        # The static library is what it takes otherwise, and nothing of that can be seen.
        subprocess.run(["h5pcc.openmpi", "-shlib", "-O1", "-Wno-unused-result", "-o", str(folder / name),
                        str(GOLDEN / "apps" / f"{name}.c")], check=True, capture_output=True, cwd=folder)
    return folder


@rows_about_shared("name, ranks, form", [
    (*program, form) for program in [("hdf5_serial", None), ("hdf5_par", 1), ("hdf5_par", 2), ("hdf5_par", 4)]
    for form in ("run", "preload")], "tests/hdf5 has programs of our own")
def test_counters_of_hdf5_programs(work, programs, name, ranks, form):  # noqa: F811
    check(run(work, programs, name, ranks, form))
