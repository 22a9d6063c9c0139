"""trikal export: every format holds the values of the independent decoder, and the same as every other."""

import json
import math

import pytest

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed (scripts/install-deps)")

import corpus
import decoder
import export_read as read
from export_truth import Truth
from ground import expect
from log_files import ALL, GOLDEN, each, some

GOOD = {name: (log, physical) for name, log, physical in corpus.good_logs()}
OWN = {"modules", "columns", "damage"}  # tables the decoder knows nothing of
DAMAGED = {"edge-last-record-cut-short"}  # told on standard error and by the exit code


def same(value):
    return value


def clean(value):
    """As formats that are Unicode have it."""
    return value.decode("utf-8", "replace").encode() if isinstance(value, bytes) else value


def in_csv(value):
    return None if value == b"" else value


def in_json(value):
    return None if isinstance(value, float) and not math.isfinite(value) else value


def in_sqlite(value):
    if isinstance(value, float):
        return None if math.isnan(value) else value + 0.0  # it has no negative zero
    return clean(value)


def comparable(columns, change):
    """Rows in columns; names by id, since SQLite keeps them in the order of their key."""
    values = {name: [read.bits(change(value)) for value in column] for name, column in columns.items()}
    if list(values)[:2] == ["record_id", "name"]:
        order = sorted(range(len(values["record_id"])), key=values["record_id"].__getitem__)
        values = {name: [column[i] for i in order] for name, column in values.items()}
    return values


def assert_same(found, truth, change):
    """`truth` is {table: [row, ...]}. A table without rows need not be in it."""
    for name, columns in found.items():
        rows = truth.get(name, [])
        wanted = {column: [row[column] for row in rows] for column in columns}
        if rows:
            assert set(columns) == set(rows[0]), name
        ours, theirs = comparable(columns, same), comparable(wanted, change)
        for column, values in ours.items():
            assert values == theirs[column], f"{name}.{column}"
    assert {name for name, rows in truth.items() if rows} <= found.keys()


def check_all_formats(trikal, log, truth, folder, code=0):
    """Exports the log in every format with all names in all tables."""
    def run(form, output):
        trikal.text("export", log, "--format", form, "--names", "all", "-o", folder / output, code=code)
        return folder / output

    json_file = run("json", "x.json")
    types = read.column_types(json_file)
    made = {in_json: read.read_json(json_file, types), in_csv: read.read_csv(run("csv", "csv"), types),
            in_sqlite: read.read_sqlite(run("sqlite", "x.db"), types),
            clean: read.read_arrow(run("arrow", "arrow"), types)}
    for change, tables in made.items():
        assert tables.keys() == types.keys()
        assert_same({name: columns for name, columns in tables.items() if name not in OWN}, truth, change)
    for name in OWN:
        assert made[in_json][name] == made[in_sqlite][name] == made[clean][name]
    return made[clean]


@pytest.mark.parametrize("name", GOOD)
def test_corpus(trikal, name, tmp_path):
    log, physical = GOOD[name]
    path = tmp_path / "x.darshan"
    path.write_bytes(corpus.encode(log, physical))
    found = check_all_formats(trikal, path, Truth(expect.current(log)).tables, tmp_path, 4 if name in DAMAGED else 0)
    assert bool(found["damage"]["what"]) == (name in DAMAGED)


@each(ALL + some(GOLDEN, 4))
def test_logs(trikal, log, tmp_path):
    data = log.read_bytes()
    source, damage, _ = decoder.decode(data)
    assert not damage
    check_all_formats(trikal, log, Truth(source, data).tables, tmp_path)


ARROW = {"int64": pyarrow.int64(), "uint64": pyarrow.uint64(), "float64": pyarrow.float64(), "text": pyarrow.utf8()}


@pytest.mark.parametrize("name", ["edge-every-module", "release-3.5.0", "edge-daos-without-container"])
def test_arrow_types_and_nulls(trikal, name, corpus_dir, tmp_path):
    """Columns are typed as the table `columns` says; what is missing is null and nothing else is."""
    log = corpus_dir / f"{name}.darshan"
    trikal.text("export", log, "--format", "arrow", "-o", tmp_path / "arrow")
    document = json.loads(trikal.text("export", log, "--format", "json", "--names", "all"))
    nulls = 0
    for table, content in document["tables"].items():
        found = pyarrow.ipc.open_file(tmp_path / "arrow" / f"{table}.arrow").read_all()
        assert found.schema.names == [column["name"] for column in content["columns"]]
        for i, column in enumerate(content["columns"]):
            held = found.column(i)
            assert held.type == ARROW[column["type"]], (table, column)
            missing = [row[i] is None for row in content["rows"]]
            if column["type"] != "float64":  # JSON has no nan
                assert held.is_null().to_pylist() == missing
                assert found.schema.field(i).nullable or not any(missing)
                nulls += sum(missing)
            else:
                assert held.null_count == 0
    assert nulls > 0
    described = [(row[0], row[1], row[2]) for row in document["tables"]["columns"]["rows"]]
    assert described == [(table, column["name"], column["type"]) for table, content in document["tables"].items()
                         for column in content["columns"]]
