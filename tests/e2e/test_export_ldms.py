"""trikal export -f ldms-json and ldms-csv on files of events that are damaged, cut, absurd, large, or no such files."""

import json
import random
import subprocess

import pytest

from test_memory import MOST_KIB, peak_kib
from tool import BIN, run

import connector

HEAD = {"type": "head", "version": 1, "command": ["./app", "[x]"], "events": "all,details"}
LARGEST, LOWEST = (1 << 63) - 1, -(1 << 63)


def event(**more):
    return {"type": "event", "process": 1, "thread": 0, "sequence": 0, "rank": -1, "interface": "POSIX", "operation": "write", "file": "5",
            "begin": 1_700_000_000_000_000_000, "duration": 1500, "offset": 0, "length": 10, "highest_read": -1, "highest_written": 9,
            "switches": 0, "flushes": -1, **more}


def lines_of(events):
    return [HEAD, {"type": "process", "process": 1, "pid": 10, "start_ticks": 5, "generation": 0, "sample": 1}, *events,
            {"type": "program", "process": 1, "uid": 1000, "job": 77, "start": 1_699_999_999_000_000_000, "node": "n1",
             "program": "/bin/app"},
            {"type": "file", "file": "5", "name": "/data/\"five\"\n"}, {"type": "later", "than": {"this": [1, "]"]}},
            {"type": "totals", "emitted": len(events), "stored": len(events), "dropped": 0, "sampled_out": 0, "filtered": 0}]


def text_of(lines):
    return b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)


SAMPLE = text_of(lines_of([event(operation="open"), event(), event(operation="seek"), event(operation="close"),
                           event(interface=None, operation=1030)]))


@pytest.fixture
def events(tmp_path):
    def write(data):
        path = tmp_path / "some.events.jsonl"
        path.write_bytes(data)
        return path
    return write


def refused(done, path, *said, code=4):
    assert done.returncode == code, done.stderr
    assert done.stderr.count(b"\n") == 1 and done.stderr.startswith(f"trikal: {path}: ".encode()), done.stderr
    for word in said:
        assert word in done.stderr, done.stderr


def test_a_file_made_by_hand(events):
    path = events(SAMPLE)
    assert [message["op"] for message in connector.check_export(BIN / "trikal", path)] == ["open", "write", "close"]


def test_every_cut_is_said_with_its_offset(events, tmp_path):
    head = SAMPLE.index(b"\n") + 1
    for length in range(len(SAMPLE)):
        path = events(SAMPLE[:length])
        done = run("export", "-f", "ldms-json", "-o", tmp_path / "out", path)
        if length < head:
            refused(done, path, b"offset 0: not a file of events")
        else:
            begin = SAMPLE.rindex(b"\n", 0, length) + 1
            refused(done, path, f"offset {begin}: the file ends ".encode())
        assert not (tmp_path / "out").exists() and done.stdout == b""


def test_salvage_writes_what_is_there(events):
    cut = SAMPLE.index(b'{"type":"event"', SAMPLE.index(b'"seek"'))
    path = events(SAMPLE[:cut + 7])
    done = run("export", "-f", "ldms-json", "--salvage", path)
    refused(done, path, f"offset {cut}: the file ends within a line".encode())
    found = [(message["op"], message["file"], message["uid"], message["cnt"], message["seg"][0]["start"])
             for message in connector.parse_json(done.stdout)]
    assert found == [("open", "N/A", -1, 1, -1), ("write", "N/A", -1, 1, -1)]
    middle = SAMPLE.index(b'"operation":"write"')
    path = events(SAMPLE[:middle] + b"!" + SAMPLE[middle + 1:])
    refused(run("export", "-f", "ldms-csv", path), path, f"offset {middle}: not a line of JSON".encode())
    done = run("export", "-f", "ldms-json", "--salvage", path)
    refused(done, path, f"offset {middle}: not a line of JSON".encode())
    assert [(message["op"], message["uid"]) for message in connector.parse_json(done.stdout)] == [("open", 1000), ("close", 1000)]


@pytest.mark.parametrize("bad, said", [
    (event(begin=None), b"without one of its numbers"), (event(file=5), b"without one of its numbers"),
    (event(file="18446744073709551616"), b"without one of its numbers"), (event(length=1 << 63), b"without one of its numbers"),
    (event(duration=1.5), b"without one of its numbers"), (event(operation="sing"), b"operation that does not exist"),
    ({"type": "file", "name": "x"}, b"has no number"), ({"kind": "event"}, b"does not say what it is")])
