"""trikal run: a command and everything it starts is one log."""

import os
import subprocess
import sys

import pytest

from conftest import Log, TRIKAL, rows_of

POOL = """
import multiprocessing, os, sys
def work(i):
    with open(os.path.join(sys.argv[2], f"part{i}.bin"), "wb", buffering=0) as out:
        for _ in range(10):
            out.write(b"x" * (1000 + i))
if __name__ == "__main__":
    with multiprocessing.get_context(sys.argv[1]).Pool(3) as pool:
        pool.map(work, range(8))
"""


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_a_python_pool(run, tmp_path, method):
    script = tmp_path / "pool.py"
    script.write_text(POOL)
    done, log = run(sys.executable, script, method, tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    for i in range(8):
        assert log[tmp_path / f"part{i}.bin", "POSIX_BYTES_WRITTEN"] == 10 * (1000 + i)


def test_a_pipeline_in_a_shell(run, tmp_path):
    done, log = run("sh", "-c", "head -c 100000 /dev/zero | tee copy1 copy2 | gzip -c > packed; cat copy1 > copy3; exit 7")
    assert done.returncode == 7
    for name in ("copy1", "copy2", "copy3"):  # tee writes with fwrite, cat with write or copy_file_range
        written = log[tmp_path / name, "POSIX_BYTES_WRITTEN"] + log[tmp_path / name, "STDIO_BYTES_WRITTEN"]
        assert written == 100000 == (tmp_path / name).stat().st_size
    assert log[tmp_path / "packed", "POSIX_BYTES_WRITTEN"] == (tmp_path / "packed").stat().st_size
    assert log[tmp_path / "copy1", "POSIX_BYTES_READ"] == 100000


def test_make_with_jobs(run, tmp_path):
    sources = {f"part{i}.c": f"int part{i}(void) {{ return {i}; }}\n" for i in range(4)}
    for name, text in sources.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "Makefile").write_text("all: $(patsubst %.c,%.o,$(wildcard *.c))\n")
    done, log = run("make", "-j2")
    assert done.returncode == 0, done.stderr.decode()
    for name in sources:
        assert log[tmp_path / name, "POSIX_BYTES_READ"] >= (tmp_path / name).stat().st_size
        assert log[tmp_path / name.replace(".c", ".o"), "STDIO_BYTES_WRITTEN"] > 0  # as writes with fwrite


def test_output_and_errors_are_the_programs_own(run):
    done, _ = run("sh", "-c", "echo out; echo err >&2; exit 5")
    assert done.returncode == 5 and done.stdout == b"out\n"
    assert done.stderr.startswith(b"err\n") and b"trikal" in done.stderr
    quiet, _ = run("sh", "-c", "echo out; echo err >&2", options=["--quiet"])
    assert (quiet.stdout, quiet.stderr) == (b"out\n", b"err\n")


def test_the_process_table_is_in_the_trailer(run, tmp_path):
    run("sh", "-c", "cat /dev/null > a; sh -c 'kill -9 $$'; true")
    rows = rows_of(tmp_path / "job.darshan", "processes")
    assert sorted(row["ended"] for row in rows) == ["exited", "exited", "killed"]
    shell = next(row for row in rows if row["argv"].startswith("sh -c 'cat"))
    assert {row["parent"] for row in rows} - {shell["parent"]} == {shell["pid"]}
    assert os.path.realpath(shell["exe"]) == os.path.realpath("/bin/sh")


@pytest.mark.parametrize("command, code, words", [
    (["no-such-program"], 127, b"no-such-program"),
    (["/"], 126, b"/"),
])
def test_what_cannot_be_run(tmp_path, command, code, words):
    done = subprocess.run([TRIKAL, "run", "--log", tmp_path / "x", "--", *command], capture_output=True)
    assert done.returncode == code and words in done.stderr and len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "x").exists()


def test_switched_off(program, preload, tmp_path):
    for name in ("TRIKAL_DISABLE", "DARSHAN_DISABLE"):
        done = subprocess.run([program("endings"), tmp_path / "d", "exit"], env={**preload, name: "1"})
        assert done.returncode == 3
    assert not list((tmp_path / "logs").rglob("*")) and not list((tmp_path / "maps").rglob("*.map"))


