"""Many records become one, with the numbers that follow for the job: PyDarshan's accumulate_records.

The sums are libdarshan-util's. Here DataFrames become the records it takes, and its record becomes DataFrames.
"""

from __future__ import annotations

import ctypes as c
import operator
from typing import Any, Mapping, NamedTuple

from . import _abi, _darshan_util, _find
from ._abi import text
from ._darshan_util import DerivedMetrics
from ._needs import need

# By id, under the names that PyDarshan has for them. The library decides which can be accumulated.
MODULES = ("NULL", "POSIX", "MPI-IO", "H5F", "H5D", "PNETCDF_FILE", "PNETCDF_VAR", "BG/Q", "LUSTRE", "STDIO", "DXT_POSIX",
           "DXT_MPIIO", "MDHIM", "APXC", "APMPI", "HEATMAP", "DFS", "DAOS")
KINDS = {"counters": "<i8", "fcounters": "<f8"}
HEAD = {"id": "<u8", "rank": "<i8"}  # the first 16 bytes of every record
SUPPORTED = "POSIX, MPI-IO, STDIO, DFS and DAOS"
WHOLE = 2.0**63  # reals up to here can be an int64


class AccumulatedRecords(NamedTuple):
    """`derived_metrics` of all records, and the `summary_record` that they make together."""

    derived_metrics: DerivedMetrics
    summary_record: dict[str, Any]


class _Layout(NamedTuple):
    dtype: Any  # of a whole record
    names: dict[str, list[str]]  # of its counters and fcounters


def _layout(module: int) -> _Layout:
    library, value = _find.library(), _abi.Value()
    names: dict[str, list[str]] = {kind: [] for kind in KINDS}
    fields, offsets, size = dict(HEAD), [0, 8], 16
    for i in range(library.trikal_value_count(module)):
        library.trikal_get_value(module, i, c.byref(value), c.sizeof(value))
        size, name = max(size, value.offset + value.bytes), text(value.name)
        if not name.isupper():  # ids of DAOS: they are no counters, and stay 0
            continue
        kind = "fcounters" if _abi.VALUE_KINDS[value.kind] == "float64" else "counters"
        names[kind].append(name)
        fields[name] = KINDS[kind]
        offsets.append(value.offset)
    dtype = need("numpy", "accumulating records").dtype(
        {"names": list(fields), "formats": list(fields.values()), "offsets": offsets, "itemsize": size})
    return _Layout(dtype, names)


def _frames(records: Any) -> dict[str, Any]:
    """Both DataFrames, if they can be of the same records."""
    frame = need("pandas", "accumulating records").DataFrame
    if not isinstance(records, Mapping):
        raise TypeError(f"records are the dictionary of DataFrames that to_df() gives, not {type(records).__name__}")
    for kind in KINDS:
        if not isinstance(records.get(kind), frame):
            what = f"are {type(records[kind]).__name__}" if kind in records else "are not there"
            raise TypeError(f"records are the dictionary of DataFrames that to_df() gives: {kind} {what}")
    counters, fcounters = (records[kind] for kind in KINDS)
    if len(counters) != len(fcounters):
        raise ValueError(f"counters are of {len(counters)} records, fcounters of {len(fcounters)}")
    if len(counters) == 0:
        raise ValueError("there are no records to accumulate")
    return {"counters": counters, "fcounters": fcounters}


def _column(kind: str, frame: Any, name: str, wanted: str) -> Any:
    """A column as numbers of the wanted type; nothing is rounded."""
    if name not in frame.columns:
        raise ValueError(f"{kind} have no column {name}")
    values = frame[name].to_numpy()
    found = values.dtype.kind if values.ndim == 1 else "no numbers"
    if found in "iu" or (found == "f" and wanted == "<f8"):
        return values.astype(wanted)
    if found == "f" and wanted == "<i8" and (abs(values) < WHOLE).all() and (values == values.astype(wanted)).all():
        return values.astype(wanted)
    raise TypeError(f"{kind}: the column {name} does not hold {'numbers' if wanted == '<f8' else 'integers'}")


def _packed(records: Any, layout: _Layout, nprocs: int) -> Any:
    """An array of records as they lie in a log."""
    frames = _frames(records)
    packed = need("numpy", "accumulating records").zeros(len(frames["counters"]), layout.dtype)
    for name, wanted in HEAD.items():
        packed[name] = _column("counters", frames["counters"], name, wanted)
        if name in frames["fcounters"].columns and (
                _column("fcounters", frames["fcounters"], name, wanted) != packed[name]).any():
            raise ValueError(f"counters and fcounters are not of the same records: their {name} differs")
    for kind, names in layout.names.items():
        for name in names:
            packed[name] = _column(kind, frames[kind], name, KINDS[kind])
    ranks = packed["rank"]
    if ranks.min() < -1 or ranks.max() >= nprocs:
        wrong = ranks.min() if ranks.min() < -1 else ranks.max()
        raise ValueError(f"a record is of rank {wrong}, which a job of {nprocs} processes does not have")
    return packed


def _summary(packed: Any, layout: _Layout) -> dict[str, Any]:
    """The one record, as PyDarshan shows it: a real rank beside reals."""
    pandas = need("pandas", "a DataFrame of pandas")
    frames = {kind: pandas.DataFrame({name: packed[name] for name in ("id", "rank", *layout.names[kind])})
              for kind in KINDS}
    frames["fcounters"]["rank"] = frames["fcounters"]["rank"].astype("float64")
    return {"id": int(packed["id"][0]), "rank": int(packed["rank"][0]), **frames}


def _processes(nprocs: Any) -> int:
    try:
        count = operator.index(nprocs)
    except TypeError:
        raise TypeError(f"nprocs is a number of processes, not {type(nprocs).__name__}") from None
    if not 0 < count < 2**63:
        raise ValueError(f"nprocs is the number of the job's processes, not {count}")
    return count


def accumulate_records(rec_dict: Mapping[str, Any], mod_name: str, nprocs: int) -> AccumulatedRecords:
    """What many records of a module (`to_df()` of a collection, or some of its rows) come to.

    `nprocs` is the job's. Modules that have no derived metrics are a RuntimeError, as in PyDarshan.
    """
    if mod_name not in MODULES:
        raise ValueError(f"there is no module {mod_name!r}; records of {SUPPORTED} can be accumulated")
    module, count = MODULES.index(mod_name), _processes(nprocs)
    library, handle = _darshan_util.library(), c.c_void_p()
    if library.darshan_accumulator_create(module, count, c.byref(handle)) != 0:
        raise RuntimeError(f"the {mod_name} module does not support derived metrics; {SUPPORTED} do")
    try:
        layout, metrics = _layout(module), DerivedMetrics()
        packed = _packed(rec_dict, layout, count)
        total = packed[:1].copy()
        if library.darshan_accumulator_inject(handle, packed.ctypes.data, len(packed)) != 0 or \
                library.darshan_accumulator_emit(handle, c.byref(metrics), total.ctypes.data) != 0:
            raise RuntimeError(f"libdarshan-util refuses these records of {mod_name}")
    finally:
        library.darshan_accumulator_destroy(handle)
    return AccumulatedRecords(metrics, _summary(total, layout))
