"""Processes that do little: they leave nothing behind that costs anything, and nothing of what they did is lost."""

import os
import pathlib
import signal
import subprocess
import time

import pytest

from conftest import Log, TRIKAL, rows_of


def maps_in(tmp_path):
    return sorted((tmp_path / "maps").rglob("*.map"))


def copying(tmp_path, preload, out=subprocess.DEVNULL):
    """A process that has copied a line to a file, and goes on."""
    process = subprocess.Popen(["tee", tmp_path / "copy"], env=preload, stdin=subprocess.PIPE, stdout=out)
    process.stdin.write(b"x\n")
    process.stdin.flush()
    # The second line is read when all there is to note of the first is noted.
    while not (tmp_path / "copy").exists() or (tmp_path / "copy").stat().st_size < 4:
        if (tmp_path / "copy").exists() and (tmp_path / "copy").stat().st_size == 2:
            process.stdin.write(b"y\n")
            process.stdin.flush()
            time.sleep(0.01)
        assert process.poll() is None
    return process


def test_no_map_before_the_first_record(preload, tmp_path):
    nothing = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)  # a file would be one that it has open
    # Shells ask for the directory they are in: one that is not watched.
    process = subprocess.Popen(["sh", "-c", "kill -STOP $$"], env={**preload, "PWD": "/usr/lib"}, cwd="/usr/lib", **nothing)
    os.waitpid(process.pid, os.WUNTRACED)
    assert "libtrikal.so" in pathlib.Path(f"/proc/{process.pid}/maps").read_text()
    assert maps_in(tmp_path) == []
    process.send_signal(signal.SIGCONT)
    assert process.wait() == 0
    assert list((tmp_path / "logs").rglob("*.darshan")) == []


@pytest.mark.parametrize("redirected", [True, False])
def test_a_map_from_the_first_record_on(preload, tmp_path, redirected):
    """Which is made while the session starts, where it begins with a file open, or later."""
    with open(tmp_path / "out", "wb") as out:
        process = copying(tmp_path, preload, out if redirected else subprocess.DEVNULL)
    [path] = maps_in(tmp_path)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    subprocess.run([TRIKAL, "recover", "-o", tmp_path / "logs", path], check=True, capture_output=True)
    [log] = (tmp_path / "logs").rglob("*.darshan")
    counters = Log(log)
    assert counters[tmp_path / "copy", "POSIX_BYTES_WRITTEN"] + counters[tmp_path / "copy", "STDIO_BYTES_WRITTEN"] >= 2


def test_the_log_of_an_earlier_program_that_the_last_one_has_nothing_to_add_to(preload, tmp_path):
    subprocess.run(["bash", "-c", f"echo seen > {tmp_path}/data; exec true"], env=preload, check=True)
    [log] = (tmp_path / "logs").rglob("*.darshan")
    assert Log(log)[tmp_path / "data", "POSIX_OPENS"] > 0
    assert maps_in(tmp_path) == []


def test_programs_of_one_process_are_told_apart(run, tmp_path):
    command = "exec bash -c 'exec env -u TRIKAL_PROCESS bash -c \"exec true\"'"
    _, log = run("bash", "-c", command)
    rows = rows_of(log.path, "processes")
    assert len({row["pid"] for row in rows}) == 1
    assert sorted(row["generation"] for row in rows) == list(range(5))


def test_children_are_told_who_starts_them(run, tmp_path):
    """A program that was forked, one that was spawned, and one whose parent is not the process that the environment names."""
    script = tmp_path / "tree.py"
    script.write_text("import os, subprocess\n"
                      "subprocess.run(['true'])\n"
                      "os.waitpid(os.posix_spawn('/bin/true', ['true'], os.environ), 0)\n"
                      "if os.fork() == 0: os.execv('/bin/true', ['true'])\n"
                      "os.wait()\n")
    _, log = run("python3", script)
    rows = [row for row in rows_of(log.path, "processes") if row["exe"].endswith("/true")]
    assert len(rows) == 3 and all(row["ended"] == "exited" for row in rows)
    assert sorted(row["generation"] for row in rows)[-1] == 1
