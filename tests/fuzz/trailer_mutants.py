"""Logs whose trailer lies or is damaged. The checksums are made right again, or nothing behind the first would be
reached; a share keeps them wrong."""

import random
import struct
import zlib

import trailers

FOOTER, ENTRY = 64, 48
LIES = [0, 1, 2, 7, 8, 63, 64, 255, 4096, 65535, (1 << 31) - 1, 1 << 32, 1 << 40, 1 << 60, (1 << 63) - 1, 1 << 63,
        (1 << 64) - 8, (1 << 64) - 1]
BOMB_SIZE = 24 << 20
# Offset and struct code of the numbers in the footer and in an entry of the directory.
FOOTER_FIELDS = [(8, "I"), (12, "I"), (16, "Q"), (24, "Q"), (32, "Q"), (48, "Q"), (56, "I")]
ENTRY_FIELDS = [(0, "I"), (4, "B"), (6, "H"), (16, "Q"), (24, "Q"), (32, "Q"), (40, "Q"), (48, "H")]


class Base:
    """A log with a sound trailer, and where it begins."""

    def __init__(self, name, data):
        self.name, self.plain = name, data
        self.data, self.start = trailers.with_trailer(data), len(data)


def bases(prepared):
    """From the logs a trailer can follow: 3.41 with zlib, and small."""
    usable = [s for s in prepared if s.header and s.header.minor == 41 and s.header.codec == 0]
    usable = [s for s in usable if s.header.order == "<" and len(s.regions) >= 3 and len(s.data) < 20_000]
    return [Base(s.name, s.data) for s in usable[:40]]


def directory_of(data):
    return struct.unpack_from("<Q", data, len(data) - FOOTER + 24)[0]


def entries_of(data):
    """Where each entry of the directory begins, as far as lengths make sense."""
    at, end = directory_of(data), len(data) - FOOTER
    while at + ENTRY <= end:
        yield at
        length = struct.unpack_from("<I", data, at)[0]
        if length < ENTRY:
            return
        at += length


def mend(data):
    """Makes the checksums right: sections, directory, footer."""
    end = len(data) - FOOTER
    at = directory_of(data)
    if at > end:
        at = end
    for entry in entries_of(data):
        offset, stored = struct.unpack_from("<2Q", data, entry + 16)
        if offset + stored <= end:
            struct.pack_into("<I", data, entry + 8, trailers.crc32c(data[offset:offset + stored]))
    struct.pack_into("<I", data, end + 40, trailers.crc32c(data[at:end]))
    struct.pack_into("<I", data, end + 60, trailers.crc32c(data[end:end + 60]))


def lie_in_footer(rng, base):
    data = bytearray(base.data)
    at, code = rng.choice(FOOTER_FIELDS)
    near = [base.start, len(data), directory_of(data)]
    value = rng.choice(LIES + near + [number + rng.choice([-1, 1]) for number in near])
    struct.pack_into("<" + code, data, len(data) - FOOTER + at, value & (1 << 8 * struct.calcsize(code)) - 1)
    return data


def lie_in_entry(rng, base):
    data = bytearray(base.data)
    entry = rng.choice(list(entries_of(data)))
    at, code = rng.choice(ENTRY_FIELDS)
    old = struct.unpack_from("<" + code, data, entry + at)[0]
    value = rng.choice(LIES + [old - 1, old + 1, old * 2, len(data)])
    struct.pack_into("<" + code, data, entry + at, value & (1 << 8 * struct.calcsize(code)) - 1)
    return data


def lie_in_rows(rng, base):
    """Streams and threads that are not where the rows say."""
    def lie(tables):
        rows = rng.choice([t for t in tables.values() if t])
        row = rng.choice(rows)
        what = rng.randrange(4)
        if what == 0:
            row[rng.randrange(len(row))] = rng.choice(LIES)
        elif what == 1:
            row[rng.randrange(len(row))] += rng.choice([-1, 1, 8])
        elif what == 2:
            rows.remove(row)
        else:
            rows.insert(rng.randrange(len(rows) + 1), list(row))
    return bytearray(trailers.with_trailer(base.plain, lie))


def flip(rng, base):
    data = bytearray(base.data)
    for _ in range(rng.randint(1, 4)):
        data[rng.randrange(base.start, len(data))] ^= 1 << rng.randrange(8)
    return data


def resize(rng, base):
    """Bytes of the trailer removed, doubled or put in; the footer still comes last."""
    data = bytearray(base.data)
    at = rng.randrange(base.start, len(data) - FOOTER)
    size = rng.randint(1, 40)
    data[at:at + size] = rng.choice([b"", bytes(data[at:at + size]) * 2, rng.randbytes(size), bytes(size)])
    if len(data) < base.start + FOOTER:
        return bytearray(base.data[:base.start])
    if rng.random() < 0.5:
        struct.pack_into("<Q", data, len(data) - FOOTER + 48, len(data))
    return data


def cut(rng, base):
    return bytearray(base.data[:rng.randrange(base.start, len(base.data))])


def bomb(rng, base):
    """A section that expands far beyond what it says, or says it does."""
    section = trailers.numbers(trailers.STREAMS, trailers.stream_rows(base.plain))
    section["stored"] = zlib.compress(bytes(BOMB_SIZE), 9)
    if rng.random() < 0.5:
        section["plain"], section["rows"] = BOMB_SIZE, BOMB_SIZE // 40
    return bytearray(base.plain + trailers.trailer(base.start, base.plain[:1328], [section]))


def lie_in_stream(rng, base):
    """Rows or the directory of version 2 say something else, with checksums that are right."""
    def change(body, directory):
        data = [bytearray(body), bytearray(directory)]
        for _ in range(rng.randint(1, 4)):
            part = data[rng.random() < 0.6]
            at = rng.randrange(len(part))
            what = rng.randrange(3)
            part[at:at + (what != 1)] = rng.choice([b"\0", b"\1", b"\2", b"\x7f", b"\x80", b"\xff", rng.randbytes(1), b""])
        return bytes(data[0]), bytes(data[1])
    return bytearray(trailers.with_compact_trailer(base.plain, change, rng.choice([0, 0, 2])))


KINDS = [lie_in_footer, lie_in_entry, lie_in_rows, lie_in_stream, flip, resize, cut]
BOMB_SHARE = 1 / 100
UNMENDED = [cut, lie_in_rows, lie_in_stream, bomb]  # sound sums already, or none to mend


def mutant(seed, index, sound):
    rng = random.Random(f"{seed}/trailer/{index}")
    base = rng.choice(sound)
    kind = bomb if rng.random() < BOMB_SHARE else rng.choice(KINDS)
    data = kind(rng, base)
    if kind not in UNMENDED and rng.random() < 7 / 8 and len(data) >= base.start + FOOTER:
        mend(data)
    return f"{index:06d}-trailer_{kind.__name__}-{base.name}", bytes(data)


def every_cut(sound):
    """One trailer cut after every byte."""
    base = min(sound, key=lambda b: len(b.data))
    for size in range(base.start, len(base.data)):
        yield f"cut-{size:06d}-trailer-{base.name}", base.data[:size]
