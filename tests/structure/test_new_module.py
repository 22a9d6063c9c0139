"""scripts/new-module, run in a copy of the tree: what it makes compiles and is in the list."""

import os
import shutil
import subprocess
import sys

import pytest

import project


@pytest.fixture
def tree(tmp_path):
    for folder in ("src/base", "src/schema", "src/modules"):
        shutil.copytree(project.ROOT / folder, tmp_path / folder)
    (tmp_path / "scripts").mkdir()
    shutil.copy(project.ROOT / "scripts/new-module", tmp_path / "scripts")
    return tmp_path


def new_module(tree, *arguments):
    return subprocess.run([sys.executable, tree / "scripts/new-module", *arguments], capture_output=True, text=True)


def compiles(tree, text):
    """Checks the syntax, and with it every static_assert."""
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
               "-Wno-missing-field-initializers", "-I", tree / "src", "-x", "c++", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True)


def files(tree):
    return {path.relative_to(tree): path.read_bytes() for path in tree.rglob("*") if path.is_file()}


def test_a_new_module_compiles_and_is_listed(tree):
    made = new_module(tree, "object_store", "40")
    assert made.returncode == 0, made.stderr
    checked = compiles(tree, """
        #include "modules/list.cpp"
        static_assert(trikal::modules::object_store::kSchema.name == "OBJECT_STORE");
        static_assert(trikal::modules::object_store::kSchema.id == 40);
        static_assert(trikal::find_slot(trikal::modules::object_store::kCounters, "OBJECT_STORE_OPENS") == 0);
        static_assert(trikal::kById[40]->schema == &trikal::modules::object_store::kSchema);
        static_assert(trikal::kModules.back() == trikal::kById[40]);
    """)
    assert checked.returncode == 0, checked.stderr


def test_nothing_of_the_sample_is_left_and_nothing_else_changes(tree):
    before = files(tree)
    assert new_module(tree, "object_store", "40").returncode == 0
    after = files(tree)
    changed = {path for path in after if before.get(path) != after[path]}
    made = {path for path in changed if path.parent.name == "object_store"}
    assert {str(path) for path in changed - made} == {"src/modules/list.cpp"}
    assert {path.name for path in made} == {path.name for path in (tree / "src/modules/_template").iterdir()}
    for path in made:
        text = (tree / path).read_text()
        assert "template" not in text.lower() and "sample of" not in text, path


def test_modules_are_listed_in_order_of_id(tree):
    assert new_module(tree, "later", "50").returncode == 0
    assert new_module(tree, "earlier", "20").returncode == 0
    text = (tree / "src/modules/list.cpp").read_text()
    assert text.index("daos::kFormat") < text.index("earlier::kFormat") < text.index("later::kFormat")
    checked = compiles(tree, '#include "modules/list.cpp"')
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("arguments, complaint", [
    ([], "NAME ID"), (["one"], "NAME ID"), (["one", "x"], "NAME ID"),
    (["posix", "40"], "exists"), (["Posix", "40"], "lower case"), (["../x", "40"], "lower case"),
    (["class", "40"], "lower case"), (["one", "17"], "18"), (["one", "64"], "63"),
])
def test_mistakes_are_told_and_change_nothing(tree, arguments, complaint):
    before = files(tree)
    made = new_module(tree, *arguments)
    assert made.returncode != 0
    assert complaint in made.stderr
    assert files(tree) == before


def test_an_id_is_given_once(tree):
    assert new_module(tree, "one", "40").returncode == 0
    before = files(tree)
    made = new_module(tree, "two", "40")
    assert made.returncode != 0 and "taken" in made.stderr
    assert files(tree) == before
