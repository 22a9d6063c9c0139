"""The runtime loads where programs run, and those machines may be old: nothing newer than glibc 2.17."""

import re
import subprocess

import project

NEWEST = (2, 17)


def versions(library):
    """{symbol: (2, 14)} of what a library takes from glibc"""
    text = subprocess.run(["objdump", "-T", str(library)], check=True, capture_output=True, text=True).stdout
    found = re.findall(r"\*UND\*.*\bGLIBC_(\d+)\.(\d+)(?:\.\d+)?\)?\s+(\S+)$", text, re.MULTILINE)
    return {name: (int(major), int(minor)) for major, minor, name in found}


def test_the_runtime_needs_no_new_libc():
    taken = versions(project.BUILD / "lib" / "libtrikal.so")
    assert taken, "objdump was not understood"
    newer = {name: version for name, version in taken.items() if version > NEWEST}
    assert not newer, newer
