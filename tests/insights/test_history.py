"""`trikal insights --history`: a program run several times with large calls, then with small ones."""

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()
TRIKAL = BUILD / "bin" / "trikal"
CODE = "slower-than-history"


def trikal(*words):
    return subprocess.run([TRIKAL, *map(str, words)], capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Five runs with large calls in a folder of theirs, then one with small ones: slower on the busiest machine."""
    folder = tmp_path_factory.mktemp("history")
    (folder / "logs" / "2026" / "11").mkdir(parents=True)

    def run(size, count, log):
        done = trikal("run", "--quiet", "--log", log, "--", "dd", "if=/dev/zero", f"of={folder}/copy", f"bs={size}",
                      f"count={count}", "status=none")
        assert done.returncode == 0, done.stderr
        return log

    for number in range(5):
        run(1 << 20, 16, folder / "logs" / "2026" / "11" / f"{number}.darshan")
    return folder, run(64, 1 << 18, folder / "slow.darshan")


def found(*words):
    done = trikal("insights", "--json", *words)
    assert done.returncode == 0, done.stderr
    return {finding["code"]: finding for finding in json.loads(done.stdout)["findings"]}


def test_slower_than_ever(logs):
    folder, slow = logs
    assert CODE not in found(slow)
    finding = found(slow, "--history", folder / "logs")[CODE]
    assert "of 5 earlier runs" in finding["title"]
    assert 0 < finding["seconds"] < 60
    one_by_one = found(slow, "--history", *sorted((folder / "logs").glob("**/*.darshan")))[CODE]
    assert one_by_one["title"] == finding["title"]


def test_runs_of_another_time_or_program_do_not_count(logs, tmp_path):
    folder, slow = logs
    first = folder / "logs" / "2026" / "11" / "0.darshan"
    assert CODE not in found(first, "--history", folder)  # all others came later
    other = tmp_path / "other.darshan"
    assert trikal("run", "--quiet", "--log", other, "--", "cp", slow, tmp_path / "copy").returncode == 0
    assert CODE not in found(other, "--history", folder)


def test_a_log_that_cannot_be_read_costs_a_line(logs, tmp_path):
    folder, slow = logs
    (tmp_path / "noise.darshan").write_bytes(b"noise" * 1000)
    done = trikal("insights", "--json", slow, "--history", folder / "logs", tmp_path)
    assert done.returncode == 0 and CODE in done.stdout
    assert len(done.stderr.splitlines()) == 1 and "noise.darshan" in done.stderr
