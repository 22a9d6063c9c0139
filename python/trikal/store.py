"""A store: what `trikal watch` keeps while programs run (docs/formats/store.md), as DataFrames."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING, Any, Iterable, Union

from . import _find, _tool
from ._needs import need
from .errors import Path, StoreError, ToolError

if TYPE_CHECKING:
    import pandas as pd

#: Of each view, the columns that rows can be chosen by.
VIEWS = {
    "runs": ("run", "host"),
    "processes": ("process", "run", "pid", "rank", "state", "host"),
    "rollups": ("run", "rank", "pid", "process", "file", "interface", "operation"),
    "totals": ("run", "rank", "pid", "process", "file", "interface", "operation"),
    "system": ("host", "metric", "device"),
    "findings": ("run", "code", "severity"),
    "drops": ("run", "rank", "pid", "cause"),
    "events": ("run", "rank", "pid", "process", "thread", "interface", "operation", "file"),
    "phases": ("run", "rank", "pid", "process", "thread", "name"),
    "event_counts": ("run", "rank", "pid", "process", "thread"),
}
TIMED = {"rollups", "system", "findings", "events"}  # views with a column `time`: seconds since 1970

Choice = Union[int, str, Iterable[Union[int, str]]]


class Store:
    """What `trikal watch` has kept, or keeps at this moment; made by `trikal.open_store`. It only reads.

    The program `trikal` is asked, so that every kind of store is read that it knows. Each question reads anew.
    """

    def __init__(self, url: Path) -> None:
        self.url = os.fspath(url)
        if "\0" in self.url:
            raise ValueError("the name of a store has no null character")
        self._ask("SELECT count(*) FROM runs", "--json")  # so that what is no store is told here

    def __repr__(self) -> str:
        return f"<trikal.Store {self.url}>"

    @property
    def views(self) -> list[str]:
        """What `view` takes."""
        return list(VIEWS)

    def view(self, name: str, *, start: float | None = None, end: float | None = None, **choice: Choice) -> pd.DataFrame:
        """The rows of a view: all of them, or those from `start` on and before `end` (seconds since 1970), or those whose
        columns are as chosen: ``store.view("rollups", run=1, rank=[0, 3], operation="write")``."""
        if name not in VIEWS:
            raise ValueError(f"'{name}' is not one of {', '.join(VIEWS)}")
        if (start is not None or end is not None) and name not in TIMED:
            raise ValueError(f"{name} has no time")
        tests = [f"time >= {float(start)!r}"] if start is not None else []
        tests += [f"time < {float(end)!r}"] if end is not None else []
        for column, wanted in choice.items():
            if column not in VIEWS[name]:
                raise ValueError(f"'{column}' is not one of {', '.join(VIEWS[name])}")
            values = [wanted] if isinstance(wanted, (int, str)) else list(wanted)
            tests.append(f"{column} IN ({', '.join(map(_literal, values))})")
        return self.query(f"SELECT * FROM {name}" + (" WHERE " + " AND ".join(tests) if tests else ""))

    def query(self, sql: str) -> pd.DataFrame:
        """The answer to one SELECT as a DataFrame of pandas."""
        pandas = need("pandas", "a DataFrame of pandas")
        rows = json.loads(self._ask(sql, "--json"))
        # A list without rows has no names; the other form has.
        columns = list(rows[0]) if rows else _first_names(self._ask(sql, "--csv"))
        frame: pd.DataFrame = pandas.DataFrame(rows, columns=columns)
        return frame

    runs = property(lambda self: self.view("runs"), doc="A row for each run that was watched.")
    processes = property(lambda self: self.view("processes"), doc="Processes of all runs.")
    rollups = property(lambda self: self.view("rollups"), doc="Calls, bytes and seconds of each second, process and file.")
    totals = property(lambda self: self.view("totals"), doc="Their sums since each run began.")
    system = property(lambda self: self.view("system"), doc="What the machine did, by second.")
    findings = property(lambda self: self.view("findings"), doc="What was found while the runs went on.")
    drops = property(lambda self: self.view("drops"), doc="What is not exact, and why.")
    events = property(lambda self: self.view("events"), doc="Every call, of runs that were watched with --events.")
    phases = property(lambda self: self.view("phases"), doc="Parts of runs that programs have named: begin and end.")
    event_counts = property(lambda self: self.view("event_counts"), doc="Events of each thread: emitted = stored + dropped.")

    def _ask(self, sql: str, form: str) -> bytes:
        if "\0" in sql:
            raise ValueError("a query has no null character")
        tool = _find.tool_path()
        try:
            done = subprocess.run([tool, "sql", form, "--", self.url, sql], stdin=subprocess.DEVNULL, capture_output=True, check=False)
        except OSError as error:
            raise ToolError(f"cannot run {tool}: {error}") from error
        if done.returncode != 0:
            raise StoreError(self.url, _tool.complaint(done.stderr))
        return done.stdout


def _literal(value: Any) -> str:
    if isinstance(value, (int, float)):
        return repr(value)
    if "\0" in str(value):
        raise ValueError("no value has a null character")
    return "'" + str(value).replace("'", "''") + "'"


def _first_names(text: bytes) -> list[str]:
    import csv
    return next(csv.reader(text.decode("utf-8", "replace").splitlines()[:1]), [])


def open_store(url: Path) -> Store:
    """Opens what `trikal watch` keeps: ``sqlite:FILE``, or the file alone."""
    return Store(url)
