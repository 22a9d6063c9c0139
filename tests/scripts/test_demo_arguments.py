"""scripts/demo with arguments: it says what it is, or refuses, and builds nothing."""

import pathlib
import subprocess

import pytest

DEMO = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "demo"


@pytest.mark.parametrize("argument, status, said", [("--help", 0, "Installs what trikal needs"), ("fast", 2, "it takes no arguments")])
def test_nothing_is_built(argument, status, said):
    done = subprocess.run([DEMO, argument], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.count("Building")) == (status, 0)
    assert said in done.stdout + done.stderr
