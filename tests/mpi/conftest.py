"""Programs of MPI under `trikal run`, for every MPI of the machine."""

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
LAUNCH = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--mca", "orte_tmpdir_base", "/dev/shm"],
          "mpich": ["mpirun.mpich"]}


class Mpi:
    def __init__(self, name, folder):
        self.name, self.folder, self.built = name, folder, {}

    def launch(self, ranks):
        return [*LAUNCH[self.name], "-np", str(ranks)]

    def compile(self, source, *options):
        target = self.folder / (pathlib.Path(source).name + ".bin")
        if target not in self.built:
            compiler = {".f": "mpifort.", ".f90": "mpifort.", ".cpp": "mpicxx."}.get(pathlib.Path(source).suffix, "mpicc.")
            command = [compiler + self.name, "-O1", str(HERE / "programs" / source), "-o", str(target), *options]
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            self.built[target] = True
        return str(target)

    def observe(self, tmp_path, command, environment=None, options=()):
        """Runs a command under `trikal run`; answers with the log's records and what came out."""
        log = tmp_path / "job.darshan"
        done = subprocess.run([TRIKAL, "run", "--force", "--log", str(log), *options, "--", *command], capture_output=True, text=True,
                              timeout=120, env={**os.environ, **(environment or {})})
        assert done.returncode == 0, done.stderr
        return Log(log), done


class Log:
    def __init__(self, path):
        self.path = path

    def rows(self, table):
        text = subprocess.run([TRIKAL, "export", str(self.path), "-f", "csv", "-t", table, "-o", "-"],
                              capture_output=True, text=True, check=True).stdout
        return list(csv.DictReader(io.StringIO(text)))

    def record(self, table, name, rank=-1):
        found = [row for row in self.rows(table) if row["name"].endswith(name) and int(row["rank"]) == rank]
        assert len(found) == 1, f"{len(found)} records of {name} and rank {rank}"
        return found[0]

    def nprocs(self):
        return int(self.rows("job")[0]["nprocs"])


@pytest.fixture(scope="session", params=["openmpi", "mpich"])
def mpi(request, tmp_path_factory):
    if shutil.which("mpicc." + request.param) is None:
        pytest.skip(f"no mpicc.{request.param}: scripts/install-deps installs it")
    return Mpi(request.param, tmp_path_factory.mktemp(request.param))
