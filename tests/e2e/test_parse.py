"""trikal parse and info: logs against what the original prints of them, synthetic ones against their source."""

import json
import re
import struct
import subprocess
import sys

import pytest

import tool
from log_files import ALL, GOLDEN, REAL, SHARED, each, excluded_rows, expected, table, wrong_in_the_original
from tool import HERE, data_lines, lines, output, run

import corpus
import decoder
from ground import derived, text, trailer

EXCLUDED = {(row["log"], row["counter"]) for row in excluded_rows()}
EXCEPTIONS = table(HERE / "exceptions.tsv")
GOOD = corpus.names()
CUT_SHORT = "edge-last-record-cut-short"  # shown whole, and said to be cut: exit 4

# Lines with numbers in --perf --file output, beside those of the header.
METRICS = re.compile(rb"# (\S+ module data|no module data available\.|total|read_only|write_only|read_write|unique|shared|"
                     rb"total_bytes|unique files|shared files|agg_time_by_slowest|agg_perf_by_slowest)(:|$)")
HEADER = re.compile(rb"# (darshan log version|uid|jobid|start_time(_asci)?|end_time(_asci)?|nprocs|run time|header|"
                    rb"job data|record table): ")
TRAILER_TITLE = b"# trailer (what Darshan's format cannot hold; trikal export shows it)"


def decoded(log):
    return decoder.decode(log.read_bytes())[0]


def truth(log, counter):
    """Lines of one counter as the independent decoder prints them."""
    return [line for line in text.base_lines(decoded(log), mounts=True) if line.split(b"\t")[3] == counter.encode()]


# ---- what the original prints

@each(ALL)
def test_base(log):
    kept = [line for line in data_lines(output("parse", log)) if (log.stem, line.split(b"\t")[3].decode()) not in EXCLUDED]
    if log in REAL:  # the original has no printer for APXC
        kept = [line for line in kept if not line.startswith(b"APXC\t")]
    assert kept == expected(log, "base.tsv")


@each(ALL)
def test_total(log):
    """Line by line, but for EXCLUDED.tsv and exceptions.tsv; an exception that is none fails."""
    found = [line for line in output("parse", "--total", log) if line.startswith(b"total_")]
    found = [line for line in found if (log.stem, line.split(b":")[0][6:].decode()) not in EXCLUDED]
    wanted = expected(log, "total.txt")
    for row in (row for row in EXCEPTIONS if row["log"] == log.stem):
        original = f"{row['line']}: {row['expected']}".encode()
        assert row["expected"] != row["right"] and original in wanted, f"{row['line']}: this exception no longer applies"
        wanted[wanted.index(original)] = f"{row['line']}: {row['right']}".encode()
    assert found == wanted


@each(ALL)
def test_perf_and_file(log):
    wanted = expected(log, "perf.txt")
    found = output("parse", "--perf", "--file", log)
    if wanted is None:  # the original's numbers come from timers it misreads: test_derived_metrics has them
        assert any(name == log.stem for name, _ in EXCLUDED)
        return
    numeric = [line for line in found if METRICS.match(line) or HEADER.match(line)]
    assert numeric == [line for line in wanted if not line.startswith(b"# exe: ")]


@each(ALL)
def test_head(log):
    found = output("info", log)
    mounted = found.index(b"# mounted file systems (mount point and fs type)")
    titles = (b"# log file regions", b"# ----")
    assert [line for line in found[:mounted] if line and not line.startswith(titles)] == expected(log, "head.txt")
    mounts = [line.split(b"\t")[1:] for line in found if line.startswith(b"# mount entry:")]
    assert mounts == [[path, kind] for path, kind in decoded(log).mounts]
    sections = trailer.decode(log.read_bytes()) or {}
    behind = found[found.index(TRAILER_TITLE) + 2:] if sections else []
    assert [line.split(b", ")[0] for line in behind] == [f"# {name}: {len(held.rows)} rows".encode()
                                                         for name, held in sections.items()]
    parsed = output("parse", "--total", log)
    warned = decoded(log).version == "3.20"  # lists of common sizes of that release cannot be trusted
    assert parsed[0].startswith(b"# *WARNING*: logs of version 3.20 ") == warned
    at, shown = parsed.index(found[0]), mounted + 2 + len(mounts)
    assert parsed[at:at + shown] == found[:shown] and bool(at) == warned


