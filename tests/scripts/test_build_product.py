"""scripts/lib/build-product says before the build how much there is to do."""

import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRESETS = """{"version": 6,
 "configurePresets": [{"name": "product", "generator": "Ninja", "binaryDir": "${sourceDir}/build/product"}],
 "buildPresets": [{"name": "product", "configurePreset": "product"}]}"""
# Files are looked for at every build, as those of src/ are.
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(small C)
file(GLOB sources CONFIGURE_DEPENDS *.c)
add_executable(trikal ${sources})
set_target_properties(trikal PROPERTIES RUNTIME_OUTPUT_DIRECTORY bin)
"""


def build(root):
    done = subprocess.run([root / "scripts" / "lib" / "build-product"], check=True, capture_output=True, text=True)
    return done.stdout


def test_the_first_build_is_announced_with_all_its_steps(tmp_path):
    shutil.copytree(ROOT / "scripts" / "lib", tmp_path / "scripts" / "lib")
    (tmp_path / "CMakePresets.json").write_text(PRESETS)
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    for number in range(4):
        (tmp_path / f"part{number}.c").write_text(f"int part{number}(void) {{ return 0; }}\n")
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    said = re.search(r"^Building trikal in (\d+) steps on \d+ processors: about (a minute|\d+ minutes)\.$", build(tmp_path), re.M)
    assert said and int(said[1]) == 6  # five to compile, one to link
    assert "Building" not in build(tmp_path)
