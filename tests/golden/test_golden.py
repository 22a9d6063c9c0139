"""The golden programs of the shared folder under libtrikal, their counters beside those Darshan recorded.

Every difference must stand in exceptions.tsv, with both values and the reason; a line there that no longer applies
fails too.
"""

import csv
import fnmatch
import os
import pathlib
import re
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()
sys.path.append(str(ROOT / "tests" / "support"))
from log_files import SHARED, rows_about_shared  # noqa: E402  behind the path

GOLDEN = SHARED / "golden"
INSTEAD = "test_steps.py has programs of our own"

PROGRAMS = ("posix_seq posix_sizes posix_meta posix_vec posix_aio posix_switch posix_align stdio_basic stdio_text "
            "cpp_streams cpp_small threads forked fortran_io copyops many_files names fortify").split()
PROCESSES = {"forked": [f"forked.p{i}" for i in range(5)]}
VALUE = re.compile(r"(?P<record>.*): (?P<counter>[^:]*): golden (?P<golden>.*), candidate (?P<ours>.*)$")
TIME = re.compile(r"(?P<record>.*): (?P<counter>\S+) is (?P<ours>\S+), golden is (?P<golden>\S+) \(must")
ALONE = re.compile(r"(?P<record>.*): record (?P<ours>only in|missing in) candidate$")


def exceptions():
    with open(HERE / "exceptions.tsv", newline="") as table:
        return list(csv.DictReader((line for line in table if not line.startswith("#")), delimiter="\t"))


def moment(text):
    return "never" if float(text) == 0 else "some time"


def difference(line):
    """One line of compare.py as (record, counter, golden, ours)."""
    line = re.sub(r"^quirk: ", "", line.strip())
    if found := VALUE.match(line):
        return found["record"], found["counter"], found["golden"], found["ours"]
    if found := TIME.match(line):
        return found["record"], found["counter"], moment(found["golden"]), moment(found["ours"])
    if found := ALONE.match(line):
        return (found["record"], "", "-", "record") if found["ours"] == "only in" else (found["record"], "", "record", "-")
    return None


def matches(row, found):
    # Names hold brackets that are not patterns.
    return all(fnmatch.fnmatchcase(have, row[column].replace("[", "[[]")) for column, have in
               zip(("record", "counter", "darshan", "right"), found))


@pytest.fixture(scope="session")
def work(tmp_path_factory):
    folder = tmp_path_factory.mktemp("golden")
    (folder / "bin").mkdir()
    subprocess.run(["make", "-s", "-C", str(GOLDEN), f"BIN={folder}/bin"], check=True, capture_output=True)
    return folder


def run(work, name):
    """Runs one program; answers with the table of each of its processes."""
    env = {**os.environ, "G": str(work), "PRELOAD": str(BUILD / "lib" / "libtrikal.so"),
           "PARSER": str(BUILD / "bin" / "darshan-parser"),
           "TOOL_ENV": "TRIKAL_LOGPATH=%L"}
    out = work / "tables"
    subprocess.run([str(GOLDEN / "tools" / "run.sh"), str(out), name], env=env, check=True, capture_output=True,
                   timeout=300)
    if name == "forked":
        put_last_program_first(out / "forked.p4.tsv", out / "forked.p5.tsv")
    return [out / f"{process}.tsv" for process in PROCESSES.get(name, [name])]


def put_last_program_first(fourth, fifth):
    """The last child becomes another program and leaves two logs under one process id, in no certain order; Darshan
    left only the second's."""
    if fifth.exists() and b"helper.dat" not in fourth.read_bytes():
        fifth.replace(fourth)


def compare(table):
    golden = GOLDEN / "runs" / table.name
    golden = golden if golden.exists() else golden.with_name(golden.name + ".gz")
    done = subprocess.run([str(GOLDEN / "compare.py"), "--quirks", str(golden), str(table)], capture_output=True,
                          text=True)
    assert done.returncode in (0, 1), done.stderr
    return [difference(line) for line in done.stdout.splitlines() if not re.search(r": \d+ differences$|^note", line)]


def unsaid(row, table):
    """compare.py allows two bytes a bin of a heat map: of a run that took long, it does not tell small differences."""
    if not row["record"].startswith("HEATMAP"):
        return False
    bins = {line.split("\t")[3] for line in table.read_text(errors="surrogateescape").splitlines() if "\tHEATMAP_READ_BIN_" in line}
    return len(bins) > 1 and abs(int(row["darshan"]) - int(row["right"])) <= 2 * len(bins)


def check(table):
    process = table.stem
    mine = [row for row in exceptions() if fnmatch.fnmatchcase(process, row["program"])]
    mine.sort(key=lambda row: row["program"] != process)  # what is said of this program alone comes first
    used, unexplained = set(), []
    for found in compare(table):
        hit = next((i for i, row in enumerate(mine) if found and matches(row, found)), None)
        used.add(hit) if hit is not None else unexplained.append(found)
    assert not unexplained, f"{process}: {len(unexplained)} unexplained: {unexplained[:20]}"
    stale = [row for i, row in enumerate(mine) if i not in used and row["program"] == process and not unsaid(row, table)]
    assert not stale, f"{process}: exceptions that no longer apply: {stale}"


@rows_about_shared("name", [(name,) for name in PROGRAMS], INSTEAD)
def test_counters(work, name):
    for table in run(work, name):
        check(table)
