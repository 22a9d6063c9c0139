#!/usr/bin/env python3
"""Writes the log of a job that never ran: four ranks write a checkpoint row by row.

  checkpoint_log.py OUT.darshan

Every counter is worked out from a list of operations, so totals, trace and counters agree. The antipatterns in it:
4 KiB writes interleaved by all ranks, a notes file opened and closed for every line, one rank reading alone.
Uses the encoder of tests/independent, which knows the format from the specification alone.
"""

import collections
import pathlib
import sys
from dataclasses import dataclass

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests" / "independent"))

from encoder import encode  # noqa: E402
from ground.lookup8 import hash64  # noqa: E402
from ground.model import Log, Module  # noqa: E402
from ground.tables import COUNTERS, MODULE_IDS  # noqa: E402

RANKS, ROWS, ROW = 4, 256, 4096
MIB = 1 << 20
SIZES = [100, 1 << 10, 10 << 10, 100 << 10, MIB, 4 * MIB, 10 * MIB, 100 * MIB, 1 << 30]
CLASSES = ["0_100", "100_1K", "1K_10K", "10K_100K", "100K_1M", "1M_4M", "4M_10M", "10M_100M", "100M_1G", "1G_PLUS"]


@dataclass
class Op:
    kind: str  # open, read, write, close
    start: float
    end: float
    offset: int = 0
    length: int = 0


def timeline():
    """{path: {rank: [Op, ...]}}: what the job did, second by second."""
    mesh = [Op("open", 0.010, 0.012)]
    mesh += [Op("read", 0.02 + i * 0.03, 0.045 + i * 0.03, i * MIB, MIB) for i in range(16)]
    mesh.append(Op("close", 0.51, 0.511))
    rows = {}
    for rank in range(RANKS):
        slow = 2.5 if rank == 0 else 1.0  # rank 0 also keeps the notes
        begin = [0.6 + i * 0.01 + rank * 0.002 for i in range(ROWS)]
        rows[rank] = [Op("open", 0.55, 0.555)]
        rows[rank] += [Op("write", at, at + 0.0008 * slow, (i * RANKS + rank) * ROW, ROW) for i, at in enumerate(begin)]
        rows[rank].append(Op("close", 3.3, 3.302))
    notes = []
    for line in range(100):
        at = 0.605 + line * 0.02
        notes += [Op("open", at, at + 0.001), Op("write", at + 0.001, at + 0.0011, line * 40, 40),
                  Op("close", at + 0.0011, at + 0.0012)]
    return {b"/scratch/run/mesh.nc": {0: mesh}, b"/scratch/run/checkpoint.dat": rows, b"/home/user/notes.txt": {0: notes}}


def size_class(length):
    return CLASSES[sum(length > bound for bound in SIZES)]


def count_moves(counters, ops, kind):
    """Counters of one rank's reads or writes: sizes, order, gaps, times."""
    moves = [op for op in ops if op.kind == kind]
    verb, done = kind.upper(), {"read": "READ", "write": "WRITTEN"}[kind]
    counters[f"POSIX_{verb}S"] += len(moves)
    for before, op in zip([None, *moves], moves):
        counters[f"POSIX_BYTES_{done}"] += op.length
        counters[f"POSIX_MAX_BYTE_{done}"] = max(counters[f"POSIX_MAX_BYTE_{done}"], op.offset + op.length - 1)
        counters[f"POSIX_SIZE_{verb}_{size_class(op.length)}"] += 1
        counters[f"POSIX_F_{verb}_TIME"] += op.end - op.start
        if before and op.offset > before.offset:
            counters[f"POSIX_SEQ_{verb}S"] += 1
            counters[f"POSIX_CONSEC_{verb}S"] += op.offset == before.offset + before.length
    return moves


def top_four(counters, form, values):
    for slot, (value, times) in enumerate(collections.Counter(values).most_common(4), 1):
        counters[f"POSIX_{form}{slot}_{form}"] = value
        counters[f"POSIX_{form}{slot}_COUNT"] = times


def stamp(counters, ops):
    for kind in ("open", "read", "write", "close"):
        times = [(op.start, op.end) for op in ops if op.kind == kind]
        if times:
            counters[f"POSIX_F_{kind.upper()}_START_TIMESTAMP"] = min(start for start, _ in times)
            counters[f"POSIX_F_{kind.upper()}_END_TIMESTAMP"] = max(end for _, end in times)


def posix_record(path, by_rank):
    counters = collections.defaultdict(int)
    sizes, spent = [], {}
    for rank, ops in by_rank.items():
        moves = count_moves(counters, ops, "read") + count_moves(counters, ops, "write")
        sizes += [op.length for op in moves]
        counters["POSIX_OPENS"] += sum(op.kind == "open" for op in ops)
        counters["POSIX_F_META_TIME"] += sum(op.end - op.start for op in ops if op.kind in ("open", "close"))
        spent[rank] = (sum(op.end - op.start for op in ops), sum(op.length for op in moves))
    top_four(counters, "ACCESS", sizes)
    stamp(counters, [op for ops in by_rank.values() for op in ops])
    if len(by_rank) == RANKS:
        for word, pick in (("FASTEST", min), ("SLOWEST", max)):
            rank = pick(spent, key=lambda key: spent[key][0])
            counters[f"POSIX_{word}_RANK"], counters[f"POSIX_{word}_RANK_BYTES"] = rank, spent[rank][1]
            counters[f"POSIX_F_{word}_RANK_TIME"] = spent[rank][0]
        mean = sum(seconds for seconds, _ in spent.values()) / RANKS
        counters["POSIX_F_VARIANCE_RANK_TIME"] = sum((s - mean) ** 2 for s, _ in spent.values()) / RANKS
    ints, reals = COUNTERS["POSIX"]
    unknown = counters.keys() - {*ints, *reals}
    assert not unknown, unknown
    return {"id": hash64(path), "rank": -1 if len(by_rank) == RANKS else 0,
            "counters": {**{name: counters[name] for name in ints}, **{name: float(counters[name]) for name in reals}}}


def trace_records(path, by_rank):
    for rank, ops in by_rank.items():
        segments = {kind: [(op.offset, op.length, op.start, op.end, None) for op in ops if op.kind == kind]
                    for kind in ("read", "write")}
        yield {"id": hash64(path), "rank": rank, "shared": int(len(by_rank) == RANKS), "host": b"node0001",
               "writes": segments["write"], "reads": segments["read"]}


def make():
    files = timeline()
    log = Log(text=b"./checkpoint 256\nlustre\t/scratch\nnfs\t/home\next4\t/", metadata=b"lib_ver=3.5.0\nh=romio_no_indep_rw=true\n")
    log.job = {"uid": 1000, "start_sec": 1763000000, "start_nsec": 0, "end_sec": 1763000003, "end_nsec": 400000000,
               "nprocs": RANKS, "jobid": 4242}
    log.names = [(hash64(path), path) for path in files]
    log.modules[MODULE_IDS["POSIX"]] = Module(4, [posix_record(path, ranks) for path, ranks in files.items()])
    traces = [record for path, ranks in files.items() for record in trace_records(path, ranks)]
    log.modules[MODULE_IDS["DXT_POSIX"]] = Module(1, traces)  # what the released 3.5.0 writes: no threads
    return log


def main(argv):
    if len(argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    pathlib.Path(argv[1]).write_bytes(encode(make()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