# ---- right where the original is wrong

@each([log for log in ALL if wrong_in_the_original(log)])
def test_values_that_the_original_gets_wrong_are_those_of_the_log(log):
    """Defect 7 of the specification: variances lost, timers of big-endian logs unswapped."""
    listed, totals = data_lines(output("parse", log)), output("parse", "--total", log)
    for counter in wrong_in_the_original(log):
        wanted = truth(log, counter)
        assert wanted and [line for line in listed if line.split(b"\t")[3].decode() == counter] == wanted
        values = [float(line.split(b"\t")[4]) for line in wanted]
        assert any(values) or log in REAL  # some of those are 0 when printed
        total = {"META_TIME": sum, "MAX_READ_TIME": max, "MAX_WRITE_TIME": max}.get(counter[8:], lambda _: 0)
        shown = [line for line in totals if line.startswith(f"total_{counter}: ".encode())]
        assert len(shown) == 1 and abs(float(shown[0].split()[1]) - total(values)) < 2e-6 * len(values)


@each([log for log in REAL if log.stem in {row["log"] for row in EXCEPTIONS}],
      "exceptions.tsv is about the original's mistakes in some of them")
def test_exceptions_follow_from_the_unswapped_timer(log):
    """The size goes with the longest read. With its bytes in the wrong order that time is no positive number, so
    that the original's total keeps 0; in the log it is positive."""
    records = decoded(log).modules[1].records
    (right,) = [int(row["right"]) for row in EXCEPTIONS if row["log"] == log.stem]
    assert max(r["counters"]["POSIX_MAX_READ_TIME_SIZE"] for r in records) == right
    for record in records:
        seconds = record["counters"]["POSIX_F_MAX_READ_TIME"]
        unswapped = struct.unpack("<d", struct.pack(">d", seconds))[0]
        assert seconds > 0 and not unswapped > 0


def test_defect_5_large_uncompressed_regions(corpus_dir):
    """The original misreads uncompressed regions beyond one mebibyte."""
    check_base(corpus_dir, "edge-region-beyond-one-mebibyte-uncompressed")


@pytest.mark.parametrize("name", ["edge-partial-flags-big-endian", "edge-partial-flags-shifted",
                                  "edge-partial-flags-shifted-once", "edge-partial-flags"])
def test_defect_6_partial_flags_in_either_byte_order(corpus_dir, name):
    """The original does not swap the flags, and drops those beyond 32 bits."""
    wanted = json.loads((corpus_dir / f"{name}.head.json").read_text())["partial"]
    assert wanted
    warned = {line.split()[3] for line in output("parse", corpus_dir / f"{name}.darshan") + output(
        "dxt", corpus_dir / f"{name}.darshan") if line.startswith(b"# *WARNING*: The ")}
    names = corpus.MODULE_NAMES
    assert warned == {names[i].encode() for i in wanted if 0 < i < len(names)}


def test_defect_8_merged_logs_are_complete(corpus_dir):
    """darshan-merge sets the flag of module 0, which holds nothing: no reason to refuse, even for the strict."""
    log = corpus_dir / "edge-partial-flag-of-merged-logs.darshan"
    assert output("parse", "--strict", log) == output("parse", log)
    assert output(log, program="darshan-parser") == output("parse", log)


@pytest.mark.parametrize("name", ["edge-text-without-mounts", "edge-text-without-nul-or-mounts"])
def test_defect_9_the_command_of_a_log_without_mounts(corpus_dir, name):
    wanted = json.loads((corpus_dir / f"{name}.head.json").read_text())["exe"]
    assert wanted and f"# exe: {wanted}".encode() in output("info", corpus_dir / f"{name}.darshan")


