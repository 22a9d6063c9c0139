"""Events in the store (trikal watch --events): emitted = stored + dropped, exactly, whoever is killed and when."""

import glob
import json
import os
import random
import re
import signal
import subprocess
import time

import pytest

from conftest import TRIKAL, sql

BYTES = 10  # of each write of event_calls
FULL = os.environ.get("TRIKAL_FULL") == "1"


def watch(tmp_path, *command, events="all", options=(), **more):
    return subprocess.run([TRIKAL, "watch", "--log", tmp_path / "w.darshan", f"--events={events}", *options, "--", *map(str, command)],
                          capture_output=True, text=True, timeout=120, **more)


def counted(store):
    """The sums of the store's counts, after what must hold for every store."""
    counts = sql(store, "SELECT * FROM event_counts")
    stored = sql(store, "SELECT process, thread, count(*) AS n, count(DISTINCT sequence) AS distinct_n FROM events GROUP BY 1, 2")
    assert all(row["n"] == row["distinct_n"] for row in stored), "no event is stored twice"
    rows = {(row["process"], row["thread"]): row["n"] for row in stored}
    for count in counts:
        assert count["emitted"] == count["stored"] + count["dropped"]
        assert count["dropped"] == count["ring_full"] + count["without_ring"] + count["without_file"]
        assert count["stored"] == rows.pop((count["process"], count["thread"]), 0)
    assert not rows
    return {name: sum(count[name] for count in counts) for name in ("emitted", "stored", "dropped", "sampled_out", "filtered")}


def said(text):
    """emitted, stored and dropped as the last lines of watch have them."""
    [line] = re.findall(r"events: (\S+) \((\d+) emitted = (\d+) stored \+ (\d+) dropped\)", text)
    return tuple(map(int, line[1:]))


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.005)


def test_every_call_is_stored(tmp_path, program):
    before = time.time()
    done = watch(tmp_path, program("event_calls"), "mixed", tmp_path, options=["--call-sites"])
    after = time.time()
    assert done.returncode == 0, done.stderr
    store = tmp_path / "w.sqlite"
    rows = sql(store, "SELECT interface, operation, count(*) AS n, sum(length) AS bytes FROM events GROUP BY 1, 2 ORDER BY 1, 2")
    assert [tuple(row.values()) for row in rows] == [
        ("POSIX", "close", 1, 0), ("POSIX", "fsync", 1, 0), ("POSIX", "open", 1, 0), ("POSIX", "read", 1, 32),
        ("POSIX", "remove", 1, 0), ("POSIX", "rename", 1, 0), ("POSIX", "seek", 1, 0), ("POSIX", "stat", 1, 0),
        ("POSIX", "write", 2, 71), ("STDIO", "fclose", 1, 0), ("STDIO", "flush", 1, 0), ("STDIO", "fopen", 1, 0),
        ("STDIO", "stream write", 5, 60)]
    assert counted(store)["dropped"] == 0 and said(done.stderr) == (18, 18, 0)
    for row in sql(store, "SELECT * FROM events"):
        assert before <= row["time"] <= row["time"] + row["duration"] <= after
        assert row["pid"] > 0 and row["rank"] == -1 and row["object"].endswith("event_calls-cc") and row["address"] > 0
        assert row["file"] in (str(tmp_path / "mixed.dat"), str(tmp_path / "other.txt"))
        assert row["begin_ns"] / 1e9 == row["time"] and row["duration_ns"] / 1e9 == row["duration"]
    rows = sql(store, "SELECT offset, length FROM events WHERE operation = 'write' AND run = 1 ORDER BY sequence")
    assert [tuple(row.values()) for row in rows] == [(1000, 64), (5, 7)]
    assert sql(store, "SELECT count(*) AS n FROM events JOIN runs USING (run) WHERE command LIKE '%mixed%'") == [{"n": 18}]


def test_details_and_filters(tmp_path, program):
    assert watch(tmp_path, program("event_calls"), "mixed", tmp_path, events="all,details,interface=posix").returncode == 0
    rows = sql(tmp_path / "w.sqlite", "SELECT operation, highest_read, highest_written, switches FROM event_details "
                                      "WHERE operation IN ('read', 'write') ORDER BY sequence")
    assert [tuple(row.values()) for row in rows] == [("write", 0, 1063, 0), ("read", 1041, 1063, 1), ("write", 1041, 1063, 2)]
    assert counted(tmp_path / "w.sqlite") == {"emitted": 10, "stored": 10, "dropped": 0, "sampled_out": 0, "filtered": 8}


