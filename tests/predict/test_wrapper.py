"""trikal cc: the compiler as it is, and a record from which whole programs are predicted."""

import json
import os
import shutil
import subprocess

import pytest

from conftest import TRIKAL, observe, predict

MAKEFILE = """CC = cc
CFLAGS = -Iinclude -DSIZE=16
all: writer reader
obj/%.o: src/%.c include/store.h
\t@mkdir -p obj
\t$(CC) $(CFLAGS) -c $< -o $@
obj/libstore.a: obj/store.o obj/unused_helper_with_a_long_name.o
\tar rcs $@ $^
writer: obj/writer.o obj/libstore.a
\t$(CC) -o $@ obj/writer.o -Lobj -lstore
reader: src/reader.c obj/libstore.a
\t$(CC) $(CFLAGS) -O2 -o $@ $^
"""
FILES = {
    "include/store.h": "#include <stdio.h>\nvoid put(FILE* file, int count);\nint get(FILE* file);\n",
    "src/store.c": '#include "store.h"\nstatic char block[SIZE];\nvoid put(FILE* file, int count) {\n  for (int i = 0; i < count; ++i) fwrite(block, SIZE, 1, file);\n}\n'
                   "int get(FILE* file) {\n  int all = 0;\n  while (fread(block, SIZE, 1, file) == 1) ++all;\n  return all;\n}\n",
    "src/unused_helper_with_a_long_name.c": "int nobody_calls_this(void) { return 1; }\n",
    "src/writer.c": '#include <stdlib.h>\n#include "store.h"\nint main(int argc, char** argv) {\n  FILE* f = fopen("data", "wb");\n  put(f, atoi(argv[1]));\n  return fclose(f);\n}\n',
    "src/reader.c": '#include "store.h"\nint main(void) {\n  FILE* f = fopen("data", "rb");\n  if (!f) return 1;\n  return get(f) == 0;\n}\n',
    "Makefile": MAKEFILE,
}


def project(folder):
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def make(folder, **variables):
    env = {**os.environ, **{key: str(value) for key, value in variables.items()}}
    return subprocess.run(["make", "-j2", f"CC={TRIKAL} cc"], cwd=folder, capture_output=True, text=True, env=env)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = project(tmp_path_factory.mktemp("project"))
    done = make(folder)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return folder


def wrapped(folder, *words, verb="cc", **env):
    return subprocess.run([TRIKAL, verb, *map(str, words)], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, **{key: str(value) for key, value in env.items()}})


def test_the_record_says_what_makes_what(built):
    lines = [json.loads(line) for line in (built / ".trikal" / "commands.jsonl").read_text().splitlines()]
    assert len(lines) == 5 and all(line["directory"] == str(built) for line in lines)
    by_output = {line["output"]: line for line in lines}
    assert by_output["obj/store.o"]["sources"] == ["src/store.c"] and not by_output["obj/store.o"]["links"]
    assert by_output["writer"]["inputs"] == ["obj/writer.o", "-Lobj", "-lstore"] and by_output["writer"]["links"]
    assert by_output["reader"]["sources"] == ["src/reader.c"] and by_output["reader"]["inputs"] == ["obj/libstore.a"]
    assert "-DSIZE=16" in by_output["obj/store.o"]["arguments"]


def test_whole_programs_are_predicted_from_it(built, cache, tmp_path):
    (tmp_path / "predicted").mkdir()
    (tmp_path / "measured").mkdir()
    for program, arguments in (("writer", ["1234"]), ("reader", [])):
        told, predicted = predict(tmp_path / "predicted", cache, [], arguments, "-p", built, "--program", program)
        measured, done = observe(tmp_path / "measured", [built / program, *arguments])
        assert done.returncode == 0 and told["predictions"][0]["program"] == str(built / program)
        names = [{name.replace(str(tmp_path / which), "."): values for name, values in files.items()}
                 for which, files in (("predicted", predicted), ("measured", measured))]
        assert names[0] == names[1]
        if program == "writer":
            shutil.copy(tmp_path / "measured" / "data", tmp_path / "predicted" / "data")
            assert names[0]["./data"]["STDIO_BYTES_WRITTEN"] == 1234 * 16


@pytest.mark.parametrize("options, said", [
    ([], "several programs (reader, writer); --program NAME picks one"), (["--program", "editor"], "no program is called editor (reader, writer)")])
def test_a_program_must_be_picked(built, cache, options, said):
    done = subprocess.run([TRIKAL, "predict", "-p", built, *options], capture_output=True, text=True, env={**os.environ, "TRIKAL_CACHE": str(cache)})
    assert done.returncode == 4 and said in done.stderr and done.stdout == "" and len(done.stderr.splitlines()) == 1


