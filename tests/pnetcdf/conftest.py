"""Programs that use Parallel netCDF under `trikal run`. Debian has it for its own MPI, which is Open MPI."""

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
LAUNCH = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--mca", "orte_tmpdir_base", "/dev/shm", "-np"]


class Programs:
    def __init__(self, folder):
        self.folder = folder

    def compile(self, source):
        target = self.folder / f"{source}.bin"
        compiler = "mpifort.openmpi" if source.endswith(".f90") else "mpicc.openmpi"
        if not target.exists():
            folders = {f"-I{header.parent}" for header in pathlib.Path("/usr/include").glob("**/pnetcdf.inc")}
            done = subprocess.run([compiler, "-g", "-O1", str(HERE / "programs" / source), "-o", str(target), *folders,
                                   "-lpnetcdf"], capture_output=True, text=True, cwd=self.folder)
            assert done.returncode == 0, done.stderr
        return str(target)


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    if shutil.which("mpicc.openmpi") is None:
        pytest.skip("no mpicc.openmpi: scripts/install-deps installs it")
    return Programs(tmp_path_factory.mktemp("programs"))


def observe(folder, ranks, *command, options=(), environment=None):
    """Runs a command under `trikal run`; answers with the log."""
    log = folder / "job.darshan"
    done = subprocess.run([TRIKAL, "run", "--force", "--log", str(log), *options, "--", *LAUNCH, str(ranks), *map(str, command)],
                          capture_output=True, text=True, timeout=120, env={**os.environ, **(environment or {})})
    assert done.returncode == 0, done.stdout + done.stderr
    return Log(log)


class Log:
    def __init__(self, path):
        self.path = path

    def rows(self, table):
        """The records of a module; none if the log has no such table."""
        done = subprocess.run([TRIKAL, "export", str(self.path), "-f", "csv", "-t", table, "-o", "-"],
                              capture_output=True, text=True)
        return list(csv.DictReader(io.StringIO(done.stdout))) if done.returncode == 0 else []

    def counters(self, table, name, rank=-1):
        """Of the one record of that name, without the module's prefix; the integers as such."""
        found = [row for row in self.rows(table) if row["name"].endswith(name) and int(row["rank"]) == rank]
        assert len(found) == 1, f"{len(found)} records of {name}: {[(r['name'], r['rank']) for r in self.rows(table)]}"
        prefix = table.upper() + "_"
        return {key.removeprefix(prefix): int(value) if value.lstrip("-").isdigit() else value
                for key, value in found[0].items()}
