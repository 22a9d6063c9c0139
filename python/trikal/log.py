"""A log: its job, modules, tables, heatmaps and findings."""

from __future__ import annotations

import ctypes as c
import errno
import functools
import os
import weakref
from typing import Any, Callable, Iterator, NoReturn, TypeVar

from . import _abi, _find, _html, _tool
from ._abi import text
from .errors import LogError, NotInLog, Path
from .heatmap import Heatmap, heatmaps_of
from .model import Counter, Damage, Finding, Findings, Job, Module
from .table import Table

_S = TypeVar("_S", bound=c.Structure)
SYSTEM, USAGE, MEMORY = 1, 7, 9


def raise_error(path: str, error: _abi.Error) -> NoReturn:
    """The exception for what the library reports."""
    what = text(error.text)
    if error.code == SYSTEM:
        number = error.system_errno or errno.EIO
        raise OSError(number, os.strerror(number), path)
    if error.code == MEMORY:
        raise MemoryError(f"{path}: {what}")
    if error.code == USAGE:
        raise ValueError(f"{path}: {what}")
    offset = None if error.offset == _abi.NO_OFFSET else int(error.offset)
    raise LogError(path, what, offset, _abi.KINDS.get(error.code, "unknown"))


class Log:
    """An open log; made by `trikal.open`. Use it with ``with``, or let it go: it closes itself."""

    def __init__(self, path: Path, *, salvage: bool = False, memory_limit: int = 0, expanded_limit: int = 0) -> None:
        self.path = os.fspath(path)
        if "\0" in self.path:
            raise ValueError("a path has no null character")
        self._absolute = os.path.abspath(self.path)  # for later, wherever the process is then
        self.salvage = salvage
        self._lib = _find.library()
        error = _abi.Error()
        options = _abi.Options(_abi.SALVAGE if salvage else 0, memory_limit, expanded_limit)
        handle = self._lib.trikal_open(os.fsencode(self.path), c.byref(options), c.byref(error))
        if not handle:
            raise_error(self.path, error)
        self.__handle: int | None = handle
        self._closer = weakref.finalize(self, self._lib.trikal_close, handle)

    @property
    def _handle(self) -> int:
        if self.__handle is None:
            raise ValueError(f"{self.path}: the log is closed")
        return self.__handle

    def close(self) -> None:
        """Tables that were read, and streams that are open, stay valid."""
        self.__handle = None
        self._closer()

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<trikal.Log {self.path}>"

    def _repr_html_(self) -> str:
        return _html.log(self)

    def _each(self, kind: type[_S], count: int, get: Callable[..., int]) -> Iterator[_S]:
        for i in range(count):
            item = kind()
            if get(self._handle, i, c.byref(item), c.sizeof(item)) == 0:
                yield item

    # ---- what it is about ----

    @functools.cached_property
    def job(self) -> Job:
        job = _abi.Job()
        self._lib.trikal_get_job(self._handle, c.byref(job), c.sizeof(job))
        names = ("job_id", "uid", "nprocs", "start_sec", "start_nsec", "end_sec", "end_nsec", "run_time", "file_bytes")
        numbers = {name: getattr(job, name) for name in names}
        return Job(exe=text(job.exe), log_version=text(job.log_version), compression=text(job.compression),
                   foreign=bool(job.foreign), **numbers)

    @functools.cached_property
    def metadata(self) -> dict[str, str]:
        """What the runtime or the user noted."""
        pairs = self._each(_abi.Pair, self._lib.trikal_metadata_count(self._handle), self._lib.trikal_get_metadata)
        return {text(pair.first): text(pair.second) for pair in pairs}

    @functools.cached_property
    def mounts(self) -> list[tuple[str, str]]:
        """(path, type of file system), the longest path first."""
        pairs = self._each(_abi.Pair, self._lib.trikal_mount_count(self._handle), self._lib.trikal_get_mount)
        return [(text(pair.first), text(pair.second)) for pair in pairs]

    @functools.cached_property
    def names(self) -> dict[int, str]:
        """Names of records (files, mostly) by their id."""
        count, error = c.c_uint64(), _abi.Error()
        if self._lib.trikal_name_count(self._handle, c.byref(count), c.byref(error)) != 0:
            raise_error(self.path, error)
        names = self._each(_abi.Name, count.value, self._lib.trikal_get_name)
        return {name.id: c.string_at(name.text, name.length).decode("utf-8", "replace") for name in names}

    @functools.cached_property
    def modules(self) -> dict[str, Module]:
        """By name. A module that the library has no name for is 'module 63'."""
        found = self._each(_abi.Module, self._lib.trikal_module_count(self._handle), self._lib.trikal_get_module)
        modules = [Module(text(one.name) or f"module {one.id}", one.id, one.version, bool(one.partial),
                          bool(one.readable), one.compressed_bytes, text(one.help), self._counters(one.id))
                   for one in found]
        return {module.name: module for module in modules}

    def _counters(self, module: int) -> dict[str, Counter]:
        found = {}
        for i in range(self._lib.trikal_value_count(module)):
            value = _abi.Value()
            if self._lib.trikal_get_value(module, i, c.byref(value), c.sizeof(value)) == 0:
                name = text(value.name)
                found[name] = Counter(name, text(value.unit), text(value.help), _abi.VALUE_KINDS[value.kind])
        return found

    @property
    def damage(self) -> list[Damage]:
        """What is known so far: reading finds more."""
        found = self._each(_abi.Damage, self._lib.trikal_damage_count(self._handle), self._lib.trikal_get_damage)
        return [Damage(text(one.part), text(one.what), None if one.offset == _abi.NO_OFFSET else one.offset,
                       bool(one.loss), one.salvaged) for one in found]

    # ---- tables ----

    @functools.cached_property
    def _tables(self) -> dict[str, tuple[str, str]]:
        found = self._each(_abi.Table, self._lib.trikal_table_count(self._handle), self._lib.trikal_get_table)
        return {text(one.name): (text(one.module), text(one.help)) for one in found}

    @property
    def tables(self) -> list[str]:
        """Names for `table`."""
        return list(self._tables)

    def table(self, name: str, *, names: bool = True) -> Table:
        """A table by its name ('posix', 'dxt_posix_segments') or by its module's ('POSIX', 'MPI-IO').

        Without `names` the columns name, mount and fs_type beside record ids are left out.
        """
        wanted = name.lower()
        for table, (module, help) in self._tables.items():
            if wanted and wanted in (table, module.lower()):
                return Table(self, table, module, help, names)
        raise NotInLog(f"{self.path}: no table '{name}'; there are {', '.join(self.tables)}")

    def __getitem__(self, name: str) -> Table:
        return self.table(name)

    def df(self, name: str, kind: str = "pandas") -> Any:
        """A table as a DataFrame; `kind` is pandas, polars or arrow."""
        return self.table(name).df(kind)

    def dxt(self, interface: str = "POSIX") -> Table:
        """The trace of 'POSIX' or 'MPI-IO': every read and write with rank, offset, length and times."""
        return self.table(f"dxt_{interface.lower().replace('-', '')}_segments")

    def _open_table(self, name: str, flags: int, rows: int) -> _abi.Stream:
        stream, error = _abi.Stream(), _abi.Error()
        if self._lib.trikal_open_table(self._handle, name.encode(), flags, rows, c.byref(stream), c.byref(error)) != 0:
            raise_error(self.path, error)
        return stream

    @functools.cached_property
    def heatmaps(self) -> dict[str, Heatmap]:
        """Bytes over time and rank, by interface ('POSIX', 'STDIO', 'MPIIO'). Empty where the log has none."""
        return heatmaps_of(self)

    def heatmap(self, interface: str = "POSIX") -> Heatmap:
        found = self.heatmaps.get(interface.upper().replace("-", ""))
        if found is None:
            raise NotInLog(f"{self.path}: no heatmap of '{interface}'; there are {', '.join(self.heatmaps) or 'none'}")
        return found

    # ---- what the program computes ----

    @functools.cached_property
    def summary(self) -> dict[str, Any]:
        """The object that docs/formats/run-json.md describes: job, io, layers, findings, warnings."""
        return _tool.ask("summary", self.path, self._absolute, self.salvage)

    @functools.cached_property
    def findings(self) -> Findings:
        """What is slow in this run, what costs most first."""
        answer = _tool.ask("insights", self.path, self._absolute, self.salvage)
        return Findings(Finding.from_json(one) for one in answer["findings"])

    def report(self, path: Path, *, replace: bool = False) -> str:
        """Writes the page of `trikal report` to `path`, and returns that. An existing file is replaced only if asked for."""
        page = os.fspath(path)
        _tool.run(["report", *(["--force"] if replace else []), "-o", page], self.path, self._absolute, self.salvage)
        return page


def open(path: Path, *, salvage: bool = False, memory_limit: int = 0, expanded_limit: int = 0) -> Log:
    """Opens a log of Darshan 3.x or trikal.

    With `salvage` a damaged log is read up to the damage (`Log.damage` says what was lost) instead of raising LogError.
    The limits, in bytes, bound what a hostile log can take: a record or all names (0: 1 GiB), a module (0: 64 GiB).
    """
    return Log(path, salvage=salvage, memory_limit=memory_limit, expanded_limit=expanded_limit)
