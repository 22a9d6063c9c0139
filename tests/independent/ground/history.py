"""What the records of old versions held, by name.  The encoder writes them from this.

The decoder does not use it: it knows old versions by position only (fixed.py).
"""

from .tables import COUNTERS, CURRENT, EXTRA_HEAD

_POSIX_NEW = {f"POSIX_{x}" for x in
              ("FILENOS", "DUPS", "RENAME_SOURCES", "RENAME_TARGETS", "RENAMED_FROM")}
POSIX_STREAM = [f"POSIX_{x}" for x in ("FOPENS", "FREADS", "FWRITES", "FSEEKS")]


def _without(names, gone):
    return [name for name in names if name not in gone]


def _stamps_gone(prefix):
    return {f"{prefix}_F_CLOSE_START_TIMESTAMP", f"{prefix}_F_OPEN_END_TIMESTAMP"}


def _posix(version):
    ints, floats = COUNTERS["POSIX"]
    ints = _without(ints, _POSIX_NEW)
    if version < 3:
        floats = _without(floats, _stamps_gone("POSIX"))
    if version == 1:
        after = ints.index("POSIX_MMAPS") + 1
        ints = ints[:after] + POSIX_STREAM + ints[after:]
    return ints, floats


def _mpiio(_):
    ints, floats = COUNTERS["MPI-IO"]
    return ints, _without(floats, _stamps_gone("MPIIO"))


def _stdio(_):
    ints, floats = COUNTERS["STDIO"]
    return _without(ints, {"STDIO_FDOPENS"}), floats


def _short_stamps(prefix, version):
    if version == 1:
        return [f"{prefix}_F_OPEN_TIMESTAMP", f"{prefix}_F_CLOSE_TIMESTAMP"]
    return [f"{prefix}_F_{event}_{end}_TIMESTAMP"
            for end in ("START", "END") for event in ("OPEN", "CLOSE")]


def _h5f(version):
    return ["H5F_OPENS"], _short_stamps("H5F", version)


def _pnetcdf(version):
    ints = ["PNETCDF_FILE_INDEP_OPENS", "PNETCDF_FILE_COLL_OPENS"]
    return ints, _short_stamps("PNETCDF_FILE", version)


_OLD = {"POSIX": _posix, "MPI-IO": _mpiio, "STDIO": _stdio, "H5F": _h5f, "PNETCDF_FILE": _pnetcdf}


def stored_counters(module, version):
    """(integer names, double names) in the order this version stores them."""
    if version < CURRENT[module] and module in _OLD:
        return _OLD[module](version)
    return COUNTERS[module]


def stored_head(module, version):
    """[(field, struct format)] between the base record and the counters."""
    if (module, version) == ("BG/Q", 1):
        return [("alignment", "i4x")]
    if (module, version) == ("H5D", 1):
        return []
    return [(name, "Q") for name in EXTRA_HEAD.get(module, [])]


# Which modules, in which version, each release wrote (modules it could build).
_COMMON = {"POSIX": 4, "MPI-IO": 3, "H5F": 3, "H5D": 2, "PNETCDF_FILE": 2, "BG/Q": 2, "LUSTRE": 1,
           "STDIO": 2, "DXT_POSIX": 1, "DXT_MPIIO": 2, "MDHIM": 1}
_V310 = {"POSIX": 3, "MPI-IO": 1, "H5F": 1, "PNETCDF_FILE": 1, "BG/Q": 2, "LUSTRE": 1, "STDIO": 1}
_V317 = {**_COMMON, "H5F": 2, "DXT_MPIIO": 1}
del _V317["H5D"]
_V341 = {**_COMMON, "HEATMAP": 1, "PNETCDF_FILE": 3, "PNETCDF_VAR": 1, "APXC": 1, "APMPI": 1}
_V347 = {**_V341, "LUSTRE": 2, "DFS": 1, "DAOS": 1}
RELEASES = {
    "3.0.0": ("3.00", {"POSIX": 1, "MPI-IO": 1, "H5F": 1, "PNETCDF_FILE": 1, "BG/Q": 1}),
    "3.1.0": ("3.10", _V310),
    "3.1.2": ("3.10", {**_V310, "MPI-IO": 2}),
    "3.1.3": ("3.10", {**_V310, "MPI-IO": 2, "DXT_POSIX": 1, "DXT_MPIIO": 1}),
    "3.1.7": ("3.10", _V317),
    "3.2.0": ("3.20", {**_COMMON, "H5D": 1}),
    "3.2.1": ("3.21", {**_COMMON, "H5D": 1}),
    "3.3.0": ("3.21", {**_COMMON, "APXC": 1, "APMPI": 1}),
    "3.4.0": ("3.21", {**_COMMON, "HEATMAP": 1}),
    "3.4.1": ("3.41", _V341),
    "3.4.6": ("3.41", {**_V341, "LUSTRE": 2}),
    "3.5.0": ("3.41", _V347),
    "next": ("3.41", {**_V347, "DXT_POSIX": 2, "DXT_MPIIO": 3}),
}
