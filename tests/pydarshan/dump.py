"""Prints all that PyDarshan finds in logs, as JSON: one line a log.

  dump.py LOG...

Run with one library and with another, the output must be the same.
"""

import json
import math
import sys

import darshan
import darshan.backend.cffi_backend as backend
import numpy
import pandas

darshan.enable_experimental()
ACCUMULATED = ["POSIX", "MPI-IO", "STDIO", "DFS", "DAOS"]
CATEGORY = ["count", "total_read_volume_bytes", "total_write_volume_bytes", "max_read_volume_bytes",
            "max_write_volume_bytes", "total_max_offset_bytes", "max_offset_bytes", "nprocs"]
DERIVED = ["total_bytes", "unique_io_total_time_by_slowest", "unique_rw_only_time_by_slowest",
           "unique_md_only_time_by_slowest", "unique_io_slowest_rank", "shared_io_total_time_by_slowest",
           "agg_perf_by_slowest", "agg_time_by_slowest"]


def plain(value):
    """Anything PyDarshan returns as lists, dictionaries, numbers and text."""
    if isinstance(value, pandas.DataFrame):
        return {str(name): plain(value[name].to_list()) for name in value.columns}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, numpy.ndarray):
        return plain(value.tolist())
    if isinstance(value, numpy.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    return value


def records_of(report, module):
    records = report.records[module]
    as_frame = len(records) > 0 and module not in ("APMPI", "APXC")
    return plain(records.to_df() if as_frame else records.to_numpy())


def accumulated(report, module, accumulate=backend.accumulate_records):
    frames = report.records[module].to_df()
    result = accumulate(frames, module, report.metadata["job"]["nprocs"])
    return plain_accumulated(result)


def plain_accumulated(result):
    metrics = result.derived_metrics
    return {"derived": {name: plain(getattr(metrics, name)) for name in DERIVED},
            "files": [[getattr(metrics.category_counters[i], name) for name in CATEGORY] for i in range(7)],
            "summary": plain(result.summary_record)}


def contents(path):
    report = darshan.DarshanReport(path, read_all=True)
    return {"metadata": plain(report.metadata), "mounts": plain(report.mounts), "modules": plain(report.modules),
            "names": plain(report.name_records),
            "looked_up": plain(backend.log_lookup_name_records(report.log, sorted(report.name_records)[:3])),
            "records": {module: records_of(report, module) for module in report.records},
            "heatmaps": {name: plain(heatmap.to_df(["read", "write"])) for name, heatmap in report.heatmaps.items()},
            "accumulated": {module: accumulated(report, module)
                            for module in ACCUMULATED if len(report.records.get(module, [])) > 0}}


def main(paths):
    with open("/proc/self/maps") as maps:
        library = next(line.split()[-1] for line in maps if "libdarshan-util" in line)
    print(json.dumps({"library": library, "version": backend.get_lib_version()}))
    for path in paths:
        print(json.dumps(contents(path)))


if __name__ == "__main__":
    main(sys.argv[1:])