@pytest.mark.parametrize("name, why", [
    ("edge-apmpi-with-and-without-sync", "defect 13: which record is a header is told by its magic, not by its position"),
    ("edge-lustre-unused-slots", "a record left without components is a record"),
    ("edge-lustre-many-stripes", "targets stay with their components"),
    ("edge-heatmap-larger-than-the-originals-buffer", "the original refuses records beyond 80 KiB"),
    ("edge-mdhim-server-counts", "the original's library drops all servers but the first"),
    ("edge-module-null-with-records", "module 0 has no handlers: its records are not listed"),
    ("record-daos-v1-be", "uuids are byte strings: the original reverses them in foreign logs"),
    ("record-dfs-v1-be", "uuids are byte strings: the original reverses them in foreign logs"),
    ("record-h5d-v2-be", "the file's id is swapped by its own module's version"),
    ("record-posix-v2-be", "defect 7: a version that lost four values"),
    ("record-posix-v3-le", "defect 7: a version that lost both variances"),
])
def test_right_where_the_original_is_wrong(corpus_dir, name, why):
    assert why
    check_base(corpus_dir, name)


# ---- golden runs

@each(GOLDEN, "test_base has tables of our own")
def test_golden_table(log):
    """Through the golden corpus' own reader of darshan-parser text."""
    shown = run("parse", log)
    maker = SHARED / "golden" / "tools" / "totsv.py"
    made = subprocess.run([sys.executable, str(maker), "/tmp/g/out"], input=shown.stdout, capture_output=True, check=True)
    assert lines(made.stdout) == tool.golden_table(log, ".tsv")


# ---- synthetic logs

def check_base(corpus_dir, name):
    done = run("parse", corpus_dir / f"{name}.darshan")
    assert done.returncode == (4 if name == CUT_SHORT else 0), done.stderr
    wanted = lines((corpus_dir / f"{name}.base.tsv").read_bytes())
    assert data_lines(lines(done.stdout)) == data_lines(wanted)


@pytest.mark.parametrize("name", GOOD)
def test_corpus_base(corpus_dir, name):
    check_base(corpus_dir, name)


@pytest.mark.parametrize("name", GOOD)
def test_corpus_head(corpus_dir, name):
    head = json.loads((corpus_dir / f"{name}.head.json").read_text())
    job = head["job"]
    found = b"\n".join(output("info", corpus_dir / f"{name}.darshan")).decode("utf-8", "surrogateescape")
    pairs = "".join(f"# metadata: {key} = {value}\n" for key, value in head["metadata"])
    clock = r"# {}_time: {}\n# {}_time_asci: .*\n"
    wanted = (re.escape(f"# darshan log version: {head['version']}\n# compression method: {head['codec'].upper()}\n"
                        f"# exe: {head['exe']}\n# uid: {job['uid']}\n# jobid: {job['jobid']}\n")
              + clock.format("start", job["start_sec"], "start") + clock.format("end", job["end_sec"], "end")
              + re.escape(f"# nprocs: {job['nprocs']}\n# run time: {head['runtime']}\n{pairs}\n# log file regions\n"))
    assert re.match(wanted, found), found[:2000]
    mounts = "".join(f"\n# mount entry:\t{path}\t{kind}" for path, kind in head["mounts"])
    assert found.endswith("(mount point and fs type)\n# " + 55 * "-" + mounts)
    shown = dict(re.findall(r"^# (\S+) module: \d+ bytes \(compressed\), ver=(\d+)$", found, re.MULTILINE))
    for module, held in head["modules"].items():
        assert shown[module] == str(held["version"])


# ---- derived metrics

def check_derived(log, source, code=0):
    done = run("parse", "--perf", "--file", log)
    assert done.returncode == code, done.stderr
    shown = [line.decode() for line in lines(done.stdout) if METRICS.match(line) and b"no module data" not in line]
    wanted = []
    for ident, module in sorted(source.modules.items()):
        name = corpus.MODULE_NAMES[ident]
        if name in derived.PREFIX:
            wanted += [f"# {name} module data", *derived.lines(name, module.records)]
    # A module that ran out of memory before its first record has a heading for the warning alone.
    assert [line for line in shown if not line.endswith("module data") or line in wanted] == wanted


@each(ALL)
def test_derived_metrics(log):
    check_derived(log, decoded(log))


@pytest.mark.parametrize("name", GOOD)
def test_derived_metrics_of_the_corpus(corpus_dir, name):
    log = corpus_dir / f"{name}.darshan"
    check_derived(log, decoded(log), 4 if name == CUT_SHORT else 0)
