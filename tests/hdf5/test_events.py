"""What events of HDF5 say of their transfers (trikal run --events=all,details)."""

import json

from conftest import observe


def test_transfers_have_their_selection(hdf5, tmp_path):
    path = tmp_path / "events.jsonl"
    observe(tmp_path, hdf5.compile("selections.c"), tmp_path,
            options=["--events=all,interface=hdf5,details", "--events-file", str(path)])
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    names = {line["file"]: line["name"].removeprefix(str(tmp_path)) for line in lines if line["type"] == "file"}
    events = [line for line in lines if line["type"] == "event"]
    assert [(event["operation"], names[event["file"]]) for event in events] == [
        ("HDF5 open", "/sets.h5"), ("HDF5 dataset open", "/sets.h5:/grid"), *4 * [("HDF5 write", "/sets.h5:/grid")],
        ("HDF5 read", "/sets.h5:/grid"), ("HDF5 dataset flush", "/sets.h5:/grid"), ("HDF5 flush", "/sets.h5"),
        ("HDF5 dataset close", "/sets.h5:/grid"), ("HDF5 close", "/sets.h5")]
    moved = [event for event in events if "selection" in event]
    assert [(event["selection"], event["selected"], event["length"]) for event in moved] == [
        ("points", 3, 12), ("regular", 6, 24), ("regular", 6, 24), ("irregular", 7, 28), ("whole", 200, 800)]
    assert [(event["point_selects"], event["regular_selects"], event["irregular_selects"]) for event in moved] == [
        (1, 0, 0), (1, 1, 0), (1, 2, 0), (1, 2, 1), (1, 2, 1)]
    assert {(event["dimensions"], event["dataset_elements"]) for event in moved} == {(2, 200)}
    assert [event["switches"] for event in moved] == [0, 0, 0, 0, 1]
    assert [event["flushes"] for event in events if "flush" in event["operation"]] == [1, 1]