def test_the_only_program_need_not_be_named(tmp_path, cache):
    (tmp_path / "one.c").write_text('#include <stdio.h>\nint main(void) { FILE* f = fopen("out", "w"); fputs("abc", f); return fclose(f); }\n')
    assert wrapped(tmp_path, "one.c").returncode == 0 and (tmp_path / "a.out").exists()
    told, _ = predict(tmp_path, cache, [], [], "-p", ".")
    assert told["predictions"][0]["program"].endswith("/a.out")
    assert [row["bytes"] for row in told["predictions"][0]["accesses"] if row["operation"] == "stream write"] == [3]


def test_the_compiler_is_what_it_was(tmp_path):
    """Output, errors and exit status; the objects are the same, byte by byte."""
    (tmp_path / "good.c").write_text("int f(void) { return 1; }\n")
    (tmp_path / "bad.c").write_text("int f(void) { return missing; }\n")
    for words in (["-c", "good.c", "-o", "x.o"], ["-c", "bad.c"], ["-E", "-P", "good.c"], ["--version"], ["-c", "absent.c"], [], ["-print-search-dirs"]):
        plain = subprocess.run(["cc", *words], cwd=tmp_path, capture_output=True, text=True)
        data = (tmp_path / "x.o").read_bytes() if (tmp_path / "x.o").exists() else b""
        done = wrapped(tmp_path, *words)
        assert (done.returncode, done.stdout, done.stderr) == (plain.returncode, plain.stdout, plain.stderr), words
        assert not data or (tmp_path / "x.o").read_bytes() == data
    lines = (tmp_path / ".trikal" / "commands.jsonl").read_text().splitlines()
    assert len(lines) == 1 and json.loads(lines[0])["output"] == "x.o"  # what failed or made nothing is not there


