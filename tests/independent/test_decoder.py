"""The decoder against the original's own tables, against the specification's, and against logs with expected text."""

import ctypes
import gzip
import pathlib
import re
import sys

import pytest

import decoder
from ground import fixed, folds, shown, text
from ground.model import header_size
from ground.tables import (APMPI_INTS, APMPI_TIMES, APXC_COUNTERS, COUNTERS, CURRENT, LUSTRE_COMP)

REPO = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPO / "tests" / name) for name in ("support", "pydarshan")]
import package  # noqa: E402  behind the path
from log_files import ALL, GOLDEN, REAL, SHARED, each, expected, reads_logs, wrong_in_the_original  # noqa: E402

SPEC = SHARED / "spec" / "darshan-modules.md"


def original_names(array, last):
    """A table of names in the library that PyDarshan brings along; `last` stands behind the others."""
    names = ctypes.cast(ctypes.addressof(ctypes.c_char_p.in_dll(ctypes.CDLL(str(package.bundled())), array)),
                        ctypes.POINTER(ctypes.c_char_p))
    found = []
    while not found or found[-1] != last:
        found.append(names[len(found)].decode())
        assert len(found) < 1000, f"{array} does not end"
    return found[:-1]


@pytest.mark.skipif(package.bundled() is None, reason="PyDarshan with its own library is not installed")
@pytest.mark.parametrize("module", COUNTERS)
def test_counter_names_are_the_originals(module):
    prefix = folds.prefix_of(module)
    ints, floats = COUNTERS[module]
    assert ints == original_names(f"{prefix.lower()}_counter_names", f"{prefix}_NUM_INDICES")
    assert floats == original_names(f"{prefix.lower()}_f_counter_names", f"{prefix}_F_NUM_INDICES")


@pytest.mark.skipif(package.bundled() is None, reason="PyDarshan with its own library is not installed")
def test_names_of_lustre_components_are_the_originals():
    assert [f"LUSTRE_COMP_{name}" for name in LUSTRE_COMP] == original_names("lustre_comp_counter_names",
                                                                            "LUSTRE_COMP_NUM_INDICES")


def spec_tables():
    """module -> [(index, offset, name)] as the specification's counter tables give them."""
    tables = {}
    for part in re.split(r"^## ", SPEC.read_text(), flags=re.M)[1:]:
        rows = re.findall(r"^\| ([cf]\d+) \| (\d+) \| (\w+) \|", part, flags=re.M)
        tables[part.split(" ")[0]] = [(index, int(offset), name) for index, offset, name in rows]
    return tables


@reads_logs
@pytest.mark.skipif(not SPEC.exists(), reason=f"no specification at {SPEC}; PyDarshan's library has the names, too")
def test_tables_of_the_specification():
    for module in (module for module in COUNTERS if module != "NULL"):
        ints, floats = COUNTERS[module]
        first = 24 if module in ("H5D", "PNETCDF_VAR") else 16
        mine = [(f"c{i}", first + 8 * i, name) for i, name in enumerate(ints)]
        mine += [(f"f{i}", first + 8 * (len(ints) + i), name) for i, name in enumerate(floats)]
        assert mine == spec_tables()[module]
    rows = re.findall(r"^\| \d+ \| (MPI_\w+) \| (full|count) \| (\d+) \| (\d+) \|", SPEC.read_text(), flags=re.M)
    assert len(rows) == 74
    for op, kind, first, first_time in rows:
        assert APMPI_INTS[int(first)] == f"{op}_CALL_COUNT"
        assert APMPI_TIMES[int(first_time)] == f"{op}_TOTAL_TIME"
        if kind == "full":
            assert APMPI_INTS[int(first) + 7] == f"{op}_MSG_SIZE_AGG_1M_PLUS"


def test_tables_of_autoperf():
    """Their lengths; PyDarshan's tests compare the names, by what its package finds in a log."""
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


def without(lines, counters):
    return [line for line in lines if re.split(rb"[\t:]", line.removeprefix(b"total_"))[0].decode() not in counters]


@each(ALL)
def test_what_the_original_prints(log):
    """Every table that stands beside the log, line by line, but for what the original gets wrong in it."""
    data = log.read_bytes()
    found, damage, _ = decoder.decode(data)
    assert not damage
    gone = wrong_in_the_original(log) if log in REAL else set()
    if "POSIX_F_MAX_READ_TIME" in gone:
        gone = gone | {"POSIX_MAX_READ_TIME_SIZE"}  # which goes with it in totals
    mine = shown.tables(found, data)
    base = mine.pop("base.tsv")
    # The original has no printer for APXC.
    base = [line for line in base if log not in REAL or not line.startswith(b"APXC\t")]
    wrong = {counter.encode() for counter in gone if counter != "POSIX_MAX_READ_TIME_SIZE"}
    assert [line for line in base if line.split(b"\t")[3] not in wrong] == expected(log, "base.tsv")
    assert without(mine.pop("total.txt"), gone) == without(expected(log, "total.txt"), gone)
    for kind, lines in mine.items():
        wanted = expected(log, kind)
        if wanted is None:
            assert kind == "perf.txt" and "POSIX_F_META_TIME" in gone  # made from wrong times: not kept
        else:
            assert lines == [line for line in wanted if kind != "perf.txt" or not line.startswith(b"# exe: ")]
    assert ("dxt.tsv" in mine) == (expected(log, "dxt.tsv") is not None)


def golden_rows(log, suffix, columns):
    """The leading columns of a table that stands beside a golden log, plain or packed."""
    plain, packed = log.with_name(f"{log.stem}{suffix}"), log.with_name(f"{log.stem}{suffix}.gz")
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


@each(GOLDEN, "test_what_the_original_prints has tables of our own")
def test_golden_log(log):
    found, damage, _ = decoder.decode(log.read_bytes())
    assert not damage
    # Names are rewritten in these tables; everything before the name column must agree.
    mine = [line.split(b"\t")[:5] for line in text.base_lines(found)]
    assert mine == golden_rows(log, ".tsv", 5)
    if log.stem.endswith(".dxt"):
        assert list(segment_rows(found)) == golden_rows(log, ".segments.tsv", 10)
