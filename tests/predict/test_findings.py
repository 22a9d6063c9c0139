"""Findings before the run: each fires on a program that does it, and not on one that does the same work well."""

import pytest

from conftest import predict

HEAD = """#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static char block[1 << 20];
int main(void) {
"""
CPP = """#include <fstream>
#include <iostream>
int main() {
"""
# finding: (language, the line it is at, the program that has it, the program that has not)
CASES = {
    "sync-in-loop": ("c", "fsync", """
  int f = open("out", O_CREAT | O_WRONLY, 0600);
  for (int i = 0; i < 50; ++i) { write(f, block, 8192);
    fsync(f); }
""", """
  int f = open("out", O_CREAT | O_WRONLY, 0600);
  for (int i = 0; i < 50; ++i) write(f, block, 8192);
  fsync(f);
"""),
    "synchronous-writes": ("c", "write(f", """
  int f = open("out", O_CREAT | O_WRONLY | O_SYNC, 0600);
  for (int i = 0; i < 50; ++i) write(f, block, 8192);
""", """
  int f = open("out", O_CREAT | O_WRONLY, 0600);
  for (int i = 0; i < 50; ++i) write(f, block, 8192);
  fdatasync(f);
"""),
    "synchronous-writes ": ("c", "write(f", """
  int f = open("out", O_CREAT | O_RDWR | O_DSYNC, 0600);
  for (int i = 0; i < 50; ++i) write(f, block, 8192);
""", """
  int f = open("out", O_CREAT | O_RDWR | O_DSYNC, 0600);
  for (int i = 0; i < 50; ++i) read(f, block, 8192);
"""),
    "flush-in-loop": ("c", "fflush", """
  FILE* f = fopen("out", "w");
  for (int i = 0; i < 50; ++i) { fputs("line\\n", f);
    fflush(f); }
  fclose(f);
""", """
  FILE* f = fopen("out", "w");
  for (int i = 0; i < 50; ++i) fputs("line\\n", f);
  fflush(f);
  fclose(f);
"""),
    "endl-in-loop": ("cpp", "endl", """
  std::ofstream f("out");
  for (int i = 0; i < 500; ++i) f << "value" << std::endl;
""", """
  std::ofstream f("out");
  for (int i = 0; i < 500; ++i) f << "value" << '\\n';
  f << std::endl;
"""),
    "endl-in-loop ": ("cpp", "endl", """
  for (int i = 0; i < 500; ++i) std::cout << i << std::endl;
""", """
  for (int i = 0; i < 500; ++i) std::cerr << i << std::endl;
"""),
    "open-in-loop": ("c", "fopen", """
  for (int i = 0; i < 50; ++i) {
    FILE* f = fopen("out", "a");
    fputs("line\\n", f);
    fclose(f);
  }
""", """
  FILE* f = fopen("out", "a");
  for (int i = 0; i < 50; ++i) fputs("line\\n", f);
  fclose(f);
"""),
    "tiny-writes-in-loop": ("c", "write(f", """
  int f = open("out", O_CREAT | O_WRONLY, 0600);
  for (int i = 0; i < 100000; ++i) write(f, block, 16);
""", """
  int f = open("out", O_CREAT | O_WRONLY, 0600);
  for (int i = 0; i < 2; ++i) write(f, block, 800000);
"""),
    "tiny-reads-in-loop": ("c", "read(f", """
  int f = open("out", O_CREAT | O_RDWR | O_TRUNC, 0600);
  ftruncate(f, 1 << 20);
  for (int i = 0; i < 10000; ++i) read(f, block, 16);
""", """
  int f = open("out", O_CREAT | O_RDWR | O_TRUNC, 0600);
  ftruncate(f, 1 << 20);
  read(f, block, 160000);
"""),
    "unbuffered-stream": ("c", "fwrite", """
  FILE* f = fopen("out", "w");
  setvbuf(f, NULL, _IONBF, 0);
  for (int i = 0; i < 5000; ++i) fwrite(block, 16, 1, f);
  fclose(f);
""", """
  FILE* f = fopen("out", "w");
  setvbuf(f, NULL, _IOFBF, 65536);
  for (int i = 0; i < 5000; ++i) fwrite(block, 16, 1, f);
  fclose(f);
"""),
    "unbuffered-stream ": ("c", "fputs", """
  for (int i = 0; i < 5000; ++i) fputs("progress\\n", stderr);
""", """
  for (int i = 0; i < 5000; ++i) fputs("progress\\n", stdout);
"""),
    "unbuffered-stream  ": ("c", "fwrite", """
  FILE* f = fopen("out", "w");
  setbuf(f, NULL);
  for (int i = 0; i < 5000; ++i) fwrite(block, 16, 1, f);
  fclose(f);
""", """
  FILE* f = fopen("out", "w");
  setbuf(f, block);
  for (int i = 0; i < 5000; ++i) fwrite(block, 16, 1, f);
  fclose(f);
"""),
    "random-access": ("c", "pread", """
  int f = open("out", O_CREAT | O_RDWR | O_TRUNC, 0600);
  ftruncate(f, 1L << 30);
  for (long i = 20000; i > 0; --i) pread(f, block, 4096, i * 8192);
""", """
  int f = open("out", O_CREAT | O_RDWR | O_TRUNC, 0600);
  ftruncate(f, 1L << 30);
  for (long i = 0; i < 20000; ++i) pread(f, block, 4096, i * 8192);
"""),
    "numbers-as-text": ("c", "fprintf", """
  FILE* f = fopen("out", "w");
  for (int i = 0; i < 200000; ++i) fprintf(f, "%d\\n", 1000000 + i);
  fclose(f);
""", """
  FILE* f = fopen("out", "w");
  for (int i = 0; i < 200000; ++i) fwrite(&i, 8, 1, f);
  fclose(f);
"""),
    "numbers-as-text ": ("cpp", "<<", """
  std::ofstream f("out");
  for (int i = 0; i < 300000; ++i) f << 1000000 + i << '\\n';
""", """
  std::ofstream f("out", std::ios::binary);
  for (int i = 0; i < 300000; ++i) f.write(reinterpret_cast<const char*>(&i), sizeof i);
"""),
    "numbers-as-text  ": ("c", "fprintf", """
  FILE* f = fopen("out", "w");
  for (int i = 0; i < 200000; ++i) fprintf(f, "%d is a number\\n", i);
  fclose(f);
""", """
  FILE* f = fopen("out", "w");
  for (int i = 0; i < 200000; ++i) fprintf(f, "%s %%d %c\\n", "these are words", 'x');
  fclose(f);
"""),
}


