"""trikal dxt: segments of real, golden and synthetic logs, and the text around them."""

import os
import re
import struct
import subprocess
import sys
import zlib

import pytest

import tool
from log_files import ALL, GOLDEN, SHARED, each, expected
from tool import BIN, lines, output, run

import corpus
import decoder
from encoder import encode
from ground.model import Log, Module

GOOD = corpus.names()
TARGETS = rb"(   (?: \[-?\d+\])*)?$"
THREAD = rb"  (?:(?: \[-?\d+\])+  )?  *(N/A|\d+)$"


def wanted_lines(rows):
    """Rows of a segment table as (record id, host, name, line up to the end time)."""
    for row in rows:
        label, ident, rank, host, way, index, offset, length, start, end, name = row.split(b"\t", 10)
        columns = (label, rank, way, index, offset, length, start, end)
        yield ident, host, name, b"%8s%8s%7s%9s%16s%16s%12s%12s" % columns


def segment_lines(found, ending=TARGETS):
    """The same from a listing."""
    for line in found:
        if line.startswith(b"# DXT, file_id: "):
            ident, name = re.fullmatch(rb"# DXT, file_id: (\d+), file_name: (.*)", line).groups()
        elif line.startswith(b"# DXT, rank: "):
            host = re.fullmatch(rb"# DXT, rank: -?\d+, hostname: (.*)", line).group(1)
        elif line[:8] in (b" X_POSIX", b" X_MPIIO"):
            yield ident, host, name, re.sub(ending, b"", line)


# ---- the segments

@each(ALL)
def test_logs(log):
    wanted = list(wanted_lines(expected(log, "dxt.tsv") or []))
    assert list(segment_lines(output("dxt", log))) == wanted
    assert list(segment_lines(output("dxt", "--threads", log), THREAD)) == wanted


@pytest.mark.parametrize("name", GOOD)
def test_corpus(corpus_dir, name):
    wanted = list(wanted_lines(lines((corpus_dir / f"{name}.dxt.tsv").read_bytes())[:]
                               if (corpus_dir / f"{name}.dxt.tsv").stat().st_size else []))
    log = corpus_dir / f"{name}.darshan"
    assert list(segment_lines(output("dxt", log))) == wanted
    assert list(segment_lines(output("dxt", "--threads", log), THREAD)) == wanted


@each([log for log in GOLDEN if log.name.endswith(".dxt.darshan")], "test_logs has traces of our own")
def test_golden_segments(log):
    """Through the golden corpus' own reader of darshan-dxt-parser text, threads and all."""
    maker = SHARED / "golden" / "tools" / "totsv.py"
    made = subprocess.run([sys.executable, str(maker), "--dxt", "/tmp/g/out"], input=run("dxt", "--threads", log).stdout,
                          capture_output=True, check=True)
    assert lines(made.stdout) == tool.golden_table(log, ".segments.tsv")


@pytest.mark.parametrize("name", ["record-dxt_posix-v2-le", "record-dxt_posix-v2-be",
                                  "record-dxt_mpiio-v3-le", "record-dxt_mpiio-v3-be"])
def test_defect_1_threads_of_records_the_release_rejects(corpus_dir, name):
    """Versions with thread ids came after 3.5.0, whose tools refuse them; the original also leaves the ids of
    foreign logs unswapped."""
    log = corpus_dir / f"{name}.darshan"
    (module,) = decoder.decode(log.read_bytes())[0].modules.values()
    threads = [[segment[4] for segment in record["writes"] + record["reads"]] for record in module.records]
    found = output("dxt", "--threads", log)
    assert [int(line.split()[-1]) for line in found if line[:2] == b" X"] == sum(threads, [])
    counts = [int(line.split()[-1]) for line in found if line.startswith(b"# DXT, number of threads: ")]
    assert counts == [len(set(record)) for record in threads]
    assert any(counts)


# ---- the text

JOB = {"uid": 1, "start_sec": 10, "start_nsec": 0, "end_sec": 11, "end_nsec": 0, "nprocs": 1, "jobid": 7}


def component(start, end, size, osts):
    return {"STRIPE_SIZE": size, "STRIPE_COUNT": len(osts), "STRIPE_PATTERN": 0, "FLAGS": 0, "EXT_START": start,
            "EXT_END": end, "MIRROR_ID": 0, "POOL_NAME": b"", "OST_IDS": osts}


def trace(ident, *segments, reads=()):
    return {"id": ident, "rank": 3, "shared": 0, "host": b"node7", "writes": list(segments), "reads": list(reads)}


def written(path, modules, **more):
    log = Log(job=JOB, text=b"./a\next4\t/data\nlustre\t/lus", names=[(5, b"/lus/f"), (6, b"/data/g")], modules=modules, **more)
    path.write_bytes(encode(log))
    return path


