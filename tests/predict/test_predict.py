"""What trikal predict says of programs that give it little to go by, and of those that are no programs."""

import json
import os
import subprocess

import pytest

from conftest import HERE, ROOT, TRIKAL, compile_c, observe, predict, side_by_side, totals


def run(folder, cache, *words):
    return subprocess.run([TRIKAL, "predict", *map(str, words)], capture_output=True, text=True, cwd=folder, timeout=120,
                          env={**os.environ, "TRIKAL_CACHE": str(cache)})


def source(folder, text, name="program.c"):
    (folder / name).write_text(text)
    return folder / name


def rows(told, operation):
    return [row for row in told["predictions"][0]["accesses"] if row["operation"] == operation]


@pytest.mark.parametrize("text, said", [
    ("int main(void) { return missing; }\n", "program.c:1:"), ("int helper(void) { return 1; }\n", "no main"), ("}{", "error")])
def test_no_program(tmp_path, cache, text, said):
    done = run(tmp_path, cache, source(tmp_path, text))
    assert done.returncode == 4 and said in done.stderr and len(done.stderr.splitlines()) == 1 and done.stdout == ""


@pytest.mark.parametrize("words, said", [
    (["absent.c"], "absent.c: cannot be read"), (["notes.txt"], "not a source"), ([], "a source file is required"),
    (["-p", "nowhere"], "cannot be read"), (["--assume", "x", "absent.c"], "NAME=NUMBER"), (["--assume", "x=y", "absent.c"], "not a number")])
def test_bad_command_lines(tmp_path, cache, words, said):
    done = run(tmp_path, cache, *words)
    assert done.returncode in (2, 4) and said in done.stderr and len(done.stderr.splitlines()) == 1


def test_what_the_library_throws_is_not_passed_over(tmp_path, cache):
    program = compile_c(HERE / "programs" / "thrown.cpp", tmp_path / "thrown", "g++")
    told, predicted, measured, _ = side_by_side(tmp_path, cache, [program], [HERE / "programs" / "thrown.cpp"], [])
    assert told["predictions"][0]["complete"] and predicted == measured and set(measured) == {"./first", "./never", "./second"}


def test_a_function_that_is_not_known_and_does_not_return_is_not_passed_over(tmp_path, cache):
    """Somebody may catch what it throws."""
    done = run(tmp_path, cache, "--json", source(tmp_path, """#include <cstdio>
[[noreturn]] void gives_up();
int main(int argc, char**) {
  if (argc > 0) gives_up();
  std::fopen("never", "w");
}
""", "gives_up.cpp"))
    told = json.loads(done.stdout)["predictions"][0]
    assert not told["complete"] and any("gives_up" in note and "not predicted" in note for note in told["notes"])


def test_a_loop_without_an_end_is_named(tmp_path, cache):
    told, _ = predict(tmp_path, cache, [source(tmp_path, """#include <unistd.h>
int main(void) {
  for (;;) write(1, "x", 1);
}
""")], [])
    assert not told["predictions"][0]["complete"] and "never ends (line 3)" in told["predictions"][0]["notes"][0]


@pytest.mark.parametrize("effort, certainties", [(20, {"exact"}), (1, {"assumed"})])
def test_a_loop_that_takes_too_long_is_not_believed(tmp_path, cache, effort, certainties):
    """Which edges are drawn depends on all draws before: beyond its effort the machine can only guess, and says so."""
    vertices = 2000
    (tmp_path / "graph.bin").write_bytes(b"".join((i * 7919 % vertices).to_bytes(4, "little") for i in range(8 * vertices)))
    told, _ = predict(tmp_path, cache, [ROOT / "bench" / "irregular" / "mincut.c"], [vertices], f"--effort={effort}")
    assert {row["certainty"] for row in rows(told, "read") + rows(told, "write")} <= certainties
    assert any("no pattern" in note for note in told["predictions"][0]["notes"]) == (certainties == {"assumed"})


def test_a_file_that_a_guessed_loop_wrote_is_as_long_as_guessed(tmp_path, cache):
    told, _ = predict(tmp_path, cache, [ROOT / "examples" / "training" / "kmeans.cpp"], ["500000", "2", "1"], "--effort", "3")
    for operation in ("write", "read"):
        moved = [row for row in rows(told, operation) if row["file"].endswith("points.bin")]
        assert abs(sum(row["bytes"] for row in moved) - 500000 * 64) < 0.02 * 500000 * 64
        assert {row["certainty"] for row in moved} == {"assumed"}


def test_recursion_comes_back(tmp_path, cache):
    told, _ = predict(tmp_path, cache, [source(tmp_path, """#include <stdio.h>
static void down(FILE* f, int n) { if (n > 0) { fputs("x", f); down(f, n - 1); } }
int main(void) { FILE* f = fopen("out", "w"); down(f, 100); fclose(f); return 0; }
""")], [])
    assert rows(told, "stream write")[0]["count"] == 100


