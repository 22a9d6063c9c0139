"""No number is wrong and called exact: programs whose numbers rest on the clock, on texts, on roundings, on what nobody knows."""

import os
import pathlib
import subprocess

import pytest

from conftest import HERE, ROOT, counters, predict, side_by_side
from judge import flagged_rows, judge

PROGRAMS = HERE / "programs" / "certain"
# Files of which nothing is known for certain, by program, and why; all others are exact.
EXPECTED = {
    "timed.c": ({"./timed.txt", "./count.txt"}, "the clock"),
    "paced.c": ({"./paced.txt"}, "the clock"),
    "texts.c": (set(), ""),
    "reals.c": (set(), ""),
    "changes.c": (set(), ""),
    "lanes.c": ({"./packed"}, "llvm.x86.sse2.packuswb.128"),
    "reserved.c": (set(), ""),
    "saves.c": (set(), ""),
    "stranger.c": ({"./answer.txt"}, "stranger"),
}
ARGUMENTS = {"saves.c": ["400"]}


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_exact_is_right(tmp_path, cache, name):
    sources = [PROGRAMS / name] + ([PROGRAMS / "stranger_body.c"] if name == "stranger.c" else [])
    program = tmp_path / "program"
    subprocess.run(["gcc", "-O1", "-g", "-w", "-o", program, *sources, "-lm"], check=True)
    told, predicted, measured, done = side_by_side(tmp_path, cache, [program], sources[:1], ARGUMENTS.get(name, []))
    assert done.returncode == 0, done.stderr
    found = judge(told, predicted, measured, (tmp_path / "predicted", ""))
    assert found["wrong"] == []
    files, why = EXPECTED[name]
    flagged = {file.replace(str(tmp_path / "predicted"), ".") for file, _ in flagged_rows(told)}
    assert flagged == files, found
    prediction = told["predictions"][0]
    for row in prediction["accesses"]:
        assert (row["certainty"] == "assumed") == bool(row["because"]) and (not row["because"] or why in row["because"]), row
    sure = prediction["sureness"]
    assert abs(sure["exact"] + sure["extrapolated"] + sure["assumed"] - 1) < 1e-9
    assert bool(sure["assumed"]) == bool(files) == bool(sure["because"])


@pytest.mark.parametrize("name, how", [("unread.c", "g"), ("unread.c", "l"), ("unread.c", "s"), ("unread.cpp", "w"), ("unread.cpp", "l"),
                                       ("unread.f90", "w"), ("unread.f90", "l")])
def test_what_rests_on_input_that_was_not_read_is_assumed(tmp_path, cache, name, how):
    """Of an input that is too large to be looked at nobody knows where lines end. Some are followed for as long as a prediction
    may take: what is known by then is right as well."""
    compiler = {".c": "gcc", ".cpp": "g++", ".f90": "gfortran"}[pathlib.Path(name).suffix]
    subprocess.run([compiler, "-O1", "-g", "-w", "-o", tmp_path / "program", PROGRAMS / name], check=True)

    def prepare(folder):
        (folder / "large.csv").write_text("".join(f"{i},{i * i}.5\n" for i in range(100_000)))
    told, predicted, measured, done = side_by_side(tmp_path, cache, [tmp_path / "program"], [PROGRAMS / name], [how], "--seconds", "15",
                                              prepare=prepare)
    assert done.returncode == 0, done.stderr
    found = judge(told, predicted, measured, (tmp_path / "predicted", ""))
    assert found["wrong"] == [], found
    reasons = told["predictions"][0]["sureness"]["because"]
    assert any("large.csv" in reason for reason in reasons), reasons
