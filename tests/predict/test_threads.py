"""OpenMP: predicted with as many threads as the run has."""

import os
import subprocess

import pytest

from conftest import HERE, TRIKAL, compile_c, predict, side_by_side

PROGRAMS = HERE / "programs" / "openmp"


def both(tmp_path, cache, monkeypatch, source, compiler, threads, arguments):
    modules = [f"-J{tmp_path}"] if compiler == "gfortran" else []  # else it leaves own.mod where the tests were started
    program = compile_c(source, tmp_path / "program", compiler, "-fopenmp", *modules)
    monkeypatch.setenv("OMP_NUM_THREADS", str(threads))
    return side_by_side(tmp_path, cache, [program], [source], arguments, "--flag=-fopenmp")


@pytest.mark.parametrize("threads, iterations", [(1, 10), (2, 100), (3, 1000), (4, 7), (8, 20_000), (4, 0)])
def test_threads(cache, tmp_path, monkeypatch, threads, iterations):
    told, predicted, measured, _ = both(tmp_path, cache, monkeypatch, PROGRAMS / "threads.c", "gcc", threads, [str(iterations)])
    assert predicted == measured
    assert told["predictions"][0]["complete"] and told["predictions"][0]["unknowns"] == []


@pytest.mark.parametrize("threads, iterations", [(1, 10), (3, 1000), (4, 50_000)])
def test_threads_of_fortran(cache, tmp_path, monkeypatch, threads, iterations):
    told, predicted, measured, _ = both(tmp_path, cache, monkeypatch, PROGRAMS / "threads.f90", "gfortran", threads, [str(iterations)])
    assert predicted == measured
    assert told["predictions"][0]["complete"]


@pytest.mark.parametrize("threads, count", [(1, 10), (3, 2000), (4, 100)])
def test_threads_of_cpp(cache, tmp_path, monkeypatch, threads, count):
    told, predicted, measured, _ = both(tmp_path, cache, monkeypatch, PROGRAMS / "parts.cpp", "g++", threads, [str(count)])
    assert predicted == measured
    assert told["predictions"][0]["complete"] and told["predictions"][0]["unknowns"] == []


@pytest.mark.parametrize("threads, steps", [(2, 10), (8, 3000)])
def test_steps_of_all_threads(cache, tmp_path, monkeypatch, threads, steps):
    told, predicted, measured, _ = both(tmp_path, cache, monkeypatch, PROGRAMS / "steps.c", "gcc", threads, [str(steps)])
    assert predicted == measured
    assert told["predictions"][0]["complete"] and told["predictions"][0]["unknowns"] == []


def test_threads_of_the_environment_given(cache, tmp_path, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    _, files = predict(tmp_path, cache, [PROGRAMS / "threads.c"], ["10"], "--flag=-fopenmp", "--env", "OMP_NUM_THREADS=5")
    assert sum("/thread." in name for name in files) == 5


def test_as_many_threads_as_processors(cache, tmp_path, monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    told, files = predict(tmp_path, cache, [PROGRAMS / "threads.c"], ["10"], "--flag=-fopenmp")
    assert sum("/thread." in name for name in files) == len(os.sched_getaffinity(0))
    assert any("OMP_NUM_THREADS is not set" in note for note in told["predictions"][0]["notes"])


def test_many_threads_are_cheap(cache, tmp_path, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "128")
    told, files = predict(tmp_path, cache, [PROGRAMS / "threads.c"], ["1000000"], "--flag=-fopenmp")
    assert told["predictions"][0]["complete"] and sum("/thread." in name for name in files) == 128
    assert told["predictions"][0]["seconds"] < 30


def test_what_flang_cannot_compile_is_predicted_as_if_it_had_no_threads(cache, tmp_path):
    source = tmp_path / "array.f90"
    source.write_text("""program array
  integer :: i
  real :: sums(4)
  sums = 0
!$omp parallel do reduction(+:sums) collapse(1) linear(i)
  do i = 1, 10
    sums(2) = sums(2) + 1
  end do
!$omp teams distribute parallel do
  do i = 1, 10
    sums(1) = 0
  end do
!$omp scope
  sums(3) = 1
!$omp end scope
  open (20, file='sums.txt')
  write (20, '(4f8.1)') sums
end program
""")
    done = subprocess.run([TRIKAL, "predict", "--json", "--flag=-fopenmp", source],
                          cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "TRIKAL_CACHE": str(cache)})
    assert done.returncode == 0, done.stderr
    assert "as if it had no OpenMP" in done.stderr and "sums.txt" in done.stdout


@pytest.mark.parametrize("pragma, said", [("single", "a single or a task is chance"), ("for schedule(dynamic)", "iterations of a loop is chance"),
                                          ("for", None), ("master", None)])
def test_what_is_chance_is_said(cache, tmp_path, monkeypatch, pragma, said):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    source = tmp_path / "chance.c"
    source.write_text(f"""#include <omp.h>
#include <stdio.h>
int main(void) {{
#pragma omp parallel
#pragma omp {pragma}
  {"for (int i = 0; i < 9; ++i) " if "for" in pragma else ""}printf("%d\\n", omp_get_thread_num());
}}
""")
    told, _ = predict(tmp_path, cache, [source], [], "--flag=-fopenmp")
    notes = [note for note in told["predictions"][0]["notes"] if "chance" in note]
    assert len(notes) == 1 and said in notes[0] if said else not notes


def test_more_threads_than_are_followed(cache, tmp_path, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "5000")
    told, _ = predict(tmp_path, cache, [PROGRAMS / "threads.c"], ["10"], "--flag=-fopenmp")
    assert not told["predictions"][0]["complete"] and "of 5000 threads 2000 are followed" in told["predictions"][0]["notes"]
