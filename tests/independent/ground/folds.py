"""How values of several records become one, told by the names of the counters as the specification has it.

`shared` is what the ranks of a job make of a file they all used; `total` is what a parser's --total prints.
"""

import struct

from .tables import COUNTERS, DIMS

TOTALLED = ["POSIX", "MPI-IO", "STDIO", "DFS", "DAOS"]
PREFIX = {"MPI-IO": "MPIIO", "BG/Q": "BGQ"}
KEPT = {"RENAMED_FROM", "MODE", "MEM_ALIGNMENT", "FILE_ALIGNMENT", "CHUNK_SIZE", "OBJ_OTYPE", "ARRAY_CELL_SIZE",
        "ARRAY_CHUNK_SIZE", "DATASPACE_NDIMS", "DATASPACE_NPOINTS", "DATATYPE_SIZE", "NDIMS", "NPOINTS",
        *(f"CHUNK_SIZE_D{d}" for d in DIMS)}
ANY = {"USE_MPIIO", "USE_MPIIO_COLLECTIVE", "USE_DEPRECATED", "IS_RECORD_VAR"}
# What of a module is not known in some logs reads -1, and a sum of unknowns is -1 again.
UNKNOWN_UNTIL = {"POSIX": "POSIX_RENAMED_FROM", "DFS": "DFS_BYTES_READ", "DAOS": "DAOS_BYTES_READ"}


def prefix_of(module):
    return PREFIX.get(module, module)


def wrapped(number):
    """As a machine's 64-bit sum."""
    return struct.unpack("<q", struct.pack("<Q", number % (1 << 64)))[0]


def short(module, name):
    return name.removeprefix(prefix_of(module) + "_")


def is_slot(name):
    """Of the four most common strides or sizes."""
    return name.startswith(("STRIDE", "ACCESS")) and not name.startswith(("STRIDED", "ACCESSES"))


def slots(counters, prefix, kind):
    """[(value, count)] of the four, empty ones too."""
    return [(counters[f"{prefix}_{kind}{i}_{kind}"], counters[f"{prefix}_{kind}{i}_COUNT"]) for i in range(1, 5)]


def set_slots(counters, prefix, kind, held):
    for i, (value, count) in enumerate((held + [(0, 0)] * 4)[:4], 1):
        counters[f"{prefix}_{kind}{i}_{kind}"], counters[f"{prefix}_{kind}{i}_COUNT"] = value, count


def insert(held, value, count):
    """Puts a value behind the leading ones that outrank it: by a higher count, or an equal one and a larger value."""
    ahead = 0
    while ahead < len(held) and (held[ahead][1], held[ahead][0]) > (count, value):
        ahead += 1
    return (held[:ahead] + [(value, count)] + held[ahead:])[:4]


def merge_slots(into, more):
    """Of ranks: equal values add up, then the highest counts of both lists stay."""
    counts, held = {}, []
    for value, count in into + more:
        counts[value] = counts.get(value, 0) + count
    for value, count in counts.items():
        held = insert(held, value, count) if value else held
    return held


def total_slots(into, more):
    """Of totals: values that are listed gain their counts where they stand; new ones are ranked by what they bring."""
    gained = dict(reversed(more))
    listed = {value for value, _ in into}
    held = [(value, count + gained.get(value, 0)) for value, count in into if value]
    for value, count in more:
        held = insert(held, value, count) if value and value not in listed else held
    return held


def own_time(counters, prefix):
    return sum(counters[f"{prefix}_F_{what}_TIME"] for what in ("READ", "WRITE", "META"))


def own_bytes(counters, prefix):
    return counters[f"{prefix}_BYTES_READ"] + counters[f"{prefix}_BYTES_WRITTEN"]


def fold_value(module, name, old, new):
    """Counters that stand for themselves."""
    word = short(module, name)
    if word in KEPT:
        return wrapped(new)
    if word in ANY:
        return int(1 in (old, new))
    if word.endswith("_START_TIMESTAMP"):
        return min((value for value in (old, new) if value > 0), default=0.0)
    if word.endswith("_END_TIMESTAMP") or word.startswith(("MAX_BYTE", "F_MAX_")):
        return max(old, new)
    if isinstance(old, float):
        return old + new
    until = UNKNOWN_UNTIL.get(module)
    names = COUNTERS[module][0]
    total = wrapped(old + new)
    return max(total, -1) if until and names.index(name) < names.index(until) else total


