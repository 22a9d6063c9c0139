"""--perf and --file worked out again from decoded records, by the rules of the specification."""

import struct

PREFIX = {"POSIX": "POSIX", "MPI-IO": "MPIIO", "STDIO": "STDIO", "DFS": "DFS", "DAOS": "DAOS"}
KNOWS_OFFSETS = {"POSIX", "STDIO"}


def wrapped(number):
    """As a machine's 64-bit sum."""
    return struct.unpack("<q", struct.pack("<Q", number % (1 << 64)))[0]


def ratio(bytes_moved, seconds):
    return bytes_moved / 1048576 / seconds if seconds else 0.0


class Files:
    """Records of one file together: bytes, the furthest offset, how many processes (-1: all)."""

    def __init__(self):
        self.files = {}

    def add(self, ident, rank, read, written, reach):
        file = self.files.setdefault(ident, {"read": 0, "written": 0, "reach": 0, "procs": 0})
        file["read"] = wrapped(file["read"] + read)
        file["written"] = wrapped(file["written"] + written)
        file["reach"] = -1 if reach is None else max(file["reach"], reach)
        file["procs"] = -1 if rank == -1 or file["procs"] == -1 else file["procs"] + 1

    def line(self, wanted):
        chosen = [f for f in self.files.values() if wanted(f)]
        moved = wrapped(sum(f["read"] + f["written"] for f in chosen))
        reach = 0
        for file in chosen:
            reach = -1 if file["reach"] < 0 else max(reach, file["reach"])
        return [len(chosen), moved, reach]

    def lines(self):
        shared = self.line(lambda f: f["procs"] < 0)
        partly = self.line(lambda f: f["procs"] not in (-1, 1))
        rows = {
            "total": self.line(lambda f: True),
            "read_only": self.line(lambda f: f["read"] > 0 and f["written"] == 0),
            "write_only": self.line(lambda f: f["read"] == 0 and f["written"] > 0),
            "read_write": self.line(lambda f: f["read"] > 0 and f["written"] > 0),
            "unique": self.line(lambda f: f["procs"] == 1),
            "shared": [wrapped(a + b) for a, b in zip(shared, partly)],
        }
        return [f"# {label}: {' '.join(map(str, row))}" for label, row in rows.items()]


def lines(module, records):
    """The lines with numbers that a module's --file --perf blocks must hold, in order."""
    prefix = PREFIX[module]
    files, ranks, moved, shared = Files(), {}, 0, 0.0
    for record in records:
        get = lambda name, c=record["counters"]: c[f"{prefix}_{name}"]  # noqa: E731
        read, written = get("BYTES_READ"), get("BYTES_WRITTEN")
        reach = max(get("MAX_BYTE_READ"), get("MAX_BYTE_WRITTEN")) if module in KNOWS_OFFSETS else None
        files.add(record["id"], record["rank"], read, written, reach)
        moved += read + written
        if record["rank"] == -1:
            shared += get("F_SLOWEST_RANK_TIME")
            continue
        sums = ranks.setdefault(record["rank"], [0.0, 0.0, 0.0])
        sums[0] += get("F_META_TIME") + get("F_READ_TIME") + get("F_WRITE_TIME")
        sums[1] += get("F_META_TIME")
        sums[2] += get("F_READ_TIME") + get("F_WRITE_TIME")
    slowest, (io, meta, rw) = 0, (0.0, 0.0, 0.0)
    for rank in sorted(ranks):
        if ranks[rank][0] > io:
            slowest, (io, meta, rw) = rank, ranks[rank]
    moved = wrapped(moved)
    return files.lines() + [
        f"# total_bytes: {moved}",
        f"# unique files: slowest_rank_io_time: {io:f}",
        f"# unique files: slowest_rank_meta_only_time: {meta:f}",
        f"# unique files: slowest_rank_rw_only_time: {rw:f}",
        f"# unique files: slowest_rank: {slowest}",
        f"# shared files: time_by_slowest: {shared:f}",
        f"# agg_time_by_slowest: {io + shared:f} # seconds",
        f"# agg_perf_by_slowest: {ratio(moved, io + shared):f} # MiB/s",
    ]
