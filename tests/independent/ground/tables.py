"""Module ids and names, current versions, and the counter names in record order.

Everything is spelled by rule.  test_decoder.py compares the result with the names in the
original's library, so a wrong rule cannot go unnoticed.
"""

MODULE_NAMES = [
    "NULL", "POSIX", "MPI-IO", "H5F", "H5D", "PNETCDF_FILE", "PNETCDF_VAR", "BG/Q", "LUSTRE",
    "STDIO", "DXT_POSIX", "DXT_MPIIO", "MDHIM", "APXC", "APMPI", "HEATMAP", "DFS", "DAOS",
]
MODULE_IDS = {name: number for number, name in enumerate(MODULE_NAMES)}
CURRENT = dict(zip(MODULE_NAMES, [1, 4, 3, 3, 2, 3, 1, 2, 2, 2, 2, 3, 1, 1, 1, 1, 1, 1]))

SLOTS = range(1, 5)
DIMS = range(1, 6)
_EDGES = "0 100 1K 10K 100K 1M 4M 10M 100M 1G".split()
_BINS = [f"{low}_{high}" for low, high in zip(_EDGES, _EDGES[1:])] + ["1G_PLUS"]


def _histograms(infix=""):
    return [f"SIZE_{way}_{infix}{bucket}" for way in ("READ", "WRITE") for bucket in _BINS]


def _slots(kind):
    return [f"{kind}{i}_{kind}" for i in SLOTS] + [f"{kind}{i}_COUNT" for i in SLOTS]


def _vector_slots():
    """The four common accesses of H5D and PNETCDF_VAR: size, five lengths, five strides each."""
    names = []
    for i in SLOTS:
        names.append(f"ACCESS{i}_ACCESS")
        names += [f"ACCESS{i}_{what}_D{d}" for what in ("LENGTH", "STRIDE") for d in DIMS]
    return names + [f"ACCESS{i}_COUNT" for i in SLOTS]


def _stamps(*events):
    return [f"F_{event}_{end}_TIMESTAMP" for end in ("START", "END") for event in events]


_RANKS = ["FASTEST_RANK", "FASTEST_RANK_BYTES", "SLOWEST_RANK", "SLOWEST_RANK_BYTES"]
_MAX_SIZES = ["MAX_READ_TIME_SIZE", "MAX_WRITE_TIME_SIZE"]
_BYTES = ["BYTES_READ", "BYTES_WRITTEN"]
_RANK_TIMES = ["F_FASTEST_RANK_TIME", "F_SLOWEST_RANK_TIME"]
_VARIANCES = ["F_VARIANCE_RANK_TIME", "F_VARIANCE_RANK_BYTES"]
_TIMES15 = (
    _stamps("OPEN", "READ", "WRITE", "CLOSE")
    + ["F_READ_TIME", "F_WRITE_TIME", "F_META_TIME", "F_MAX_READ_TIME", "F_MAX_WRITE_TIME"]
    + _RANK_TIMES
)
_TIMES17 = _TIMES15 + _VARIANCES

_POSIX = (
    """OPENS FILENOS DUPS READS WRITES SEEKS STATS MMAPS FSYNCS FDSYNCS RENAME_SOURCES
    RENAME_TARGETS RENAMED_FROM MODE""".split()
    + _BYTES
    + """MAX_BYTE_READ MAX_BYTE_WRITTEN CONSEC_READS CONSEC_WRITES SEQ_READS SEQ_WRITES
    RW_SWITCHES MEM_NOT_ALIGNED MEM_ALIGNMENT FILE_NOT_ALIGNED FILE_ALIGNMENT""".split()
    + _MAX_SIZES + _histograms() + _slots("STRIDE") + _slots("ACCESS") + _RANKS
)
_MPIIO = (
    ["INDEP_OPENS", "COLL_OPENS"]
    + [f"{kind}_{way}" for kind in ("INDEP", "COLL", "SPLIT", "NB") for way in ("READS", "WRITES")]
    + ["SYNCS", "HINTS", "VIEWS", "MODE"]
    + _BYTES + ["RW_SWITCHES"] + _MAX_SIZES + _histograms("AGG_") + _slots("ACCESS") + _RANKS
)
_H5D = (
    ["OPENS", "READS", "WRITES", "FLUSHES"] + _BYTES
    + "RW_SWITCHES REGULAR_HYPERSLAB_SELECTS IRREGULAR_HYPERSLAB_SELECTS POINT_SELECTS".split()
    + _MAX_SIZES + _histograms("AGG_") + _vector_slots()
    + ["DATASPACE_NDIMS", "DATASPACE_NPOINTS", "DATATYPE_SIZE"]
    + [f"CHUNK_SIZE_D{d}" for d in DIMS] + ["USE_MPIIO_COLLECTIVE", "USE_DEPRECATED"] + _RANKS
)
_PNETCDF_FILE = """CREATES OPENS REDEFS INDEP_WAITS COLL_WAITS SYNCS BYTES_READ BYTES_WRITTEN
    WAIT_FAILURES""".split()
