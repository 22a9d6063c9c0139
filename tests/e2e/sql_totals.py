"""`parse --total` in SQL: for each way to combine values, the query that gives it from a table of the database.

Everything comes out of the database and `trikal explain --json`, which says how each counter is combined. Nothing is
left out: a fold without a query is an AttributeError. The values most often seen are compared where no running list of
four could have forgotten any (`Forgets` otherwise: then the list depends on the order of the records).
"""

import json
import sqlite3
import subprocess


class Forgets(Exception):
    """More than four different values, or one of them twice in a record: which of them a list of four still holds, and
    with which of its counts, is not a question for SQL."""

    def __init__(self, values):
        super().__init__()
        self.values = values


class Beyond(Exception):
    """A sum beyond 64 bits; SQLite stops or goes on with reals."""


def folds(program):
    """{module: {counter: fold}} of the modules that totals are printed of; runs of counters by their names."""
    said = json.loads(subprocess.run([str(program), "explain", "--json"], check=True, capture_output=True).stdout)
    return {module["module"]: {name["name"]: counter["fold"] for counter in module["counters"]
                               for name in counter.get("counters", [counter])}
            for module in said["modules"] if module["totals"]}


class Totals:
    def __init__(self, database, table, prefix, counters):
        self.database, self.table, self.prefix, self.counters = database, f'"{table}"', prefix, counters

    def one(self, query):
        return self.database.execute(query.format(table=self.table)).fetchone()

    def value(self, counter):
        fold = self.counters[counter]
        try:
            found = getattr(self, "_" + fold.replace("-", "_"))(f'"{counter}"', counter)
        except sqlite3.OperationalError as error:
            if str(error) == "integer overflow":
                raise Beyond from error
            raise
        if isinstance(found, float) and "_F_" not in counter:
            raise Beyond
        return found

    def added_up(self, counter):
        """A sum as a machine makes it, for what is beyond SQL."""
        total = 0
        for value, in self.database.execute(f'SELECT "{counter}" FROM {self.table} ORDER BY rowid'):
            total = (total + value + 2**63) % 2**64 - 2**63
            if self.counters[counter] == "sum-clamped":
                total = max(total, -1)
        return total

    def _sum(self, column, _):
        return self.one(f"SELECT SUM({column}) FROM {{table}}")[0]

    def _sum_clamped(self, column, _):
        """A running sum that does not go below -1."""
        return self.one(f"""
            WITH RECURSIVE numbered AS (SELECT ROW_NUMBER() OVER (ORDER BY rowid) AS i, {column} AS v FROM {{table}}),
                running(i, total) AS (SELECT 0, 0 UNION ALL
                    SELECT running.i + 1, MAX(total + v, -1) FROM running JOIN numbered ON numbered.i = running.i + 1)
            SELECT total FROM running ORDER BY i DESC LIMIT 1""")[0]

    def _max(self, column, _):
        return self.one(f"SELECT MAX(0, MAX({column})) FROM {{table}}")[0]

    def _min_nonzero(self, column, _):
        return self.one(f"SELECT COALESCE(MIN({column}) FILTER (WHERE {column} > 0), 0) FROM {{table}}")[0]

    def _keep(self, column, _):
        return self.one(f"SELECT {column} FROM {{table}} ORDER BY rowid DESC LIMIT 1")[0]

    def _with_longest(self, column, longest):
        found = self.one(f"SELECT {column} FROM {{table}} WHERE {longest} > 0 ORDER BY {longest} DESC, rowid LIMIT 1")
        return found[0] if found else 0

    def _with_max_read(self, column, _):
        return self._with_longest(column, f"{self.prefix}_F_MAX_READ_TIME")

    def _with_max_write(self, column, _):
        return self._with_longest(column, f"{self.prefix}_F_MAX_WRITE_TIME")

    def _variance_time(self, _column, _counter):
        return 0.0

    _variance_bytes = _variance_time

    # The fastest and slowest rank: of one file only. A shared record knows them, any other is a rank itself.

    def _extreme(self, which, what):
        files, zero = self.one("SELECT COUNT(DISTINCT record_id), MIN(record_id = 0) FROM {table}")
        rows = self.one("SELECT COUNT(*) FROM {table}")[0]
        if rows > 1 and (files > 1 or zero):
            return {"RANK": -1, "BYTES": -1, "TIME": 0.0}[what]
        p = self.prefix
        stored = f"{p}_F_{which}_RANK_TIME" if what == "TIME" else f"{p}_{which}_RANK{'' if what == 'RANK' else '_BYTES'}"
        own = {"RANK": "rank", "BYTES": f"{p}_BYTES_READ + {p}_BYTES_WRITTEN",
               "TIME": f"{p}_F_READ_TIME + {p}_F_WRITE_TIME + {p}_F_META_TIME"}
        time = f"CASE rank WHEN -1 THEN {p}_F_{which}_RANK_TIME ELSE {own['TIME']} END"
        order = "ASC" if which == "FASTEST" else "DESC"
        return self.one(f"SELECT CASE rank WHEN -1 THEN {stored} ELSE {own[what]} END FROM {{table}} "
                        f"ORDER BY {time} {order}, rowid LIMIT 1")[0]

    def _fastest_rank(self, *_):
        return self._extreme("FASTEST", "RANK")

    def _fastest_bytes(self, *_):
        return self._extreme("FASTEST", "BYTES")

    def _fastest_time(self, *_):
        return self._extreme("FASTEST", "TIME")

    def _slowest_rank(self, *_):
        return self._extreme("SLOWEST", "RANK")

    def _slowest_bytes(self, *_):
        return self._extreme("SLOWEST", "BYTES")

    def _slowest_time(self, *_):
        return self._extreme("SLOWEST", "TIME")

    # The four values seen most, and how often.

    def lists(self):
        """The value columns and count columns of each list of four."""
        values = [name for name, fold in self.counters.items() if fold == "top-values"]
        counts = [name for name, fold in self.counters.items() if fold == "top-counts"]
        assert len(values) == len(counts) and len(values) % 4 == 0
        return [(values[i:i + 4], counts[i:i + 4]) for i in range(0, len(values), 4)]

    def common(self, values, counts):
        """{value: how often}"""
        pairs = " UNION ALL ".join(f'SELECT "{v}" AS v, "{c}" AS c FROM {self.table}' for v, c in zip(values, counts))
        found = dict(self.database.execute(f"SELECT v, SUM(c) FROM ({pairs}) WHERE v != 0 GROUP BY v"))
        twice = " OR ".join(f'("{a}" = "{b}" AND "{a}" != 0)' for i, a in enumerate(values) for b in values[:i])
        if len(found) > 4 or self.one(f"SELECT COUNT(*) FROM {{table}} WHERE {twice}")[0]:
            raise Forgets(found)
        return found
