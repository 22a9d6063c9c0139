"""What cannot be seen is said in one line of the summary, with the reason; what can be seen is."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pytest

from conftest import ROOT, TRIKAL, Log

sys.path.insert(0, str(ROOT / "tests" / "support"))
from elsewhere import trikal_in_home

HDF5 = "#include <hdf5.h>\nint main(void) { return H5Fclose(H5Fcreate(\"out.h5\", H5F_ACC_TRUNC, 0, 0)) < 0; }\n"


def summary(folder, *command, options=(), code=0):
    """What `trikal run` says at the end."""
    done = subprocess.run([TRIKAL, "run", *options, "--log", folder / "job.darshan", "--", *command], cwd=folder,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=60)
    if code == 0 and done.returncode == 77:
        pytest.skip("the kernel has no io_uring, or refuses it")
    assert done.returncode == code, done.stderr
    return done.stderr


def line_of(text, words):
    return next((line.strip() for line in text.splitlines() if words in line), text)


@pytest.mark.parametrize("how", [[], ["mapped"]], ids=["by syscall", "past libc"])
def test_rings(built, tmp_path, how):
    program = built("io_uring").built_in / "program"
    told = summary(tmp_path, program, *how)
    assert line_of(told, "io_uring, ") == f"not seen: what {program} reads and writes through io_uring, which passes by libc"
    assert Log([tmp_path / "job.darshan"]).sums["seen", "POSIX_BYTES_WRITTEN"] == 10


def test_rings_of_liburing(tmp_path):
    source = tmp_path / "ring.c"
    source.write_text("#include <liburing.h>\nint main(void) { struct io_uring ring; "
                      "return io_uring_queue_init(4, &ring, 0) < 0 ? 77 : 0; }\n")
    done = subprocess.run(["gcc", "-o", tmp_path / "ring", source, "-luring"], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"no liburing: {done.stderr}")
    assert "through io_uring, which passes by libc" in summary(tmp_path, tmp_path / "ring")


def test_a_ring_is_in_the_log(built, tmp_path):
    program = built("io_uring").built_in / "program"
    summary(tmp_path, program)
    rows = subprocess.run([TRIKAL, "export", "-f", "csv", "-t", "unseen", "-o", "-", tmp_path / "job.darshan"],
                          capture_output=True, text=True).stdout
    assert f"io_uring,1,{program}" in rows
    page = subprocess.run([TRIKAL, "report", "--json", tmp_path / "job.darshan"], capture_output=True, text=True)
    assert page.returncode != 0 or "through io_uring" in page.stdout


@pytest.mark.parametrize("name, line", [
    ("deepbind", "not seen: calls of ./libpart.so, which was loaded with RTLD_DEEPBIND, past preloaded libraries"),
    ("dlmopen", "not seen: calls of ./libpart.so, which was loaded by dlmopen, with a libc of its own")])
def test_libraries_that_look_past_us(built, tmp_path, name, line):
    hazard = built(name)
    shutil.copy(hazard.built_in / "libpart.so", tmp_path)
    assert line_of(summary(tmp_path, hazard.built_in / "program"), "not seen: calls") == line


def test_paths_that_are_not_watched(tmp_path):
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        data = pathlib.Path(folder) / "data"
        data.write_text("x" * 1000)
        line = "not watched: files in /var, used once (--include /var watches them)"
        assert line_of(summary(tmp_path, "cat", data), "not watched") == line
        (tmp_path / "job.darshan").unlink()
        told = summary(tmp_path, "cat", data, options=["--include", "/var"])
        assert "not watched" not in told and "read 1000 B" in told
        (tmp_path / "job.darshan").unlink()
        assert "not watched" not in summary(tmp_path, "cat", data, options=["--exclude", "/var"])  # as asked for


def test_files_in_shared_memory_are_named(tmp_path):
    """Some stage their data there; what MPI shares there is none of it."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        data = pathlib.Path(folder) / "data"
        data.write_text("x" * 1000)
        line = "not watched: files in /dev/shm, used once (--include /dev/shm watches them)"
        assert line_of(summary(tmp_path, "cat", data), "not watched") == line
        (tmp_path / "job.darshan").unlink()
        assert "read 1000 B" in summary(tmp_path, "cat", data, options=["--include", "/dev/shm"])
        (tmp_path / "job.darshan").unlink()
        segment = pathlib.Path(f"/dev/shm/vader_segment.{os.getpid()}")
        segment.write_text("x")
        try:
            assert "not watched" not in summary(tmp_path, "cat", segment)
        finally:
            segment.unlink()


