"""Predicted against measured: counts and bytes of every operation. The measuring side shares no code with predicting."""

import re
import subprocess

import pytest

import sites
from conftest import HERE, ROOT, compile_c, measured_sites, predict, predicted_sites, side_by_side, totals

ANTIPATTERNS = ROOT / "examples" / "antipatterns.c"
NAMES = re.findall(r'\{"([a-z-]+)", ', ANTIPATTERNS.read_text())


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("programs")
    return {source.stem: compile_c(source, folder / source.stem) for source in [ANTIPATTERNS, *(HERE / "programs").glob("*.c")]
            if not source.stem.startswith("mpi")}


def same(tmp_path, cache, program, source, arguments, prepare=None, by_line=True):
    told, predicted, measured, _ = side_by_side(tmp_path, cache, [program], [source], arguments, prepare=prepare)
    families = any(row["files_like_it"] > 0 for row in told["predictions"][0]["accesses"])
    lines = sites.compare(predicted_sites(told), measured_sites(tmp_path / "measured-measured.darshan"), families)
    assert not by_line or set(lines.values()) <= {"equal", "library"}, lines
    return (totals(predicted), totals(measured)) if families else (predicted, measured)


@pytest.mark.parametrize("how", ["bad", "good"])
@pytest.mark.parametrize("antipattern", NAMES)
def test_antipatterns(built, cache, tmp_path, antipattern, how):
    predicted, measured = same(tmp_path, cache, built["antipatterns"], ANTIPATTERNS, [antipattern, how, "."])
    assert predicted == measured


@pytest.mark.parametrize("arguments", [
    "-w -r -t 1m -b 16m", "-w -t 64k -b 1m -s 4", "-a streaming -w -r -t 4k -b 64k -s 3", "-w -r -t 1k -b 1m -f 100",
    "-w -t 47 -b 4700 -s 7 -f 3", "-r", "-w -b 8k -t 8k -s 1000 -o other"])
def test_segments(built, cache, tmp_path, arguments):
    predicted, measured = same(tmp_path, cache, built["segments"], HERE / "programs" / "segments.c", arguments.split())
    assert predicted == measured


@pytest.mark.parametrize("settings", ["rows = 50\ncolumns = 70\nsteps = 20\nevery = 3\nprefix = out\n",
                                      "# few\nsteps = 4\nevery = 1\n", "steps = 1200\nevery = 500\nrows = 20\ncolumns = 20\n"])
def test_stencil(built, cache, tmp_path, settings):
    predicted, measured = same(tmp_path, cache, built["stencil"], HERE / "programs" / "stencil.c", ["settings.txt"],
                               lambda folder: (folder / "settings.txt").write_text(settings))
    assert predicted == measured


@pytest.mark.parametrize("lines", [10, 1000, 300_000])
def test_a_sum_that_wraps_round(built, cache, tmp_path, lines):
    """Nothing in the loop looks at it, so no iteration of the loop has to be run for it; behind the loop it is known."""
    predicted, measured = same(tmp_path, cache, built["wrapping"], HERE / "programs" / "wrapping.c", [str(lines)])
    assert predicted == measured


@pytest.mark.parametrize("how", ["memchr", "strchr", "words", "spans"])
@pytest.mark.parametrize("lines", [3, 2000])
def test_lines(built, cache, tmp_path, how, lines):
    """Many lines of one length, then one of another: what was found so far says nothing of what comes."""
    text = "".join(f"line {i} of {i * i % 97 if i % 50 == 7 else 10} words, {77 if i % 400 == 3 else 50}\n" for i in range(lines))
    predicted, measured = same(tmp_path, cache, built["lines"], HERE / "programs" / "lines.c", [how],
                               lambda folder: (folder / "in.txt").write_text(text))
    assert predicted == measured


@pytest.mark.parametrize("count", [0, 5, 100_000])
def test_barriers(built, cache, tmp_path, count):
    predicted, measured = same(tmp_path, cache, built["barriers"], HERE / "programs" / "barriers.c", [str(count)])
    assert predicted == measured


