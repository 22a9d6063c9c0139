#!/usr/bin/env python3
"""Writes what the fuzzers begin with: seeds.py OUTDIR makes OUTDIR/TARGET/* from the corpus of synthetic logs and
from the small ones of the real logs, where the shared folder is there. Nothing of it is kept in the repository."""

import hashlib
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "independent"), str(ROOT / "tests" / "fuzz")]
import mutant_sets  # noqa: E402
import mutate  # noqa: E402
import trailers  # noqa: E402
from ground import badlogs  # noqa: E402

LARGEST = 24 << 10  # of a seed: small ones are faster and mutate better


class Seeds:
    def __init__(self, out):
        self.out = out

    def add(self, target, data):
        if len(data) <= LARGEST:
            folder = self.out / target
            folder.mkdir(parents=True, exist_ok=True)
            (folder / hashlib.sha1(data).hexdigest()[:16]).write_bytes(data)


def flags(header, old):
    return (1 if old else 0) | (2 if header.order == ">" else 0)


def take_apart(seeds, log):
    header = log.header
    for number, (key, _, _) in enumerate(log.regions):
        packed, plain = log.packed(key), log.expanded(key)
        seeds.add("codec", bytes([header.codec, number % 64]) + packed)
        if key == "job":
            seeds.add("job", bytes([flags(header, header.minor < 41)]) + plain)
        elif key == "names":
            seeds.add("names", bytes([flags(header, header.minor < 10) | 252]) + plain)
        elif key < 18:  # modules are numbered from 0 without gaps, their forms from version 1
            version = header.mod_ver.get(key, 1)
            seeds.add("module", bytes([key, version - 1 & 255, flags(header, False) >> 1]) + plain[:4096])
            seeds.add("encode", bytes([88, 1 + number % 4, 24, 4 + number]) + plain[:4096])


def main(argv):
    if len(argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    seeds = Seeds(pathlib.Path(argv[1]))
    for log in mutate.prepare(mutant_sets.seed_logs()):
        seeds.add("log", log.data)
        if log.header:
            take_apart(seeds, log)
        if log.header and log.header.minor == 41 and log.header.codec == 0:
            whole = trailers.with_trailer(log.data)
            seeds.add("log", whole)
            if "edge" in log.name:
                seeds.add("trailer", trailers.trailer(0, b"", [
                    trailers.numbers(trailers.STREAMS, trailers.stream_rows(log.data)[:4])]))
    every = trailers.with_trailer(badlogs.Family(badlogs.base_log()).data)
    seeds.add("trailer", every)
    for codec in (0, 2):
        seeds.add("trailer", trailers.with_compact_trailer(badlogs.Family(badlogs.base_log()).data, codec=codec))
    for bad in badlogs.bad_logs():
        seeds.add("log", bad.data)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
