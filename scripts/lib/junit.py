"""Reads the JUnit files that ctest and pytest write."""

import pathlib
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field

SLOWEST = 10


@dataclass
class Suite:
    name: str
    run: int = 0  # tests that were found, skipped ones included
    failures: list = field(default_factory=list)  # (test, first line of the message)
    skips: list = field(default_factory=list)  # (test, reason)
    seconds: float = 0.0  # of all its tests, one after the other
    slowest: list = field(default_factory=list)  # (seconds, test)


def first_line(text):
    """The first line that says something: pytest's begins with a bare 'AssertionError:' now and then."""
    lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
    if len(lines) > 1 and lines[0].endswith("Error:"):
        lines = [" ".join(lines[:2])]
    return lines[0] if lines else "no message"


def skip_reason(case, skipped):
    """pytest puts the reason into the element; GoogleTest prints it after a line ending in 'Skipped'."""
    printed = re.search(r": Skipped\n(.+)", case.findtext("system-out") or "")
    return printed.group(1).strip() if printed else first_line(skipped.get("message"))


def failure_message(case, failure):
    printed = re.search(r": Failure\n(.+)", case.findtext("system-out") or "")
    return printed.group(1).strip() if printed else first_line(failure.get("message") or failure.text)


def label(case):
    module = (case.get("classname") or "").removeprefix("tests.")
    name = case.get("name") or "?"
    return name if not module or module == name else f"{module}::{name}"


def note_time(suite, case):
    seconds = float(case.get("time") or 0)
    suite.seconds += seconds
    suite.slowest = sorted([*suite.slowest, (seconds, label(case))], reverse=True)[:SLOWEST]


def add_case(suite, case):
    suite.run += 1
    note_time(suite, case)
    broken = [child for child in case if child.tag in ("failure", "error")]
    skipped = case.find("skipped")
    if broken or case.get("status") == "fail":
        message = failure_message(case, broken[0]) if broken else "failed"
        suite.failures.append((label(case), message))
    elif skipped is not None or case.get("status") in ("notrun", "disabled"):
        reason = skip_reason(case, skipped) if skipped is not None else "disabled"
        suite.skips.append((label(case), reason))


def read(path):
    """A file that cannot be read, or that holds no test, is a failure: something died while writing it."""
    suite = Suite(pathlib.Path(path).stem)
    try:
        for case in ElementTree.parse(path).getroot().iter("testcase"):
            add_case(suite, case)
    except ElementTree.ParseError as error:
        suite.failures.append((suite.name, f"unreadable result file: {error}"))
    if suite.run == 0:
        suite.run = 1
        suite.failures = suite.failures or [(suite.name, "no test was found")]
    return suite
