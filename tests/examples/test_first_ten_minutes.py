"""docs/first-ten-minutes.md: its commands run in order, and print what the page shows."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = (ROOT / os.environ.get("TRIKAL_BUILD", "build/release")).resolve()
PAGE = ROOT / "docs" / "first-ten-minutes.md"
NUMBER = r"[-+]?\d[\d.,]*"
# What times decide: seconds, rates, shares of the run, the size of the log, and which of equal files was slowest; and the page's
# address, which chance decides.
VOLATILE = re.compile(rf"http://127\.0\.0\.1:\d+/\?token=\w+|{NUMBER} (us|ms|s|[KMG]iB/s)\b|\(?{NUMBER} %\)?|\({NUMBER} KiB\)|state-\d\.bin")


def blocks():
    """[(language, text)] in the page's order."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)


def commands(text):
    parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)
    return zip(parts[1::2], parts[2::2])


def steady(line):
    return " ".join(VOLATILE.sub("*", line).split())


def check(shown, printed, about):
    """Every line shown is printed, in this order; between others only where the page says so."""
    rest = iter([steady(line) for line in printed.splitlines() if line.strip()])
    for line in (steady(line) for line in shown.splitlines() if line.strip()):
        if line != "...":
            assert line in rest, f"{about}: {line!r} is not printed, or not there:\n{printed}"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for path in (ROOT / "examples" / "heat").iterdir():
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{BUILD / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "python"))
    monkeypatch.setenv("TRIKAL_LIB", str(BUILD / "lib"))
    return tmp_path


def test_the_page(folder):
    pytest.importorskip("pandas", reason="pandas is not installed (scripts/install-deps)")
    python, shown = None, 0
    for language, text in blocks():
        if language == "python":
            python = text
        elif language == "output":
            done = subprocess.run([sys.executable, "-c", python], capture_output=True, text=True)
            assert done.returncode == 0 and done.stdout == text, done.stdout + done.stderr
        for command, lines in commands(text) if not language else ():
            done = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
            differ = command.startswith("trikal diff")  # which says so by its status
            assert done.returncode == (1 if differ else 0), f"{command}: {done.stdout}{done.stderr}"
            check(lines, done.stdout + done.stderr, command)
            shown += 1
    assert shown >= 12 and python


def test_a_page_that_lies_is_seen():
    check("wrote 61.0 MiB in 2.0 s\n...\n8 files\n", "wrote 61.0 MiB in 9.1 s\nmore\n8 files\n", "a true one")
    with pytest.raises(AssertionError):
        check("wrote 61.0 MiB\n", "wrote 62.0 MiB\n", "a false one")
    with pytest.raises(AssertionError):
        check("b\na\n", "a\nb\n", "the wrong order")