@pytest.mark.parametrize("name", CASES)
def test_a_rule_fires_where_it_must_and_nowhere_else(tmp_path, cache, name):
    language, marker, bad, good = CASES[name]
    head = HEAD if language == "c" else CPP
    code = name.strip()
    for text, fires in ((bad, True), (good, False)):
        source = tmp_path / f"{'bad' if fires else 'good'}.{language}"
        source.write_text(head + text.lstrip("\n") + "  return 0;\n}\n")
        told, _ = predict(tmp_path, cache, [source], [])
        found = {one["code"]: one for one in told["predictions"][0]["findings"]}
        assert (code in found) == fires, (source.read_text(), found)
        if fires:
            one, lines = found[code], source.read_text().splitlines()
            assert marker in lines[one["line"] - 1], lines[one["line"] - 1]
            assert one["seconds"] > 0 and one["fix"].endswith(".") and one["why"] and one["function"] == "main"
            block = told["predictions"][0]["blocks"][one["block"]]
            assert block["kind"] == "loop" and block["line"] <= one["line"]


def test_the_text_names_them(tmp_path, cache):
    import os
    import subprocess

    from conftest import TRIKAL
    source = tmp_path / "bad.c"
    source.write_text(HEAD + CASES["sync-in-loop"][2] + "  return 0;\n}\n")
    done = subprocess.run([TRIKAL, "predict", source], capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "TRIKAL_CACHE": str(cache)})
    assert "sync-in-loop" in done.stdout and "Make it durable once" in done.stdout


def test_several_files_at_one_line_are_one_finding(tmp_path, cache):
    source = tmp_path / "many.c"
    source.write_text(HEAD + """
  for (int k = 0; k < 3; ++k) {
    char name[20];
    sprintf(name, "out%d", k);
    for (int i = 0; i < 50; ++i) {
      FILE* f = fopen(name, "a");
      fclose(f);
    }
  }
  return 0;
}
""")
    told, _ = predict(tmp_path, cache, [source], [])
    found = [one for one in told["predictions"][0]["findings"] if one["code"] == "open-in-loop"]
    assert len(found) == 1 and found[0]["files"] == 3 and found[0]["times"] == 150
