"""`/dev/shm` is small, as in a container, or full: nothing is lost, and the program's own use of it goes on."""

import os
import pathlib
import subprocess
import sys

import pytest

from conftest import Log, ROOT, TRIKAL, rows_of

sys.path.insert(0, str(ROOT / "tests" / "support"))
from elsewhere import trikal_in_home

WRITTEN = "POSIX_BYTES_WRITTEN"
MIB = 2**20


def with_shm(size, before="true", also=()):
    """Runs a command where /dev/shm has so many bytes, and `before` was done with it."""
    mounts = [f"mount -t tmpfs -o size={size} tmpfs /dev/shm", *also, before]
    return ["unshare", "-m", "sh", "-c", " && ".join(["mount --make-rprivate /", *mounts, 'exec "$@"']), "sh"]


@pytest.fixture(autouse=True)
def can_mount():
    done = subprocess.run([*with_shm("1m"), "true"], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")


def observe(tmp_path, mount, *command, options=()):
    done = subprocess.run([*mount, TRIKAL, "run", *options, "--log", tmp_path / "job.darshan", "--", *command], cwd=tmp_path,
                          capture_output=True, text=True, timeout=120, env={**os.environ, "TMPDIR": "/tmp"})
    assert done.returncode == 0, done.stderr
    return done.stderr


FILL = "(cat /dev/zero > /dev/shm/filler 2> /dev/null || true)"


def test_full_at_start(tmp_path):
    told = observe(tmp_path, with_shm("4m", FILL), "sh", "-c", "for i in 1 2 3; do dd if=/dev/zero of=out$i bs=100 count=5 "
                   "status=none; done")
    assert "not seen" not in told and "no memory" not in told
    log = Log(tmp_path / "job.darshan")
    assert [log[tmp_path / f"out{i}", WRITTEN] for i in (1, 2, 3)] == [500, 500, 500]


def test_nearly_full_is_left_to_the_program(program, tmp_path):
    """What is left is the program's: it takes it to the last page."""
    left = f"head -c {3 * MIB} /dev/zero > /dev/shm/filler"
    script = f"{program('many_processes')} exec 100 data; head -c {MIB} /dev/zero > /dev/shm/own"
    told = observe(tmp_path, with_shm("4400k", left), "sh", "-c", f"set -e; {script}")
    assert "not seen" not in told
    assert Log(tmp_path / "job.darshan")[tmp_path / "data", WRITTEN] == 1000


def test_a_container(program, tmp_path):
    """64 MiB, as Docker gives: many commands, and a program that keeps 40 MiB of its own there while they run."""
    script = (f"head -c {20 * MIB} /dev/zero > /dev/shm/first; {program('many_processes')} exec 500 data; "
              f"head -c {20 * MIB} /dev/zero > /dev/shm/second")
    told = observe(tmp_path, with_shm("64m"), "sh", "-c", f"set -e; {script}")
    assert "not seen" not in told and "no memory" not in told
    assert Log(tmp_path / "job.darshan")[tmp_path / "data", WRITTEN] == 5000
    assert len(rows_of(tmp_path / "job.darshan", "processes")) >= 1001


def test_it_fills_up_while_programs_run(program, tmp_path):
    script = f"{program('many_processes')} exec 20 data; {FILL}; {program('many_processes')} exec 20 more; rm /dev/shm/filler"
    told = observe(tmp_path, with_shm("8m"), "sh", "-c", script)
    assert "not seen" not in told and "no memory" not in told
    log = Log(tmp_path / "job.darshan")
    assert (log[tmp_path / "data", WRITTEN], log[tmp_path / "more", WRITTEN]) == (200, 200)


def test_no_space_anywhere_is_said(tmp_path):
    """Neither in memory nor where else maps may go: what was lost is counted."""
    small = [f"mount -t tmpfs -o size=4k tmpfs {mount} && (cat /dev/zero > {mount}/filler 2> /dev/null || true)"
             for mount in ("/var/tmp", "/mnt")]
    mount = with_shm("4k", FILL, also=small)
    env = f"env TMPDIR=/mnt XDG_CACHE_HOME=/mnt HOME=/mnt"
    script = "mount -t tmpfs -o size=4k tmpfs /tmp; cat /dev/zero > /tmp/filler 2> /dev/null; cd /mnt; exec \"$@\""
    with trikal_in_home(TRIKAL) as (folder, trikal):
        done = subprocess.run([*mount, *env.split(), "sh", "-c", script, "sh", trikal, "run", "--log", folder / "job.darshan", "--",
                               "sh", "-c", "true; /bin/true; /bin/true"], capture_output=True, text=True, timeout=60, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "not seen: 3 processes, no space was left for what they did (/dev/shm, /tmp)" in done.stderr


def test_maps_come_faster_than_they_are_put_away(program, tmp_path):
    """`trikal run` stands still meanwhile: there are no more than so many maps in memory."""
    import signal
    import time
    run = subprocess.Popen([TRIKAL, "run", "--quiet", "--log", tmp_path / "job.darshan", "--", "sh", "-c",
                            f"while [ ! -e on ]; do sleep 0.01; done; {program('many_processes')} fork 1500 data; touch off"],
                           cwd=tmp_path, env={**os.environ, "TMPDIR": "/tmp"})
    try:
        while not (maps := list(pathlib.Path("/dev/shm").glob(f"trikal-run-{run.pid}-*/*.map"))):
            time.sleep(0.01)
        run.send_signal(signal.SIGSTOP)
        (tmp_path / "on").touch()
        end = time.monotonic() + 60
        while not (tmp_path / "off").exists() and time.monotonic() < end:
            time.sleep(0.05)
        taken = sum(path.stat().st_blocks * 512 for path in maps[0].parent.iterdir() if path.is_file())
        assert taken <= 16 * MIB, f"{taken / MIB:.1f} MiB"
    finally:
        run.send_signal(signal.SIGCONT)
    assert run.wait(timeout=60) == 0
    assert Log(tmp_path / "job.darshan")[tmp_path / "data", WRITTEN] == 15000
