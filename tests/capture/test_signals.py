"""Signals to `trikal run` end the command, never the log."""

import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import pytest

from conftest import Log, TRIKAL

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]
# Many processes: the log takes long enough to be interrupted.
TREE = """
import os, sys, time
for i in range(150):
    if os.fork() == 0:
        os.write(os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND), b"x" * 100)
        os._exit(0)
    os.wait()
open(sys.argv[2], "w").close()
time.sleep(60)
"""


def left_behind(pid):
    return [path for parent in ("/dev/shm", "/tmp") for path in pathlib.Path(parent).glob(f"trikal-*-{pid}-*")]


def take_hangups():
    """Under nohup the tests ignore them, and what they start would, too."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def observe(tmp_path, name, *command, **more):
    log = tmp_path / f"{name}.darshan"
    return log, subprocess.Popen([TRIKAL, "run", "--quiet", "--log", log, "--", *command], cwd=tmp_path,
                                 stderr=subprocess.PIPE, start_new_session=True, preexec_fn=take_hangups, **more)


def wait_until(there):
    for _ in range(30000):
        if there():
            return
        time.sleep(0.001)
    pytest.fail("the program did not begin within 30 s")


@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
@pytest.mark.parametrize("whom", ["run", "group"])
def test_signals_wait_for_the_log(tmp_path, number, whom):
    """One signal after the other, until nobody is left to hear them."""
    (tmp_path / "tree.py").write_text(TREE)
    data, begun = tmp_path / "data", tmp_path / "begun"
    log, run = observe(tmp_path, "job", sys.executable, tmp_path / "tree.py", data, begun)
    wait_until(begun.exists)
    while run.poll() is None:
        (os.killpg if whom == "group" else os.kill)(run.pid, number)
        time.sleep(0.0005)
    # Python makes an exception of the first SIGINT; of the next ones it may be interrupted while it ends.
    expected = {-signal.SIGINT, 130, 1} if number == signal.SIGINT else {-number}
    assert run.returncode in expected, run.stderr.read()
    assert Log(log)[data, "POSIX_BYTES_WRITTEN"] == 150 * 100 == data.stat().st_size
    assert not left_behind(run.pid)


def test_ended_at_any_moment(tmp_path):
    """As `timeout` does it: the group gets a signal, and so does `trikal run` itself. If the command began, there is a log."""
    moments = random.Random(20261119)
    logs = 0
    for attempt in range(100):
        begun = tmp_path / f"begun{attempt}"
        log, run = observe(tmp_path, attempt, "sh", "-c", f"echo x > {begun}; exec sleep 60")
        time.sleep(moments.uniform(0, 0.06))
        os.kill(run.pid, signal.SIGTERM)
        os.killpg(run.pid, signal.SIGTERM)
        _, said = run.communicate(timeout=60)
        assert run.returncode == -signal.SIGTERM and said == b""
        assert log.exists() or not begun.exists(), f"attempt {attempt}: the log is lost"
        assert not left_behind(run.pid)
        logs += log.exists()
    assert logs > 0


def test_a_signal_to_run_alone_reaches_the_command(tmp_path):
    script = "trap 'echo heard; exit 5' INT; echo ready; for i in $(seq 30); do sleep 1 & wait $!; done"
    log, run = observe(tmp_path, "job", "sh", "-c", script, stdout=subprocess.PIPE, text=True)
    assert run.stdout.readline() == "ready\n"
    run.send_signal(signal.SIGINT)
    assert run.stdout.read() == "heard\n"
    assert run.wait() == 5 and log.exists()


def test_a_log_that_cannot_be_written_is_one_command_away(tmp_path):
    (tmp_path / "logs").mkdir()
    command = f"echo 12345 > data; rmdir {tmp_path}/logs; kill -TERM $PPID; kill -TERM $$"
    done = subprocess.run([TRIKAL, "run", "--log", tmp_path / "logs" / "job.darshan", "--", "sh", "-c", command],
                          cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == -signal.SIGTERM
    (line,) = [line for line in done.stderr.splitlines() if "trikal recover " in line]
    recover = line[line.index("trikal recover "):].split()
    subprocess.run([TRIKAL, *recover[1:]], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    (log,) = tmp_path.glob("*.darshan")
    assert Log(log)[tmp_path / "data", "POSIX_BYTES_WRITTEN"] == 6
    assert not pathlib.Path(recover[-1]).exists()


def test_a_closed_pipe_ends_nobody(tmp_path):
    """The summary goes to a pipe that nobody reads any more."""
    log = tmp_path / "job.darshan"
    reading, writing = os.pipe()
    run = subprocess.Popen([TRIKAL, "run", "--log", log, "--", "sh", "-c", "echo x > data; exit 4"], cwd=tmp_path, stderr=writing)
    os.close(writing)
    os.close(reading)
    assert run.wait(timeout=60) == 4 and log.exists() and not left_behind(run.pid)