def test_standard_input_reaches_the_compiler(tmp_path):
    done = subprocess.run([TRIKAL, "cc", "-E", "-P", "-"], input="#define A 7\nint a = A;\n", cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.strip() == "int a = 7;"


def test_where_it_is_written(tmp_path):
    (tmp_path / "good.c").write_text("int f(void) { return 1; }\n")
    wrapped(tmp_path, "--record", "here", "-c", "good.c", TRIKAL_RECORD=tmp_path / "there")
    wrapped(tmp_path, "-c", "good.c", TRIKAL_RECORD=tmp_path / "there")
    assert (tmp_path / "here" / "commands.jsonl").exists() and (tmp_path / "there" / "commands.jsonl").exists()
    assert not (tmp_path / ".trikal").exists()


def test_which_compiler_is_run(tmp_path):
    script = tmp_path / "mycc"
    script.write_text('#!/bin/sh\necho "mine: $*"\nexit 7\n')
    script.chmod(0o755)
    for verb, variable in (("cc", "TRIKAL_CC"), ("c++", "TRIKAL_CXX"), ("fc", "TRIKAL_FC")):
        done = wrapped(tmp_path, "-O2", "a b.c", verb=verb, **{variable: f"{script} first"})
        assert (done.returncode, done.stdout, done.stderr) == (7, "mine: first -O2 a b.c\n", "")
        done = wrapped(tmp_path, "x.c", verb=verb, **{variable: "/nowhere/compiler"})
        assert done.returncode == 127 and "/nowhere/compiler" in done.stderr and len(done.stderr.splitlines()) == 1


def test_a_signal_ends_it_as_it_ended_the_compiler(tmp_path):
    script = tmp_path / "killed"
    script.write_text("#!/bin/sh\nkill -TERM $$\n")
    script.chmod(0o755)
    assert wrapped(tmp_path, "-c", "a.c", TRIKAL_CC=script).returncode == -15


def test_a_record_that_cannot_be_written_costs_a_line(tmp_path):
    (tmp_path / "good.c").write_text("int f(void) { return 1; }\n")
    (tmp_path / "file").write_text("")
    done = wrapped(tmp_path, "-c", "good.c", TRIKAL_RECORD=tmp_path / "file" / "below")
    assert done.returncode == 0 and (tmp_path / "good.o").exists() and "commands.jsonl" in done.stderr and len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("text, said", [
    ("", "no program was linked"), ("{half a li", "no program was linked"), ("[1, 2]\n7\nnull\n", "no program was linked"),
    ('{"links": true, "output": "x", "directory": "/w", "inputs": ["gone.o", "gone.a", "-lz"]}\n', "no source of x was recorded"),
    ('{"links": true, "output": "x", "directory": "/w", "inputs": ["x"]}\n', "no source of x was recorded")])
def test_a_record_that_says_little(tmp_path, cache, text, said):
    (tmp_path / "commands.jsonl").write_text(text)
    done = subprocess.run([TRIKAL, "predict", "-p", tmp_path], capture_output=True, text=True, env={**os.environ, "TRIKAL_CACHE": str(cache)})
    assert done.returncode == 4 and said in done.stderr and len(done.stderr.splitlines()) == 1


def test_a_program_without_a_record(tmp_path, cache):
    (tmp_path / "compile_commands.json").write_text("[]")
    done = subprocess.run([TRIKAL, "predict", "-p", tmp_path, "--program", "x"], capture_output=True, text=True)
    assert done.returncode == 4 and "neither a target nor a source is called x" in done.stderr and len(done.stderr.splitlines()) == 1
    done = subprocess.run([TRIKAL, "predict", "--program", "x", "a.c"], capture_output=True, text=True)
    assert done.returncode == 2 and "--program needs -p" in done.stderr


def test_a_rebuilt_object_counts_as_it_was_built_last(tmp_path, cache):
    (tmp_path / "one.c").write_text('#include <stdio.h>\nint main(void) { FILE* f = fopen("out", "w"); for (int i = 0; i < N; ++i) fputs("abc", f); return fclose(f); }\n')
    for count in (5, 9):
        assert wrapped(tmp_path, f"-DN={count}", "-c", "one.c").returncode == 0
        assert wrapped(tmp_path, "one.o", "-o", "one").returncode == 0
        told, _ = predict(tmp_path, cache, [], [], "-p", ".")
        assert [row["count"] for row in told["predictions"][0]["accesses"] if row["operation"] == "stream write"] == [count]


def test_a_library_that_programs_load(tmp_path, cache):
    project(tmp_path)
    commands = ("-fPIC -Iinclude -DSIZE=8 -shared src/store.c -o libstore.so", "-Iinclude src/writer.c -L. -lstore -o writer")
    for words in commands:
        assert wrapped(tmp_path, *words.split()).returncode == 0
    told, _ = predict(tmp_path, cache, [], ["10"], "-p", ".")
    assert [row["bytes"] for row in told["predictions"][0]["accesses"] if row["operation"] == "stream write"] == [80]


def test_cpp(tmp_path, cache):
    (tmp_path / "a.cpp").write_text('#include <cstdio>\nint main() { FILE* f = std::fopen("out", "w"); std::fputs("abc", f); return std::fclose(f); }\n')
    assert wrapped(tmp_path, "-std=c++20", "a.cpp", "-o", "a", verb="c++").returncode == 0
    told, _ = predict(tmp_path, cache, [], [], "-p", ".")
    assert told["predictions"][0]["program"].endswith("/a")


def test_of_an_archive_only_what_is_needed(tmp_path, cache):
    """As a linker does it: a member that nobody calls may define names a second time, and one may call another."""
    (tmp_path / "main.c").write_text('#include <stdio.h>\nvoid save(FILE*);\nint size(void) { return 3; }\n'
                                     'int main(void) { FILE* f = fopen("out", "w"); save(f); return fclose(f); }\n')
    (tmp_path / "other.c").write_text("int size(void) { return 9; }\nint spare(void) { return 1; }\nint main(void) { return 0; }\n")
    (tmp_path / "deep.c").write_text("int size(void);\nint deep(void) { return 10 + size(); }\n")
    (tmp_path / "save.c").write_text('#include <stdio.h>\nint deep(void);\nvoid save(FILE* f) { for (int i = 0; i < deep(); ++i) fputc(0, f); }\n')
    for name in ("main", "other", "deep", "save"):
        assert wrapped(tmp_path, "-c", f"{name}.c").returncode == 0
    subprocess.run(["ar", "rcs", "liball.a", "other.o", "deep.o", "save.o"], cwd=tmp_path, check=True)
    assert wrapped(tmp_path, "main.o", "liball.a", "-o", "program").returncode == 0
    told, _ = predict(tmp_path, cache, [], [], "-p", ".")
    assert [row["count"] for row in told["predictions"][0]["accesses"] if row["operation"] == "stream write"] == [13]
    assert told["predictions"][0]["notes"] == []


def test_a_program_gets_its_name_and_all_its_words(tmp_path, cache):
    (tmp_path / "words.c").write_text('#include <stdio.h>\nint main(int c, char** v) { FILE* f = fopen("out", "w"); for (int i = 0; i < c; ++i) fputs(v[i], f); return fclose(f); }\n')
    assert wrapped(tmp_path, "words.c", "-o", "words").returncode == 0
    told, files = predict(tmp_path, cache, [], ["a", "--", "bc", "--"], "-p", ".")
    written, = [values["STDIO_BYTES_WRITTEN"] for name, values in files.items() if name.endswith("/out")]
    assert written == len(str(tmp_path / "words")) + 7


def test_two_definitions_are_named(tmp_path, cache):
    for name in "ab":
        (tmp_path / f"{name}.c").write_text("int main(void) { return 0; }\n")
    done = subprocess.run([TRIKAL, "predict", "a.c", "b.c"], cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "TRIKAL_CACHE": str(cache)})
    assert done.returncode == 4 and "b.c: defines main, which another source defines, too" in done.stderr and len(done.stderr.splitlines()) == 1
