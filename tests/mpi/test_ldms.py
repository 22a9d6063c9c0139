"""Events of MPI programs as messages of the LDMS Darshan connector: every rank's."""

import collections
import subprocess
import sys

import pytest

from conftest import ROOT, TRIKAL

sys.path.insert(0, str(ROOT / "tests" / "support"))
import connector

RANKS = 3


def run(mpi, folder, inside):
    observing = [TRIKAL, "run", "--log", folder / "job.darshan", "--events=all,details", "--events-file", folder / "events", "--publish",
                 f"file:{folder}/published", "--"]
    program = [mpi.compile("call_sites.c", "-g"), folder / "shared.dat"]
    command = [*mpi.launch(RANKS), *observing, *program] if inside else [*observing, *mpi.launch(RANKS), *program]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120, cwd=folder)
    assert done.returncode == 0, done.stderr
    return sorted(folder.glob("events*"))


@pytest.mark.parametrize("inside", [False, True], ids=["around the launcher", "behind it"])
def test_every_rank_has_its_messages(mpi, tmp_path, inside):
    files = run(mpi, tmp_path, inside)
    exported = b""
    for path in files:
        connector.check_export(TRIKAL, path)
        exported += connector.export(TRIKAL, path, "ldms-json", "current")
    raw = (tmp_path / "published").read_bytes()
    # Several of them may have written to the file, one after the other, in the order of their files or not.
    assert sorted(raw.splitlines()) == sorted(exported.splitlines())
    published = connector.parse_json(raw)
    found = [message for message in published if message["module"] == "MPIIO"]
    assert {message["rank"] for message in found} == set(range(RANKS))
    assert {message["file"] for message in found if message["op"] == "open"} == {str(tmp_path / "shared.dat")}
    counts = collections.Counter((message["rank"], message["op"]) for message in found)
    events = [line for path in files for line in connector.read_events(path) if line["type"] == "event" and line["interface"] == "MPI-IO"]
    last_words = collections.Counter((event["rank"], event["operation"].split()[-1]) for event in events)
    assert counts == {key: value for key, value in last_words.items() if key[1] in ("open", "read", "write", "close")}
    assert all(counts[rank, op] > 0 for rank in range(RANKS) for op in ("open", "read", "write", "close"))


def test_from_a_store(mpi, tmp_path):
    store = tmp_path / "w.sqlite"
    command = [TRIKAL, "watch", "--no-page", "--events=all,details", "--store", store, "--log", tmp_path / "w.darshan", "--",
               *mpi.launch(RANKS), mpi.compile("call_sites.c", "-g"), tmp_path / "shared.dat"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = [message for message in connector.parse_json(connector.export(TRIKAL, store, "ldms-json", "current"))
             if message["module"] == "MPIIO"]
    assert {message["rank"] for message in found} == set(range(RANKS))
    assert {message["file"] for message in found if message["op"] == "open"} == {str(tmp_path / "shared.dat")}
    assert {message["cnt"] for message in found if message["op"] == "open"} == {1}
    per_rank = [[(message["op"], message["cnt"], message["seg"][0]["len"]) for message in found if message["rank"] == rank]
                for rank in range(RANKS)]
    assert len(per_rank[0]) > 4 and all({op for op, *_ in calls} == {"open", "read", "write", "close"} for calls in per_rank)
