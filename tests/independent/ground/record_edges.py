"""Legal logs whose records are easy to get wrong; continues edges.py."""

import math

from .edges import EDGES, edge, maker, usual
from .history import POSIX_STREAM
from .model import JOB_FIELDS, NONE, Module
from .pack import Physical
from .tables import MODULE_IDS

I64_MIN, I64_MAX, U64_MAX = -(1 << 63), (1 << 63) - 1, (1 << 64) - 1


@edge
def last_record_cut_short():
    log = usual("short")
    return log, Physical(tail={1: bytes(703), 9: b"\1"})


@edge
def heatmaps_of_uneven_length():
    m = maker("heat")
    log = m.log("3.41", {"POSIX": 4})
    # Off by one is mended where the width agrees; other differences stay as they are.
    shapes = [(5, 0.1), (6, 0.1), (4, 0.1), (5, 0.1), (6, 0.2), (4, 0.2), (7, 0.1), (3, 0.1),
              (0, 0.1)]
    log.modules[15] = Module(1, [m.heatmap(bins, width) for bins, width in shapes])
    return log, None


@edge
def heatmap_of_one_bin_first():
    m = maker("heat1")
    log = m.log("3.41", {}, order=">")
    log.modules[15] = Module(1, [m.heatmap(n) for n in (1, 0, 2, 3)])
    return log, None


@edge
def heatmap_larger_than_the_originals_buffer():
    m = maker("heat-big")
    log = m.log("3.41", {})
    log.modules[15] = Module(1, [m.heatmap(6000), m.heatmap(2)])
    return log, None


@edge
def lustre_unused_slots():
    m = maker("lustre")
    log = m.log("3.41", {"POSIX": 4, "LUSTRE": 2})
    for record in log.modules[8].records:
        record["unused"] = [{**m.component(2), "STRIPE_SIZE": -1}, m.component(1)]
    log.modules[8].records.append({**m.lustre(2), "components": [],
                                   "unused": [{**m.component(0), "STRIPE_SIZE": -1}]})
    log.modules[8].records.append({**m.lustre(2), "components": []})
    return log, None


@edge
def lustre_many_stripes():
    m = maker("stripes")
    log = m.log("3.21", {"LUSTRE": 1}, order=">")
    log.modules[8].records[1]["ost_ids"] = list(range(2000))
    log.modules[8].records[2]["ost_ids"] = []
    return log, None


@edge
def posix_stream_records_dropped():
    log = usual("fopens", "3.00", {"POSIX": 1}, count=5)
    for i in (0, 2):
        log.modules[1].records[i]["counters"][POSIX_STREAM[0]] = i + 1
    return log, None


@edge
def mdhim_server_counts():
    m = maker("mdhim")
    log = m.log("3.41", {})
    log.modules[12] = Module(1, [m.mdhim(servers) for servers in (0, 1, 7, 0, 2)])
    return log, None


@edge
def dxt_shapes():
    m = maker("dxt")
    log = m.log("3.41", {"DXT_POSIX": 1, "DXT_MPIIO": 2})
    for ident in (10, 11):
        records = log.modules[ident].records
        records[0]["writes"], records[0]["reads"] = [], []
        records[1]["reads"] = []
        records[2]["host"], records[2]["shared"] = b"h" * 64, -1
    return log, None


def _long_trace(name, codec):
    m = maker(name)
    log = m.log("3.41", {"DXT_POSIX": 1}, codec=codec, count=1)
    log.modules[10].records[0]["writes"] = [
        (i * 4096, 4096, i / 100, i / 100 + 0.005, None) for i in range(36000)]
    return log, None


@edge
def region_beyond_one_mebibyte():
    return _long_trace("long", 0)


@edge
def region_beyond_one_mebibyte_uncompressed():
    return _long_trace("long-raw", NONE)


@edge
def extreme_numbers():
    log = usual("extreme", modules={"POSIX": 4, "HEATMAP": 1, "DXT_POSIX": 1})
    ints = [I64_MIN, I64_MAX, -1, 0, 1]
    floats = [math.inf, -math.inf, math.nan, -math.nan, -0.0, 5e-324, 1.7976931348623157e308, 0.5e-6]
    for record in log.modules[1].records:
        counters = record["counters"]
        for i, (name, value) in enumerate(counters.items()):
            pool = floats if isinstance(value, float) else ints
            counters[name] = pool[i % len(pool)]
        counters["POSIX_RENAMED_FROM"] = U64_MAX
    log.modules[1].records[1].update(id=U64_MAX, rank=I64_MIN)
    log.modules[1].records[2].update(id=0, rank=I64_MAX)
    log.modules[15].records[1]["bin_width"] = math.nan
    log.modules[10].records[0]["reads"] = [(I64_MIN, I64_MAX, math.inf, -math.nan, None)]
    return log, None


@edge
def extreme_numbers_big_endian():
    log, how = extreme_numbers()
    log.order = ">"
    return log, how


@edge
def job_extremes():
    log = usual("job")
    log.job = dict(zip(JOB_FIELDS, [U64_MAX >> 1, 0, 0, 0, 999999999, -1, I64_MIN]))
    return log, None


@edge
def daos_without_container():
    log = usual("daos", modules={"DFS": 1, "DAOS": 1}, order=">")
    log.modules[16].records[0]["pool_uuid"] = bytes(16)
    ident = log.modules[16].records[1]["id"]
    log.names = [(i, b"" if i == ident else name) for i, name in log.names]
    return log, None


@edge
def apmpi_with_and_without_sync():
    m = maker("apmpi")
    log = m.log("3.41", {}, order=">")
    log.modules[14] = Module(1, list(m.apmpi(ranks=3, sync=1)))
    return log, None


@edge
def every_module():
    names = {name: 1 for name in MODULE_IDS if name not in ("NULL",)}
    versions = {"POSIX": 4, "MPI-IO": 3, "H5F": 3, "H5D": 2, "PNETCDF_FILE": 3, "BG/Q": 2,
                "LUSTRE": 2, "STDIO": 2, "DXT_POSIX": 2, "DXT_MPIIO": 3}
    return usual("all", modules={**names, **versions}, count=4), None
