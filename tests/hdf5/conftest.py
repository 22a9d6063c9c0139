"""Programs that use HDF5 under `trikal run`, for every HDF5 of the machine."""

import csv
import io
import os
import pathlib
import shutil
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()
TRIKAL = str(BUILD / "bin" / "trikal")
RUNTIME = str(BUILD / "lib" / "libtrikal.so")
COMPILERS = {"serial": "h5cc", "openmpi": "h5pcc.openmpi", "mpich": "h5pcc.mpich"}
LAUNCH = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--mca", "orte_tmpdir_base", "/dev/shm"],
          "mpich": ["mpirun.mpich"]}


def needed(program):
    if shutil.which(program) is None:
        pytest.skip(f"no {program}: scripts/install-deps installs it")
    return program


class Hdf5:
    def __init__(self, name, folder):
        self.name, self.folder, self.built = name, folder, {}

    def compile(self, source, *options):
        target = self.folder / (pathlib.Path(source).name + ".bin")
        if target not in self.built:
            command = [COMPILERS[self.name], "-shlib", "-O1", "-Wall", "-Werror", str(HERE / "programs" / source), "-o",
                       str(target), *options]
            done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder)
            assert done.returncode == 0, done.stderr
            self.built[target] = True
        return str(target)

    def launch(self, ranks):
        return [*LAUNCH[self.name], "-np", str(ranks)]


def observe(folder, *command, options=(), environment=None):
    """Runs a command under `trikal run`; answers with the log's records and what came out."""
    log = folder / "job.darshan"
    done = subprocess.run([TRIKAL, "run", "--force", "--log", str(log), *options, "--", *map(str, command)], capture_output=True,
                          text=True, timeout=120, env={**os.environ, **(environment or {})})
    assert done.returncode == 0, done.stderr
    return Log(log), done


class Log:
    def __init__(self, path):
        self.path = path

    def rows(self, table):
        """The records of a module; none if the log has no such table."""
        done = subprocess.run([TRIKAL, "export", str(self.path), "-f", "csv", "-t", table, "-o", "-"],
                              capture_output=True, text=True)
        return list(csv.DictReader(io.StringIO(done.stdout))) if done.returncode == 0 else []

    def counters(self, table, name, rank=0):
        """Of the one record of that name, without the module's prefix."""
        found = [row for row in self.rows(table) if row["name"].endswith(name) and int(row["rank"]) == rank]
        assert len(found) == 1, f"{len(found)} records of {name} and rank {rank}: {[r['name'] for r in self.rows(table)]}"
        prefix = table.upper() + "_"
        return {key.removeprefix(prefix): value for key, value in found[0].items()}


def some(record, *names):
    return {name: int(record[name]) for name in names}


@pytest.fixture(scope="session", params=["serial", "openmpi", "mpich"])
def hdf5(request, tmp_path_factory):
    needed(COMPILERS[request.param])
    return Hdf5(request.param, tmp_path_factory.mktemp(request.param))


@pytest.fixture(scope="session", params=["openmpi", "mpich"])
def parallel(request, tmp_path_factory):
    needed(COMPILERS[request.param])
    return Hdf5(request.param, tmp_path_factory.mktemp(request.param))


@pytest.fixture(scope="session")
def serial(tmp_path_factory):
    needed(COMPILERS["serial"])
    return Hdf5("serial", tmp_path_factory.mktemp("serial"))
