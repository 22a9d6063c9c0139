"""Fortran with MPI-IO, by each of the three ways to get at MPI: predicted from the source, measured with both MPIs."""

import subprocess

import pytest

from conftest import HERE, observe, predict, totals

PROGRAMS = HERE / "programs" / "mpi"
# What the runtime counts, and the operations that are counted there: how often, and bytes.
COUNTS = {"MPIIO_INDEP_OPENS": "MPI open", "MPIIO_COLL_OPENS": "MPI collective open", "MPIIO_INDEP_WRITES": "MPI write",
          "MPIIO_COLL_WRITES": "MPI collective write", "MPIIO_NB_WRITES": "MPI nonblocking write", "MPIIO_INDEP_READS": "MPI read",
          "MPIIO_COLL_READS": "MPI collective read", "MPIIO_SYNCS": "MPI sync", "MPIIO_VIEWS": "MPI set view"}


def flags_of(mpi):
    shown = ["mpifort.openmpi", "--showme:compile"] if mpi == "openmpi" else ["mpifort.mpich", "-compile-info"]
    words = subprocess.run(shown, capture_output=True, text=True, check=True).stdout.split()
    return [f"--flag={word}" for word in words if word.startswith("-I")]


@pytest.mark.parametrize("program", ["shares_module.f90", "shares_2008.f90", "shares_fixed.f"])
def test_its_mpi_is_found(tmp_path, cache, program):
    """Without options: that of mpifort."""
    for folder in ("told", "found"):
        (tmp_path / folder).mkdir()
    shown = subprocess.run(["mpifort", "-show"], capture_output=True, text=True, check=True).stdout.split()
    flags = [f"--flag={word}" for word in shown if word.startswith("-I")]
    told, _ = predict(tmp_path / "told", cache, [PROGRAMS / program], ["20"], "--np", "2", *flags)
    found, _ = predict(tmp_path / "found", cache, [PROGRAMS / program], ["20"], "--np", "2")
    of = [[(row["operation"], row["count"], row["bytes"], row["certainty"]) for prediction in one["predictions"] for row in prediction["accesses"]]
          for one in (told, found)]
    assert of[0] == of[1] and any(row[0] == "MPI collective write" for row in of[1])


@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
@pytest.mark.parametrize("ranks", [1, 2, 4])
@pytest.mark.parametrize("program", ["shares_module.f90", "shares_2008.f90", "shares_fixed.f", "shares_keywords.f90"])
def test_fortran_ranks(tmp_path, cache, mpi, ranks, program):
    for folder in ("predicted", "measured"):
        (tmp_path / folder).mkdir()
    told, _ = predict(tmp_path / "predicted", cache, [PROGRAMS / program], ["20"], "--np", str(ranks), *flags_of(mpi))
    subprocess.run([f"mpifort.{mpi}", "-g", "-w", "-J", tmp_path, "-o", tmp_path / "shares", PROGRAMS / program], check=True)
    launch = ["--allow-run-as-root", "--oversubscribe"] if mpi == "openmpi" else []
    measured, done = observe(tmp_path / "measured", [f"mpirun.{mpi}", *launch, "-np", str(ranks), tmp_path / "shares", "20"])
    assert done.returncode == 0, done.stderr
    assert sorted(one["rank"] for one in told["predictions"]) == list(range(ranks))
    assert not [note for one in told["predictions"] for note in one["notes"] if "no model" in note]
    counted, moved = {}, {"read": 0, "write": 0}
    for row in (row for one in told["predictions"] for row in one["accesses"] if row["operation"].startswith("MPI")):
        counted[row["operation"]] = counted.get(row["operation"], 0) + row["count"]
        assert row["certainty"] != "assumed"
        for direction in moved:
            moved[direction] += row["bytes"] if row["operation"].endswith(direction) else 0
    seen = totals(measured)
    assert {name: counted.get(operation, 0) for name, operation in COUNTS.items()} == {name: seen.get(name, 0) for name in COUNTS}
    assert moved == {"read": seen["MPIIO_BYTES_READ"], "write": seen["MPIIO_BYTES_WRITTEN"]}
    assert moved["write"] >= 4096 * 20 * ranks
