"""What observing adds to a call, counted in instructions: they do not jitter, so they can be held to a limit."""

import platform

import pytest

import instructions
from conftest import BUILD


@pytest.fixture(scope="module")
def rows():
    if platform.machine() not in ("x86_64", "aarch64"):
        pytest.skip("valgrind counts are known for x86-64 and arm64 only")
    return instructions.added(BUILD)


@pytest.mark.parametrize("call", instructions.LIMITS)
def test_a_call_costs_no_more_than_its_limit(rows, call):
    print(*instructions.table(rows), sep="\n")
    bare, seen = rows[call]
    assert seen - bare <= instructions.LIMITS[call]


def test_the_runtime_was_there(rows):
    """A library that was not loaded would pass every limit."""
    assert all(seen - bare > 20 for bare, seen in rows.values()), rows
