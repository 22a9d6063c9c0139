"""Waits for a launcher of MPI jobs, and tells a job that ended from a launcher that broke.

Debian's Open MPI 4.1.4 breaks in about one of a hundred jobs that call MPI_Abort, also bare: its libpmix uses what it has
freed (PMIx_server_finalize), so mpirun crashes or waits for itself when all ranks are gone. Such a run says nothing about
how the job ended, so it is made again. A rank or an observer that is still alive is never taken for that.
"""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import time

ATTEMPTS = 3
ALONE_FOR = 10  # seconds


class LauncherBroke(Exception):
    pass


def again(job):
    """What `job()` returns, which starts from nothing each time."""
    for _ in range(ATTEMPTS - 1):
        with contextlib.suppress(LauncherBroke):
            return job()
    return job()


def make_anew(folder):
    """An empty folder. Ranks that a launcher killed may still write into what was there."""
    for _ in range(100):
        shutil.rmtree(folder, ignore_errors=True)
        with contextlib.suppress(FileExistsError):
            return folder.mkdir()
        time.sleep(0.1)
    return folder.mkdir()


def processes():
    """(pid, parent, state) of all there are."""
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent = entry.read_text().rsplit(")", 1)[1].split()[:2]
            yield int(entry.parent.name), int(parent), state


def is_alone(launcher):
    """Whether it lives, and nothing that it started does."""
    there = list(processes())
    return any(pid == launcher and state != "Z" for pid, _, state in there) and not any(
        parent == launcher and state != "Z" for _, parent, state in there)


def wait(child, launcher, timeout):
    """How `child` ended, which is the launcher or its observer. `launcher()` gives the pid of the launcher, once it has one."""
    begin = in_company = time.monotonic()
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            out, err = child.communicate(timeout=1)
            if child.returncode == -signal.SIGSEGV:
                raise LauncherBroke("crashed")
            return subprocess.CompletedProcess(child.args, child.returncode, out, err)
        now = time.monotonic()
        if not is_alone(launcher()):
            in_company = now
        alone, late = now - in_company > ALONE_FOR, now - begin > timeout
        if alone or late:
            end(child, launcher())
            raise LauncherBroke("waits for itself") if alone else subprocess.TimeoutExpired(child.args, timeout)


def end(child, launcher):
    for pid in (launcher, child.pid):
        with contextlib.suppress(ProcessLookupError, TypeError):
            os.kill(pid, signal.SIGKILL)
    child.communicate(timeout=60)


def launch(command, timeout=120, env=None):
    """As subprocess.run with its output captured, for a command that starts with the launcher."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) as child:
        return wait(child, lambda: child.pid, timeout)