def stands_alone(word):
    return not (is_slot(word) or "_TIME_SIZE" in word or "FASTEST" in word or "SLOWEST" in word or "VARIANCE" in word)


def add(module, into, counters, merge):
    """One more record; `into` begins as zeros."""
    prefix = prefix_of(module)
    for way in ("READ", "WRITE"):
        if f"{prefix}_MAX_{way}_TIME_SIZE" in into and counters[f"{prefix}_F_MAX_{way}_TIME"] > into[f"{prefix}_F_MAX_{way}_TIME"]:
            into[f"{prefix}_MAX_{way}_TIME_SIZE"] = counters[f"{prefix}_MAX_{way}_TIME_SIZE"]
    for kind in ("STRIDE", "ACCESS"):
        if f"{prefix}_{kind}1_COUNT" in into:
            set_slots(into, prefix, kind, merge(slots(into, prefix, kind), slots(counters, prefix, kind)))
    for name in into:
        if stands_alone(short(module, name)):
            into[name] = fold_value(module, name, into[name], counters[name])


def zeros(module):
    ints, floats = COUNTERS[module]
    return {**{name: 0 for name in ints}, **{name: 0.0 for name in floats}}


def extremes(module, records):
    """The fastest and slowest of records of one file: a shared record knows them, any other is a rank itself."""
    prefix, found = prefix_of(module), {}
    for record in records:
        counters = record["counters"]
        for which in ("FASTEST", "SLOWEST"):
            if record["rank"] == -1:
                entry = [counters[f"{prefix}_{which}_RANK"], counters[f"{prefix}_{which}_RANK_BYTES"],
                         counters[f"{prefix}_F_{which}_RANK_TIME"]]
            else:
                entry = [record["rank"], wrapped(own_bytes(counters, prefix)), own_time(counters, prefix)]
            held = found.get(which)
            if held is None or (entry[2] < held[2] if which == "FASTEST" else entry[2] > held[2]):
                found[which] = entry
    return found


def set_extremes(module, counters, found):
    prefix = prefix_of(module)
    for which, (rank, moved, seconds) in found.items():
        counters[f"{prefix}_{which}_RANK"], counters[f"{prefix}_{which}_RANK_BYTES"] = rank, moved
        counters[f"{prefix}_F_{which}_RANK_TIME"] = seconds


def total(module, records):
    """{counter: value} of all records of a module."""
    counters = zeros(module)
    for record in records:
        add(module, counters, record["counters"], total_slots)
    one_file = len({record["id"] for record in records}) == 1
    nobody = {which: [-1, -1, 0.0] for which in ("FASTEST", "SLOWEST")}
    set_extremes(module, counters, extremes(module, records) if one_file else nobody)
    return counters


def total_lines(log):
    """The total_... lines of a log, in order."""
    from .tables import MODULE_NAMES
    from .text import number
    for ident in sorted(log.modules):
        if MODULE_NAMES[ident] in TOTALLED and log.modules[ident].records:
            for name, value in total(MODULE_NAMES[ident], log.modules[ident].records).items():
                yield b"total_%s: %s" % (name.encode(), number(value))


def variance(values):
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / len(values)


def shared(module, records):
    """Counters of a file that every rank used; records in the order of ranks."""
    prefix, counters = prefix_of(module), zeros(module)
    for record in records:
        kept = {name: value for name, value in counters.items() if short(module, name) in KEPT}
        add(module, counters, record["counters"], merge_slots)
        if record is not records[0]:
            counters.update(kept)
    if f"{prefix}_FASTEST_RANK" in counters:
        set_extremes(module, counters, extremes(module, records))
    if f"{prefix}_F_VARIANCE_RANK_TIME" in counters:
        held = [record["counters"] for record in records]
        counters[f"{prefix}_F_VARIANCE_RANK_TIME"] = variance([own_time(c, prefix) for c in held])
        counters[f"{prefix}_F_VARIANCE_RANK_BYTES"] = variance([float(own_bytes(c, prefix)) for c in held])
    return counters
