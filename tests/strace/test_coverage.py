"""docs/coverage.md is what coverage.py writes: its figures are one machine's, the rest must be today's."""

import re

from coverage import HEAD, INTRO, PAGE, UNSEEN
from workloads import WORKLOADS


def test_the_page_is_not_stale():
    text = PAGE.read_text()
    assert text.startswith(INTRO + "\n" + HEAD), "run tests/strace/coverage.py"
    assert text.endswith(UNSEEN), "run tests/strace/coverage.py"


def test_every_program_is_in_the_table_and_agrees():
    rows = [line.split(" | ") for line in PAGE.read_text().splitlines() if line.startswith("| ") and line.endswith("yes |")]
    assert [row[0].removeprefix("| ") for row in rows] == [about for about, _, _ in WORKLOADS.values()]


def test_files_that_disagree_are_none():
    assert re.search(r"^Together: [0-9.]+ % of [0-9,]+ bytes; 0 files disagree", PAGE.read_text(), re.MULTILINE)
