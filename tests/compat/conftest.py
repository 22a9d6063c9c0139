"""What the tests of libdarshan-util share: an installed library, a C program built with it, logs with known contents."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD") or ROOT / "build" / "release").resolve()
SHARED = pathlib.Path(os.environ.get("TRIKAL_SHARED") or ROOT.parent / "shared")

sys.path[:0] = [str(HERE), str(ROOT / "tests" / "independent")]


class Installation:
    """The library as `cmake --install` leaves it, found the way its users find it."""

    def __init__(self, prefix):
        self.prefix = prefix
        command = ["cmake", "--install", str(BUILD), "--prefix", str(prefix), "--component", "compat"]
        subprocess.run(command, check=True, capture_output=True)
        self.library = next(prefix.glob("**/libdarshan-util.so"))
        self.env = dict(os.environ, PKG_CONFIG_PATH=str(self.library.parent / "pkgconfig"),
                        LD_LIBRARY_PATH=str(self.library.parent))

    def flags(self):
        command = ["pkg-config", "--cflags", "--libs", "darshan-util"]
        return subprocess.run(command, check=True, capture_output=True, text=True, env=self.env).stdout.split()

    def compile(self, source, program, *more):
        command = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-g", *more, "-o", str(program),
                   str(source), *self.flags()]
        subprocess.run(command, check=True)
        return program


@pytest.fixture(scope="session")
def installation(tmp_path_factory):
    return Installation(tmp_path_factory.mktemp("prefix"))


@pytest.fixture(scope="session")
def logtool(installation, tmp_path_factory):
    """Runs the C program; gives what it printed."""
    program = installation.compile(HERE / "logtool.c", tmp_path_factory.mktemp("bin") / "logtool")

    def run(*arguments, code=0):
        done = subprocess.run([program, *map(str, arguments)], env=installation.env, capture_output=True)
        assert done.returncode == code, done.stderr.decode(errors="replace")
        return done.stdout

    return run


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    """Folder of synthetic logs with what is in them, written by the independent encoder."""
    folder = tmp_path_factory.mktemp("corpus")
    subprocess.run([sys.executable, str(ROOT / "tests" / "independent" / "corpus.py"), str(folder)], check=True)
    return folder


def without_losses(rows, version):
    """Rows of counters as this interface gives them, where the module POSIX of a log has this version."""
    lost = (b"POSIX_F_VARIANCE_RANK_TIME", b"POSIX_F_VARIANCE_RANK_BYTES") if version == 3 else ()
    return [[*row[:4], b"0.000000", *row[5:]] if row[3] in lost else row for row in rows]


def real_logs():
    return sorted((SHARED / "logs").glob("*.darshan"))
