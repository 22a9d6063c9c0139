"""Logs of jobs that never ran: four ranks, each file used as such a program would, every module that a release wrote.

The corpus (synth.py) has random numbers, which are good for finding what a reader gets wrong and no good for whoever
looks for sense in them: averages, common sizes, pictures, findings. Here the counters follow from a list of accesses,
by the rules of the specification (counting.py), the traces and heat maps are of the same accesses, and shared files
are folded (folds.py).
"""

import random

from . import counting, folds
from .history import POSIX_STREAM, RELEASES, stored_counters
from .lookup8 import hash64
from .model import Log, Module
from .synth import Maker, text_of
from .tables import APMPI_INTS, MODULE_IDS

MOUNTS = [(b"/", b"ext4"), (b"/scratch", b"lustre"), (b"/home", b"nfs")]
RANKS = 4
START = 1_600_000_000
BIN = 0.1  # seconds of a heat map's bin
THREADS = 0x7F00_0000_1000  # of the first thread of rank 0, as pthread_self has it
SHARED, MESH, GRID = b"/scratch/run/fields.dat", b"/scratch/run/mesh.h5", b"/scratch/run/grid.nc"
INPUT, REPORT = b"/home/user/input.nml", b"<STDOUT>"
UUIDS = {"pool_uuid": bytes(range(16)), "cont_uuid": bytes(range(16, 32))}


class Rank:
    """A rank at work: its clock, the counters of the files it uses, what traces and heat maps hold of it."""

    def __init__(self, rank, rng):
        self.rank, self.rng, self.now = rank, rng, 0.002 + 0.0005 * rank
        self.files = {}  # (module, name) -> counting.Record
        self.traces = {}  # (module, name) -> {"writes": [...], "reads": [...]}
        self.heat = {}  # interface -> [(way, begin, end, size)]

    def file(self, module, name, make):
        return self.files.setdefault((module, name), make())

    def spent(self, seconds):
        """The next operation, with some noise, a moment after the last; later ranks are slower."""
        begin = self.now + 1e-6
        self.now = begin + seconds * (1 + self.rank / RANKS) * self.rng.uniform(0.9, 1.1)
        return begin, self.now

    def trace(self, interface, name, way, offset, size, when):
        held = self.traces.setdefault((f"DXT_{interface}", name), {"writes": [], "reads": []})
        held["writes" if way == "WRITE" else "reads"].append((offset, size, *when, THREADS + (self.rank << 12)))
        self.heat.setdefault(interface, []).append((way, *when, size))

    def posix(self, name):
        return self.file("POSIX", name, lambda: counting.Posix(8, 1 << 20 if name.startswith(b"/scratch") else 4096))

    def posix_transfer(self, name, way, offset, size, aligned=True):
        when = self.spent(5e-4 + size / 1e7)
        self.posix(name).transfer(way, offset, size, when, aligned)
        self.trace("POSIX", name, way, offset, size, when)
        return when

    def mpi_transfer(self, name, way, kind, offset, size):
        """MPI-IO over POSIX: the call lasts a little longer than what is beneath."""
        begin = self.now
        when = (begin, self.posix_transfer(name, way, offset, size)[1] + 1e-5)
        self.now = when[1]
        self.file("MPI-IO", name, counting.Mpiio).transfer(way, kind, size, when)
        self.trace("MPIIO", name, way, offset, size, when)
        return when

    def mpi_open(self, name, mode):
        begin = self.now
        self.posix(name).open(0o644, self.spent(1e-4))
        self.file("MPI-IO", name, counting.Mpiio).open(RANKS, mode, True, (begin, self.spent(1e-5)[1]))

    def mpi_close(self, name):
        begin = self.now
        self.posix(name).close(self.spent(5e-5))
        self.file("MPI-IO", name, counting.Mpiio).close((begin, self.spent(1e-5)[1]))


def write_fields(rank):
    """A shared file: every rank its part of each step, collectively, some longer than others; then some is read back."""
    rank.mpi_open(SHARED, 9)
    size = 1 << 18
    for step in range(6 + rank.rank % 2):
        rank.mpi_transfer(SHARED, "WRITE", "COLL", (step * RANKS + rank.rank) * size, size)
    rank.file("MPI-IO", SHARED, counting.Mpiio).sync(rank.spent(1e-3))
    for step in range(3):
        rank.mpi_transfer(SHARED, "READ", ("INDEP", "NB", "SPLIT")[step], step * size, size >> (step == 1))
    rank.file("MPI-IO", SHARED, counting.Mpiio).view(False, rank.spent(1e-5))
    rank.mpi_close(SHARED)


