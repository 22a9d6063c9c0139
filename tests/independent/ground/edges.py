"""Legal logs whose container is easy to get wrong: streams, regions, flags, text, names.

Each function returns (Log, Physical or None).
"""

import random

from .lookup8 import hash64
from .model import METADATA_SIZE, Module
from .pack import Physical, module_bytes, pack_names
from .synth import MOUNTS, Maker, text_of

USUAL = {"POSIX": 4, "MPI-IO": 3, "STDIO": 2}
EDGES = {}


def edge(function):
    EDGES[function.__name__] = function
    return function


def maker(name):
    return Maker(random.Random(f"edge {name}"))


def usual(name, version="3.41", modules=None, **how):
    return maker(name).log(version, modules or USUAL, **how)


def _cut_everywhere(log, pieces, rng):
    """Cuts at random bytes, so records and names straddle streams; one stream is empty."""
    cuts = {}
    for key in ["names", *log.modules]:
        size = len(pack_names(log) if key == "names" else module_bytes(log, key))
        cuts[key] = sorted(rng.randrange(size) for _ in range(pieces - 2))
        cuts[key].append(cuts[key][-1])
    return Physical(cuts=cuts)


@edge
def streams_split_records():
    log = usual("split", modules={**USUAL, "LUSTRE": 2, "DXT_POSIX": 2, "HEATMAP": 1})
    return log, _cut_everywhere(log, 9, random.Random(1))


@edge
def streams_split_records_big_endian_bzip2():
    log = usual("split-be", "3.10", {"POSIX": 3, "LUSTRE": 1, "DXT_MPIIO": 1}, order=">", codec=1)
    return log, _cut_everywhere(log, 5, random.Random(2))


@edge
def streams_many():
    log = usual("many", count=40)
    return log, _cut_everywhere(log, 300, random.Random(3))


@edge
def streams_one_byte_each():
    log = usual("bytes", modules={"STDIO": 2}, count=2)
    return log, Physical(cuts={9: list(range(1, len(module_bytes(log, 9))))})


@edge
def region_without_bytes():
    return usual("hollow"), Physical(empty={3: 3, 8: 2, 15: 1}, registered={4: 2, 16: 1})


@edge
def region_without_bytes_old():
    return usual("hollow-old", "3.10", {"POSIX": 3}), Physical(empty={2: 2, 8: 1})


@edge
def region_of_an_empty_stream():
    log = usual("void")
    log.modules[3] = Module(3, [])
    log.modules[8] = Module(2, [])
    return log, None


@edge
def first_region_without_bytes_and_no_names():
    log = usual("first-hollow", modules={"STDIO": 2})
    log.names = []
    return log, Physical(empty={1: 4})


@edge
def partial_flags():
    log = usual("partial")
    log.partial = 1 << 1 | 1 << 9 | 1 << 17
    return log, None


@edge
def partial_flags_big_endian():
    log = usual("partial-be", order=">")
    log.partial = 1 << 1 | 1 << 15
    return log, None


@edge
def partial_flags_shifted():
    log = usual("partial-310", "3.10", {"POSIX": 3, "STDIO": 1, "DXT_POSIX": 1}, order=">")
    log.partial = 1 << 3 | 1 << 5 | 1 << 9 | 1 << 10
    return log, None


@edge
def partial_flags_shifted_once():
    log = usual("partial-321", "3.21", {"POSIX": 4, "H5D": 2, "STDIO": 2})
    log.partial = 1 << 4 | 1 << 5 | 1 << 9
    return log, None


@edge
def partial_flag_of_merged_logs():
    log = usual("merged")
    log.partial = 1
    return log, None


@edge
def bytes_behind_the_last_region():
    return usual("trailer"), Physical(trailer=bytes(range(256)) * 3)


@edge
def bytes_between_regions():
    return usual("gaps"), Physical(gaps={"names": 7, 1: 1, 2: 64, 9: 4096})


