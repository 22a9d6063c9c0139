"""export --format sqlite, then SQL: the totals of parse --total, counter by counter, and names beside records."""

import functools
import sqlite3
import struct

import pytest

from sql_totals import Beyond, Forgets, Totals, folds
from log_files import ALL, GOLDEN, OURS, REAL, each, reads_logs, some
from tool import BIN, run

import corpus
import decoder
from export_truth import table_name

GOOD = corpus.names()
CUT_SHORT = "edge-last-record-cut-short"  # exit 4
# Numbers that are none: SQLite cannot hold them.
NO_NUMBERS_FOR_SQL = {"edge-extreme-numbers", "edge-extreme-numbers-big-endian"}


@functools.cache
def all_folds():
    """Asked for by tests, not when they are collected: then there may be no program yet."""
    return folds(BIN / "trikal")


def prefix_of(module):
    return next(iter(all_folds()[module])).split("_")[0]


def totals(log):
    """{counter: text} as printed."""
    done = run("parse", "--total", log)
    assert done.returncode in (0, 4), done.stderr
    lines = [line.decode() for line in done.stdout.split(b"\n") if line.startswith(b"total_")]
    return dict(line[6:].split(": ") for line in lines)


def close(found, shown, rows):
    """Integers exactly. Reals were printed with six digits, and sums may have been made in another order."""
    if "." not in shown:
        return found == int(shown)
    return abs(found - float(shown)) <= 1e-6 + 1e-12 * rows * abs(found)


class Database:
    def __init__(self, log, folder, code=0):
        path = folder / "log.db"
        done = run("export", "--format", "sqlite", "-o", path, log)
        assert done.returncode == code, done.stderr
        self.sql = sqlite3.connect(path)
        self.tables = {row[0] for row in self.sql.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}

    def count(self, table):
        return self.sql.execute(f'SELECT COUNT(*) FROM "{table}"').fetchone()[0]


def check_lists(sql, shown):
    """How many lists of four could be compared."""
    compared = 0
    for values, counts in sql.lists():
        listed = {int(shown[v]): int(shown[c]) for v, c in zip(values, counts) if int(shown[v]) != 0}
        try:
            assert listed == sql.common(values, counts)
            compared += 1
        except Forgets as forgets:
            assert listed.keys() <= forgets.values.keys()
    return compared


def check(log, folder, code=0):
    """Every counter of every module with totals; gives (counters, lists) compared."""
    database, shown, compared, lists = Database(log, folder, code), totals(log), 0, 0
    for module, counters in all_folds().items():
        table = table_name(module)
        rows = database.count(table) if table in database.tables else 0
        if rows == 0:
            assert not any(name in shown and float(shown[name]) > 0 for name in counters)
            continue
        sql = Totals(database.sql, table, prefix_of(module), counters)
        assert {name for name in shown if name in counters} == set(counters)
        for name, fold in counters.items():
            if fold not in ("top-values", "top-counts"):
                try:
                    found = sql.value(name)
                except Beyond:
                    assert log not in ALL + GOLDEN and fold in ("sum", "sum-clamped")
                    found = sql.added_up(name)
                assert close(found, shown[name], rows), (name, fold, found, shown[name])
                compared += 1
        lists += check_lists(sql, shown)
    assert set(shown) <= {name for counters in all_folds().values() for name in counters}
    check_names(database)
    return compared, lists


def check_names(database):
    """A record's name is that of the names table; DAOS puts together its own, of a container and an object in it."""
    for table in database.tables - {"job", "metadata", "mounts", "modules", "columns", "names", "damage", "daos"}:
        columns = [row[1] for row in database.sql.execute(f'PRAGMA table_info("{table}")')]
        if not {"name", "record_id"} <= set(columns):
            continue
        other, = database.sql.execute(f"""SELECT COUNT(*) FROM "{table}" AS t JOIN names ON names.record_id = t.record_id
            WHERE t.name IS NOT names.name AND t.name IS NOT NULL""").fetchone()
        assert other == 0, table


@each(ALL + some(GOLDEN, 4))
def test_logs(log, tmp_path):
    check(log, tmp_path)


@pytest.mark.parametrize("name", [name for name in GOOD if name not in NO_NUMBERS_FOR_SQL])
def test_corpus(name, corpus_dir, tmp_path):
    check(corpus_dir / f"{name}.darshan", tmp_path, 4 if name == CUT_SHORT else 0)


@pytest.mark.parametrize("name", sorted(NO_NUMBERS_FOR_SQL))
def test_logs_with_no_numbers_for_sql(name, corpus_dir, tmp_path):
    """They do hold such numbers; what SQL cannot add is in the database all the same (test_export compares it)."""
    log, _, _ = decoder.decode((corpus_dir / f"{name}.darshan").read_bytes())
    values = [value for module in log.modules.values() for record in module.records
              for value in record.get("counters", {}).values()]
    assert any(value != value for value in values)
    assert Database(corpus_dir / f"{name}.darshan", tmp_path).count("posix") > 0


def test_every_fold_is_met(corpus_dir, tmp_path):
    """A log with all modules: every counter that --total prints is compared, but for lists that forget."""
    compared, lists = check(corpus_dir / "edge-every-module.darshan", tmp_path)
    four = sum(fold.startswith("top-") for counters in all_folds().values() for fold in counters.values())
    assert compared == sum(map(len, all_folds().values())) - four
    assert set(all_folds()) == {"POSIX", "MPI-IO", "STDIO", "DFS", "DAOS"}


@reads_logs
def test_lists_of_common_values_are_compared(tmp_path):
    """Few enough values for SQL in most logs."""
    found = {}
    for log in OURS[::2] + REAL[:12]:
        (tmp_path / log.stem).mkdir()
        found[log.stem] = check(log, tmp_path / log.stem)[1]
    assert sum(found.values()) >= len(found), found


def test_ids_show_unsigned(corpus_dir, tmp_path):
    """As the help says: printf('%u') of a signed id, and joins by it."""
    log, _, _ = decoder.decode((corpus_dir / "edge-every-module.darshan").read_bytes())
    database = Database(corpus_dir / "edge-every-module.darshan", tmp_path)
    shown = database.sql.execute("SELECT printf('%llu', record_id), record_id FROM posix ORDER BY rowid").fetchall()
    wanted = [record["id"] for record in log.modules[1].records]
    assert [signed for _, signed in shown] == [struct.unpack("<q", struct.pack("<Q", i))[0] for i in wanted]
    assert [int(text) for text, _ in shown] == wanted
