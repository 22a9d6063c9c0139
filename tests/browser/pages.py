"""Pages made by the built product, from a document of the test's or from a log."""

import os
import pathlib
import subprocess
import sys

import sample

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()
sys.path.append(str(ROOT / "tests" / "support"))


def write_page(data, path, title="a run"):
    maker = BUILD / "tests" / "make-page"
    assert maker.exists(), f"the build has no tests (TRIKAL_BUILD_TESTS): {maker} is not there"
    made = subprocess.run([maker, title], input=sample.embedded(data).encode(), capture_output=True, check=False)
    assert made.returncode == 0, made.stderr.decode()
    path.write_bytes(made.stdout)
    return path.as_uri()


def written_by_the_verb(log, page):
    done = subprocess.run([BUILD / "bin" / "trikal", "report", log, "-o", page], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return page.as_uri()
