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
    for file in ("scripts/new-module", "cmake/TrikalModules.cmake"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        shutil.copy(project.ROOT / file, tmp_path / file)
    return tmp_path


def new_module(tree, *arguments):
    return subprocess.run([sys.executable, tree / "scripts/new-module", *arguments], capture_output=True, text=True)


def compiles(tree, text):
    """Makes the lists and checks the syntax, and with it every static_assert."""
    lists = subprocess.run(["cmake", f"-DMODULES={tree / 'src/modules'}", f"-DOUT={tree / 'made'}", "-P",
                            tree / "cmake/TrikalModules.cmake"], capture_output=True, text=True)
    assert lists.returncode == 0 and not lists.stderr, lists.stderr
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
               "-Wno-missing-field-initializers", "-I", tree / "src", "-I", tree / "made", "-x", "c++", "-"]
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
    made = {path for path in changed if "object_store" in path.parts}
    assert {str(path) for path in changed - made} == {"src/modules/list.txt"}
    sample = tree / "src/modules/_template"
    names = {str(path.relative_to(sample)).replace("template", "object_store") for path in sample.rglob("*") if path.is_file()}
    assert {str(path.relative_to("src/modules/object_store")) for path in made} == names
    for path in made:
        text = (tree / path).read_text().replace("template <", "")  # which is C++
        assert "template" not in text.lower() and "sample of" not in text, path


def test_functions_have_the_prefix_of_the_library(tree):
    assert new_module(tree, "object_store", "40", "os4_").returncode == 0
    folder = tree / "src/modules/object_store"
    assert 'import_of<OpenWrapper, "os4_open">' in (folder / "wrappers.cpp").read_text()
    assert '.witness = "os4_open", .prefix = "os4_"' in (folder / "imports.hpp").read_text()
    assert '#include "object_store.h"' in (folder / "example/program.c").read_text()
    assert "os4_open(argv[1], 1)" in (folder / "example/program.c").read_text()


def test_the_copy_observes(tree):
    """Its slot, its hooks and its imports are in the lists of the runtime."""
    assert new_module(tree, "object_store", "40").returncode == 0
    for folder in ("src/capture", "src/log", "src/stream"):
        shutil.copytree(project.ROOT / folder, tree / folder)
    checked = compiles(tree, """
        #include "modules/capture_list.cpp"
        #include "modules/object_store/wrappers.cpp"
        #include "modules/object_store/capture.cpp"
        static_assert(trikal::capture::kObjectStoreSlot + 1 == trikal::capture::kModuleSlotCount);
        static_assert(trikal::capture::kListedHooks.back().schema == &trikal::modules::object_store::kSchema);
        static_assert(trikal::capture::kListedImports.back().witness == std::string_view("object_store_open"));
        static_assert(trikal::capture::kObservingModules == trikal::capture::kListedHooks.size());
        static_assert(trikal::capture::kImportedLibraries == trikal::capture::kListedImports.size());
    """)
    assert checked.returncode == 0, checked.stderr


def test_a_line_that_the_folder_does_not_bear_out_is_refused(tree):
    listed = tree / "src/modules/list.txt"
    for line, complaint in (("nowhere\n", "nowhere has no format.hpp"), ("dxt file\n", "dxt has no format.hpp")):
        text = listed.read_text()
        listed.write_text(text + line)
        made = subprocess.run(["cmake", f"-DMODULES={tree / 'src/modules'}", f"-DOUT={tree / 'made'}", "-P",
                               tree / "cmake/TrikalModules.cmake"], capture_output=True, text=True)
        assert made.returncode != 0 and complaint in made.stderr
        listed.write_text(text)


def test_modules_are_listed_in_order_of_id(tree):
    assert new_module(tree, "later", "50").returncode == 0
    assert new_module(tree, "earlier", "20").returncode == 0
    text = (tree / "src/modules/list.txt").read_text()
    assert text.index("\ndaos") < text.index("\nearlier") < text.index("\nlater")
    checked = compiles(tree, '#include "modules/list.cpp"')
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("arguments, complaint", [
    ([], "NAME ID"), (["one"], "NAME ID"), (["one", "x"], "NAME ID"),
    (["posix", "40"], "exists"), (["Posix", "40"], "lower case"), (["../x", "40"], "lower case"),
    (["class", "40"], "lower case"), (["one", "17"], "18"), (["one", "64"], "63"),
    (["one", "40", "a-b"], "begin with"), (["one", "40", "a", "b"], "NAME ID"),
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