def test_libraries_and_settings_are_no_data(tmp_path):
    """What every program uses below /usr is named only where there is nothing else."""
    (tmp_path / "data").write_text("x")
    program = pathlib.Path("/usr/bin/env").resolve()
    assert "not watched" not in summary(tmp_path, "cat", tmp_path / "data", program)
    (tmp_path / "job.darshan").unlink()
    assert "not watched: files in /usr, used once" in summary(tmp_path, "cat", program)


def test_hdf5_that_is_part_of_the_program(tmp_path):
    """Its own calls are bound at link time. With the library beside the program they are seen."""
    (tmp_path / "h5.c").write_text(HDF5)
    shown = subprocess.run(["h5cc", "-show", "-noshlib", "h5.c", "-o", "h5"], cwd=tmp_path, capture_output=True, text=True)
    subprocess.run(["sh", "-ec", shown.stdout], cwd=tmp_path, check=True)
    assert b"libhdf5" not in subprocess.run(["ldd", tmp_path / "h5"], capture_output=True, check=True).stdout
    line = f"not seen: HDF5 calls of {tmp_path}/h5, HDF5 is linked into it; its POSIX calls are seen"
    assert line_of(summary(tmp_path, "./h5"), "HDF5") == line
    assert Log([tmp_path / "job.darshan"]).sums["out.h5", "POSIX_BYTES_WRITTEN"] > 0
    (tmp_path / "job.darshan").unlink()
    subprocess.run(["h5cc", "-shlib", "h5.c", "-o", "h5"], cwd=tmp_path, check=True)
    assert "HDF5" not in summary(tmp_path, "./h5")


def private(*mounts):
    """Runs a command in a mount namespace of its own, in which these were mounted."""
    script = " && ".join(["mount --make-rprivate /", *mounts, 'exec "$@"'])
    return ["unshare", "-m", "sh", "-c", script, "sh"]


@pytest.fixture
def can_mount():
    done = subprocess.run([*private("mount -t tmpfs tmpfs /dev/shm"), "true"], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")


WRITE = "dd if=/dev/zero of=out bs=100 count=30 status=none"


def test_a_job_with_a_private_shm(can_mount, tmp_path):
    """The run's directory is hidden; maps go to another that is not."""
    told = summary(tmp_path, *private("mount -t tmpfs tmpfs /dev/shm"), "sh", "-c", f"{WRITE}; true")
    assert "not seen" not in told
    assert Log([tmp_path / "job.darshan"]).sums["out", "POSIX_BYTES_WRITTEN"] == 3000


def test_a_job_that_hides_every_directory(can_mount):
    """Both directories are hidden: said, not seen."""
    with trikal_in_home(TRIKAL) as (folder, trikal):
        hide = [f"mount -t tmpfs tmpfs {directory}" for directory in ("/dev/shm", "/tmp", "/var/tmp")]
        told = subprocess.run([trikal, "run", "--log", folder / "job.darshan", "--", *private(*hide), "sh", "-c", f"{WRITE}; true"],
                              cwd=folder, capture_output=True, text=True, env={**os.environ, "TMPDIR": "/tmp"}, timeout=60)
        assert told.returncode == 0 and (folder / "out").stat().st_size == 3000
        assert "/sh (hidden), started once" in told.stderr
