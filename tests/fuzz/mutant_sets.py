"""Which damaged logs are read: the fixed ones, then random ones of a seed. Mutant i of a job is always the same."""

import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "independent"))
import corpus  # noqa: E402
import mutate  # noqa: E402
import trailer_mutants  # noqa: E402
from encoder import encode  # noqa: E402
from ground import badlogs  # noqa: E402

LARGEST_REAL = 200_000
TRAILER_SHARE = 8  # one in so many random mutants has a damaged trailer
LARGEST_EXPANDED = 1 << 20  # of a log that random mutants are made of


def real_logs():
    shared = pathlib.Path(os.environ.get("TRIKAL_SHARED") or ROOT.parent / "shared")
    logs = [path for path in sorted(shared.glob("logs/**/*.darshan")) if path.stat().st_size <= LARGEST_REAL]
    return [(path.name, path.read_bytes()) for path in logs]


def seed_logs():
    made = [(f"{name}.darshan", encode(log, physical)) for name, log, physical in corpus.good_logs()]
    return made + real_logs()


def every_truncation(prepared):
    """The smallest log of many regions, cut after every byte."""
    seed = min((s for s in prepared if len(s.regions) >= 7), key=lambda s: len(s.data))
    for size in range(len(seed.data)):
        yield f"cut-{size:06d}-{seed.name}", seed.data[:size]


def every_boundary(prepared):
    """Every log, cut at each end of each region and a byte to either side."""
    for seed in prepared:
        edges = {edge + by for _, offset, size in seed.regions for edge in (offset, offset + size)
                 for by in (-1, 0, 1)}
        for edge in sorted(edge for edge in edges if 0 < edge < len(seed.data)):
            yield f"edge-{edge:06d}-{seed.name}", seed.data[:edge]


def expands_to(log):
    """Bytes of its largest region. A large one taken for records is honest work of a second under the sanitizers,
    and says nothing about hanging."""
    return max((len(log.expanded(key) or b"") for key, _, _ in log.regions), default=0)


class Mutants:
    """All of a run; `share(job, jobs)` deals them out."""

    def __init__(self, seed, count):
        self.seed, self.count = seed, count
        self.prepared = mutate.prepare(seed_logs())
        self.small = [log for log in self.prepared if expands_to(log) <= LARGEST_EXPANDED]
        self.trailers = trailer_mutants.bases(self.prepared)

    def fixed(self):
        yield from every_truncation(self.prepared)
        yield from every_boundary(self.prepared)
        yield from trailer_mutants.every_cut(self.trailers)
        for bad in badlogs.bad_logs():
            yield f"bad-{bad.file}", bad.data

    def random(self, index):
        if index % TRAILER_SHARE == 0:
            return trailer_mutants.mutant(self.seed, index, self.trailers)
        return mutate.mutant(self.seed, index, self.small)

    def share(self, job, jobs):
        for index, mutant in enumerate(self.fixed()):
            if index % jobs == job:
                yield mutant
        for index in range(job, self.count, jobs):
            yield self.random(index)


def kind_of(name):
    """'000012-flip_packed-x.darshan' is of kind flip_packed, 'cut-0012-x.darshan' of kind cut."""
    first, second = name.split("-")[:2]
    return second if first.isdigit() else first
