"""Messages of the LDMS Darshan connector from a store: the same as those that are published while a program runs."""

import json
import os
import sqlite3
import subprocess
import sys

import pytest

from conftest import ROOT, TRIKAL, sql

sys.path.insert(0, str(ROOT / "tests" / "support"))
import connector

JOB = 12345678901234  # more than 32 bits
TIMES = ("start", "dur", "total", "timestamp")


def environment(**more):
    return {**{name: value for name, value in os.environ.items() if not name.startswith("DARSHAN_LDMS")}, "SLURM_JOB_ID": str(JOB), **more}


def run(folder, *arguments, verb, expect=0):
    done = subprocess.run([TRIKAL, verb, "--log", folder / f"{verb}.darshan", "--force", *arguments], capture_output=True, timeout=120,
                          cwd=folder, env=environment())
    assert done.returncode == expect, done.stderr
    return done


def watch(folder, *command, events="all,details", options=()):
    run(folder, "--no-page", f"--events={events}", *options, "--", *command, verb="watch")
    return folder / "watch.sqlite"


def without_times(raw):
    messages = connector.parse_json(raw)
    for message in messages:
        for segment in message["seg"]:
            for name in TIMES:
                assert segment.pop(name, 1) > 0, name
    return messages


def export(store, *options, form="ldms-json", expect=0):
    done = subprocess.run([TRIKAL, "export", "-f", form, *options, store], capture_output=True, timeout=60, env=environment())
    assert done.returncode == expect, done.stderr
    return done


@pytest.mark.parametrize("dialect", connector.DIALECTS)
def test_as_published_while_it_runs(tmp_path, program, dialect):
    """Field by field, but for the times of two runs."""
    command = [program("event_calls"), "mixed", tmp_path]
    published = tmp_path / "published"
    run(tmp_path, "--publish", f"file:{published}", "--dialect", dialect, "--", *command, verb="run")
    store = watch(tmp_path, *command)
    found = without_times(export(store, "--dialect", dialect).stdout)
    assert found == without_times(published.read_bytes())
    assert {message["job_id"] for message in found} == {JOB}
    assert {message["exe"] for message in found} == {str(command[0]), "N/A"}


@pytest.mark.parametrize("events", ["all,details", "all"])
def test_as_the_specification_says(tmp_path, program, events):
    found = connector.check_export(TRIKAL, watch(tmp_path, program("event_calls"), "mixed", tmp_path, events=events))
    assert len(found) == 12 and {message["ProducerName"] for message in found} == {os.uname().nodename}
    assert {message["uid"] for message in found} == {os.getuid()}


def test_processes_and_threads_are_counted_apart(tmp_path, program):
    assert len(connector.check_export(TRIKAL, watch(tmp_path, program("event_calls"), "forks", "3", "20", tmp_path))) > 100
    found = connector.check_export(TRIKAL, watch(tmp_path, program("event_calls"), "threads", "4", "50", tmp_path,
                                                 options=["--store", tmp_path / "other.sqlite"]).with_name("other.sqlite"))
    assert len(found) == 4 * 52


def test_a_thread_is_in_its_order_in_large_stores(tmp_path, program):
    """Chunks and the pieces that came before and after them."""
    store = watch(tmp_path, program("event_calls"), "threads", "3", "30000", tmp_path)
    found = connector.parse_json(export(store, "--dialect", "current").stdout)
    writes = {}
    for message in found:
        if message["op"] == "write":
            writes.setdefault(message["record_id"], []).append((message["cnt"], message["seg"][0]["off"]))
    dropped = sql(store, "SELECT sum(dropped) AS n FROM event_counts")[0]["n"]
    assert len(writes) == 3 and sum(map(len, writes.values())) + dropped >= 90_000
    for of_thread in writes.values():
        assert [count for count, _ in of_thread] == list(range(1, len(of_thread) + 1))
        assert of_thread == sorted(of_thread, key=lambda write: write[1])


