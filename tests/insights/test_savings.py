"""The table of promised and realised savings: the script runs, and the page it made is well formed. Not the times."""

import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()
SCRIPT = ROOT / "bench" / "run-savings"
ROW = re.compile(r"\| ([a-z-]+) \| \d+ (?:\| -?\d+\.\d{3} ){4}\| -?\d+\.\d\d \| (yes|no) \|")


def rows(text):
    return [ROW.fullmatch(line) for line in text.splitlines() if re.match(r"\| [a-z-]+ \| \d", line)]


def test_the_script_runs(tmp_path):
    page, numbers = tmp_path / "savings.md", tmp_path / "savings.json"
    done = subprocess.run([sys.executable, SCRIPT, "--build", BUILD, "--rounds", "1", "--least", "0.02", "--antipatterns",
                           "reopen,stat-storm", "--write", page, "--json", numbers, tmp_path],
                          capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    [part] = json.loads(numbers.read_text())
    assert [row["antipattern"] for row in part["rows"]] == ["reopen", "stat-storm"]
    assert all(row["promised"] > 0 and row["bad"] > 0 and row["good"] > 0 for row in part["rows"])
    assert [match[1] for match in rows(page.read_text())] == ["reopen", "stat-storm"]


def test_programs_with_a_change_an_expert_would_make(tmp_path):
    numbers = tmp_path / "pairs.json"
    done = subprocess.run([sys.executable, SCRIPT, "--build", BUILD, "--rounds", "1", "--pairs", "python-exists,python-append", "--json",
                           numbers, tmp_path], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    rows = json.loads(numbers.read_text())
    assert [row["antipattern"] for row in rows] == ["python-exists", "python-append"]
    assert all(row["promised"] > 0 for row in rows) and "costs most" in done.stdout


def test_a_program_it_does_not_know():
    done = subprocess.run([sys.executable, SCRIPT, "--pairs", "gluttony"], capture_output=True, text=True)
    assert done.returncode == 1 and "gluttony" in done.stderr


def test_an_antipattern_it_does_not_know():
    done = subprocess.run([sys.executable, SCRIPT, "--antipatterns", "gluttony"], capture_output=True, text=True)
    assert done.returncode == 1 and "gluttony" in done.stderr


def test_programs_of_the_page_keep_their_promises():
    head, _, part = (ROOT / "docs" / "savings.md").read_text().partition("## Programs as they are")
    found = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if re.match(r"\| [a-z0-9+-]+ \| (own|real) \|", line)]
    assert head and len(found) >= 40 and sum(row[1] == "real" for row in found) * 2 >= len(found)
    factors = [float(row[6]) for row in found]
    assert sum(row[7] == "yes" for row in found) >= 0.9 * len(found) and max(factors) <= 5
    assert sum(row[9] == "yes" for row in found) >= 0.95 * len(found)


def test_the_page_has_eight_promises_that_were_kept():
    text = (ROOT / "docs" / "savings.md").read_text()
    assert "bench/run-savings" in text
    for part in text.split("## On ")[1:]:
        found = rows(part)
        assert found and all(found)
        kept = [match[1] for match in found if match[2] == "yes"]
        assert len(kept) >= 8 and f"{len(kept)} of {len(found)} are within a factor of 2" in part
