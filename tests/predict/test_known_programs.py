"""Programs of others that predictions were wrong about, and certain: each counter is right, or flagged with its cause. They lie in
the folder `shared` beside the repository; where that is not there, a program of our own stands for them."""

import os
import pathlib
import random
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from conftest import HERE, TRIKAL, counters, predict  # noqa: E402
from judge import judge  # noqa: E402
from log_files import SHARED  # noqa: E402  behind the path
from test_ranks import flags_of, of_program  # noqa: E402

FOLDER = SHARED / "repro" / "predict"
CERTAIN = HERE / "programs" / "certain"
RANKS = 4

# By program: arguments, and what of it may be flagged; of all others every number is exact.
ARGUMENTS = {"c12.c": ["0.3"], "c6.c": ["in.csv"], "fm.f90": ["40"], "q2.cpp": ["20", "3"]}
UNSURE = {"c12.c": "the clock", "d5.c": "the clock", "c6.c": "bytes of "}
PROGRAMS = sorted(FOLDER.iterdir()) if FOLDER.is_dir() else [CERTAIN / "texts.c"]


def inputs(folder):
    chance = random.Random(23)
    (folder / "in.txt").write_text("25\n")
    (folder / "in.csv").write_text("".join(f"{i},{chance.random():.6f},name{i}\n" for i in range(80_000)))  # over 1 MiB
    (folder / "numbers").write_text("".join(f"{i / 7}\n" for i in range(60)))


def compiled(source, folder):
    parallel = "mpi" in source.read_text().lower()
    compiler = {".c": "cc", ".cpp": "cxx", ".f90": "fort"}[source.suffix]
    plain = {"cc": "gcc", "cxx": "g++", "fort": "gfortran"}[compiler]
    stranger = [CERTAIN / "stranger_body.c", "-Dstranger=foo"] if "foo(" in source.read_text() else []
    subprocess.run([f"mpi{compiler}.mpich" if parallel else plain, "-g", "-O1", "-w", "-o", folder / "program", source, *stranger, "-lm"],
                   check=True)
    return (["mpirun.mpich", "-np", str(RANKS)] if parallel else []) + [folder / "program"], parallel


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda source: source.name)
def test_every_counter_is_right_or_flagged(tmp_path, cache, monkeypatch, source):
    monkeypatch.setenv("MYVAR", "7")
    command, parallel = compiled(source, tmp_path)
    for name in ("predicted", "measured"):
        (tmp_path / name).mkdir()
        inputs(tmp_path / name)
    arguments = ARGUMENTS.get(source.name, [])
    options = ["--np", str(RANKS), *(flags_of("mpich") if source.suffix == ".c" else [])] if parallel else []
    told, predicted = predict(tmp_path / "predicted", cache, [source], arguments, "--stdin", tmp_path / "predicted" / "numbers", *options)
    log = tmp_path / "measured.darshan"
    with open(tmp_path / "measured" / "numbers") as numbers:
        done = subprocess.run([TRIKAL, "run", "--quiet", "--log", log, "--", *map(str, command), *arguments], cwd=tmp_path / "measured",
                              stdin=numbers, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr
    found = judge(told, of_program(predicted, tmp_path / "predicted"), of_program(counters(log), tmp_path / "measured"), (tmp_path / "predicted", ""))
    assert found["wrong"] == [] and found["right"] > 0, found
    rows = [row for one in told["predictions"] for row in one["accesses"] if row["certainty"] == "assumed"]
    beneath = [note for one in told["predictions"] for note in one["notes"] if "MPI-IO does beneath" in note]
    assert bool(beneath) == any("MPIIO_" in key for values in predicted.values() for key in values)
    why = UNSURE.get(source.name)
    assert (why is None) == (rows == []), rows
    assert all(why in row["because"] for row in rows), rows
