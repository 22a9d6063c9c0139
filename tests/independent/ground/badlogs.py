"""Damaged and hostile files, each with what a careful reader can still get out of it."""

import bz2
import dataclasses
import functools
import gzip
import random
import struct
import zlib

from .container import job_extent, parse_header
from .model import MAGIC, NONE, header_size
from .pack import Physical, encode, module_bytes, pack_job, pack_names, pack_record
from .synth import Maker
from .tables import CURRENT, MODULE_IDS, MODULE_NAMES

COLUMNS = ["file", "kind", "what", "opens", "reports", "job", "names", "records"]
BOMB = 50 << 20
HELD = {"POSIX": 4, "MPI-IO": 3, "LUSTRE": 2, "STDIO": 2, "DXT_POSIX": 1, "MDHIM": 1, "HEATMAP": 1}


@dataclasses.dataclass
class Bad:
    """`opens`: yes, no or ?.  `reports`: must a reader that opens it speak of damage, yes or ?.
    `job`: readable, yes, no or ?.  `names`: how many, or ?.  `records`: module -> a count, ">=n"
    (at least those in undamaged streams), or "?" (not defined); modules not named have no
    readable record."""

    file: str
    kind: str
    what: str
    data: bytes
    opens: str = "yes"
    reports: str = "yes"
    job: str = "yes"
    names: str = "?"
    records: dict = dataclasses.field(default_factory=dict)

    def row(self):
        shown = [f"{m}{n}" if str(n).startswith((">", "?")) else f"{m}={n}"
                 for m, n in self.records.items() if n != 0]
        return [self.file, self.kind, self.what, self.opens, self.reports, self.job,
                str(self.names), ",".join(shown)]


def base_log(order="<", codec=0, version="3.41", held=None, count=3):
    maker = Maker(random.Random(f"bad {order} {codec} {version}"))
    return maker.log(version, held or HELD, order, codec, count)


def counts(log):
    return {MODULE_NAMES[i]: len(m.records) for i, m in sorted(log.modules.items())}


def regions(data):
    """[(key, offset, length)] in file order, the job first."""
    header = parse_header(data)
    found = [("job", *job_extent(header, len(data))), ("names", *header.name_map)]
    found += [(i, *extent) for i, extent in header.mod_map.items()]
    return sorted(found, key=lambda item: item[1])


def label(key):
    return key if isinstance(key, str) else MODULE_NAMES[key].replace("/", "").lower()


class Family:
    """Collects the bad versions of one log; what is not said is as in the sound log."""

    def __init__(self, log, physical=None):
        self.log, self.data = log, encode(log, physical)
        self.found = []

    def add(self, file, kind, what, data, hit=None, **how):
        """`hit`: module -> what remains of it."""
        how.setdefault("names", len(self.log.names))
        how.setdefault("records", {**counts(self.log), **(hit or {})})
        self.found.append(Bad(f"{file}.darshan", kind, what, bytes(data), **how))

    def refused(self, file, kind, what, data):
        self.add(file, kind, what, data, opens="no", job="no", names=0, records={})

    def patched(self, at, form, *values):
        data = bytearray(self.data)
        struct.pack_into(self.log.order + form, data, at, *values)
        return data


