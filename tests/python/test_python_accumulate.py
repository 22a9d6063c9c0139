"""trikal.pydarshan.accumulate_records: what PyDarshan's own gives, for parts of logs too, and errors in one line.

Whole logs, module by module, are compared in test_python_pydarshan.py.
"""

import pickle
import subprocess
import sys

import pytest

pytest.importorskip("pandas", reason="pandas is not installed (scripts/install-deps)")
pytest.importorskip("pyarrow", reason="pyarrow is not installed (scripts/install-deps)")

import package_tree
import numpy
import package
import trikal.pydarshan
from log_files import OWN, REAL, each, needs_shared, reads_logs
from trikal.pydarshan import accumulate_records

from_pydarshan = pytest.mark.skipif(package.bundled() is None, reason="PyDarshan with its own library is not installed")
MODULES = ("POSIX", "MPI-IO", "STDIO", "DFS", "DAOS")
MOST_RECORDS, MOST_FILES = 20000, 10  # a test is to take a moment


def accumulable(path):
    """(module, DataFrames, nprocs) of a log."""
    report = trikal.pydarshan.DarshanReport(path, read_all=False)
    for module in MODULES:
        if module in report.modules:
            report.mod_read_all_records(module)
            if 0 < len(report.records[module]) <= MOST_RECORDS:
                yield module, report.records[module].to_df(), report.metadata["job"]["nprocs"]


def rows(frames, wanted):
    return {kind: frame[wanted] for kind, frame in frames.items()}


def parts(frames):
    """Rows that scripts choose: those of one file, of one rank, and all of them in another order."""
    ids, ranks = frames["counters"]["id"], frames["counters"]["rank"]
    for ident in ids.unique()[:MOST_FILES]:
        yield rows(frames, ids == ident)
    for rank in sorted(ranks.unique())[:3]:
        yield rows(frames, ranks == rank)
    yield {kind: frame[::-1] for kind, frame in frames.items()}


@pytest.fixture(scope="module")
def original():
    if package.bundled() is None:
        pytest.skip("PyDarshan with its own library is not installed")
    import darshan.backend.cffi_backend as backend
    return backend.accumulate_records


def rounded_alike(record, dtypes):
    """The original puts an id of 64 bits and its counters into one array. If one of those is negative they become reals,
    which cannot hold all integers. Ours are integers always."""
    assert record["id"] >= 2**63 or dtypes["rank"] == "int64"
    assert record["counters"].drop(columns="id").dtypes.unique().tolist() == [numpy.dtype("int64")]
    record["counters"] = record["counters"].astype(dtypes)


def same_parts(path, original):
    """How many parts of a log both gave the same for. Both get our DataFrames: what differs is the accumulating."""
    from dump import plain_accumulated
    compared = {}
    for module, frames, nprocs in accumulable(path):
        for part in parts(frames):
            mine, real = accumulate_records(part, module, nprocs), original(part, module, nprocs)
            rounded_alike(mine.summary_record, real.summary_record["counters"].dtypes)
            assert plain_accumulated(mine) == plain_accumulated(real), module
            compared[module] = compared.get(module, 0) + 1
    return compared


@from_pydarshan
@each(OWN + REAL)
def test_parts_of_a_log(log, original):
    same_parts(log, original)


@from_pydarshan
@reads_logs
def test_own_logs_have_something_to_compare(original):
    compared = [same_parts(log, original) for log in OWN]
    for module in ("POSIX", "MPI-IO", "STDIO"):
        assert sum(counts.get(module, 0) for counts in compared) > 10, module


@from_pydarshan
@reads_logs
@needs_shared("tests/logs has POSIX, MPI-IO and STDIO, the logs that are made have DFS and DAOS")
def test_real_logs_have_every_module():
    assert {module for log in REAL for module, *_ in accumulable(log)} == set(MODULES)


@pytest.fixture(scope="module")
def checkpoint():
    return next(log for log in OWN if log.stem == "run-checkpoint")


@pytest.fixture()
def posix(checkpoint):
    return next(accumulable(checkpoint))


@reads_logs
def test_totals_are_those_of_parse(checkpoint):
    totals = package_tree.totals(checkpoint)
    for module, frames, nprocs in accumulable(checkpoint):
        metrics, record = accumulate_records(frames, module, nprocs)
        for kind, convert in (("counters", int), ("fcounters", float)):
            shown = {name: convert(totals[name]) for name in record[kind].columns if name in totals}
            found = {name: record[kind][name].iloc[0] for name in shown}
            assert found == pytest.approx(shown, abs=1e-6) and len(shown) > 10, kind
        assert metrics.total_bytes == int(totals[f"{module}_BYTES_READ"]) + int(totals[f"{module}_BYTES_WRITTEN"])


