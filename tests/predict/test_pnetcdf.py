"""Programs that use PnetCDF: the calls of MPI-IO that are predicted against those of a run, and the sizes of files."""

import shutil
import subprocess

import pytest

from conftest import HERE, observe, predict

PROGRAM = HERE / "programs" / "netcdf" / "ways.c"
LAUNCH = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--mca", "orte_tmpdir_base", "/dev/shm"]  # the MPI of Debian's PnetCDF


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    assert shutil.which("mpicc.openmpi"), "scripts/install-deps installs it"
    target = tmp_path_factory.mktemp("netcdf") / "ways"
    subprocess.run(["mpicc.openmpi", "-g", "-O1", "-w", PROGRAM, "-o", target, "-lpnetcdf"], check=True)
    return target


def flags():
    shown = subprocess.run(["mpicc.openmpi", "-showme:compile"], capture_output=True, text=True, check=True).stdout.split()
    return [f"--flag={word}" for word in shown if word.startswith("-I")]


def by_mpi(files):
    """MPI-IO of the one file: what PnetCDF has it do beneath is not predicted."""
    return {key: value for name, values in files.items() if name.endswith("ways.nc") for key, value in values.items()
            if key.startswith("MPIIO_")}


@pytest.mark.parametrize("ranks", [1, 3])
@pytest.mark.parametrize("way, steps, form", [("together", 3, 1), ("together", 200, 5), ("alone", 3, 2), ("alone", 150, 5), ("later", 3, 1),
                                              ("later", 120, 2), ("some", 1, 1), ("changes", 1, 5), ("undefined", 1, 1)])
def test_ways(built, cache, tmp_path, ranks, way, steps, form):
    (tmp_path / "predicted").mkdir(), (tmp_path / "measured").mkdir()
    words = [way, str(steps), str(form)]
    told, predicted = predict(tmp_path / "predicted", cache, [PROGRAM], words, f"--np={ranks}", *flags())
    measured, done = observe(tmp_path / "measured", [*LAUNCH, "-np", str(ranks), built, *words])
    assert done.returncode == 0, done.stderr
    assert by_mpi(predicted) == by_mpi(measured)
    for one in told["predictions"]:
        assert one["exit_code"] == 0 and not [note for note in one["notes"] if "no model" in note]
        # How long a file is that several ranks have written is assumed, and with it how much of it is read.
        unsure = {"MPI read"} | ({"MPI collective read"} if way == "undefined" else set()) if ranks > 1 else set()
        assert {row["certainty"] for row in one["accesses"] if row["operation"] not in unsure} <= {"exact", "extrapolated"}
    rows = [row for one in told["predictions"] for row in one["accesses"] if row["operation"].startswith("MPI")]
    assert any("beneath" in note for note in told["predictions"][0]["notes"]) and rows