def test_what_is_not_known_has_a_cause_and_can_be_told(tmp_path, cache):
    program = source(tmp_path, """#include <stdio.h>
int sensor(void);
int main(void) {
  FILE* f = fopen("out", "w");
  if (sensor() > 3) fputs("high", f);
  fclose(f);
  return 0;
}
""")
    told, _ = predict(tmp_path, cache, [program], [])
    assert rows(told, "stream write")[0]["certainty"] == "assumed" and rows(told, "stream write")[0]["count"] == 0.5
    unknown = told["predictions"][0]["unknowns"][0]
    assert unknown["what"] == "the result of sensor" and unknown["line"] == 5
    for value, count in ((7, 1), (1, 0)):
        told, _ = predict(tmp_path, cache, [program], [], "--assume", f"sensor={value}")
        assert sum(row["count"] for row in rows(told, "stream write")) == count
        assert all(row["certainty"] == "exact" for row in rows(told, "stream write"))


def test_cost_does_not_follow_the_number_of_iterations(tmp_path, cache):
    steps = []
    for iterations in ("10000", "1000000", "1000000000"):
        told, _ = predict(tmp_path, cache, [source(tmp_path, """#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char** argv) {
  int f = open("out", O_CREAT | O_WRONLY, 0600);
  for (long i = 0; i < atol(argv[1]); ++i) {
    write(f, argv, 8);
    if (i % 100 == 99) fsync(f);
  }
  return close(f);
}
""")], [iterations])
        assert rows(told, "write")[0]["count"] == int(iterations) and rows(told, "fsync")[0]["count"] == int(iterations) // 100
        steps.append(told["predictions"][0]["steps"])
    assert max(steps) < 1.1 * min(steps)


def test_cost_does_not_follow_the_number_of_iterations_while_a_sum_wraps_round(tmp_path, cache):
    steps = []
    for lines in ("10000", "1000000000"):
        told, _ = predict(tmp_path, cache, [HERE / "programs" / "wrapping.c"], [lines])
        assert rows(told, "stream write")[0]["count"] == int(lines)
        steps.append(told["predictions"][0]["steps"])
    assert max(steps) < 1.1 * min(steps)


def test_functions_of_libc_called_through_pointers(tmp_path, cache):
    told, _ = predict(tmp_path, cache, [source(tmp_path, """#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static struct { ssize_t (*put)(int, const void*, size_t); size_t (*block)(const void*, size_t, size_t, FILE*); } calls = {write, fwrite};
int main(int argc, char** argv) {
  int f = open("out", O_CREAT | O_WRONLY, 0600);
  FILE* s = fopen("stream", "w");
  for (int i = 0; i < 50; ++i) calls.put(f, "abc", 3), calls.block("abcd", 2, 2, s);
  fclose(s);
  return close(f);
}
""")], [])
    assert [(row["count"], row["bytes"]) for row in rows(told, "write")] == [(50, 150)]
    assert [(row["count"], row["bytes"]) for row in rows(told, "stream write")] == [(50, 200)]


def test_several_files_and_a_database(tmp_path, cache):
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "put.h").write_text("void put(int file, int count);\n")
    source(tmp_path, '#include <unistd.h>\n#include "put.h"\nvoid put(int file, int count) { for (int i = 0; i < count; ++i) write(file, "ab", 2); }\n', "put.c")
    source(tmp_path, '#include <fcntl.h>\n#include "put.h"\nint main(void) { put(open("out", O_CREAT | O_WRONLY, 0600), COUNT); return 0; }\n', "main.c")
    (tmp_path / "compile_commands.json").write_text("""[
{"directory": "%s", "file": "put.c", "command": "gcc -O3 -Iinclude -c put.c -o put.o"},
{"directory": "%s", "file": "main.c", "arguments": ["gcc", "-Iinclude", "-DCOUNT=77", "-c", "main.c"]}]""" % (tmp_path, tmp_path))
    told, _ = predict(tmp_path, cache, [], [], "-p", ".")
    assert [(row["count"], row["bytes"], row["function"], row["line"]) for row in rows(told, "write")] == [(77, 154, "put", 3)]


def test_cached_bitcode_knows_its_headers(tmp_path, cache):
    (tmp_path / "count.h").write_text("#define COUNT 3\n")
    program = source(tmp_path, '#include <unistd.h>\n#include "count.h"\nint main(void) { for (int i = 0; i < COUNT; ++i) write(1, "a", 1); return 0; }\n')
    assert rows(predict(tmp_path, cache, [program], [])[0], "write")[0]["count"] == 3
    (tmp_path / "count.h").write_text("#define COUNT 5\n")
    assert rows(predict(tmp_path, cache, [program], [])[0], "write")[0]["count"] == 5


