"""A file that is only opened, asked about and closed has a brief record while the program runs: in the log it is as whole
as any other, and it grows into a whole one when data moves, in whatever order things happen."""

import pathlib
import subprocess

import pytest

from conftest import TRIKAL, Log

BEGIN = "import os\nfd = os.open('file', os.O_CREAT | os.O_RDWR, 0o640)\n"
PROGRAMS = {
    "opened": (BEGIN + "os.close(fd)", {"OPENS": 1, "STATS": 0, "WRITES": 0}),
    "asked": ("import os\nos.stat('file')\nos.stat('file')", {"STATS": 2, "WRITES": 0}),
    "written": (BEGIN + "os.write(fd, b'four')\nos.close(fd)\nos.stat('file')",
                {"OPENS": 1, "STATS": 1, "WRITES": 1, "BYTES_WRITTEN": 4}),
    "again": (BEGIN + "other = os.open('file', os.O_RDONLY)\nos.read(other, 8)\nos.write(fd, b'four')\nos.close(fd)\n"
              "os.close(other)\nos.close(os.open('file', os.O_RDONLY))",
              {"OPENS": 3, "READS": 1, "WRITES": 1, "RW_SWITCHES": 1}),
    "over a fork": (BEGIN + "child = os.fork()\nif child == 0: os._exit(0)\nos.waitpid(child, 0)\nos.close(fd)",
                    {"OPENS": 1, "WRITES": 0}),
    "in a child": (BEGIN + "child = os.fork()\nif child == 0: os.write(fd, b'four'); os._exit(0)\nos.waitpid(child, 0)\n"
                   "os.close(fd)", {"OPENS": 1, "WRITES": 1}),
    "renamed": (BEGIN + "os.close(fd)\nos.rename('file', 'new')", {"OPENS": 1, "RENAME_SOURCES": 1}),
}
# All but one close what they have opened.
CLOSED = [name for name in PROGRAMS if name != "asked"]


def seconds(log, name, counter):
    """The latest of all processes."""
    lines = subprocess.run([TRIKAL, "parse", "--base", log], capture_output=True, check=True, text=True).stdout.splitlines()
    return max(float(fields[4]) for fields in (line.split("\t") for line in lines)
               if len(fields) > 5 and (fields[3], fields[5]) == (counter, str(name)))


@pytest.mark.parametrize("name", PROGRAMS)
def test_counts_as_a_whole_record_does(run, tmp_path, name):
    text, wanted = PROGRAMS[name]
    if name not in CLOSED:
        (tmp_path / "file").touch()
    done, log = run("python3", "-c", text)
    assert done.returncode == 0, done.stderr
    assert {counter: log[tmp_path / "file", f"POSIX_{counter}"] for counter in wanted} == wanted
    assert log[tmp_path / "file", "POSIX_MEM_ALIGNMENT"] >= 8
    if name in CLOSED:
        assert log[tmp_path / "file", "POSIX_MODE"] == 0o640
        assert seconds(log.path, tmp_path / "file", "POSIX_F_CLOSE_END_TIMESTAMP") > 0


def test_snapshot_of_a_running_process_has_them(tmp_path):
    text = "import os\nos.close(os.open('file', os.O_CREAT | os.O_RDWR, 0o640))\nprint('ready', flush=True)\ninput()"
    with subprocess.Popen([TRIKAL, "run", "--quiet", "--log", tmp_path / "job.darshan", "--", "python3", "-c", text],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path) as job:
        assert job.stdout.readline() == b"ready\n"
        child, = pathlib.Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text().split()
        subprocess.run([TRIKAL, "snapshot", child, "-o", tmp_path / "now.darshan"], check=True, capture_output=True)
        job.stdin.write(b"\n")
    assert Log(tmp_path / "now.darshan")[tmp_path / "file", "POSIX_OPENS"] == 1
