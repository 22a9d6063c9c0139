"""Reads back what `trikal export` wrote, each format with somebody else's reader, into {table: {column: [value, ...]}}.

Text is bytes, what is missing None; reals are compared by `bits`, so that nan equals nan and -0.0 is not 0.0.
"""

import csv
import json
import math
import sqlite3
import struct

import pyarrow.ipc

MASK = 2**64 - 1


def bits(value):
    if isinstance(value, float):
        return "nan" if math.isnan(value) else struct.pack(">d", value)
    return value


def column_types(path):
    """{table: {column: type}} out of a JSON export."""
    tables = json.loads(path.read_bytes())["tables"]
    return {name: {column["name"]: column["type"] for column in table["columns"]} for name, table in tables.items()}


def _columns(names, rows):
    turned = list(zip(*rows)) or [()] * len(names)
    return {name: list(values) for name, values in zip(names, turned)}


def _convert(table, types, convert):
    return {name: [convert[types[name]](value) for value in values] if types[name] in convert else values
            for name, values in table.items()}


def _bytes(text):
    return text.encode("utf-8", "surrogateescape") if text is not None else None


def read_csv(folder, types):
    """Python's reader cannot tell an empty text from a missing one: both come back as None."""
    convert = {"int64": int, "uint64": int, "float64": float, "text": lambda text: _bytes(text or None)}
    tables = {}
    for path in folder.glob("*.csv"):
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            names, *rows = csv.reader(file)
        tables[path.stem] = _convert(_columns(names, rows), types[path.stem], convert)
    return tables


def arrow_columns(table, types):
    table.validate(full=True)
    return _convert(table.to_pydict(), types, {"text": _bytes})


def read_arrow(folder, types):
    return {path.stem: arrow_columns(pyarrow.ipc.open_file(path).read_all(), types[path.stem])
            for path in folder.glob("*.arrow")}


def read_json(path, types):
    """Ids are text there. A real without a fraction looks like an integer."""
    document = json.loads(path.read_bytes(), parse_int=lambda text: -0.0 if text == "-0" else int(text))
    assert document["trikal_export"] == 1
    tables = {}
    for name, table in document["tables"].items():
        columns = _columns([column["name"] for column in table["columns"]], table["rows"])
        convert = {"float64": lambda value: None if value is None else float(value), "text": _bytes}
        for column in table["columns"]:
            if column["unit"] == "id":
                assert all(isinstance(value, str) for value in columns[column["name"]])
                columns[column["name"]] = [int(value) for value in columns[column["name"]]]
        tables[name] = _convert(columns, types[name], convert)
    return tables


def read_sqlite(path, types):
    """Unsigned numbers are stored as the signed ones with the same bits."""
    database = sqlite3.connect(path)
    names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    tables = {}
    for name in names:
        cursor = database.execute(f'SELECT * FROM "{name}" ORDER BY rowid')
        columns = _columns([column[0] for column in cursor.description], cursor.fetchall())
        tables[name] = _convert(columns, types[name], {"uint64": lambda value: value & MASK, "text": _bytes})
    database.close()
    return tables