_VAR_FORMS = ["VAR", "VAR1", "VARA", "VARS", "VARM", "VARN"]
_PNETCDF_VAR = (
    ["OPENS"]
    + [f"{kind}_{way}" for kind in ("INDEP", "COLL", "NB") for way in ("READS", "WRITES")]
    + _BYTES + ["RW_SWITCHES"]
    + [f"{verb}_{form}" for verb in ("PUT", "GET") for form in _VAR_FORMS + ["VARD"]]
    + [f"{verb}_{form}" for verb in ("IPUT", "IGET", "BPUT") for form in _VAR_FORMS]
    + _MAX_SIZES + _histograms("AGG_") + _vector_slots()
    + ["NDIMS", "NPOINTS", "DATATYPE_SIZE", "IS_RECORD_VAR"] + _RANKS
)
_BGQ = (
    ["CSJOBID", "NNODES", "RANKSPERNODE", "DDRPERNODE", "INODES"]
    + [f"{axis}NODES" for axis in "ABCDE"] + ["TORUSENABLED"]
)
_STDIO = (
    """OPENS FDOPENS READS WRITES SEEKS FLUSHES BYTES_WRITTEN BYTES_READ MAX_BYTE_READ
    MAX_BYTE_WRITTEN""".split() + _RANKS
)
_STDIO_F = (
    ["F_META_TIME", "F_WRITE_TIME", "F_READ_TIME"] + _stamps("OPEN", "CLOSE", "WRITE", "READ")
    + _RANK_TIMES + _VARIANCES
)
_MDHIM = ["PUTS", "GETS", "PUT_MAX_SIZE", "GET_MAX_SIZE", "SERVERS"]
_MDHIM_F = ["F_PUT_TIMESTAMP", "F_GET_TIMESTAMP", "F_PUT_MAX_DURATION", "F_GET_MAX_DURATION"]
_DFS = (
    """OPENS GLOBAL_OPENS LOOKUPS DUPS READS READXS WRITES WRITEXS NB_READS NB_WRITES GET_SIZES
    PUNCHES REMOVES STATS""".split()
    + _BYTES + ["RW_SWITCHES"] + _MAX_SIZES + _histograms() + _slots("ACCESS")
    + ["CHUNK_SIZE"] + _RANKS
)
_DAOS = (
    [f"OBJ_{x}" for x in """OPENS FETCHES UPDATES PUNCHES DKEY_PUNCHES AKEY_PUNCHES DKEY_LISTS
    AKEY_LISTS RECX_LISTS""".split()]
    + [f"ARRAY_{x}" for x in "OPENS READS WRITES GET_SIZES SET_SIZES STATS PUNCHES DESTROYS".split()]
    + [f"KV_{x}" for x in "OPENS GETS PUTS REMOVES LISTS DESTROYS".split()]
    + ["NB_OPS"] + _BYTES + ["RW_SWITCHES"] + _MAX_SIZES + _histograms() + _slots("ACCESS")
    + ["OBJ_OTYPE", "ARRAY_CELL_SIZE", "ARRAY_CHUNK_SIZE"] + _RANKS
)

LUSTRE_COMP = """STRIPE_SIZE STRIPE_COUNT STRIPE_PATTERN FLAGS EXT_START EXT_END
    MIRROR_ID""".split()


def _named(prefix, ints, floats):
    return [f"{prefix}_{x}" for x in ints], [f"{prefix}_{x}" for x in floats]


# module -> (integer counter names, double counter names) of the current version
COUNTERS = {
    "NULL": _named("NULL", ["FOOS", "FOO_MAX_DAT"], ["F_FOO_TIMESTAMP", "F_FOO_MAX_DURATION"]),
    "POSIX": _named("POSIX", _POSIX, _TIMES17),
    "MPI-IO": _named("MPIIO", _MPIIO, _TIMES17),
    "H5F": _named("H5F", ["OPENS", "FLUSHES", "USE_MPIIO"],
                  _stamps("OPEN", "CLOSE") + ["F_META_TIME"]),
    "H5D": _named("H5D", _H5D, _TIMES17),
    "PNETCDF_FILE": _named("PNETCDF_FILE", _PNETCDF_FILE,
                           _stamps("OPEN", "CLOSE", "WAIT") + ["F_META_TIME", "F_WAIT_TIME"]),
    "PNETCDF_VAR": _named("PNETCDF_VAR", _PNETCDF_VAR, _TIMES17),
    "BG/Q": _named("BGQ", _BGQ, ["F_TIMESTAMP"]),
    "STDIO": _named("STDIO", _STDIO, _STDIO_F),
    "MDHIM": _named("MDHIM", _MDHIM, _MDHIM_F),
    "DFS": _named("DFS", _DFS, _TIMES15),
    "DAOS": _named("DAOS", _DAOS, _TIMES15),
}
UNSIGNED = {"POSIX_RENAMED_FROM"}

