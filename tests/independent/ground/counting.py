"""Counters of a file from the accesses to it, by the rules of the specification. Shares nothing with the runtime.

Where the original is known to be wrong (golden/exceptions.tsv) this has the right value: each descriptor has its own
position, which the caller keeps; what appends writes at the end of the file.
"""

import bisect

from .folds import set_slots, zeros

EDGES = [100, 1 << 10, 10 << 10, 100 << 10, 1 << 20, 4 << 20, 10 << 20, 100 << 20, 1 << 30]  # each the last of its class
BINS = "0_100 100_1K 1K_10K 10K_100K 100K_1M 1M_4M 4M_10M 10M_100M 100M_1G 1G_PLUS".split()
FOLLOWED = 32  # different values; what comes later is not listed
NEVER = (0.0, 0.0)


def size_class(size):
    return BINS[bisect.bisect_left(EDGES, size)]


class Common:
    """How often each value was seen, and the four seen most."""

    def __init__(self):
        self.seen = {}

    def add(self, value):
        if value in self.seen or len(self.seen) < FOLLOWED:
            self.seen[value] = self.seen.get(value, 0) + 1

    def four(self):
        pairs = [(value, count) for value, count in self.seen.items() if value != 0]
        return sorted(pairs, key=lambda pair: (-pair[1], -pair[0]))[:4]


class Record:
    """What all interfaces have: times of each kind of operation, and which way the last one went."""

    module = prefix = ""

    def __init__(self):
        self.values = zeros(self.module)
        self.sizes, self.strides = Common(), Common()
        self.ends = {"META": 0.0, "READ": 0.0, "WRITE": 0.0}
        self.last_way = None

    def count(self, name, by=1):
        self.values[f"{self.prefix}_{name}"] += by

    def put(self, name, value):
        self.values[f"{self.prefix}_{name}"] = value

    def get(self, name):
        return self.values[f"{self.prefix}_{name}"]

    def mark(self, event, when):
        """The start of the first and the end of the last."""
        start = self.get(f"F_{event}_START_TIMESTAMP")
        self.put(f"F_{event}_START_TIMESTAMP", min(start, when[0]) if start else when[0])
        self.put(f"F_{event}_END_TIMESTAMP", max(self.get(f"F_{event}_END_TIMESTAMP"), when[1]))

    def spend(self, kind, when):
        """Time that no operation of this kind has taken already."""
        self.count(f"F_{kind}_TIME", max(0.0, when[1] - max(when[0], self.ends[kind])))
        self.ends[kind] = max(self.ends[kind], when[1])

    def moved(self, way, size, when, infix=""):
        """What a transfer of any interface with sizes counts: way is READ or WRITE."""
        if self.last_way not in (None, way):
            self.count("RW_SWITCHES")
        self.last_way = way
        self.count("BYTES_READ" if way == "READ" else "BYTES_WRITTEN", size)
        self.count(f"SIZE_{way}_{infix}{size_class(size)}")
        self.sizes.add(size)
        if when[1] - when[0] > self.get(f"F_MAX_{way}_TIME"):
            self.put(f"F_MAX_{way}_TIME", when[1] - when[0])
            self.put(f"MAX_{way}_TIME_SIZE", size)
        self.mark(way, when)
        self.spend(way, when)

    def counters(self):
        found = dict(self.values)
        for kind, common in (("ACCESS", self.sizes), ("STRIDE", self.strides)):
            if f"{self.prefix}_{kind}1_COUNT" in found:
                set_slots(found, self.prefix, kind, common.four())
        return found


