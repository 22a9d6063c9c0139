"""Words and paths that must not be in a tracked file, and a few habits of the tree."""

import os
import re

import pytest

import project

# Spelled in pieces, so that this file does not find itself.
UNFINISHED = ["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"]
UNFINISHED_PHRASES = ["not " + "implemented", "placeh" + "older", "to be " + "filled in", "dummy " + "implementation"]
PATHS = ["/wo" + "rk/(main|shared|wt|inbox)", "/tmp/tri" + "kal", "/ro" + "ot/", "/home/(?!<)[a-z]+/src"]
HOSTS = ["pypi" + r"\.org", "pythonhosted" + r"\.org", "npmjs" + r"\.(org|com)", "crates" + r"\.io",
         "deb" + r"\.debian\.org", "docker" + r"\.io", "conda" + r"\.anaconda\.org"]
MAKERS = ["chat" + "gpt", "clau" + "de", "co" + "pilot", "language " + "model", "co-authored" + "-by"]

RULES = {
    "unfinished work": re.compile(r"\b(" + "|".join(UNFINISHED) + r")\b"),
    "unfinished phrases": re.compile("|".join(UNFINISHED_PHRASES), re.IGNORECASE),
    "empty shells": re.compile(r"\bst" + r"ub(s|bed)?\b", re.IGNORECASE),
    "paths of somebody's machine": re.compile("|".join(PATHS)),
    "package registries": re.compile("|".join(HOSTS), re.IGNORECASE),
    "tools that typed it": re.compile("|".join(MAKERS), re.IGNORECASE),
}


def is_text(name):
    with (project.ROOT / name).open("rb") as file:
        return b"\0" not in file.read(4096)


TEXTS = [name for name in project.tracked_files() if is_text(name)]


@pytest.mark.parametrize("rule", RULES)
def test_no_tracked_file_has(rule):
    found = [f"{name}:{number}: {line.strip()[:120]}" for name in TEXTS
             for number, line in enumerate(project.text_of(name).splitlines(), 1) if RULES[rule].search(line)]
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize("rule, line", [
    ("unfinished work", "// TO" + "DO later"), ("unfinished phrases", "Not " + "Implemented yet"),
    ("empty shells", "a st" + "ub"), ("paths of somebody's machine", "see /wo" + "rk/main/x"),
    ("package registries", "https://pypi" + ".org/simple"), ("tools that typed it", "Co-Authored" + "-By: x"),
])
def test_the_rules_find_what_they_forbid(rule, line):
    assert RULES[rule].search(line)


def test_shared_logs_are_found_in_one_module():
    """Who makes lists of them elsewhere has tests that break, or vanish, in a clone with nothing beside it."""
    found = {name for name in TEXTS if name.startswith("tests/") and "TRIKAL_" + "SHARED" in project.text_of(name)}
    assert found <= {"tests/support/log_files.py", "tests/fuzz/mutant_sets.py", "tests/scripts/test_stages.py"}


def test_scripts_can_be_run():
    """A file with a #! line is executable, and the other way round."""
    wrong = [name for name in TEXTS
             if os.access(project.ROOT / name, os.X_OK) != project.text_of(name).startswith("#!")]
    assert not wrong, wrong


def test_macros_fit_on_one_line():
    continued = re.compile(r"^[ \t]*#[ \t]*define\b[^\n]*\\\n", re.MULTILINE)
    found = [name for name in project.sources("src/", "include/") if continued.search(project.text_of(name))]
    assert not found, found


def test_headers_are_guarded_by_pragma_once():
    found = [name for name in project.sources("src/", suffixes=(".hpp",))
             if not re.search(r"^#pragma once$", project.text_of(name), re.MULTILINE)]
    assert not found, found


def test_every_source_is_built():
    """A file that no target compiles is dead, and a test in it would never run."""
    built = project.compiled_sources()
    missing = [name for name in project.sources("src/", suffixes=(".cpp", ".c"))
               if str(project.ROOT / name) not in built and "/example/" not in name]  # tests/modules compiles those
    assert not missing, missing


def test_no_function_has_two_models():
    """Of two the one of the family that comes first in list.cpp would count."""
    named = {}
    for path in (project.ROOT / "src" / "predict" / "models").glob("*.cpp"):
        table = re.split(r"NamedModel k\w+Models\[\] = {", path.read_text() + "NamedModel kNoModels[] = {", maxsplit=1)[1]
        for name in re.findall(r'\{"(\w+)", [\w:<>, ]+\}', table):
            named.setdefault(name, []).append(path.name)
    assert len(named) > 500
    assert not {name: files for name, files in named.items() if len(files) > 1}
