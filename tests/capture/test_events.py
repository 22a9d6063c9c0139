"""Events (trikal run --events): every call with its time, in rings that are read while the program runs. What was emitted is
what was stored and what was dropped, at every instant."""

import collections
import json
import os
import pathlib
import random
import resource
import shutil
import subprocess
import tempfile
import time

import pytest

from conftest import RUNTIME, TRIKAL, Log

EVENTS = "all"


class Events:
    """The lines of a file of events."""

    def __init__(self, path):
        self.lines = [json.loads(line) for line in path.read_text().splitlines()]
        self.by_type = collections.defaultdict(list)
        for line in self.lines:
            self.by_type[line["type"]].append(line)
        self.events = self.by_type["event"]
        [self.totals] = self.by_type["totals"]
        self.names = {line["file"]: line["name"] for line in self.by_type["file"]}
        check(self)

    def of(self, **wanted):
        return [event for event in self.events if all(event[name] == value for name, value in wanted.items())]

    def name(self, event):
        return self.names[event["file"]]


def check(found):
    """What holds for every file of events."""
    totals = found.totals
    assert totals["emitted"] == totals["stored"] + totals["dropped"]
    assert totals["stored"] == len(found.events)
    causes = sum(totals[f"dropped_{cause}"] for cause in ("ring_full", "without_ring", "without_file"))
    assert totals["dropped"] == causes
    stored = collections.Counter((event["process"], event["thread"]) for event in found.events)
    for line in found.by_type["thread"]:
        assert line["stored"] == stored.pop((line["process"], line["thread"]), 0)
    assert not stored
    assert sum(line["dropped_ring_full"] for line in found.by_type["thread"]) == totals["dropped_ring_full"]
    assert {event["file"] for event in found.events} <= set(found.names), "every file has its name"
    assert {event["process"] for event in found.events} <= {line["process"] for line in found.by_type["process"]}


@pytest.fixture
def observe(tmp_path):
    def run(*command, events=EVENTS, options=(), expect=0, **more):
        path, log = tmp_path / "events.jsonl", tmp_path / "job.darshan"
        done = subprocess.run([TRIKAL, "run", "--force", "--log", log, f"--events={events}", "--events-file", path, *options, "--",
                               *map(str, command)], capture_output=True, text=True, timeout=120, cwd=tmp_path, **more)
        assert done.returncode == expect, done.stderr
        return Events(path), Log(log), done
    return run


def test_every_call_is_an_event(observe, program, tmp_path):
    before = time.time_ns()
    found, log, _ = observe(program("event_calls"), "mixed", tmp_path)
    after = time.time_ns()
    called = collections.Counter((event["interface"], event["operation"], os.path.basename(found.name(event)))
                                 for event in found.events)
    assert called == {("POSIX", "open", "mixed.dat"): 1, ("POSIX", "write", "mixed.dat"): 2, ("POSIX", "read", "mixed.dat"): 1,
                      ("POSIX", "seek", "mixed.dat"): 1, ("POSIX", "fsync", "mixed.dat"): 1, ("POSIX", "stat", "mixed.dat"): 1,
                      ("POSIX", "close", "mixed.dat"): 1, ("STDIO", "fopen", "other.txt"): 1,
                      ("STDIO", "stream write", "other.txt"): 5, ("STDIO", "flush", "other.txt"): 1,
                      ("STDIO", "fclose", "other.txt"): 1, ("POSIX", "rename", "other.txt"): 1,
                      ("POSIX", "remove", "mixed.dat"): 1}
    assert found.totals["dropped"] == 0
    write, behind = found.of(interface="POSIX", operation="write")
    assert (write["offset"], write["length"], behind["offset"], behind["length"]) == (1000, 64, 5, 7)
    [read] = found.of(operation="read")
    assert (read["offset"], read["length"]) == (1010, 32)
    assert [event["offset"] for event in found.of(operation="stream write")] == [0, 12, 24, 36, 48]
    begins = [event["begin"] for event in found.events]
    assert begins == sorted(begins), "one thread"
    for event in found.events:
        assert before <= event["begin"] <= event["begin"] + event["duration"] <= after, "absolute times"
        assert event["duration"] >= 0 and event["rank"] == -1 and event["thread"] == 0
    assert log[tmp_path / "mixed.dat", "POSIX_WRITES"] == 2


def test_details_are_those_of_the_record(observe, program, tmp_path):
    found, _, _ = observe(program("event_calls"), "mixed", tmp_path, events="all,details")
    moved = [event for event in found.events if event["operation"] in ("read", "write")]
    assert [(event["operation"], event["highest_read"], event["highest_written"], event["switches"]) for event in moved] == [
        ("write", 0, 1063, 0), ("read", 1041, 1063, 1), ("write", 1041, 1063, 2)]
    assert [event["flushes"] for event in found.of(operation="flush")] == [1]
    assert {event["flushes"] for event in found.of(operation="stream write")} == {0}


