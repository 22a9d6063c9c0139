"""Traces of MPI jobs: transfers at the bytes of the file where they went, a record for each rank."""

import collections
import os
import subprocess

import pytest

from conftest import RUNTIME, Log


def transfers(log, name, table="dxt_mpiio_segments"):
    """{(rank, way): [(offset, length)]} in order"""
    found = collections.defaultdict(list)
    for row in log.rows(table):
        if row["name"].endswith(name):
            found[int(row["rank"]), row["direction"]].append((int(row["offset"]), int(row["length"])))
    return found


def said(text):
    found = collections.defaultdict(list)
    for line in text.splitlines():
        rank, way, offset, length = line.split()
        found[int(rank), way].append((int(offset), int(length)))
    return found


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_offsets_are_bytes_of_the_file(mpi, tmp_path, ranks):
    log, done = mpi.observe(tmp_path, [*mpi.launch(ranks), mpi.compile("offsets.c"), str(tmp_path / "shared.dat")],
                            options=["--trace"])
    assert transfers(log, "/shared.dat") == said(done.stdout)
    assert len(said(done.stdout)) == 2 * ranks
    traced = [row for row in log.rows("traces") if row["interface"] == "MPI-IO" and row["name"].endswith("/shared.dat")]
    assert sorted(int(row["rank"]) for row in traced) == list(range(ranks))
    assert all(row["events"] == row["kept"] for row in traced)
    # What MPI did of them through POSIX is in a record of each rank, too.
    below = transfers(log, "/shared.dat", "dxt_posix_segments")
    assert {(0, 400), (1000, 200), (1200, 40)} <= set(below[0, "write"])
    shared = log.record("posix", "/shared.dat")
    assert sum(length for (_, way), all in below.items() if way == "write" for _, length in all) == int(
        shared["POSIX_BYTES_WRITTEN"])


def test_ranks_that_write_their_log_together_have_their_traces(mpi, tmp_path):
    done = subprocess.run([*mpi.launch(3), "env", f"LD_PRELOAD={RUNTIME}", f"TRIKAL_LOGFILE={tmp_path / 'job.darshan'}",
                           "TRIKAL_TRACE=1", mpi.compile("offsets.c"), str(tmp_path / "shared.dat")],
                          capture_output=True, text=True, timeout=120, env=dict(os.environ))
    assert done.returncode == 0, done.stderr
    log = Log(tmp_path / "job.darshan")
    assert transfers(log, "/shared.dat") == said(done.stdout)
    traced = [row for row in log.rows("traces") if row["interface"] == "MPI-IO"]
    assert sorted(int(row["rank"]) for row in traced) == [0, 1, 2]
    assert all(row["events"] == row["kept"] for row in traced)
