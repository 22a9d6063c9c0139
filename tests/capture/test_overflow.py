"""Once memory is full, further files share a record: it is told how many do, and it is judged as one file by no rule."""

import json
import os
import re
import subprocess

import pytest

from conftest import TRIKAL, Log

OVERFLOW = "<other files on "


@pytest.fixture(scope="module")
def full(program, tmp_path_factory):
    """4,000 files with memory for some hundreds."""
    folder = tmp_path_factory.mktemp("full")
    done = subprocess.run([TRIKAL, "run", "--log", folder / "job.darshan", "--", program("more_files"), "4000"], cwd=folder,
                          capture_output=True, text=True, timeout=120, env={**os.environ, "TRIKAL_MEMORY": "1"})
    assert done.returncode == 0, done.stderr
    return folder / "job.darshan", done.stderr


def test_totals_are_exact(full):
    log = Log(full[0])
    assert sum(value for (_, counter), value in log.values.items() if counter == "POSIX_BYTES_WRITTEN") == 5 * 4000
    assert any(name.startswith(OVERFLOW) for name in log.files())


def test_each_file_counts_once(full):
    path, said = full
    own = {name for name in Log(path).files() if "/file0" in name}
    shared = int(re.search(r"about ([\d,]+) files share a record", said)[1].replace(",", ""))
    assert abs(len(own) + shared - 4000) <= 40, (len(own), shared)
    total = int(re.search(r"([\d,]+) files · metadata", said)[1].replace(",", ""))
    assert abs(total - 4000) <= 40
    summary = json.loads(subprocess.run([TRIKAL, "summary", "--json", path], capture_output=True, check=True).stdout)
    assert abs(summary["io"]["files"] - 4000) <= 40


def test_no_rule_takes_it_for_a_file(full):
    done = subprocess.run([TRIKAL, "insights", "--json", full[0]], capture_output=True, text=True, check=True)
    findings = json.loads(done.stdout)["findings"]
    assert findings and OVERFLOW not in done.stdout and not re.search(r": >( |$)", full[1], re.M)
    assert not {finding["code"] for finding in findings} & {"reopen", "random-writes", "rewrite", "reread", "stat-storm"}
