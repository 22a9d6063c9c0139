"""Mistakes the compiler has to catch.

Each file of must_not_compile/ is compiled twice with the flags of the build: as it stands, which must work
(so that the file itself is sound), and with TRIKAL_MISTAKE defined, which must fail with the diagnostic that
the file's 'expect:' comment names.
"""

import re
import subprocess

import pytest

import project

CASES = sorted((project.HERE / "must_not_compile").glob("*.cpp"))
LIKE = "src/cli/main.cpp"  # a source of the product that is in no group: its flags are everyone's


def compile_case(path, *more):
    flags, directory = project.flags_like(LIKE)
    command = [*flags, *more, "-fsyntax-only", str(path)]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_compiles_without_the_mistake(path):
    done = compile_case(path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_is_refused_with_the_mistake(path):
    expected = re.search(r"^// expect: (.+)$", path.read_text(), re.MULTILINE)
    assert expected, "the file names no diagnostic"
    done = compile_case(path, "-DTRIKAL_MISTAKE")
    assert done.returncode != 0, "the mistake compiled"
    assert re.search(expected.group(1), done.stderr), done.stderr