def keep_notes(rank):
    """A file of each rank's own: small, strided, unaligned, forth and back."""
    name = b"/scratch/run/rank-%d.dat" % rank.rank
    file = rank.posix(name)
    file.open(0o600, rank.spent(8e-5))
    at = 0
    for i in range(40 + 5 * rank.rank):
        size = rank.rng.choice([64, 64, 512, 4096, 7])
        rank.posix_transfer(name, "WRITE", at, size, aligned=i % 3 != 0)
        at += size + (4096 if i % 4 == 0 else 0)
    file.sync("FSYNCS", rank.spent(2e-3))
    for i in range(12):
        file.meta("SEEKS", rank.spent(1e-6))
        rank.posix_transfer(name, "READ", 100 * i, 100)
    file.meta("STATS", rank.spent(3e-6))
    file.duplicate(rank.spent(1e-6))
    file.close(rank.spent(1e-5))
    file.close(rank.spent(2e-5))


def read_input(rank):
    """Streams of the first rank: what it is told, and what it prints."""
    told = rank.file("STDIO", INPUT, counting.Stdio)
    told.open(when=rank.spent(1e-4))
    at = 0
    for size in (31, 17, 80, 80, 12):
        when = rank.spent(2e-6)
        told.transfer("READ", at, size, when)
        rank.heat.setdefault("STDIO", []).append(("READ", *when, size))
        at += size
    told.seek(rank.spent(1e-6))
    told.close(rank.spent(1e-5))
    shown = rank.file("STDIO", REPORT, counting.Stdio)
    shown.open()
    for i in range(9):
        when = rank.spent(3e-6)
        shown.transfer("WRITE", 50 * i, 50, when)
        rank.heat["STDIO"].append(("WRITE", *when, 50))
    shown.flush(rank.spent(1e-5))


def store_mesh(rank):
    """HDF5 over MPI-IO: two datasets in one file."""
    file = rank.file("H5F", MESH, lambda: counting.Plain("H5F"))
    file.put("USE_MPIIO", 1)
    file.open(when=rank.spent(4e-4))
    rank.mpi_open(MESH, 9)
    for number, name in enumerate((b"pressure", b"velocity")):
        data = rank.file("H5D", MESH + b":/" + name, lambda: counting.Plain("H5D", "AGG_"))
        data.open(when=rank.spent(8e-3))
        for key, value in (("DATASPACE_NDIMS", 2), ("DATASPACE_NPOINTS", 65536), ("DATATYPE_SIZE", 8),
                           ("CHUNK_SIZE_D1", 64 * number), ("CHUNK_SIZE_D2", 64 * number), ("USE_MPIIO_COLLECTIVE", 1)):
            data.put(key, value)
        for step in range(2):
            size = 65536 * 8 // RANKS // 2
            offset = 4096 + (number * 2 + step) * 262144 + rank.rank * size
            when = rank.mpi_transfer(MESH, "WRITE", "COLL", offset, size)
            data.transfer("WRITE", ["WRITES", "REGULAR_HYPERSLAB_SELECTS"], size, (when[0], when[1] + 2e-6))
        data.close(rank.spent(3e-5))
    rank.mpi_close(MESH)
    file.close(rank.spent(1e-4))


def store_grid(rank):
    """PnetCDF over MPI-IO: one variable."""
    file = rank.file("PNETCDF_FILE", GRID, lambda: counting.Plain("PNETCDF_FILE"))
    file.open("CREATES" if rank.rank == 0 else "OPENS", rank.spent(3e-4))
    rank.mpi_open(GRID, 5)
    data = rank.file("PNETCDF_VAR", GRID + b":temperature", lambda: counting.Plain("PNETCDF_VAR", "AGG_"))
    data.open(when=rank.spent(1e-5))
    for key, value in (("NDIMS", 2), ("NPOINTS", 16384), ("DATATYPE_SIZE", 4)):
        data.put(key, value)
    size = 16384 * 4 // RANKS
    for way, names in (("WRITE", ["COLL_WRITES", "PUT_VARA"]), ("READ", ["INDEP_READS", "GET_VARA"])):
        when = rank.mpi_transfer(GRID, way, "COLL" if way == "WRITE" else "INDEP", 512 + rank.rank * size, size)
        data.transfer(way, names, size, (when[0], when[1] + 1e-6))
        file.count("BYTES_WRITTEN" if way == "WRITE" else "BYTES_READ", size)
    rank.mpi_close(GRID)
    file.close(rank.spent(1e-4))


