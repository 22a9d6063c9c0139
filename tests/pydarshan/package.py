"""PyDarshan with and without the library that its wheel brings along.

PyDarshan takes the copy bundled with it before any other. To make it take ours, without touching what is
installed, its Python files are copied somewhere else and the library is left behind.
"""

import importlib.util
import os
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD") or ROOT / "build" / "release").resolve()
LIBRARY = BUILD / "lib" / "libdarshan-util.so"
sys.path.append(str(ROOT / "tests" / "support"))
import log_files  # noqa: E402  behind the path

RELEASED = {10: 1, 11: 2}  # versions of traces; newer ones are refused
MDHIM = 12  # which the package does not know
BZIP2 = 1  # which its library was built without
WHEN_RELEASED = "double end_time;\n} segment_info;"


def installed():
    """Folder of the installed package, or None."""
    spec = importlib.util.find_spec("darshan")
    return pathlib.Path(spec.origin).parent if spec and spec.origin else None


def bundled():
    """The library in the wheel, or None."""
    package = installed()
    found = sorted(package.parent.glob("darshan.libs/libdarshan-util*.so*")) if package else []
    return found[0] if found else None


def reads(log):
    """Whether the original can be asked about this log."""
    from ground import container
    header = container.parse_header(log.read_bytes())
    return header.codec != BZIP2 and MDHIM not in header.mod_map and all(
        header.mod_ver.get(module, 0) <= version for module, version in RELEASED.items())


def logs():
    return list(filter(reads, log_files.ALL))


def copy_without_library(target, segment_with_thread=False):
    """Copies the package below target. With a thread: as Darshan's sources declare a segment since 3.5.0."""
    shutil.copytree(installed(), target / "darshan", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    if segment_with_thread:
        declarations = target / "darshan" / "backend" / "api_def_c.py"
        text = declarations.read_text()
        assert WHEN_RELEASED in text
        widened = WHEN_RELEASED.replace("}", "    uint64_t pthread_id;\n}")
        declarations.write_text(text.replace(WHEN_RELEASED, widened))
    return target


def environment(package=None):
    """The environment in which `import darshan` finds the copy in package with our library, or the original."""
    env = dict(os.environ, MPLBACKEND="Agg", PYTHONDONTWRITEBYTECODE="1")
    env.pop("PYTHONPATH", None)
    if package:
        env.update(PYTHONPATH=str(package), LD_LIBRARY_PATH=str(LIBRARY.parent))
    return env
