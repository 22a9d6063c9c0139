"""Events of MPI programs: the ranks', whether one `trikal run` starts them all or each has one of its own."""

import collections
import json
import re
import subprocess

import pytest

from conftest import HERE, TRIKAL

SOURCE = HERE / "programs" / "call_sites.c"
RANKS = 3


def expected():
    """{operation: (calls, bytes)} of each rank, as the program's comments say"""
    sums = collections.defaultdict(lambda: (0, 0))
    for operation, calls, moved in re.findall(r"site: (.+) (\d+) (\d+) \*/", SOURCE.read_text()):
        sums[operation] = sums[operation][0] + int(calls), sums[operation][1] + int(moved)
    return dict(sums)


@pytest.mark.parametrize("inside", [False, True], ids=["around the launcher", "behind it"])
def test_every_rank_tells(mpi, tmp_path, inside):
    run = [TRIKAL, "run", "--log", tmp_path / "job.darshan", "--events=all,interface=mpi-io", "--events-file",
           tmp_path / "events", "--"]
    program = [mpi.compile("call_sites.c", "-g"), tmp_path / "shared.dat"]
    command = [*mpi.launch(RANKS), *run, *program] if inside else [*run, *mpi.launch(RANKS), *program]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    # The one that reads first may be done before other ranks are: another goes on in a file of its own.
    files = sorted(tmp_path.glob("events*"))
    assert len(files) >= 1 if inside else len(files) == 1
    lines = [json.loads(line) for path in files for line in path.read_text().splitlines()]
    assert all(line["emitted"] == line["stored"] and line["dropped"] == 0 for line in lines if line["type"] == "totals")
    found = collections.defaultdict(lambda: (0, 0))
    for event in (line for line in lines if line["type"] == "event"):
        key = event["rank"], event["operation"]
        found[key] = found[key][0] + 1, found[key][1] + event["length"]
    assert found == {(rank, operation): sums for rank in range(RANKS) for operation, sums in expected().items()}
