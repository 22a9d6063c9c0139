"""How large the records of a log would be if its ranks had written them the way Darshan 3.x does.

There each rank compresses its names and its records of each module as a zlib stream of its own, at level 6; records of
shared files, and the names of files that all ranks know, are rank 0's. A module that has records of shared files has its
records in the order of their ids, shared ones last (all ranks must have the same order to add them up). The job's own
region is taken as it is. Darshan's times are multiples of 2^-22 s (doubles of seconds since 1970), ours of 2^-20: with
`finer` the two bits that are missing are made up at random, equal times of a record alike, so that they weigh what they
do in a log of Darshan's own; and so are the bits of variances that our logs leave out, for Darshan keeps all of them.
"""

import collections
import pathlib
import random
import struct
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "independent"))

from ground import container, fixed  # noqa: E402
from ground.tables import COUNTERS, MODULE_NAMES  # noqa: E402

LEVEL = 6
HEATMAP_HEAD = 48  # id, rank, width of a bin, number of bins, two words; then the bins of writes and of reads
FINEST = 2.0 ** -22


def cut(raw, module, version, order):
    """The region's records as (id, rank, bytes)."""
    at = 0
    while at < len(raw):
        ident, rank = struct.unpack_from(order + "Qq", raw, at)
        if module == "HEATMAP":
            size = HEATMAP_HEAD + 16 * struct.unpack_from(order + "q", raw, at + 24)[0]
        else:
            size = fixed.record_struct(module, version, order).size
        yield ident, rank, raw[at:at + size]
        at += size


def all_bits(value, noise):
    """The value with random bits instead of the zeros at the end of its mantissa."""
    bits = struct.unpack("<Q", struct.pack("<d", value))[0]
    free = min((bits & -bits).bit_length() - 1, 52) if bits else 0
    return struct.unpack("<d", struct.pack("<Q", bits | noise.getrandbits(free) if free else bits))[0]


def finer_times(record, module, order, noise):
    if module not in COUNTERS or not COUNTERS[module][1]:
        return record
    ints, reals = COUNTERS[module]
    values = list(struct.unpack(f"{order}Qq{len(ints)}q{len(reals)}d", record))
    made = {0.0: 0.0}
    for index, name in enumerate(reals, 2 + len(ints)):
        if name.endswith("_VARIANCE_RANK_TIME"):
            values[index] = all_bits(values[index], noise)
        elif "VARIANCE" not in name:
            values[index] = made.setdefault(values[index], values[index] + noise.choice((-1, 0, 1, 2)) * FINEST)
    return struct.pack(f"{order}Qq{len(ints)}q{len(reals)}d", *values)


def packed_size(data, finer):
    """Bytes of job, names and records, compressed that way; the header aside."""
    header = container.parse_header(data)
    order, noise = header.order, random.Random(1)
    job = container.job_extent(header, len(data))[1]
    by_module, known = {}, collections.defaultdict(set)
    for ident, extent in sorted(header.mod_map.items()):
        raw, problem = container.region(data, header, extent)
        assert not problem, problem
        module = MODULE_NAMES[ident]
        streams = by_module.setdefault(ident, collections.defaultdict(bytearray))
        records = list(cut(raw, module, header.mod_ver[ident], order))
        if any(rank < 0 for _, rank, _ in records):
            records.sort(key=lambda one: (-one[1], one[0]))
        for name, rank, record in records:
            if finer and module != "HEATMAP":
                record = finer_times(record, module, order, noise)
            streams[max(rank, 0)] += record
            known[name].add(rank)
    names, problem = container.parse_names(container.region(data, header, header.name_map)[0], header)
    assert not problem, problem
    ranks = len({rank for users in known.values() for rank in users} - {-1})
    by_rank = collections.defaultdict(bytearray)
    for ident, name in names:
        users = known[ident]
        for rank in [0] if -1 in users or len(users) == ranks else users:
            by_rank[rank] += struct.pack(order + "Q", ident) + name + b"\0"
    every = [by_rank, *by_module.values()]
    return job + sum(len(zlib.compress(bytes(raw), LEVEL)) for streams in every for raw in streams.values())