def test_a_line_that_cannot_be(events, bad, said):
    lines = lines_of([event()])
    before = text_of(lines[:3])
    path = events(before + text_of([bad]) + text_of(lines[3:]))
    refused(run("export", "-f", "ldms-json", path), path, f"offset {len(before)}: ".encode(), said)


def test_absurd_numbers(events):
    strange = [event(operation="open", begin=LOWEST, duration=LOWEST), event(begin=LARGEST, duration=LARGEST), event(rank=-5, process=-1),
               event(begin=LOWEST, offset=LOWEST, length=LARGEST, highest_written=LOWEST), event(file=str((1 << 64) - 1))]
    path = events(text_of(lines_of(strange)))
    for dialect in connector.DIALECTS:
        found = connector.parse_json(connector.export(BIN / "trikal", path, "ldms-json", dialect))
        assert len(found) == 5 and found[4]["record_id"] == (1 << 64) - 1
        assert (found[3]["seg"][0]["off"], found[3]["seg"][0]["len"], found[3]["max_byte"]) == (LOWEST, LARGEST, LOWEST)
        assert found[2]["rank"] == 0 and found[2]["exe"] == "N/A" and found[2]["ProducerName"] == "N/A"
        rows = connector.parse_csv(connector.export(BIN / "trikal", path, "ldms-csv", dialect))
        assert {len(row) for row in rows} == {len(connector.COLUMNS[dialect])}


def test_other_files_and_other_options(events, tmp_path):
    path = events(SAMPLE)
    for data, said in [(b"", b"not a file of events"), (b"\x00\xff" * 300000, b"not a file of events"),
                       (b'{"type":"head","version":2}\n', b"of another version"), (b'{"type":"event"}\n', b"not a file of events")]:
        other = tmp_path / "other"
        other.write_bytes(data)
        refused(run("export", "-f", "ldms-json", other), other, said)
    refused(run("export", "-f", "ldms-json", tmp_path / "none"), tmp_path / "none", b"cannot open", code=3)
    refused(run("export", "-f", "ldms-json", tmp_path), tmp_path, b"cannot read", code=3)
    refused(run("export", "-f", "ldms-json", "-", stdin=SAMPLE), "-", b"cannot be a pipe", code=2)
    for option in (["--list"], ["--table", "posix"], ["--names", "all"]):
        refused(run("export", "-f", "ldms-json", *option, path), path, b"for logs", code=2)
    refused(run("export", "-f", "ldms-json", "--modules", "lustre", path), path, b"modules", code=2)
    refused(run("export", "-f", "json", "--dialect", "current", path), path, b"--dialect", code=2)
    out = tmp_path / "out"
    assert run("export", "-f", "ldms-csv", "-o", out, path).returncode == 0
    refused(run("export", "-f", "ldms-csv", "-o", out, path), out, b"--force", code=3)
    assert run("export", "-f", "ldms-json", "--force", "-o", out, path).returncode == 0
    assert len(connector.parse_json(out.read_bytes())) == 3
    full = run("export", "-f", "ldms-csv", "-o", "/dev/full", path)
    refused(full, "/dev/full", b"No space left", code=3)
    with open(path, "rb") as file:
        done = subprocess.run([BIN / "trikal", "export", "-f", "ldms-json", "-"], stdin=file, capture_output=True)
    assert done.returncode == 0 and done.stdout == out.read_bytes()


def test_changed_bytes_never_break_it(events):
    """Whatever stands there, what comes out can be read, and what is wrong is one line."""
    choose = random.Random(21)
    for _ in range(300):
        data = bytearray(SAMPLE)
        for _ in range(choose.randint(1, 4)):
            data[choose.randrange(len(data))] = choose.choice([0, 10, 34, 44, 48, 57, 92, 123, 125, 255, choose.randrange(256)])
        path = events(bytes(data))
        for form, parse in (("ldms-json", connector.parse_json), ("ldms-csv", connector.parse_csv)):
            done = run("export", "-f", form, *choose.choice([[], ["--salvage"]]), path)
            assert done.returncode in (0, 4), (data, done)
            assert (done.returncode == 0) == (done.stderr == b"") and done.stderr.count(b"\n") <= 1, done.stderr
            parse(done.stdout)


def test_memory_does_not_grow_with_events(events):
    one = text_of([event()])
    lines = lines_of([])
    path = events(text_of(lines[:2]) + one * 400000 + text_of(lines[2:]))
    assert path.stat().st_size > 90e6
    for form in ("ldms-json", "ldms-csv"):
        assert peak_kib(BIN / "trikal", "export", "-f", form, path) <= MOST_KIB
