"""The decoder against the specification's tables and against real logs with expected text."""

import gzip
import os
import pathlib
import re

import pytest

import decoder
from ground import fixed, text
from ground.model import header_size
from ground.tables import (APMPI_INTS, APMPI_TIMES, APXC_COUNTERS, COUNTERS, CURRENT,
                           MODULE_NAMES)

REPO = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("TRIKAL_SHARED", REPO.parent / "shared"))
LOGS = sorted((SHARED / "logs").glob("*.darshan"))
SPEC = SHARED / "spec" / "darshan-modules.md"

needs_spec = pytest.mark.skipif(not SPEC.exists(), reason=f"no specification at {SPEC}")
needs_logs = pytest.mark.skipif(not LOGS, reason=f"no logs in {SHARED / 'logs'}")


def spec_tables():
    """module -> [(index, offset, name)] as the specification's counter tables give them."""
    tables = {}
    for part in re.split(r"^## ", SPEC.read_text(), flags=re.M)[1:]:
        rows = re.findall(r"^\| ([cf]\d+) \| (\d+) \| (\w+) \|", part, flags=re.M)
        tables[part.split(" ")[0]] = [(index, int(offset), name) for index, offset, name in rows]
    return tables


@needs_spec
@pytest.mark.parametrize("module", [m for m in COUNTERS if m != "NULL"])
def test_counter_tables(module):
    ints, floats = COUNTERS[module]
    first = 24 if module in ("H5D", "PNETCDF_VAR") else 16
    mine = [(f"c{i}", first + 8 * i, name) for i, name in enumerate(ints)]
    mine += [(f"f{i}", first + 8 * (len(ints) + i), name) for i, name in enumerate(floats)]
    assert mine == spec_tables()[module]


@needs_spec
def test_apmpi_table():
    rows = re.findall(r"^\| \d+ \| (MPI_\w+) \| (full|count) \| (\d+) \| (\d+) \|",
                      SPEC.read_text(), flags=re.M)
    assert len(rows) == 74
    for op, kind, first, first_time in rows:
        assert APMPI_INTS[int(first)] == f"{op}_CALL_COUNT"
        assert APMPI_TIMES[int(first_time)] == f"{op}_TOTAL_TIME"
        if kind == "full":
            assert APMPI_INTS[int(first) + 7] == f"{op}_MSG_SIZE_AGG_1M_PLUS"
    assert (len(APMPI_INTS), len(APMPI_TIMES), len(APXC_COUNTERS)) == (396, 222, 392)


SIZES = {
    "NULL": [48], "POSIX": [680, 648, 664, 704], "MPI-IO": [544, 544, 560], "H5F": [40, 56, 80],
    "H5D": [904, 912], "PNETCDF_FILE": [48, 64, 152], "PNETCDF_VAR": [1120], "BG/Q": [120, 112],
    "STDIO": [240, 248], "DFS": [584], "DAOS": [696],
}


@pytest.mark.parametrize("module", fixed.FIXED)
def test_record_sizes(module):
    versions = range(1, CURRENT[module] + 1)
    assert [fixed.record_struct(module, v, ">").size for v in versions] == SIZES[module]


def test_header_sizes():
    assert [header_size(minor) for minor in (0, 10, 20, 21, 41)] == [360] * 4 + [1328]


def expected(log, kind):
    path = SHARED / "logs" / "expected" / f"{log.stem}.{kind}.tsv.gz"
    return gzip.decompress(path.read_bytes()).splitlines() if path.exists() else []


def excluded(log):
    rows = (SHARED / "logs" / "expected" / "EXCLUDED.tsv").read_text().splitlines()[1:]
    cells = [row.split("\t") for row in rows]
    return {counter.encode() for name, counter, _ in cells if name == log.stem}


@needs_logs
@pytest.mark.parametrize("log", LOGS, ids=[path.stem for path in LOGS])
def test_real_log(log):
    found, damage, _ = decoder.decode(log.read_bytes())
    assert not damage
    gone = excluded(log)
    # The original has no printer for APXC; its records are checked by the corpus instead.
    mine = [line for line in text.base_lines(found, mounts=True)
            if line.split(b"\t")[3] not in gone and not line.startswith(b"APXC\t")]
    assert mine == expected(log, "base")
    assert list(text.dxt_lines(found)) == expected(log, "dxt")


@needs_logs
@pytest.mark.parametrize("log", LOGS, ids=[path.stem for path in LOGS])
def test_real_log_head(log):
    found, _, header = decoder.decode(log.read_bytes())
    path = SHARED / "logs" / "expected" / f"{log.stem}.head.txt.gz"
    wanted = gzip.decompress(path.read_bytes()).splitlines()
    job = found.job
    mine = [f"# darshan log version: {found.version}".encode(),
            b"# compression method: " + [b"ZLIB", b"BZIP2", b"NONE"][found.codec],
            b"# exe: " + found.exe]
    mine += [f"# {label}: {job[field]}".encode() for label, field in (
        ("uid", "uid"), ("jobid", "jobid"), ("start_time", "start_sec"), ("end_time", "end_sec"),
        ("nprocs", "nprocs"))]
    mine += [f"# run time: {found.runtime:.4f}".encode()]
    mine += [b"# metadata: %s = %s" % pair for pair in found.meta_pairs()]
    mine += [f"# record table: {header.name_map[1]} bytes (compressed)".encode()]
    mine += [f"# {MODULE_NAMES[i]} module: {header.mod_map[i][1]} bytes (compressed), "
             f"ver={header.mod_ver[i]}".encode()
             for i in sorted(header.mod_map) if header.mod_map[i][1]]
    skipped = (b"# start_time_asci", b"# end_time_asci", b"# header:", b"# job data:")
    assert mine == [line for line in wanted if not line.startswith(skipped)]


GOLDEN = SHARED / "golden" / "runs"
RUNS = sorted(GOLDEN.glob("*.darshan"))


def golden_rows(stem, columns):
    """The leading columns of a table that stands beside a golden log, plain or packed."""
    plain, packed = GOLDEN / f"{stem}.tsv", GOLDEN / f"{stem}.tsv.gz"
    raw = plain.read_bytes() if plain.exists() else gzip.decompress(packed.read_bytes())
    return [row.split(b"\t")[:columns] for row in raw.split(b"\n")[:-1]]


def segment_rows(log):
    for ident, label in ((10, b"X_POSIX"), (11, b"X_MPIIO")):
        for record in log.modules[ident].records if ident in log.modules else []:
            for way in ("writes", "reads"):
                for i, (offset, length, start, end, thread) in enumerate(record[way]):
                    yield [label, b"%d" % record["rank"], b"%d" % record["id"], way[:-1].encode(),
                           b"%d" % i, b"%d" % offset, b"%d" % length, text.number(start, 4),
                           text.number(end, 4), b"%d" % thread]


@pytest.mark.skipif(not RUNS, reason=f"no logs in {GOLDEN}")
@pytest.mark.parametrize("run", RUNS, ids=[path.stem for path in RUNS])
def test_golden_log(run):
    found, damage, _ = decoder.decode(run.read_bytes())
    assert not damage
    # Names are rewritten in these tables; everything before the name column must agree.
    mine = [line.split(b"\t")[:5] for line in text.base_lines(found)]
    assert mine == golden_rows(run.stem, 5)
    if run.stem.endswith(".dxt"):
        assert list(segment_rows(found)) == golden_rows(f"{run.stem}.segments", 10)
