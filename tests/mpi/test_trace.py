"""Traces of MPI jobs: transfers at the bytes of the file where they went, a record for each rank."""

import collections
import os
import subprocess

import pytest

from conftest import RUNTIME, TRIKAL, Log


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


@pytest.mark.parametrize("spec, ranks", [("all,rank=1+3", {1, 3}), ("all,small=0.5,file=*/shared.dat", {0, 1, 2, 3}),
                                         ("all,small=0.5,file=*/nothing", set())])
@pytest.mark.parametrize("together", [False, True], ids=["run", "together"])
def test_rules_hold_in_every_rank(mpi, tmp_path, spec, ranks, together):
    command = [*mpi.launch(4), mpi.compile("offsets.c"), str(tmp_path / "shared.dat")]
    if together:  # the rank that writes the log sees the records of shared files as one only
        command[-2:-2] = ["env", f"LD_PRELOAD={RUNTIME}", f"TRIKAL_LOGFILE={tmp_path / 'job.darshan'}", f"TRIKAL_TRACE={spec}"]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        log = Log(tmp_path / "job.darshan")
    else:
        log, _ = mpi.observe(tmp_path, command, options=[f"--trace={spec}"])
    listed = log.rows("dxt_mpiio_segments") if ranks else []
    assert {int(row["rank"]) for row in listed} == ranks
    if not ranks:
        listed = subprocess.run([TRIKAL, "dxt", str(log.path)], capture_output=True, text=True).stdout
        assert "X_MPIIO" not in listed and "X_POSIX" not in listed
