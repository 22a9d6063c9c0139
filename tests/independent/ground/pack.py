"""Logs from plain structures: any log version, byte order, compression, record version.

encode(log, physical) -> bytes.  `log` (ground.model.Log) says what the log holds, with each
module's records in the form of the version it is to be stored in; `physical` says how the
bytes are laid out, including ways no runtime would choose.
"""

import bz2
import dataclasses
import struct
import zlib

from .history import stored_counters, stored_head
from .model import (BZIP2, JOB_REGION_MAX, MAGIC, METADATA_SIZE, NONE, header_layout, header_size,
                    job_fields)
from .tables import (APMPI_GLOBAL, APMPI_INTS, APMPI_MAGIC, APMPI_SYNC, APMPI_TIMES, APXC_COUNTERS,
                     APXC_HEAD, APXC_MAGIC, APXC_LOCATION, COUNTERS, EXTRA_TAIL, LUSTRE_COMP,
                     MODULE_NAMES)

U64 = (1 << 64) - 1


@dataclasses.dataclass
class Physical:
    """Region keys are "job", "names" or a module id."""

    cuts: dict = dataclasses.field(default_factory=dict)  # key -> offsets where streams are cut
    raw: dict = dataclasses.field(default_factory=dict)  # key -> uncompressed bytes instead
    packed: dict = dataclasses.field(default_factory=dict)  # key -> compressed bytes instead
    tail: dict = dataclasses.field(default_factory=dict)  # key -> more uncompressed bytes
    gaps: dict = dataclasses.field(default_factory=dict)  # key -> unused bytes before the region
    empty: dict = dataclasses.field(default_factory=dict)  # module id -> version: off != 0, len 0
    registered: dict = dataclasses.field(default_factory=dict)  # module id -> version, no region
    sequence: list = None  # module ids in file order, ascending unless told
    text_nul: bool = True
    trailer: bytes = b""


def _s64(value):
    """Counters are stored signed; an unsigned one keeps its bits."""
    return value - (1 << 64) if value > (1 << 63) - 1 else value


def _fixed(module, version, record, order):
    head = stored_head(module, version)
    ints, floats = stored_counters(module, version)
    tail = EXTRA_TAIL.get(module, [])
    form = "Qq" + "".join(f for _, f in head) + f"{len(ints)}q{len(floats)}d"
    counters = record["counters"]
    return struct.pack(
        order + form + "".join(f for _, f in tail), record["id"], record["rank"],
        *[record[name] for name, _ in head], *[_s64(counters[name]) for name in ints],
        *[counters[name] for name in floats], *[record[name] for name, _ in tail])


def _lustre(_, version, record, order):
    if version == 1:
        osts = record["ost_ids"]
        return struct.pack(f"{order}Qq5q{len(osts)}q", record["id"], record["rank"],
                           *[record[k] for k in ("osts", "mdts", "stripe_offset", "stripe_size")],
                           len(osts), *osts)
    slots = record["components"] + record.get("unused", [])
    osts = [ost for comp in slots for ost in comp["OST_IDS"]]
    out = struct.pack(order + "Qq2q", record["id"], record["rank"], len(slots), len(osts))
    for comp in slots:
        out += struct.pack(order + "7q16s", *[comp[name] for name in LUSTRE_COMP],
                           comp["POOL_NAME"])
    return out + struct.pack(f"{order}{len(osts)}q", *osts)


def _dxt(module, version, record, order):
    threads = version == {"DXT_POSIX": 2, "DXT_MPIIO": 3}[module]
    out = [struct.pack(order + "Qqq64s2q", record["id"], record["rank"], record["shared"],
                       record["host"], len(record["writes"]), len(record["reads"]))]
    layout = struct.Struct(order + ("2q2dQ" if threads else "2q2d"))
    for segment in record["writes"] + record["reads"]:
        out.append(layout.pack(*segment[:5 if threads else 4]))
    return b"".join(out)


def _heatmap(_, __, record, order):
    writes, reads = record["writes"], record["reads"]
    stale = record["id"]  # real logs hold two pointers of a dead process here
    return struct.pack(f"{order}QqdqQQ{2 * len(writes)}q", record["id"], record["rank"],
                       record["bin_width"], len(writes), stale, stale ^ U64, *writes, *reads)


def _mdhim(_, __, record, order):
    ints, floats = COUNTERS["MDHIM"]
    histogram = record["histogram"]
    return struct.pack(f"{order}Qq{len(ints)}q{len(floats)}d{len(histogram)}q", record["id"],
                       record["rank"], *[record["counters"][n] for n in ints + floats], *histogram)


