"""The golden MPI programs at 1, 2 and 4 ranks, beside what Darshan recorded with Open MPI: under `trikal run`, and with
nothing but the library preloaded."""

import itertools
import os
import shutil
import subprocess

import pytest

from test_golden import BUILD, GOLDEN, INSTEAD, check, rows_about_shared, work  # noqa: F401: a fixture

PROGRAMS = "mpi_shared mpi_sharedfp mpi_fpp mpi_mixed mpi_posix_shared".split()
# Its session files then lie where files are not watched, as they did when the golden logs were made.
LAUNCH = "mpirun.openmpi --allow-run-as-root --oversubscribe --mca orte_tmpdir_base /dev/shm".split()


@pytest.fixture(scope="session")
def programs(work):
    if shutil.which("mpicc.openmpi") is None:
        pytest.skip("no mpicc.openmpi: scripts/install-deps installs it")
    folder = work / "mpi-bin"
    folder.mkdir()
    for name in PROGRAMS:
        subprocess.run(["mpicc.openmpi", "-O1", "-o", str(folder / name), str(GOLDEN / "apps" / f"{name}.c")], check=True,
                       capture_output=True)
    return folder


def run(work, programs, name, ranks, form):
    """The table of one run; with no number of ranks, of a program that is not started by MPI."""
    process = f"{name}.np{ranks}" if ranks else name
    out, table, log = work / "out" / name, work / f"{process}.tsv", work / f"{process}.darshan"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    log.unlink(missing_ok=True)
    observe = [str(BUILD / "bin" / "trikal"), "run", "--quiet", "--log", str(log), "--"] if form == "run" else []
    preload = ["env", f"LD_PRELOAD={BUILD / 'lib' / 'libtrikal.so'}", f"TRIKAL_LOGFILE={log}"] if form == "preload" else []
    launch = [*LAUNCH, "-np", str(ranks)] if ranks else []
    subprocess.run([*observe, *launch, *preload, str(programs / name), str(out)], check=True,
                   capture_output=True, stdin=subprocess.DEVNULL, timeout=120, env={**os.environ})
    parsed = subprocess.run([str(BUILD / "bin" / "darshan-parser"), str(log)], check=True, capture_output=True).stdout
    made = subprocess.run([str(GOLDEN / "tools" / "totsv.py"), str(work / "out")], input=parsed, check=True,
                          capture_output=True)
    table.write_bytes(made.stdout)
    return table


@rows_about_shared("name, ranks, form", itertools.product(PROGRAMS, [1, 2, 4], ["run", "preload"]), INSTEAD)
def test_counters_of_mpi_programs(work, programs, name, ranks, form):
    check(run(work, programs, name, ranks, form))