@pytest.mark.parametrize("iterations", [0, 1, 7, 300])
def test_vectors(built, cache, tmp_path, iterations):
    predicted, measured = same(tmp_path, cache, built["vectors"], HERE / "programs" / "vectors.c", [str(iterations)])
    assert predicted == measured


@pytest.mark.parametrize("times", [1, 5, 1000])
def test_copies_of_descriptors(built, cache, tmp_path, times):
    """dup, dup2, dup3 and fcntl: each counts as an open and as a duplicate, and positions are shared."""
    predicted, measured = same(tmp_path, cache, built["copies"], HERE / "programs" / "copies.c", [str(times)])
    assert predicted == measured
    assert predicted["./often.dat"]["POSIX_DUPS"] == times and predicted["./often.dat"]["POSIX_OPENS"] == times + 1


@pytest.mark.parametrize("arguments", ["50 1", "300 7", "1000 42", "1 0", "200 5 text"])
def test_chance(built, cache, tmp_path, arguments):
    predicted, measured = same(tmp_path, cache, built["chance"], HERE / "programs" / "chance.c", arguments.split(),
                               lambda folder: (folder / "text").write_text("some words, 3 numbers;\nand an end"),
                               by_line="text" not in arguments)  # bytes given back by ungetc are taken from the record, not from a line
    assert predicted == measured


@pytest.mark.parametrize("text", ["one line\n", "a b c\n\nlong " + "word " * 300 + "\nno end", "".join(f"{i} {i * i}\n" for i in range(500))])
def test_words(built, cache, tmp_path, text):
    predicted, measured = same(tmp_path, cache, built["words"], HERE / "programs" / "words.c", ["in.txt", "out.txt"],
                               lambda folder: (folder / "in.txt").write_text(text))
    assert predicted == measured


@pytest.mark.parametrize("sizes", [[0, 1, 511, 512, 513], [10240, 10241, 100000], [5_000_000]])
def test_archive(built, cache, tmp_path, sizes):
    names = [f"f{i}" for i in range(len(sizes))]

    def prepare(folder):
        for name, size in zip(names, sizes):
            (folder / name).write_bytes(b"x" * size)
    predicted, measured = same(tmp_path, cache, built["archive"], HERE / "programs" / "archive.c", names, prepare)
    assert predicted == measured


@pytest.mark.parametrize("count, capacity", [(1000, 300), (100_000, 10_000), (12_345, 1_000)])
def test_outofcore(built, cache, tmp_path, count, capacity):
    predicted, measured = same(tmp_path, cache, built["outofcore"], HERE / "programs" / "outofcore.c", [str(count), str(capacity)])
    assert predicted == measured


@pytest.mark.parametrize("lines, blocks", [(10, 3), (300, 20), (1500, 100), (20_000, 1000)])
def test_cpp_streams(cache, tmp_path, lines, blocks):
    source = HERE / "programs" / "streams.cpp"
    program = compile_c(source, tmp_path / "streams", "g++")
    predicted, measured = same(tmp_path, cache, program, source, [str(lines), str(blocks)])
    for files in (predicted, measured):
        files.pop("<STDOUT>", None)  # the library flushes it when it starts and ends
    assert predicted == measured


@pytest.mark.parametrize("way", ["return", "exit"])
def test_before_and_after_main(cache, tmp_path, way):
    """Variables with constructors and destructors, such that live on in functions, and functions for the end."""
    source = HERE / "programs" / "lasting.cpp"
    program = compile_c(source, tmp_path / "lasting", "g++")
    told, predicted, measured, done = side_by_side(tmp_path, cache, [program], [source], [way])
    assert predicted == measured and set(measured) == {"./journal.bin", "./lasting.txt", "./last.txt"}
    assert told["predictions"][0]["exit_code"] == done.returncode == (5 if way == "exit" else 0)
    assert told["predictions"][0]["unknowns"] == []


