"""What runs inside applications needs libc and zlib, nothing else: no C++ run time, no heap, no streams."""

import re
import subprocess

import pytest

import project

LIBRARIES = ["trikal-log-encode", "trikal-log-write"]

# Everything these components may ask of others. A longer list is a decision: each name is called in somebody's process.
LIBC = {"__errno_location", "access", "close", "link", "memchr", "memcmp", "memcpy", "memmove", "memset", "open",
        "pwrite", "strlen", "syscall", "unlink"}
ZLIB = {"adler32_z", "deflate", "deflateInit_", "deflateReset"}
COMPILER = re.compile(r"_GLOBAL_OFFSET_TABLE_|__stack_chk_fail|_{2,3}(asan|ubsan|tsan|sanitizer)_.*")
OURS = re.compile(r"_ZN[KVO]*6trikal.*")


def undefined(library):
    lines = subprocess.run(["nm", "--undefined-only", "--format=just-symbols", str(library)],
                           check=True, capture_output=True, text=True).stdout.split()
    return {line for line in lines if not line.endswith(":")}


@pytest.mark.parametrize("name", LIBRARIES)
def test_needs_only_libc_and_zlib(name):
    library = project.BUILD / "lib" / f"lib{name}.a"
    assert library.is_file(), f"{library} was not built"
    found = undefined(library)
    assert found, "nothing was found: is this the right file?"
    foreign = {symbol for symbol in found - LIBC - ZLIB if not OURS.fullmatch(symbol) and not COMPILER.fullmatch(symbol)}
    assert not foreign, sorted(foreign)
