"""Records of fixed size: unpacking, and lifting old versions to the current one.

Each step of the lifting works on positions, as the format's history is told there.
The expectations of the corpus are made by name instead (expect.py), so the two check
each other.
"""

import struct

from .tables import COUNTERS, CURRENT, EXTRA_HEAD, EXTRA_TAIL, UNSIGNED

FIXED = ["NULL", "POSIX", "MPI-IO", "H5F", "H5D", "PNETCDF_FILE", "PNETCDF_VAR", "BG/Q", "STDIO",
         "DFS", "DAOS"]
# (module, version) -> format of what stands before the counters, integers, doubles
OLD_SHAPES = {
    ("POSIX", 1): ("", 68, 15), ("POSIX", 2): ("", 64, 15), ("POSIX", 3): ("", 64, 17),
    ("MPI-IO", 1): ("", 51, 15), ("MPI-IO", 2): ("", 51, 15),
    ("STDIO", 1): ("", 13, 15),
    ("H5F", 1): ("", 1, 2), ("H5F", 2): ("", 1, 4),
    ("H5D", 1): ("", 94, 17),
    ("PNETCDF_FILE", 1): ("", 2, 2), ("PNETCDF_FILE", 2): ("", 2, 4),
    ("BG/Q", 1): ("i4x", 11, 1),
}
U64 = (1 << 64) - 1


def shape(module, version):
    if version == CURRENT[module]:
        ints, floats = COUNTERS[module]
        return "Q" * len(EXTRA_HEAD.get(module, [])), len(ints), len(floats)
    return OLD_SHAPES[module, version]


def record_struct(module, version, order):
    head, ints, floats = shape(module, version)
    tail = "".join(form for _, form in EXTRA_TAIL.get(module, []))
    return struct.Struct(f"{order}Qq{head}{ints}q{floats}d{tail}")


def _posix_1(head, ints, floats):
    if ints[6] > 0:  # a stream's record: version 1 counted stdio here
        return None
    return head, ints[:6] + ints[10:], floats


def _two_stamps(head, ints, floats):
    return head, ints, floats[:3] + [-1.0, -1.0] + floats[3:]


def _posix_3(head, ints, floats):
    return head, ints[:1] + [-1, -1] + ints[1:8] + [-1, -1, 0] + ints[8:], floats


def _unchanged(head, ints, floats):
    return head, ints, floats


def _stdio_1(head, ints, floats):
    return head, ints[:1] + [-1] + ints[1:], floats


def _open_close(head, ints, floats):
    opened, closed = floats
    return head, ints, [opened, -1.0, -1.0, closed]


def _h5f_2(head, ints, floats):
    return head, ints + [-1, -1], floats + [-1.0]


def _h5d_1(head, ints, floats):
    return [0], ints, floats


def _pnetcdf_2(head, ints, floats):
    lifted = [-1] * 9
    lifted[1] = sum(ints)
    return head, lifted, floats[:2] + [-1.0] + floats[2:] + [-1.0, -1.0, -1.0]


def _bgq_1(head, ints, floats):
    return [], ints, floats


STEPS = {  # from this version to the next
    ("POSIX", 1): _posix_1, ("POSIX", 2): _two_stamps, ("POSIX", 3): _posix_3,
    ("MPI-IO", 1): _unchanged, ("MPI-IO", 2): _two_stamps,
    ("STDIO", 1): _stdio_1,
    ("H5F", 1): _open_close, ("H5F", 2): _h5f_2,
    ("H5D", 1): _h5d_1,
    ("PNETCDF_FILE", 1): _open_close, ("PNETCDF_FILE", 2): _pnetcdf_2,
    ("BG/Q", 1): _bgq_1,
}


def lift(module, version, parts):
    """Current (head, ints, floats), or None when the old record has no successor."""
    while parts and version < CURRENT[module]:
        parts = STEPS[module, version](*parts)
        version += 1
    return parts


def parse_fixed(module, version, raw, order):
    """(records in current form, problem)."""
    layout = record_struct(module, version, order)
    head_form, n_ints, n_floats = shape(module, version)
    n_head = len(struct.unpack("<" + head_form, bytes(struct.calcsize("<" + head_form))))
    names = COUNTERS[module][0] + COUNTERS[module][1]
    tail_names = [name for name, _ in EXTRA_TAIL.get(module, [])]
    whole = len(raw) // layout.size * layout.size
    records = []
    for ident, rank, *values in layout.iter_unpack(raw[:whole]):
        counters = values[n_head:n_head + n_ints + n_floats]
        parts = (values[:n_head], counters[:n_ints], counters[n_ints:])
        parts = lift(module, version, parts)
        if parts is None:
            continue
        head, ints, floats = parts
        record = {"id": ident, "rank": rank, "counters": dict(zip(names, ints + floats))}
        for name in UNSIGNED & record["counters"].keys():
            record["counters"][name] &= U64
        record.update(zip(EXTRA_HEAD.get(module, []), head))
        record.update(zip(tail_names, values[n_head + n_ints + n_floats:]))
        records.append(record)
    return records, None if whole == len(raw) else f"{len(raw) - whole} bytes after the last record"
