"""What the suites about the runtime share: libtrikal, trikal run, small programs compiled on the spot."""

import collections
import json
import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()
TRIKAL = BUILD / "bin" / "trikal"
RUNTIME = BUILD / "lib" / "libtrikal.so"
sys.path.insert(0, str(ROOT / "tests" / "independent"))


def sections(path):
    """The trailer's sections as lists of rows, decoded by a reader of its own."""
    from ground import trailer
    found = trailer.decode(pathlib.Path(path).read_bytes())
    text = lambda value: value.decode() if isinstance(value, bytes) else value
    return {name: [{column[1]: text(value) for column, value in zip(section.columns, row)} for row in section.rows]
            for name, section in found.items()}


def names_of(path):
    """Every name in the log by its id, files without a record included."""
    from ground import container
    data = pathlib.Path(path).read_bytes()
    header = container.parse_header(data)
    raw, problem = container.region(data, header, header.name_map)
    names, problem = container.parse_names(raw, header) if not problem else ([], problem)
    assert not problem, problem
    return {ident: name.decode("utf-8", "surrogateescape") for ident, name in names}


class Log:
    """Counters of a log: sums over records by file name."""

    def __init__(self, path):
        done = subprocess.run([TRIKAL, "parse", "--base", path], capture_output=True, check=True)
        self.path = path
        self.values = collections.defaultdict(int)
        self.names = names_of(path)
        self.ranks = set()
        for line in done.stdout.decode("utf-8", "surrogateescape").splitlines():
            fields = line.split("\t")
            if line.startswith("#") or len(fields) < 6 or "_F_" in fields[3]:
                continue
            self.values[fields[5], fields[3]] += int(fields[4])
            self.ranks.add(int(fields[1]))

    def __getitem__(self, key):
        return self.values[str(key[0]), key[1]]

    def files(self):
        return {name for name, _ in self.values}


def rows_of(log, table):
    """A table of a log's trailer, a dictionary a row."""
    done = subprocess.run([TRIKAL, "export", "-f", "json", "-t", table, "-o", "-", log], capture_output=True, check=True)
    exported = json.loads(done.stdout)["tables"][table]
    return [dict(zip([column["name"] for column in exported["columns"]], row)) for row in exported["rows"]]


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("programs")

    def build(name, *flags):
        binary = folder / f"{name}{''.join(flags).replace('/', '')}"
        if not binary.exists():
            subprocess.run(["cc", "-O1", "-Wall", "-Wextra", "-Werror", *flags, "-o", binary,
                            HERE / "programs" / f"{name}.c"], check=True)
        return binary
    return build


@pytest.fixture
def run(tmp_path):
    """trikal run: the finished process and its log."""
    def observe(*command, options=(), **more):
        path = tmp_path / "job.darshan"
        done = subprocess.run([TRIKAL, "run", "--force", "--log", path, *options, "--", *command], capture_output=True, timeout=120,
                              cwd=tmp_path, **more)
        assert path.exists(), done.stderr.decode()
        return done, Log(path)
    return observe


@pytest.fixture
def preload(tmp_path):
    """The environment of a program under plain preloading: logs and maps in folders of the test's own."""
    for folder in ("logs", "maps"):
        (tmp_path / folder).mkdir(exist_ok=True)
    return {**os.environ, "LD_PRELOAD": str(RUNTIME), "TRIKAL_LOGPATH": str(tmp_path / "logs"),
            "TRIKAL_MAP_DIRECTORY": str(tmp_path / "maps")}