def test_without_events_there_are_none(tmp_path, program):
    done = subprocess.run([TRIKAL, "watch", "--log", tmp_path / "w.darshan", "--", program("event_calls"), "mixed", tmp_path],
                          capture_output=True, text=True)
    assert done.returncode == 0 and "events:" not in done.stderr
    assert sql(tmp_path / "w.sqlite", "SELECT * FROM events") == sql(tmp_path / "w.sqlite", "SELECT * FROM event_counts") == []
    done = watch(tmp_path, program("event_calls"), "mixed", tmp_path, events="some")
    assert done.returncode == 2 and "the level is off, all or 1/N" in done.stderr


@pytest.mark.parametrize("events, threads, count", [("all", 4, 20_000), ("all,memory=1", 8, 20_000), ("1/7", 2, 5_000)])
def test_threads_are_counted_exactly(tmp_path, program, events, threads, count):
    """Also with rings that are much too small: what is not stored was dropped, thread by thread."""
    (tmp_path / "data").mkdir()
    done = watch(tmp_path, program("event_calls"), "threads", threads, count, tmp_path / "data", events=events)
    assert done.returncode == 0, done.stderr
    store = tmp_path / "w.sqlite"
    sums = counted(store)
    assert said(done.stderr) == (sums["emitted"], sums["stored"], sums["dropped"])
    assert sums["emitted"] + sums["sampled_out"] == threads * (count + 2)  # open and close
    if "memory" in events:
        assert sums["dropped"] > 0
    writes = sql(store, "SELECT count(*) AS n, sum(length) AS bytes FROM events WHERE operation = 'write'")[0]
    assert writes["bytes"] == BYTES * writes["n"] <= BYTES * threads * count
    if events == "all" and sums["dropped"] == 0:
        assert writes["n"] == threads * count


def test_processes_that_fork_and_become_others(tmp_path, program):
    (tmp_path / "data").mkdir()
    assert watch(tmp_path, program("event_calls"), "forks", 3, 200, tmp_path / "data").returncode == 0
    sums = counted(tmp_path / "w.sqlite")
    assert sums["emitted"] == 15 * 202
    assert len(sql(tmp_path / "w.sqlite", "SELECT DISTINCT pid FROM event_counts")) == 15
    again = tmp_path / "again"
    again.mkdir()
    assert watch(again, program("event_calls"), "becomes", 300, again / "f").returncode == 0
    assert counted(again / "w.sqlite")["emitted"] == 300 + 1 + 7 + 1


def test_many_short_processes(tmp_path):
    (tmp_path / "input").write_bytes(bytes(2000))
    script = "i=0; while [ $i -lt 150 ]; do head -c 1000 input > f; i=$((i+1)); done"
    done = watch(tmp_path, "sh", "-c", script, cwd=tmp_path)
    assert done.returncode == 0
    counted(tmp_path / "w.sqlite")
    rows = sql(tmp_path / "w.sqlite", "SELECT count(DISTINCT pid) AS n FROM events WHERE file LIKE '%/input' AND operation = 'read'")
    assert rows == [{"n": 150}], "also of processes that were gone before their map was looked at"


@pytest.fixture
def endless(tmp_path, program):
    """Starts a program that writes until it is killed, under watch; answers with both."""
    children = []

    def start():
        data = tmp_path / "f"
        watcher = subprocess.Popen([TRIKAL, "watch", "--store", tmp_path / "w.sqlite", "--log", tmp_path / "w.darshan", "--events", "--",
                                    program("event_calls"), "endless", data], stderr=subprocess.PIPE, text=True)
        wait_for(lambda: data.exists() and data.stat().st_size > 0)
        [child] = subprocess.run(["pgrep", "-P", str(watcher.pid)], capture_output=True, check=True).stdout.split()
        children.append(int(child))
        return watcher, int(child)
    yield start
    for child in children:
        try:
            os.kill(child, signal.SIGKILL)
        except ProcessLookupError:
            pass


@pytest.mark.parametrize("seed", range(50 if FULL else 4))
def test_application_that_is_killed(tmp_path, endless, seed):
    running, child = endless()
    time.sleep(random.Random(seed).uniform(0, 0.6))
    os.kill(child, signal.SIGKILL)
    text = running.communicate(timeout=60)[1]
    assert running.returncode == -signal.SIGKILL
    sums = counted(tmp_path / "w.sqlite")
    assert said(text) == (sums["emitted"], sums["stored"], sums["dropped"])
    # The open is one; the call in flight may have written without having been told.
    assert 0 <= (tmp_path / "f").stat().st_size // BYTES - (sums["emitted"] - 1) <= 1


