"""What a log holds besides tables, as plain values."""

from __future__ import annotations

import dataclasses
import datetime
from typing import Any, Iterable, Tuple

from . import _html
from ._needs import need


@dataclasses.dataclass(frozen=True)
class Job:
    """The job a log is about. Times are seconds; `start` and `end` are in UTC."""

    job_id: int
    uid: int
    nprocs: int
    start_sec: int
    start_nsec: int
    end_sec: int
    end_nsec: int
    run_time: float
    exe: str  #: the command line
    log_version: str
    compression: str
    file_bytes: int
    foreign: bool  #: written on a machine of the other byte order

    @property
    def start(self) -> datetime.datetime:
        return _time(self.start_sec, self.start_nsec)

    @property
    def end(self) -> datetime.datetime:
        return _time(self.end_sec, self.end_nsec)


def _time(seconds: int, nanoseconds: int) -> datetime.datetime:
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    try:
        return epoch + datetime.timedelta(seconds=seconds, microseconds=nanoseconds // 1000)
    except OverflowError as error:
        raise ValueError(f"the log says {seconds} seconds since 1970, which is no date") from error


@dataclasses.dataclass(frozen=True)
class Counter:
    """A value that every record of a module has."""

    name: str
    unit: str  #: "" for a plain number
    help: str
    kind: str  #: int64, uint64, float64, text or uuid


@dataclasses.dataclass(frozen=True)
class Module:
    """A module of the log, that is an interface that was observed."""

    name: str
    id: int
    version: int
    partial: bool  #: the runtime ran out of memory for it, records are missing
    readable: bool  #: False: a module or version that the library does not know
    compressed_bytes: int
    help: str
    counters: dict[str, Counter] = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True)
class Damage:
    """Something in the log that contradicts itself."""

    part: str  #: of the log: "header", "names", "POSIX" ...
    what: str
    offset: int | None
    loss: bool  #: False: odd, but nothing is lost
    salvaged: int  #: records of that part that were read before it


@dataclasses.dataclass(frozen=True)
class FindingFile:
    """One of the files a finding is worst for."""

    name: str
    seconds: float
    text: str


@dataclasses.dataclass(frozen=True)
class Finding:
    """What is slow in a run, what it costs and how to mend it. docs/formats/run-json.md describes the parts."""

    code: str
    severity: str  #: high, medium, low or info
    seconds: float
    share: float
    title: str
    evidence: str
    formula: str
    fix: str
    why: str
    files: tuple[FindingFile, ...]

    @classmethod
    def from_json(cls, one: dict[str, Any]) -> Finding:
        files = tuple(FindingFile(file["name"], file["seconds"], file["text"]) for file in one["files"])
        plain = ("code", "severity", "seconds", "share", "title", "evidence", "formula", "fix", "why")
        return cls(files=files, **{key: one[key] for key in plain})

    def __str__(self) -> str:
        return f"{self.code}: {self.title}. {self.fix}"

    def _repr_html_(self) -> str:
        return _html.findings([self])


class Findings(Tuple[Finding, ...]):
    """The findings of a run, those that cost most first."""

    def __new__(cls, found: Iterable[Finding]) -> Findings:
        return super().__new__(cls, found)

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or "no findings"

    def _repr_html_(self) -> str:
        return _html.findings(self)

    def _rows(self) -> list[dict[str, Any]]:
        fields = [field.name for field in dataclasses.fields(Finding) if field.name != "files"]
        return [{**{name: getattr(one, name) for name in fields}, "files": [file.name for file in one.files]}
                for one in self]

    def pandas(self) -> Any:
        """A DataFrame with a row for each finding."""
        columns = [field.name for field in dataclasses.fields(Finding)]
        return need("pandas", "a DataFrame of pandas").DataFrame(self._rows(), columns=columns)

    def polars(self) -> Any:
        """The same for polars."""
        return need("polars", "a DataFrame of polars").DataFrame(self._rows())
