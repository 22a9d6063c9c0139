"""Where our own files go is full, closed or missing: the program ends as it would have, and no byte is lost that could
be kept."""

import os
import pathlib
import subprocess
import tempfile

import pytest

from conftest import RUNTIME, TRIKAL, Log

LOST = b"trikal: no log was written: "


@pytest.fixture
def small_disk():
    """A function that mounts a file system in memory of so many KiB."""
    mounted = []

    def mount(kib):
        folder = tempfile.mkdtemp()
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kib}k,mode=0700", "tmpfs", folder],
                              capture_output=True, text=True)
        if done.returncode != 0:
            os.rmdir(folder)
            pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
        mounted.append(folder)
        return folder
    yield mount
    for folder in mounted:
        subprocess.run(["umount", "-l", folder], check=True)
        os.rmdir(folder)


def fill(folder):
    with open(f"{folder}/filler", "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass


def recovered(maps, out):
    out.mkdir()
    subprocess.run([TRIKAL, "recover", "-o", out, f"{maps}/trikal-{os.geteuid()}"], check=True, capture_output=True)
    return Log(out.rglob("*.darshan"))


def own_logs(settings):
    return Log(pathlib.Path(settings["TRIKAL_LOGPATH"]).rglob("*.darshan"))


def maps_left(settings):
    return list(pathlib.Path(settings["TRIKAL_MAP_DIRECTORY"]).rglob("*.map"))


def test_the_program_fills_a_disk(built, small_disk, tmp_path):
    disk, log = small_disk(256), tmp_path / "job.darshan"
    done = built("full_disk").start(tmp_path / "run", [TRIKAL, "run", "--quiet", "--log", log, "--exclude", "none", "--"],
                                    arguments=[f"{disk}/data"])
    assert done.returncode == 0 and done.stderr == b""
    assert Log([log]).sums["data", "POSIX_BYTES_WRITTEN"] == int(done.stdout) > 0


@pytest.mark.parametrize("where", ["full", "closed"])
def test_no_directory_for_the_log(built, small_disk, settings, tmp_path, where):
    logs = "/proc/no/such/folder" if where == "closed" else small_disk(64)
    if where == "full":
        fill(logs)
    settings = {**settings, "TRIKAL_LOGPATH": str(logs)}
    done = built("full_storage").start(tmp_path / "preload", preload=[RUNTIME], environment=settings, arguments=["2000"])
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr.startswith(LOST) and done.stderr.count(b"\n") == 1
    assert recovered(settings["TRIKAL_MAP_DIRECTORY"], tmp_path / "out").total("POSIX_BYTES_WRITTEN") == 20000


@pytest.mark.parametrize("kib", [16, 200])
def test_no_memory_for_the_map(built, small_disk, settings, tmp_path, kib):
    """Touching a page that a full tmpfs cannot give would be a SIGBUS."""
    disk = small_disk(kib)
    if kib < 64:
        fill(disk)
    settings = {**settings, "TRIKAL_MAP_DIRECTORY": disk}
    done = built("full_storage").start(tmp_path / "preload", preload=[RUNTIME], environment=settings, arguments=["3000"])
    assert (done.returncode, done.stdout, done.stderr) == (3, b"", b"")
    assert own_logs(settings).total("POSIX_BYTES_WRITTEN") == 30000


def test_a_log_longer_than_files_may_be(built, settings, tmp_path):
    done = built("full_storage").start(tmp_path / "preload", preload=[RUNTIME], environment=settings, arguments=["3000", "4096"])
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr.startswith(LOST) and done.stderr.count(b"\n") == 1
    assert recovered(settings["TRIKAL_MAP_DIRECTORY"], tmp_path / "out").total("POSIX_BYTES_WRITTEN") == 30000


def test_switched_off(built, settings, tmp_path):
    done = built("full_storage").start(tmp_path / "preload", preload=[RUNTIME], arguments=["3"],
                                 environment={**settings, "TRIKAL_DISABLE": "1"})
    assert (done.returncode, done.stdout, done.stderr) == (3, b"", b"")
    assert not own_logs(settings).sums and not maps_left(settings)


def test_maps_without_records_do_not_pile_up(settings, tmp_path):
    """Processes that only start others leave nothing behind."""
    settings_and_us = {**os.environ, **settings, "LD_PRELOAD": str(RUNTIME)}
    for command in (["env", "env", "nice", "env", "/bin/true"], ["setsid", "--fork", "--wait", "env", "/bin/true"]):
        subprocess.run(command, env=settings_and_us, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    assert not maps_left(settings)


@pytest.mark.parametrize("mode", ["run", "preload"])
def test_more_files_than_memory(built, settings, tmp_path, mode):
    """The default cap with --full; else a small one, to be quick."""
    full = os.environ.get("TRIKAL_FULL") == "1"
    count, memory = (300_000, "64") if full else (20_000, "4")
    hazard, log = built("memory_cap"), tmp_path / "job.darshan"
    how = {"arguments": [str(count)], "environment": {**settings, "TRIKAL_MEMORY": memory}}
    if mode == "run":
        done = hazard.start(tmp_path / mode, [TRIKAL, "run", "--quiet", "--log", log, "--"], **how)
    else:
        done = hazard.start(tmp_path / mode, preload=[RUNTIME], **how)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    found = Log([log]) if mode == "run" else own_logs(settings)
    for line in (tmp_path / mode / "truth").read_text().splitlines():
        counter, wanted = line.split()
        assert found.total(counter, but="truth") == int(wanted), line
    assert found.folded > count // 10, "memory did not run out: this test shows nothing"
    assert any(name.startswith("<other files on ") or name.endswith(">") for name in found.files())
