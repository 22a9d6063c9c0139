"""A JUnit file of many small tests, as scripts/test reads it."""

import os
import pathlib
from xml.sax.saxutils import escape, quoteattr


def write(suite, cases):
    """`cases`: (class, name, None or what went wrong). Nothing is written outside of scripts/test."""
    folder = os.environ.get("TRIKAL_JUNIT")
    if not folder:
        return
    failures = sum(1 for _, _, problem in cases if problem)
    lines = ['<?xml version="1.0" encoding="utf-8"?>',
             f'<testsuite name={quoteattr(suite)} tests="{len(cases)}" failures="{failures}" errors="0" skipped="0">']
    for group, name, problem in cases:
        head = f"<testcase classname={quoteattr(group)} name={quoteattr(name)}"
        if problem:
            first = problem.splitlines()[0]
            lines.append(f"{head}><failure message={quoteattr(printable(first))}>{escape(printable(problem))}"
                         "</failure></testcase>")
        else:
            lines.append(f"{head}/>")
    lines.append("</testsuite>")
    (pathlib.Path(folder) / f"{suite}.xml").write_text("\n".join(lines) + "\n")


def printable(text):
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)
