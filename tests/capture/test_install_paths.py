"""Wherever it is installed, programs are observed: LD_PRELOAD ends names at spaces and colons."""

import os
import pathlib
import shutil
import subprocess

import pytest

from conftest import Log, RUNTIME, TRIKAL

WRITTEN = "POSIX_BYTES_WRITTEN"


@pytest.fixture
def installed(tmp_path):
    """Copies of program and library below a prefix; the environment keeps links to itself."""
    def install(prefix, libraries):
        for source, folder in (TRIKAL, "bin"), (RUNTIME, libraries):
            (tmp_path / prefix / folder).mkdir(parents=True)
            shutil.copy(source, tmp_path / prefix / folder)
        return tmp_path / prefix / "bin" / "trikal"
    return install


def observe(program, folder, **environment):
    subprocess.run([program, "run", "--quiet", "--log", folder / "job.darshan", "--", "sh", "-c", "echo x > out; sh -c 'echo yy > more'"],
                   cwd=folder, check=True, env={**os.environ, **environment})
    log = Log(folder / "job.darshan")
    assert (log[folder / "out", WRITTEN], log[folder / "more", WRITTEN]) == (2, 3)


@pytest.mark.parametrize("prefix", ["plain", "two words", "a:b", "of $HOME"])
@pytest.mark.parametrize("libraries", ["lib", "lib64", "lib/x86_64-linux-gnu"])
def test_prefixes(installed, tmp_path, prefix, libraries):
    observe(installed(prefix, libraries), tmp_path, HOME=str(tmp_path / "home"))
    links = list((tmp_path / "home").rglob("*"))
    assert bool(links) == (prefix != "plain")
    assert all(link.stat().st_uid == os.geteuid() for link in links)


def test_no_home(installed, tmp_path):
    """Then the link lies in /tmp, and only there."""
    observe(installed("two words", "lib64"), tmp_path, HOME="/proc/none", XDG_STATE_HOME="")
    links = [path.parent for path in pathlib.Path("/tmp").glob("trikal-*-runtime-*/libtrikal.so")
             if path.readlink() == tmp_path / "two words" / "lib64" / "libtrikal.so"]
    assert len(links) == 1
    shutil.rmtree(links[0])


def test_a_relative_library(installed, tmp_path):
    installed("prefix", "lib")
    command = f"cd / && echo x > {tmp_path}/out && sh -c 'echo yy > {tmp_path}/more'"
    subprocess.run([TRIKAL, "run", "--quiet", "--log", "job.darshan", "--", "sh", "-c", command], cwd=tmp_path, check=True,
                   env={**os.environ, "TRIKAL_RUNTIME": "prefix/lib/libtrikal.so"})
    log = Log(tmp_path / "job.darshan")
    assert (log[tmp_path / "out", WRITTEN], log[tmp_path / "more", WRITTEN]) == (2, 3)


def test_somebody_else_s_link_is_not_used(installed, tmp_path):
    """Whoever can write to the directory could have their library loaded."""
    home = tmp_path / "home"
    observe(installed("two words", "lib"), tmp_path, HOME=str(home))
    folder = next(home.rglob("libtrikal.so")).parent
    folder.chmod(0o777)
    (tmp_path / "job.darshan").unlink()
    (folder / "libtrikal.so").unlink()
    (folder / "libtrikal.so").symlink_to("/nowhere")
    observe(tmp_path / "two words" / "bin" / "trikal", tmp_path, HOME=str(home))
    for path in pathlib.Path("/tmp").glob("trikal-*-runtime-*/libtrikal.so"):
        if str(path.readlink()).startswith(str(tmp_path)):
            shutil.rmtree(path.parent)
