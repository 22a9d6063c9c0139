"""Processes that cannot reach the directories of their `trikal run`, as those on other nodes: here others lie over them."""

import os
import shutil
import subprocess
import time

import pytest

from conftest import TRIKAL, Log


@pytest.fixture(scope="module", autouse=True)
def namespaces():
    done = subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/dev/shm"], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"no namespace can be made here: {done.stderr.strip()}")


# Ranks of two nodes do not talk by memory, and mpirun has its files elsewhere.
APART = {"MPIR_CVAR_NOLOCAL": "1"}


# What another node does not see: the memory of this one, and its disk.
LEAVE = 'mount -t tmpfs none /dev/shm && mount -t tmpfs none "$TRIKAL_RUN_OVERFLOW"'


def launch(mpi, ranks):
    return [word.replace("/dev/shm", "/tmp") for word in mpi.launch(ranks)]


def elsewhere(folder, condition, before="true"):
    """A script that runs its arguments, on another node if the condition holds."""
    script, there = folder / "elsewhere.sh", folder / "there.sh"
    there.write_text(f'{LEAVE} && {before} && exec "$@"\n')
    script.write_text(f"""#!/bin/sh
rank=${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}
if {condition}; then exec unshare -m sh {there} "$@"; fi
exec "$@"
""")
    script.chmod(0o755)
    return str(script)


def test_ranks_of_another_node(mpi, tmp_path):
    command = [*launch(mpi, 4), elsewhere(tmp_path, "[ $rank -ge 2 ]"), mpi.compile("job.c"), str(tmp_path), "plain", "-1"]
    log, done = mpi.observe(tmp_path, command, environment=APART)
    assert log.nprocs() == 4
    assert int(log.record("posix", "/shared.dat")["POSIX_BYTES_WRITTEN"]) == 10000, "one record: all ranks are here"
    for rank in range(4):
        assert log.record("posix", f"/own.{rank}", rank)["POSIX_BYTES_WRITTEN"] == "500"
    assert sorted(int(row["rank"]) for row in log.rows("remote_processes") if int(row["rank"]) >= 0)[-2:] == [2, 3]
    assert "not in this log" not in done.stderr
    told = subprocess.run([TRIKAL, "info", str(log.path)], capture_output=True, text=True, check=True).stdout
    assert "# sent from: " in told
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".trikal")]


def test_ranks_that_cannot_send_are_named(mpi, tmp_path):
    """Neither the memory nor the directory of the log is theirs to write to."""
    logs = tmp_path / "logs"
    logs.mkdir()
    there = elsewhere(tmp_path, "[ $rank -ge 2 ]", f"mount -t tmpfs -o ro none {logs}")
    command = [*launch(mpi, 4), there, mpi.compile("some.c"), str(tmp_path)]
    done = subprocess.run([TRIKAL, "run", "--log", logs / "job.darshan", "--", *command], capture_output=True, text=True,
                          timeout=60, env={**os.environ, **APART})
    assert "of 4 ranks, 2 are not in this log: 2-3." in done.stderr, done.stderr
    assert Log(logs / "job.darshan").nprocs() == 4


def test_any_process(tmp_path):
    """Without MPI, and whatever programs it is one after the other."""
    (tmp_path / "in").write_text("hello")
    script = f"{LEAVE}; cat in > first; exec cat in"
    done = subprocess.run([TRIKAL, "run", "--log", "job.darshan", "--", "sh", "-c",
                           f"echo here > near; unshare -m sh -c '{script}' > second"], cwd=tmp_path, capture_output=True,
                          text=True, timeout=60)
    assert done.returncode == 0 and "trikal:" not in done.stderr, done.stderr
    written = {}
    for row in Log(tmp_path / "job.darshan").rows("posix"):
        name = os.path.basename(row["name"])
        written[name] = written.get(name, 0) + int(row["POSIX_BYTES_WRITTEN"])
    assert {name: written[name] for name in ("near", "first", "second")} == {"near": 5, "first": 5, "second": 5}


def test_a_killed_process_is_missed(tmp_path):
    """It had something to send."""
    (tmp_path / "killed.sh").write_text("echo hello > out\nkill -9 $$\n")
    script = f"{LEAVE}; sh killed.sh; true"
    done = subprocess.run([TRIKAL, "run", "--log", "job.darshan", "--", "unshare", "-m", "sh", "-c", script],
                          cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert "what 1 process elsewhere did is not in the log" in done.stderr, done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"job.darshan", "out", "killed.sh"}


def test_what_outlives_the_run(tmp_path):
    """It is on the same node, and nobody waits for it: it leaves nothing, and says nothing."""
    script = "(while [ -d \"$TRIKAL_RUN_DIRECTORY\" ]; do sleep 0.1; done; sh -c 'echo late > late'; echo end > end) 2>err &"
    done = subprocess.run([TRIKAL, "run", "--log", "job.darshan", "--", "sh", "-c", script], cwd=tmp_path, timeout=60)
    assert done.returncode == 0
    for _ in range(600):
        if (tmp_path / "end").exists():
            break
        time.sleep(0.1)
    time.sleep(1)
    assert {path.name for path in tmp_path.iterdir()} == {"job.darshan", "late", "end", "err"}
    assert (tmp_path / "err").read_text() == ""


def test_a_launcher_whose_ranks_are_not_seen(tmp_path):
    """As those that mpirun starts by ssh: it passes no environment on."""
    launcher = tmp_path / "mpirun"
    shutil.copy("/usr/bin/true", launcher)
    done = subprocess.run([TRIKAL, "run", "--log", tmp_path / "job.darshan", "--", launcher], capture_output=True, text=True,
                          timeout=60)
    assert done.returncode == 0
    assert done.stderr.count("mpirun was seen, and no rank that it started") == 1
