"""Benchmarks of a build that is not there say so at once: without it some printed ratios of nothing."""

import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCHMARKS = sorted(path.name for path in (ROOT / "bench").glob("run-*") if path.name != "run-build")
WITH_OPTION = {name for name in BENCHMARKS if '"--build"' in (ROOT / "bench" / name).read_text()}


def run(name, *arguments):
    return subprocess.run([ROOT / "bench" / name, *arguments], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_build_that_is_not_there_is_named(name, tmp_path):
    done = run(name, *(["--build"] if name in WITH_OPTION else []), tmp_path / "no-build")
    assert done.returncode != 0 and done.stdout == ""
    assert "no-build" in done.stderr.splitlines()[-1] and "is not there" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("name", ["run-build", "run-short", "run-capture"])
def test_help_measures_nothing(name):
    done = run(name, "--help")
    assert f"{name} " in done.stdout + done.stderr
