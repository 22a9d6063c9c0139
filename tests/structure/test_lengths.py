"""No file over 400 lines, no function over 50, apart from what ratchet.txt still tolerates."""

import pytest

import lengths
import project

FILE_LIMIT, FUNCTION_LIMIT = 400, 50
FOLDERS = ("src/", "include/", "tests/", "scripts/", "bench/", "examples/", "python/", "cmake/", ".ci/", "web/")
SUFFIXES = (".cpp", ".hpp", ".c", ".h", ".py", ".sh", ".ts", ".css", ".cmake", "CMakeLists.txt")


def is_code(name):
    if not name.startswith(FOLDERS):
        return False
    return name.endswith(SUFFIXES) or project.text_of(name).startswith("#!")


def measure():
    """{path or path::function: lines} of everything over its limit."""
    over = {}
    for name in filter(is_code, project.tracked_files()):
        text = project.text_of(name)
        lines = text.count("\n")
        if lines > FILE_LIMIT:
            over[name] = lines
        for function, _, length in lengths.functions(name, text):
            if length > FUNCTION_LIMIT:
                key = f"{name}::{function}"
                over[key] = max(length, over.get(key, 0))
    return over


def tolerated():
    lines = [line.split() for line in (project.HERE / "ratchet.txt").read_text().splitlines()]
    return {words[0]: int(words[1]) for words in lines if words and words[0] != "#"}


OVER = measure()


def test_nothing_is_too_long():
    allowed = tolerated()
    found = [f"{key}: {lines} lines" for key, lines in OVER.items() if lines > allowed.get(key, 0)]
    assert not found, "\n" + "\n".join(found)


def test_the_ratchet_only_moves_one_way():
    stale = [f"{key}: {OVER.get(key, 'within the limit')} now, {lines} in ratchet.txt"
             for key, lines in tolerated().items() if OVER.get(key, 0) < lines]
    assert not stale, "\n" + "\n".join(stale)


SAMPLE = '''
#include <vector>
namespace a {
struct S : Base<int> {
 public:
  S(int x)
      : a_{x},
        b_(2) {
    go();
  }
  bool operator()(int a, int b) const noexcept {
    return a < b ? '{' : "}}}" != nullptr;
  }
  int plain = 3;
  std::array<int, 2> pair{1, 2};
  int short_one() const { return 1'000'000; }
};
constexpr Row kTable[] = {
    {"A", {1, 2}},
    {"B", {3, 4}},
};
auto arrow(int x) -> std::vector<int> {
  if (x) {
    return {};
  }
  return {1};  // } not a brace
}
template <class T>
  requires Small<T>
void constrained(T value = T{}) {
}
const auto named = [](int v) {
  return v;
};
TEST(Suite, Case) {
  const char* raw = R"x(
}}}} )x";
}
}  // namespace a
'''


def test_the_measure_of_cpp():
    assert lengths.cpp_functions(SAMPLE) == [
        ("S", 6, 5), ("operator()", 11, 3), ("short_one", 16, 1), ("arrow", 22, 6),
        ("constrained", 28, 4), ("lambda", 32, 3), ("TEST", 35, 4)]


@pytest.mark.parametrize("name, text, expected", [
    ("a.py", "def f():\n    return 1\n", [("f", 1, 2)]),
    ("a.ts", "export function f(a: { b: number }): Node | null {\n  return `${a.b} {`;\n}\n", [("f", 1, 3)]),
    ("a.ts", "class A {\n  private go(): void {\n    go((a) => {\n    });\n  }\n}\n", [("go", 2, 4)]),
    ("run", "#!/bin/sh\nf() {\n  :\n}\n", [("f", 2, 3)]),
    ("run", "#!/usr/bin/python3\ndef g(): pass\n", [("g", 2, 1)]),
])
def test_the_measure_of_scripts(name, text, expected):
    assert lengths.functions(name, text) == expected