@from_pydarshan
@reads_logs
def test_shapes(posix, original):
    module, frames, nprocs = posix
    mine, real = accumulate_records(frames, module, nprocs), original(frames, module, nprocs)
    assert mine._fields == real._fields and type(mine).__name__ == type(real).__name__
    names = [name for name in dir(mine.derived_metrics) if not name.startswith("_")]
    assert names == dir(real.derived_metrics)
    assert [type(getattr(mine.derived_metrics, name)) for name in names if name != "category_counters"] == \
        [type(getattr(real.derived_metrics, name)) for name in names if name != "category_counters"]
    categories = mine.derived_metrics.category_counters
    assert len(categories) == len(real.derived_metrics.category_counters) == 7
    assert [name for name in dir(categories[0]) if not name.startswith("_")] == dir(real.derived_metrics.category_counters[0])
    assert {key: type(value) for key, value in mine.summary_record.items()} == \
        {key: type(value) for key, value in real.summary_record.items()}
    for kind in ("counters", "fcounters"):
        assert mine.summary_record[kind].dtypes.to_dict() == real.summary_record[kind].dtypes.to_dict()
        assert list(mine.summary_record[kind].columns) == list(real.summary_record[kind].columns)


@from_pydarshan
@reads_logs
def test_tables_of_pydarshan_take_the_metrics(posix, original):
    accum = pytest.importorskip("darshan.lib.accum")
    module, frames, nprocs = posix
    for table in (accum.log_file_count_summary_table, accum.log_module_overview_table):
        mine, real = (table(one(frames, module, nprocs).derived_metrics, module).df for one in (accumulate_records, original))
        assert mine.equals(real) and len(mine) == 4


@reads_logs
def test_names_of_pydarshan(posix):
    from trikal.pydarshan.backend.cffi_backend import accumulate_records as imported
    assert imported is accumulate_records is trikal.pydarshan.backend.cffi_backend.accumulate_records
    module, frames, nprocs = posix
    result = pickle.loads(pickle.dumps(imported(frames, module, nprocs)))
    assert f"total_bytes={result.derived_metrics.total_bytes}," in repr(result.derived_metrics)
    assert "FileCategory(count=" in repr(result.derived_metrics)


@reads_logs
def test_columns_are_found_by_name(posix):
    """PyDarshan takes them by position: a column too many, or in another order, changes its numbers."""
    module, frames, nprocs = posix
    expected = accumulate_records(frames, module, nprocs)
    moved = {kind: frame[list(frame.columns)[::-1]].assign(note="mine") for kind, frame in frames.items()}
    moved["counters"]["POSIX_OPENS"] = moved["counters"]["POSIX_OPENS"].astype("float64")
    moved["fcounters"] = moved["fcounters"].drop(columns=["id", "rank"])
    found = accumulate_records(moved, module, numpy.int64(nprocs))
    assert repr(found.derived_metrics) == repr(expected.derived_metrics)
    assert all(found.summary_record[kind].equals(expected.summary_record[kind]) for kind in ("counters", "fcounters"))
    assert list(frames["counters"].columns[:2]) == ["rank", "id"]  # nothing of the caller's was changed


def changed(frames, kind, **columns):
    return {**frames, kind: frames[kind].assign(**columns)}


def reads(value):
    return lambda f: (changed(f, "counters", POSIX_READS=value), "POSIX", 9)


