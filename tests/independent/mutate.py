#!/usr/bin/env python3
"""Makes damaged logs out of sound ones, the same ones for the same seed.

  mutate.py --seed S --count N --out DIR LOG...

File names are INDEX-KIND-LOG.  A driver that needs no files imports
mutants(seed, count, seeds), which yields (name, bytes); `seeds` is a list of (name, bytes).
Mutant i depends only on the seed, i and the logs, so one can be made again alone
with mutant(seed, i, prepared).
"""

import argparse
import os
import random
import struct
import sys
import zlib

from ground import container
from ground.model import BZIP2, ZLIB, LogError, header_layout
from ground.pack import squeeze

BOMB_SIZE = 48 << 20
EDGE_VALUES = [0, 1, 2, 7, 8, 255, 4096, 65535, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32,
               1 << 40, 1 << 50, 1 << 59, 1 << 60, 1 << 61, (1 << 63) - 1, 1 << 63, (1 << 64) - 1,
               (1 << 64) - 8]
# Byte offsets of counts in the variable-length records, by module id.
COUNT_FIELDS = {8: [16, 24, 40, 48], 10: [88, 96], 11: [88, 96], 12: [48], 14: [16, 24],
                13: [16], 15: [16, 24]}
_bombs = {}


class Seed:
    """A log taken apart: where its regions are, and (on demand) what they expand to."""

    def __init__(self, name, data):
        self.name, self.data = name, data
        self.regions = []  # (key, offset, length) in file order; key is "job", "names", module id
        self._expanded = {}
        try:
            self.header = container.parse_header(data)
        except LogError:
            self.header = None
            return
        found = [("job", *container.job_extent(self.header, len(data))),
                 ("names", *self.header.name_map)]
        found += [(i, *extent) for i, extent in self.header.mod_map.items()]
        found = [item for item in found if item[2] and item[1] + item[2] <= len(data)]
        self.regions = sorted(found, key=lambda item: item[1])

    def packed(self, key):
        return next(self.data[off:off + size] for k, off, size in self.regions if k == key)

    def expanded(self, key):
        if key not in self._expanded:
            self._expanded[key] = container.expand(self.packed(key), self.header.codec)[0]
        return self._expanded[key]

    def map_offset(self, key):
        """Where in the header the region's (offset, length) stands; None for the job."""
        if key == "job":
            return None
        names = 24 if self.header.minor < 41 else 32
        if key == "names":
            return names
        slots = header_layout(self.header.minor)[1]
        slot = next(s for s in range(slots) if container.current_id(s, self.header.minor) == key)
        return names + 16 + 16 * slot

    def version_offset(self, slot):
        return (296 if self.header.minor < 41 else 1072) + 4 * slot

    def rebuilt(self, new):
        """The log with some regions' packed bytes replaced and all maps made right."""
        body = bytearray(self.data[:self.header.size])
        for key, offset, size in self.regions:
            data = new.get(key)
            if data is None:
                data = self.data[offset:offset + size]
            at = self.map_offset(key)
            if at is not None:
                struct.pack_into(self.header.order + "2Q", body, at, len(body), len(data))
            body += data
        end = max((off + size for _, off, size in self.regions), default=self.header.size)
        return bytes(body + self.data[end:])

    def repacked(self, key, raw):
        codec = self.header.codec
        data = zlib.compress(raw, 1) if codec == ZLIB else squeeze(raw, codec)
        return self.rebuilt({key: data})


def _flip(rng, data, low, high, most=4):
    data = bytearray(data)
    for _ in range(rng.randint(1, most)):
        data[rng.randrange(low, high)] ^= 1 << rng.randrange(8)
    return bytes(data)


def _region(rng, seed):
    return rng.choice(seed.regions)


def truncate(rng, seed, _):
    return seed.data[:rng.randrange(len(seed.data))]


def truncate_at_region(rng, seed, _):
    _, offset, size = _region(rng, seed)
    return seed.data[:max(0, rng.choice([offset, offset + size]) + rng.randint(-2, 2))]


