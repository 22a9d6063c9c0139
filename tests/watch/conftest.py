"""What the tests of trikal watch share: the program, sums of stores and logs."""

import collections
import fcntl
import json
import os
import pathlib
import re
import subprocess
import tempfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()
TRIKAL = BUILD / "bin" / "trikal"
RUNTIME = BUILD / "lib" / "libtrikal.so"

CALLS = {"read": ("READS", "INDEP_READS", "COLL_READS", "SPLIT_READS", "NB_READS"),
         "write": ("WRITES", "INDEP_WRITES", "COLL_WRITES", "SPLIT_WRITES", "NB_WRITES"),
         "metadata": ("OPENS", "INDEP_OPENS", "COLL_OPENS", "SEEKS", "STATS", "MMAPS", "FSYNCS", "FDSYNCS", "FLUSHES", "SYNCS",
                      "VIEWS")}
BYTES = {"read": "BYTES_READ", "write": "BYTES_WRITTEN"}
SECONDS = {"read": "F_READ_TIME", "write": "F_WRITE_TIME", "metadata": "F_META_TIME"}
NAMES = {"MPIIO": "MPI-IO"}


def sql(store, query):
    """The rows of a query, each a dictionary."""
    done = subprocess.run([TRIKAL, "sql", "--json", store, query], capture_output=True, check=True)
    return json.loads(done.stdout)


def stored(store, view="rollups", where="1"):
    """{(interface, operation): (calls, bytes, seconds)} of everything that was stored."""
    rows = sql(store, f"SELECT interface, operation, sum(calls) AS c, sum(bytes) AS b, sum(seconds) AS s FROM {view} WHERE {where} GROUP BY 1, 2")
    return {(row["interface"], row["operation"]): (row["c"], row["b"], row["s"]) for row in rows}


def logged(*logs):
    """The same from the totals of logs, digit for digit as they are printed."""
    sums = collections.defaultdict(lambda: [0, 0, 0.0])
    for log in logs:
        text = subprocess.run([TRIKAL, "parse", "--total", log], capture_output=True, check=True, text=True).stdout
        totals = {name: float(value) if "." in value else int(value)
                  for name, value in re.findall(r"^total_(\w+): (\S+)$", text, re.MULTILINE)}
        for prefix in {name.split("_")[0] for name in totals}:
            for operation, calls in CALLS.items():
                entry = sums[NAMES.get(prefix, prefix), operation]
                entry[0] += sum(max(0, totals.get(f"{prefix}_{call}", 0)) for call in calls)
                entry[1] += totals.get(f"{prefix}_{BYTES.get(operation)}", 0)
                entry[2] += totals.get(f"{prefix}_{SECONDS[operation]}", 0)
    return {key: tuple(value) for key, value in sums.items() if value[0] or value[1] or value[2]}


def assert_same(store, *logs, where="1"):
    """What was stored adds up to what the logs say: calls and bytes exactly, seconds to the last digit a log prints."""
    have, want = stored(store, where=where), logged(*logs)
    assert want and have.keys() == want.keys()
    for key, (calls, size, seconds) in want.items():
        assert have[key][:2] == (calls, size), key
        assert abs(have[key][2] - seconds) <= 0.6e-6 * len(logs), key
    assert stored(store, "totals", where) == have


@pytest.fixture
def alone():
    """For tests that leave rings without a reader for a moment, and those that take over all there are (watch --all)."""
    with open(pathlib.Path(tempfile.gettempdir()) / f"trikal-tests-all-{os.getuid()}", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("programs")

    def build(name, *flags, compiler="cc"):
        binary = folder / f"{name}-{compiler}"
        if not binary.exists():
            [source] = [path for folder_name in ("watch", "capture")
                        for path in (ROOT / "tests" / folder_name / "programs").glob(f"{name}.c")]
            subprocess.run([compiler, "-O1", "-Wall", "-Wextra", "-Werror", *flags, "-o", binary, source], check=True)
        return binary
    return build