def test_call_sites_are_objects_and_addresses(observe, program, tmp_path):
    binary = program("event_calls")
    found, _, _ = observe(binary, "mixed", tmp_path, options=["--call-sites"])
    objects = {(line["process"], line["object"]): line["path"] for line in found.by_type["object"]}
    for event in found.events:
        assert objects[event["process"], event["object"]] == str(binary) and event["address"] > 0
    lines = {(event["operation"], event["address"]) for event in found.of(interface="POSIX")}
    assert len({address for operation, address in lines if operation == "write"}) == 2, "two call sites"


def test_off_leaves_nothing(program, tmp_path):
    done = subprocess.run([TRIKAL, "run", "--log", tmp_path / "job.darshan", "--events=off", "--", program("event_calls"), "mixed",
                           tmp_path], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0 and not list(tmp_path.glob("*.jsonl")) and "events:" not in done.stderr


def test_the_file_is_named_like_the_log(program, tmp_path):
    command = [TRIKAL, "run", "--log", tmp_path / "job.darshan", "--events", "--", program("event_calls"), "mixed", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0 and "emitted = " in done.stderr
    assert Events(tmp_path / "job.events.jsonl").totals["stored"] == 18
    (tmp_path / "job.darshan").unlink()
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 3 and "job.events.jsonl" in done.stderr, "nothing is replaced unasked"
    assert not (tmp_path / "mixed.dat").exists() and not (tmp_path / "job.darshan").exists(), "and nothing is run"


def test_the_variable_asks_as_well(program, tmp_path):
    command = [TRIKAL, "run", "--log", tmp_path / "job.darshan", "--", program("event_calls"), "mixed", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "TRIKAL_EVENTS": "all,interface=stdio"})
    assert done.returncode == 0
    assert Events(tmp_path / "job.events.jsonl").totals["stored"] == 8
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "TRIKAL_EVENTS": "some"})
    assert done.returncode == 2 and "the level is off, all or 1/N" in done.stderr


