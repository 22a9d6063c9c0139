"""libtrikal-log as ctypes sees it: the structures and functions of include/trikal/trikal.h, no more."""

from __future__ import annotations

import ctypes as c
from typing import Any

ABI_VERSION = 1
NO_OFFSET = 2**64 - 1
SALVAGE = 1
NO_NAMES = 1
KINDS = {1: "system", 2: "not-a-log", 3: "unsupported", 4: "damaged", 5: "truncated", 6: "limit", 7: "usage",
         8: "missing", 9: "memory"}
VALUE_KINDS = ("int64", "uint64", "float64", "text", "uuid")


class Error(c.Structure):
    _fields_ = [("code", c.c_int32), ("system_errno", c.c_int32), ("offset", c.c_uint64), ("text", c.c_char * 240)]


class Options(c.Structure):
    _fields_ = [("flags", c.c_uint64), ("memory_limit", c.c_uint64), ("expanded_limit", c.c_uint64)]


class Job(c.Structure):
    _fields_ = [("uid", c.c_int64), ("job_id", c.c_int64), ("nprocs", c.c_int64), ("start_sec", c.c_int64),
                ("start_nsec", c.c_int64), ("end_sec", c.c_int64), ("end_nsec", c.c_int64), ("run_time", c.c_double),
                ("exe", c.c_char_p), ("log_version", c.c_char_p), ("compression", c.c_char_p),
                ("file_bytes", c.c_uint64), ("foreign", c.c_uint64)]


class Pair(c.Structure):
    _fields_ = [("first", c.c_char_p), ("second", c.c_char_p)]


class Name(c.Structure):
    _fields_ = [("id", c.c_uint64), ("text", c.c_void_p), ("length", c.c_uint64), ("mount", c.c_char_p),
                ("fs_type", c.c_char_p)]


class Module(c.Structure):
    _fields_ = [("id", c.c_uint32), ("version", c.c_uint32), ("partial", c.c_uint32), ("readable", c.c_uint32),
                ("compressed_bytes", c.c_uint64), ("name", c.c_char_p), ("help", c.c_char_p)]


class Value(c.Structure):
    _fields_ = [("name", c.c_char_p), ("unit", c.c_char_p), ("help", c.c_char_p), ("kind", c.c_uint32),
                ("offset", c.c_uint32), ("bytes", c.c_uint32), ("reserved", c.c_uint32)]


class Damage(c.Structure):
    _fields_ = [("loss", c.c_uint32), ("code", c.c_int32), ("offset", c.c_uint64), ("salvaged", c.c_uint64),
                ("part", c.c_char_p), ("what", c.c_char_p)]


class Table(c.Structure):
    _fields_ = [("name", c.c_char_p), ("module", c.c_char_p), ("help", c.c_char_p)]


StreamCall = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_void_p)  # get_schema, get_next
StreamText = c.CFUNCTYPE(c.c_void_p, c.c_void_p)  # get_last_error
Release = c.CFUNCTYPE(None, c.c_void_p)


class Stream(c.Structure):
    """struct ArrowArrayStream"""

    _fields_ = [("get_schema", c.c_void_p), ("get_next", c.c_void_p), ("get_last_error", c.c_void_p),
                ("release", Release), ("private_data", c.c_void_p)]


class Array(c.Structure):
    """struct ArrowArray, as far as it is looked at here."""

    _fields_ = [("words", c.c_uint64 * 8), ("release", Release), ("private_data", c.c_void_p)]


_LOG, _ERROR, _SIZE = c.c_void_p, c.POINTER(Error), c.c_size_t
_GET = [_LOG, _SIZE, c.c_void_p, _SIZE]

FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "trikal_abi_version": (c.c_uint32, []),
    "trikal_version": (c.c_char_p, []),
    "trikal_open": (c.c_void_p, [c.c_char_p, c.POINTER(Options), _ERROR]),
    "trikal_close": (None, [_LOG]),
    "trikal_get_job": (c.c_int, [_LOG, c.c_void_p, _SIZE]),
    "trikal_metadata_count": (_SIZE, [_LOG]),
    "trikal_get_metadata": (c.c_int, _GET),
    "trikal_mount_count": (_SIZE, [_LOG]),
    "trikal_get_mount": (c.c_int, _GET),
    "trikal_name_count": (c.c_int, [_LOG, c.POINTER(c.c_uint64), _ERROR]),
    "trikal_get_name": (c.c_int, [_LOG, c.c_uint64, c.c_void_p, _SIZE]),
    "trikal_module_count": (_SIZE, [_LOG]),
    "trikal_get_module": (c.c_int, _GET),
    "trikal_value_count": (_SIZE, [c.c_uint32]),
    "trikal_get_value": (c.c_int, [c.c_uint32, _SIZE, c.c_void_p, _SIZE]),
    "trikal_damage_count": (_SIZE, [_LOG]),
    "trikal_get_damage": (c.c_int, _GET),
    "trikal_table_count": (_SIZE, [_LOG]),
    "trikal_get_table": (c.c_int, _GET),
    "trikal_open_table": (c.c_int, [_LOG, c.c_char_p, c.c_uint64, c.c_uint64, c.POINTER(Stream), _ERROR]),
}


def declare(library: c.CDLL) -> None:
    """Gives every function its types: without them ctypes would cut pointers to 32 bits."""
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments


def text(value: bytes | None) -> str:
    """Text of the log: its bytes need not be UTF-8."""
    return (value or b"").decode("utf-8", "replace")
