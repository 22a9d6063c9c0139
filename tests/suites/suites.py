#!/usr/bin/env python3
"""Test suites of others, run bare and under trikal run: what passes bare must pass observed.

  suites.py NAME...            suites (see SUITES), default all
  suites.py --junit FILE       also writes the outcome as JUnit
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()
TRIKAL = BUILD / "bin" / "trikal"
PYTHON = "/usr/bin/python3"  # the one Debian's suites belong to

CPYTHON_FAST = "test_fileio test_file test_bufio test_tempfile test_mmap test_shutil test_pipes test_popen test_getpass".split()
CPYTHON_FULL = ("test_io test_os test_subprocess test_multiprocessing_fork test_multiprocessing_spawn "
                "test_multiprocessing_forkserver test_fcntl test_largefile test_pathlib test_posix test_tarfile "
                "test_zipfile test_gzip test_bz2 test_lzma test_csv test_json test_pickle test_mailbox "
                "test_dbm test_shelve test_threading test_signal test_asyncio test_concurrent_futures test_pty").split()
NUMPY = ("numpy.lib.tests.test_io numpy.lib.tests.test_format numpy.lib.tests.test_loadtxt "
         "numpy.lib.tests.test__datasource numpy.core.tests.test_memmap numpy.core.tests.test_records "
         "numpy.core.tests.test_longdouble").split()


def cpython(tests):
    return lambda report: [PYTHON, "-m", "test", "-j1", "--timeout", "600", "--junit-xml", report, *tests]


def numpy(tests):
    return lambda report: [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", "--junitxml", report,
                           "--pyargs", *tests]


# name: (command of a report's path, what must be there)
SUITES = {
    "cpython-files": (cpython(CPYTHON_FAST), "test.regrtest"),
    "cpython": (cpython(CPYTHON_FULL), "test.regrtest"),
    "numpy": (numpy(NUMPY), "numpy"),
}


def available(name):
    return subprocess.run([PYTHON, "-c", f"import {SUITES[name][1]}"], capture_output=True).returncode == 0


def results(report):
    """{test: outcome} of a JUnit file."""
    found = {}
    for case in xml.parse(report).iter("testcase"):
        outcome = "passed"
        for kind in ("failure", "error", "skipped"):
            if case.find(kind) is not None:
                outcome = kind
        key = f"{case.get('classname') or ''}.{case.get('name')}"
        if found.get(key) in (None, "passed"):  # subtests share a name: the worst counts
            found[key] = outcome
    return found


def run(name, observed):
    """(outcomes, seconds, last lines of output)."""
    with tempfile.TemporaryDirectory(prefix="trikal-suite-") as folder:
        report = os.path.join(folder, "report.xml")
        command = SUITES[name][0](report)
        if observed:
            command = [str(TRIKAL), "run", "--quiet", "--log", os.path.join(folder, "job.darshan"), "--", *command]
        (pathlib.Path(folder) / "work").mkdir()
        begin = time.monotonic()
        done = subprocess.run(command, cwd=os.path.join(folder, "work"), capture_output=True, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, env={**os.environ, "TMPDIR": folder})
        seconds = time.monotonic() - begin
        tail = "\n".join((done.stdout + done.stderr).splitlines()[-15:])
        return (results(report) if os.path.exists(report) else {}), seconds, tail


def compare(name):
    """(what went wrong only when observed, how many tests, seconds bare, seconds observed)."""
    bare, bare_seconds, tail = run(name, False)
    if not bare:
        return [f"{name} could not be run bare:\n{tail}"], 0, bare_seconds, 0
    seen, seen_seconds, tail = run(name, True)
    passed = {test for test, outcome in bare.items() if outcome == "passed"}
    worse = sorted(test for test in passed if seen.get(test) != "passed")
    if worse:  # tests that fail by chance do so bare as well: a second look
        again, more, tail = run(name, True)
        seen_seconds += more
        worse = [test for test in worse if again.get(test) != "passed"]
    wrong = [f"{test}: passed bare, {seen.get(test, 'missing')} observed" for test in worse]
    return wrong + ([tail] if wrong else []), len(passed), bare_seconds, seen_seconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=list(SUITES))
    parser.add_argument("--junit")
    options = parser.parse_args()
    suite = xml.Element("testsuite", name="suites")
    failed = False
    for name in options.names:
        case = xml.SubElement(suite, "testcase", classname="suites", name=name)
        if not available(name):
            xml.SubElement(case, "skipped", message=f"{SUITES[name][1]} is not installed")
            print(f"{name}: not installed")
            continue
        wrong, tests, bare, seen = compare(name)
        print(f"{name}: {tests} tests pass bare ({bare:.0f} s), {len(wrong)} of them not observed ({seen:.0f} s)")
        if wrong:
            failed = True
            xml.SubElement(case, "failure", message="\n".join(wrong))
            print("\n".join(wrong))
    if options.junit:
        xml.ElementTree(suite).write(options.junit)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
