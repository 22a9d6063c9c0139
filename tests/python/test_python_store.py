"""trikal.open_store: what trikal watch keeps, as DataFrames; compared with the log of the same run."""

import os
import subprocess
import time

import pytest

import package_tree

pandas = pytest.importorskip("pandas", reason="pandas is not installed (scripts/install-deps)")

import trikal  # noqa: E402  behind package_tree, which finds it


@pytest.fixture(scope="module")
def watched(tmp_path_factory):
    """A store of a run, and the log of it."""
    folder = tmp_path_factory.mktemp("watched")
    script = "dd if=/dev/zero bs=100000 count=3 status=none of=it\\'s; cat it\\'s > copy; cat copy copy > /dev/null"
    done = subprocess.run([package_tree.TRIKAL, "watch", "--quiet", "--store", folder / "job.sqlite", "--log", folder / "job.darshan",
                           "--", "sh", "-c", script], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def store(watched):
    return trikal.open_store(watched / "job.sqlite")


def test_sums_are_those_of_the_log(store, watched):
    counted = package_tree.totals(watched / "job.darshan")
    posix = store.totals[store.totals.interface == "POSIX"].groupby("operation")[["calls", "bytes"]].sum()
    assert posix.bytes["write"] == int(counted["POSIX_BYTES_WRITTEN"]) and posix.bytes["read"] == int(counted["POSIX_BYTES_READ"])
    assert posix.calls["write"] == int(counted["POSIX_WRITES"])
    assert store.rollups.bytes.sum() == store.totals.bytes.sum() > 1e6


def test_every_view_has_its_columns(store):
    for name in store.views:
        frame = store.view(name)
        assert list(frame) == list(getattr(store, name)) and len(frame.columns) >= 4, name
        assert set(trikal.store.VIEWS[name]) <= set(frame), name
        assert ("time" in frame) == (name in trikal.store.TIMED)
    assert store.runs.command.tolist()[0].startswith("sh -c") and time.time() - store.runs.start[0] < 3600
    assert set(store.system.metric) >= {"cpu.idle", "memory.total"}


def test_rows_can_be_chosen(store, watched):
    name = str(watched / "it's")
    chosen = store.view("totals", run=1, file=name, operation=["write", "read"])
    assert set(chosen.file) == {name} and set(chosen.operation) == {"read", "write"}
    assert chosen[chosen.operation == "write"].bytes.sum() == 300000
    begin = store.rollups.time.min()
    assert len(store.view("rollups", start=begin)) == len(store.rollups) and store.view("rollups", end=begin).empty
    assert list(store.view("rollups", end=begin)) == list(store.rollups), "no rows, but their columns"
    assert store.view("totals", file="' OR 1 = 1 --").empty


def test_any_question(store):
    frame = store.query("SELECT operation, sum(bytes) AS moved FROM rollups GROUP BY operation ORDER BY moved DESC")
    assert list(frame) == ["operation", "moved"] and frame.moved.is_monotonic_decreasing


@pytest.mark.parametrize("question, error", [
    ("SELECT nonsense", trikal.StoreError), ("DELETE FROM run", trikal.StoreError), ("SELECT '\0'", ValueError)])
def test_questions_that_make_no_sense(store, question, error):
    with pytest.raises(error):
        store.query(question)
    assert len(store.runs) == 1


def test_choices_that_make_no_sense(store):
    for arguments, choice in ((("tables",), {}), (("runs",), {"start": 1}), (("runs",), {"1 = 1 OR run": 1})):
        with pytest.raises(ValueError):
            store.view(*arguments, **choice)


def test_what_is_no_store(tmp_path):
    (tmp_path / "text").write_text("no store")
    for path in (tmp_path / "missing.sqlite", tmp_path / "text", tmp_path):
        with pytest.raises(trikal.StoreError) as told:
            trikal.open_store(path)
        assert os.fspath(path) in str(told.value) and "\n" not in str(told.value)
    assert not (tmp_path / "missing.sqlite").exists()
