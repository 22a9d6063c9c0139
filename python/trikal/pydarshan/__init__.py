"""For code that was written for PyDarshan: a report with the attributes and shapes of its DarshanReport.

    import trikal.pydarshan as darshan
    report = darshan.DarshanReport("job.darshan")
    report.records["POSIX"].to_df()["counters"]
    darshan.accumulate_records(report.records["POSIX"].to_df(), "POSIX", report.metadata["job"]["nprocs"])

Everything is read from a trikal.Log; docs/python.md lists what differs.
"""

from __future__ import annotations

import datetime
import functools
import json
import operator
import re
from typing import Any, Iterable, Iterator, Optional

from .._needs import need
from .._pydarshan_accumulate import AccumulatedRecords, accumulate_records
from .._pydarshan_records import SPECIAL, RecordCollection, collection_for
from ..errors import Path
from ..heatmap import Heatmap as Arrays
from ..log import Log, open as open_log
from . import backend as backend  # for scripts that say darshan.backend.cffi_backend

__all__ = ["AccumulatedRecords", "DarshanReport", "Heatmap", "ModuleNotInDarshanLog", "RecordCollection",
           "accumulate_records", "to_darshan_report"]

Patterns = Optional[Iterable[str]]  # regular expressions that are searched for in names


class ModuleNotInDarshanLog(ValueError):
    """The log has no data of a module that was asked for by name."""


