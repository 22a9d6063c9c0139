#!/usr/bin/env python3
"""Runs PyDarshan's own tests twice, with the library of its wheel and with ours, and compares.

  suite.py [--junit FILE] [PYTEST ARGUMENT...]

Every test that passes with the original must pass with ours. The project's tests read logs of a package
that is not in the wheel; those of them that are in the shared folder are given to it under their names, beside
logs of our own, and tests of other logs fail in both runs and count in neither.
"""

import argparse
import collections
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import package

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


def names_in_tests(folder):
    """File names of logs that the tests mention."""
    found = set()
    for source in folder.glob("tests/*.py"):
        found.update(re.findall(r"""["']([^"'/]+\.darshan)["']""", source.read_text()))
    return found


def make_log_package(target, wanted):
    """A package darshan_logs of links, in folders as the tests ask for them. In the shared folder names are
    'folder--start of the name'; 'dlio-' is such a folder, too."""
    (target / "darshan_logs").mkdir(parents=True)
    (target / "darshan_logs" / "__init__.py").write_text("")
    for log in package.logs():
        folder, _, start = log.stem.rpartition("--")
        if start.startswith("dlio-"):
            folder = "dlio_logs"
        full = [name for name in wanted if name == start + ".darshan" or name.startswith(start + "_")]
        directory = target / "darshan_logs" / folder
        directory.mkdir(exist_ok=True)
        # Each log once: tests that read every log of the package find it by any name.
        (directory / (full[0] if full else log.name)).symlink_to(log)
    return target


def read_results(path, folder):
    """{test: (outcome, first line of the reason)}; folder is where the package lay."""
    results = {}
    for case in ElementTree.parse(path).iter("testcase"):
        outcome, reason = PASSED, ""
        for child in case:
            if child.tag in ("failure", "error"):
                outcome, reason = FAILED, child.get("message") or ""
            elif child.tag == "skipped":
                outcome, reason = SKIPPED, child.get("message") or ""
        name = case.get("name").replace(str(folder), "")  # some tests are called by the path of their log
        reason = reason.replace(str(folder), "").splitlines()[0] if reason else ""
        results[f"{case.get('classname')}::{name}"] = (outcome, reason)
    return results


def run(label, folder, paths, arguments):
    """Runs the tests of the package below folder; paths come first on Python's path."""
    results = folder.parent / f"{label}.xml"
    env = package.environment(paths[0] if label == "ours" else None)
    env["PYTHONPATH"] = ":".join(map(str, paths))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder),
               "--junitxml", str(results), str(folder / "tests"), *arguments]
    with (folder.parent / f"{label}.log").open("wb") as log:
        done = subprocess.run(command, cwd=folder.parent, env=env, stdout=log, stderr=log)
    if done.returncode not in (0, 1):
        tail = (folder.parent / f"{label}.log").read_text(errors="replace").splitlines()[-20:]
        raise SystemExit(f"the tests with the library '{label}' ended with status {done.returncode}:\n" + "\n".join(tail))
    return read_results(results, folder)


def run_both(work, arguments):
    """Outcomes with the original and with ours, side by side in time."""
    original = package.installed()
    copy = package.copy_without_library(work / "ours")
    # The original runs from a copy as well, with its library beside it, so that nothing is written to the venv.
    theirs = package.copy_without_library(work / "original")
    (theirs / "darshan.libs").symlink_to(package.bundled().parent)
    logs = make_log_package(work / "logs", names_in_tests(original))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        with_theirs = pool.submit(run, "original", theirs / "darshan", [theirs, logs], arguments)
        with_ours = pool.submit(run, "ours", copy / "darshan", [copy, logs], arguments)
        return with_theirs.result(), with_ours.result()


def write_junit(path, wanted, ours):
    suite = ElementTree.Element("testsuite", name="pydarshan-suite")
    for test in wanted:
        classname, _, name = test.partition("::")
        case = ElementTree.SubElement(suite, "testcase", classname=classname, name=name)
        outcome, reason = ours.get(test, (FAILED, "not run"))
        if outcome != PASSED:
            ElementTree.SubElement(case, "failure", message=f"{outcome} with ours: {reason}")
    ElementTree.ElementTree(suite).write(path)


def show_reasons(outcome, results):
    """Why tests do not pass with the original, the most frequent reason first."""
    reasons = collections.Counter(reason for held, reason in results.values() if held == outcome)
    for reason, count in reasons.most_common():
        print(f"  original, {outcome}: {count:4} {reason[:150]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--junit", type=pathlib.Path)
    options, arguments = parser.parse_known_args()
    if package.bundled() is None:
        print("PyDarshan with its own library is not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        original, ours = run_both(pathlib.Path(folder), arguments)
    for label, results in (("original", original), ("ours", ours)):
        counts = collections.Counter(outcome for outcome, _ in results.values())
        print(f"{label:<9}" + "".join(f"{counts[outcome]:6} {outcome}" for outcome in (PASSED, FAILED, SKIPPED)))
    for outcome in (FAILED, SKIPPED):
        show_reasons(outcome, original)
    wanted = [test for test, (outcome, _) in original.items() if outcome == PASSED]
    lost = [test for test in wanted if ours.get(test, (FAILED, ""))[0] != PASSED]
    won = [test for test, (outcome, _) in ours.items() if outcome == PASSED and test not in wanted]
    for title, tests in (("only with the original", lost), ("only with ours", won)):
        print(f"{len(tests)} pass {title}")
        for test in tests:
            print(f"  {test}: {ours.get(test, ('', 'not run'))[1][:200]}")
    other = [test for test, held in original.items() if held[0] == FAILED and ours.get(test, held) != held]
    print(f"{len(other)} fail with both for different reasons")
    for test in other:
        print(f"  {test}:\n    original: {original[test][1][:200]}\n    ours:     {ours[test][1][:200]}")
    if options.junit:
        write_junit(options.junit, wanted, ours)
    return 1 if lost or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
