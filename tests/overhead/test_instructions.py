"""What observing adds to a call, counted in instructions, which can be held to a limit. Only calls that stay in a stream's buffer
vary: they are timed as often as their pace says, and a busy machine changes that. Of these the least of three counts is taken."""

import platform

import pytest

import instructions
from conftest import BUILD


@pytest.fixture(scope="module")
def rows():
    if platform.machine() not in ("x86_64", "aarch64"):
        pytest.skip("valgrind counts are known for x86-64 and arm64 only")
    rows = instructions.added(BUILD)
    for _ in range(2):
        if not instructions.over(rows):
            break
        again = instructions.added(BUILD)
        rows = {call: min(rows[call], again[call], key=lambda counts: counts[1] - counts[0]) for call in rows}
    return rows


@pytest.mark.parametrize("call", instructions.LIMITS)
def test_a_call_costs_no_more_than_its_limit(rows, call):
    print(*instructions.table(rows), sep="\n")
    bare, seen = rows[call]
    assert seen - bare <= instructions.LIMITS[call]


def test_the_runtime_was_there(rows):
    """A library that was not loaded would pass every limit."""
    assert all(seen - bare > 20 for bare, seen in rows.values()), rows
