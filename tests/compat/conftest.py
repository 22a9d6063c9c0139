"""What the tests of libdarshan-util share: an installed library, a C program built with it, logs with known contents."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent

sys.path[:0] = [str(HERE), *(str(ROOT / "tests" / name) for name in ("independent", "support"))]

from installed import BUILD, Installed  # noqa: E402,F401  behind the path; for the tests too
from once import once  # noqa: E402


class Installation(Installed):
    package, file, options = "darshan-util", "libdarshan-util.so", ("--component", "compat")

    def compile(self, source, program, *more):
        return super().compile(source, program, "cc", "-std=c11", *more)


@pytest.fixture(scope="session")
def installation(tmp_path_factory):
    return Installation(once(tmp_path_factory, "prefix", Installation.install))


@pytest.fixture(scope="session")
def logtool(installation, tmp_path_factory):
    """Runs the C program; gives what it printed."""
    program = installation.compile(HERE / "logtool.c", tmp_path_factory.mktemp("bin") / "logtool")

    def run(*arguments, code=0):
        return installation.run(program, *arguments, code=code).stdout

    return run


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    """Folder of synthetic logs with what is in them, written by the independent encoder."""
    program = ROOT / "tests" / "independent" / "corpus.py"
    return once(tmp_path_factory, "corpus", lambda folder: subprocess.run([sys.executable, program, folder], check=True))


def without_losses(rows, version):
    """Rows of counters as this interface gives them, where the module POSIX of a log has this version."""
    lost = (b"POSIX_F_VARIANCE_RANK_TIME", b"POSIX_F_VARIANCE_RANK_BYTES") if version == 3 else ()
    return [[*row[:4], b"0.000000", *row[5:]] if row[3] in lost else row for row in rows]