@pytest.mark.parametrize("spec", ["some", "1/0", "all,color=red", "all,from=x", "all,memory=0"])
def test_what_is_wrong_is_said(program, tmp_path, spec):
    done = subprocess.run([TRIKAL, "run", f"--events={spec}", "--", program("event_calls"), "mixed", tmp_path], cwd=tmp_path,
                          capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and f"--events={spec}: " in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("spec, kept", [
    ("all,interface=stdio", {"fopen", "stream write", "flush", "fclose"}),
    ("all,operation=*read+seek", {"read", "seek"}),
    ("all,interface=posix,operation=*write", {"write"}),
    ("all,file=*.txt", {"fopen", "stream write", "flush", "fclose", "rename"}),
    ("all,file=*/mixed.*,operation=open", {"open"}),
])
def test_filters(observe, program, tmp_path, spec, kept):
    found, _, _ = observe(program("event_calls"), "mixed", tmp_path, events=spec)
    assert {event["operation"] for event in found.events} == kept
    assert found.totals["emitted"] + found.totals["filtered"] == 18 and found.totals["sampled_out"] == 0


def test_a_window_of_time(observe, program, tmp_path):
    found, _, _ = observe(program("event_calls"), "paced", 1000, tmp_path / "out", events="all,from=0.3,until=0.8")
    writes = found.of(operation="write")
    assert 0 < len(writes) < 900
    assert (writes[-1]["begin"] - writes[0]["begin"]) / 1e9 <= 0.5
    assert found.totals["emitted"] + found.totals["filtered"] == 1001 + (found.totals["filtered"] == 1001)
    none, _, _ = observe(program("event_calls"), "paced", 10, tmp_path / "out", events="all,until=@1000")
    assert not none.events


def test_one_in_n(observe, program, tmp_path):
    found, _, _ = observe(program("event_calls"), "threads", 3, 1000, tmp_path, events="1/10,operation=write")
    assert found.totals["emitted"] == 300 and found.totals["sampled_out"] == 2700
    assert [line["sample"] for line in found.by_type["process"]] == [10]
    for thread in {event["thread"] for event in found.events}:
        offsets = [event["offset"] for event in found.of(thread=thread)]
        assert offsets == list(range(0, 10000, 100)), "every tenth of each thread"


def test_threads_have_rings_of_their_own(observe, program, tmp_path):
    found, log, _ = observe(program("event_calls"), "threads", 8, 20000, tmp_path, events="all,operation=write")
    assert found.totals["emitted"] == 160000
    by_thread = collections.defaultdict(list)
    for event in found.events:
        by_thread[event["thread"], event["file"]].append(event["offset"])
    assert len(by_thread) == 8, "a thread, a file"
    for offsets in by_thread.values():
        assert offsets == sorted(offsets)
        if found.totals["dropped"] == 0:
            assert offsets == list(range(0, 200000, 10))


def test_many_threads_in_bounded_memory(observe, program, tmp_path):
    """One after the other they find rings, or no memory for one; at once, they have one each."""
    for how, events in (("many", "all,operation=write,memory=1"), ("threads", "all,operation=write")):
        found, log, done = observe(program("event_calls"), how, 1000, 10, tmp_path, events=events)
        counted = sum(value for (_, counter), value in log.values.items() if counter == "POSIX_WRITES")
        written = sum(path.stat().st_size for path in tmp_path.glob("thread.*")) if how == "threads" else (tmp_path / "many").stat().st_size
        assert written == 100000
        assert (counted, found.totals["emitted"]) == (10000, 10000), (how, found.totals, done.stderr)
        if found.totals["dropped"] == 0:
            assert len({event["thread"] for event in found.events}) == 1000


def test_a_program_that_cannot_start_leaves_no_events(tmp_path):
    done = subprocess.run([TRIKAL, "run", "--events", "--", tmp_path / "nowhere"], cwd=tmp_path, capture_output=True)
    assert done.returncode == 127 and not list(tmp_path.iterdir()), done.stderr


def test_trees_of_processes(observe, program, tmp_path):
    found, _, _ = observe(program("event_calls"), "forks", 4, 50, tmp_path, events="all,operation=write")
    assert found.totals["emitted"] == 31 * 50 and found.totals["dropped"] == 0 and found.totals["processes"] == 31
    by_process = collections.Counter(event["process"] for event in found.events)
    assert set(by_process.values()) == {50} and len(by_process) == 31


def test_programs_of_one_process(observe, program, tmp_path):
    """What was told before an exec is read, too."""
    found, _, _ = observe(program("event_calls"), "becomes", 100, tmp_path / "out", events="all,operation=write")
    names = collections.Counter((event["process"], os.path.basename(found.name(event))) for event in found.events)
    assert sorted(names.values()) == [7, 100] and {name for _, name in names} == {"out.before", "out"}
    assert sorted(line["generation"] for line in found.by_type["process"]) == [0, 1]
    assert len({line["pid"] for line in found.by_type["process"]}) == 1


def test_many_short_processes(observe, program, tmp_path):
    binary = program("event_calls")
    found, _, _ = observe("bash", "-c", f"for i in $(seq 300); do {binary} writes 3 {tmp_path}/$i; done",
                          events="all,file=*/[!a-z]*+*,operation=write")
    by_file = collections.Counter(found.name(event) for event in found.events)
    assert sum(by_file[str(tmp_path / str(i))] for i in range(1, 301)) == 900


def left_behind():
    """Directories of runs that are over; others may be under way."""
    return {path for path in pathlib.Path("/dev/shm").glob("trikal-run-*")
            if path.name.split("-")[2].isdigit() and not pathlib.Path("/proc", path.name.split("-")[2]).exists()}


@pytest.mark.parametrize("part", range(5))
def test_a_killed_process_leaves_every_event(observe, program, tmp_path, part):
    """At ten random instants each: the counters know one write that the events lack, at most, and the file two."""
    random.seed(part)
    before = left_behind()
    for attempt in range(10):
        out = tmp_path / f"out.{attempt}"
        script = f"{program('event_calls')} endless {out} & sleep {random.uniform(0, 0.15):.4f}; kill -9 $!; wait $!"
        found, log, _ = observe("bash", "-c", script, events=f"all,operation=write,file={out}", expect=137)
        written = out.stat().st_size // 10 if out.exists() else 0
        assert 0 <= written - log[out, "POSIX_WRITES"] <= 1
        assert 0 <= log[out, "POSIX_WRITES"] - found.totals["emitted"] <= 1
        if found.totals["dropped"] == 0:
            assert [event["offset"] for event in found.events] == list(range(0, 10 * len(found.events), 10))
    assert left_behind() <= before


def start_without_reader(program, tmp_path, *command, events="all", **more):
    """A run's directory that nobody reads: its path and the process."""
    directory = tmp_path / "maps"
    directory.mkdir(mode=0o700)
    environment = {**os.environ, "LD_PRELOAD": str(RUNTIME), "TRIKAL_RUN_DIRECTORY": str(directory), "TRIKAL_EVENTS": events,
                   "TRIKAL_EXCLUDE": "none"}
    return directory, subprocess.Popen([program("event_calls"), *map(str, command)], env=environment, **more)


def ring_counts(path):
    """What a ring file says of itself, by offsets: [(head, dropped, tail, slots)] and events without a ring"""
    data = path.read_bytes()
    number = lambda at, size=8: int.from_bytes(data[at:at + size], "little")
    at, used, rings = number(12, 4), number(16), []
    while at < used:
        rings.append((number(at), number(at + 8), number(at + 64), number(at + 132, 4)))
        at += number(at + 140, 4)
    return rings


@pytest.fixture
def shared(tmp_path_factory):
    folder = pathlib.Path(tempfile.mkdtemp(dir="/dev/shm"))
    yield folder
    shutil.rmtree(folder)


def test_a_full_ring_drops_and_counts(program, shared):
    directory, process = start_without_reader(program, shared, "writes", 400000, shared / "out", events="all,operation=write")
    assert process.wait(timeout=60) == 0
    assert (shared / "out").stat().st_size == 4000000, "the application is unharmed"
    [path] = directory.glob("*.ring")
    assert path.stat().st_mode & 0o777 == 0o600
    rings = ring_counts(path)
    assert [slots for _, _, _, slots in rings] == [256, 2048, 16384, 131072], "one thread, four sizes"
    assert [head for head, _, _, _ in rings] == [256, 2048, 16384, 131072]
    assert sum(head + dropped for head, dropped, _, _ in rings) == 400000


def test_a_small_memory_drops_and_counts(program, shared):
    directory, process = start_without_reader(program, shared, "threads", 100, 1000, shared, events="all,operation=write,memory=1")
    assert process.wait(timeout=60) == 0
    [path] = directory.glob("*.ring")
    assert path.stat().st_size <= 1 << 20
    data = path.read_bytes()
    from_header = int.from_bytes(data[OFFSET_WITHOUT_RING:OFFSET_WITHOUT_RING + 8], "little")
    assert sum(head + dropped for head, dropped, _, _ in ring_counts(path)) + from_header == 100000


OFFSET_WITHOUT_RING = 16 + 8 + 8 + 48 + 8  # docs/formats/events.md


def test_a_limit_on_file_sizes_is_kept(program, shared):
    """SIGXFSZ would end the application."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 1024, 64 * 1024))
    directory, process = start_without_reader(program, shared, "writes", 5000, shared / "out", preexec_fn=limit)
    assert process.wait(timeout=60) == 0
    assert all(path.stat().st_size <= 64 * 1024 for path in directory.iterdir())


def test_damaged_rings_are_refused_with_a_line(program, tmp_path):
    """A ring that the program spoils itself: the rest of the run is as ever."""
    script = (f"{program('event_calls')} writes 100 {tmp_path}/good; "
              f"f=$TRIKAL_RUN_DIRECTORY/7-7-0.ring; head -c 9000 /dev/urandom > $f; chmod 600 $f; sleep 0.2")
    log, path = tmp_path / "job.darshan", tmp_path / "events.jsonl"
    done = subprocess.run([TRIKAL, "run", "--log", log, "--events=all", "--events-file", path, "--", "bash", "-c", script],
                          capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert done.returncode == 0 and "7-7-0.ring" in done.stderr and "no file of event rings" in done.stderr
    found = Events(path)
    assert len([event for event in found.events if found.name(event) == str(tmp_path / "good")]) == 101
    assert found.totals["files_refused"] == 1


def test_cut_rings_are_refused(program, tmp_path):
    script = (f"{program('event_calls')} paced 2000 {tmp_path}/out & sleep 0.5; "
              "for f in $TRIKAL_RUN_DIRECTORY/*.ring; do truncate -s 5000 $f; done; sleep 0.2; kill %1; wait")
    done = subprocess.run([TRIKAL, "run", "--log", tmp_path / "job.darshan", "--events=all", "--", "bash", "-c", script],
                          capture_output=True, text=True, cwd=tmp_path, timeout=60)
    # The program itself is ended by its own deed; the run goes on, and says what it could not read.
    assert done.returncode >= 0 and "was cut" in done.stderr


def test_heat_maps_have_the_same_bytes(observe, program, tmp_path):
    """The way that data takes to the heat map is another one while every event is heard."""
    _, log, _ = observe(program("event_calls"), "paced", 300, tmp_path / "out", events="all,operation=write")
    text = subprocess.run([TRIKAL, "parse", log.path], capture_output=True, text=True, check=True).stdout
    written = sum(int(fields[4]) for fields in (line.split("\t") for line in text.splitlines())
                  if len(fields) > 5 and fields[0] == "HEATMAP" and "POSIX" in fields[5] and fields[3].startswith("HEATMAP_WRITE_BIN"))
    assert written == 3000