def flip_anywhere(rng, seed, _):
    return _flip(rng, seed.data, 0, len(seed.data))


def flip_header(rng, seed, _):
    return _flip(rng, seed.data, 0, min(seed.header.size, len(seed.data)))


def flip_packed(rng, seed, _):
    _, offset, size = _region(rng, seed)
    return _flip(rng, seed.data, offset, offset + size)


def flip_inside(rng, seed, _):
    key, _, _ = _region(rng, seed)
    raw = seed.expanded(key)
    return seed.repacked(key, _flip(rng, raw, 0, len(raw)) if raw else b"\0")


def value_inside(rng, seed, _):
    """One to three 64-bit words of a region become telling values."""
    key, _, _ = _region(rng, seed)
    raw = bytearray(seed.expanded(key))
    for _ in range(rng.randint(1, 3)):
        if len(raw) >= 8:
            at = rng.randrange(len(raw) // 8) * 8
            struct.pack_into(seed.header.order + "Q", raw, at, rng.choice(EDGE_VALUES))
    return seed.repacked(key, bytes(raw))


def count_lie(rng, seed, _):
    """A count in a record of variable length; where the log has none, any leading word."""
    keys = [key for key, _, _ in seed.regions if key in COUNT_FIELDS]
    key = rng.choice(keys) if keys else _region(rng, seed)[0]
    raw = bytearray(seed.expanded(key))
    at = rng.choice(COUNT_FIELDS.get(key, [0, 8, 16, 24]))
    if len(raw) < at + 8:
        return seed.repacked(key, b"")
    value = rng.choice(EDGE_VALUES + [struct.unpack_from(seed.header.order + "Q", raw, at)[0] + 1])
    struct.pack_into(seed.header.order + "Q", raw, at, value & (1 << 64) - 1)
    return seed.repacked(key, bytes(raw))


def resize_inside(rng, seed, _):
    """Expanded bytes removed, repeated or put in."""
    key, _, _ = _region(rng, seed)
    raw = seed.expanded(key)
    at, size = rng.randrange(len(raw) + 1), rng.randint(1, 64)
    middle = rng.choice([b"", raw[at:at + size] * 2, rng.randbytes(size), bytes(size)])
    return seed.repacked(key, raw[:at] + middle + raw[at + size:])


def cut_inside(rng, seed, _):
    key, _, _ = _region(rng, seed)
    raw = seed.expanded(key)
    return seed.repacked(key, raw[:rng.randrange(len(raw) + 1)])


def map_lie(rng, seed, _):
    keys = [key for key, _, _ in seed.regions if key != "job"]
    if not keys:
        return flip_header(rng, seed, _)
    data = bytearray(seed.data)
    size = len(data)
    near = [size, size - 1, size + 1, seed.header.size, *(off for _, off, _ in seed.regions)]
    for _ in range(rng.randint(1, 2)):
        at = seed.map_offset(rng.choice(keys)) + rng.choice([0, 8])
        value = rng.choice([rng.choice(EDGE_VALUES), rng.choice(near), rng.randrange(size)])
        struct.pack_into(seed.header.order + "Q", data, at, value)
    return bytes(data)


def swap_regions(rng, seed, _):
    """Two map entries are swapped, so bytes of one module are read as another's."""
    keys = [key for key, _, _ in seed.regions if key != "job"]
    if len(keys) < 2:
        return flip_header(rng, seed, _)
    data = bytearray(seed.data)
    a, b = (seed.map_offset(key) for key in rng.sample(keys, 2))
    data[a:a + 16], data[b:b + 16] = data[b:b + 16], data[a:a + 16]
    return bytes(data)


def version_lie(rng, seed, _):
    data = bytearray(seed.data)
    slots = header_layout(seed.header.minor)[1]
    what = rng.randrange(4)
    if what == 0:
        data[:8] = rng.choice([b"3.00", b"3.10", b"3.20", b"3.21", b"3.41", b"3.99"]).ljust(8, b"\0")
    elif what == 1:
        data[16] = rng.choice([0, 1, 2, 3, 255])
    elif what == 2:
        data[8:16] = data[8:16][::-1]
    else:
        for _ in range(rng.randint(1, 3)):
            at = seed.version_offset(rng.randrange(min(slots, 18)))
            struct.pack_into(seed.header.order + "I", data, at,
                             rng.choice([0, 1, 2, 3, 4, 5, 0xFFFFFFFF]))
    return bytes(data)


def splice_files(rng, seed, other):
    return seed.data[:rng.randrange(len(seed.data) + 1)] + other.data[
        rng.randrange(len(other.data) + 1):]


def splice_regions(rng, seed, other):
    """A region gets, or is followed by, the packed bytes of a region of another log."""
    key, _, _ = _region(rng, seed)
    theirs = other.packed(_region(rng, other)[0]) if other.regions else other.data
    return seed.rebuilt({key: rng.choice([b"", seed.packed(key)]) + theirs})


def noise(rng, seed, _):
    key, _, size = _region(rng, seed)
    head = {ZLIB: b"\x78\x9c", BZIP2: b"BZh9"}.get(seed.header.codec, b"")
    return seed.rebuilt({key: rng.choice([b"", head]) + rng.randbytes(min(size, 4096))})


def shift_bytes(rng, seed, _):
    at = rng.randrange(len(seed.data))
    size = rng.randint(1, 32)
    return seed.data[:at] + rng.choice([b"", rng.randbytes(size)]) + seed.data[at + size:]


def bomb(rng, seed, _):
    """A region that expands to tens of megabytes (an uncompressed log gets a megabyte)."""
    codec = seed.header.codec
    if codec not in _bombs:
        zeros = bytes(BOMB_SIZE if codec in (ZLIB, BZIP2) else 1 << 20)
        _bombs[codec] = zlib.compress(zeros, 9) if codec == ZLIB else squeeze(zeros, codec)
    key, _, _ = _region(rng, seed)
    return seed.rebuilt({key: rng.choice([b"", seed.packed(key)]) + _bombs[codec]})


BLIND = [truncate, flip_anywhere, splice_files, shift_bytes]  # need no readable header
KINDS = BLIND + [truncate_at_region, flip_header, flip_packed, flip_inside, value_inside, count_lie,
                 resize_inside, cut_inside, map_lie, swap_regions, version_lie, splice_regions,
                 noise]
BOMB_SHARE = 1 / 400


def prepare(seeds):
    """Seeds taken apart once, for mutant()."""
    return [Seed(name, data) for name, data in seeds if data]


def mutant(seed, index, prepared):
    rng = random.Random(f"{seed}/{index}")
    log, other = rng.choice(prepared), rng.choice(prepared)
    kinds = KINDS if log.regions else BLIND
    kind = rng.choice(kinds)
    if log.regions and rng.random() < BOMB_SHARE:
        kind = bomb
    name = f"{index:06d}-{kind.__name__}-{log.name}"
    return name, kind(rng, log, other)


def mutants(seed, count, seeds):
    """`count` pairs (name, bytes) from `seeds`, a list of (name, bytes)."""
    prepared = prepare(seeds)
    for index in range(count):
        yield mutant(seed, index, prepared)


def main(argv=None):
    parser = argparse.ArgumentParser(description="make damaged logs")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("logs", nargs="+")
    args = parser.parse_args(argv)
    seeds = []
    for path in args.logs:
        with open(path, "rb") as file:
            name = os.path.basename(path)
            seeds.append((name if name.endswith(".darshan") else name + ".darshan", file.read()))
    os.makedirs(args.out, exist_ok=True)
    for name, data in mutants(args.seed, args.count, seeds):
        with open(os.path.join(args.out, name), "wb") as file:
            file.write(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
