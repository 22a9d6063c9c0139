"""How long a job took that was killed, and how many processes it was."""

import json
import re
import subprocess
import time

from conftest import TRIKAL, sections

# Writes, waits, and is killed.
KILLED = "printf hello > out; sleep {wait}; kill -9 $$"


def run_time(log):
    told = subprocess.run([TRIKAL, "summary", "--json", log], capture_output=True, text=True, check=True).stdout
    job = json.loads(told)["job"]
    return job["seconds"], job.get("seconds_at_least", False)


def test_a_killed_job_took_as_long_as_it_did(tmp_path):
    log = tmp_path / "job.darshan"
    begin = time.monotonic()
    done = subprocess.run([TRIKAL, "run", "--log", log, "--", "bash", "-c", KILLED.format(wait=2)], cwd=tmp_path,
                          capture_output=True, text=True, timeout=60)
    took = time.monotonic() - begin
    assert done.returncode == -9
    seconds, at_least = run_time(log)
    assert 2 <= seconds <= took and not at_least
    assert float(re.search(r"([\d.]+) s, (\d+) % of it in I/O", done.stderr)[2]) < 50


def test_a_recovered_one_took_at_least_so_long(preload, tmp_path):
    done = subprocess.run(["bash", "-c", KILLED.format(wait=0.1)], env=preload, cwd=tmp_path, timeout=60)
    assert done.returncode == -9
    (path,) = (path for path in (tmp_path / "maps").rglob("*.map"))
    subprocess.run([TRIKAL, "recover", "-o", tmp_path, path], capture_output=True, check=True, timeout=60)
    (log,) = tmp_path.glob("*.darshan")
    seconds, at_least = run_time(log)
    assert seconds > 0 and at_least
    told = subprocess.run([TRIKAL, "summary", log], capture_output=True, text=True, check=True).stdout
    assert re.search(r"at least [\d.]+ \w+, at most \d+ % of it in I/O", told)
    merged = tmp_path / "merged.darshan"
    subprocess.run([TRIKAL, "merge", "-o", merged, log], check=True)
    assert run_time(merged)[1]
    subprocess.run([TRIKAL, "merge", "--force", "-o", merged, "--job-end-time", "2000000000", log], check=True)
    assert not run_time(merged)[1]


def test_a_process_is_one_however_many_programs_it_was(tmp_path):
    """A shell that ends by becoming another program, and a child of its."""
    log = tmp_path / "job.darshan"
    script = "echo one > a; cat a > b; exec cat b"
    done = subprocess.run([TRIKAL, "run", "--log", log, "--", "sh", "-c", script], cwd=tmp_path, capture_output=True,
                          text=True, timeout=60)
    assert done.returncode == 0 and "2 processes, 2 with I/O" in done.stderr, done.stderr
    assert len(sections(log)["processes"]) >= 3
    assert {row["rank"] for row in sections(log)["processes"]} - {-1} == {0, 1}
    job = json.loads(subprocess.run([TRIKAL, "summary", "--json", log], capture_output=True, check=True).stdout)["job"]
    assert job["nprocs"] == 2


def test_a_program_without_io_lacks_no_rank(tmp_path):
    log = tmp_path / "job.darshan"
    done = subprocess.run([TRIKAL, "run", "--log", log, "--", "true"], capture_output=True, text=True, timeout=60)
    told = subprocess.run([TRIKAL, "summary", "--json", log], capture_output=True, text=True, check=True).stdout
    assert done.returncode == 0 and "not in this log" not in done.stderr
    assert json.loads(told)["warnings"] == []