def test_hostile_names(tmp_path, program):
    folder = tmp_path / "files"
    folder.mkdir()
    names = [os.fsencode(folder / name) for name in ('quo"te', "line\nbreak", "comma,;", "grüße", "<b>{}[]:'")] + [
        os.fsencode(folder) + b"/not utf-8 \xff\xfe\x80", os.fsencode(folder) + b"/not utf-8 \xff\xfd\x80"]
    script = 'program=$1; shift; for file; do "$program" writes 2 "$file" || exit 1; done'
    store = watch(tmp_path, "sh", "-c", script, "sh", program("event_calls"), *names)
    for dialect in connector.DIALECTS:
        found = connector.parse_json(export(store, "--dialect", dialect).stdout)
        assert set(names) <= {os.fsencode(message["file"]) for message in found if message["op"] == "open"}
    rows = connector.parse_csv(export(store, form="ldms-csv").stdout)
    assert set(names) <= {os.fsencode(row[4]) for row in rows}


def test_one_run_of_several(tmp_path, program):
    for _ in range(2):
        store = watch(tmp_path, program("event_calls"), "writes", "5", tmp_path / "f")
    runs = [row["run"] for row in sql(store, "SELECT DISTINCT run FROM events ORDER BY 1")]
    assert len(runs) == 2
    each = [export(store, "--run", str(run)).stdout for run in runs]
    assert each[0] != each[1] and sorted(b"".join(each).splitlines()) == sorted(export(f"sqlite:{store}").stdout.splitlines())
    assert b"there is no run 99" in export(store, "--run", "99", expect=2).stderr
    assert b"for a store" in export("/dev/null", "--run", "1", expect=2).stderr


def test_what_is_missing_is_said(tmp_path, program):
    store = watch(tmp_path, program("event_calls"), "writes", "1000", tmp_path / "f", events="1/10,details")
    sampled_out = sql(store, "SELECT sum(sampled_out) AS n FROM event_counts")[0]["n"]
    done = export(store)
    assert sampled_out > 800 and f"0 events were dropped, {sampled_out} not sampled".encode() in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_what_an_earlier_store_did_not_keep_is_unknown(tmp_path, program):
    """Rows of before version 4, as the upgrade leaves them."""
    store = watch(tmp_path, program("event_calls"), "writes", "5", tmp_path / "f")
    before = connector.parse_json(export(store).stdout)
    database = sqlite3.connect(store)
    database.execute("UPDATE process SET uid = NULL, job = NULL, program = NULL")
    database.commit()
    database.close()
    for message in before:
        message.update(uid=-1, job_id=-1, exe="N/A")
    assert connector.parse_json(export(store).stdout) == before


def test_damaged_chunk(tmp_path, program):
    store = watch(tmp_path, program("event_calls"), "writes", "5", tmp_path / "f")
    database = sqlite3.connect(store)
    database.execute("UPDATE event_chunk SET data = x'0011'")
    database.commit()
    database.close()
    for options in ([], ["--salvage"]):
        done = export(store, "-o", tmp_path / "out", *options, expect=4)
        assert done.stderr.count(b"\n") == 1 and b"event chunk" in done.stderr and b"is damaged" in done.stderr
        assert (tmp_path / "out").exists() == bool(options)


def test_while_watch_still_writes(tmp_path, program):
    running = subprocess.Popen([TRIKAL, "watch", "--log", tmp_path / "w.darshan", "--no-page", "--events=all,details", "--",
                                program("event_calls"), "endless", tmp_path / "f"], stderr=subprocess.DEVNULL, env=environment())
    try:
        store, count = tmp_path / "w.sqlite", 0
        while count < 100:
            if store.exists():
                done = subprocess.run([TRIKAL, "export", "-f", "ldms-json", store], capture_output=True, timeout=60, env=environment())
                count = len([json.loads(line) for line in done.stdout.splitlines()])
            assert running.poll() is None
    finally:
        [child] = subprocess.run(["pgrep", "-P", str(running.pid)], capture_output=True, check=True).stdout.split()
        os.kill(int(child), 9)
        running.wait(60)
