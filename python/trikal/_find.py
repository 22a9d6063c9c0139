"""Where libtrikal-log.so and the program `trikal` are.

The library: TRIKAL_LIB, beside the package, the source tree the package came from, the system's loader.
The program: TRIKAL_BIN, the bin folder beside the library, PATH.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import os
import pathlib
import shutil

from . import _abi
from .errors import LibraryError, ToolError

SONAME = f"libtrikal-log.so.{_abi.ABI_VERSION}"
NAMES = (SONAME, "libtrikal-log.so")
PACKAGE = pathlib.Path(__file__).resolve().parent


def source_tree() -> pathlib.Path | None:
    """The tree the package was installed from, or is imported from; it may be gone by now."""
    try:
        written = importlib.import_module(f"{__package__}._source_tree")  # by build_backend.py
        return pathlib.Path(written.SOURCE_TREE)
    except ImportError:
        tree = PACKAGE.parent.parent
        return tree if (tree / "include" / "trikal" / "trikal.h").is_file() else None


def _in_folder(folder: pathlib.Path) -> pathlib.Path | None:
    return next((folder / name for name in NAMES if (folder / name).is_file()), None)


def _named(value: str) -> pathlib.Path:
    """What TRIKAL_LIB says: a file, or a folder with the library. Nothing else is tried then."""
    path = pathlib.Path(value)
    found = _in_folder(path) if path.is_dir() else path
    if found is None or not found.is_file():
        raise LibraryError(f"TRIKAL_LIB is {value}, where there is no {NAMES[1]}")
    return found


def _candidates() -> list[pathlib.Path]:
    folders = [PACKAGE, PACKAGE / "lib"]
    tree = source_tree()
    if tree is not None:
        folders.append(tree / "build" / "release" / "lib")
    return folders


def library_path() -> str:
    """A path, or a bare name for the loader to find."""
    named = os.environ.get("TRIKAL_LIB")
    if named:
        return str(_named(named))
    found = next(filter(None, map(_in_folder, _candidates())), None)
    return str(found) if found else SONAME


@functools.lru_cache(maxsize=None)
def load(path: str) -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        looked = ", ".join(map(str, _candidates()))
        where = f"; looked in {looked} and asked the system's loader. Build trikal, or set TRIKAL_LIB" \
            if path == SONAME else ""
        raise LibraryError(f"cannot load {path}: {error}{where}") from error
    try:
        version = library.trikal_abi_version()
    except AttributeError as error:
        raise LibraryError(f"{path} is not libtrikal-log") from error
    if version != _abi.ABI_VERSION:
        raise LibraryError(f"{path} has interface {version}, this package knows {_abi.ABI_VERSION}")
    _abi.declare(library)
    return library


def library() -> ctypes.CDLL:
    return load(library_path())


def _is_program(path: str | pathlib.Path) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def tool_path() -> str:
    """The program, whose JSON the findings and summaries are."""
    named = os.environ.get("TRIKAL_BIN")
    if named:
        if not _is_program(named):
            raise ToolError(f"TRIKAL_BIN is {named}, which is no program")
        return named
    looked = []
    folder = pathlib.Path(library_path()).parent
    if folder.is_absolute():
        # lib/, or lib/x86_64-linux-gnu/ as Debian has it
        looked = [folder.parent / "bin" / "trikal", folder.parent.parent / "bin" / "trikal"]
    found = next(filter(_is_program, map(str, looked)), None) or shutil.which("trikal")
    if found is None:
        paths = "".join(f"{path}, " for path in looked)
        raise ToolError(f"cannot find the program trikal; looked for {paths}and in PATH. Set TRIKAL_BIN")
    return found
