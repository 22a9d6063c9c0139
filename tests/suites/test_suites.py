"""A small part of CPython's own tests under trikal run; scripts/stages/suites runs the rest."""

import pytest

import suites


def test_cpython_files():
    if not suites.available("cpython-files"):
        pytest.skip("Debian's libpython3.11-testsuite is not installed")
    wrong, tests, _, _ = suites.compare("cpython-files")
    assert not wrong, "\n".join(wrong)
    assert tests > 300
