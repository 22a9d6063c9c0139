#!/usr/bin/env python3
"""Writes logs: encode(log, physical) for tests, and a command that writes a log anew.

  encoder.py LOG OUT [--log-version 3.41] [--order little|big] [--codec zlib|bzip2|none]

The command decodes LOG and stores the same records, in their current versions, in another
container.  `log` (ground.model.Log) says what a log holds, each module's records in the form
of the version they are to be stored in; `physical` (Physical) how the bytes are laid out,
including ways no runtime would choose.
"""

import argparse
import sys

import decoder
from ground.model import MINORS
from ground.pack import Physical, encode, pack_record, squeeze, stored_slot
from ground.tables import CURRENT, MODULE_NAMES

__all__ = ["Physical", "encode", "pack_record", "rewrite", "squeeze", "stored_slot"]
ORDERS = {"little": "<", "big": ">"}
CODECS = {"zlib": 0, "bzip2": 1, "none": 2}


def rewrite(data, version="3.41", order="<", codec=0):
    """The records of one log in the container of another; modules the container has no slot
    for raise ValueError."""
    log, _, _ = decoder.decode(data)
    log.version, log.order, log.codec = version, order, codec
    for ident, module in log.modules.items():
        if stored_slot(ident, log.minor) is None:
            raise ValueError(f"log version {version} cannot hold {MODULE_NAMES[ident]}")
        module.version = CURRENT[MODULE_NAMES[ident]]
        for record in module.records:
            for way in ("writes", "reads"):  # traces of old versions know no threads
                if "host" in record:
                    record[way] = [(*seg[:4], seg[4] or 0) for seg in record[way]]
    return encode(log)


def main(argv=None):
    parser = argparse.ArgumentParser(description="write a log anew")
    parser.add_argument("log")
    parser.add_argument("out")
    parser.add_argument("--log-version", default="3.41", choices=sorted(MINORS.values()))
    parser.add_argument("--order", default="little", choices=ORDERS)
    parser.add_argument("--codec", default="zlib", choices=CODECS)
    args = parser.parse_args(argv)
    with open(args.log, "rb") as file:
        data = file.read()
    data = rewrite(data, args.log_version, ORDERS[args.order], CODECS[args.codec])
    with open(args.out, "wb") as file:
        file.write(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