class Heatmap:
    """A heatmap as PyDarshan's class of that name gives it."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays

    def __repr__(self) -> str:
        return f"<trikal.pydarshan.Heatmap of {self.arrays!r}>"

    def to_df(self, ops: Iterable[str], interval_index: bool = True) -> Any:
        """Ranks by slices of time; the sum of the operations that are named ('read', 'write')."""
        pandas, numpy = need("pandas", "a DataFrame of pandas"), need("numpy", "a heatmap")
        held = {"read": self.arrays.read, "write": self.arrays.write}
        ops = list(ops)
        unknown = [op for op in ops if op not in held]
        if unknown or not ops:
            raise ValueError(f"a heatmap has read and write, not {', '.join(unknown) or 'nothing'}")
        total = functools.reduce(operator.add, (held[op] for op in ops))
        slices = pandas.IntervalIndex.from_breaks(self.arrays.edges)
        columns = slices if interval_index else numpy.arange(len(slices))
        return pandas.DataFrame(total, index=pandas.Index(self.arrays.ranks, name="rank"), columns=columns)


class DarshanReport:
    """Job, modules and records of a log. With ``read_all=False`` records are read by the ``mod_read_*`` methods."""

    def __init__(self, filename: Path, dtype: str = "numpy", read_all: bool = True,
                 filter_patterns: Patterns = None, filter_mode: str = "exclude", *,
                 log: Optional[Log] = None) -> None:
        if dtype != "numpy":
            raise ValueError(f"records are numpy arrays, not '{dtype}': use their to_df(), to_dict() or to_list()")
        self.filename = filename
        self.log = log if log is not None else open_log(filename)
        self.metadata = _metadata_of(self.log)
        self.start_time = datetime.datetime.fromtimestamp(self.log.job.start_sec)
        self.end_time = datetime.datetime.fromtimestamp(self.log.job.end_sec)
        self.mounts = self.log.mounts
        self.modules: dict[str, dict[str, Any]] = {
            module.name: {"len": module.compressed_bytes, "ver": module.version, "idx": module.id,
                          "partial_flag": module.partial} for module in self.log.modules.values()}
        self.counters: dict[str, dict[str, list[str]]] = {}
        self.records: dict[str, RecordCollection] = {}
        self.heatmaps: dict[str, Heatmap] = {}
        self.name_records: dict[int, str] = {}
        self.read_name_records(filter_patterns, filter_mode)
        self.name_records_read = False  # the first read may bring patterns of its own
        if read_all:
            self.read_all()

    @property
    def data(self) -> dict[str, Any]:
        return {"version": 1, "metadata": self.metadata, "records": self.records, "modules": self.modules,
                "counters": self.counters, "name_records": self.name_records, "mounts": self.mounts}

    def read_metadata(self) -> None:
        """The metadata are there from the start."""

    def read_name_records(self, filter_patterns: Patterns = None, filter_mode: str = "exclude") -> None:
        """Names, without those that match a pattern (or with those alone: `include`)."""
        if filter_mode not in ("exclude", "include"):
            raise ValueError(f"filter_mode is exclude or include, not '{filter_mode}'")
        patterns = [re.compile(pattern) for pattern in filter_patterns or ()]
        wanted = filter_mode == "include"
        self.name_records = {
            ident: name for ident, name in self.log.names.items()
            if not patterns or any(pattern.search(name) for pattern in patterns) == wanted}
        self.name_records_read = True

    def _choose_names(self, filter_patterns: Patterns, filter_mode: str, refresh_names: bool) -> None:
        """As in PyDarshan, the first read decides which names there are, and later ones only with `refresh_names`."""
        if refresh_names or (not self.name_records_read and filter_patterns is not None):
            self.read_name_records(filter_patterns, filter_mode)
        self.name_records_read = True

    def mod_read_all_records(self, mod: str, dtype: Optional[str] = None, warnings: bool = True,
                             filter_patterns: Patterns = None, filter_mode: str = "exclude",
                             refresh_names: bool = False) -> None:
        """The records of one module, whatever its kind. Modules that are not in the log are an error."""
        if mod not in self.modules:
            raise ValueError(f"{self.filename}: no module {mod}; there are {', '.join(self.modules)}")
        if mod == "HEATMAP" or not self.log.modules[mod].readable:
            return
        self._choose_names(filter_patterns, filter_mode, refresh_names)
        found = collection_for(self.log, mod, self.name_records)
        self.records[mod], self.counters[mod] = found, found.counter_names
        self.modules[mod]["num_records"] = len(found)

    def mod_records(self, mod: str, dtype: str = "numpy", warnings: bool = True) -> Iterator[dict[str, Any]]:
        """One record after the other; `dtype` dict: counters by name."""
        if mod not in self.records:
            self.mod_read_all_records(mod)
        found = self.records[mod]
        yield from found.to_dict() if dtype == "dict" else found

    def mod_read_all_dxt_records(self, mod: str, dtype: Optional[str] = None, warnings: bool = True, reads: bool = True,
                                 writes: bool = True, **filters: Any) -> None:
        self.mod_read_all_records(mod, **filters)

    def mod_read_all_lustre_records(self, mod: str = "LUSTRE", dtype: Optional[str] = None, warnings: bool = True,
                                    **filters: Any) -> None:
        self.mod_read_all_records(mod, **filters)

    def mod_read_all_apmpi_records(self, mod: str = "APMPI", dtype: Optional[str] = None, warnings: bool = True,
                                   refresh_names: bool = False) -> None:
        self.mod_read_all_records(mod, refresh_names=refresh_names)

    def mod_read_all_apxc_records(self, mod: str = "APXC", dtype: Optional[str] = None, warnings: bool = True,
                                  refresh_names: bool = False) -> None:
        self.mod_read_all_records(mod, refresh_names=refresh_names)

    def read_all_generic_records(self, counters: bool = True, fcounters: bool = True, dtype: Optional[str] = None,
                                 filter_patterns: Patterns = None, filter_mode: str = "exclude") -> None:
        for mod in self.modules:
            if mod not in SPECIAL:
                self.mod_read_all_records(mod, filter_patterns=filter_patterns, filter_mode=filter_mode)

    def read_all_dxt_records(self, reads: bool = True, writes: bool = True, dtype: Optional[str] = None,
                             filter_patterns: Patterns = None, filter_mode: str = "exclude") -> None:
        for mod in self.modules:
            if mod.startswith("DXT_"):
                self.mod_read_all_records(mod, filter_patterns=filter_patterns, filter_mode=filter_mode)

    def read_all_heatmap_records(self) -> None:
        if "HEATMAP" not in self.modules:
            raise ModuleNotInDarshanLog("HEATMAP")
        self.heatmaps = {name: Heatmap(arrays) for name, arrays in self.log.heatmaps.items()}

    def read_all(self, dtype: Optional[str] = None, filter_patterns: Patterns = None,
                 filter_mode: str = "exclude") -> None:
        for mod in self.modules:
            self.mod_read_all_records(mod, filter_patterns=filter_patterns, filter_mode=filter_mode)
        if "HEATMAP" in self.modules:
            self.read_all_heatmap_records()

    def to_dict(self) -> dict[str, Any]:
        """Everything that was read, as dictionaries and lists."""
        return {**self.data, "records": {mod: found.to_list() for mod, found in self.records.items()}}

    def to_json(self) -> str:
        return json.dumps(self.to_dict())

    def rebase_timestamps(self, records: Optional[RecordCollection] = None, inplace: bool = False,
                          timebase: Optional[datetime.datetime] = None) -> Any:
        """Records whose timestamps count from `timebase` (as it is: the beginning of the job) instead of from the job's
        beginning: of one collection, or of all that were read. Changes the report's own with `inplace`."""
        base = timebase if timebase is not None else self.start_time
        shift = (self.start_time - base).total_seconds() + self.log.job.start_nsec * 1e-9 * (timebase is not None)
        if records is not None:
            return records.rebased(shift, inplace)
        return {mod: found.rebased(shift, inplace) for mod, found in self.records.items()}

    def info(self, metadata: bool = False) -> None:
        """Prints what the report is about."""
        job = self.log.job
        print(f"{self.filename}: {job.exe}\n{job.nprocs} processes, {job.run_time:.4f} s, job {job.job_id}")
        for mod in self.modules:
            print(f"{mod:<14}{len(self.records.get(mod, [])):>8} records read")
        for key, value in (self.metadata["job"].items() if metadata else ()):
            print(f"{key}: {value}")

    def _repr_html_(self) -> str:
        return self.log._repr_html_()

    def __enter__(self) -> DarshanReport:
        return self

    def __exit__(self, *_: object) -> None:
        """Records stay; the log may be used by others."""


def _metadata_of(log: Log) -> dict[str, Any]:
    job = log.job
    return {"job": {"uid": job.uid, "start_time_sec": job.start_sec, "start_time_nsec": job.start_nsec,
                    "end_time_sec": job.end_sec, "end_time_nsec": job.end_nsec, "nprocs": job.nprocs,
                    "jobid": job.job_id, "run_time": job.run_time, "log_ver": job.log_version,
                    "metadata": dict(log.metadata)},
            "exe": job.exe}


def to_darshan_report(log: Log, read_all: bool = True, filter_patterns: Patterns = None,
                      filter_mode: str = "exclude") -> DarshanReport:
    """The report of a log that is open already."""
    return DarshanReport(log.path, "numpy", read_all, filter_patterns, filter_mode, log=log)
