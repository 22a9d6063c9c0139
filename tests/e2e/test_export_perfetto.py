"""export --format perfetto: every segment of a trace is one event, in lanes where nothing overlaps."""

import collections
import json
import math

import pytest

from log_files import ALL, GOLDEN, each
from tool import run

import corpus
import decoder
from ground.tables import MODULE_NAMES

TRACES = ("DXT_POSIX", "DXT_MPIIO")
ALL_RANKS = 0x7FFFFFFF
CENTURY = 4.6e9  # seconds; times are cut there
EXACT = 2**53  # nanoseconds, more than three months: beyond, microseconds as reals are a little coarse
GOOD = corpus.names()


def nanoseconds(seconds):
    if math.isnan(seconds):
        return 0
    nanos = max(-CENTURY, min(CENTURY, seconds)) * 1e9
    return int(math.copysign(math.floor(abs(nanos) + 0.5), nanos))


def clean(text):
    return text.decode("utf-8", "replace")


def decoded(path):
    return decoder.decode(path.read_bytes())[0]


def modules(log):
    return {MODULE_NAMES[ident]: module.records for ident, module in log.modules.items()}


def process(rank):
    return ALL_RANKS if rank < 0 else rank & ALL_RANKS


def segments(log):
    """What the events must be, as a multiset."""
    found = collections.Counter()
    for name, records in modules(log).items():
        for record in records if name in TRACES else []:
            file = clean(log.name_table.get(record["id"]) or b"(no name)")
            for way in ("write", "read"):
                for offset, length, start, end, _ in record[way + "s"]:
                    begin = nanoseconds(start)
                    found[name, process(record["rank"]), way, offset, length, float(begin) / 1000,
                          float(max(0, nanoseconds(end) - begin)) / 1000, file] += 1
    return found


def export(log, *more):
    done = run("export", "--format", "perfetto", *more, log)
    assert done.returncode in (0, 4), done.stderr
    document = json.loads(done.stdout)
    assert set(document) == {"displayTimeUnit", "traceEvents"}
    return document["traceEvents"]


def as_nanoseconds(microseconds):
    return round(microseconds * 1000)


def check_trace(path):
    """Gives the number of lanes."""
    events = export(path)
    drawn = [event for event in events if event["ph"] == "X"]
    found = collections.Counter(
        (event["cat"], event["pid"], event["name"], event["args"]["offset"], event["args"]["length"],
         event["ts"], event["dur"], event["args"]["file"]) for event in drawn)
    assert found == segments(decoded(path))
    assert {event["ph"] for event in events} <= {"X", "M"}
    check_lanes(events, drawn)
    return len({(event["pid"], event["tid"]) for event in drawn})


def check_lanes(events, drawn):
    """Each lane has a name, is of one file and direction, and its events follow one another in time."""
    named = {(event["pid"], event["tid"]): event["args"]["name"] for event in events
             if event["ph"] == "M" and event["name"] == "thread_name"}
    ranks = {event["pid"] for event in events if event["ph"] == "M" and event["name"] == "process_name"}
    free, kinds = {}, {}
    for event in drawn:
        lane = event["pid"], event["tid"]
        begin = as_nanoseconds(event["ts"])
        coarse = 2048 if begin > EXACT or free.get(lane, 0) > EXACT else 0
        assert begin >= free.get(lane, begin) - coarse, f"overlap in lane {lane}"
        free[lane] = begin + as_nanoseconds(event["dur"])
        kind = f"{event['cat']} {event['name']} {event['args']['file']}"
        assert kinds.setdefault(lane, kind) == kind and named[lane].startswith(kind)
    assert {lane[0] for lane in free} <= ranks


def is_traced(path):
    return any(name in TRACES for name in modules(decoded(path)))


def traced(paths):
    return [path for path in paths if is_traced(path)]


@each(traced(ALL + GOLDEN))
def test_traces(log):
    check_trace(log)


def test_a_trace_of_our_own(tmp_path):
    """Calls of several processes and files, as the runtime kept them."""
    log = tmp_path / "own.darshan"
    script = f"cd {tmp_path}; for i in 1 2 3; do dd if=/dev/zero of=file.$i bs=1000 count=50; dd if=file.$i of=copy bs=777 conv=notrunc; done"
    done = run("run", "--trace", "--log", str(log), "--", "sh", "-c", script)
    assert done.returncode == 0, done.stderr
    events = [event for event in export(log) if event["ph"] == "X" and event["args"]["file"] == str(tmp_path / "file.2")]
    assert [(event["args"]["offset"], event["args"]["length"]) for event in events if event["name"] == "write"] == [
        (1000 * i, 1000) for i in range(50)]
    assert sum(event["args"]["length"] for event in events if event["name"] == "read") == 50_000
    assert check_trace(log) >= 8


@pytest.mark.parametrize("name", [name for name, log, _ in corpus.good_logs()
                                  if any(MODULE_NAMES[i] in TRACES for i in log.modules if i < len(MODULE_NAMES))])
def test_corpus_traces(name, corpus_dir):
    """Any times at all: those that would overlap are in lanes of their own."""
    assert check_trace(corpus_dir / f"{name}.darshan") > 0


def bins(log):
    """(process, record, begin) -> (read, written) of every slice in which something happened."""
    found = {}
    for record in modules(log).get("HEATMAP", []):
        name = clean(log.name_table.get(record["id"]) or b"(no name)")
        for i, (written, read) in enumerate(zip(record["writes"], record["reads"])):
            if read or written:
                found[process(record["rank"]), name, nanoseconds(i * record["bin_width"])] = (read, written)
    return found


def slices(log, events):
    """The same from the counters: a value holds until the next one."""
    steps = collections.defaultdict(list)
    for event in events:
        if event["ph"] == "C":
            steps[event["pid"], event["name"]].append((as_nanoseconds(event["ts"]), event["args"]))
    found = {}
    for record in modules(log).get("HEATMAP", []):
        key = process(record["rank"]), clean(log.name_table.get(record["id"]) or b"(no name)")
        times = [when for when, _ in steps[key]]
        assert times == sorted(times)
        for i in range(len(record["writes"])):
            begin = nanoseconds(i * record["bin_width"])
            held = [args for when, args in steps[key] if when <= begin]
            if held and (held[-1]["read"] or held[-1]["write"]):
                found[(*key, begin)] = (held[-1]["read"], held[-1]["write"])
    return found


@each([path for path in ALL + GOLDEN if not is_traced(path) and "HEATMAP" in modules(decoded(path))])
def test_heatmaps_where_there_is_no_trace(log):
    source = decoded(log)
    assert slices(source, export(log)) == bins(source) != {}


def test_nothing_to_draw(corpus_dir):
    done = run("export", "--format", "perfetto", corpus_dir / "record-stdio-v2-le.darshan")
    assert done.returncode != 0 and done.stdout == b""
    assert done.stderr.count(b"\n") == 1 and b"neither a trace" in done.stderr


def test_one_module_of_two(corpus_dir):
    log = corpus_dir / "edge-every-module.darshan"
    for module in TRACES:
        assert {event["cat"] for event in export(log, "--modules", module) if event["ph"] == "X"} == {module}
