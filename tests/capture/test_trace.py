"""A trace has every access where, when and by whom it was; what is not whole says so."""

import collections
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

import pytest

from conftest import ROOT, TRIKAL, Log, rows_of, sections

OPENAT = re.compile(r'openat\(AT_FDCWD\S*, "([^"]*)", ([A-Z_|]+).*\) = (\d+)<')
CALL = re.compile(r"(\w+)\((\d+)<([^>]*)>(?:, (.*))?\)\s+= (-?\d+)$")
READS, WRITES = {"read", "pread64", "readv", "preadv"}, {"write", "pwrite64", "writev", "pwritev"}


def strace_accesses(prefix, folder):
    """{file: {way: [(offset, length, when)]}} of what strace saw below a folder, by each process in its order."""
    found = collections.defaultdict(lambda: {"read": [], "write": []})
    ends, lines = collections.Counter(), []
    for path in sorted(pathlib.Path(prefix).parent.glob(pathlib.Path(prefix).name + ".*")):
        position, appends = {}, set()
        for line in path.read_text().splitlines():
            when, text = line.split(" ", 1)
            if match := OPENAT.search(text):
                position[match[3]] = 0
                appends.discard(match[3])
                if "O_APPEND" in match[2]:
                    appends.add(match[3])
                continue
            match = CALL.search(text)
            if not match or not match[3].startswith(str(folder)) or int(match[5]) < 0:
                continue
            name, descriptor, file, arguments, result = match.groups()
            file, result = pathlib.PurePath(file).name, int(result)
            if name == "lseek":
                position[descriptor] = result
                continue
            way = "read" if name in READS else "write" if name in WRITES else None
            if way is None:
                continue
            if name.startswith("p"):
                offset = int(arguments.rsplit(", ", 1)[1])
            else:
                offset = ends[file] if descriptor in appends else position[descriptor]
                position[descriptor] = offset + result
            if way == "write":
                ends[file] = max(ends[file], offset + result)
            found[file][way].append((offset, result, float(when)))
    return found


def named_rows(path, table):
    """Rows with the name of their file."""
    names = {row["record_id"]: row["name"] for row in rows_of(path, "names")}
    rows = [{**row, "name": names.get(row["record_id" if "record_id" in row else "id"], "")} for row in rows_of(path, table)]
    numbers = ("thread", "events", "kept", "one_of")  # text in JSON, as all that may need 64 bits
    return [{key: int(value) if key in numbers else value for key, value in row.items()} for row in rows]


def segments_of(log, module="posix", path=None):
    """{file: {way: [row]}} in the order of the log"""
    found = collections.defaultdict(lambda: {"read": [], "write": []})
    for row in named_rows(path or log.path, f"dxt_{module}_segments"):
        found[pathlib.PurePath(row["name"]).name][row["direction"]].append(row)
    return found