def test_a_log_under_its_own_name(program, preload, tmp_path):
    env = {**preload, "TRIKAL_LOGFILE": str(tmp_path / "mine.darshan")}
    subprocess.run([program("endings"), tmp_path / "d", "return"], env=env, check=True)
    assert Log(tmp_path / "mine.darshan")[tmp_path / "d", "POSIX_WRITES"] == 100


SECRET = "open-sesame"


def test_secrets_of_a_command_line_are_hidden(run, preload, tmp_path):
    command = ["sh", "-c", "echo $0 > out", f"--api-key={SECRET}", "--password", SECRET, f"ftp://me:{SECRET}@host/x"]
    run(*command)
    subprocess.run(command, env=preload, cwd=tmp_path, check=True)
    logs = [tmp_path / "job.darshan", *(tmp_path / "logs").rglob("*.darshan")]
    assert len(logs) >= 2
    for log in logs:
        shown = b""
        for table in ("job", "processes"):
            shown += subprocess.run([TRIKAL, "export", "-f", "csv", "-t", table, "-o", "-", log], capture_output=True,
                                    check=True).stdout
        assert b"***" in shown and SECRET.encode() not in shown
    run("sh", "-c", "true > x", SECRET, options=[], env={**os.environ, "TRIKAL_REDACT": "open*"})
    assert SECRET.encode() not in subprocess.run([TRIKAL, "info", tmp_path / "job.darshan"], capture_output=True).stdout
    run("sh", "-c", "true > x", f"--password={SECRET}", env={**os.environ, "TRIKAL_REDACT": "none"})
    assert SECRET.encode() in subprocess.run([TRIKAL, "info", tmp_path / "job.darshan"], capture_output=True).stdout


def test_a_process_that_outlives_the_run(run, tmp_path):
    """A daemon does not keep run waiting; what it did until then is in the log, and that it goes on is said."""
    _, log = run("sh", "-c", "(echo early > early; sleep 3; echo late > late) >/dev/null 2>&1 & while [ ! -s early ]; do :; done")
    assert log[tmp_path / "early", "POSIX_BYTES_WRITTEN"] == 6
    assert not (tmp_path / "late").exists()
    assert "running" in {row["ended"] for row in rows_of(tmp_path / "job.darshan", "processes")}


def test_no_memory_is_said_and_does_no_harm(program, preload, tmp_path):
    """A session needs 64 MiB of addresses: without them the program runs all the same, and one line says so."""
    data = tmp_path / "d"
    done = subprocess.run(["bash", "-c", f"ulimit -v 40000; exec {program('endings')} {data} exit"], env=preload,
                          capture_output=True)
    assert data.stat().st_size == 6400
    assert done.returncode == 3 and done.stdout == b""
    assert done.stderr.count(b"trikal: this process is not observed") == done.stderr.count(b"\n") <= 2  # bash, and then it


def test_thousands_of_processes(run, tmp_path):
    (tmp_path / "in").write_text("x\n")
    count = 10000 if os.environ.get("TRIKAL_FULL") == "1" else 1000
    done, log = run("sh", "-c", f"i=0; while [ $i -lt {count} ]; do cat in >> out; i=$((i+1)); done")
    assert done.returncode == 0
    assert log[tmp_path / "out", "POSIX_BYTES_WRITTEN"] == 2 * count == (tmp_path / "out").stat().st_size
    assert len(rows_of(tmp_path / "job.darshan", "processes")) == count + 1


def test_shells_that_become_other_programs_leave_no_maps(program, preload, tmp_path):
    """Under plain preloading, the last program of a process writes the logs of those before it."""
    command = f"echo 1 > a; exec sh -c 'echo 22 > b; exec {program('endings')} c return'"
    subprocess.run(["sh", "-c", command], env=preload, cwd=tmp_path, check=True)
    logs = [Log(path) for path in (tmp_path / "logs").rglob("*.darshan")]
    assert sorted(sum(log[tmp_path / name, "POSIX_BYTES_WRITTEN"] for name in "abc") for log in logs) == [2, 3, 6400]
    assert not list((tmp_path / "maps").rglob("*.map"))
