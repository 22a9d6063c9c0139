"""What README.md shows is what the program prints for the example log."""

import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = ROOT / os.environ.get("TRIKAL_BUILD", "build/release") / "bin"


def shown():
    """[(command, lines below it)] of the block with commands."""
    text = re.search(r"```\n(\$ .*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]
    parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)
    return list(zip(parts[1::2], (part.splitlines() for part in parts[2::2])))


def test_commands_and_output(tmp_path):
    subprocess.run([sys.executable, str(ROOT / "examples" / "checkpoint_log.py"), "checkpoint.darshan"], cwd=tmp_path,
                   check=True)
    env = {**os.environ, "TZ": "UTC", "PATH": f"{BIN}:{os.environ['PATH']}"}
    commands = shown()
    assert {shlex.split(command)[0] for command, _ in commands} == {"trikal", "sqlite3"}
    for command, lines in commands:
        done = subprocess.run(shlex.split(command), cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
        printed = iter(done.stdout.splitlines())
        for line in lines:
            if line not in ("", "..."):
                assert line in printed, f"{command}: {line}"  # consumes: the order counts