def test_the_log_is_read_by_every_tool(tmp_path, cache):
    program = compile_c(ROOT / "examples" / "antipatterns.c", tmp_path / "antipatterns")
    predict(tmp_path, cache, [ROOT / "examples" / "antipatterns.c"], ["small-writes", "bad", "."])
    log = tmp_path / "predicted.darshan"
    found = subprocess.run([TRIKAL, "insights", "--json", log], capture_output=True, text=True, check=True).stdout
    assert '"small-writes"' in found
    told = subprocess.run([TRIKAL, "info", log], capture_output=True, text=True, check=True).stdout
    assert "trikal_predicted = 1" in told
    subprocess.run([TRIKAL, "report", log, "-o", tmp_path / "page.html"], check=True, capture_output=True)
    sites = subprocess.run([TRIKAL, "export", "--format", "json", log], capture_output=True, text=True, check=True).stdout
    assert "predicted_sites" in sites
    measured = tmp_path / "measured.darshan"
    subprocess.run([TRIKAL, "run", "--quiet", "--log", measured, "--", program, "small-writes", "bad", "."], cwd=tmp_path, check=True)
    assert subprocess.run([TRIKAL, "diff", log, measured], capture_output=True).returncode in (0, 1)


def test_the_graph_holds_what_the_tree_holds(tmp_path, cache):
    """The example of the published paper: a loop with a branch each way, and functions with loops and branches."""
    done = run(tmp_path, cache, "--graph", "dot", HERE / "programs" / "figure3.c", "--", "1000", "10", "save")
    assert done.returncode == 0 and done.stdout.startswith("digraph blocks {") and done.stdout.rstrip().endswith("}")
    nodes = [line for line in done.stdout.splitlines() if "fillcolor=" in line]
    assert sum("function" in line or "()" in line for line in nodes) == 3
    told, _ = predict(tmp_path, cache, [HERE / "programs" / "figure3.c"], ["1000", "10", "save"])
    blocks = [block for block in told["predictions"][0]["blocks"] if block["io"]]
    assert len(nodes) == len(blocks)
    checkpoint = next(block for block in blocks if block["name"] == "checkpoint")
    loop = next(block for block in blocks if block["kind"] == "loop" and block["parent"] == checkpoint["block"])
    written = {block["block"]: sum(use["bytes"] for use in block["io"] if use["operation"] == "stream write") for block in blocks}
    assert written[checkpoint["block"]] == written[loop["block"]] == 10 * 800  # the loop's leaves add up to it
    assert written[0] == 5 * 8000 + 8000 + 8000


@pytest.mark.parametrize("antipattern, code", [("sync-per-write", "sync-in-loop"), ("reopen", "open-in-loop"),
                                       ("small-writes", "tiny-writes-in-loop"), ("small-reads", "tiny-reads-in-loop")])
def test_antipatterns_are_named_before_they_run(tmp_path, cache, antipattern, code):
    program = ROOT / "examples" / "antipatterns.c"
    text = program.read_text().splitlines()
    for how in ("bad", "good"):
        (tmp_path / how).mkdir()
        told, _ = predict(tmp_path / how, cache, [program], [antipattern, how, "."])
        found = {one["code"]: one for one in told["predictions"][0]["findings"]}
        assert (code in found) == (how == "bad"), found
    told, _ = predict(tmp_path / "bad", cache, [program], [antipattern, "bad", "."])
    one = next(one for one in told["predictions"][0]["findings"] if one["code"] == code)
    assert one["seconds"] > 0 and "(" in text[one["line"] - 1]


@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_ranks(tmp_path, cache, mpi, ranks):
    shown = ["mpicc.openmpi", "--showme:compile"] if mpi == "openmpi" else ["mpicc.mpich", "-compile-info"]
    words = subprocess.run(shown, capture_output=True, text=True, check=True).stdout.split()
    flags = [f"--flag={word}" for word in words if word.startswith("-I")]
    program = HERE / "programs" / "mpi_shares.c"
    for folder in ("predicted", "measured"):
        (tmp_path / folder).mkdir()
    told, _ = predict(tmp_path / "predicted", cache, [program], ["20"], "--np", str(ranks), *flags)
    subprocess.run([f"mpicc.{mpi}", "-g", "-w", "-o", tmp_path / "shares", program], check=True)
    launch = ["--allow-run-as-root", "--oversubscribe"] if mpi == "openmpi" else []
    measured, done = observe(tmp_path / "measured", [f"mpirun.{mpi}", *launch, "-np", str(ranks), tmp_path / "shares", "20"])
    assert done.returncode == 0, done.stderr
    by_rank = {one["rank"]: one for one in told["predictions"]}
    assert sorted(by_rank) == list(range(ranks))
    counted = {}
    for one in told["predictions"]:
        for row in one["accesses"]:
            if row["operation"].startswith("MPI"):
                counted.setdefault(row["operation"], [0, 0])
                counted[row["operation"]][0] += row["count"]
                counted[row["operation"]][1] += row["bytes"]
    seen = totals(measured)
    assert counted["MPI write"][0] == seen["MPIIO_INDEP_WRITES"]
    assert counted["MPI collective write"][0] == seen["MPIIO_COLL_WRITES"]
    assert counted["MPI read"][0] == seen["MPIIO_INDEP_READS"]
    assert counted["MPI write"][1] + counted["MPI collective write"][1] == seen["MPIIO_BYTES_WRITTEN"]
    assert counted["MPI read"][1] == seen["MPIIO_BYTES_READ"]