NO_INTEGERS = (TypeError, "counters: the column POSIX_READS does not hold integers")
WRONG = {
    "unknown": (lambda f: (f, "GARBAGE", 9), ValueError, "there is no module 'GARBAGE'; records of POSIX, MPI-IO, STDIO"),
    "number": (lambda f: (f, 1, 9), ValueError, "there is no module 1; "),
    "lustre": (lambda f: ({}, "LUSTRE", 9), RuntimeError, "the LUSTRE module does not support derived metrics; POSIX"),
    "h5f": (lambda f: (f, "H5F", 9), RuntimeError, "the H5F module does not support derived metrics"),
    "null": (lambda f: (f, "NULL", 9), RuntimeError, "the NULL module does not support derived metrics"),
    "empty": (lambda f: ({kind: frame[:0] for kind, frame in f.items()}, "POSIX", 9), ValueError, "there are no records"),
    "list": (lambda f: ([], "POSIX", 9), TypeError, r"that to_df\(\) gives, not list"),
    "frame": (lambda f: (f["counters"], "POSIX", 9), TypeError, "not DataFrame"),
    "nothing": (lambda f: ({}, "POSIX", 9), TypeError, "counters are not there"),
    "half": (lambda f: ({"counters": f["counters"]}, "POSIX", 9), TypeError, "fcounters are not there"),
    "array": (lambda f: ({**f, "fcounters": f["fcounters"].to_numpy()}, "POSIX", 9), TypeError, "fcounters are ndarray"),
    "lengths": (lambda f: ({**f, "fcounters": f["fcounters"][1:]}, "POSIX", 9), ValueError,
                "counters are of 9 records, fcounters of 8"),
    "order": (lambda f: ({**f, "fcounters": f["fcounters"][::-1]}, "POSIX", 9), ValueError,
              "not of the same records: their (id|rank) differs"),
    "module": (lambda f: (f, "STDIO", 9), ValueError, "counters have no column STDIO_OPENS"),
    "headless": (lambda f: ({kind: frame.drop(columns="rank") for kind, frame in f.items()}, "POSIX", 9), ValueError,
                 "counters have no column rank"),
    "text": (reads("many"), *NO_INTEGERS),
    "half a read": (reads(0.5), *NO_INTEGERS),
    "nan": (reads(float("nan")), *NO_INTEGERS),
    "too much": (reads(2.0**63), *NO_INTEGERS),
    "real id": (lambda f: (changed(f, "counters", id=1.0), "POSIX", 9), TypeError, "id does not hold integers"),
    "text time": (lambda f: (changed(f, "fcounters", POSIX_F_READ_TIME="long"), "POSIX", 9), TypeError,
                  "fcounters: the column POSIX_F_READ_TIME does not hold numbers"),
    "rank": (lambda f: (f, "POSIX", 8), ValueError, "of rank 8, which a job of 8 processes does not have"),
    "below": (lambda f: (rank_of(f, -2), "POSIX", 9), ValueError, "a record is of rank -2"),
    "no job": (lambda f: (f, "POSIX", 0), ValueError, "nprocs is the number of the job's processes, not 0"),
    "large job": (lambda f: (f, "POSIX", 2**63), ValueError, "nprocs is the number"),
    "real job": (lambda f: (f, "POSIX", 9.0), TypeError, "nprocs is a number of processes, not float"),
}


def rank_of(frames, rank):
    return {kind: frame.assign(rank=rank) for kind, frame in frames.items()}


@reads_logs
@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_accumulated(name, posix, capfd):
    arguments, error, text = WRONG[name]
    with pytest.raises(error, match=text) as raised:
        accumulate_records(*arguments(posix[1]))
    assert "\n" not in str(raised.value)
    assert capfd.readouterr() == ("", "")  # the library would have said it on standard error


@reads_logs
def test_twice_as_many_columns(posix):
    pandas = pytest.importorskip("pandas")
    doubled = {kind: pandas.concat([frame, frame], axis=1) for kind, frame in posix[1].items()}
    with pytest.raises(TypeError, match="id does not hold integers"):
        accumulate_records(doubled, "POSIX", 9)


def run_with_library(folder, log):
    script = ("import trikal.pydarshan as d\n"
              f"frames = d.DarshanReport({str(log)!r}).records['POSIX'].to_df()\n"
              "try:\n    d.accumulate_records(frames, 'POSIX', 9)\n"
              "except ImportError as error:\n    print(error)\n")
    env = {**package.environment(), "TRIKAL_LIB": str(folder), "PYTHONPATH": str(package_tree.ROOT / "python")}
    return subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True).stdout


@reads_logs
def test_without_the_library(checkpoint, tmp_path):
    """Reports work without libdarshan-util; accumulating says what is missing."""
    (tmp_path / "libtrikal-log.so").symlink_to(package_tree.BUILD / "lib" / "libtrikal-log.so")
    assert run_with_library(tmp_path, checkpoint) == \
        f"accumulating records needs libdarshan-util.so, which is not in {tmp_path}, beside libtrikal-log.so\n"
    other = tmp_path / "libdarshan-util.so"
    other.symlink_to(package_tree.BUILD / "lib" / "libtrikal-log.so")
    assert run_with_library(tmp_path, checkpoint) == f"{other} has no accumulators\n"
    other.unlink()
    other.write_text("no library")
    assert run_with_library(tmp_path, checkpoint).startswith(f"cannot load {other}, which accumulating records needs: ")
