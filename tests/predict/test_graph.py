"""The code-block graph: what is inside what, which line calls which function, and sums from the leaves up."""

import json
import os
import re
import subprocess
import xml.etree.ElementTree

import pytest

from conftest import ROOT, TRIKAL

FIGURE = ROOT / "examples" / "figure3.c"
MB = 1_000_000


def graph(folder, cache, form, source, *arguments, cwd=None):
    done = subprocess.run([TRIKAL, "predict", "--graph", form, source, "--", *arguments], capture_output=True, text=True, cwd=cwd or folder,
                          timeout=120, env={**os.environ, "TRIKAL_CACHE": str(cache)})
    assert done.returncode == 0, done.stderr
    return done.stdout


class Graph:
    def __init__(self, text):
        told = json.loads(text)
        assert told["schema"] == "trikal-blocks 1"
        self.nodes = {node["block"]: node for node in told["nodes"]}
        self.edges = told["edges"]
        self.parent = {edge["to"]: edge["from"] for edge in self.edges if edge["kind"] == "child"}

    def one(self, kind, **fields):
        found = [node for node in self.nodes.values() if node["kind"] == kind and all(node[key] == value for key, value in fields.items())]
        assert len(found) == 1, found
        return found[0]

    def children(self, node):
        return [self.nodes[child] for child, parent in self.parent.items() if parent == node["block"]]

    def line_of(self, text, source=FIGURE):
        number = next(at for at, line in enumerate(source.read_text().splitlines(), 1) if text in line)
        return self.one("line", line=number)


@pytest.fixture(scope="module")
def figure(tmp_path_factory, cache):
    return Graph(graph(tmp_path_factory.mktemp("figure"), cache, "json", FIGURE, "2", "save"))


def test_the_published_example_has_its_shape(figure):
    """Loop(1) with Branch(2) and Branch(4); checkpoint(6) with Loop(7, 10); sort_temp(9) with Branch(10)."""
    main = figure.one("function", name="main")
    loop = figure.one("loop", line=37)
    assert figure.parent[loop["block"]] == main["block"] and loop["iterations"] == 2
    sides = {node["name"]: node for node in figure.children(loop) if node["kind"] == "branch"}
    assert set(sides) == {"then", "else"} and sides["then"]["runs"] == sides["else"]["runs"] == 1
    parts = figure.children(figure.one("function", name="checkpoint"))
    assert [node["iterations"] for node in parts if node["kind"] == "loop"] == [10]
    assert [(node["kind"], node["name"]) for node in figure.children(figure.one("function", name="sort_temp"))] == [("branch", "then")]


@pytest.mark.parametrize("text, call, count, size, offset, name", [
    ("fwrite(data, 100", "fwrite", 1, 100 * MB, 1024, "file.dat"), ("fread(data, 100", "fread", 1, 100 * MB, 1024, "file.dat"),
    ("fwrite(data, 50", "fwrite", 10, 50 * MB, 2048, "file2.dat"), ("fwrite(data, 30", "fwrite", 1, 30 * MB, 0, "file3.dat")])
def test_the_published_leaves(figure, text, call, count, size, offset, name):
    access = figure.line_of(text)["accesses"]
    assert len(access) == 1 and access[0]["call"] == call and access[0]["count"] == count and access[0]["bytes"] == count * size
    assert access[0]["offset"] == offset and access[0]["file"].endswith("/" + name)
    assert access[0]["pattern"] == ("one" if count == 1 else "consecutive")


def test_the_published_sums(figure):
    """The loop of 10 makes 500 MB of 50 at nodes 7 and 6; every leaf is in the root's sums."""
    assert figure.one("loop", line=18)["bytes_written"] == figure.one("function", name="checkpoint")["bytes_written"] == 500 * MB
    root = figure.nodes[0]
    assert root["bytes_written"] == (100 + 500 + 30) * MB and root["bytes_read"] == 100 * MB
    assert figure.one("function", name="main")["bytes_written"] == root["bytes_written"]  # callees count
    assert 0 < root["score"] <= 1


def test_sums_go_up_from_the_leaves(figure):
    for node in figure.nodes.values():
        below = figure.children(node)
        if below and node["kind"] in ("function", "loop", "branch"):  # of a file the lines of main hold its functions again
            for key in ("operations", "bytes_read", "bytes_written"):
                assert node[key] == sum(child[key] for child in below), (node, key)


def test_calls_and_order(figure):
    names = {(edge["kind"], figure.nodes[edge["from"]]["line"], figure.nodes[edge["to"]]["name"]): edge for edge in figure.edges}
    assert names[("call", figure.line_of("  checkpoint(data);")["line"], "checkpoint")]["count"] == 1
    assert ("call", figure.line_of("  sort_temp(data, save);")["line"], "sort_temp") in names
    order = {(figure.nodes[edge["from"]]["line"], figure.nodes[edge["to"]]["line"]) for edge in figure.edges if edge["kind"] == "order"}
    assert (figure.line_of("fwrite(data, 100")["line"], figure.line_of("fread(data, 100")["line"]) in order


