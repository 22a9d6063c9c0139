"""What can go wrong. A file that cannot be opened is the OSError that Python itself would raise."""

from __future__ import annotations

import os
import re
from typing import Optional, Union

_OFFSET = re.compile(r"(?:^|: )offset (\d+): ")

Path = Union[str, "os.PathLike[str]"]


class TrikalError(Exception):
    """Every error of this package that is not an OSError or a mistake in an argument."""


class LogError(TrikalError):
    """The file is no log, or a damaged one.

    `path` is the file, `offset` the byte it is about (None where there is none), `kind` one word: ``not-a-log``,
    ``unsupported``, ``damaged``, ``truncated``, ``limit`` or ``unknown``.
    """

    def __init__(self, path: str, what: str, offset: Optional[int] = None, kind: str = "unknown") -> None:
        super().__init__(f"{path}: {what}")
        self.path = path
        self.what = what
        self.offset = offset
        self.kind = kind

    @classmethod
    def from_text(cls, path: str, text: str) -> LogError:
        """From a line of the library or the program, which names the offset in its text."""
        found = _OFFSET.search(text)
        return cls(path, text, int(found[1]) if found else None, "damaged" if found else "unknown")


class StoreError(TrikalError):
    """The store cannot be opened or asked that. `url` is its name, `what` the reason."""

    def __init__(self, url: str, what: str) -> None:
        super().__init__(what if url in what else f"{url}: {what}")
        self.url = url
        self.what = what


class NotInLog(TrikalError, KeyError):
    """The log has no such module, table or heatmap."""

    def __str__(self) -> str:  # KeyError would put the sentence in quotes
        return str(self.args[0])


class LibraryError(TrikalError, ImportError):
    """libtrikal-log.so is missing or too old or new for this package."""


class ToolError(TrikalError):
    """The program `trikal` is missing, or failed for a reason that is not the log's."""


class PackageMissing(TrikalError, ImportError):
    """A package that is needed for what was asked, but not for the rest, is not installed."""