def test_segments_are_what_strace_saw(program, tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    log = tmp_path / "job.darshan"
    subprocess.run(["strace", "-ff", "-qq", "-ttt", "-y", "-s", "0", "-e", "signal=none", "-e",
                    "trace=openat,lseek," + ",".join(sorted(READS | WRITES)), "-o", tmp_path / "strace",
                    TRIKAL, "run", "--trace", "--quiet", "--log", log, "--", program("trace", "-pthread"), folder],
                   check=True, capture_output=True, timeout=120)
    seen, traced = strace_accesses(tmp_path / "strace", folder), segments_of(None, path=log)
    assert set(seen) == set(traced) == {"mixed", "appended", "child", *(f"thread.{i}" for i in range(4))}
    start = rows_of(log, "job")[0]
    begin = start["start_time_sec"] + 1e-9 * start["start_time_nsec"] if "start_time_sec" in start else None
    for file, ways in seen.items():
        for way, accesses in ways.items():
            ours = traced[file][way]
            assert [(row["offset"], row["length"]) for row in ours] == [access[:2] for access in accesses], (file, way)
            assert all(a["start_time"] <= b["start_time"] for a, b in zip(ours, ours[1:]))
            assert all(row["start_time"] <= row["end_time"] for row in ours)
            for row, (_, _, when) in zip(ours, accesses):
                if begin is not None:  # strace looked between the two
                    assert row["start_time"] - 0.002 <= when - begin <= row["end_time"] + 0.002
    assert len(traced["mixed"]["read"]) > 100 and len(traced["thread.0"]["write"]) == 200
    threads = [{row["thread"] for row in traced[f"thread.{i}"]["write"]} for i in range(4)]
    assert all(len(each) == 1 for each in threads) and len(set.union(*threads)) == 4
    assert 0 not in set.union(*threads)


@pytest.fixture
def traced(program, run, tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    return run(program("trace", "-pthread"), folder, options=["--trace"])[1]


def test_segments_are_what_was_counted(traced):
    found = segments_of(traced)
    counted = {pathlib.PurePath(row["name"]).name: row for row in named_rows(traced.path, "posix")}
    assert len(found) == len(counted) == 7
    for file, ways in found.items():
        for way, calls, size in (("read", "READS", "BYTES_READ"), ("write", "WRITES", "BYTES_WRITTEN")):
            assert len(ways[way]) == counted[file]["POSIX_" + calls], file
            assert sum(row["length"] for row in ways[way]) == counted[file]["POSIX_" + size], file
        ends = [row["offset"] + row["length"] - 1 for row in ways["write"]]
        assert max(ends, default=0) == counted[file]["POSIX_MAX_BYTE_WRITTEN"]
    rows = named_rows(traced.path, "traces")
    assert {row["interface"] for row in rows} >= {"POSIX"}
    assert all(row["events"] == row["kept"] and row["one_of"] == 1 for row in rows)


def test_the_heat_map_is_the_traces(program, run, tmp_path):
    """What had begun by the end of a slice bounds the map's sum up to there from above, what had ended from below."""
    log = run(program("many_writes"), tmp_path / "file", "300000", tmp_path / "other", options=["--trace"])[1]
    segments = [row for ways in segments_of(log).values() for row in ways["write"]]
    bins = [row for row in named_rows(log.path, "heatmap_bins") if row["name"].endswith("POSIX")]
    assert sum(row["length"] for row in segments) == sum(row["write_bytes"] for row in bins)
    so_far, tolerance = 0, 1e-6
    for row in bins:
        so_far += row["write_bytes"]
        edge = row["start_time"] + row["width"]
        begun = sum(segment["length"] for segment in segments if segment["start_time"] < edge + tolerance)
        ended = sum(segment["length"] for segment in segments if segment["end_time"] < edge - tolerance)
        assert ended - len(segments) / 1e3 <= so_far <= begun + len(segments) / 1e3, edge
    assert len([row for row in bins if row["write_bytes"]]) > 1


def test_darshans_tools_read_it(traced):
    pytest.importorskip("darshan")
    script = ("import sys, json, darshan\n"
              "report = darshan.DarshanReport(sys.argv[1], read_all=False)\n"
              "report.mod_read_all_dxt_records('DXT_POSIX')\n"
              "names = report.name_records\n"
              "print(json.dumps({names[r['id']].rsplit('/', 1)[1]: [[[s['offset'], s['length']] for s in r[way]]"
              " for way in ('read_segments', 'write_segments')] for r in report.records['DXT_POSIX'].to_dict()}))")
    done = subprocess.run([sys.executable, "-c", script, traced.path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    read = json.loads(done.stdout.splitlines()[-1])
    assert read == {file: [[[row["offset"], row["length"]] for row in ways[way]] for way in ("read", "write")]
                    for file, ways in segments_of(traced).items()}
    text = subprocess.run([TRIKAL.parent / "darshan-dxt-parser", traced.path], capture_output=True, text=True, check=True)
    assert len([line for line in text.stdout.splitlines() if line.strip().startswith("X_POSIX")]) == sum(
        len(rows) for ways in segments_of(traced).values() for rows in ways.values())
    for tool in filter(None, [os.environ.get("DARSHAN_DXT_PARSER") or shutil.which("darshan-dxt-parser")]):
        original = subprocess.run([tool, traced.path], capture_output=True, text=True)
        assert original.returncode == 0, original.stderr


@pytest.mark.parametrize("variables", [{"TRIKAL_TRACE": "1"}, {"DXT_ENABLE_IO_TRACE": "1"},
                                       {"DARSHAN_MOD_ENABLE": "DXT_POSIX,DXT_MPIIO"}],
                         ids=["ours", "darshans", "module"])
def test_a_process_writes_its_own_trace(program, preload, tmp_path, variables):
    subprocess.run([program("many_writes"), tmp_path / "file", "1000", tmp_path / "other"], check=True,
                   env={**preload, **variables})
    (log,) = (tmp_path / "logs").rglob("*.darshan")
    found = segments_of(None, path=log)
    assert len(found["file"]["write"]) == 1000 and len(found["other"]["write"]) == 10
    assert {row["thread"] for row in found["file"]["write"]} == {1}


def test_calls_without_a_record_are_in_the_trailer(program, preload, run, tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    paths = [run(program("trace_calls"), folder, options=["--trace"])[1].path]
    subprocess.run([program("trace_calls"), folder], check=True, env={**preload, "TRIKAL_TRACE": "1"})
    paths += (tmp_path / "logs").rglob("*.darshan")
    assert len(paths) == 2
    for path in paths:
        rows = [row for row in named_rows(path, "traced_calls") if row["name"].startswith(str(folder))]
        calls = [(pathlib.PurePath(row["name"]).name, row["interface"], row["operation"], row["length"]) for row in rows]
        assert [call[:3] for call in calls] == [
            *[("plain", "POSIX", operation) for operation in ("open", "seek", "stat", "fsync", "close")], ("stream", "STDIO", "fopen"),
            *[("stream", "STDIO", "stream write")] * 3, *[("stream", "STDIO", operation) for operation in ("flush", "fclose")]]
        assert sum(call[3] for call in calls if call[2] == "stream write") == 3000
        times = [time for row in rows for time in (row["start_time"], row["end_time"])]
        assert times == sorted(times) and {row["thread"] for row in rows} == {1}


def test_off_there_is_none(program, preload, run, tmp_path):
    log = run(program("many_writes"), tmp_path / "file", "100", tmp_path / "other")[1]
    assert not {"traces", "segment_threads", "traced_calls"} & set(sections(log.path))
    subprocess.run([program("many_writes"), tmp_path / "file", "100", tmp_path / "other"], check=True,
                   env={**preload, "DXT_ENABLE_IO_TRACE": "1", "TRIKAL_TRACE": "0"})
    (own,) = (tmp_path / "logs").rglob("*.darshan")
    assert "traces" not in sections(own)


def test_a_killed_process_has_its_trace(program, preload, run, tmp_path):
    log = run(program("many_writes"), tmp_path / "file", "5000", tmp_path / "other", str(int(signal.SIGKILL)),
              options=["--trace"])[1]
    assert len(segments_of(log)["file"]["write"]) == 5000
    subprocess.run([program("many_writes"), tmp_path / "file", "5000", tmp_path / "other", str(int(signal.SIGKILL))],
                   env={**preload, "TRIKAL_TRACE": "1"})
    (path,) = (tmp_path / "maps").rglob("*.map")
    (tmp_path / "recovered").mkdir()
    subprocess.run([TRIKAL, "recover", "-o", tmp_path / "recovered", path], check=True, capture_output=True)
    (recovered,) = (tmp_path / "recovered").glob("*.darshan")
    found = segments_of(None, path=recovered)
    assert len(found["file"]["write"]) == 5000
    assert [row["offset"] for row in found["file"]["write"]] == [i * 7919 % 100000 * 8 for i in range(5000)]


def test_what_is_thinned_says_so_first(program, run, tmp_path):
    count = 400_000
    log = run(program("many_writes"), tmp_path / "file", str(count), tmp_path / "other", options=["--trace"],
              env={**os.environ, "TRIKAL_TRACE_MEMORY": "1"})[1]
    rows = {pathlib.PurePath(row["name"]).name: row for row in named_rows(log.path, "traces") if row["name"]}
    whole, thinned = rows["other"], rows["file"]
    assert whole["kept"] == whole["events"] and whole["one_of"] == 1
    assert count <= thinned["events"] <= count + 1 and thinned["kept"] < thinned["events"] and thinned["one_of"] > 1
    found = segments_of(log)
    assert len(found["other"]["write"]) == 10
    kept = found["file"]["write"]
    assert abs(len(kept) - thinned["kept"]) <= 1
    assert count / thinned["one_of"] * 0.9 < len(kept) < count / thinned["one_of"] * 1.1
    order = {i * 7919 % 100000 * 8: i % 100000 for i in range(100000)}
    steps = {(order[b["offset"]] - order[a["offset"]]) % 100000 for a, b in zip(kept, kept[1:])}
    assert steps == {thinned["one_of"] % 100000}, "one of so many, evenly"
    # Counters have all of it, and every tool says so before anything else.
    assert log[tmp_path / "file", "POSIX_WRITES"] == count
    for verb, options in (("summary", []), ("parse", []), ("dxt", [])):
        done = subprocess.run([TRIKAL, verb, *options, log.path], capture_output=True, text=True)
        assert "the trace is not whole" in "".join(done.stdout.splitlines(keepends=True)[:6]) + done.stderr, verb
    page = subprocess.run([TRIKAL, "report", log.path, "-o", "-"], capture_output=True, text=True)
    assert "the trace is not whole" in page.stdout
    strict = subprocess.run([TRIKAL, "dxt", "--strict", log.path], capture_output=True)
    assert strict.returncode != 0


def test_a_million_events_are_kept_whole(program, run, tmp_path):
    count = 1_000_000
    log = run(program("many_writes"), tmp_path / "file", str(count), tmp_path / "other", options=["--trace"])[1]
    rows = named_rows(log.path, "traces")
    assert all(row["kept"] == row["events"] for row in rows)
    listed = subprocess.run([TRIKAL, "dxt", log.path], capture_output=True, text=True, check=True).stdout
    assert f"write_count: {count}," in listed


def test_merged_logs_have_all_traces(program, run, tmp_path):
    paths = []
    for number in range(2):
        log = run(program("many_writes"), tmp_path / f"file.{number}", "100", tmp_path / "other", options=["--trace"])[1]
        paths.append(shutil.move(log.path, tmp_path / f"{number}.darshan"))
    merged = tmp_path / "merged.darshan"
    subprocess.run([TRIKAL, "merge", "-o", merged, *paths], check=True, capture_output=True)
    found = segments_of(None, path=merged)
    assert {name: len(ways["write"]) for name, ways in found.items()} == {"file.0": 100, "file.1": 100, "other": 20}


@pytest.mark.parametrize("spec, kept", [
    ("all,small=0.5", {"small.h5"}), ("all,unaligned=1", {"off.dat"}), ("all,small=.5,unaligned=.5", {"small.h5", "off.dat"}),
    ("all,file=*.h5+*/large.*", {"small.h5", "large.dat"}), ("all,file=*.h5,unaligned=0.5", set()), ("all,rank=1:", set()),
    ("all,from=@1,rank=0+7", {"small.h5", "large.dat", "off.dat"}), ("all,until=@1", set())])
def test_what_a_rule_leaves_out_is_in_no_table(program, run, tmp_path, spec, kept):
    folder = tmp_path / "data"
    folder.mkdir()
    log = run(program("trace_rules"), folder, options=[f"--trace={spec}"])[1]
    have = sections(log.path)
    named = {pathlib.PurePath(row["name"]).name for row in named_rows(log.path, "traces")} if "traces" in have else set()
    found = segments_of(log) if kept else {}
    assert set(found) == named & {"small.h5", "large.dat", "off.dat"} == kept
    assert all(len(ways["write"]) == 20 and len(ways["read"]) == 1 for ways in found.values())
    assert log[folder / "large.dat", "POSIX_WRITES"] == 20, "counters have all"


@pytest.mark.parametrize("setting, kept", [({"DARSHAN_DXT_SMALL_IO_TRIGGER": "0.5"}, {"small.h5"}),
                                           ({"DARSHAN_DXT_UNALIGNED_IO_TRIGGER": ".5"}, {"off.dat"}),
                                           ({"DARSHAN_CONFIG_PATH": "DXT_SMALL_IO_TRIGGER 0.9\n"}, {"small.h5"})],
                         ids=["small", "unaligned", "file"])
def test_darshans_triggers(program, preload, tmp_path, setting, kept):
    if "DARSHAN_CONFIG_PATH" in setting:
        (tmp_path / "darshan.conf").write_text(setting["DARSHAN_CONFIG_PATH"])
        setting = {"DARSHAN_CONFIG_PATH": tmp_path / "darshan.conf"}
    folder = tmp_path / "data"
    folder.mkdir()
    subprocess.run([program("trace_rules"), folder], check=True, env={**preload, "DXT_ENABLE_IO_TRACE": "1", **setting})
    (log,) = (tmp_path / "logs").rglob("*.darshan")
    assert set(segments_of(None, path=log)) == kept


def test_a_rule_that_is_wrong_is_told_before_anything_runs(tmp_path):
    done = subprocess.run([TRIKAL, "run", "--trace=all,small=2", "--", "touch", tmp_path / "ran"], capture_output=True, text=True)
    assert done.returncode == 2 and "small= wants a share from 0 to 1" in done.stderr
    assert not (tmp_path / "ran").exists()
