"""Where preloaded programs leave their logs: below a path that many share, each gets its own."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import pytest

from conftest import Log, RUNTIME

WRITTEN = "POSIX_BYTES_WRITTEN"
FIRST, SECOND = 64001, 64002
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be several users")


@pytest.fixture
def root():
    """A directory that every user may look into, with the library; below it the log path."""
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        folder.chmod(0o755)
        shutil.copy(RUNTIME, folder)
        for name, mode in ("logs", 0o1777), ("maps", 0o1777), ("out", 0o1777):
            (folder / name).mkdir()
            (folder / name).chmod(mode)
        yield folder


def write_as(user, root):
    """A program of that user's writes a file; the log's path, relative to the log path."""
    before = set((root / "logs").rglob("*.darshan"))
    out = root / "out" / str(user)
    done = subprocess.run(
        ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "env", f"LD_PRELOAD={root / RUNTIME.name}",
         "sh", "-c", f"echo x >> {out}"], capture_output=True, umask=0o077,
        env={**os.environ, "DARSHAN_LOGPATH": str(root / "logs"), "TRIKAL_MAP_DIRECTORY": str(root / "maps")})
    assert (done.returncode, done.stderr) == (0, b"")
    new = set((root / "logs").rglob("*.darshan")) - before
    assert len(new) == 1
    log = new.pop()
    assert Log(log)[out, WRITTEN] == 2 and log.stat().st_uid == user
    return log.relative_to(root / "logs").parent


def today():
    now = time.localtime()
    return pathlib.Path(str(now.tm_year), str(now.tm_mon), str(now.tm_mday))


def is_owned_by(root, log, users):
    folders = [root / "logs" / log, *(root / "logs" / parent for parent in log.parents)]
    return all(folder.stat().st_uid in users for folder in folders)


def test_many_users_share_a_log_path(root):
    for user in FIRST, SECOND, FIRST:
        log = write_as(user, root)
        assert log == f"user-{user}" / today() and is_owned_by(root, log, {0, user})


def test_directories_that_the_site_made_are_used(root):
    day = root / "logs" / today()
    day.mkdir(parents=True)
    day.chmod(0o1777)
    assert [write_as(user, root) for user in (FIRST, SECOND)] == [today(), today()]


def test_the_first_user_made_the_day_s_directory(root):
    """As earlier versions did, for themselves alone."""
    (root / "logs" / today()).mkdir(parents=True)
    for folder in today().parts[0], today().parent, today():
        os.chown(root / "logs" / folder, FIRST, FIRST)
    assert write_as(SECOND, root) == f"user-{SECOND}" / today()


def test_somebody_took_a_user_s_name(root):
    for name in f"user-{SECOND}", str(today().parts[0]):
        (root / "logs" / name).mkdir(mode=0o777)
        os.chown(root / "logs" / name, FIRST, FIRST)
    assert write_as(SECOND, root) == pathlib.Path(".")


def test_somebody_laid_a_link(root):
    (root / "elsewhere").mkdir()
    (root / "elsewhere").chmod(0o777)
    link = root / "logs" / today().parts[0]
    link.symlink_to(root / "elsewhere")
    os.chown(link, FIRST, FIRST, follow_symlinks=False)
    assert write_as(SECOND, root) == f"user-{SECOND}" / today()
    assert not list((root / "elsewhere").iterdir())


def test_a_path_of_one_s_own(root):
    os.chown(root / "logs", FIRST, FIRST)
    (root / "logs").chmod(0o755)
    assert write_as(FIRST, root) == today()