@pytest.mark.parametrize("seed", range(2 if FULL else 1))
def test_watch_that_is_killed_again_and_again(tmp_path, endless, alone, seed):
    """Random instants, 50 in all (TRIKAL_FULL=1). The application goes on; each next watch repeats no event and misses none."""
    data, store, chance = tmp_path / "f", tmp_path / "w.sqlite", random.Random(seed)
    watcher, child = endless()
    first = watcher.pid
    for _ in range(25 if FULL else 8):
        time.sleep(chance.uniform(0, 0.2))
        watcher.kill()
        watcher.wait()
        assert os.path.exists(f"/proc/{child}"), "the application is unharmed"
        watcher = subprocess.Popen([TRIKAL, "watch", "--store", store, str(child)], stderr=subprocess.PIPE, text=True)
    wait_for(lambda: "running" in str(sql(store, "SELECT state FROM processes")))
    before = sql(store, "SELECT sum(stored) AS n FROM event_counts")[0]["n"]  # the writer is at work: one question, one answer
    os.kill(child, signal.SIGKILL)
    text = watcher.communicate(timeout=60)[1]
    assert watcher.returncode == 0, text
    for left in glob.glob(f"/dev/shm/trikal-run-{first}-*"):
        assert not glob.glob(left + "/*.ring"), "read to their end"
        subprocess.run([TRIKAL, "recover", "-o", tmp_path, left], capture_output=True, cwd=tmp_path, check=True)
    sums = counted(store)
    assert sums["stored"] >= before > 0
    assert 0 <= data.stat().st_size // BYTES - (sums["emitted"] - 1) <= 1


def test_rings_that_are_left_are_taken_over(tmp_path, endless, alone):
    """Both are killed, the application last: what is in its rings is stored by whoever comes next."""
    data, store = tmp_path / "f", tmp_path / "w.sqlite"
    first, child = endless()
    time.sleep(0.3)
    first.kill()
    first.wait()
    time.sleep(0.2)
    os.kill(child, signal.SIGKILL)
    time.sleep(0.1)
    done = subprocess.run([TRIKAL, "watch", "--all", "--seconds", "1", "--store", store], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    for left in glob.glob(f"/dev/shm/trikal-run-{first.pid}-*"):
        assert not glob.glob(left + "/*.ring")
        subprocess.run([TRIKAL, "recover", "-o", tmp_path, left], capture_output=True, cwd=tmp_path, check=True)
    where = f"WHERE pid = {child}"
    emitted, stored = sql(store, f"SELECT sum(emitted) AS e, sum(stored) AS s FROM event_counts {where}")[0].values()
    assert sql(store, f"SELECT count(*) AS n FROM events {where}") == [{"n": stored}]
    assert 0 <= data.stat().st_size // BYTES - (emitted - 1) <= 1


def test_store_that_fails_is_counted(tmp_path, program):
    """Nothing can be stored: the program runs, and every event is said to be dropped."""
    (tmp_path / "data").mkdir()
    (tmp_path / "store").mkdir()
    done = watch(tmp_path, program("event_calls"), "threads", 2, 1000, tmp_path / "data", options=["--store", tmp_path / "store"])
    assert done.returncode == 0 and "nothing more is stored" in done.stderr
    assert said(done.stderr) == (2004, 0, 2004)


def test_screen_says_what_became_of_events(tmp_path, program):
    done = watch(tmp_path, program("event_calls"), "paced", "1500", tmp_path / "f", options=["--text"])
    lines = re.findall(r"events ([\d,]+) emitted = ([\d,]+) stored \+ 0 dropped", done.stderr)
    assert len(lines) >= 1 and lines[-1][0] == lines[-1][1] != "0"


def test_damaged_chunk_is_named(tmp_path, program):
    assert watch(tmp_path, program("event_calls"), "mixed", tmp_path).returncode == 0
    store = tmp_path / "w.sqlite"
    subprocess.run(["python3", "-c", "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); "
                                     "d.execute(\"UPDATE event_chunk SET data = x'0011'\"); d.commit()", store], check=True)
    done = subprocess.run([TRIKAL, "sql", store, "SELECT * FROM events"], capture_output=True, text=True)
    assert done.returncode == 4 or done.returncode == 1, done
    assert re.search(r"event chunk \d+ is damaged", done.stderr) and len(done.stderr.splitlines()) == 1
    assert json.loads(subprocess.run([TRIKAL, "sql", "--json", store, "SELECT stored FROM event_counts"], capture_output=True,
                                     check=True).stdout) == [{"stored": 18}]
