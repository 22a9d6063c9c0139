"""Logs for the tests of the Python package."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from package_tree import observe  # noqa: E402  behind the path, which it extends


@pytest.fixture(scope="session")
def observed(tmp_path_factory):
    """Logs of 1, 2 and 4 steps."""
    folder = tmp_path_factory.mktemp("observed")
    return [observe(folder, steps) for steps in (1, 2, 4)]


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    """Synthetic logs; edge-every-module has every module."""
    import corpus as maker
    folder = tmp_path_factory.mktemp("corpus")
    maker.write_good(folder)
    return folder


@pytest.fixture(scope="session")
def everything(corpus):
    return corpus / "edge-every-module.darshan"
