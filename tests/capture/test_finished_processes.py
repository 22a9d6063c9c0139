"""Processes that have ended take no memory worth speaking of, however many there are."""

import fcntl
import os
import pathlib
import signal
import struct
import subprocess
import threading
import time

import pytest

from conftest import Log, TRIKAL, rows_of

MIB = 2**20
FULL = os.environ.get("TRIKAL_FULL") == "1"


def directory_of(run):
    """The directory of a `trikal run`; none before it has made one."""
    return next(iter(pathlib.Path("/dev/shm").glob(f"trikal-run-{run.pid}-*")), None)


def bytes_in(directory):
    total = 0
    with os.scandir(directory) as entries:
        for entry in entries:
            try:
                total += entry.stat(follow_symlinks=False).st_blocks * 512
            except FileNotFoundError:
                pass
    return total


def resident(pid):
    """The most memory it ever had, in bytes."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


class Peak(threading.Thread):
    """The most that a run has in /dev/shm, and itself takes, looked at often."""

    def __init__(self, run):
        super().__init__()
        self.run_process, self.bytes, self.resident = run, 0, 0
        self.start()

    def run(self):
        while self.run_process.poll() is None:
            try:
                self.resident = max(self.resident, resident(self.run_process.pid))
                if directory := directory_of(self.run_process):
                    self.bytes = max(self.bytes, bytes_in(directory))
            except (FileNotFoundError, ProcessLookupError):
                pass
            time.sleep(0.01)


def observe(tmp_path, *command, log="job.darshan", **more):
    return subprocess.Popen([TRIKAL, "run", "--quiet", "--log", tmp_path / log, "--", *command], cwd=tmp_path, **more)


@pytest.mark.parametrize("how, count", [("fork", 20000 if FULL else 3000), ("exec", 20000 if FULL else 1000),
                                        ("chain", 200)])
def test_memory_stays_small(program, tmp_path, how, count):
    data = tmp_path / "data"
    run = observe(tmp_path, program("many_processes"), how, str(count), data)
    peak = Peak(run)
    assert run.wait(timeout=600) == 0
    peak.join()
    assert 0 < peak.bytes <= 16 * MIB, f"{peak.bytes / MIB:.1f} MiB in /dev/shm"
    assert peak.resident <= 64 * MIB, f"trikal run itself took {peak.resident / MIB:.0f} MiB"
    assert Log(tmp_path / "job.darshan")[data, "POSIX_BYTES_WRITTEN"] == 10 * count == data.stat().st_size
    images = 2 * count if how == "exec" else count
    assert len(rows_of(tmp_path / "job.darshan", "processes")) == images + 1


def test_the_log_is_the_same(program, tmp_path):
    """Put away or not, a process has the same records."""
    tables = []
    for stay in (False, True):
        for name in ("data", "on"):
            (tmp_path / name).unlink(missing_ok=True)
        log = tmp_path / f"{stay}.darshan"
        waiting = "while [ ! -e on ]; do :; done"
        run = observe(tmp_path, "sh", "-c", f"{waiting}; {program('many_processes')} exec 30 data; {waiting}", log=log.name)
        directory = wait_until(lambda: directory_of(run))
        wait_until(lambda: list(directory.glob("*.map")))
        if stay:  # there is no directory to put them into
            for folder in (directory, directory / "overflow"):
                (folder / "finished").mkdir()
        (tmp_path / "on").touch()
        assert run.wait(timeout=60) == 0
        values = {key: value for key, value in Log(log).values.items() if "HEATMAP" not in key[1]}  # a matter of time
        rows = sorted((row["generation"], row["ended"], row["argv"]) for row in rows_of(log, "processes"))
        tables.append((values, rows))
    (values, processes), (other_values, other_processes) = tables
    assert {key: (value, other_values[key]) for key, value in values.items() if value != other_values[key]} == {}
    assert processes == other_processes and values.keys() == other_values.keys() and len(processes) == 62


class Reader:
    """Registered with a run, as docs/formats/run-directory.md says."""

    def __init__(self, directory, name="test"):
        self.path = directory / f"{name}.reader"
        draft = directory / f"{name}.reader.new"
        self.file = open(draft, "w+b", buffering=0)
        self.file.write(bytes(8))
        fcntl.flock(self.file, fcntl.LOCK_EX)
        draft.rename(self.path)

    def round_done(self, began):
        os.pwrite(self.file.fileno(), struct.pack("<Q", began), 0)


def wait_until(happened, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := happened():
            return found
        time.sleep(0.005)
    pytest.fail(f"nothing happened within {seconds} s")


def ended_maps(directory, but):
    return {path.name for path in directory.glob("*.map")} - but


def test_a_registered_reader_has_looked_first(tmp_path):
    """Maps of finished processes stay until the reader has begun and ended a round, and not much longer."""
    (tmp_path / "go").touch()
    run = observe(tmp_path, "sh", "-c", "echo x > begun; while [ -e go ]; do read line < fifo; cat begun > copy; done",
                  stdin=subprocess.DEVNULL)
    os.mkfifo(tmp_path / "fifo")

    def next_process():
        (tmp_path / "copy").unlink(missing_ok=True)
        (tmp_path / "fifo").write_text("on\n")
        wait_until(lambda: (tmp_path / "copy").exists() and (tmp_path / "copy").stat().st_size)
    try:
        wait_until((tmp_path / "begun").exists)
        directory = wait_until(lambda: directory_of(run))
        shell = {path.name for path in directory.glob("*.map")}
        next_process()
        wait_until(lambda: not ended_maps(directory, shell))  # nobody reads: it is put away
        reader = Reader(directory)
        next_process()
        wait_until(lambda: ended_maps(directory, shell))
        before = time.monotonic_ns()
        time.sleep(0.3)
        assert ended_maps(directory, shell), "put away although a registered reader has not looked"
        reader.round_done(before - 10**10)
        time.sleep(0.1)
        assert ended_maps(directory, shell), "that round began before the process ended"
        reader.round_done(time.monotonic_ns())
        wait_until(lambda: not ended_maps(directory, shell), 3)
        next_process()
        wait_until(lambda: ended_maps(directory, shell))
        reader.file.close()  # the reader is gone without a word
        wait_until(lambda: not ended_maps(directory, shell), 3)
        assert not reader.path.exists()
    finally:
        (tmp_path / "go").unlink()
        (tmp_path / "fifo").write_text("end\n")
    assert run.wait(timeout=60) == 0


@pytest.mark.parametrize("attempt", range(6))
def test_a_reader_may_register_at_once(tmp_path, attempt):
    """As soon as there is a directory: it may be before the run looks at it."""
    (tmp_path / "text").write_text("x")
    run = observe(tmp_path, "sh", "-c", "while [ ! -e on ]; do :; done; cat text > copy; while [ -e on ]; do :; done")
    directory = wait_until(lambda: directory_of(run))
    reader = Reader(directory)
    shell = wait_until(lambda: {path.name for path in directory.glob("*.map")})
    (tmp_path / "on").touch()
    wait_until(lambda: (tmp_path / "copy").exists() and (tmp_path / "copy").stat().st_size)
    time.sleep(0.3)
    assert ended_maps(directory, shell), "put away although a registered reader has not looked"
    reader.file.close()
    (tmp_path / "on").unlink()
    assert run.wait(timeout=60) == 0


def test_a_reader_that_hangs_is_not_waited_for(program, tmp_path):
    """It may hold 4 MiB, for 5 seconds."""
    run = observe(tmp_path, "sh", "-c", f"while [ ! -e on ]; do sleep 0.01; done; {program('many_processes')} exec 1000 data")
    directory = wait_until(lambda: directory_of(run))
    reader = Reader(directory)
    (tmp_path / "on").touch()
    peak, began = Peak(run), time.monotonic()
    assert run.wait(timeout=120) == 0
    seconds = time.monotonic() - began
    peak.join()
    in_5_seconds = 1000 * 4096 * 5 / seconds  # of a page at least for each process: a busy machine does not start all in that time
    assert min(MIB, in_5_seconds / 2) < peak.bytes <= 16 * MIB
    assert Log(tmp_path / "job.darshan")[tmp_path / "data", "POSIX_BYTES_WRITTEN"] == 10000
    reader.file.close()


def test_a_run_that_is_killed_leaves_what_it_put_away(program, tmp_path):
    data = tmp_path / "data"
    run = observe(tmp_path, "sh", "-c", f"{program('many_processes')} exec 100 {data}; echo x > begun; sleep 60",
                  start_new_session=True)
    wait_until((tmp_path / "begun").exists)
    directory = directory_of(run)
    wait_until(lambda: len(list(directory.glob("*.map"))) < 20)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    wait_until(lambda: subprocess.run([TRIKAL, "recover", "-o", tmp_path, directory], check=True, capture_output=True).stdout)
    (log,) = tmp_path.glob("*.darshan")
    assert Log(log)[data, "POSIX_BYTES_WRITTEN"] == 1000
    assert len(rows_of(log, "processes")) >= 202
    assert not directory.exists() and not list(pathlib.Path("/tmp").glob(f"trikal-more-{run.pid}-*"))


def test_processes_of_another_pid_namespace(program, tmp_path):
    """Their ids say nothing here: the kernel tells that nobody has their maps any more."""
    probe = subprocess.run(["unshare", "-p", "-f", "true"], capture_output=True, text=True)
    if probe.returncode != 0:
        pytest.skip(f"no namespace can be made here: {probe.stderr.strip()}")
    run = observe(tmp_path, "unshare", "-p", "-f", "--mount-proc", program("many_processes"), "fork", "2000", tmp_path / "data")
    peak = Peak(run)
    assert run.wait(timeout=120) == 0
    peak.join()
    assert peak.bytes <= 16 * MIB
    assert Log(tmp_path / "job.darshan")[tmp_path / "data", "POSIX_BYTES_WRITTEN"] == 20000
