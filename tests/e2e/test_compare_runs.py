"""`trikal diff` of whole runs: text, JSON, page; one run of each kind, and several."""

import json
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()
TRIKAL = BUILD / "bin" / "trikal"
PHASED = """
import sys, time
for name in ("load", "store"):
    with open(sys.argv[1] + "/" + name, "wb", buffering=0) as out:
        for _ in range(int(sys.argv[2])): out.write(b"x" * (2000000 // int(sys.argv[2])))
"""


def trikal(*words):
    return subprocess.run([TRIKAL, *map(str, words)], capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Four runs with 20,000 writes, four with 20, of the same bytes to the same files."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "files").mkdir()
    for side, writes in (("a", 20000), ("b", 20)):
        for number in range(4):
            done = trikal("run", "--quiet", "--log", folder / f"{side}{number}.darshan", "--", "python3", "-c", PHASED,
                          folder / "files", writes)
            assert done.returncode == 0, done.stderr
    return folder


def compare(folder, a, b, *words):
    names = [folder / f"{name}.darshan" for name in a.split()]
    done = trikal("diff", *words, "--json", *names, "--against", *(folder / f"{name}.darshan" for name in b.split()))
    assert done.returncode == 1, done.stderr
    answer = json.loads(done.stdout)
    assert answer["schema"] == "trikal-comparison 1"
    return answer


def by_name(rows):
    return {row["name"]: row for row in rows}


def test_two_runs_differ_but_nobody_knows_how_surely(logs):
    answer = compare(logs, "a0", "b0")
    writes = by_name(answer["layers"])["POSIX"]["numbers"]["writes"]
    assert (writes["a"][0] - writes["b"][0], writes["unit"]) == (2 * (20000 - 20), "count")
    assert writes["difference"] == writes["median_b"] - writes["median_a"]
    assert writes["verdict"] == "single" and writes["p"] is None
    assert answer["run"]["bytes_written"]["verdict"] == "same"
    assert answer["tested"] == 0
    finding = by_name(answer["findings"])["small-writes"]
    assert finding["in"] == "a" and finding["numbers"]["seconds"]["median_b"] == 0


def test_several_runs_make_it_sure(logs):
    answer = compare(logs, "a0 a1 a2 a3", "b0 b1 b2 b3")
    assert len(answer["a"]) == len(answer["b"]) == 4
    writes = by_name(answer["layers"])["POSIX"]["numbers"]["writes"]
    assert writes["verdict"] == "sure" and writes["p"] == pytest.approx(2 / 70)
    files = by_name(answer["files"])
    assert files[str(logs / "files" / "load")]["numbers"]["calls"]["verdict"] == "sure"
    assert answer["files_total"] >= 2 and answer["sure"] <= answer["tested"]


def test_three_are_too_few_and_the_same_is_noise(logs):
    apart = compare(logs, "a0 a1 a2", "b0 b1 b2")
    assert by_name(apart["layers"])["POSIX"]["numbers"]["writes"]["verdict"] == "apart"
    noise = compare(logs, "a0 a1", "a2 a3")
    assert noise["run"]["seconds"]["verdict"] in ("noise", "apart")
    assert by_name(noise["layers"])["POSIX"]["numbers"]["writes"]["verdict"] == "same"
    assert compare(logs, "a0 a1 a2", "b0 b1 b2", "--alpha", "0.1")["sure"] > 0


def test_the_same_log_is_the_same(logs):
    done = trikal("diff", "--runs", logs / "a0.darshan", logs / "a0.darshan")
    assert done.returncode == 0, done.stderr
    assert "B took as long as A." in done.stdout


def test_text(logs):
    done = trikal("diff", "--runs", logs / "a0.darshan", logs / "b0.darshan")
    assert done.returncode == 1 and not done.stderr
    assert "One run of a kind" in done.stdout and "small-writes" in done.stdout
    assert re.search(r"writes +40,\d{3} +\d+  -39,960 \(-100 %\)", done.stdout), done.stdout


def test_page(logs, tmp_path):
    page = tmp_path / "diff.html"
    words = ("--html", page, logs / "a0.darshan", logs / "a1.darshan", "--against", logs / "b0.darshan",
             logs / "b1.darshan")
    assert trikal("diff", *words).returncode == 1
    text = page.read_text()
    assert text.startswith("<!doctype html>") and text.endswith("</html>\n")
    assert "<script" not in text and "http-equiv" in text and "<style>" in text
    for part in ("run", "findings", "layer-POSIX", "files"):
        assert f'<section id="{part}"' in text
    assert "small-writes" in text and str(logs / "files" / "load") in text
    assert text.count("<table ") == text.count("</table>") == text.count('class="sentence"') - 1
    again = trikal("diff", *words)
    assert again.returncode == 3 and "--force" in again.stderr
    assert trikal("diff", "--force", *words).returncode == 1
    assert trikal("diff", "--html", "-", *words[2:]).stdout == text


def test_names_are_text_in_the_page(tmp_path):
    name = tmp_path / "a<b>&c"
    log = tmp_path / "l.darshan"
    trikal("run", "--quiet", "--log", log, "--", "sh", "-c", 'printf x > "$0"', name)
    other = tmp_path / "m.darshan"
    trikal("run", "--quiet", "--log", other, "--", "sh", "-c", 'printf xyz > "$0"', name)
    text = trikal("diff", "--html", "-", log, other).stdout
    assert "a&lt;b&gt;&amp;c" in text and "a<b>" not in text


def test_by_name_joins_directories(logs, tmp_path):
    (tmp_path / "files").mkdir()
    other = tmp_path / "o.darshan"
    trikal("run", "--quiet", "--log", other, "--", "python3", "-c", PHASED, tmp_path / "files", 20)
    for words, joined in (((), False), (("--by", "name"), True)):
        done = trikal("diff", "--runs", "--json", *words, logs / "b0.darshan", other)
        names = by_name(json.loads(done.stdout)["files"])
        assert ("load" in names) == joined
        if joined:
            assert names["load"]["in"] == "both"


@pytest.mark.parametrize("words", [["a0"], ["a0", "a1", "a2"], ["-", "--against", "-"]])
def test_sides_that_make_no_sense(logs, words):
    done = trikal("diff", *(word if word.startswith("-") else logs / f"{word}.darshan" for word in words))
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
