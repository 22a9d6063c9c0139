"""What trikal watch stores adds up to what the log says, however the program ends."""

import glob
import os
import signal
import subprocess
import time

import pytest

from conftest import TRIKAL, assert_same, sql, stored


def watch(tmp_path, *command, options=(), **more):
    return subprocess.run([TRIKAL, "watch", "--log", tmp_path / "w.darshan", *options, "--", *command],
                          capture_output=True, timeout=120, **more)


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.05)


def test_forked_tree(tmp_path, program):
    (tmp_path / "data").mkdir()
    done = watch(tmp_path, program("tree"), tmp_path / "data", "5", "2", "7")
    assert done.returncode == 7 and done.stdout == b""
    assert b"w.darshan" in done.stderr
    assert_same(tmp_path / "w.sqlite", tmp_path / "w.darshan")
    rows = sql(tmp_path / "w.sqlite", "SELECT process, count(DISTINCT time) AS seconds FROM rollups WHERE file LIKE '%/data/%' GROUP BY process")
    assert len(rows) == 6 and max(row["seconds"] for row in rows) >= 2  # spread over time, not told at the end
    own = sql(tmp_path / "w.sqlite", "SELECT DISTINCT pid FROM totals WHERE file LIKE '%own-3'")
    assert len(own) == 1
    assert sql(tmp_path / "w.sqlite", "SELECT * FROM drops") == []


def test_many_short_processes(tmp_path):
    script = "i=0; while [ $i -lt 400 ]; do head -c 1000 /etc/passwd > f; i=$((i+1)); done"
    assert watch(tmp_path, "sh", "-c", script, cwd=tmp_path).returncode == 0
    assert_same(tmp_path / "w.sqlite", tmp_path / "w.darshan")
    assert sql(tmp_path / "w.sqlite", "SELECT count(*) AS n FROM processes")[0]["n"] >= 400


def test_program_that_becomes_others(tmp_path):
    script = "cat /etc/passwd > a; exec sh -c 'cat a a > b; sleep 1; exec cat b'"
    assert watch(tmp_path, "sh", "-c", script, cwd=tmp_path).returncode == 0
    assert_same(tmp_path / "w.sqlite", tmp_path / "w.darshan")


def test_command_killed_by_a_signal(tmp_path, program):
    """The store has all that the log has, up to the call at which SIGKILL came; and watch ends as the program did."""
    (tmp_path / "data").mkdir()
    running = subprocess.Popen([TRIKAL, "watch", "--log", tmp_path / "w.darshan", "--", program("tree"), tmp_path / "data", "0", "60"],
                               stderr=subprocess.DEVNULL)
    wait_for(lambda: (tmp_path / "data" / "own-0").exists())
    time.sleep(1.3)
    child = int(subprocess.run(["pgrep", "-P", str(running.pid)], capture_output=True, check=True).stdout.split()[0])
    os.kill(child, signal.SIGKILL)
    assert running.wait(30) == -signal.SIGKILL
    assert_same(tmp_path / "w.sqlite", tmp_path / "w.darshan")


@pytest.mark.parametrize("flavour", ["openmpi", "mpich"])
def test_mpi_job(tmp_path, program, flavour):
    (tmp_path / "data").mkdir()
    binary = program("ranks", compiler=f"mpicc.{flavour}")
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    extra = ["--oversubscribe"] if flavour == "openmpi" else []
    done = watch(tmp_path, f"mpirun.{flavour}", "-np", "4", *extra, binary, tmp_path / "data", env=environment)
    assert done.returncode == 0, done.stderr
    assert_same(tmp_path / "w.sqlite", tmp_path / "w.darshan", where="rank >= 0")  # mpirun's own files are in no log of a job
    rows = sql(tmp_path / "w.sqlite", "SELECT rank, sum(calls) AS calls FROM totals WHERE interface = 'MPI-IO' AND operation = 'write' GROUP BY rank")
    assert [(row["rank"], row["calls"]) for row in rows] == [(rank, 40) for rank in range(4)]


def test_watch_that_is_killed_and_started_again(tmp_path, program):
    """The application goes on unharmed; the second watch counts nothing twice and misses nothing."""
    (tmp_path / "data").mkdir()
    store = tmp_path / "w.sqlite"
    first = subprocess.Popen([TRIKAL, "watch", "--log", tmp_path / "w.darshan", "--", "sh", "-c",
                              f"{program('tree')} {tmp_path}/data 2 6; echo $? > {tmp_path}/status"], stderr=subprocess.DEVNULL)
    wait_for(lambda: (tmp_path / "data" / "own-2").exists())
    time.sleep(1.7)
    tree = int(subprocess.run(["pgrep", "-f", f"^{program('tree')} {tmp_path}/data"], capture_output=True, check=True).stdout.split()[0])
    first.kill()
    first.wait()
    time.sleep(0.5)
    before = stored(store)["POSIX", "write"][0]
    again = subprocess.run([TRIKAL, "watch", "--store", store, str(tree)], capture_output=True, timeout=60)
    assert again.returncode == 0, again.stderr
    wait_for(lambda: (tmp_path / "status").exists() and (tmp_path / "status").read_text() == "0\n")
    assert stored(store)["POSIX", "write"][0] > before
    left = glob.glob(f"/dev/shm/trikal-run-{first.pid}-*")
    recovered = subprocess.run([TRIKAL, "recover", "-o", tmp_path, *left], capture_output=True, cwd=tmp_path)
    logs = sorted(tmp_path.glob("*.darshan"))
    assert len(logs) == 1, (logs, recovered)
    own = "SELECT file, operation, sum(calls) AS calls, sum(bytes) AS bytes FROM {} WHERE interface = 'POSIX' AND file LIKE '%/own-%' GROUP BY 1, 2"
    rows = {(row["file"], row["operation"]): (row["calls"], row["bytes"]) for row in sql(store, own.format("rollups"))}
    text = subprocess.run([TRIKAL, "parse", "--base", logs[0]], capture_output=True, check=True, text=True).stdout
    values = {tuple(line.split("\t")[i] for i in (5, 3)): int(line.split("\t")[4]) for line in text.splitlines()
              if line.startswith("POSIX") and "_F_" not in line and "/own-" in line}
    files = {name for name, _ in values}
    assert len(files) == 3
    for name in files:
        assert rows[name, "write"] == (values[name, "POSIX_WRITES"], values[name, "POSIX_BYTES_WRITTEN"])
        assert rows[name, "read"] == (values[name, "POSIX_READS"], values[name, "POSIX_BYTES_READ"])
