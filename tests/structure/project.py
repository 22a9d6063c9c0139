"""What the structure tests know about the repository: its root, its tracked files, its build."""

import functools
import json
import os
import pathlib
import re
import shlex
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD") or ROOT / "build" / "release").resolve()
HERE = pathlib.Path(__file__).resolve().parent

CPP = (".cpp", ".hpp", ".c", ".h")


@functools.cache
def tracked_files():
    """Files git knows of or would add, so that a new file is checked before it is committed."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout.decode().split("\0")
    return sorted({name for name in names if name and (ROOT / name).is_file()})


def sources(*folders, suffixes=CPP):
    return [name for name in tracked_files()
            if name.endswith(suffixes) and (not folders or name.startswith(folders))]


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8", errors="replace")


@functools.cache
def compile_commands():
    return json.loads((BUILD / "compile_commands.json").read_text())


@functools.cache
def compiled_sources():
    """All that the build compiles, by itself or in a group (docs/decisions/0027)."""
    files = {entry["file"] for entry in compile_commands()}
    for group in [file for file in files if "/groups/" in file]:
        included = re.findall(r'^#include "(.+)"$', pathlib.Path(group).read_text(), re.MULTILINE)
        files |= {str(ROOT / folder / name) for name in included for folder in ("src", "tests") if (ROOT / folder / name).exists()}
    return files


def flags_like(source):
    """The compiler and flags the build uses for one source file, ready for another file."""
    wanted = str(ROOT / source)
    entry = next((entry for entry in compile_commands() if entry["file"] == wanted), None)
    assert entry, f"{source} is not in compile_commands.json"
    words = shlex.split(entry["command"])
    start = next(i for i, word in enumerate(words) if word.split("/")[-1].split("-")[0] in COMPILERS)
    kept, skip = [], False
    for word in words[start:]:
        if skip:
            skip = False
        elif word in ("-o", "-MF", "-MT", "-MQ"):
            skip = True
        elif word not in ("-c", "-MD", wanted):
            kept.append(word)
    return kept, entry["directory"]


COMPILERS = ("c++", "g++", "clang++", "gcc", "clang", "cc")


def table_sections(path):
    """Sections of a table file: {title: [line, ...]} without comments and blank lines."""
    sections, lines = {}, None
    for raw in path.read_text().splitlines():
        line = raw.split("#")[0].rstrip()
        if line.startswith("["):
            lines = sections.setdefault(line.strip("[]"), [])
        elif line.strip():
            assert lines is not None, f"{path.name}: text before the first [section]"
            lines.append(line)
    return sections
