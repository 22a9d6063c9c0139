"""A Python program with nothing but ctypes and pyarrow finds in logs what the independent decoder finds."""

import gc
import struct

import pytest

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed (scripts/install-deps)")

import corpus
import decoder
import export_read
import trikal_ctypes as trikal
from export_truth import Truth, table_name
from ground.tables import MODULE_NAMES
from log_files import ALL, each

NAMES = corpus.names()
EVERYTHING = "edge-every-module"
OWN = {"modules", "columns", "damage"}  # tables the decoder knows nothing of


@pytest.fixture(scope="module")
def library(installation):
    return trikal.load(installation.library)


@pytest.fixture
def everything(corpus_dir):
    return corpus_dir / f"{EVERYTHING}.darshan"


def decoded(path):
    return decoder.decode(path.read_bytes())[0]


def comparable(value):
    return struct.pack(">d", value) if isinstance(value, float) and value == value else str(value)


def check_records(library, path):
    log, source = trikal.Log(library, path), decoded(path)
    tables = Truth(source).tables
    assert [module.id for module in log.modules() if module.readable] == sorted(source.modules)
    for module in log.modules():
        if not module.readable:
            continue
        rows = tables[table_name(MODULE_NAMES[module.id])]
        found = list(log.records(module))
        assert [(ident, rank) for ident, rank, _ in found] == [(row["record_id"], row["rank"]) for row in rows]
        for (_, _, values), row in zip(found, rows):
            assert values and {name: comparable(value) for name, value in values.items()} == {
                name: comparable(row[name]) for name in values}
    log.close()


def check_tables(library, path):
    log, truth = trikal.Log(library, path), Truth(decoded(path), path.read_bytes()).tables
    names = log.tables()
    assert {name for name, rows in truth.items() if rows} <= set(names)
    for name in names:
        table = log.table(name)
        table.validate(full=True)
        if name in OWN:
            continue
        rows = truth.get(name, [])
        assert table.num_rows == len(rows)
        for column, values in table.to_pydict().items():
            wanted = [row[column].decode("utf-8", "replace") if isinstance(row[column], bytes) else row[column]
                      for row in rows]
            assert list(map(export_read.bits, values)) == list(map(export_read.bits, wanted)), (name, column)
    log.close()


@pytest.mark.parametrize("name", NAMES)
def test_corpus(name, library, corpus_dir):
    check_records(library, corpus_dir / f"{name}.darshan")
    check_tables(library, corpus_dir / f"{name}.darshan")


@each(ALL, argument="path")
def test_logs(path, library):
    check_records(library, path)
    check_tables(library, path)


def test_batches_one_by_one(library, everything):
    """pyarrow takes each batch over: it outlives the stream, the log and the next batch."""
    log = trikal.Log(library, everything)
    whole = log.table("dxt_posix_segments")
    batches = list(log.batches("dxt_posix_segments", rows=3))
    log.close()
    gc.collect()
    assert len(batches) == -(-whole.num_rows // 3) > 1 and all(len(batch) <= 3 for batch in batches)
    assert [row for batch in batches for row in batch.to_pylist()] == whole.to_pylist()


def test_types(library, everything):
    schema = trikal.Log(library, everything).table("posix").schema
    kinds = {"record_id": pyarrow.uint64(), "rank": pyarrow.int64(), "name": pyarrow.utf8(),
             "POSIX_OPENS": pyarrow.int64(), "POSIX_F_READ_TIME": pyarrow.float64()}
    assert {name: schema.field(name).type for name in kinds} == kinds
    assert schema.field("name").nullable and not schema.field("POSIX_OPENS").nullable


def test_without_names(library, everything):
    log = trikal.Log(library, everything)
    assert "name" in log.table("stdio").schema.names and "name" not in log.table("stdio", flags=1).schema.names


def test_a_log_in_memory(library, everything):
    data = bytearray(everything.read_bytes())
    log = trikal.Log(library, bytes(data))
    del data
    gc.collect()
    assert log.table("posix").equals(trikal.Log(library, everything).table("posix"))


def test_errors(library, everything, tmp_path):
    with pytest.raises(trikal.TrikalError) as none:
        trikal.Log(library, tmp_path / "not-there")
    assert none.value.code == 1 and none.value.offset is None and "\n" not in str(none.value)
    with pytest.raises(trikal.TrikalError) as cut:
        trikal.Log(library, everything.read_bytes()[:700])
    assert cut.value.code in (4, 5) and str(cut.value)
    with pytest.raises(trikal.TrikalError) as missing:
        trikal.Log(library, everything).table("no_such_table")
    assert missing.value.code == 8 and "table" in str(missing.value)


def test_no_handles(library):
    """NULL is closed by doing nothing and has nothing in it."""
    library.trikal_close(None)
    library.trikal_close_records(None)
    assert library.trikal_module_count(None) == 0 and library.trikal_table_count(None) == 0
    assert library.trikal_value_count(63) == 0
    assert library.trikal_abi_version() == 1 and library.trikal_version().count(b".") == 2
