"""PyDarshan reads the same from our library as from the one it was released with."""

import json
import pathlib
import re
import subprocess
import sys

import pytest

import package
from log_files import each, reads_logs, wrong_in_the_original

HERE = pathlib.Path(__file__).resolve().parent
LOGS = package.logs()
# The original remembers in a variable of the process that it has seen the APMPI header of a log, and takes that of
# the next log for a record of a rank: these logs get a process each.
APMPI = "APMPI"
SUMMARISED = ["job-3.4.6-le", "mpi-io-test-x86_64-3.5.0",
              "runtime_and_dxt_heatmaps_diagonal_write_only--runtime_and_dxt_heatmaps_diagonal_write_only"]
IMAGE = r"data:image/[^;]+;base64,[A-Za-z0-9+/=]+"

pytestmark = [
    pytest.mark.skipif(package.bundled() is None, reason="PyDarshan with its own library is not installed"), reads_logs,
]


def dump(paths, copy=None):
    """(what was loaded, {log name: contents}); the logs in one process."""
    command = [sys.executable, str(HERE / "dump.py"), *map(str, paths)]
    done = subprocess.run(command, env=package.environment(copy), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    first, *rest = map(json.loads, done.stdout.splitlines())
    return first, {path.stem: contents for path, contents in zip(paths, rest, strict=True)}


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    return package.copy_without_library(tmp_path_factory.mktemp("pydarshan"))


@pytest.fixture(scope="module")
def ours(copy):
    loaded, logs = dump(LOGS, copy)
    assert loaded == {"library": str(package.LIBRARY.resolve()), "version": "3.5.0"}
    return logs


@pytest.fixture(scope="module")
def original(ours):
    alone = [path for path in LOGS if APMPI in ours[path.stem]["modules"]]
    loaded, logs = dump([path for path in LOGS if path not in alone])
    assert loaded["library"] == str(package.bundled().resolve())
    for path in alone:
        logs.update(dump([path])[1])
    return logs


def excluded(log):
    """Counters of a log that the original gets wrong. Those that it has as 0 are 0 in our library as well (decision 0012)."""
    return {counter for counter in wrong_in_the_original(log) if "VARIANCE" not in counter}


def without(value, counters):
    if isinstance(value, dict):
        return {key: without(item, counters) for key, item in value.items() if key not in counters}
    return [without(item, counters) for item in value] if isinstance(value, list) else value


@each(LOGS)
def test_everything_in_a_log(log, ours, original):
    name, wrong = log.stem, excluded(log)
    mine, theirs = without(ours[name], wrong), without(original[name], wrong)
    if any(counter.endswith("_META_TIME") for counter in wrong):
        # What is made from a wrong time is wrong too.
        for side in (mine, theirs):
            side["accumulated"].pop("POSIX", None)
    for part in theirs:
        assert mine[part] == theirs[part], part


def test_something_was_compared(original):
    """Every kind of record is in the logs, so none of the comparisons above is empty."""
    modules = {module for log in original.values() for module in log["records"]}
    assert modules >= {"POSIX", "MPI-IO", "STDIO", "H5F", "H5D", "PNETCDF_FILE", "PNETCDF_VAR", "LUSTRE",
                       "DXT_POSIX", "DXT_MPIIO", "APMPI", "DFS", "DAOS"}
    assert any(log["heatmaps"] for log in original.values())
    assert {module for log in original.values() for module in log["accumulated"]} == {
        "POSIX", "MPI-IO", "STDIO", "DFS", "DAOS"}


@each([log for log in LOGS if log.stem in SUMMARISED])
def test_summary(log, copy, tmp_path):
    """`python -m darshan summary` writes the same page, pictures aside."""
    pages = {}
    for label, where in (("original", None), ("ours", copy)):
        page = tmp_path / f"{label}.html"
        command = [sys.executable, "-m", "darshan", "summary", str(log), "--output", str(page)]
        done = subprocess.run(command, env=package.environment(where), cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        pages[label] = page.read_text()
    pictures = [len(re.findall(IMAGE, page)) for page in pages.values()]
    assert pictures[0] == pictures[1] > 0
    text = [re.sub(IMAGE, "", page) for page in pages.values()]
    assert text[0] == text[1]


def test_traces_as_newer_sources_declare_them(ours, tmp_path):
    """PyDarshan of Darshan's sources after 3.5.0 declares a longer segment, under the same version."""
    copy = package.copy_without_library(tmp_path, segment_with_thread=True)
    traced = [path for path in LOGS if "DXT_POSIX" in ours[path.stem]["records"]]
    assert len(traced) >= 3
    _, logs = dump(traced, copy)
    for path in traced:
        assert logs[path.stem]["records"]["DXT_POSIX"] == ours[path.stem]["records"]["DXT_POSIX"]
