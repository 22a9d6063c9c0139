"""However a process ends, what it did is in the log."""

import mmap
import os
import random
import signal
import struct
import subprocess
import time

import endings_table
import pytest

from conftest import Log, TRIKAL

BYTES = 100 * 64
# how: (what a shell would see, processes that wrote)
ENDINGS = {"return": 0, "exit": 3, "_exit": 4, "quick_exit": 5, "exit_group": 6, "abort": -signal.SIGABRT,
           "segv": -signal.SIGSEGV, "term": -signal.SIGTERM, "kill": -signal.SIGKILL, "exec": 0, "self": 3}


@pytest.mark.parametrize("how", ENDINGS)
def test_run_sees_all_and_ends_alike(program, run, tmp_path, how):
    data = tmp_path / "out.dat"
    done, log = run(program("endings"), data, how)
    assert done.returncode == ENDINGS[how]
    assert done.stdout == b""
    assert log[data, "POSIX_BYTES_WRITTEN"] == data.stat().st_size == (2 * BYTES if how == "self" else BYTES)
    assert len(log.ranks) == 1, "a process is one, however many programs it was"


def wait_for(happened):
    for _ in range(20000):
        if happened():
            return
        time.sleep(0.001)
    pytest.fail("the program did not begin within 20 s")


def logs_of(folder):
    return sorted(folder.rglob("*.darshan"))


@pytest.mark.parametrize("how", ENDINGS)
def test_plain_preload_leaves_a_log_or_what_recover_needs(program, preload, tmp_path, how):
    data = tmp_path / "out.dat"
    done = subprocess.run([program("endings"), data, how], env=preload, capture_output=True, timeout=60)
    assert done.returncode == ENDINGS[how] and done.stdout == done.stderr == b""
    recovered = subprocess.run([TRIKAL, "recover", "-o", tmp_path / "logs", f"{tmp_path}/maps/trikal-{os.geteuid()}"],
                               capture_output=True, timeout=60)
    assert recovered.returncode == 0, recovered.stderr
    written = sum(Log(path)[data, "POSIX_BYTES_WRITTEN"] for path in logs_of(tmp_path / "logs"))
    assert written == data.stat().st_size
    assert not list((tmp_path / "maps").rglob("*.map")), "a map was left although its log exists"


def test_the_page_is_not_stale():
    assert endings_table.PAGE.read_text() == endings_table.page(), "run tests/capture/endings_table.py"


def test_killed_at_any_moment(program, preload, tmp_path):
    """Recovered within one operation of what the program itself counted, every time."""
    rounds = 50 if os.environ.get("TRIKAL_FULL") == "1" else 12
    seed = int(os.environ.get("TRIKAL_SEED", "20261115"))
    print(f"seed {seed}")
    moments = random.Random(seed)
    for attempt in range(rounds):
        data, count = tmp_path / f"{attempt}.dat", tmp_path / f"{attempt}.count"
        writer = subprocess.Popen([program("counting_writer"), data, count], env=preload)
        wait_for(lambda: count.exists() and count.stat().st_size >= 4096)
        time.sleep(moments.uniform(0, 0.15))
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        with open(count, "rb") as file, mmap.mmap(file.fileno(), 8, prot=mmap.PROT_READ) as counted:
            truth = struct.unpack("<Q", counted[:8])[0]
        out = tmp_path / f"recovered{attempt}"
        out.mkdir()
        subprocess.run([TRIKAL, "recover", "-o", out, f"{tmp_path}/maps/trikal-{os.geteuid()}"], check=True,
                       capture_output=True)
        seen = sum(Log(path)[data, "POSIX_WRITES"] for path in logs_of(out))
        assert abs(seen - truth) <= 1, f"round {attempt}: {seen} in the log, {truth} counted"
        data.unlink()


def test_a_living_process_is_not_recovered(program, preload, tmp_path):
    writer = subprocess.Popen([program("counting_writer"), tmp_path / "d", tmp_path / "c"], env=preload)
    try:
        wait_for((tmp_path / "d").exists)
        done = subprocess.run([TRIKAL, "recover", "-o", tmp_path / "logs", f"{tmp_path}/maps/trikal-{os.geteuid()}"],
                              capture_output=True)
        assert done.returncode == 0 and done.stdout == b""
        assert not logs_of(tmp_path / "logs")
    finally:
        writer.kill()
        writer.wait()
