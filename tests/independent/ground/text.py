"""Records as text lines, in the order and number format of the original's parsers."""

import math
import uuid

from .tables import (APMPI_GLOBAL, APMPI_INTS, APMPI_SYNC, APMPI_TIMES, APXC_COUNTERS, APXC_HEAD,
                     APXC_LOCATION, LUSTRE_COMP, MODULE_NAMES)

FLAG_WORDS = """stale prefrd prefwr offline init nosync extension parity compress partial nocompr
    neg""".split()
PATTERNS = {0: "raid0", 2: "mdt", 4: "raid0,overstriped", 8: "foreign"}


def number(value, digits=6):
    """As C prints it; Python has no sign on its nan."""
    if isinstance(value, int):
        return b"%d" % value
    if math.isnan(value):
        return b"-nan" if math.copysign(1, value) < 0 else b"nan"
    return f"{value:.{digits}f}".encode()


def _flags(value):
    if value == -1:
        return b"N/A"
    words = [word for bit, word in enumerate(FLAG_WORDS) if value >> bit & 1]
    return ",".join(words).encode() or b"0"


def _counters(record):
    return [(name, number(value)) for name, value in record["counters"].items()]


def _with_file(prefix):
    def lines(record, _):
        return _counters(record) + [(f"{prefix}_FILE_REC_ID", number(record["file_rec_id"]))]
    return lines


def _lustre(record, _):
    comps = record["components"]
    found = [("LUSTRE_NUM_COMPONENTS", number(len(comps))),
             ("LUSTRE_NUM_STRIPES", number(sum(c["STRIPE_COUNT"] for c in comps)))]
    for k, comp in enumerate(comps, 1):
        shown = {name: number(comp[name]) for name in LUSTRE_COMP}
        shown["STRIPE_PATTERN"] = PATTERNS.get(comp["STRIPE_PATTERN"], "N/A").encode()
        shown["FLAGS"] = _flags(comp["FLAGS"])
        shown["POOL_NAME"] = comp["POOL_NAME"] or b"N/A"
        shown.update((f"OST_ID_{i}", number(ost)) for i, ost in enumerate(comp["OST_IDS"]))
        found += [(f"LUSTRE_COMP{k}_{name}", value) for name, value in shown.items()]
    return found


def _heatmap(record, _):
    found = [("HEATMAP_F_BIN_WIDTH_SECONDS", number(record["bin_width"]))]
    for way in ("reads", "writes"):
        word = way[:-1].upper()
        found += [(f"HEATMAP_{word}_BIN_{i}", number(n)) for i, n in enumerate(record[way])]
    return found


def _mdhim(record, _):
    servers = max(0, record["counters"]["MDHIM_SERVERS"])
    return _counters(record) + [
        (f"MDHIM_SERVER_{i}", number(n)) for i, n in enumerate(record["histogram"][:servers])]


def _apmpi(record, state):
    if record["kind"] == "header":
        state["sync"] = record["sync_flag"]
        found = [("MPI_TOTAL_COMM_TIME_VARIANCE", number(record["variance_time"]))]
        if state["sync"]:
            found.append(("MPI_TOTAL_COMM_SYNC_TIME_VARIANCE", number(record["variance_sync"])))
        return found
    names = APMPI_INTS + APMPI_TIMES
    names += (APMPI_SYNC + APMPI_GLOBAL) if state.get("sync") else APMPI_GLOBAL[:1]
    return [("MPI_PROCESSOR_NAME", record["node"])] + [
        (name, number(record["counters"][name])) for name in names]


def _apxc(record, _):
    if record["kind"] == "header":
        return [(f"APXC_{name.upper()}", number(record[name])) for name in APXC_HEAD]
    return [(f"APXC_{name.upper()}", number(record[name])) for name in APXC_LOCATION] + [
        (name, number(record["counters"][name])) for name in APXC_COUNTERS]


LINES = {"H5D": _with_file("H5D"), "PNETCDF_VAR": _with_file("PNETCDF_VAR"), "LUSTRE": _lustre,
         "HEATMAP": _heatmap, "MDHIM": _mdhim, "APMPI": _apmpi, "APXC": _apxc}
NOT_PRINTED = {"NULL", "DXT_POSIX", "DXT_MPIIO"}


def _uuids(record):
    return f"{uuid.UUID(bytes=record['pool_uuid'])}:{uuid.UUID(bytes=record['cont_uuid'])}".encode()


class Names:
    """Name, mount point and file system columns of a record."""

    def __init__(self, log):
        self.table, self.mounts = log.name_table, log.mounts

    def name(self, module, record):
        if module == "APMPI":
            return b""
        if module == "DAOS":
            return b"%d.%d" % (record["oid_hi"], record["oid_lo"])
        missing = b"darshan-bgq-record" if module == "BG/Q" else b"(null)"
        return self.table.get(record["id"], missing)

    def mount(self, module, record):
        if module == "APMPI":
            return b"", b""
        if module == "DAOS":
            return _uuids(record), b"N/A"
        if module == "DFS":
            known = any(record["pool_uuid"]) and any(record["cont_uuid"])
            return (_uuids(record) if known else b"UNKNOWN"), b"N/A"
        name = self.table.get(record["id"], b"")
        for path, kind in self.mounts:
            if name.startswith(path):
                return path, kind
        return b"UNKNOWN", b"UNKNOWN"


def base_lines(log, mounts=False):
    """MODULE rank id COUNTER value name [mount fs], tab separated, as bytes."""
    names = Names(log)
    for ident in sorted(log.modules):
        if ident >= len(MODULE_NAMES) or MODULE_NAMES[ident] in NOT_PRINTED:
            continue
        module = MODULE_NAMES[ident]
        show = LINES.get(module, lambda record, _: _counters(record))
        state = {}
        for record in log.modules[ident].records:
            head = b"%s\t%d\t%d\t" % (module.encode(), record["rank"], record["id"])
            tail = b"\t" + names.name(module, record)
            if mounts:
                tail += b"\t" + b"\t".join(names.mount(module, record))
            for counter, value in show(record, state):
                yield head + counter.encode() + b"\t" + value + tail


def dxt_lines(log):
    """module id rank host way index offset length start end name, tab separated, as bytes."""
    names = Names(log)
    for ident, label in ((10, b"X_POSIX"), (11, b"X_MPIIO")):
        module = MODULE_NAMES[ident]
        for record in log.modules[ident].records if ident in log.modules else []:
            head = b"%s\t%d\t%d\t%s" % (label, record["id"], record["rank"], record["host"])
            name = names.name(module, record)
            for way in ("writes", "reads"):
                for i, (offset, length, start, end, _) in enumerate(record[way]):
                    yield b"%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s" % (
                        head, way[:-1].encode(), i, offset, length,
                        number(start, 4), number(end, 4), name)
