"""What drishti-io says of logs, trikal says as well, or there is a reason why it is not so (drishti_answers.py)."""

import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

from drishti_answers import ANSWERS, DESCRIPTIONS, PAGE, table
from test_insights import ROOT, trikal

sys.path.append(str(ROOT / "tests" / "support"))
from log_files import OWN, REAL, reads_logs  # noqa: E402  behind the path

pytest.importorskip("drishti", reason="drishti-io is not installed: tests/requirements.txt names it, scripts/install-deps installs it")
HERE = pathlib.Path(__file__).parent
LOGS = [*OWN, *REAL]


@pytest.fixture(scope="module")
def triggers():
    """{log: codes}, of one process: importing pandas takes as long as twenty logs."""
    done = subprocess.run([sys.executable, HERE / "drishti_codes.py", *LOGS], capture_output=True, text=True, timeout=600,
                          env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert len(answer) == len(LOGS)
    return {pathlib.Path(log): codes for log, codes in answer.items()}


def totals(log):
    done = trikal("parse", "--total", log)
    assert done.returncode in (0, 4), done.stderr
    values = {name: float(value) for name, value in re.findall(r"^total_([A-Z_0-9a-z]+): (-?[\d.e+-]+)$", done.stdout, re.M)}
    values["nprocs"] = float(re.search(r"^# nprocs: (\d+)", done.stdout, re.M)[1])
    return values


def dismissed(log, code):
    """Whether a reason is right here: its log is named and what it says of the counters holds."""
    for reason in ANSWERS[code].reasons:
        if any(fnmatch.fnmatch(log.stem, pattern) for pattern in reason.logs):
            assert reason.holds(totals(log)), f"{log.stem}: {code} is no longer so: {reason.why}"
            return reason
    return None


@reads_logs
def test_every_trigger_is_answered(triggers):
    unanswered, used = [], set()
    for log, codes in triggers.items():
        done = trikal("insights", "--json", log)
        assert done.returncode in (0, 4), done.stderr
        ours = {finding["code"] for finding in json.loads(done.stdout)["findings"]}
        for code in set(codes) - set(DESCRIPTIONS):
            if ours & set(ANSWERS[code].same):
                continue
            reason = dismissed(log, code)
            used.add(reason)
            if reason is None:
                unanswered.append((log.stem, code, sorted(ours)))
    assert not unanswered
    if REAL:
        known = {reason for answer in ANSWERS.values() for reason in answer.reasons}
        assert known <= used, f"reasons for nothing: {[reason.why for reason in known - used]}"


@reads_logs
def test_it_finds_what_it_is_for(triggers):
    """The package runs, rather than stumbling over every log."""
    by_name = {log.stem: codes for log, codes in triggers.items()}
    assert {"P05", "P06"} <= set(by_name["run-checkpoint"])
    assert sum(bool(codes) for codes in triggers.values()) >= len(LOGS) - 1


def test_the_page_is_the_table():
    assert PAGE.read_text() == table(), "run: python3 tests/insights/drishti_answers.py"
