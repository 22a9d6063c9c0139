"""What README.md shows is what the program prints for the example log."""

import os
import pathlib
import re
import shlex
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = ROOT / os.environ.get("TRIKAL_BUILD", "build/release") / "bin"


def shown(block):
    """[(command, lines below it)] of one of the blocks with commands: 0 observes a program, 1 reads a log."""
    section = re.search(r"## What it prints\n(.*?)\n## ", (ROOT / "README.md").read_text(), re.DOTALL)[1]
    text = re.findall(r"```\n(.*?)```", section, re.DOTALL)[block]
    parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)
    return list(zip(parts[1::2], (part.splitlines() for part in parts[2::2])))


def without_figures(line):
    """Times, sizes and speeds differ from run to run; words do not."""
    line = re.sub(r"[KMGT]?i?B\b", "B", re.sub(r"\d[\d.,]*", "N", line)).strip()
    return re.sub(r"\bN (us|ms)\b", "N s", line)


@pytest.fixture
def in_memory(tmp_path):
    """A folder that no disk is behind, where one may be made: a disk that stalls for a moment would be the first finding."""
    if os.geteuid() != 0:
        yield tmp_path
        return
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(tmp_path)], check=True)
    try:
        yield tmp_path
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_an_observed_program(in_memory):
    subprocess.run(["cc", "-O2", "-I", ROOT / "include", "-o", in_memory / "checkpoint",
                    ROOT / "examples" / "checkpoint.c"], check=True)
    (in_memory / "data").mkdir()
    ((command, lines),) = shown(0)
    done = subprocess.run([BIN / "trikal", *shlex.split(command)[1:]], cwd=in_memory, capture_output=True, text=True,
                          check=True)
    printed = [without_figures(line) for line in (done.stdout + done.stderr).splitlines()]
    for line in (without_figures(line) for line in lines if line):
        words = sorted(line.split())  # of two phases the longer one comes first, whichever that is
        assert any(words == sorted(other.split()) for other in printed), f"{line} is not in {printed}"


def test_commands_and_output(tmp_path):
    subprocess.run([sys.executable, str(ROOT / "examples" / "checkpoint_log.py"), "checkpoint.darshan"], cwd=tmp_path,
                   check=True)
    env = {**os.environ, "TZ": "UTC", "PATH": f"{BIN}:{os.environ['PATH']}"}
    commands = shown(1)
    assert {shlex.split(command)[0] for command, _ in commands} == {"trikal", "sqlite3"}
    for command, lines in commands:
        done = subprocess.run(shlex.split(command), cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
        printed = iter(done.stdout.splitlines())
        for line in lines:
            if line not in ("", "..."):
                assert line in printed, f"{command}: {line}"  # consumes: the order counts
