"""A launcher that broke is told from a job that takes its time."""

import subprocess

import pytest

import launching

ALONE = "import os, time\nif os.fork() == 0: os._exit(0)\ntime.sleep(60)"
IN_COMPANY = "import os, time\nif os.fork() == 0: time.sleep(6); os._exit(0)\nos.wait(); print('done')"
CRASHES = "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)"


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(launching, "ALONE_FOR", 3)


@pytest.mark.parametrize("broken", [ALONE, CRASHES])
def test_a_broken_launcher(broken):
    with pytest.raises(launching.LauncherBroke):
        launching.launch(["python3", "-c", broken])


def test_ranks_that_take_their_time():
    assert launching.launch(["python3", "-c", IN_COMPANY]).stdout == "done\n"


def test_an_observer_that_goes_on_after_its_launcher():
    with subprocess.Popen(["sleep", "6"]) as observer:
        assert launching.wait(observer, lambda: None, timeout=60).returncode == 0


def test_ranks_that_hang():
    with pytest.raises(subprocess.TimeoutExpired):
        launching.launch(["sh", "-c", "sleep 9 & wait"], timeout=2)


def test_again():
    def job():
        attempts.append(1)
        if len(attempts) < 3:
            raise launching.LauncherBroke
        return "ended"

    attempts = []
    assert launching.again(job) == "ended"

def test_a_launcher_that_breaks_every_time():
    with pytest.raises(launching.LauncherBroke):
        launching.again(lambda: launching.launch(["python3", "-c", CRASHES]))
