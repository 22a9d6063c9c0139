"""However an MPI job ends, what its ranks did is in a log, and its status is its own."""

import os
import shutil

import pytest

import endings_table


@pytest.fixture(scope="module")
def table():
    for mpi in endings_table.MPIS:
        if shutil.which("mpicc." + mpi) is None:
            pytest.skip(f"no mpicc.{mpi}: scripts/install-deps installs it")
    if os.geteuid() != 0:
        pytest.skip("a full and a read-only file system are made with mount, which needs root")
    return list(endings_table.rows())


def test_nothing_is_lost(table):
    for row in table:
        expected = row["files"] - (1500 if row["how"] == "without" else 0)
        assert row["files"] == 4500, row
        assert row["outside"][1] == row["inside"][1] == expected, row


def test_statuses_are_the_job_s_own(table):
    for row in table:
        assert {row["bare"], row["outside"][0]} <= set(endings_table.allowed(row, inside=False)), row
        assert row["inside"][0] in endings_table.allowed(row, inside=True), row


def test_page_is_of_today(table):
    assert endings_table.PAGE.read_text() == endings_table.page(table), "run tests/mpi/endings_table.py"