def store_objects(rank):
    """A file and an object of DAOS."""
    file = rank.file("DFS", b"/container/rank-%d" % rank.rank, lambda: counting.Plain("DFS"))
    file.open(when=rank.spent(1e-4))
    file.put("CHUNK_SIZE", 1 << 20)
    item = rank.file("DAOS", b"object-%d" % rank.rank, lambda: counting.Plain("DAOS"))
    item.open("OBJ_OPENS", rank.spent(5e-5))
    for i in range(5):
        file.transfer("WRITE", ["WRITES"], 4096 * (i + 1), rank.spent(4e-5))
        item.transfer("READ", ["OBJ_FETCHES"], 1024, rank.spent(2e-5))
    item.close(rank.spent(1e-5))
    file.close(rank.spent(1e-5))


WORK = [write_fields, keep_notes, store_mesh, store_grid, store_objects]


def work(rng):
    ranks = [Rank(number, rng) for number in range(RANKS)]
    read_input(ranks[0])
    for part in WORK:
        for rank in ranks:
            part(rank)
        late = max(rank.now for rank in ranks)  # they wait for one another
        for rank in ranks:
            rank.now = late + 0.03
    return ranks


# ---- from ranks at work to records

def stored(module, version, record):
    """A record in the form of an old version: counters it did not have are left out, some had other names."""
    counters = record["counters"]
    other = {POSIX_STREAM[i]: 0 for i in range(4)}
    prefix = folds.prefix_of(module)
    other.update({f"{prefix}_F_{event}_TIMESTAMP": counters.get(f"{prefix}_F_{event}_{end}_TIMESTAMP", 0.0)
                  for event, end in (("OPEN", "START"), ("CLOSE", "END"))})
    if module == "PNETCDF_FILE" and version < 3:
        other.update(PNETCDF_FILE_INDEP_OPENS=0, PNETCDF_FILE_COLL_OPENS=counters["PNETCDF_FILE_OPENS"]
                     + counters["PNETCDF_FILE_CREATES"])
    names = sum(stored_counters(module, version), [])
    record = {key: value for key, value in record.items() if key != "file_rec_id" or (module, version) != ("H5D", 1)}
    return {**record, "counters": {name: counters[name] if name in counters else other[name] for name in names}}


def fixed_records(module, ranks):
    """Of every file: one record where all ranks used it, else one a rank."""
    names = list(dict.fromkeys(name for rank in ranks for held, name in rank.files if held == module))
    for name in names:
        users = [{"id": hash64(name), "rank": rank.rank, "counters": rank.files[module, name].counters()}
                 for rank in ranks if (module, name) in rank.files]
        if module in ("H5D", "PNETCDF_VAR"):
            for record in users:
                record["file_rec_id"] = hash64(name.split(b":")[0])
        if module in ("DFS", "DAOS"):
            for record in users:
                record.update(UUIDS, **({"oid_hi": 7, "oid_lo": 100 + record["rank"]} if module == "DAOS" else {}))
        if len(users) == RANKS:
            yield {**users[0], "rank": -1, "counters": folds.shared(module, users)}
        else:
            yield from users


