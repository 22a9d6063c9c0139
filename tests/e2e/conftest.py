"""What the end-to-end suites share: the built tool, and logs made for a test."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / name) for name in ("independent", "support")]

from once import once  # noqa: E402  behind the path

BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()


class Tool:
    """Runs trikal; a run ends by itself within a minute or the test fails."""

    program = BUILD / "bin" / "trikal"

    def __call__(self, *args, stdin=b"", env=None, program=None):
        return subprocess.run([str(program or self.program), *map(str, args)], input=stdin, timeout=60,
                              capture_output=True, env={**os.environ, **(env or {})}, check=False)

    def text(self, *args, code=0, **more):
        """Standard output of a run that must end with this code."""
        done = self(*args, **more)
        assert done.returncode == code, (done.returncode, done.stderr.decode())
        return done.stdout.decode()


@pytest.fixture(scope="session")
def trikal():
    return Tool()


@pytest.fixture(scope="session")
def corpus_dir(tmp_path_factory):
    """The synthetic logs and what must be found in them, damaged ones in bad/; written once."""
    import corpus

    def write(out):
        corpus.write_good(out)
        corpus.write_bad(out / "bad")
    return once(tmp_path_factory, "corpus", write)
