"""libdarshan-util as ctypes sees it: the accumulators of include/trikal/compat/darshan-logutils.h, no more.

It lies beside libtrikal-log and is loaded when records are accumulated for the first time.
"""

from __future__ import annotations

import ctypes as c
import functools
import os
from typing import Any

from . import _find
from .errors import LibraryError

NAMES = ("libdarshan-util.so.0", "libdarshan-util.so")
RELEASE = "3.5."  # of which records and DerivedMetrics are; those of another release may have other sizes


class _Shown(c.Structure):
    def __repr__(self) -> str:
        held = ((field[0], getattr(self, field[0])) for field in self._fields_)
        values = ", ".join(f"{name}={list(one) if isinstance(one, c.Array) else one}" for name, one in held)
        return f"{type(self).__name__}({values})"


class FileCategory(_Shown):
    """struct darshan_file_category_counters"""

    _fields_ = [(name, c.c_int64) for name in (
        "count", "total_read_volume_bytes", "total_write_volume_bytes", "max_read_volume_bytes",
        "max_write_volume_bytes", "total_max_offset_bytes", "max_offset_bytes", "nprocs")]


class DerivedMetrics(_Shown):
    """struct darshan_derived_metrics. Files: all files, only read, only written, both; of one process, of all, of some."""

    _fields_ = [("total_bytes", c.c_int64), ("unique_io_total_time_by_slowest", c.c_double),
                ("unique_rw_only_time_by_slowest", c.c_double), ("unique_md_only_time_by_slowest", c.c_double),
                ("unique_io_slowest_rank", c.c_int), ("shared_io_total_time_by_slowest", c.c_double),
                ("agg_perf_by_slowest", c.c_double), ("agg_time_by_slowest", c.c_double),
                ("category_counters", FileCategory * 7)]


FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "darshan_log_get_lib_version": (c.c_char_p, []),
    "darshan_accumulator_create": (c.c_int, [c.c_int, c.c_int64, c.POINTER(c.c_void_p)]),
    "darshan_accumulator_inject": (c.c_int, [c.c_void_p, c.c_void_p, c.c_int]),
    "darshan_accumulator_emit": (c.c_int, [c.c_void_p, c.POINTER(DerivedMetrics), c.c_void_p]),
    "darshan_accumulator_destroy": (c.c_int, [c.c_void_p]),
}


def library_path() -> str:
    """The one that was built or installed together with libtrikal-log; a bare name where the loader found that."""
    log = _find.library_path()
    if log == _find.SONAME:
        return NAMES[0]
    folder = os.path.dirname(os.path.abspath(log))
    found = next(filter(os.path.isfile, (os.path.join(folder, name) for name in NAMES)), None)
    if found is None:
        raise LibraryError(f"accumulating records needs {NAMES[1]}, which is not in {folder}, beside {_find.NAMES[1]}")
    return found


@functools.lru_cache(maxsize=None)
def load(path: str) -> c.CDLL:
    try:
        library = c.CDLL(path)
    except OSError as error:
        raise LibraryError(f"cannot load {path}, which accumulating records needs: {error}") from error
    try:
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
    except AttributeError as error:
        raise LibraryError(f"{path} has no accumulators") from error
    version = library.darshan_log_get_lib_version().decode()
    if not version.startswith(RELEASE):
        raise LibraryError(f"{path} is of Darshan {version}; accumulating records needs trikal's own")
    return library


def library() -> c.CDLL:
    return load(library_path())
