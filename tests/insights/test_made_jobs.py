"""Findings of machines that are not at hand: jobs on Lustre and on a network home, written by the independent encoder.

Every finding has a log beside it in which just its cause is missing.
"""

import pathlib
import random
import sys

import pytest

from test_insights import ROOT, findings, trikal

sys.path[:0] = [str(ROOT / "tests" / name) for name in ("independent", "support")]
import decoder  # noqa: E402  behind the path
import encoder  # noqa: E402
from ground import jobs  # noqa: E402
from ground.model import Log, Module  # noqa: E402
from ground.synth import text_of  # noqa: E402
from ground.tables import MODULE_IDS  # noqa: E402
from log_files import by_name, reads_logs  # noqa: E402

MIB = 1 << 20
MOUNTS = [(b"/", b"ext4"), (b"/scratch", b"lustre"), (b"/home", b"nfs")]


def steps(name, size=MIB, count=16):
    """A rank writes its part of a shared file."""
    def work(rank):
        rank.posix(name).open(0o644, rank.spent(1e-4))
        for step in range(count):
            rank.posix_transfer(name, "WRITE", (step * jobs.RANKS + rank.rank) * size, size)
        rank.posix(name).close(rank.spent(1e-5))
    return work


def write(path, work, targets=None, mounts=MOUNTS):
    """The log of four ranks that do this work; `targets` are those that Lustre keeps each file on."""
    ranks = [jobs.Rank(number, random.Random(number)) for number in range(jobs.RANKS)]
    for rank in ranks:
        for part in work:
            part(rank)
    names = list(dict.fromkeys(name for rank in ranks for _, name in rank.files))
    modules = {MODULE_IDS["POSIX"]: Module(4, list(jobs.fixed_records("POSIX", ranks)))}
    if targets:
        modules[MODULE_IDS["LUSTRE"]] = Module(2, [jobs.layout(2, name, targets) for name in names])
    seconds = max(rank.now for rank in ranks)
    job = {"uid": 1, "start_sec": jobs.START, "start_nsec": 0, "end_sec": jobs.START + int(seconds) + 1, "end_nsec": 0,
           "nprocs": jobs.RANKS, "jobid": 1}
    log = Log(job=job, metadata=b"lib_ver=3.5.0\n", text=text_of(b"./model", mounts),
              names=[(jobs.hash64(name), name) for name in names], modules=modules)
    path.write_bytes(encoder.encode(log))
    return path


def codes(path, policy=None):
    return {finding["code"]: finding for finding in findings(path, policy)["findings"]}


FIELDS, HOME = b"/scratch/fields", b"/home/user/fields"
CASES = [
    ("single-stripe", "4 ranks move 64.0 MiB", ([steps(FIELDS)], [3]), ([steps(FIELDS)], [3, 4, 5, 6])),
    ("single-stripe", "on one storage target", ([steps(FIELDS, 4 * MIB, 4)], [0]), ([steps(FIELDS, 64 << 10)], [0])),
    ("slow-file-system", "64.0 MiB on a network home while /scratch", ([steps(HOME)],), ([steps(FIELDS)],)),
    ("slow-file-system", "/home (nfs)", ([steps(HOME), steps(FIELDS)],), ([steps(HOME)], None, [(b"/", b"ext4"), (b"/home", b"nfs")])),
]


@pytest.mark.parametrize("code, text, has_it, has_it_not", CASES)
def test_what_a_job_has(tmp_path, code, text, has_it, has_it_not):
    found = codes(write(tmp_path / "bad.darshan", *has_it))
    assert code in found and text in str(found[code]), found
    assert code not in codes(write(tmp_path / "good.darshan", *has_it_not))


def test_seconds_of_a_single_stripe(tmp_path):
    """Half of the slowest rank's time of reading and writing, and of few ranks no more than the bytes take at 300 MiB/s."""
    log = write(tmp_path / "log.darshan", [steps(FIELDS)], [3])
    (record,) = decoder.decode(pathlib.Path(log).read_bytes())[0].modules[MODULE_IDS["POSIX"]].records
    counters = record["counters"]
    moving = counters["POSIX_F_READ_TIME"] + counters["POSIX_F_WRITE_TIME"]
    served = min(moving, jobs.RANKS * counters["POSIX_BYTES_WRITTEN"] / (300 * MIB))
    slowest = counters["POSIX_F_SLOWEST_RANK_TIME"] / (moving + counters["POSIX_F_META_TIME"])
    found = codes(log)["single-stripe"]
    assert found["seconds"] == pytest.approx(served / 2 * max(slowest, 1 / jobs.RANKS)) and found["least"] == 0


@reads_logs
def test_many_datasets_of_a_site_that_counts_few(tmp_path):
    """The limits are a thousand datasets of 64 KiB; this log has two of 512 KiB."""
    policy = tmp_path / "policy"
    policy.write_text("[many-datasets]\ndatasets = 2\nbytes = 1048576\n")
    log = by_name("job-3.5.0-le")
    records = decoder.decode(log.read_bytes())[0].modules[MODULE_IDS["H5D"]].records
    assert len(records) == 2 and "many-datasets" not in codes(log)
    found = codes(log, policy)["many-datasets"]
    assert "2 HDF5 datasets" in found["title"]
    seconds = sum(record["counters"]["H5D_F_META_TIME"] for record in records)
    # The slowest rank's, who takes no less than the mean of all.
    assert seconds / jobs.RANKS * 0.999 <= found["seconds"] <= seconds


def test_files_of_mpi_are_left_out_of_lists(tmp_path):
    own = b"/tmp/ompi.node7.1000/pid.17/1/sh_cid-0.sm"
    text = trikal("summary", write(tmp_path / "own.darshan", [steps(b"/scratch/fields"), steps(own)])).stdout
    listed = text[text.index("slowest of "):]
    assert listed.startswith("slowest of 1 file (1 more: MPI's own or trikal's)") and "ompi" not in listed[:listed.index("\n\n")]