def _apmpi(_, __, record, order):
    if record["kind"] == "header":
        return struct.pack(order + "QqqI4xdd", record["id"], record["rank"], APMPI_MAGIC,
                           record["sync_flag"], record["variance_time"], record["variance_sync"])
    names = APMPI_INTS + APMPI_TIMES + APMPI_SYNC + APMPI_GLOBAL
    form = f"Qq{len(APMPI_INTS)}Q{len(names) - len(APMPI_INTS)}d128s"
    return struct.pack(order + form, record["id"], record["rank"],
                       *[record["counters"][name] for name in names], record["node"])


def _apxc(_, __, record, order):
    if record["kind"] == "header":
        return struct.pack(order + "Qqq5qQ", record["id"], record["rank"], APXC_MAGIC,
                           *[record[name] for name in APXC_HEAD])
    return struct.pack(f"{order}Qq4q{len(APXC_COUNTERS)}Q", record["id"], record["rank"],
                       *[record[name] for name in APXC_LOCATION],
                       *[record["counters"][name] for name in APXC_COUNTERS])


PACKERS = {"LUSTRE": _lustre, "DXT_POSIX": _dxt, "DXT_MPIIO": _dxt, "HEATMAP": _heatmap,
           "MDHIM": _mdhim, "APMPI": _apmpi, "APXC": _apxc}


def pack_record(module, version, record, order):
    return PACKERS.get(module, _fixed)(module, version, record, order)


def pack_names(log):
    out = []
    for ident, name in log.names:
        out.append(struct.pack(log.order + "Q", ident))
        if log.minor == 0:
            out.append(struct.pack(log.order + "I", len(name)) + name)
        else:
            out.append(name + b"\0")
    return b"".join(out)


def pack_job(log, text_nul=True):
    fields = job_fields(log.minor)
    fixed = struct.pack(f"{log.order}{len(fields)}q{METADATA_SIZE}s",
                        *[log.job[name] for name in fields], log.metadata)
    return (fixed + log.text + (b"\0" if text_nul else b""))[:JOB_REGION_MAX]


def squeeze(raw, codec, cuts=()):
    """One complete stream for each piece between the cuts; a repeated cut is an empty stream."""
    if codec == NONE:
        return raw
    pack = (lambda piece: bz2.compress(piece, 9)) if codec == BZIP2 else zlib.compress
    edges = [0, *cuts, len(raw)]
    return b"".join(pack(raw[a:b]) for a, b in zip(edges, edges[1:]))


def stored_slot(ident, minor):
    """The raw index of a module in this log version's header, or None if it has none."""
    if minor < 41:
        if ident == 6:
            return None
        ident -= ident > 6
    if minor < 20:
        if ident == 4:
            return None
        ident -= ident > 4
    return ident if ident < header_layout(minor)[1] else None


def pack_header(log, name_map, mod_map, mod_ver):
    layout, slots = header_layout(log.minor)
    maps, versions, flags = [0] * (2 * slots), [0] * slots, 0
    for ident in set(mod_map) | set(mod_ver):
        slot = stored_slot(ident, log.minor)
        maps[2 * slot:2 * slot + 2] = mod_map.get(ident, (0, 0))
        versions[slot] = mod_ver.get(ident, 0)
    for ident in range(64):
        if log.partial >> ident & 1:
            flags |= 1 << stored_slot(ident, log.minor)
    return struct.pack(log.order + layout, log.version.encode(), MAGIC, log.codec, flags,
                       *name_map, *maps, *versions)


def module_bytes(log, ident):
    module, name = log.modules[ident], MODULE_NAMES[ident]
    return b"".join(pack_record(name, module.version, record, log.order)
                    for record in module.records)


def encode(log, physical=None):
    physical = physical or Physical()
    body = bytearray(header_size(log.minor))

    def append(key, raw):
        body.extend(b"\xee" * physical.gaps.get(key, 0))
        raw = physical.raw.get(key, raw) + physical.tail.get(key, b"")
        data = physical.packed.get(key)
        if data is None:
            data = squeeze(raw, log.codec, physical.cuts.get(key, ()))
        body.extend(data)
        return len(body) - len(data), len(data)

    append("job", pack_job(log, physical.text_nul))
    names = pack_names(log)
    name_map = append("names", names) if names or "names" in physical.raw else (0, 0)
    mod_map = {}
    mod_ver = {ident: module.version for ident, module in log.modules.items()}
    for ident in physical.sequence or sorted({*log.modules, *physical.raw, *physical.empty}
                                             - {"job", "names"}):
        if ident in physical.empty:
            mod_map[ident] = (len(body), 0)
        else:
            mod_map[ident] = append(ident, module_bytes(log, ident) if ident in log.modules else b"")
    mod_ver.update(physical.empty)
    mod_ver.update(physical.registered)
    body[:header_size(log.minor)] = pack_header(log, name_map, mod_map, mod_ver)
    return bytes(body) + physical.trailer
