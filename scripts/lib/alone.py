"""Compiles sources by themselves that builds compile in groups: a missing include shows up only so.

In a fast run those that were changed last, with --full all. Nothing is kept: the compiler only checks.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD") or ROOT / "build" / "ci")
FULL = os.environ.get("TRIKAL_FULL") == "1"
MOST = 25  # files of a fast run


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def grouped():
    """{source: command that compiles its group}"""
    found = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        if "/groups/" in entry["file"]:
            for name in re.findall(r'^#include "(.+)"$', pathlib.Path(entry["file"]).read_text(), re.MULTILINE):
                path = next(ROOT / folder / name for folder in ("src", "tests") if (ROOT / folder / name).exists())
                found.setdefault(str(path.relative_to(ROOT)), entry)
    return found


def last_changed(names):
    """Newest first: what is not committed yet, then by commit. A clone without history has one commit: any of it."""
    listed = output("git", "diff", "--name-only", "HEAD", "--", "*.cpp") + output(
        "git", "log", "-n", "60", "--name-only", "--format=", "--", "*.cpp")
    return [name for name in dict.fromkeys(listed.split()) if name in names]


def compile_alone(name, entry):
    """None, or what the compiler says."""
    words = [word for word in shlex.split(entry["command"]) if word not in ("-c", "-MD", entry["file"], "-flto=auto", "-fno-fat-lto-objects")]
    for option in ("-o", "-MF", "-MT"):
        if option in words:
            at = words.index(option)
            del words[at:at + 2]
    start = next(at for at, word in enumerate(words) if re.search(r"(c\+\+|g\+\+|clang\+\+)(-\d+)?$", word))
    done = subprocess.run([*words[start:], "-fsyntax-only", str(ROOT / name)], cwd=entry["directory"], capture_output=True, text=True)
    return done.stderr if done.returncode else None


def main():
    commands = grouped()
    if not commands:
        sys.exit(f"{BUILD} compiles nothing in groups")
    names = sys.argv[1:] or (sorted(commands) if FULL else last_changed(commands)[:MOST])
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        complaints = list(pool.map(lambda name: compile_alone(name, commands[name]), names))
    for complaint in filter(None, complaints):
        print(complaint)
    failed = [name for name, complaint in zip(names, complaints) if complaint]
    print(f"{len(names)} of {len(commands)} files by themselves; {len(failed)} failed: {' '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
