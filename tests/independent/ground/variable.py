"""Records whose size depends on what they hold: LUSTRE, DXT, HEATMAP, MDHIM, APMPI, APXC.

Counts come from the file and are believed only as far as the region has bytes for them.
"""

import struct

from .tables import (APMPI_GLOBAL, APMPI_INTS, APMPI_MAGIC, APMPI_SYNC, APMPI_TIMES, APXC_COUNTERS,
                     APXC_HEAD, APXC_MAGIC, APXC_LOCATION, COUNTERS, LUSTRE_COMP)


class Bad(Exception):
    """This record cannot be read, so none behind it can be found."""


class Cursor:
    def __init__(self, raw, order):
        self.raw, self.order, self.at = raw, order, 0

    def left(self):
        return len(self.raw) - self.at

    def take(self, form, count=1):
        """`count` times `form`; the count may be any integer a hostile file can hold."""
        size = struct.calcsize("<" + form)
        if count < 0:
            raise Bad(f"negative count {count}")
        if size * count > self.left():
            raise Bad(f"record needs {size * count} bytes, {self.left()} left")
        values = struct.unpack_from(self.order + form * count, self.raw, self.at)
        self.at += size * count
        return values

    def peek(self, form, ahead):
        if self.left() < ahead + struct.calcsize("<" + form):
            return None
        return struct.unpack_from(self.order + form, self.raw, self.at + ahead)[0]

    def array(self, kind, count):
        if count < 0:
            raise Bad(f"negative count {count}")
        if 8 * count > self.left():
            raise Bad(f"{count} values promised, {self.left()} bytes left")
        return list(self.take(f"{count}{kind}"))


def _chars(raw):
    return raw.split(b"\0")[0]


def _lustre_1(cur):
    ident, rank, _osts, _mdts, _offset, size, width = cur.take("Qq5q")
    comp = dict(zip(LUSTRE_COMP, [size, width, -1, -1, 0, -1, -1]), POOL_NAME=b"")
    comp["OST_IDS"] = cur.array("q", width)
    return {"id": ident, "rank": rank, "components": [comp]}


def _lustre_2(cur):
    ident, rank, n_comps, n_stripes = cur.take("Qq2q")
    if n_comps < 0 or 72 * n_comps > cur.left():
        raise Bad(f"{n_comps} components promised, {cur.left()} bytes left")
    comps = []
    for _ in range(n_comps):
        *values, pool = cur.take("7q16s")
        comps.append({**dict(zip(LUSTRE_COMP, values)), "POOL_NAME": _chars(pool)})
    osts = cur.array("q", n_stripes)
    kept = []
    for comp in comps:
        if comp["STRIPE_SIZE"] == -1:  # an unused slot ends the list
            break
        count = comp["STRIPE_COUNT"]
        if not 0 <= count <= len(osts):
            raise Bad(f"component with {count} stripes, {len(osts)} left")
        comp["OST_IDS"], osts = osts[:count], osts[count:]
        kept.append(comp)
    return {"id": ident, "rank": rank, "components": kept}


def _segments(cur, count, threads, keep_offsets):
    form = "2q2dQ" if threads else "2q2d"
    if count < 0 or count * struct.calcsize("<" + form) > cur.left():
        raise Bad(f"{count} segments promised, {cur.left()} bytes left")
    found = []
    for _ in range(count):
        offset, length, start, end, *thread = cur.take(form)
        if not keep_offsets:
            offset = -1
        found.append((offset, length, start, end, thread[0] if thread else None))
    return found


def _dxt(threads, keep_offsets=True):
    def read(cur):
        ident, rank, shared, host, writes, reads = cur.take("Qqq64s2q")
        return {
            "id": ident, "rank": rank, "shared": shared, "host": _chars(host),
            "writes": _segments(cur, writes, threads, keep_offsets),
            "reads": _segments(cur, reads, threads, keep_offsets),
        }
    return read


class _Heatmaps:
    """Holds the first record's shape, to mend the one-bin disagreement of some runtimes."""

    def __init__(self):
        self.first = None

    def __call__(self, cur):
        ident, rank, width, nbins, _, _ = cur.take("QqdqQQ")
        writes, reads = cur.array("q", nbins), cur.array("q", nbins)
        if self.first is None:
            self.first = (width, nbins)
        elif width == self.first[0] and nbins == self.first[1] + 1:
            writes, reads = writes[:-1], reads[:-1]
        elif width == self.first[0] and nbins == self.first[1] - 1:
            writes, reads = writes + [0], reads + [0]
        return {"id": ident, "rank": rank, "bin_width": width, "writes": writes, "reads": reads}


def _mdhim(cur):
    ints, floats = COUNTERS["MDHIM"]
    ident, rank, *values = cur.take(f"Qq{len(ints)}q{len(floats)}d")
    counters = dict(zip(ints + floats, values))
    histogram = cur.array("q", max(1, counters["MDHIM_SERVERS"]))
    return {"id": ident, "rank": rank, "counters": counters, "histogram": histogram}


def _apmpi(cur):
    if cur.peek("q", 16) == APMPI_MAGIC:
        ident, rank, _, sync, time_var, sync_var = cur.take("QqqI4xdd")
        return {"id": ident, "rank": rank, "kind": "header", "sync_flag": sync,
                "variance_time": time_var, "variance_sync": sync_var}
    names = APMPI_INTS + APMPI_TIMES + APMPI_SYNC + APMPI_GLOBAL
    doubles = len(names) - len(APMPI_INTS)
    ident, rank, *values, node = cur.take(f"Qq{len(APMPI_INTS)}Q{doubles}d128s")
    return {"id": ident, "rank": rank, "kind": "perf", "counters": dict(zip(names, values)),
            "node": _chars(node)}


def _apxc(cur):
    if cur.peek("q", 16) == APXC_MAGIC:
        ident, rank, _, *values = cur.take("Qqq5qQ")
        return {"id": ident, "rank": rank, "kind": "header", **dict(zip(APXC_HEAD, values))}
    ident, rank, *values = cur.take(f"Qq4q{len(APXC_COUNTERS)}Q")
    return {"id": ident, "rank": rank, "kind": "perf", **dict(zip(APXC_LOCATION, values)),
            "counters": dict(zip(APXC_COUNTERS, values[4:]))}


def readers():
    """(module, version) -> reader.  Fresh for each log: heatmaps remember their first record."""
    return {
        ("LUSTRE", 1): _lustre_1, ("LUSTRE", 2): _lustre_2,
        ("DXT_POSIX", 1): _dxt(threads=False), ("DXT_POSIX", 2): _dxt(threads=True),
        ("DXT_MPIIO", 1): _dxt(threads=False, keep_offsets=False),
        ("DXT_MPIIO", 2): _dxt(threads=False), ("DXT_MPIIO", 3): _dxt(threads=True),
        ("HEATMAP", 1): _Heatmaps(), ("MDHIM", 1): _mdhim,
        ("APMPI", 1): _apmpi, ("APXC", 1): _apxc,
    }


def parse_variable(module, version, raw, order):
    """(records in current form, problem)."""
    read = readers()[module, version]
    cur = Cursor(raw, order)
    records = []
    while cur.left():
        start = cur.at
        try:
            records.append(read(cur))
        except Bad as why:
            return records, f"record at {start}: {why}"
    return records, None
