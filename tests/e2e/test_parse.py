"""trikal parse and info: real logs against the original's output, synthetic ones against their source."""

import json
import re
import struct
import subprocess
import sys

import pytest

import derived
import tool
from tool import EXPECTED, GOLDEN, HERE, REAL, data_lines, each, expected, lines, needs_shared, output, run, table

import corpus
import decoder
from ground import text

EXCLUDED = tool.excluded()
EXCEPTIONS = table(HERE / "exceptions.tsv")
GOOD = [name for name, _, _ in corpus.good_logs()]
CUT_SHORT = "edge-last-record-cut-short"  # shown whole, and said to be cut: exit 4

# Lines with numbers in --perf --file output, beside those of the header.
METRICS = re.compile(rb"# (\S+ module data|no module data available\.|total|read_only|write_only|read_write|unique|shared|"
                     rb"total_bytes|unique files|shared files|agg_time_by_slowest|agg_perf_by_slowest)(:|$)")
HEADER = re.compile(rb"# (darshan log version|uid|jobid|start_time(_asci)?|end_time(_asci)?|nprocs|run time|header|"
                    rb"job data|record table): ")


def decoded(log):
    return decoder.decode(log.read_bytes())[0]


def truth(log, counter):
    """Lines of one counter as the independent decoder prints them."""
    return [line for line in text.base_lines(decoded(log), mounts=True) if line.split(b"\t")[3] == counter.encode()]


# ---- real logs: what the original prints

@each(REAL)
def test_base(log):
    found = [line for line in data_lines(output("parse", log)) if not line.startswith(b"APXC\t")]
    kept = [line for line in found if (log.stem, line.split(b"\t")[3].decode()) not in EXCLUDED]
    assert kept == expected(log, "base.tsv")


@each(REAL)
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


@needs_shared
def test_every_exception_is_of_a_log_we_have():
    assert {row["log"] for row in EXCEPTIONS} <= {log.stem for log in REAL}


@each(REAL)
def test_perf_and_file(log):
    wanted = expected(log, "perf.txt")
    found = output("parse", "--perf", "--file", log)
    if wanted is None:  # the original's numbers come from timers it misreads: test_derived_metrics has them
        assert any(name == log.stem for name, _ in EXCLUDED)
        return
    numeric = [line for line in found if METRICS.match(line) or HEADER.match(line)]
    assert numeric == [line for line in wanted if not line.startswith(b"# exe: ")]


@each(REAL)
def test_head(log):
    found = output("info", log)
    titles = (b"# log file regions", b"# ----", b"# mounted file systems", b"# mount entry:")
    assert [line for line in found if line and not line.startswith(titles)] == expected(log, "head.txt")
    mounts = [line.split(b"\t")[1:] for line in found if line.startswith(b"# mount entry:")]
    assert mounts == [[path, kind] for path, kind in decoded(log).mounts]
    assert output("parse", "--total", log)[:len(found)] == found


# ---- right where the original is wrong

@needs_shared
@pytest.mark.parametrize("row", table(EXPECTED / "EXCLUDED.tsv") if EXCLUDED else [],
                         ids=lambda row: "-".join([row["log"], row["counter"]]) if isinstance(row, dict) else None)
def test_excluded_values_are_those_of_the_log(row):
    """Defect 7 of the specification: variances lost, timers of big-endian logs unswapped."""
    log = tool.SHARED / "logs" / f"{row['log']}.darshan"
    wanted = truth(log, row["counter"])
    assert wanted and [line for line in data_lines(output("parse", log))
                       if line.split(b"\t")[3].decode() == row["counter"]] == wanted
    values = [float(line.split(b"\t")[4]) for line in wanted]
    total = {"META_TIME": sum, "MAX_READ_TIME": max, "MAX_WRITE_TIME": max}.get(row["counter"][8:], lambda _: 0)
    shown = [line for line in output("parse", "--total", log) if line.startswith(f"total_{row['counter']}: ".encode())]
    assert len(shown) == 1 and abs(float(shown[0].split()[1]) - total(values)) < 2e-6 * len(values)


@pytest.mark.parametrize("row", EXCEPTIONS, ids=lambda row: row["log"])
@needs_shared
def test_exceptions_follow_from_the_unswapped_timer(row):
    """The size goes with the longest read. With its bytes in the wrong order that time is no positive number, so
    that the original's total keeps 0; in the log it is positive."""
    records = decoded(tool.SHARED / "logs" / f"{row['log']}.darshan").modules[1].records
    assert max(r["counters"]["POSIX_MAX_READ_TIME_SIZE"] for r in records) == int(row["right"])
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
    ("edge-apmpi-with-and-without-sync", "defect 13: which record is a header is told by its magic, not by its place"),
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

@each(GOLDEN)
def test_golden_table(log):
    """Through the golden corpus' own reader of darshan-parser text."""
    shown = run("parse", log)
    maker = tool.SHARED / "golden" / "tools" / "totsv.py"
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


@each(REAL)
def test_derived_metrics(log):
    check_derived(log, decoded(log))


@pytest.mark.parametrize("name", GOOD)
def test_derived_metrics_of_the_corpus(corpus_dir, name):
    log = corpus_dir / f"{name}.darshan"
    check_derived(log, decoded(log), 4 if name == CUT_SHORT else 0)