@pytest.mark.parametrize("blocks", [10, 1000])
def test_against_strace(built, cache, tmp_path, blocks):
    """Counts of another tool, which shares no table with us."""
    (tmp_path / "predicted").mkdir()
    arguments = ["-w", "-r", "-t", "4k", "-b", f"{4 * blocks}k", "-f", "10"]
    told, _ = predict(tmp_path / "predicted", cache, [HERE / "programs" / "segments.c"], arguments)
    done = subprocess.run(["strace", "-y", "-e", "trace=pwrite64,pread64,fsync", built["segments"], *arguments], cwd=tmp_path,
                          capture_output=True, text=True, check=True)
    lines = [line.split("(")[0] for line in done.stderr.splitlines() if "segments.dat>" in line]
    calls = {name: lines.count(name) for name in set(lines)}
    rows = told["predictions"][0]["accesses"]
    counted = {name: sum(row["count"] for row in rows if row["operation"] == name) for name in ("write", "read", "fsync")}
    assert counted == {"write": calls["pwrite64"], "read": calls["pread64"], "fsync": calls["fsync"]}
    assert (tmp_path / "segments.dat").stat().st_size == sum(row["bytes"] for row in rows if row["operation"] == "write")


@pytest.mark.parametrize("parts, rows", [(1, 3), (3, 20), (5, 400)])
def test_cpp_extraction(cache, tmp_path, parts, rows):
    """Numbers taken from streams, positions in them, streams in memory, and names by std::filesystem."""
    source = HERE / "programs" / "extract.cpp"
    program = compile_c(source, tmp_path / "extract", "g++", "-std=c++17")
    predicted, measured = same(tmp_path, cache, program, source, [str(parts), str(rows)])
    assert predicted == measured


@pytest.mark.parametrize("count", [0, 1, 7, 40])
def test_cpp_folders(cache, tmp_path, count):
    """Iterators over folders, parts of paths, and trees that are removed: what is found decides what is written."""
    source = HERE / "programs" / "folders.cpp"
    program = compile_c(source, tmp_path / "folders", "g++", "-std=c++17")

    def prepare(folder):
        for name in ("given/sub/deep", "given/hidden/inside"):
            (folder / name).mkdir(parents=True)
        for name, text in (("a.txt", "123\n"), ("b.b.txt", ""), ("c.dat", "x"), ("sub/d.txt", "deeper"), ("hidden/e", "e")):
            (folder / "given" / name).write_text(text)
    told, predicted, measured, done = side_by_side(tmp_path, cache, [program], [source], ["given", str(count)], prepare=prepare)
    assert done.returncode == 0 and told["predictions"][0]["complete"] and told["predictions"][0]["unknowns"] == []
    assert predicted == measured


@pytest.mark.parametrize("settings", ["# few\nrows = 40\n scale=0.5 \noutput = out\n", "rows=700\nscale = 1e3", ""])
def test_cpp_settings(cache, tmp_path, settings):
    """Classes, maps, lines cut into fields, layout of numbers, and a global object that writes when the program ends."""
    source = HERE / "programs" / "settings.cpp"
    program = compile_c(source, tmp_path / "settings", "g++", "-std=c++17")
    predicted, measured = same(tmp_path, cache, program, source, ["settings.txt"],
                               lambda folder: (folder / "settings.txt").write_text(settings))
    assert predicted == measured


@pytest.mark.parametrize("count", [1, 100, 1500])
def test_cpp_seeks(cache, tmp_path, count):
    """Records rewritten, the size by seeking, whole files by iterators and by rdbuf, a buffer of another size."""
    source = HERE / "programs" / "seeks.cpp"
    program = compile_c(source, tmp_path / "seeks", "g++", "-std=c++17")
    predicted, measured = same(tmp_path, cache, program, source, [str(count)])
    assert predicted == measured


@pytest.mark.parametrize("arguments", ["in.csv", "-v --format raw in.csv", "-v -f text --output=list in.csv"])
def test_shop(built, cache, tmp_path, arguments):
    text = "name,count,price\napple,3,1.25\npear,10,0.75\n,,\nplum,2,3.5\nfig,1,0.1\nkiwi,7,0.5\n"
    predicted, measured = same(tmp_path, cache, built["shop"], HERE / "programs" / "shop.c", arguments.split(),
                               lambda folder: (folder / "in.csv").write_text(text))
    assert predicted == measured


