"""trikal.panel: functions that become panels of the page, as the server asks for them."""

import json
import os
import subprocess
import sys

import pytest

import package_tree

pandas = pytest.importorskip("pandas", reason="pandas is not installed (scripts/install-deps)")

import trikal  # noqa: E402  behind package_tree, which finds it
from trikal import panels  # noqa: E402

FILE = """
import trikal

@trikal.panel("By file", view="totals", operation="write")
def per_file(rows):
    print("so many:", len(rows))
    return rows.groupby("file")["bytes"].sum()

@trikal.panel(view="rollups")
def over_time(rows):
    return rows.groupby(["time", "operation"])["calls"].sum().unstack()

@trikal.panel("Numbers that JSON has not")
def odd(rows):
    import pandas
    return pandas.DataFrame({"a": [float("inf"), float("nan"), 1.5], "b": [None, True, "\\ud800"], ("c", "d"): pandas.to_datetime([0, 1, None])})

@trikal.panel()
def no_frame(rows):
    return 5

@trikal.panel()
def ends(rows):
    raise SystemExit(3)
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("store")
    subprocess.run([package_tree.TRIKAL, "watch", "--quiet", "--no-page", "--store", "s.sqlite", "--log", "s.darshan", "--", "dd", "if=/dev/zero",
                    "of=zeros", "bs=1000", "count=7", "status=none"], cwd=folder, check=True, capture_output=True)
    (folder / "mine.py").write_text(FILE)
    return folder / "s.sqlite"


def ask(store, *options, file="mine.py"):
    """What the server does, and what it gets."""
    environment = {**os.environ, "PYTHONPATH": str(package_tree.ROOT / "python")}
    done = subprocess.run([sys.executable, "-W", "ignore", "-m", "trikal.panels", "--store", store, *options, "--", store.parent / file],
                          capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_panels_are_listed_and_computed(store):
    assert [one["title"] for one in ask(store)["panels"]] == ["By file", "over time", "Numbers that JSON has not", "no frame", "ends"]
    said = ask(store, "--name", "per_file", "--run", "1")
    assert said["columns"] == ["file", "bytes"] and said["draw"] == "table" and said["printed"] == "so many: 1\n"
    assert [(os.path.basename(name), size) for name, size in said["rows"]] == [("zeros", 7000)] and said["total"] == 1
    lines = ask(store, "--name", "over_time", "--run", "1")
    assert lines["draw"] == "lines" and lines["columns"][0] == "time" and "write" in lines["columns"]
    assert ask(store, "--name", "over_time", "--run", "1", "--to", "1000")["rows"] == [] and ask(store, "--name", "per_file", "--run", "2")["rows"] == []


def test_what_goes_wrong_is_told(store):
    assert "returns a DataFrame or a Series, not int" in ask(store, "--name", "no_frame", "--run", "1")["error"]
    assert ask(store, "--name", "ends", "--run", "1")["error"] == "SystemExit: 3"
    assert "no panel" in ask(store, "--name", "gone")["error"]
    (store.parent / "broken.py").write_text("import nothing_like_this\n")
    said = ask(store, file="broken.py")
    assert said["error"].startswith("ModuleNotFoundError") and "broken.py" in said["details"]
    (store.parent / "none.py").write_text("x = 1\n")
    assert ask(store, file="none.py")["panels"] == []


def test_values_are_json(store):
    said = ask(store, "--name", "odd", "--run", "1")
    assert said["columns"] == ["a", "b", "c / d"] and [row[0] for row in said["rows"]] == [None, None, 1.5]
    assert said["rows"][1][1] == "True" and said["rows"][2][2] is None


@pytest.mark.parametrize("arguments", [{"view": "tables"}, {"draw": "pie"}, {"colour": 1}])
def test_marks_that_make_no_sense(arguments):
    with pytest.raises(ValueError):
        panels.panel("x", **arguments)


def test_the_mark_leaves_the_function_as_it_is():
    def own(rows):
        return rows
    assert trikal.panel("Own")(own) is own
    with pytest.raises(ValueError):
        trikal.panel("Own again")(own)
    panels._panels.clear()
