"""What is written in assembly for arm64 is at least assembled: few of us have such a machine."""

import re
import shutil
import subprocess

import pytest

import project

ASSEMBLY = re.compile(r'#(?:el)?if defined\(__aarch64__\)(?:(?!#e).)*?asm\(R"\((.*?)\)"\);', re.S)
FILES = {path: text for path in sorted((project.ROOT / "src").rglob("*.cpp")) if (text := ASSEMBLY.findall(path.read_text()))}


def test_there_is_some():
    assert FILES, "no assembly for arm64 was found: does the pattern still fit the code?"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_assembles(path, tmp_path):
    compiler = shutil.which("clang++-19")
    if compiler is None:
        pytest.skip("clang++-19 is not installed")
    for text in FILES[path]:
        done = subprocess.run([compiler, "--target=aarch64-linux-gnu", "-x", "assembler", "-c", "-", "-o", tmp_path / "out.o"],
                              input=text, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_a_mistake_is_seen(tmp_path):
    compiler = shutil.which("clang++-19")
    if compiler is None:
        pytest.skip("clang++-19 is not installed")
    done = subprocess.run([compiler, "--target=aarch64-linux-gnu", "-x", "assembler", "-c", "-", "-o", tmp_path / "out.o"],
                          input="  moov x0, x1\n", capture_output=True, text=True)
    assert done.returncode != 0
