"""Events of HDF5 as messages of the LDMS Darshan connector."""

import subprocess
import sys

import pytest

from conftest import ROOT, TRIKAL, observe

sys.path.insert(0, str(ROOT / "tests" / "support"))
import connector


def test_files_and_datasets(hdf5, tmp_path):
    path, published = tmp_path / "events.jsonl", tmp_path / "published"
    observe(tmp_path, hdf5.compile("selections.c"), tmp_path,
            options=["--events=all,details", "--events-file", str(path), "--publish", f"file:{published}", "--dialect", "published"])
    found = [message for message in connector.check_export(TRIKAL, path) if message["module"].startswith("H5")]
    file = str(tmp_path / "sets.h5")
    assert [(message["module"], message["op"], message["file"], message["cnt"], message["seg"][0]["len"]) for message in found] == [
        ("H5F", "open", file, 1, -1), ("H5D", "open", f"{file}:/grid", 1, -1), ("H5D", "write", "N/A", 1, 12), ("H5D", "write", "N/A", 2, 24),
        ("H5D", "write", "N/A", 3, 24), ("H5D", "write", "N/A", 4, 28), ("H5D", "read", "N/A", 1, 800), ("H5D", "close", "N/A", 1, -1),
        ("H5F", "close", "N/A", 1, -1)]
    # pt_sel, irreg_hslab, reg_hslab, ndims, npoints
    selections = [tuple(message["seg"][0].values())[:5] for message in found]
    none = (-1, -1, -1, -1, -1)
    assert selections == [none, none, (1, 0, 0, 2, 200), (1, 0, 1, 2, 200), (1, 0, 2, 2, 200), (1, 1, 2, 2, 200), (1, 1, 2, 2, 200), none,
                          none]
    assert [message["flushes"] for message in found if message["op"] == "close"] == [1, 1]
    assert published.read_bytes() == connector.export(TRIKAL, path, "ldms-json", "published")
    told = [message for message in connector.parse_json(published.read_bytes()) if message["module"].startswith("H5")]
    assert [(message["file"], message["seg"][0]["data_set"], message["cnt"]) for message in told] == [
        (file, "N/A", 1), (file, "/grid", 1), *(("N/A", "/grid", count) for count in range(2, 8)), ("N/A", "N/A", 2)]


@pytest.mark.parametrize("dialect", connector.DIALECTS)
def test_from_a_store_as_published(hdf5, tmp_path, dialect):
    """Of two runs of the program: the same but for times and process ids."""
    program, published, store = hdf5.compile("selections.c"), tmp_path / "published", tmp_path / "w.sqlite"
    observe(tmp_path, program, tmp_path, options=["--publish", f"file:{published}", "--dialect", dialect])
    subprocess.run([TRIKAL, "watch", "--no-page", "--events=all,details", "--store", store, "--log", tmp_path / "w.darshan", "--", program,
                    tmp_path], check=True, capture_output=True, timeout=120)

    def told(raw):
        messages = [message for message in connector.parse_json(raw) if message["module"].startswith("H5")]
        for message in messages:
            message["job_id"] = 0
            for name in ("start", "dur", "total", "timestamp"):
                message["seg"][0][name] = 0
        return messages
    found = told(connector.export(TRIKAL, store, "ldms-json", dialect))
    assert found == told(published.read_bytes()) and len(found) == 9
    connector.check_export(TRIKAL, store)
