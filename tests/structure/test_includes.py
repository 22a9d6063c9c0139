"""Dependencies between components point one way: every include in src/ is judged by allowed_includes.txt."""

import pytest

import include_rules
import project

RULES = include_rules.Rules(project.table_sections(project.HERE / "allowed_includes.txt"))
# What a module's example includes is its library's; tests/modules compiles it.
FILES = [name for name in project.sources("src/") if "/example/" not in name]
PUBLIC = project.sources("include/")


def complaints(name):
    path = name.removeprefix("src/")
    for quote, header in include_rules.includes(project.text_of(name)):
        reason = RULES.judge(path, quote, header)
        if reason:
            yield f"{name}: includes {header}: {reason}"


@pytest.mark.parametrize("component", sorted({RULES.component_of(name.removeprefix("src/")) or "none" for name in FILES}))
def test_component_includes_only_what_it_may(component):
    files = [name for name in FILES if (RULES.component_of(name.removeprefix("src/")) or "none") == component]
    found = [line for name in files for line in complaints(name)]
    assert not found, "\n" + "\n".join(found)


def test_public_headers_stand_alone():
    """What users include may need standard headers and our other public headers only."""
    found = [f"{name}: {header}" for name in PUBLIC
             for quote, header in include_rules.includes(project.text_of(name))
             if not header.startswith("trikal/") and header not in RULES.system and ("." in header or "/" in header)
             # Darshan's interface hands out uthash tables: who uses those has uthash.
             and (name, header) != ("include/trikal/compat/name-hash.h", "uthash.h")]
    assert not found, found


def test_every_component_has_a_rule():
    assert {component for component, _ in RULES.components} == set(RULES.may)


def below(component):
    """Every component that can be reached from this one by following the table."""
    seen, todo = set(), [component]
    while todo:
        fresh = RULES.may[todo.pop()] - seen
        seen |= fresh
        todo += fresh
    return seen


def test_the_rules_have_no_cycle():
    assert not [component for component in RULES.may if component in below(component)]


@pytest.mark.parametrize("path, quote, header, allowed", [
    ("base/hash.cpp", '"', "base/hash.hpp", True),
    ("base/hash.cpp", '"', "schema/fold.hpp", False),
    ("base/hash.cpp", "<", "iostream", False),
    ("log/codec/inflate.cpp", "<", "zlib.h", True),
    ("log/read/reader.cpp", "<", "zlib.h", False),
    ("report/text.cpp", '"', "cli/verb.hpp", False),
    ("modules/posix/schema.hpp", '"', "log/layout.hpp", False),
    ("modules/posix/wrappers.cpp", '"', "capture/interpose/wrapper.hpp", True),
    ("cli/run.cpp", '"', "capture/session/start.hpp", False),
    # Sub-components of the runtime: what starts and forks a session knows the wrappers and records, not the other way round.
    ("capture/process/start.cpp", '"', "capture/records/call_sites.hpp", True),
    ("capture/session/session.cpp", '"', "capture/records/call_sites.hpp", False),
    ("capture/session/session.hpp", '"', "capture/interpose/imports.hpp", False),
    ("capture/interpose/imports.cpp", '"', "capture/records/call_sites.hpp", False),
    ("capture/interpose/observed_call.hpp", '"', "capture/session/session.hpp", True),
    ("capture/guard/inside.cpp", '"', "capture/session/session.hpp", False),
    ("capture/guard/inside_test.cpp", '"', "capture/session/session.hpp", True),
    ("capture/records/errors.cpp", "<", "iostream", False),
    ("modules/posix/capture.cpp", '"', "capture/records/record_pool.hpp", True),
    ("modules/posix/schema.hpp", '"', "capture/records/record_pool.hpp", False),
    ("analyze/total.cpp", "<", "gtest/gtest.h", False),
    ("analyze/total_test.cpp", "<", "gtest/gtest.h", True),
    ("analyze/total.cpp", "<", "boost/any.hpp", False),
    ("attic/old.cpp", "<", "vector", False),
])
def test_the_judge_itself(path, quote, header, allowed):
    assert (RULES.judge(path, quote, header) is None) == allowed


def test_every_folder_of_the_runtime_has_a_rule():
    folders = {name.split("/")[2] for name in FILES if name.startswith("src/capture/") and name.count("/") == 3}
    assert {f"capture/{folder}" for folder in folders} <= set(RULES.may)


def test_a_star_stands_for_a_component_and_its_parts():
    sections = {"components": ["a a/*.hpp", "a/b a/b/*", "ab ab/*", "c c/*"], "may include": ["c : a/*"],
                "tests may also include": ["a/* : c"], "libraries": [], "system": [], "forbidden": ["a/* : iostream"]}
    rules = include_rules.Rules(sections)
    assert rules.may["c"] == {"a", "a/b"}
    assert rules.tests_may == {"a": {"c"}, "a/b": {"c"}}
    assert set(rules.forbidden) == {"a", "a/b"}
