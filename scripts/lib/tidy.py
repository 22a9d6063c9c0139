"""clang-tidy over the product's sources, one test a file, as many at a time as there are processors.

A file that was clean and whose text, included project headers, .clang-tidy and clang-tidy itself did not change
since is not looked at again. Unit tests are looked at only with --full: GoogleTest's headers cost more than they
teach. Sources given as arguments are looked at alone.
"""

import concurrent.futures
import functools
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD") or ROOT / "build" / "release")
CACHE = ROOT / "build" / "tidy-cache"
FULL = os.environ.get("TRIKAL_FULL") == "1"
PROGRAM = "clang-tidy-19"


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def chosen():
    names = output("git", "ls-files", "src/*.cpp").split()
    return [name for name in names if FULL or not name.endswith("_test.cpp")]


def dependencies():
    """{source: [files of the project it includes]} as ninja recorded them."""
    found = {}
    for block in output("ninja", "-C", str(BUILD), "-t", "deps").split("\n\n"):
        paths = [(BUILD / line.strip()).resolve() for line in block.splitlines()[1:] if line.startswith("    ")]
        own = [path for path in paths if path.is_relative_to(ROOT)]
        if own:
            found[str(own[0].relative_to(ROOT))] = own
    return found


@functools.cache
def configuration():
    files = output("git", "ls-files", "*.clang-tidy").split()
    return b"".join((ROOT / name).read_bytes() for name in files) + output(PROGRAM, "--version").encode()


def fingerprint(name, files):
    digest = hashlib.sha256(configuration())
    for path in sorted({ROOT / name, *files}):
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def inspect(name, files):
    """None when the file is clean, else what clang-tidy says."""
    mark = CACHE / fingerprint(name, files)
    if mark.exists():
        return None
    command = [PROGRAM, "-p", str(BUILD), "--quiet", str(ROOT / name)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode == 0:
        mark.touch()
        return None
    return re.sub(re.escape(str(ROOT)) + "/", "", done.stdout) or done.stderr


def write_junit(results, path):
    suite = ElementTree.Element("testsuite", name="tidy")
    for name, complaint in results.items():
        case = ElementTree.SubElement(suite, "testcase", classname="tidy", name=name)
        if complaint:
            line = re.search(r"^.*(?:error|warning): .*$", complaint, re.MULTILINE)
            ElementTree.SubElement(case, "failure", message=line.group() if line else "failed")
    ElementTree.ElementTree(suite).write(path)


def main():
    CACHE.mkdir(parents=True, exist_ok=True)
    names, included = sys.argv[1:] or chosen(), dependencies()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints = pool.map(lambda name: inspect(name, included.get(name, [])), names)
        results = dict(zip(names, complaints))
    for complaint in filter(None, results.values()):
        print(complaint)
    if os.environ.get("TRIKAL_JUNIT"):
        write_junit(results, pathlib.Path(os.environ["TRIKAL_JUNIT"]) / "tidy.xml")
    return 1 if any(results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
