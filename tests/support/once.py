"""What several workers of a test run need and one makes."""

import fcntl
import os
import shutil


def shared_folder(factory):
    """A folder of this run of the tests, the same for all its workers. `factory` is pytest's tmp_path_factory."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def once(factory, name, make):
    """The folder that make(folder) filled, in whichever worker came first. If that failed, the next one tries again."""
    folder, done = (shared_folder(factory) / f"once-{name}{suffix}" for suffix in ("", ".done"))
    with open(folder.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            done.touch()
    return folder
