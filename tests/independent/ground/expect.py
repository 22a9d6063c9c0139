"""What a correct reader must make of a source log: the up-conversion rules, told by name.

Nothing here decodes bytes.  The decoder reaches the same result by position.
"""

import copy
import dataclasses

from .history import POSIX_STREAM
from .tables import COUNTERS, CURRENT, EXTRA_HEAD, MODULE_NAMES

_FROM_SHORT = {"OPEN_START": "OPEN", "CLOSE_END": "CLOSE"}
ABSENT = {"POSIX_RENAMED_FROM": 0}  # every other counter an old version lacks reads -1


def _value(module, name, stored):
    if name in stored:
        return stored[name]
    if name == "PNETCDF_FILE_OPENS":
        return stored["PNETCDF_FILE_INDEP_OPENS"] + stored["PNETCDF_FILE_COLL_OPENS"]
    for new, old in _FROM_SHORT.items():  # version 1 had one stamp for opens, one for closes
        old_name = name.replace(f"_F_{new}_TIMESTAMP", f"_F_{old}_TIMESTAMP")
        if old_name != name and old_name in stored:
            return stored[old_name]
    absent = ABSENT.get(name, -1)
    return float(absent) if name in COUNTERS[module][1] else absent


def _fixed(module, record):
    stored = record["counters"]
    if stored.get(POSIX_STREAM[0], 0) > 0:
        return None
    lifted = {key: value for key, value in record.items() if key != "alignment"}
    lifted["counters"] = {name: _value(module, name, stored) for name in sum(COUNTERS[module], [])}
    for field in EXTRA_HEAD.get(module, []):
        lifted.setdefault(field, 0)
    return lifted


def _lustre(version, record):
    if version == 2:
        return {key: record[key] for key in ("id", "rank", "components")}
    comp = {"STRIPE_SIZE": record["stripe_size"], "STRIPE_COUNT": len(record["ost_ids"]),
            "STRIPE_PATTERN": -1, "FLAGS": -1, "EXT_START": 0, "EXT_END": -1, "MIRROR_ID": -1,
            "POOL_NAME": b"", "OST_IDS": record["ost_ids"]}
    return {"id": record["id"], "rank": record["rank"], "components": [comp]}


def _dxt_without_offsets(record):
    return {**record, **{way: [(-1, *segment[1:]) for segment in record[way]]
                         for way in ("writes", "reads")}}


def _heatmaps(records):
    """Records whose bins differ by one from the first of the same width get its bin count."""
    mended = []
    for record in records:
        bins, first = len(record["writes"]), len(records[0]["writes"])
        if record["bin_width"] == records[0]["bin_width"] and abs(bins - first) == 1:
            record = {**record, **{way: (record[way] + [0])[:first] for way in ("writes", "reads")}}
        mended.append(record)
    return mended


def current_records(module, version, records):
    if module == "LUSTRE":
        return [_lustre(version, record) for record in records]
    if (module, version) == ("DXT_MPIIO", 1):
        return [_dxt_without_offsets(record) for record in records]
    if module == "HEATMAP":
        return _heatmaps(records)
    if module in COUNTERS and version < CURRENT[module]:
        return [lifted for lifted in (_fixed(module, r) for r in records) if lifted]
    return records


def current(log):
    """The log as the decoder must return it."""
    log = copy.deepcopy(log)
    modules = {
        ident: dataclasses.replace(module, records=current_records(
            MODULE_NAMES[ident], module.version, module.records))
        for ident, module in log.modules.items() if ident < len(MODULE_NAMES)}
    if log.minor < 41:
        log.job.update(start_nsec=0, end_nsec=0)
    return dataclasses.replace(log, modules=modules)
