"""Findings that need an MPI job: of examples/mpi_antipatterns.c run under MPICH, whose MPI-IO is the ROMIO of most machines."""

import csv
import io
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()
TRIKAL = BUILD / "bin" / "trikal"
ANTIPATTERNS = re.findall(r'\{"([a-z-]+)", ', (ROOT / "examples" / "mpi_antipatterns.c").read_text())
RANKS = {"few-aggregators": 16, "stalled-access": 2}  # its limit; those who take part; the others show with eight
UNPRICED = {"no-nonblocking"}  # what it costs depends on what the program could do meanwhile
# A site with few processors may want to hear of it earlier: 64 ranks are too many for a test.
POLICY = "[file-per-process]\nranks = 8\n"


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    if shutil.which("mpicc.mpich") is None:
        pytest.skip("no mpicc.mpich: scripts/install-deps installs it")
    target = tmp_path_factory.mktemp("bin") / "mpi_antipatterns"
    source = ROOT / "examples" / "mpi_antipatterns.c"
    subprocess.run(["mpicc.mpich", "-O1", "-Wall", "-Wextra", "-Werror", source, "-o", target], check=True)
    return target


def observe(program, antipattern, how, folder):
    (folder / "files").mkdir()
    log, policy = folder / "antipattern.darshan", folder / "policy"
    policy.write_text(POLICY)
    words = ["mpirun.mpich", "-n", str(RANKS.get(antipattern, 8)), program, antipattern, how, folder / "files"]
    subprocess.run([TRIKAL, "run", "--quiet", "--log", log, "--", *words], check=True, timeout=300)
    done = subprocess.run([TRIKAL, "insights", "--json", "--policy", policy, log], check=True, capture_output=True)
    return log, {finding["code"]: finding for finding in json.loads(done.stdout)["findings"]}


@pytest.mark.parametrize("antipattern", ANTIPATTERNS)
def test_antipattern_is_found(program, tmp_path, antipattern):
    for attempt in range(3):  # a disk that stalls makes all ranks slow, and none slower than the others
        (tmp_path / str(attempt)).mkdir()
        _, found = observe(program, antipattern, "bad", tmp_path / str(attempt))
        if antipattern in found:
            break
    assert antipattern in found, sorted(found)
    assert (found[antipattern]["seconds"] > 0) == (antipattern not in UNPRICED) and found[antipattern]["title"]


@pytest.mark.parametrize("antipattern", ANTIPATTERNS)
def test_work_done_well_is_not_blamed(program, tmp_path, antipattern):
    _, found = observe(program, antipattern, "good", tmp_path)
    assert antipattern not in found, found[antipattern]


def mpi_ranks(folder, *command):
    """What the processes that did I/O say of themselves."""
    log = folder / "l.darshan"
    subprocess.run([TRIKAL, "run", "--quiet", "--force", "--log", log, "--", *command], check=True, timeout=300)
    table = subprocess.run([TRIKAL, "export", "-f", "csv", "-t", "processes", "-o", "-", log], check=True,
                           capture_output=True, text=True).stdout
    return [row["mpi_ranks"] for row in csv.DictReader(io.StringIO(table)) if int(row["rank"]) >= 0]


def test_ranks_of_a_job_are_told_from_processes_of_a_script(program, tmp_path):
    """With files of their own and no MPI-IO, nothing else in the log says that ranks belong together."""
    assert mpi_ranks(tmp_path, "mpirun.mpich", "-n", "4", program, "imbalance", "bad", tmp_path) == ["4"] * 4
    (tmp_path / "l.darshan").unlink()
    script = 'cat "$0" > "$1/a"; cat "$1/a" > "$1/b"'
    assert set(mpi_ranks(tmp_path, "sh", "-c", script, __file__, tmp_path)) == {"0"}


def test_time_in_io_is_the_outermost_layers(program, tmp_path):
    log, _ = observe(program, "few-aggregators", "bad", tmp_path)
    done = subprocess.run([TRIKAL, "summary", "--json", log], check=True, capture_output=True)
    summary = json.loads(done.stdout)
    layers = {layer["name"]: layer["seconds_by_slowest"] for layer in summary["layers"]}
    # The aggregator's POSIX calls lie inside collective calls, in which all others wait.
    assert layers["MPI-IO"] > layers["POSIX"] > 0
    assert layers["MPI-IO"] <= summary["io"]["seconds"] * 1.001
    assert summary["io"]["seconds"] <= layers["MPI-IO"] + layers.get("STDIO", 0) + 0.5 * layers["POSIX"]