@edge
def regions_out_of_order():
    return usual("order"), Physical(sequence=[9, 2, 1])


@edge
def text_without_mounts():
    log = usual("mountless")
    log.text = b"./program with arguments"
    return log, None


@edge
def text_without_nul():
    log = usual("nulless", "3.10", {"POSIX": 3})
    return log, Physical(text_nul=False)


@edge
def text_without_nul_or_mounts():
    log = usual("nulless2")
    log.text = b"./program"
    return log, Physical(text_nul=False)


@edge
def text_at_its_limit():
    log = usual("limit")
    log.text = b"x" * (3015 - 11) + b"<TRUNCATED>"
    return log, None


@edge
def text_at_the_old_limit():
    log = usual("limit-old", "3.21", {"POSIX": 4})
    log.text = text_of(b"./a", [(b"/%04d" % i, b"fs%03d" % i) for i in range(200)])
    log.text += b"\nlast\t" + b"/m" * 250
    log.text = log.text[:3031]
    return log, Physical(text_nul=False)


@edge
def text_with_trailing_space():
    log = usual("space")
    log.text = text_of(b"python3 a.py ")
    return log, None


@edge
def mounts_of_equal_length():
    log = usual("equal")
    log.text = text_of(b"./a", MOUNTS + [(b"/home", b"second"), (b"/data", b"beegfs")])
    return log, None


@edge
def metadata_at_its_limit():
    log = usual("metadata")
    log.metadata = b"lib_ver=1\nk=" + b"=" * (METADATA_SIZE - 1 - 13) + b"\n"
    return log, None


@edge
def metadata_without_keys():
    log = usual("metadata-none")
    log.metadata = b"no equals sign\n=no key\nlast=not ended"
    return log, None


@edge
def names_twice_and_empty():
    log = usual("twice")
    (a, name_a), (b, name_b), (c, _), *rest = log.names
    log.names = [(a, name_a), (a, b"/other/name"), (b, b""), (b, name_b), (c, b""), *rest,
                 (a, name_a), (12345, b"nobody's")]
    return log, None


@edge
def names_twice_in_old_form():
    log = usual("twice-300", "3.00", {"POSIX": 1, "MPI-IO": 1}, order=">")
    log.names = [*log.names, (log.names[0][0], b"/other/name"), (7, b"")]
    return log, None


@edge
def names_missing():
    log = usual("missing", modules={**USUAL, "BG/Q": 2, "LUSTRE": 2, "DXT_POSIX": 1})
    log.names = log.names[1:2]
    return log, None


@edge
def names_none_at_all():
    log = usual("nameless")
    log.names = []
    return log, None


@edge
def names_long_and_odd():
    odd = [b"/long/" + b"n" * 5000, b"/with space/\xc3\xa9\xe2\x82\xac", b"/raw/\xff\xfe\x80",
           b"<STDOUT>", b"/percent/%s%n%d", b"/quote/\"'\\"]
    log = usual("odd", modules={"POSIX": 4}, count=len(odd))
    log.names = []
    for record, name in zip(log.modules[1].records, odd):
        record["id"] = hash64(name)
        log.names.append((record["id"], name))
    return log, None


@edge
def names_beyond_two_mebibytes():
    log = usual("crowd", modules={"POSIX": 4}, count=1)
    for i in range(9000):
        name = b"/data/%08d/" % i + b"abcdefghij" * 24
        log.names.append((hash64(name), name))
    return log, None


@edge
def nothing_but_the_job():
    log = usual("bare", modules={})
    log.modules, log.names = {}, []
    return log, None


@edge
def names_but_no_modules():
    log = usual("records-none", modules={"POSIX": 4})
    log.modules = {}
    return log, None


@edge
def module_nobody_knows():
    log = usual("unknown")
    return log, Physical(raw={20: b"whatever" * 9, 63: b"x"}, registered={20: 7, 63: 1})


@edge
def module_null_with_records():
    return usual("null", modules={"NULL": 1, "STDIO": 2}), None