def truncated():
    fam = Family(base_log())
    order = regions(fam.data)
    for size in (0, 1, 8, 16, 100, order[0][1] - 1):
        fam.refused(f"truncated-header-{size}", "truncated", f"header cut after {size} bytes",
                    fam.data[:size])
    for index, (key, offset, _) in enumerate(order):
        lost = [k for k, _, _ in order[index:]]
        left = {m: n for m, n in counts(fam.log).items() if MODULE_IDS[m] not in lost}
        fam.add(f"truncated-before-{label(key)}", "truncated", f"cut where {label(key)} begins",
                fam.data[:offset], job="no" if "job" in lost else "yes",
                names=0 if "names" in lost else len(fam.log.names), records=left)
    raw = Family(base_log(codec=NONE))
    for key, offset, length in regions(raw.data):
        if key in ("job", "names"):
            continue
        module = raw.log.modules[key]
        sizes = [len(pack_record(MODULE_NAMES[key], module.version, r, "<")) for r in module.records]
        left = {m: n for m, n in counts(raw.log).items() if MODULE_IDS[m] < key}
        raw.add(f"truncated-inside-{label(key)}-uncompressed", "truncated",
                "cut inside the last record, uncompressed",
                raw.data[:offset + sum(sizes) - sizes[-1] // 2],
                records={**left, MODULE_NAMES[key]: len(sizes) - 1})
    return fam.found + raw.found + _truncated_streams()


def _truncated_streams():
    log = base_log(held={"POSIX": 4}, count=8)
    size = len(module_bytes(log, 1)) // 8
    fam = Family(log, Physical(cuts={1: [3 * size, 5 * size]}))
    (_, offset, length), = [r for r in regions(fam.data) if r[0] == 1]
    first = len(zlib.compress(module_bytes(log, 1)[:3 * size]))
    fam.add("truncated-between-streams", "truncated", "cut after the first of three streams",
            fam.data[:offset + first], {"POSIX": 3})
    fam.add("truncated-inside-second-stream", "truncated", "cut inside the second of three streams",
            fam.data[:offset + first + 20], {"POSIX": ">=3"})
    data = bytearray(fam.data)
    data[offset + first + 40] ^= 0x10
    fam.add("flip-second-stream", "flip", "one bit in the second of three streams", data,
            {"POSIX": ">=3"})
    fam.add("truncated-last-byte", "truncated", "last byte missing", fam.data[:-1],
            {"POSIX": ">=5"})
    return fam.found


def header_lies():
    fam = Family(base_log())
    total = len(fam.data)
    where = {key: (offset, length) for key, offset, length in regions(fam.data)}
    posix, last = 48 + 16, 48 + 15 * 16
    off, length = where[1]
    big = (1 << 64) - 8
    none, unsure = {"POSIX": 0}, {"POSIX": "?"}
    for name, what, at, values, hit in (
            ("offset-beyond-file", "POSIX offset beyond the file", posix, (total + 1000, 100), none),
            ("offset-wraps", "POSIX offset + length wraps around", posix, (big, 16), none),
            ("length-beyond-file", "last region longer than the file", last,
             (where[15][0], where[15][1] + 10**6), {}),
            ("length-huge", "last region of 2^64-1 bytes", last, (where[15][0], big + 7), {}),
            ("length-over-neighbours", "POSIX region runs into the next", posix,
             (off, length + where[2][1]), unsure),
            ("offset-in-header", "POSIX region inside the header", posix, (8, 200), unsure),
            ("offset-in-job", "POSIX region is the job region", posix, where["job"], unsure),
            ("offset-off-by-one", "POSIX region one byte late", posix, (off + 1, length - 1), none),
            ("overlap", "MPI-IO and POSIX share a region", posix + 16, (off, length),
             {"MPI-IO": "?"})):
        fam.add(f"lie-{name}", "header lie", what, fam.patched(at, "2Q", *values), hit)
    fam.add("lie-names-beyond-file", "header lie", "name region beyond the file",
            fam.patched(32, "2Q", total + 5, 50), names=0, job="?")
    fam.add("lie-names-in-header", "header lie", "name region begins inside the header",
            fam.patched(32, "2Q", 100, 50), names="?", job="?")
    fam.add("lie-names-are-posix", "header lie", "name region is the POSIX region",
            fam.patched(32, "2Q", off, length), names="?", job="?")
    fam.add("lie-compression-bzip2", "header lie", "zlib log that says bzip2",
            fam.patched(16, "B", 1), job="no", names=0, records={})
    fam.add("lie-compression-none", "header lie", "zlib log that says uncompressed",
            fam.patched(16, "B", 2), job="?", names="?", records={m: "?" for m in HELD})
    fam.add("lie-compression-unknown", "header lie", "compression method 7",
            fam.patched(16, "B", 7), opens="?", job="no", names=0, records={})
    return fam.found


def versions():
    fam = Family(base_log())
    for module in HELD:
        for wrong, word in ((0, "zero"), (CURRENT[module] + 1, "too-new"), ((1 << 32) - 1, "huge")):
            at = 1072 + 4 * MODULE_IDS[module]
            fam.add(f"version-{word}-{label(MODULE_IDS[module])}", "module version",
                    f"{module} version {wrong}", fam.patched(at, "I", wrong), {module: 0})
    return fam.found


def flips():
    found = []
    for codec, word in ((0, "zlib"), (1, "bzip2")):
        fam = Family(base_log(codec=codec))
        for key, offset, length in regions(fam.data):
            data = bytearray(fam.data)
            data[offset + length // 2] ^= 1 << (length % 8)
            hit = {} if key in ("job", "names") else {MODULE_NAMES[key]: "?"}
            fam.add(f"flip-{word}-{label(key)}", "flip", f"one bit inside {label(key)}", data, hit,
                    job="?" if key == "job" else "yes",
                    names="?" if key == "names" else len(fam.log.names))
        found += fam.found
    return found


def bombs():
    log = base_log()
    zeros = bytes(BOMB)
    packed = {0: zlib.compress(zeros, 9), 1: bz2.compress(zeros, 9)}
    found = []
    for codec, word in ((0, "zlib"), (1, "bzip2")):
        log.codec = codec
        for key in ("job", "names", 1, 10, 15):
            fam = Family(log, Physical(packed={key: packed[codec]}))
            hit = {} if isinstance(key, str) else {MODULE_NAMES[key]: "?"}
            fam.add(f"bomb-{word}-{label(key)}", "bomb", f"{label(key)} expands to {BOMB} zeros",
                    fam.data, hit, job="?" if key == "job" else "yes",
                    names="?" if key == "names" else len(log.names))
            found += fam.found
    log.codec = 0
    many = b"".join([zlib.compress(b"")] * 20000)
    fam = Family(log, Physical(packed={1: many}))
    fam.add("bomb-empty-streams", "bomb", "POSIX is 20000 streams of nothing", fam.data,
            {"POSIX": 0}, reports="?")
    return found + fam.found


def liar(log, ident, at, form, value):
    """The module's records, the second one with a lie at byte `at`."""
    module = log.modules[ident]
    packed = [bytearray(pack_record(MODULE_NAMES[ident], module.version, r, log.order))
              for r in module.records]
    struct.pack_into(log.order + form, packed[1], at, value)
    return b"".join(packed)


COUNT_LIES = [  # module, version, field, byte offset, values, what remains
    ("DXT_POSIX", 1, "write-count", 88, [1 << 60, 1 << 59, -1, -(1 << 63), 10**6], 1),
    ("DXT_POSIX", 2, "read-count", 96, [1 << 60, -1, (1 << 63) - 1], 1),
    ("DXT_MPIIO", 1, "write-count", 88, [1 << 59, -5], 1),
    ("LUSTRE", 2, "components", 16, [1 << 40, 1 << 61, -1, -(1 << 63)], 1),
    ("LUSTRE", 2, "stripes", 24, [1 << 61, 1 << 40, -1], 1),
    ("LUSTRE", 2, "stripe-count", 32 + 8, [1 << 40, -5, 1 << 62], ">=1"),
    ("LUSTRE", 1, "width", 48, [1 << 61, 1 << 40, -1], 1),
    ("HEATMAP", 1, "bins", 24, [1 << 50, 1 << 60, 1 << 61, -1, -(1 << 63)], 1),
    ("MDHIM", 1, "servers", 48, [1 << 61, 1 << 40, (1 << 63) - 1], 1),
    ("MDHIM", 1, "servers", 48, [-1], "?"),
]


def absurd_counts():
    found = []
    for module, version, field, at, values, remain in COUNT_LIES:
        log = base_log(held={"POSIX": 4, module: version, "STDIO": 2})
        ident = MODULE_IDS[module]
        for value in values:
            fam = Family(log, Physical(raw={ident: liar(log, ident, at, "q", value)}))
            name = f"count-{label(ident)}-v{version}-{field}-{value & (1 << 64) - 1:x}"
            fam.add(name, "absurd count", f"{module} {field} {value} in the second record",
                    fam.data, {module: remain}, reports="?" if remain == "?" else "yes")
            found += fam.found
    return found


def bad_names():
    log = base_log()
    raw = pack_names(log)
    n = len(log.names)
    found = []

    def add(log, file, what, raw, names, **physical):
        fam = Family(log, Physical(raw={"names": raw}, **physical))
        fam.add(f"names-{file}", "names", what, fam.data, names=names)
        found.extend(fam.found)

    add(log, "without-nul", "last name has no NUL", raw[:-1], n - 1)
    add(log, "half-an-id", "four bytes where an id should be", raw + b"\1\2\3\4", n)
    add(log, "id-only", "last id has no name", raw + b"\1\2\3\4\5\6\7\0", n)
    add(log, "one-long-name", "a megabyte without NUL", raw + b"12345678" + b"n" * 10**6, n)
    old = base_log(version="3.00", held={"POSIX": 1})
    raw = pack_names(old)
    n = len(old.names)
    for length in (1 << 31, (1 << 32) - 1, 10**6):
        add(old, f"length-{length}", f"name of {length} bytes promised",
            raw + struct.pack("<QI", 77, length) + b"short", n)
    add(old, "length-missing", "id without length", raw + struct.pack("<Q", 77), n)
    return found


def bad_jobs():
    found = []
    for size in (0, 8, 1063, 1079):
        log = base_log()
        fam = Family(log, Physical(raw={"job": pack_job(log)[:size]}))
        fam.add(f"job-{size}-bytes", "job", f"job record of {size} bytes", fam.data, job="no")
        found += fam.found
    log = base_log()
    fam = Family(log, Physical(raw={"job": pack_job(log)[:56] + b"k=v\n" * 256 + log.text + b"\0"}))
    fam.add("job-metadata-without-nul", "job", "metadata of 1024 bytes without NUL", fam.data,
            reports="?")
    found += fam.found
    for text, name in ((b"./a\nnotype\n\text4\n\n", "malformed"), (b"\n\n\n", "empty-lines"),
                       (b"./a\n" + b"x" * 2900, "one-word")):
        log.text = text
        fam = Family(log)
        fam.add(f"job-mounts-{name}", "job", f"mount lines: {name}", fam.data, reports="?")
        found += fam.found
    return found


def not_logs():
    fam = Family(base_log())
    old = b"2.06\0\0\0\0" + bytes(5000)
    rng = random.Random("noise")
    for name, what, data in (
            ("empty", "empty file", b""),
            ("zeroed-header", "header of zeros, as a crashed run leaves it",
             bytes(header_size(41)) + fam.data[header_size(41):]),
            ("zeros", "4096 zeros", bytes(4096)),
            ("text", "a text file", b"# darshan log version: 3.41\n" * 40),
            ("version-text-only", "version and nothing else", b"3.41\0\0\0\0"),
            ("darshan-2.06-gzip", "log of Darshan 2.x, gzip", gzip.compress(old, mtime=0)),
            ("darshan-2.05-bzip2", "log of Darshan 2.x, bzip2", bz2.compress(b"2.05" + old[4:])),
            ("darshan-1.24-gzip", "log of Darshan 1.x, gzip",
             gzip.compress(b"1.24" + old[4:], mtime=0)),
            ("noise", "random bytes", rng.randbytes(5000)),
            ("magic-wrong", "wrong magic number", fam.patched(8, "q", MAGIC + 1)),
            ("magic-half", "magic number in another order",
             fam.patched(8, "q", MAGIC << 32))):
        fam.refused(f"not-a-log-{name}", "no log", what, data)
    for text in (b"3.42", b"3.01", b"2.06", b"4.00", b"3", b"abc", b"-3.41", b"3.411111"):
        data = bytearray(fam.data)
        data[:8] = text.ljust(8, b"\0")
        fam.refused(f"not-a-log-version-{text.decode()}", "no log", f"version string {text!r}", data)
    return fam.found


@functools.cache
def bad_logs():
    """Made once a process."""
    families = (truncated, header_lies, versions, flips, bombs, absurd_counts, bad_names,
                bad_jobs, not_logs)
    return tuple(bad for family in families for bad in family())

