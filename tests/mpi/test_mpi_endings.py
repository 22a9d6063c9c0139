"""docs/mpi-endings.md is what the table says today."""

import shutil

import pytest

import mpi_endings_table


def test_page_of_endings_is_todays():
    for name in mpi_endings_table.LAUNCH:
        if shutil.which("mpicc." + name) is None:
            pytest.skip(f"no mpicc.{name}: scripts/install-deps installs it")
    assert mpi_endings_table.PAGE.read_text() == mpi_endings_table.page()