def test_what_is_not_reached_is_there_without_numbers(tmp_path, cache):
    told = Graph(graph(tmp_path, cache, "json", FIGURE, "2"))
    branch = told.children(told.one("function", name="sort_temp"))[0]
    assert not branch["reached"] and branch["runs"] == 0 and branch["operations"] == 0 and len(told.children(branch)) == 3
    assert told.nodes[0]["bytes_written"] == 600 * MB


def test_loops_count_their_iterations(tmp_path, cache):
    for steps in ("0", "7", "1000000"):
        told = Graph(graph(tmp_path, cache, "json", FIGURE, steps))
        loop = told.one("loop", line=37)
        assert loop["iterations"] == int(steps) and loop["runs"] == 1
        sides = {node["name"]: node["runs"] for node in told.children(loop) if node["kind"] == "branch"}
        assert sides == {"then": (int(steps) + 1) // 2, "else": int(steps) // 2}


SIDES = """#include <stdio.h>
#include <stdlib.h>
int unknown(void);
static void put(FILE* f, int a, int b) {
  if (!f) return;
  if (a && b) fputs("both", f);
  else if (a || b) fputs("one", f);
  else { for (int i = 0; i < 3; ++i) fputs("none", f);
    fflush(f); }
  switch (a) {
    case 1: fputs("first", f); break;
    case 2: fputs("second", f); break;
    default: fputs("other", f);
  }
  a ? fputs("yes", f) : fputc('n', f);
  fputs("end", f);
}
int main(void) {
  FILE* f = fopen("out", "w");
  put(f, 0, 0), put(f, 1, 0), put(f, 1, 2), put(f, 2, 2);
  if (unknown()) fputs("maybe", f);
  fclose(f);
  return 0;
}
"""


@pytest.fixture(scope="module")
def sides(tmp_path_factory, cache):
    folder = tmp_path_factory.mktemp("sides")
    source = folder / "sides.c"
    source.write_text(SIDES)
    told = Graph(graph(folder, cache, "json", source))

    def way(text):
        """The branches around a line, the innermost last, with how often each was gone."""
        at, found = told.line_of(text, source)["block"], []
        while at in told.parent:
            at = told.parent[at]
            if told.nodes[at]["kind"] == "branch":
                found.insert(0, (told.nodes[at]["line"], told.nodes[at]["name"], told.nodes[at]["runs"]))
        return found
    return way


@pytest.mark.parametrize("text, branches", [
    ('"both"', [(6, "then", 2)]), ('"one"', [(6, "else", 2), (7, "then", 1)]), ("fflush", [(6, "else", 2), (7, "else", 1)]),
    ('"first"', [(10, "case 1", 2)]), ('"second"', [(10, "case 2", 1)]), ('"other"', [(10, "default", 1)]),
    ('"end"', []), ("fopen", []), ('"maybe"', [(21, "then", 0.5)]), ("fclose", [])])
def test_both_sides_of_a_branch(sides, text, branches):
    """A guard that returns makes no branch of what follows it; `else if` is inside the else; what is unknown counts by half."""
    assert sides(text) == branches


def test_pictures_hold_every_block(tmp_path, cache):
    nodes = json.loads(graph(tmp_path, cache, "json", FIGURE, "2", "save"))["nodes"]
    picture = graph(tmp_path, cache, "svg", FIGURE, "2", "save")
    tree = xml.etree.ElementTree.fromstring(picture)
    drawn = {group.get("id") for group in tree.iter("{http://www.w3.org/2000/svg}g")}
    assert drawn == {f"block{node['block']}" for node in nodes}
    dot = graph(tmp_path, cache, "dot", FIGURE, "2", "save")
    assert set(re.findall(r"^  b(\d+) \[label", dot, re.M)) == {str(node["block"]) for node in nodes}
    assert picture == graph(tmp_path, cache, "svg", FIGURE, "2", "save")  # the same every time


def test_the_picture_in_the_documentation_is_current(tmp_path, cache):
    """TRIKAL_SCREENS=docs/screens writes it anew, as it does for the pages."""
    picture = graph(tmp_path, cache, "svg", FIGURE, "2", "save").replace(str(tmp_path), "/src")
    path = ROOT / "docs" / "screens" / "figure3.svg"
    if "TRIKAL_SCREENS" in os.environ:
        path.write_text(picture)
    assert path.read_text() == picture
    assert "screens/figure3.svg" in (ROOT / "docs" / "predict.md").read_text()


def test_dot_is_understood_by_graphviz(tmp_path, cache):
    subprocess.run(["dot", "-Tsvg"], input=graph(tmp_path, cache, "dot", FIGURE, "2"), text=True, check=True, capture_output=True)


def test_a_form_nobody_knows(tmp_path, cache):
    done = subprocess.run([TRIKAL, "predict", "--graph", "png", FIGURE], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2 and "png" in done.stderr and done.stdout == ""
