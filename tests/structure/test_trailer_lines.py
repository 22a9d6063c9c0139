"""Descriptions of the trailer's columns are referred to by number (docs/formats/trailer-lines.txt): one that is not in the list
is written out in full, which makes every log larger that has it."""

import re

from project import ROOT

LINES = (ROOT / "docs" / "formats" / "trailer-lines.txt").read_text().splitlines()
UNITS = {"kUnitRecordId": "record-id", "kUnitRank": "rank", "kUnitTimestamp": "timestamp", "kUnitBytes": "bytes",
         "kCalls": "calls", "kBytes": "bytes", "kSeconds": "seconds", "kNone": ""}
TEXT = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
COLUMN = re.compile(r'\{\s*"(\w+)",\s*(?:log::)?ColumnType::k(\w+),\s*(?:"([^"]*)"|(?:log::)?(kUnit\w+)),\s*' + TEXT + r"\}")
SECTION = re.compile(r'SectionSchema k\w+ = \{\s*"(\w+)",\s*' + TEXT)
COUNTER = re.compile(r'\{\s*"(\w+)",\s*Unit::(k\w+),\s*Fold::k\w+,\s*' + TEXT + r"\}")


def plain(literals):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))


def described():
    """(the file, the line that describes a column or section there)"""
    for path in sorted(ROOT.glob("src/**/*.[ch]pp")):
        if path.name.endswith("_test.cpp"):
            continue
        text = path.read_text()
        for name, kind, free, known, about in COLUMN.findall(text):
            yield path, "\t".join([kind.lower(), name, UNITS[known] if known else free, plain(about)])
        for name, about in SECTION.findall(text):
            yield path, "\t".join(["section", name, "", plain(about)])
        if path.name == "extra.hpp":
            for name, unit, about in COUNTER.findall(text):
                yield path, "\t".join(["f64" if "_F_" in name else "i64", name, UNITS[unit], plain(about)])


def test_the_sources_describe_columns():
    found = [line for _, line in described()]
    assert len(found) > 100 and "section\tprocesses\t\tevery process of the job" in found


def test_every_description_has_a_number():
    missing = [f"{path.relative_to(ROOT)}: {line}" for path, line in described() if line not in LINES]
    assert not missing, "to be added behind the last line of docs/formats/trailer-lines.txt:\n" + "\n".join(missing)
