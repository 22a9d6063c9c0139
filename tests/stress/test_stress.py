"""The stress program for a moment: what scripts/stages/stress does for half an hour."""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def test_threads_forks_signals_and_closes():
    done = subprocess.run([sys.executable, HERE / "stress.py", "--seconds", "8", "--slice", "2"], capture_output=True, text=True,
                          timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