@pytest.mark.parametrize("count", [1, 7, 300])
def test_current_folder(built, cache, tmp_path, count):
    """Relative names after chdir and fchdir, what getcwd says, and parts of names."""
    told = same_answers(tmp_path, cache, built, "current", [str(count)])
    assert told["complete"] and told["unknowns"] == []


@pytest.mark.parametrize("count", [1, 20, 600])
def test_entries_of_folders(built, cache, tmp_path, count):
    """opendir, scandir, nftw and glob: what is found, given or made, is opened and removed. More files than loops follow in
    programs that do not look into folders."""
    def prepare(folder):
        (folder / "given" / "sub" / "deep").mkdir(parents=True)
        for name, text in (("a10.txt", "123\n"), ("a9.txt", ""), ("c.dat", "x" * 50), ("sub/d.txt", "deeper"), ("sub/deep/e", "e")):
            (folder / "given" / name).write_text(text)
        (folder / "given" / "link").symlink_to("c.dat")
    told = same_answers(tmp_path, cache, built, "entries", ["given", str(count)], prepare)
    assert told["complete"] and told["unknowns"] == []


@pytest.mark.parametrize("count", [1, 6, 150])
def test_ways_to_files(built, cache, tmp_path, count):
    """Links of both kinds, dots, and renames: of folders with what is in them, and of files that are open."""
    def prepare(folder):
        (folder / "given").mkdir()
        (folder / "given" / "text").write_text("12 numbers\n")
        (folder / "given" / "link").symlink_to("text")
        (folder / "given" / "away").symlink_to("../nowhere")
    told = same_answers(tmp_path, cache, built, "ways", [str(count)], prepare)
    assert told["complete"] and told["unknowns"] == []


@pytest.mark.parametrize("count", [1, 6, 1000])
def test_relative_names(built, cache, tmp_path, count):
    """Names relative to open folders, and what each call refuses."""
    same_answers(tmp_path, cache, built, "relative", [str(count)])


@pytest.mark.parametrize("count", [1, 6, 250])
def test_scratch(built, cache, tmp_path, count):
    """Nobody knows the names of temporary files, so they are counted together."""
    told, predicted, measured, done = side_by_side(tmp_path, cache, [built["scratch"]], [HERE / "programs" / "scratch.c"], [str(count)])
    assert told["predictions"][0]["exit_code"] == done.returncode == 0 and told["predictions"][0]["complete"]
    assert totals(predicted) == totals(measured)
    assert predicted["./answers"] == measured["./answers"] and predicted["/tmp/<tmpfile>"] == measured["/tmp/<tmpfile>"]


@pytest.mark.parametrize("count", [1, 5, 120])
def test_cpp_directories(cache, tmp_path, count):
    """std::filesystem's current folder and links."""
    source = HERE / "programs" / "directories.cpp"
    program = compile_c(source, tmp_path / "directories", "g++", "-std=c++17")
    told, predicted, measured, done = side_by_side(tmp_path, cache, [program], [source], [str(count)])
    assert done.returncode == 0 and told["predictions"][0]["complete"] and told["predictions"][0]["unknowns"] == []
    assert predicted == measured


def same_answers(tmp_path, cache, built, name, arguments, prepare=None):
    """Counters, lines and the exit code: programs that write each answer as so many bytes, in a line of its own."""
    source = HERE / "programs" / f"{name}.c"
    told, predicted, measured, done = side_by_side(tmp_path, cache, [built[name]], [source], arguments, prepare=prepare)
    one = told["predictions"][0]
    families = any(row["files_like_it"] > 0 for row in one["accesses"])
    lines = sites.compare(predicted_sites(told), measured_sites(tmp_path / "measured-measured.darshan"), families)
    wrong = {key: what for key, what in lines.items() if what not in ("equal", "library")}
    assert one["exit_code"] == done.returncode == 0 and wrong == {}
    assert (totals(predicted) == totals(measured)) if families else (predicted == measured)
    return one
