"""What the tests of libtrikal-log share: an installed tree, programs built with it, logs with known contents."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD") or ROOT / "build" / "release").resolve()
SHARED = pathlib.Path(os.environ.get("TRIKAL_SHARED") or ROOT.parent / "shared")
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-g"]

sys.path[:0] = [str(HERE), str(ROOT / "tests" / "independent"), str(ROOT / "tests" / "e2e")]


def real_logs():
    return sorted((SHARED / "logs").glob("*.darshan"))


class Installation:
    """The tree as `cmake --install` leaves it, found the ways its users find it."""

    def __init__(self, prefix):
        subprocess.run(["cmake", "--install", str(BUILD), "--prefix", str(prefix)], check=True, capture_output=True)
        self.prefix = prefix
        self.library = next(prefix.glob("**/libtrikal-log.so"))
        self.env = dict(os.environ, PKG_CONFIG_PATH=str(self.library.parent / "pkgconfig"),
                        LD_LIBRARY_PATH=str(self.library.parent))

    def flags(self, *what):
        done = subprocess.run(["pkg-config", *what, "trikal"], check=True, capture_output=True, text=True, env=self.env)
        return done.stdout.split()

    def compile(self, program, *command):
        command = [*command, *STRICT, "-o", str(program), str(HERE / "logreader.c"), *self.flags("--cflags", "--libs")]
        subprocess.run(command, check=True)
        return program

    def build_project(self, folder):
        """tests/capi/project with CMake, which finds the package by the prefix alone."""
        for command in (["cmake", "-G", "Ninja", "-S", str(HERE / "project"), "-B", str(folder),
                         f"-DCMAKE_PREFIX_PATH={self.prefix}"], ["cmake", "--build", str(folder)]):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
        return folder

    def run(self, program, *words, code=0, **env):
        done = subprocess.run([str(program), *map(str, words)], env={**self.env, **env}, capture_output=True,
                              timeout=120, check=False)
        assert done.returncode == code, (done.returncode, done.stderr.decode(errors="replace"))
        return done


@pytest.fixture(scope="session")
def installation(tmp_path_factory):
    return Installation(tmp_path_factory.mktemp("prefix"))


@pytest.fixture(scope="session")
def logreader(installation, tmp_path_factory):
    """The program in C, by pkg-config."""
    return installation.compile(tmp_path_factory.mktemp("bin") / "logreader", "cc", "-std=c11")


@pytest.fixture(scope="session")
def corpus_dir(tmp_path_factory):
    import corpus
    out = tmp_path_factory.mktemp("corpus")
    corpus.write_good(out)
    corpus.write_bad(out / "bad")
    return out
