"""Two or more runs beside each other."""

from __future__ import annotations

import os
from typing import Any, Iterable, Union

from ._needs import need
from .errors import Path
from .log import Log, open as open_log

PLAIN = ("files", "opens", "stats", "seeks", "syncs", "meta_seconds", "seconds_by_slowest", "mib_per_s_by_slowest")
MOVED = ("calls", "bytes", "seconds")
Values = dict[tuple[str, str], Any]


def _totals(log: Log) -> Values:
    """(part, value) of one run. A finding's value is the seconds it costs."""
    summary = log.summary
    values: Values = {("job", name): summary["job"][name] for name in ("nprocs", "seconds")}
    for name in ("seconds", "share", "bytes_read", "bytes_written", "files", "meta_seconds"):
        values["io", name] = summary["io"][name]
    for layer in summary["layers"]:
        for name in PLAIN:
            values[layer["name"], name] = layer[name]
        for direction in ("read", "write"):
            for name in MOVED:
                values[layer["name"], f"{direction}_{name}"] = layer[direction][name]
    for finding in summary["findings"]:
        code = ("finding", finding["code"])
        values[code] = values.get(code, 0.0) + finding["seconds"]
    return {key: float(value) if _is_real(key) else value for key, value in values.items()}


def _is_real(key: tuple[str, str]) -> bool:
    """JSON writes a real number without a fraction like a whole one."""
    part, name = key
    return part == "finding" or "seconds" in name or name in ("share", "mib_per_s_by_slowest")


def _labels(logs: list[Log]) -> list[str]:
    """File names without their ending; a number behind those that occur twice."""
    names = [os.path.basename(log.path) for log in logs]
    names = [name[:-len(".darshan")] if name.endswith(".darshan") else name for name in names]
    seen: dict[str, int] = {}
    labels = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        labels.append(name if names.count(name) == 1 else f"{name} ({seen[name]})")
    return labels


def _ordered(rows: list[Values]) -> list[tuple[str, str]]:
    """Columns as the runs have them; findings come last, those that cost most first."""
    everything = list(dict.fromkeys(key for row in rows for key in row))
    costs = {key: max(row.get(key, 0.0) for row in rows) for key in everything if key[0] == "finding"}
    plain = [key for key in everything if key[0] != "finding"]
    parts = list(dict.fromkeys(part for part, _ in plain))
    return sorted(plain, key=lambda key: parts.index(key[0])) + sorted(costs, key=lambda key: -costs[key])


def compare(runs: Iterable[Union[Log, Path]], kind: str = "pandas") -> Any:
    """A DataFrame with a row for each of two or more runs.

    Columns are (part, value): job, io, then each interface, then ('finding', CODE) with the seconds a finding costs.
    What a run does not have is missing. For polars the two words are joined by a dot and the first column is `run`.
    """
    logs = [run if isinstance(run, Log) else open_log(run) for run in runs]
    if len(logs) < 2:
        raise ValueError(f"{len(logs)} of at least 2 runs to compare")
    if kind not in ("pandas", "polars"):
        raise ValueError(f"'{kind}' is not one of pandas, polars")
    rows = [_totals(log) for log in logs]
    columns = _ordered(rows)
    values = {key: [row.get(key) for row in rows] for key in columns}
    if kind == "polars":
        joined = {f"{part}.{name}": values[part, name] for part, name in columns}
        return need("polars", "a DataFrame of polars").DataFrame({"run": _labels(logs), **joined}, strict=False)
    pandas = need("pandas", "a DataFrame of pandas")
    frame = pandas.DataFrame({key: _column(pandas, values[key]) for key in columns})
    frame.index = pandas.Index(_labels(logs), name="run")
    frame.columns = pandas.MultiIndex.from_tuples(columns, names=["part", "value"])
    return frame


def _column(pandas: Any, values: list[Any]) -> Any:
    """Counts stay whole numbers also where one is missing."""
    whole = all(isinstance(value, int) for value in values if value is not None)
    return pandas.array(values, dtype="Int64" if whole else "Float64")
