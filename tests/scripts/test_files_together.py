"""scripts/lib/files-together: what two files call the same never meets in one group."""

import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def grouped(tmp_path, *texts, size=12):
    """The numbers of the files of each group."""
    for number, text in enumerate(texts):
        (tmp_path / f"{number}.cpp").write_text(text)
    said = subprocess.run([ROOT / "scripts" / "lib" / "files-together", str(size),
                           *(tmp_path / f"{number}.cpp" for number in range(len(texts)))],
                          check=True, capture_output=True, text=True).stdout
    groups = {}
    for line in said.splitlines():
        group, path = line.split(" ", 1)
        groups.setdefault(group, []).append(int(pathlib.Path(path).stem))
    return list(groups.values())


def own(text, space="trikal"):
    return f"namespace {space} {{\nnamespace {{\n{text}\n}}  // namespace\n}}\n"


@pytest.mark.parametrize("text", [
    "int same(int a = 1) { return other(a); }", "constexpr int same = 1;", "constexpr int kOther = f(1), same = 2;",
    "const char *kOther = \"}\", *same = nullptr;", "struct same { int a; };", "enum class same : int { kA };", "using same = int;",
    "template <class T, class U> void same(T, U) {}", "constexpr int same[] = {1, 2};", "std::map<int, std::pair<int, int>> same;",
    "int same{3};", "[[nodiscard]] bool same() noexcept;", "// {\nint same = '{';"])
def test_what_gives_a_name(tmp_path, text):
    assert grouped(tmp_path, own(text), own("int same() { return 0; }")) == [[0], [1]]
    assert grouped(tmp_path, own(text), own("int another() { return 0; }")) == [[0, 1]]


def test_what_another_mentions(tmp_path):
    """With both in one file it could be a call of the wrong function, and compile."""
    assert grouped(tmp_path, own("int open_file(int) { return 1; }"), "int f() { return open_file(2L); }") == [[0], [1]]
    assert grouped(tmp_path, "int f() { return open_file(2L); }", own("int open_file(int) { return 1; }")) == [[0], [1]]
    assert grouped(tmp_path, own("int open_file(int) { return 1; }"), 'int f() { return g("open_file"); }  // open_file') == [[0, 1]]


def test_static_functions(tmp_path):
    assert grouped(tmp_path, "static int f() { return 1; }", "static int f() { return 2; }") == [[0], [1]]


def test_files_that_open_namespaces_meet_only_those_that_do_too(tmp_path):
    opens = own("using namespace b;")
    assert grouped(tmp_path, opens, own("int f() { return 1; }"), opens) == [[0, 2], [1]]


def test_types_that_headers_mention(tmp_path):
    """A header that is read behind a type of a file's own would mean that one."""
    folder = tmp_path / "src"
    folder.mkdir()
    (folder / "table.hpp").write_text("struct Table;\nTable* table();\n")
    (folder / "all.hpp").write_text('#include "table.hpp"\n')
    assert grouped(folder, own("struct Table {};"), '#include "all.hpp"\n') == [[0], [1]]
    assert grouped(folder, '#include "all.hpp"\n' + own("struct Table {};", "other"), '#include "all.hpp"\n') == [[0, 1]]


def test_groups_have_a_size(tmp_path):
    assert grouped(tmp_path, *[own("")] * 5, size=2) == [[0, 1], [2, 3], [4]]
