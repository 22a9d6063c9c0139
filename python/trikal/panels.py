"""Panels of one's own on the page of `trikal watch` and `trikal serve`: a function gets rows of the store, and gives a frame.

    import trikal

    @trikal.panel("Bytes written per file", view="totals", operation="write", draw="bars")
    def per_file(rows):
        return rows.groupby("file")["bytes"].sum().nlargest(10)

`trikal serve --panel FILE.py STORE` shows it. The server runs `python3 -m trikal.panels` for each question (docs/live.md).
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import os
import runpy
import sys
import time
import traceback
from dataclasses import dataclass
from typing import Any, Callable, Literal, TypeVar

from .store import TIMED, VIEWS, Choice, Store

MOST_ROWS = 5000  # of an answer
MOST_PRINTED = 20000  # characters

Draw = Literal["auto", "table", "lines", "bars"]
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Panel:
    """A function of the user's, and the rows that it wants."""

    function: Callable[..., Any]
    title: str
    view: str
    choice: dict[str, Choice]
    draw: Draw

    @property
    def name(self) -> str:
        return str(self.function.__name__)


_panels: dict[str, Panel] = {}


def panel(title: str = "", *, view: str = "rollups", draw: Draw = "auto", **choice: Choice) -> Callable[[Function], Function]:
    """Marks a function as a panel of the page. It gets the rows of `view` (a DataFrame of pandas) of the run and the time that the page
    shows, chosen further by columns as with `Store.view`, and returns a DataFrame or a Series.

    `draw`: "table"; "lines" over the column or index `time`; "bars" of the second column, named by the first; "auto": lines where there
    is a time, else a table."""
    if view not in VIEWS:
        raise ValueError(f"'{view}' is not one of {', '.join(VIEWS)}")
    if draw not in ("auto", "table", "lines", "bars"):
        raise ValueError(f"'{draw}' is not one of auto, table, lines, bars")
    for column in choice:
        if column not in VIEWS[view]:
            raise ValueError(f"'{column}' is not one of {', '.join(VIEWS[view])}")

    def mark(function: Function) -> Function:
        made = Panel(function, title or function.__name__.replace("_", " "), view, dict(choice), draw)
        if made.name in _panels:
            raise ValueError(f"two panels are called {made.name}")
        _panels[made.name] = made
        return function
    return mark


def _load(files: list[str]) -> None:
    _panels.clear()
    for file in files:
        sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
        runpy.run_path(file, run_name="trikal_panel")


def _plain(value: Any) -> Any:
    """As JSON has it: no number of a library's own, no infinity."""
    if hasattr(value, "item"):
        value = value.item()
    if value is None or isinstance(value, (bool, int, str)):
        return str(value) if isinstance(value, bool) else value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return None if str(value) in ("NaT", "<NA>") else str(value)


def _frame(made: Any) -> Any:
    """A DataFrame whose index, if it says something, is its first columns."""
    import pandas
    if isinstance(made, pandas.Series):
        made = made.to_frame(made.name if made.name is not None else "value")
    if not isinstance(made, pandas.DataFrame):
        raise TypeError(f"a panel returns a DataFrame or a Series, not {type(made).__name__}")
    if isinstance(made.index, pandas.RangeIndex) and made.index.name is None:
        return made
    return made.reset_index()


def answer(chosen: Panel, store: Store, run: int, start: float | None, end: float | None) -> dict[str, Any]:
    """What the page draws: columns, rows, how."""
    choice = dict(chosen.choice)
    if "run" in VIEWS[chosen.view]:
        choice["run"] = run
    timed = chosen.view in TIMED
    rows = store.view(chosen.view, start=start if timed else None, end=end if timed else None, **choice)
    frame = _frame(chosen.function(rows))
    columns = [" / ".join(map(str, name)) if isinstance(name, tuple) else str(name) for name in frame.columns]
    draw = chosen.draw if chosen.draw != "auto" else "lines" if "time" in columns else "table"
    if draw == "lines" and "time" not in columns:
        raise ValueError("lines need a column or an index called time")
    cells = [[_plain(value) for value in row] for row in frame.head(MOST_ROWS).itertuples(index=False, name=None)]
    return {"columns": columns, "rows": cells, "total": len(frame), "draw": draw}


def _user_trace() -> str:
    """Without the frames of this file, which say nothing about the user's mistake."""
    kind, error, trace = sys.exc_info()
    while trace is not None and trace.tb_frame.f_code.co_filename in (__file__, runpy.__file__, "<frozen runpy>"):
        trace = trace.tb_next
    return "".join(traceback.format_exception(kind, error, trace))


def _ask(options: argparse.Namespace) -> dict[str, Any]:
    _load(options.files)
    if options.name is None:
        return {"panels": [{"name": one.name, "title": one.title} for one in _panels.values()]}
    if options.name not in _panels:
        return {"error": f"there is no panel {options.name} any more"}
    return answer(_panels[options.name], Store(options.store), options.run, options.start, options.end)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m trikal.panels", description="Answers one question of the page, as JSON.")
    parser.add_argument("--store", required=True)
    parser.add_argument("--name", help="of the panel to compute; without it the panels are listed")
    parser.add_argument("--run", type=int, default=0)
    parser.add_argument("--from", dest="start", type=float)
    parser.add_argument("--to", dest="end", type=float)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args(arguments)
    begun, printed = time.monotonic(), io.StringIO()
    # The page reads standard output: what the user's code prints is shown beside the panel.
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            made = _ask(options)
        except (Exception, SystemExit) as error:
            said = traceback.format_exception_only(type(error), error)[-1].strip()
            made = {"error": said, "details": _user_trace()}
    made["seconds"] = time.monotonic() - begun
    if printed.getvalue():
        made["printed"] = printed.getvalue()[:MOST_PRINTED]
    json.dump(made, sys.stdout, allow_nan=False)
    return 0


if __name__ == "__main__":
    from trikal import panels  # the module that the user's file marks its functions in, which this one is not
    sys.exit(panels.main(sys.argv[1:]))
