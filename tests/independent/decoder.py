#!/usr/bin/env python3
"""Decodes any 3.x log.  Shares no code with trikal; see README.md.

  decoder.py LOG --base [--mounts]   every counter of every record
  decoder.py LOG --dxt               every trace segment
  decoder.py LOG --json              everything

Damage goes to standard error, what can be read is printed; exit 1 if there was damage,
2 if the file is no log.
"""

import argparse
import json
import sys

from ground import container, fixed, text, variable
from ground.model import Log, LogError, Module
from ground.tables import CURRENT, MODULE_NAMES


def _module(ident, header, raw):
    """(Module or None, problem)."""
    version = header.mod_ver.get(ident, 0)
    if ident >= len(MODULE_NAMES):
        return None, "unknown module"
    name = MODULE_NAMES[ident]
    if not 1 <= version <= CURRENT[name]:
        return None, f"unsupported version {version}"
    parse = fixed.parse_fixed if name in fixed.FIXED else variable.parse_variable
    records, problem = parse(name, version, raw, header.order)
    return Module(version, records), problem


def decode(data, limit=container.LIMIT):
    """(Log, damage, header); damage is a list of (where, what).  LogError if it is no log.
    No region is expanded beyond `limit` bytes."""
    header = container.parse_header(data)
    log = Log(header.version, header.order, header.codec, header.partial)
    damage = []

    def note(where, problem):
        if problem:
            damage.append((where, problem))

    log.job, log.metadata, log.text, problem = container.parse_job(data, header)
    note("job", problem)
    raw, problem = container.region(data, header, header.name_map, limit)
    note("names", problem)
    log.names, problem = container.parse_names(raw, header)
    note("names", problem)
    for ident, extent in sorted(header.mod_map.items()):
        where = MODULE_NAMES[ident] if ident < len(MODULE_NAMES) else f"module {ident}"
        raw, problem = container.region(data, header, extent, limit)
        note(where, problem)
        module, problem = _module(ident, header, raw) if extent[1] else (None, None)
        note(where, problem)
        if module:
            log.modules[ident] = module
    return log, damage, header


def _plain(value):
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value


def to_json(log, damage, header):
    modules = {}
    for ident, module in log.modules.items():
        records = [dict(record) for record in module.records]
        for record in records:
            for key in {"pool_uuid", "cont_uuid"} & record.keys():
                record[key] = record[key].hex()
        modules[MODULE_NAMES[ident]] = {"version": module.version, "records": records}
    return _plain({
        "version": log.version, "order": "little" if log.order == "<" else "big",
        "codec": log.codec, "partial": log.partial,
        "regions": {"names": header.name_map, "modules": header.mod_map},
        "module_versions": header.mod_ver,
        "job": log.job, "runtime": log.runtime if log.job else None,
        "metadata": dict(log.meta_pairs()), "exe": log.exe, "mounts": log.mounts,
        "names": [(ident, name) for ident, name in log.name_table.items()],
        "modules": modules, "damage": damage,
    })


def main(argv=None):
    parser = argparse.ArgumentParser(description="independent log decoder")
    parser.add_argument("log")
    what = parser.add_mutually_exclusive_group(required=True)
    for name in ("base", "dxt", "json"):
        what.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--mounts", action="store_true", help="with --base: two more columns")
    args = parser.parse_args(argv)
    with open(args.log, "rb") as file:
        data = file.read()
    try:
        log, damage, header = decode(data)
    except LogError as error:
        print(f"{args.log}: {error}", file=sys.stderr)
        return 2
    for where, problem in damage:
        print(f"{args.log}: {where}: {problem}", file=sys.stderr)
    if args.json:
        json.dump(to_json(log, damage, header), sys.stdout, indent=1)
        print()
    else:
        lines = text.base_lines(log, args.mounts) if args.base else text.dxt_lines(log)
        sys.stdout.buffer.writelines(line + b"\n" for line in lines)
    return 1 if damage else 0


if __name__ == "__main__":
    sys.exit(main())
