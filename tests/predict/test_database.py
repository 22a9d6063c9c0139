"""Builds that say by compile_commands.json what they compile, but not what they link."""

import json
import os
import subprocess

import pytest

from conftest import TRIKAL, predict

FILES = {
    "common.c": '#include <stdio.h>\nvoid save(const char* name, int count) {\n  FILE* f = fopen(name, "w");\n  while (count-- > 0) fputs(TEXT, f);\n  fclose(f);\n}\n',
    "left.c": 'void save(const char*, int);\nint main(void) { save("left.out", 3); }\n',
    "right.c": 'void save(const char*, int);\nint helper(void) { return 4; }\nint main(void) { save("right.out", helper()); }\n',
    "unused.c": "int helper(void) { return 1000; }\n",
}


def words(name, *options):
    return ["cc", "-Wall", "-O3", *options, "-o", f"CMakeFiles/{name}_program.dir/{name}.c.o", "-c", f"{name}.c"]


def database(folder, as_text):
    for name, text in FILES.items():
        (folder / name).write_text(text)
    entries = []
    for name in ("common", "left", "right", "unused"):
        command = words(name, '-DTEXT="a b\\n"', "-fsome-option-of-another-compiler", "-flto") if name == "common" else words(name)
        entry = {"directory": str(folder), "file": f"{name}.c"}
        quoted = ["'-DTEXT=\"a b\\n\"'" if word.startswith("-DTEXT") else word for word in command]
        entries.append({**entry, "command": " ".join(quoted)} if as_text else {**entry, "arguments": command})
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    return folder


@pytest.mark.parametrize("as_text", [True, False])
@pytest.mark.parametrize("program, lines", [("left_program", 3), ("left", 3), ("right", 4), ("right.c", 4)])
def test_one_program_of_several(tmp_path, cache, as_text, program, lines):
    """By a target of CMake or by the source with its main; options with quotes and spaces; one that clang does not know."""
    database(tmp_path, as_text)
    told, files = predict(tmp_path, cache, [], [], "-p", ".", "--program", program)
    (name, counters), = [(name, values) for name, values in files.items() if name.endswith(".out")]
    assert name.endswith(program.split("_")[0].split(".")[0] + ".out")
    assert counters["STDIO_BYTES_WRITTEN"] == 4 * lines and told["predictions"][0]["notes"] == []


def test_a_source_that_is_named_finds_the_rest(tmp_path, cache):
    database(tmp_path, True)
    told, files = predict(tmp_path, cache, ["right.c"], [], "-p", ".")
    assert [values["STDIO_BYTES_WRITTEN"] for name, values in files.items() if name.endswith("right.out")] == [16]
    assert told["predictions"][0]["notes"] == []


def test_several_programs_are_told(tmp_path, cache):
    database(tmp_path, True)
    done = subprocess.run([TRIKAL, "predict", "-p", tmp_path], capture_output=True, text=True, env={**os.environ, "TRIKAL_CACHE": str(cache)})
    assert done.returncode == 4 and "several programs (main is in left.c, right.c); --program NAME picks one" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("compiler", ["mpicc.openmpi", "mpicc.mpich"])
def test_compilers_that_add_options(tmp_path, cache, compiler):
    (tmp_path / "ranks.c").write_text('#include <mpi.h>\n#include <stdio.h>\nint main(int argc, char** argv) {\n  int rank, size;\n  MPI_Init(&argc, &argv);\n'
                                      '  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n  MPI_Comm_size(MPI_COMM_WORLD, &size);\n'
                                      '  if (rank == 0) {\n    FILE* f = fopen("out", "w");\n    fprintf(f, "%d", size * 1000);\n    fclose(f);\n  }\n  MPI_Finalize();\n}\n')
    (tmp_path / "compile_commands.json").write_text(json.dumps([{"directory": str(tmp_path), "file": "ranks.c", "command": f"{compiler} -c ranks.c"}]))
    _, files = predict(tmp_path, cache, [], [], "-p", ".", "--np", "4")
    assert [values["STDIO_BYTES_WRITTEN"] for name, values in files.items() if name.endswith("/out")] == [4]
    _, files = predict(tmp_path, cache, ["ranks.c"], [], "--np", "12")  # without any option: mpi.h is found all the same
    assert [values["STDIO_BYTES_WRITTEN"] for name, values in files.items() if name.endswith("/out")] == [5]


def test_cpp_in_files_of_c(tmp_path, cache):
    (tmp_path / "old.c").write_text('#include <fstream>\nint main() { register int count = 3; std::ofstream out("out"); for (int i = 0; i < count; i++) out << "ab"; }\n')
    (tmp_path / "compile_commands.json").write_text(json.dumps([{"directory": str(tmp_path), "file": "old.c", "command": "g++ -c old.c"}]))
    _, files = predict(tmp_path, cache, [], [], "-p", ".")
    assert [values["POSIX_BYTES_WRITTEN"] for name, values in files.items() if name.endswith("/out")] == [6]


@pytest.mark.parametrize("text, said", [("", "compile_commands.json: "), ("[{", "compile_commands.json: "), ("{}", "no source files"), ("[3, null]", "no source files"),
                                        ('[{"file": "gone.c", "command": ""}]', "gone.c: cannot be read"), ('[{"directory": 3, "file": [], "command": {}}]', "no source files")])
def test_databases_that_make_no_sense(tmp_path, cache, text, said):
    (tmp_path / "compile_commands.json").write_text(text)
    done = subprocess.run([TRIKAL, "predict", "-p", tmp_path], capture_output=True, text=True, env={**os.environ, "TRIKAL_CACHE": str(cache)})
    assert done.returncode == 4 and said in done.stderr and len(done.stderr.splitlines()) == 1 and done.stdout == ""


def test_headers_of_libraries_are_found(tmp_path, cache):
    """hdf5.h and H5Cpp.h without an option that leads there; what HDF5's classes throw is caught."""
    (tmp_path / "plain.c").write_text('#include <hdf5.h>\nint main(void) { return H5Fclose(H5Fcreate("a.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)); }\n')
    _, files = predict(tmp_path, cache, ["plain.c"], [])
    assert [values["H5F_OPENS"] for name, values in files.items() if name.endswith("/a.h5")] == [1]
    (tmp_path / "classes.cpp").write_text("""#include <H5Cpp.h>
#include <cstdio>
int main() {
  try {
    H5::H5File file("none.h5", H5F_ACC_RDONLY);
  } catch (const H5::FileIException&) {
    FILE* out = std::fopen("caught", "w");
    std::fputs("abcd", out);
    std::fclose(out);
  }
}
""")
    told, files = predict(tmp_path, cache, ["classes.cpp"], [])
    assert [values["STDIO_BYTES_WRITTEN"] for name, values in files.items() if name.endswith("/caught")] == [4], told["predictions"][0]["notes"]
