"""Runs compared on the page: a slow rank and a slow hour are named. And panels that a user wrote in Python."""

import os
import sqlite3
import sys

import pytest

from live_pages import beside, live, start, steady, text, until, watched  # noqa: F401  fixtures among them
from test_screens import ROOT, take


@pytest.fixture(scope="module")
def finished(steady, tmp_path_factory):
    folder = tmp_path_factory.mktemp("finished")
    return watched(["--", beside(steady / "steady", folder), "3"], folder)


def add_run(database, number, start, slow_rank=None, factor=1.0):
    """A run of four ranks, as docs/formats/store.md describes the tables."""
    database.execute("INSERT INTO run VALUES (?, ?, ?, './simulate in.nml', 'node')", (number, number, start * 10**9))
    for rank in range(4):
        process = number * 10 + rank
        database.execute("INSERT INTO process (id, key, run, pid, parent, rank, generation, state, start, host, command) "
                         "VALUES (?, ?, ?, ?, 1, ?, 0, 1, ?, 'node', './simulate')",
                         (process, process, number, 1000 + rank, rank, start * 10**9))
        for second in range(20):
            steps = int((1 << 20) * 0.2 * factor * (4 if rank == slow_rank else 1) * (1 + 0.01 * (number % 3)))
            row = (number, process, start + second, 1, 1, 1, 10, 40960, steps)
            for width in (1, 10, 60):
                database.execute(f"INSERT INTO rollup_{width} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET calls = calls "
                                 "+ excluded.calls, bytes = bytes + excluded.bytes, steps = steps + excluded.steps",
                                 (*row[:2], row[2] // width * width, *row[3:]))
            database.execute("INSERT INTO total VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET calls = calls + "
                             "excluded.calls, bytes = bytes + excluded.bytes, steps = steps + excluded.steps", (*row[:2], *row[3:]))


def test_a_slow_rank_and_a_slow_hour_are_named(start, live, finished, tmp_path):
    store = tmp_path / "many.sqlite"
    store.write_bytes(finished.read_bytes())
    day = 1_790_000_000 // 86400 * 86400
    with sqlite3.connect(store) as database:
        for number in range(2, 12):
            add_run(database, number, day + number * 86400 + 3 * 3600, slow_rank=2 if number == 7 else None)
        for number in range(12, 15):
            add_run(database, number, day + number * 86400 + 14 * 3600, factor=2.0)
    database.close()
    _, address = start(["serve", store], tmp_path)
    page = live(address + "#view=compare&run=7")
    table = page.wait_for_selector("#deviations table").inner_text()
    rows = {line.split("\t")[0]: line.split("\t")[1:] for line in table.splitlines()}
    assert rows["rank 2, in run 7"][:3] == ["16.2\u00a0s", "4.08\u00a0s", "4.0"], rows
    assert rows["run 7"][2] == "1.7" and rows["runs that began at 14:00 UTC"][2] == "2.0", rows
    assert not {f"rank {rank}, in run 7" for rank in (0, 1, 3)} & rows.keys()
    assert "In this run: rank 2, 16.2 s instead of 4.08 s" in text(page, "#deviations .sentence")
    take(page, "live-compare")
    assert page.inner_text("#runs table").count("./simulate in.nml") == 13
    assert len(page.query_selector_all("#runs .bar-row")) == 13


PANELS = '''
import trikal

@trikal.panel("Bytes written per file", view="totals", operation="write", draw="bars")
def per_file(rows):
    print("looked at", len(rows), "rows")
    return rows.groupby("file")["bytes"].sum().nlargest(10)

@trikal.panel("Mean size of a write, in KiB", view="rollups", operation="write")
def mean_size(rows):
    by_second = rows.groupby("time")[["bytes", "calls"]].sum()
    return (by_second["bytes"] / by_second["calls"] / 1024).rename("KiB")

@trikal.panel("<b>Hostile</b>", view="totals")
def hostile(rows):
    return rows.assign(note="<img src=x onerror=alert(1)>")[["note", "calls"]].head(2)

@trikal.panel("A mistake", view="runs")
def mistake(rows):
    return rows["no such column"]
'''


@pytest.fixture
def python(monkeypatch):
    """The Python of the tests, with the package of this tree."""
    return {**os.environ, "TRIKAL_PYTHON": sys.executable, "PYTHONPATH": str(ROOT / "python")}


def test_functions_in_python_become_panels(start, live, finished, tmp_path, python):
    pytest.importorskip("pandas", reason="pandas is not installed (scripts/install-deps)")
    (tmp_path / "mine.py").write_text(PANELS)
    _, address = start(["serve", "--panel", "mine.py", finished], tmp_path, env=python)
    page = live(address + "#view=panels")
    until(lambda: page.query_selector("#panel-mistake"), seconds=60)
    assert "steady.0" in text(page, "#panel-per_file .bar-label") and "looked at" in text(page, "#panel-per_file pre")
    assert page.query_selector("#panel-mean_size path.line")
    assert text(page, "#panel-mean_size svg text") != ""
    assert "<b>Hostile</b>" in text(page, "#panel-hostile h2") and "<img src=x" in text(page, "#panel-hostile td")
    assert page.query_selector("main img") is None
    assert "KeyError: 'no such column'" in text(page, "#panel-mistake [role=alert]") and "mine.py" in text(page, "#panel-mistake pre")
    assert "Traceback" in text(page, "#panel-mistake pre") and "panels.py" not in text(page, "#panel-mistake pre")
    take(page, "live-panels")
    (tmp_path / "mine.py").write_text("import trikal\nsyntax error here\n")
    page.reload()
    until(lambda: "SyntaxError" in text(page, "#panels [role=alert]"), seconds=30)
