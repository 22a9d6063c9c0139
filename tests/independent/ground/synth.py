"""Random but repeatable source records and logs for the corpus."""

from .history import POSIX_STREAM, stored_counters, stored_head
from .lookup8 import hash64
from .model import Log, Module
from .tables import (APMPI_GLOBAL, APMPI_INTS, APMPI_SYNC, APMPI_TIMES, APXC_COUNTERS, APXC_HEAD,
                     APXC_LOCATION, COUNTERS, EXTRA_TAIL, LUSTRE_COMP, MODULE_IDS, UNSIGNED)

MOUNTS = [(b"/", b"ext4"), (b"/scratch", b"lustre"), (b"/home", b"nfs"), (b"/scratch/deep", b"xfs")]
# "/scratchy" checks that a mount is a plain string prefix of the name.
FOLDERS = [b"/scratch", b"/scratchy", b"/scratch/deep", b"/home/user", b"relative", b"/data"]
HEATMAPS = [b"heatmap:" + api for api in (b"POSIX", b"MPIIO", b"STDIO")]


def text_of(exe, mounts=MOUNTS):
    return exe + b"".join(b"\n%s\t%s" % (kind, path) for path, kind in mounts)


class Maker:
    def __init__(self, rng, nprocs=4):
        self.rng, self.nprocs = rng, nprocs
        self.names = []

    def fresh_name(self):
        name = b"%s/file-%d.dat" % (self.rng.choice(FOLDERS), self.rng.randrange(10**6))
        self.names.append((hash64(name), name))
        return hash64(name)

    def named(self, name):
        if (hash64(name), name) not in self.names:
            self.names.append((hash64(name), name))
        return hash64(name)

    def rank(self):
        return self.rng.choice([-1, *range(self.nprocs)])

    def integer(self):
        r = self.rng
        return r.choice([0, -1, r.randrange(100), r.randrange(10**6), r.randrange(1 << 40),
                         r.randrange(-(1 << 62), 1 << 62)])

    def natural(self):
        return self.rng.choice([0, self.rng.randrange(1 << 20), self.rng.randrange(1 << 64)])

    def double(self):
        r = self.rng
        return r.choice([0.0, -1.0, r.random() * 100, r.random() / 1e4, r.random() * 1e12])

    def fixed(self, module, version):
        ints, floats = stored_counters(module, version)
        counters = {name: self.integer() for name in ints}
        counters.update((name, self.double()) for name in floats)
        for name in UNSIGNED & counters.keys():
            counters[name] = self.natural()
        if POSIX_STREAM[0] in counters:  # such records are dropped; a test of its own does that
            counters[POSIX_STREAM[0]] = self.rng.choice([0, 0, -1])
        for name in [name for name in counters if name.startswith("PNETCDF_FILE_") and
                     name.endswith("_OPENS")]:
            counters[name] = self.rng.randrange(1 << 30)  # two of them get added up
        record = {"id": self.fresh_name(), "rank": self.rank(), "counters": counters}
        for field, form in stored_head(module, version):
            record[field] = self.rng.randrange(1 << (31 if form.startswith("i") else 64))
        for field, form in EXTRA_TAIL.get(module, []):
            record[field] = (self.rng.randbytes(16) if form == "16s"
                             else self.rng.randrange(1 << 64))
        return record

    def component(self, stripes):
        comp = {name: self.integer() for name in LUSTRE_COMP}
        comp.update(
            STRIPE_SIZE=self.rng.randrange(1 << 30), STRIPE_COUNT=stripes,
            STRIPE_PATTERN=self.rng.choice([0, 2, 4, 8, -1, 3]),
            FLAGS=self.rng.choice([-1, 0, 16, self.rng.randrange(1 << 12)]),
            POOL_NAME=self.rng.choice([b"", b"flash", b"sixteen--bytes!!"]),
            OST_IDS=[self.rng.randrange(-1, 500) for _ in range(stripes)])
        return comp

    def lustre(self, version):
        record = {"id": self.fresh_name(), "rank": self.rank()}
        if version == 1:
            record.update((k, self.integer()) for k in ("osts", "mdts", "stripe_offset"))
            record.update(stripe_size=1 << self.rng.randrange(31),
                          ost_ids=[self.rng.randrange(500) for _ in range(self.rng.randrange(6))])
        else:
            record["components"] = [self.component(self.rng.randrange(4))
                                    for _ in range(self.rng.randrange(1, 4))]
        return record

    def segment(self, threads):
        return (self.integer(), self.integer(), self.double(), self.double(),
                self.rng.randrange(1 << 64) if threads else None)

    def dxt(self, threads, most=5):
        return {"id": self.fresh_name(), "rank": self.rng.randrange(self.nprocs), "shared": 0,
                "host": b"node%04d.example" % self.rng.randrange(10**4),
                "writes": [self.segment(threads) for _ in range(self.rng.randrange(most))],
                "reads": [self.segment(threads) for _ in range(self.rng.randrange(most))]}

    def heatmap(self, bins, width=0.1):
        return {"id": self.named(self.rng.choice(HEATMAPS)), "rank": self.rng.randrange(self.nprocs),
                "bin_width": width, "writes": [self.rng.randrange(1 << 30) for _ in range(bins)],
                "reads": [self.rng.randrange(1 << 30) for _ in range(bins)]}

    def mdhim(self, servers):
        ints, floats = COUNTERS["MDHIM"]
        counters = {**{n: self.integer() for n in ints}, **{n: self.double() for n in floats}}
        counters["MDHIM_SERVERS"] = servers
        return {"id": self.named(b"total-mdhim-obj-stats"), "rank": self.rank(),
                "counters": counters,
                "histogram": [self.integer() for _ in range(max(1, servers))]}

    def apmpi(self, ranks, sync):
        doubles = APMPI_TIMES + APMPI_SYNC + APMPI_GLOBAL
        yield {"id": self.named(b"darshan-apmpi-header"), "rank": 0, "kind": "header",
               "sync_flag": sync, "variance_time": self.double(), "variance_sync": self.double()}
        for rank in range(ranks):
            yield {"id": self.named(b"APMPI"), "rank": rank, "kind": "perf",
                   "counters": {**{name: self.natural() for name in APMPI_INTS},
                                **{name: self.double() for name in doubles}},
                   "node": b"nid%05d" % rank}

    def apxc(self, ranks):
        yield {"id": self.named(b"darshan-apxc-header"), "rank": 0, "kind": "header",
               **{name: self.rng.randrange(1 << 31) for name in APXC_HEAD}}
        for rank in range(ranks):
            yield {"id": self.named(b"APXC"), "rank": rank, "kind": "perf",
                   **{name: self.rng.randrange(100) for name in APXC_LOCATION},
                   "counters": {name: self.natural() for name in APXC_COUNTERS}}

    def records(self, module, version, count=3):
        if module == "LUSTRE":
            return [self.lustre(version) for _ in range(count)]
        if module in ("DXT_POSIX", "DXT_MPIIO"):
            threads = version == {"DXT_POSIX": 2, "DXT_MPIIO": 3}[module]
            return [self.dxt(threads) for _ in range(count)]
        if module == "HEATMAP":
            return [self.heatmap(bins=5) for _ in range(count)]
        if module == "MDHIM":
            return [self.mdhim(servers) for servers in range(1, count + 1)]
        if module == "APMPI":
            return list(self.apmpi(ranks=2, sync=self.rng.randrange(2)))
        if module == "APXC":
            return list(self.apxc(ranks=2))
        return [self.fixed(module, version) for _ in range(count)]

    def log(self, version, modules, order="<", codec=0, count=3):
        """A log of this container version holding `modules` (name -> record version)."""
        held = {MODULE_IDS[name]: Module(ver, self.records(name, ver, count))
                for name, ver in modules.items()}
        start = self.rng.randrange(10**9, 2 * 10**9)
        job = {"uid": self.rng.randrange(1 << 31), "start_sec": start,
               "start_nsec": self.rng.randrange(10**9), "end_sec": start + self.rng.randrange(5000),
               "end_nsec": self.rng.randrange(10**9), "nprocs": self.nprocs,
               "jobid": self.rng.randrange(1 << 40)}
        exe = b"./run --seed %d" % self.rng.randrange(10**6)
        return Log(version, order, codec, 0, job, b"lib_ver=0.0\nh=cb_nodes=4;a=b\n", text_of(exe),
                   self.names, held)