def traced(module, version, ranks):
    threads = version == {"DXT_POSIX": 2, "DXT_MPIIO": 3}[module]
    names = list(dict.fromkeys(name for rank in ranks for held, name in rank.traces if held == module))
    for name in names:
        for rank in (rank for rank in ranks if (module, name) in rank.traces):
            ways = {way: [(*segment[:4], segment[4] if threads else None) for segment in segments]
                    for way, segments in rank.traces[module, name].items()}
            yield {"id": hash64(name), "rank": rank.rank, "shared": 0, "host": b"node%d" % (1 + rank.rank // 2), **ways}


def heatmaps(ranks):
    bins = int(max(rank.now for rank in ranks) / BIN) + 1
    for interface in ("POSIX", "MPIIO", "STDIO"):
        for rank in (rank for rank in ranks if interface in rank.heat):
            held = {"WRITE": [0] * bins, "READ": [0] * bins}
            for way, begin, _, size in rank.heat[interface]:  # nothing here lasts long enough to be divided
                held[way][int(begin / BIN)] += size
            yield {"id": hash64(b"heatmap:" + interface.encode()), "rank": rank.rank, "bin_width": BIN,
                   "writes": held["WRITE"], "reads": held["READ"]}


def layout(version, name, targets):
    record = {"id": hash64(name), "rank": -1}
    if version == 1:
        return {**record, "osts": 16, "mdts": 1, "stripe_offset": targets[0], "stripe_size": 1 << 20, "ost_ids": targets}
    return {**record, "components": [{"STRIPE_SIZE": 1 << 20, "STRIPE_COUNT": len(targets), "STRIPE_PATTERN": 0, "FLAGS": 16,
                                      "EXT_START": 0, "EXT_END": -1, "MIRROR_ID": 0, "POOL_NAME": b"flash",
                                      "OST_IDS": targets}]}


def layouts(version):
    return [layout(version, name, targets) for name, targets in ((SHARED, [3]), (MESH, [4, 5, 6, 7]), (GRID, [8, 9]))]


def machine(version):
    """The one record of a Blue Gene."""
    counts = [77, 2, 2, 16 << 10, 1, 1, 1, 2, 1, 1, 31]
    names = stored_counters("BG/Q", version)
    record = {"id": hash64(b"darshan-bgq-record"), "rank": -1, "counters": {**dict(zip(names[0], counts)), names[1][0]: 0.001}}
    return [{**record, "alignment": 8} if version == 1 else record]


def messages(maker):
    """AutoPerf's records of MPI, with counts that a program could have."""
    for record in maker.apmpi(ranks=RANKS, sync=1):
        if record["kind"] == "perf":
            record["counters"] = {name: (record["rank"] + 1) * (i % 17) * (1 if name in APMPI_INTS else 0.125)
                                  for i, name in enumerate(record["counters"])}
        else:
            record.update(variance_time=0.25, variance_sync=0.5)
        yield record


def routers(maker):
    for record in maker.apxc(ranks=RANKS):
        if record["kind"] == "perf":
            record["counters"] = {name: (record["rank"] + 1) * (i % 1000) for i, name in enumerate(record["counters"])}
        else:
            record.update(nblades=2, nchassis=1, ngroups=1, memory_mode=1, cluster_mode=2, appid=4711)
        yield record


def objects(maker):
    """Of MDHIM, which folds a record of each size into one; here two processes."""
    for record in (maker.mdhim(2), maker.mdhim(3)):
        for i, name in enumerate(record["counters"]):
            if name != "MDHIM_SERVERS":
                record["counters"][name] = 10 * i + 1 if "_F_" not in name else 0.5 * i
        record["histogram"] = [100 * i for i in range(len(record["histogram"]))]
        yield {**record, "rank": record["counters"]["MDHIM_SERVERS"] - 2}


def records(module, version, ranks, maker):
    special = {"HEATMAP": lambda: heatmaps(ranks), "LUSTRE": lambda: layouts(version), "BG/Q": lambda: machine(version),
               "APMPI": lambda: messages(maker), "APXC": lambda: routers(maker), "MDHIM": lambda: objects(maker)}
    if module in special:
        return list(special[module]())
    if module.startswith("DXT"):
        return list(traced(module, version, ranks))
    return [stored(module, version, record) for record in fixed_records(module, ranks)]


def names_of(ranks, maker, held):
    names = [name for rank in ranks for module, name in rank.files if module in held]
    names += [b"heatmap:" + interface for interface in (b"POSIX", b"MPIIO", b"STDIO") if "HEATMAP" in held]
    names += [b"darshan-bgq-record"] if "BG/Q" in held else []
    return list(dict.fromkeys([(hash64(name), name) for name in names] + maker.names))


def job(release, order, codec=0, modules=None):
    """The log that this release would have written of the job; `modules` may name fewer than it has."""
    version, held = RELEASES[release]
    held = {name: number for name, number in held.items() if modules is None or name in modules}
    rng = random.Random(f"job {release}")
    ranks, maker = work(rng), Maker(rng, RANKS)
    found = {MODULE_IDS[name]: Module(number, records(name, number, ranks, maker)) for name, number in held.items()}
    seconds = max(rank.now for rank in ranks)
    about = {"uid": 1001, "start_sec": START, "start_nsec": 250_000_000, "end_sec": START + int(seconds + 1),
             "end_nsec": 500_000_000, "nprocs": RANKS, "jobid": 4711}
    metadata = b"lib_ver=%s\nh=romio_no_indep_rw=true;cb_nodes=4\n" % release.encode()
    return Log(version, order, codec, 0, about, metadata, text_of(b"./model -n 4 --fields 6", MOUNTS),
               names_of(ranks, maker, held), found)
