"""What the tests of libtrikal-log share: an installed tree, programs built with it, logs with known contents."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent

sys.path[:0] = [str(HERE), *(str(ROOT / "tests" / name) for name in ("independent", "e2e", "support"))]

from installed import BUILD, Installed  # noqa: E402,F401  behind the path; for the tests too
from once import once  # noqa: E402


class Installation(Installed):
    package, file = "trikal", "libtrikal-log.so"

    def compile(self, program, *command):
        return super().compile(HERE / "logreader.c", program, *command, "-Wpedantic")

    def build_project(self, folder):
        """tests/capi/project with CMake, which finds the package by the prefix alone."""
        for command in (["cmake", "-G", "Ninja", "-S", str(HERE / "project"), "-B", str(folder),
                         f"-DCMAKE_PREFIX_PATH={self.prefix}"], ["cmake", "--build", str(folder)]):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
        return folder


@pytest.fixture(scope="session")
def installation(tmp_path_factory):
    return Installation(once(tmp_path_factory, "prefix", Installation.install))


@pytest.fixture(scope="session")
def logreader(installation, tmp_path_factory):
    """The program in C, by pkg-config."""
    return installation.compile(tmp_path_factory.mktemp("bin") / "logreader", "cc", "-std=c11")


@pytest.fixture(scope="session")
def corpus_dir(tmp_path_factory):
    import corpus

    def write(out):
        corpus.write_good(out)
        corpus.write_bad(out / "bad")
    return once(tmp_path_factory, "corpus", write)