@pytest.fixture
def striped(tmp_path):
    """A file in two Lustre components, traced with and without threads, and one elsewhere."""
    segments = [(0, 100, 0.5, 1.25, 77), (900, 200, 1.5, 2.0, 77), (1500, 4000, 2.0, 2.5, 12345)]
    lustre = {"id": 5, "rank": -1, "components": [component(0, 1000, 1000, [4]), component(1000, -1, 500, [8, 9])]}
    return written(tmp_path / "striped.darshan", {
        8: Module(2, [lustre]),
        10: Module(2, [trace(5, *segments, reads=segments[:1]), trace(6, segments[0])]),
        11: Module(2, [trace(5, (*segments[0][:4], None))])})


def test_the_released_form(striped):
    text = b"\n".join(output("dxt", striped)).split(b"fs type)\n", 1)[1].split(b"\n", 3)[3]
    assert text.decode() == """
# ***************************************************
# DXT_POSIX module data
# ***************************************************

# DXT, file_id: 5, file_name: /lus/f
# DXT, rank: 3, hostname: node7
# DXT, write_count: 3, read_count: 1
# DXT, mnt_pt: /lus, fs_type: lustre
# DXT, Lustre stripe components:
#	[Component 1] stripe_ext: 0 - 1000, stripe_size: 1000, stripe_count: 1, OSTs: 4
#	[Component 2] stripe_ext: 1000 - EOF, stripe_size: 500, stripe_count: 2, OSTs: 8 9
# Module    Rank  Wt/Rd  Segment          Offset       Length    Start(s)      End(s)   [OST]
 X_POSIX       3  write        0               0             100      0.5000      1.2500    [4]
 X_POSIX       3  write        1             900             200      1.5000      2.0000    [4] [8]
 X_POSIX       3  write        2            1500            4000      2.0000      2.5000    [9] [8]
 X_POSIX       3   read        0               0             100      0.5000      1.2500    [4]

# DXT, file_id: 6, file_name: /data/g
# DXT, rank: 3, hostname: node7
# DXT, write_count: 1, read_count: 0
# DXT, mnt_pt: /data, fs_type: ext4
# Module    Rank  Wt/Rd  Segment          Offset       Length    Start(s)      End(s)
 X_POSIX       3  write        0               0             100      0.5000      1.2500{three}

# ***************************************************
# DXT_MPIIO module data
# ***************************************************

# DXT, file_id: 5, file_name: /lus/f
# DXT, rank: 3, hostname: node7
# DXT, write_count: 1, read_count: 0
# DXT, mnt_pt: /lus, fs_type: lustre
# Module    Rank  Wt/Rd  Segment          Offset       Length    Start(s)      End(s)
 X_MPIIO       3  write        0               0             100      0.5000      1.2500""".format(three="   ")


def test_the_form_with_threads(striped):
    found = b"\n".join(output("dxt", "--threads", striped)).decode()
    head = "# Module    Rank  Wt/Rd  Segment          Offset          Length    Start(s)      End(s)"
    assert f"# DXT, number of threads: 2\n# DXT, write_count: 3, read_count: 1\n" in found
    assert f"{head}   [OST]   Pthread-ID\n" in found and f"{head}   Pthread-ID\n" in found
    line = " X_POSIX       3  write        0               0             100      0.5000      1.2500"
    assert f"\n{line}   [4]     77\n" in found, "a file on Lustre"
    assert f"\n{line}     77\n" in found, "a file elsewhere"
    assert "   [9] [8]   12345\n" in found
    assert found.endswith(line.replace("POSIX", "MPIIO") + "   N/A"), "a module that knows no threads"
    assert found.count("# DXT, number of threads: 1\n") == 2


def test_no_trace(tmp_path):
    log = written(tmp_path / "none.darshan", {})
    assert output("dxt", log)[-2:] == [b"", b"# no DXT module data available for this Darshan log."]


# ---- incomplete traces

@pytest.fixture
def partial(tmp_path):
    return written(tmp_path / "partial.darshan", {10: Module(1, [trace(6, (0, 1, 0.1, 0.2, None))])}, partial=1 << 10)


def test_incomplete_traces_are_shown_with_a_warning(partial):
    done = run("dxt", partial)
    assert done.returncode == 0 and b" X_POSIX " in done.stdout and b"# *WARNING*: The DXT_POSIX module" in done.stdout
    assert done.stderr.count(b"\n") == 1 and b"partial.darshan" in done.stderr and b"DXT_POSIX" in done.stderr
    assert run("dxt", "--strict", "--show-incomplete", partial).stdout == done.stdout


def test_the_strict_refuse_incomplete_traces(partial):
    done = run("dxt", "--strict", partial)
    assert done.returncode == 2 and b" X_POSIX " not in done.stdout
    assert done.stderr.count(b"\n") == 1 and b"partial.darshan" in done.stderr and b"incomplete" in done.stderr
