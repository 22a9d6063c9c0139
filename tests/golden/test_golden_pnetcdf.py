"""The golden program that uses Parallel netCDF, beside what Darshan recorded with Open MPI."""

import itertools
import shutil
import subprocess

import pytest

from test_golden import GOLDEN, check, rows_about_shared, work  # noqa: F401: a fixture
from test_golden_mpi import run


@pytest.fixture(scope="session")
def programs(work):  # noqa: F811
    if shutil.which("mpicc.openmpi") is None:
        pytest.skip("no mpicc.openmpi: scripts/install-deps installs it")
    folder = work / "pnetcdf-bin"
    folder.mkdir()
    subprocess.run(["mpicc.openmpi", "-O1", "-Wno-unused-result", "-o", str(folder / "pnetcdf_par"),
                    str(GOLDEN / "apps" / "pnetcdf_par.c"), "-lpnetcdf"], check=True, capture_output=True)
    return folder


@rows_about_shared("name, ranks, form", itertools.product(["pnetcdf_par"], [1, 2, 4], ["run", "preload"]),
                   "tests/pnetcdf has programs of our own")
def test_counters_of_pnetcdf_programs(work, programs, name, ranks, form):  # noqa: F811
    check(run(work, programs, name, ranks, form))
