"""What README.md shows is what the program prints for the example log."""

import os
import pathlib
import re
import shlex
import subprocess
import sys

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


def test_an_observed_program(tmp_path):
    subprocess.run(["cc", "-O2", "-I", ROOT / "include", "-o", tmp_path / "checkpoint",
                    ROOT / "examples" / "checkpoint.c"], check=True)
    (tmp_path / "data").mkdir()
    ((command, lines),) = shown(0)
    done = subprocess.run([BIN / "trikal", *shlex.split(command)[1:]], cwd=tmp_path, capture_output=True, text=True,
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
