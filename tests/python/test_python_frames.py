"""Data are not copied on their way, live as long as somebody uses them, and go when nobody does."""

import ctypes
import gc

import pytest

import package_tree
import trikal
from log_files import ALL, reads_logs
from trikal import _capsule, _replay

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed (scripts/install-deps)")
numpy = pytest.importorskip("numpy")


class Peek(ctypes.Structure):
    """struct ArrowArray, as far as needed."""

    _fields_ = [("numbers", ctypes.c_int64 * 5), ("buffers", ctypes.POINTER(ctypes.c_void_p)), ("children", ctypes.c_void_p)]


def address(array):
    return array.__array_interface__["data"][0]


def test_arrow_and_pandas_share_memory(observed, monkeypatch):
    """The numbers of the frame lie in the buffers of the Arrow table that it came from."""
    pytest.importorskip("pandas")
    table = trikal.open(observed[0])["POSIX"]
    arrow = table.arrow()
    monkeypatch.setattr(table, "arrow", lambda: arrow)
    frame = table.pandas()
    for column in ("POSIX_OPENS", "POSIX_F_READ_TIME", "rank", "record_id"):
        buffer = arrow[column].chunk(0).buffers()[1]
        assert address(frame[column].to_numpy()) == buffer.address
    assert address(table.numpy("POSIX_OPENS")) == arrow["POSIX_OPENS"].chunk(0).buffers()[1].address
    copied = table.pandas(writable=True)
    copied.loc[0, "POSIX_OPENS"] = 7
    assert address(copied["POSIX_OPENS"].to_numpy()) != address(frame["POSIX_OPENS"].to_numpy())


def test_arrow_holds_the_memory_of_the_library(observed):
    """A batch of the stream, looked at before pyarrow takes it over, has the addresses that pyarrow shows."""
    log = trikal.open(observed[0])
    stream = log._open_table("posix", 0, 0)
    get_next = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(stream.get_next)
    get_schema = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(stream.get_schema)
    array, schema = (ctypes.c_uint64 * 10)(), (ctypes.c_uint64 * 9)()
    assert get_schema(ctypes.addressof(stream), ctypes.addressof(schema)) == 0
    assert get_next(ctypes.addressof(stream), ctypes.addressof(array)) == 0
    children = ctypes.cast(Peek.from_buffer(array).children, ctypes.POINTER(ctypes.POINTER(Peek)))
    count = Peek.from_buffer(array).numbers[4]
    theirs = [children[i].contents.buffers[1] for i in range(count)]
    batch = pyarrow.RecordBatch._import_from_c(ctypes.addressof(array), ctypes.addressof(schema))
    assert count > 80 and [batch.column(i).buffers()[1].address for i in range(count)] == theirs
    _capsule.release(stream)


def test_arrow_types_in_pandas(observed):
    pandas = pytest.importorskip("pandas")
    frame = trikal.open(observed[0])["POSIX"].pandas(arrow_dtypes=True)
    assert all(isinstance(kind, pandas.ArrowDtype) for kind in frame.dtypes)


def test_polars_needs_no_pyarrow(observed, monkeypatch):
    pytest.importorskip("polars")
    monkeypatch.setattr(trikal.Table, "arrow", None)
    monkeypatch.setattr(trikal.Table, "batches", None)
    frame = trikal.open(observed[0]).df("POSIX", "polars")
    assert frame["POSIX_BYTES_WRITTEN"].sum() == 4 * 2000 * 64


def test_capsules(observed):
    """A capsule that is taken and one that nobody wants: neither leaves anything behind."""
    log = trikal.open(observed[0])
    before = len(_capsule._alive)
    taken = pyarrow.RecordBatchReader.from_stream(log["POSIX"])
    unwanted = [log["POSIX"].__arrow_c_stream__() for _ in range(3)]
    assert len(_capsule._alive) >= before + 3
    assert taken.read_all().num_rows > 0
    del unwanted, taken
    gc.collect()
    assert len(_capsule._alive) == before


def test_replays(everything):
    """What polars takes, and what it leaves, both go."""
    polars = pytest.importorskip("polars")
    log = trikal.open(everything)
    before = len(_capsule._alive), len(_replay._held)
    unwanted = _replay.Replay(log._open_table("posix", 0, 1), log.path)
    half = pyarrow.RecordBatchReader.from_stream(_replay.Replay(log._open_table("posix", 0, 1), log.path))
    assert len(_replay._held) == before[1] + 2
    batch, frame = half.read_next_batch(), log.dxt().polars()
    del half, unwanted
    gc.collect()
    assert (len(_capsule._alive), len(_replay._held)) == before
    assert batch.num_rows == 1 and batch.to_pylist()[0] == log["posix"].arrow().slice(0, 1).to_pylist()[0]
    assert frame.equals(polars.from_arrow(log.dxt().arrow()))


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_nothing_leaks(everything):
    """Reading again and again does not take more memory."""
    def read(times):
        for _ in range(times):
            log = trikal.open(everything)
            log["POSIX"].arrow()
            log["POSIX"].__arrow_c_stream__()
            _replay.Replay(log._open_table("posix", 0, 1), log.path)
            log.names
        del log
        gc.collect()
    read(30)
    before = resident()
    read(150)
    assert resident() - before < 8 << 20


def test_units_and_help_come_along(observed):
    field = trikal.open(observed[0])["POSIX"].batches().schema.field("POSIX_BYTES_READ")
    assert field.metadata[b"unit"] == b"bytes" and field.metadata[b"help"]


def test_big_tables_come_in_batches(everything):
    table = trikal.open(everything).dxt()
    batches = list(table.batches(rows=2))
    assert len(batches) > 1 and all(batch.num_rows <= 2 for batch in batches)
    assert pyarrow.Table.from_batches(batches).equals(table.arrow().combine_chunks())


@reads_logs
def test_all_logs():
    polars = pytest.importorskip("polars")
    for path in ALL:
        log = trikal.open(path)
        for name in log.tables:
            assert polars.from_arrow(log[name].arrow()).equals(log[name].polars()), (path, name)
        assert not [item for item in log.damage if item.loss]
