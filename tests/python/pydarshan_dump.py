"""What trikal.pydarshan finds in a log, in the form in which tests/pydarshan/dump.py prints what PyDarshan finds."""

import json

import trikal.pydarshan
from dump import ACCUMULATED, accumulated, plain


def records_of(report, module):
    records = report.records[module]
    as_frame = len(records) > 0 and module not in ("APMPI", "APXC")
    return plain(records.to_df() if as_frame else records.to_numpy())


def contents(path):
    """Through JSON, as the other side comes."""
    report = trikal.pydarshan.DarshanReport(path, read_all=True)
    return json.loads(json.dumps({
        "metadata": plain(report.metadata), "mounts": plain(report.mounts), "modules": plain(report.modules),
        "names": plain(report.name_records),
        "records": {module: records_of(report, module) for module in report.records},
        "heatmaps": {name: plain(heatmap.to_df(["read", "write"])) for name, heatmap in report.heatmaps.items()},
        "accumulated": {module: accumulated(report, module, trikal.pydarshan.accumulate_records)
                        for module in ACCUMULATED if len(report.records.get(module, [])) > 0}}))
