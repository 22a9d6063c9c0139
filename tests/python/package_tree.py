"""What the tests of the Python package share: the package of this tree with the library under test, and logs."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD") or ROOT / "build" / "release").resolve()
TRIKAL = BUILD / "bin" / "trikal"

sys.path[:0] = [str(ROOT / "python"), *(str(ROOT / "tests" / name) for name in ("independent", "pydarshan", "support"))]
os.environ.update(TRIKAL_LIB=str(BUILD / "lib"), TRIKAL_BIN=str(TRIKAL), PYTHONDONTWRITEBYTECODE="1")


def observe(folder, steps):
    """The log of examples/checkpoint.c, run in `folder`."""
    program = folder / "checkpoint"
    if not program.exists():
        subprocess.run(["cc", "-O2", "-I", ROOT / "include", "-o", program, ROOT / "examples" / "checkpoint.c"], check=True)
        (folder / "data").mkdir()
    log = folder / f"checkpoint-{steps}.darshan"
    command = [TRIKAL, "run", "--quiet", "--log", log, "--", "./checkpoint", str(steps), "data"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return log


def totals(log):
    """{counter: number} of `trikal parse --total`, as text."""
    done = subprocess.run([TRIKAL, "parse", "--total", log], check=True, capture_output=True, text=True)
    pairs = (line.split(": ", 1) for line in done.stdout.splitlines() if line.startswith("total_"))
    return {name[len("total_"):]: value for name, value in pairs}
