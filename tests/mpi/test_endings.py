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
        statuses = {row["bare"], row["outside"][0], row["inside"][0]}
        known = endings_table.STATUSES.get((row["mpi"], row["how"]))
        assert len(statuses) == 1 or known == () or (known and statuses <= set(known)), row


def test_page_is_of_today(table):
    assert endings_table.PAGE.read_text() == endings_table.page(table), "run tests/mpi/endings_table.py"