class Posix(Record):
    module = prefix = "POSIX"

    def __init__(self, memory_alignment=8, file_alignment=4096):
        super().__init__()
        self.put("MEM_ALIGNMENT", memory_alignment)
        self.put("FILE_ALIGNMENT", file_alignment)
        self.last_byte = {"READ": 0, "WRITE": 0}

    def open(self, mode=0, when=NEVER):
        self.last_byte = {"READ": 0, "WRITE": 0}
        self.count("OPENS")
        if mode:
            self.put("MODE", mode)
        self.mark("OPEN", when)
        self.spend("META", when)

    def duplicate(self, when=NEVER):
        self.count("OPENS")
        self.count("DUPS")
        self.mark("OPEN", when)
        self.spend("META", when)

    def close(self, when=NEVER):
        self.last_byte = {"READ": 0, "WRITE": 0}
        self.mark("CLOSE", when)
        self.spend("META", when)

    def transfer(self, way, offset, size, when=NEVER, aligned=True):
        last = self.last_byte[way]
        if offset > last:
            self.count(f"SEQ_{way}S")
        if offset == last + 1:
            self.count(f"CONSEC_{way}S")
        self.strides.add(offset - last - 1 if offset > last and last != 0 else 0)
        self.last_byte[way] = offset + size - 1
        reach = "MAX_BYTE_READ" if way == "READ" else "MAX_BYTE_WRITTEN"
        self.put(reach, max(self.get(reach), offset + size - 1))
        self.count(f"{way}S")
        if not aligned:
            self.count("MEM_NOT_ALIGNED")
        if self.get("FILE_ALIGNMENT") > 0 and offset % self.get("FILE_ALIGNMENT"):
            self.count("FILE_NOT_ALIGNED")
        self.moved(way, size, when)

    def meta(self, name, when=NEVER):
        """SEEKS, STATS."""
        self.count(name)
        self.spend("META", when)

    def sync(self, name="FSYNCS", when=NEVER):
        self.count(name)
        self.spend("WRITE", when)


class Mpiio(Record):
    module, prefix = "MPI-IO", "MPIIO"

    def open(self, ranks, mode, hints=False, when=NEVER):
        self.count("INDEP_OPENS" if ranks == 1 else "COLL_OPENS")
        self.put("MODE", mode)
        self.count("HINTS", int(hints))
        self.mark("OPEN", when)
        self.spend("META", when)

    def close(self, when=NEVER):
        self.mark("CLOSE", when)
        self.spend("META", when)

    def transfer(self, way, kind, size, when=NEVER):
        """kind is INDEP, COLL, SPLIT or NB."""
        self.count(f"{kind}_{way}S")
        self.moved(way, size, when, "AGG_")

    def view(self, hints=False, when=NEVER):
        self.count("VIEWS")
        self.count("HINTS", int(hints))
        self.spend("META", when)

    def sync(self, when=NEVER):
        self.count("SYNCS")
        self.spend("WRITE", when)


class Stdio(Record):
    module = prefix = "STDIO"

    def open(self, on_descriptor=False, when=NEVER):
        self.count("OPENS")
        self.count("FDOPENS", int(on_descriptor))
        self.mark("OPEN", when)
        self.spend("META", when)

    def close(self, when=NEVER):
        self.mark("CLOSE", when)
        self.spend("META", when)

    def transfer(self, way, offset, size, when=NEVER):
        self.count(f"{way}S")
        reach, moved = ("MAX_BYTE_READ", "BYTES_READ") if way == "READ" else ("MAX_BYTE_WRITTEN", "BYTES_WRITTEN")
        self.count(moved, size)
        self.put(reach, max(self.get(reach), offset + size - 1))
        self.mark(way, when)
        self.spend(way, when)

    def flush(self, when=NEVER):
        self.count("FLUSHES")
        self.mark("WRITE", when)
        self.spend("WRITE", when)

    def seek(self, when=NEVER):
        self.count("SEEKS")
        self.spend("META", when)


class Plain(Record):
    """Interfaces that count calls by name besides: HDF5, PnetCDF and DAOS objects."""

    def __init__(self, module, infix=""):
        self.module = self.prefix = module
        self.infix = infix
        super().__init__()

    def open(self, name="OPENS", when=NEVER):
        self.count(name)
        self.mark("OPEN", when)
        self.spend("META", when)

    def close(self, when=NEVER):
        self.mark("CLOSE", when)
        self.spend("META", when)

    def transfer(self, way, names, size, when=NEVER):
        for name in names:
            self.count(name)
        self.moved(way, size, when, self.infix)
