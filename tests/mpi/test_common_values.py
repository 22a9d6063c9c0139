"""The most common sizes and gaps of shared files are those of all ranks together, not the ones that survive when the four of
each rank are folded: beside a count of what tests/mpi/programs/common_values.c does."""

import collections
import subprocess

import pytest

from conftest import TRIKAL, Log
from shutdown_support import Preloaded

OWN, COMMON, OWN_TIMES = 5, 12, 9


def sizes_of(rank):
    """How often each size comes in many.dat and mpi.dat."""
    sizes = {100 * (which + 1): 1 + (7 * which + 3 * rank) % 5 for which in range(COMMON)}
    return sizes | {10000 + 100 * rank + which: OWN_TIMES for which in range(COMMON, COMMON + OWN)}


def gaps_of(rank):
    """Each access begins behind a gap of its own size and is followed by as much: where two of unlike sizes meet, the gap is
    that of the second. The first access of a file follows none."""
    gaps = collections.Counter()
    first = True
    for size, times in sizes_of(rank).items():
        gaps[size] += times - (1 if first else 0)
        first = False
    return {gap: times for gap, times in gaps.items() if times}


def most_common(counts):
    return sorted(((times, value) for value, times in counts.items()), reverse=True)[:4]


def over_ranks(ranks, one):
    total = collections.Counter()
    for rank in range(ranks):
        total.update(one(rank))
    return most_common(total)


def tie_of(rank):
    return {1000: 6, 2000: 5, 3000: 4, 9000 if rank == 0 else 500: 1}


def shown(record, values, counts):
    found = [(int(record[counts.replace("#", str(i))]), int(record[values.replace("#", str(i))])) for i in range(1, 5)]
    return [one for one in found if one != (0, 0)]


def check(log, ranks):
    tie, many, mpi_io = log.record("posix", "tie.dat"), log.record("posix", "many.dat"), log.record("mpiio", "mpi.dat")
    assert shown(tie, "POSIX_ACCESS#_ACCESS", "POSIX_ACCESS#_COUNT") == over_ranks(ranks, tie_of)
    assert shown(many, "POSIX_ACCESS#_ACCESS", "POSIX_ACCESS#_COUNT") == over_ranks(ranks, sizes_of)
    assert shown(many, "POSIX_STRIDE#_STRIDE", "POSIX_STRIDE#_COUNT") == over_ranks(ranks, gaps_of)
    assert shown(mpi_io, "MPIIO_ACCESS#_ACCESS", "MPIIO_ACCESS#_COUNT") == over_ranks(ranks, sizes_of)


def test_what_is_asked_for_is_not_what_four_of_each_rank_give():
    """With 16 ranks no rank has any of the four among its own; with three a rank's own fit, too."""
    best = {value for _, value in over_ranks(16, sizes_of)}
    for rank in range(16):
        assert best.isdisjoint(value for _, value in most_common(sizes_of(rank)))
    assert over_ranks(16, tie_of) == [(96, 1000), (80, 2000), (64, 3000), (15, 500)]


@pytest.mark.parametrize("ranks", [3, 8, 16])
def test_ranks_that_fold_in_finalize(mpi, tmp_path, ranks):
    run = Preloaded(mpi, tmp_path, ranks, how="end", program="common_values.c")
    assert run.status == 0 and len(run.own) == 1, run.stderr
    check(Log(run.own[0]), ranks)


@pytest.mark.parametrize("ranks", [3, 8, 16])
def test_maps_that_run_gathers(mpi, tmp_path, ranks):
    data = tmp_path / "data"
    data.mkdir()
    log, _ = mpi.observe(tmp_path, [*mpi.launch(ranks), mpi.compile("common_values.c"), str(data)])
    check(log, ranks)


def test_maps_of_ranks_that_were_killed(mpi, tmp_path):
    data, log = tmp_path / "data", tmp_path / "job.darshan"
    data.mkdir()
    subprocess.run([TRIKAL, "run", "--quiet", "--log", log, "--", *mpi.launch(3), mpi.compile("common_values.c"), data,
                    "killed"], capture_output=True, timeout=120)
    check(Log(log), 3)


def test_logs_that_merge_joins(mpi, tmp_path):
    """A log has no more than four of each rank: those are added up, and cut once."""
    run = Preloaded(mpi, tmp_path, 8, how="end", program="common_values.c", environment={"TRIKAL_MPI_DEADLINE": "0"})
    assert len(run.own) == 8, run.stderr
    merged = tmp_path / "merged.darshan"
    subprocess.run([TRIKAL, "merge", "--shared-redux", "--reduce-some", "-o", merged, *run.own], check=True, capture_output=True)
    tie = Log(merged).record("posix", "tie.dat")
    assert shown(tie, "POSIX_ACCESS#_ACCESS", "POSIX_ACCESS#_COUNT") == over_ranks(8, tie_of)
