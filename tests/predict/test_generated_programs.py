"""Programs that nobody wrote (generate.py makes them), predicted, then run under observation: a counter that differs must be flagged.
What runs them shares nothing with what predicts them. TRIKAL_SEEDS=FIRST:LAST is a campaign of its own."""

import os
import subprocess

import pytest

from conftest import observe, predict
from generate import c_program, cpp_program, fortran_program, mpi_program
from judge import judge
from test_ranks import flags_of, of_program

FULL = os.environ.get("TRIKAL_FULL") == "1"
FIRST, LAST = map(int, os.environ.get("TRIKAL_SEEDS", "1:400" if FULL else "1:6").split(":"))
SHARE = 6  # of C programs there are so many for one in another language


def check(tmp_path, cache, source, compiler, options=(), launch=(), *flags):
    for folder in ("predicted", "measured"):
        (tmp_path / folder).mkdir()
    subprocess.run([*compiler, "-g", "-O1", "-w", "-o", tmp_path / "program", source, *options], check=True)
    told, predicted = predict(tmp_path / "predicted", cache, [source], [], *flags)
    measured, done = observe(tmp_path / "measured", [*launch, tmp_path / "program"])
    assert done.returncode == 0, done.stderr
    found = judge(told, of_program(predicted, tmp_path / "predicted"), of_program(measured, tmp_path / "measured"), (tmp_path / "predicted", ""))
    assert found["wrong"] == [], (source, found["wrong"])
    return found


@pytest.mark.parametrize("seed", range(FIRST, LAST + 1))
def test_generated_c(tmp_path, cache, seed):
    (tmp_path / "made.c").write_text(c_program(seed))
    check(tmp_path, cache, tmp_path / "made.c", ["gcc"], ["-lm"])


@pytest.mark.parametrize("seed", range(FIRST, FIRST + (LAST - FIRST) // SHARE + 1))
def test_generated_cpp(tmp_path, cache, seed):
    (tmp_path / "made.cpp").write_text(cpp_program(seed))
    check(tmp_path, cache, tmp_path / "made.cpp", ["g++", "-std=c++17"])


@pytest.mark.parametrize("seed", range(FIRST, FIRST + (LAST - FIRST) // SHARE + 1))
def test_generated_fortran(tmp_path, cache, seed):
    (tmp_path / "made.f90").write_text(fortran_program(seed))
    check(tmp_path, cache, tmp_path / "made.f90", ["gfortran"])


@pytest.mark.parametrize("seed", range(FIRST, FIRST + (LAST - FIRST) // SHARE + 1))
def test_generated_mpi(tmp_path, cache, seed):
    (tmp_path / "made.c").write_text(mpi_program(seed))
    check(tmp_path, cache, tmp_path / "made.c", ["mpicc.mpich"], ["-lm"], ["mpirun.mpich", "-np", "4"], "--np", "4", *flags_of("mpich"))
