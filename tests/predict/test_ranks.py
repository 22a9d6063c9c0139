"""Ranks that tell each other what decides: followed together, and measured with both MPIs."""

import subprocess

import pytest

from conftest import HERE, observe, predict
from judge import flagged_rows, judge

PROGRAMS = HERE / "programs" / "mpi"


def flags_of(mpi):
    shown = ["mpicc.openmpi", "--showme:compile"] if mpi == "openmpi" else ["mpicc.mpich", "-compile-info"]
    words = subprocess.run(shown, capture_output=True, text=True, check=True).stdout.split()
    return [f"--flag={word}" for word in words if word.startswith("-I")]


def of_program(files, folder):
    """Files of the folder: what MPI itself does elsewhere is its own."""
    return {name.replace(str(folder), "."): values for name, values in files.items() if name.startswith(str(folder))}


@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
@pytest.mark.parametrize("program, ranks", [("talk", 2), ("talk", 4), ("talk", 6), ("barrier", 4)])
def test_what_is_sent_is_received(tmp_path, cache, mpi, program, ranks):
    for folder in ("predicted", "measured"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "in.txt").write_text("17\n")
    source = PROGRAMS / f"{program}.c"
    told, predicted = predict(tmp_path / "predicted", cache, [source], [], "--np", str(ranks), *flags_of(mpi))
    subprocess.run([f"mpicc.{mpi}", "-g", "-w", "-o", tmp_path / "program", source], check=True)
    launch = ["--allow-run-as-root", "--oversubscribe"] if mpi == "openmpi" else []
    measured, done = observe(tmp_path / "measured", [f"mpirun.{mpi}", *launch, "-np", str(ranks), tmp_path / "program"])
    assert done.returncode == 0, done.stderr
    found = judge(told, of_program(predicted, tmp_path / "predicted"), of_program(measured, tmp_path / "measured"), (tmp_path / "predicted", ""))
    assert found["wrong"] == [] and found["flagged"] == [], found
    assert flagged_rows(told) == [] and found["right"] > 2 * ranks


def test_a_deadlock_is_named(tmp_path, cache):
    told, _ = predict(tmp_path, cache, [PROGRAMS / "deadlock.c"], [], "--np", "3", *flags_of("mpich"))
    for one in told["predictions"]:
        assert not one["complete"]
        assert [f"deadlock: rank {rank} waits in MPI_Recv at deadlock.c:10" for rank in range(3)] == \
            [note for note in one["notes"] if note.startswith("deadlock")]


def test_more_ranks_than_are_followed(tmp_path, cache):
    """Of a thousand ranks a few are looked at: what depends on the others is assumed, and says so."""
    (tmp_path / "in.txt").write_text("17\n")
    told, _ = predict(tmp_path, cache, [PROGRAMS / "talk.c"], [], "--np", "1024", *flags_of("mpich"))
    flagged = {file.rsplit("/", 1)[1] for file, _ in flagged_rows(told)}
    assert {"steps.1", "sum.0", "ring.0"} <= flagged and "steps.0" not in flagged
