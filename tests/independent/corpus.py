#!/usr/bin/env python3
"""Writes synthetic logs with the values a correct reader must find in them.

  corpus.py OUTDIR

OUTDIR/NAME.darshan with NAME.base.tsv (eight columns, as darshan-parser prints them),
NAME.dxt.tsv (eleven columns) and NAME.head.json; OUTDIR/bad/ with damaged logs and
INDEX.tsv.  Always the same bytes.  Expectations come from the source structures and the
up-conversion rules, never from decoding what was written.
"""

import functools
import json
import pathlib
import random
import sys

from encoder import encode, stored_slot
from ground import badlogs, expect, record_edges, text
from ground.history import RELEASES
from ground.model import MINORS
from ground.synth import Maker
from ground.tables import CURRENT, MODULE_IDS, MODULE_NAMES

ORDERS = {"le": "<", "be": ">"}
CODECS = ["zlib", "bzip2", "none"]
NEVER_RELEASED = {("POSIX", 2): "3.10", ("NULL", 1): "3.41"}


def _version_homes(module, version):
    """Container versions that releases wrote this record version into."""
    homes = {home for home, held in RELEASES.values() if held.get(module) == version}
    return sorted(homes) or [NEVER_RELEASED[module, version]]


def record_versions():
    """Every version of every module in both byte orders; containers and codecs alternate."""
    number = 0
    for module in MODULE_NAMES[1:]:
        for version in range(1, CURRENT[module] + 1):
            homes = _version_homes(module, version)
            for order in ORDERS:
                codec = number % 3
                name = f"record-{module.replace('/', '').lower()}-v{version}-{order}"
                maker = Maker(random.Random(name))
                yield name, maker.log(homes[number % len(homes)], {module: version}, ORDERS[order],
                                      codec, count=4), None
                number += 1


def containers():
    """Every container version, codec and byte order, with modules on both sides of the shifts."""
    for minor, version in MINORS.items():
        held = {"POSIX": 4, "H5F": 3, "H5D": 2, "PNETCDF_FILE": 2, "PNETCDF_VAR": 1, "BG/Q": 2,
                "STDIO": 2, "HEATMAP": 1, "DAOS": 1}
        held = {m: v for m, v in held.items() if stored_slot(MODULE_IDS[m], minor) is not None}
        for codec, codec_name in enumerate(CODECS):
            for order in ORDERS:
                name = f"container-{version}-{codec_name}-{order}"
                maker = Maker(random.Random(name))
                yield name, maker.log(version, held, ORDERS[order], codec, count=2), None


def releases():
    """What each release wrote when all its modules were in use."""
    for number, (release, (version, held)) in enumerate(RELEASES.items()):
        name = f"release-{release}"
        maker = Maker(random.Random(name))
        yield name, maker.log(version, held, "<>"[number % 2], count=2), None


def edges():
    for name, make in record_edges.EDGES.items():
        yield (f"edge-{name.replace('_', '-')}", *make())


@functools.cache
def good_logs():
    """(name, source Log, Physical or None), made once a process; who changes one takes a copy."""
    return tuple(row for family in (record_versions, containers, releases, edges) for row in family())


@functools.cache
def names():
    """Of all of them; for lists that are made when tests are collected."""
    return tuple(name for name, _, _ in good_logs())


def _text(raw):
    return raw.decode("utf-8", "surrogateescape")


def head(log):
    """What a reader must say about the log as a whole; bytes that are not UTF-8 are escaped
    as lone surrogates."""
    return {
        "version": log.version, "order": "little" if log.order == "<" else "big",
        "codec": CODECS[log.codec],
        "partial": [i for i in range(64) if log.partial >> i & 1],
        "job": log.job, "runtime": f"{log.runtime:.4f}", "exe": _text(log.exe),
        "metadata": [[_text(part) for part in pair] for pair in log.meta_pairs()],
        "mounts": [[_text(part) for part in mount] for mount in log.mounts],
        "names": [[ident, _text(name)] for ident, name in log.name_table.items()],
        "modules": {MODULE_NAMES[i]: {"version": m.version, "records": len(m.records)}
                    for i, m in sorted(log.modules.items())},
    }


def write_good(out):
    for name, log, physical in good_logs():
        (out / f"{name}.darshan").write_bytes(encode(log, physical))
        wanted = expect.current(log)
        base = text.base_lines(wanted, mounts=True)
        (out / f"{name}.base.tsv").write_bytes(b"".join(line + b"\n" for line in base))
        dxt = text.dxt_lines(wanted)
        (out / f"{name}.dxt.tsv").write_bytes(b"".join(line + b"\n" for line in dxt))
        (out / f"{name}.head.json").write_text(json.dumps(head(wanted), indent=1) + "\n")


def write_bad(out):
    out.mkdir(parents=True, exist_ok=True)
    rows = ["\t".join(badlogs.COLUMNS)]
    for bad in badlogs.bad_logs():
        (out / bad.file).write_bytes(bad.data)
        rows.append("\t".join(bad.row()))
    (out / "INDEX.tsv").write_text("\n".join(rows) + "\n")


def main(argv):
    if len(argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    out = pathlib.Path(argv[1])
    out.mkdir(parents=True, exist_ok=True)
    write_good(out)
    write_bad(out / "bad")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