# What stands between the base record and the counters, and after them.
EXTRA_HEAD = {"H5D": ["file_rec_id"], "PNETCDF_VAR": ["file_rec_id"]}
EXTRA_TAIL = {
    "DFS": [("pool_uuid", "16s"), ("cont_uuid", "16s")],
    "DAOS": [("pool_uuid", "16s"), ("cont_uuid", "16s"), ("oid_hi", "Q"), ("oid_lo", "Q")],
}

# APMPI: operations in record order; "count" operations have a call count only.
_COLLECTIVES = """BCAST GATHER GATHERV SCATTER SCATTERV SCAN EXSCAN ALLGATHER ALLGATHERV REDUCE
    ALLREDUCE REDUCE_SCATTER ALLTOALL ALLTOALLV ALLTOALLW""".split()
_POINT = """SEND SSEND RSEND BSEND RECV SENDRECV SENDRECV_REPLACE ISEND ISSEND IRSEND IBSEND
    IRECV""".split()
_ASKING = """PROBE IPROBE TEST TESTANY TESTALL TESTSOME WAIT WAITANY WAITALL WAITSOME BARRIER
    IBARRIER""".split()
_WINDOW = """FETCH_AND_OP COMPARE_AND_SWAP WIN_FENCE WIN_START WIN_COMPLETE WIN_POST WIN_WAIT
    WIN_TEST WIN_LOCK WIN_UNLOCK WIN_UNLOCK_ALL WIN_FLUSH WIN_FLUSH_ALL WIN_FLUSH_LOCAL
    WIN_FLUSH_LOCAL_ALL WIN_SYNC""".split()
APMPI_OPS = (
    [(op, "full") for op in _POINT]
    + [(op, "count") for op in _ASKING]
    + [(op, "full") for op in _COLLECTIVES + ["I" + op for op in _COLLECTIVES]]
    + [(op, "full") for op in ("PUT", "GET", "ACCUMULATE", "GET_ACCUMULATE")]
    + [(op, "count") for op in _WINDOW]
)
_APMPI_BINS = ["0_256", "256_1K", "1K_8K", "8K_256K", "256K_1M", "1M_PLUS"]
_APMPI_PARTS = {
    "count": ["CALL_COUNT"],
    "full": ["CALL_COUNT", "TOTAL_BYTES"] + [f"MSG_SIZE_AGG_{b}" for b in _APMPI_BINS],
}
APMPI_INTS = [f"MPI_{op}_{part}" for op, kind in APMPI_OPS for part in _APMPI_PARTS[kind]]
APMPI_TIMES = [f"MPI_{op}_{x}_TIME" for op, _ in APMPI_OPS for x in ("TOTAL", "MIN", "MAX")]
APMPI_SYNC = [f"MPI_{op}_TOTAL_SYNC_TIME" for op in ["BARRIER"] + _COLLECTIVES]
APMPI_GLOBAL = ["MPI_TOTAL_COMM_TIME", "MPI_TOTAL_COMM_SYNC_TIME"]
APMPI_MAGIC = 280520118345

APXC_MAGIC = 0x4155544F50455246
APXC_HEAD = ["nblades", "nchassis", "ngroups", "memory_mode", "cluster_mode", "appid"]
APXC_LOCATION = ["group", "chassis", "blade", "node"]
_TILE_ROW = [f"INCOMING_FLIT_VC{v}" for v in range(8)] + ["ROWBUS_STALL_CNT"]
_TILE_PT = ["INCOMING_FLIT_VC0", "INCOMING_FLIT_VC4",
            "REQ_ROWBUS_STALL_CNT", "RSP_ROWBUS_STALL_CNT"]
APXC_COUNTERS = (
    [f"AR_RTR_{r}_{c}_INQ_PRF_{x}" for r in range(5) for c in range(8) for x in _TILE_ROW]
    + [f"AR_RTR_PT_5_{c}_INQ_PRF_{x}" for c in range(8) for x in _TILE_PT]
)
