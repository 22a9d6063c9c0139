"""What a log says besides counters: phases the program named, programs that could not be seen; snapshot and doctor."""

import os
import pathlib
import signal
import subprocess
import time

import pytest

from conftest import HERE, ROOT, Log, TRIKAL, rows_of


def build(target, source, *options):
    subprocess.run(["cc", "-O1", "-Wall", "-Wextra", "-Werror", *options, "-o", target, source], check=True)
    return target


@pytest.fixture(scope="session")
def phases(tmp_path_factory):
    folder = tmp_path_factory.mktemp("phases")
    return build(folder / "phases", HERE / "programs" / "phases.c", f"-I{ROOT}/include", "-pthread")


@pytest.fixture(scope="session")
def static(tmp_path_factory):
    folder = tmp_path_factory.mktemp("static")
    (folder / "none.c").write_text("int main(void) { return 0; }\n")
    return build(folder / "none", folder / "none.c", "-static")


def test_without_the_runtime_phases_do_nothing(phases, tmp_path):
    assert subprocess.run([phases, tmp_path / "out"]).returncode == 0
    assert (tmp_path / "out").read_text() == "text\n" * 3


def check_phases(rows):
    assert sorted((row["phase"], row["depth"]) for row in rows) == [
        ("inner", 1), ("inner", 1), ("never ended", 0), ("other thread", 0), ("outer", 0)]
    by_name = {row["phase"]: row for row in rows}
    outer = by_name["outer"]
    for row in rows:
        if row["phase"] in ("inner", "other thread"):
            assert outer["begin"] <= row["begin"] <= row["end"] <= outer["end"]
    assert by_name["never ended"]["end"] == 0 and by_name["never ended"]["begin"] >= outer["end"]
    assert by_name["other thread"]["thread"] != outer["thread"]


def test_phases_are_in_the_log(run, phases, tmp_path):
    done, _ = run(phases, tmp_path / "out")
    check_phases(rows_of(tmp_path / "job.darshan", "phases"))
    assert b"outer" in done.stderr and b"inner" in done.stderr


def test_phases_are_in_a_process_own_log(preload, phases, tmp_path):
    subprocess.run([phases, tmp_path / "out"], env={**preload, "TRIKAL_LOGFILE": str(tmp_path / "own")}, check=True)
    check_phases(rows_of(tmp_path / "own", "phases"))


def test_programs_that_cannot_be_seen_are_named(run, static, tmp_path):
    done, _ = run("sh", "-c", f"echo x > out; {static}; {static}; env -u LD_PRELOAD /bin/true; exec {static}")
    seen = {(row["exe"], row["why"]): row["count"] for row in rows_of(tmp_path / "job.darshan", "unseen")}
    # The shell starts two and becomes the third: rows are a process each.
    assert {key for key in seen} == {(str(static), "static"), ("/bin/true", "environment")}
    total = sum(row["count"] for row in rows_of(tmp_path / "job.darshan", "unseen") if row["why"] == "static")
    assert total == 3
    assert f"not seen: {static} (static), started 3 times" in done.stderr.decode()


def test_python_starts_one(run, static, tmp_path):
    script = f"import subprocess, os; open('x', 'w').write('y'); subprocess.run(['{static}']); " \
             f"os.posix_spawn('{static}', ['none'], {{}}); os.wait()"
    run("python3", "-c", script)
    rows = rows_of(tmp_path / "job.darshan", "unseen")
    assert sum(row["count"] for row in rows if row["exe"] == str(static)) == 2, rows


def test_a_command_that_cannot_be_seen_runs_all_the_same(static, tmp_path):
    log = tmp_path / "job.darshan"
    done = subprocess.run([TRIKAL, "run", "--log", log, "--", static], capture_output=True)
    assert done.returncode == 0 and b"static" in done.stderr
    assert log.exists()


def test_doctor(static):
    good = subprocess.run([TRIKAL, "doctor", "sh"], capture_output=True, text=True)
    assert good.returncode == 0, good.stdout
    assert "a file that a shell wrote was seen" in good.stdout and "can be observed" in good.stdout
    bad = subprocess.run([TRIKAL, "doctor", static, "no-such-program"], capture_output=True, text=True)
    assert bad.returncode == 1 and "statically linked" in bad.stdout and "no such program" in bad.stdout
    off = subprocess.run([TRIKAL, "doctor"], capture_output=True, text=True, env={**os.environ, "TRIKAL_DISABLE": "1"})
    assert off.returncode == 1 and "TRIKAL_DISABLE" in off.stdout


def test_a_setuid_program_is_named():
    if os.geteuid() == 0:
        command = ["setpriv", "--reuid=65534", "--clear-groups", TRIKAL, "doctor", "su"]
    else:
        command = [TRIKAL, "doctor", "su"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert "setuid or setgid" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("way", ["preload", "run"])
def test_snapshot_of_a_running_process(program, preload, tmp_path, way):
    command, env = [program("counting_writer"), tmp_path / "d", tmp_path / "c"], preload
    if way == "run":
        command, env = [TRIKAL, "run", "--quiet", "--log", tmp_path / "end.darshan", "--", *command], os.environ
    writer = subprocess.Popen(command, env=env)
    pid = writer.pid
    try:
        for _ in range(10000):
            if (tmp_path / "d").exists() and (tmp_path / "d").stat().st_size:
                break
            time.sleep(0.001)
        if way == "run":
            pid = int(subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=True).stdout)
        counts = []
        for attempt in range(2):
            path = tmp_path / f"{attempt}.darshan"
            subprocess.run([TRIKAL, "snapshot", str(pid), "-o", path], check=True, capture_output=True, env=preload)
            counts.append(Log(path)[tmp_path / "d", "POSIX_WRITES"])
            time.sleep(0.05)
        assert 0 < counts[0] < counts[1]
        assert rows_of(tmp_path / "1.darshan", "processes")[0]["ended"] == "running"
    finally:
        os.kill(pid, signal.SIGKILL)  # the program: trikal run ends by itself, and leaves nothing behind
        writer.wait()


def test_snapshot_of_what_is_not_observed(tmp_path):
    done = subprocess.run([TRIKAL, "snapshot", str(os.getpid()), "-o", tmp_path / "x"], capture_output=True)
    assert done.returncode == 2 and b"not observed" in done.stderr and not (tmp_path / "x").exists()
    gone = subprocess.run([TRIKAL, "snapshot", "999999999"], capture_output=True)
    assert gone.returncode == 2 and b"no such process" in gone.stderr


def test_a_run_that_was_killed_itself(program, tmp_path):
    """The observer is killed, then its tree: recover makes one log of what they left."""
    command = ["sh", "-c", f"{program('counting_writer')} {tmp_path}/d {tmp_path}/c & echo x > other; wait"]
    running = subprocess.Popen([TRIKAL, "run", "--quiet", "--log", tmp_path / "never", "--", *command],
                               start_new_session=True, cwd=tmp_path)
    for _ in range(10000):
        if all((tmp_path / name).exists() and (tmp_path / name).stat().st_size for name in ("d", "other")):
            break
        time.sleep(0.001)
    time.sleep(0.05)  # written is not yet counted
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    time.sleep(0.2)  # until its children are gone, too
    (directory,) = pathlib.Path("/dev/shm").glob(f"trikal-run-{running.pid}-*")
    done = subprocess.run([TRIKAL, "recover", "-o", tmp_path, directory], capture_output=True, text=True)
    assert not (tmp_path / "never").exists()
    logs = [Log(path) for path in tmp_path.glob("*.darshan")]
    (log,) = [log for log in logs if log[tmp_path / "d", "POSIX_WRITES"]]
    assert log[tmp_path / "other", "POSIX_BYTES_WRITTEN"] == 2, done


def test_what_observing_cost(run, preload, program, tmp_path):
    """Calls are those the log counts; the cost is above zero and far below the time the program took."""
    script = "import os\nfd = os.open('x', os.O_CREAT | os.O_RDWR)\nfor i in range(100000): os.pwrite(fd, b'0' * 64, i)"
    done, log = run("python3", "-c", script)
    rows = rows_of(tmp_path / "job.darshan", "processes")  # python3 may be a script that becomes it
    row = max(rows, key=lambda row: row["calls"])
    assert log[tmp_path / "x", "POSIX_WRITES"] == 100000 and 100000 < row["calls"] < 110000
    assert 100000 * 5e-9 < row["call_cost"] < row["end"] / 2, "5 ns to half of its time"
    assert 0 < row["session_cost"] < row["end"] / 2
    (line,) = [line for line in done.stderr.decode().splitlines() if "observing cost" in line]
    assert f"{sum(row['calls'] for row in rows):,} calls seen" in line
    own = tmp_path / "own"
    subprocess.run(["python3", "-c", script], cwd=tmp_path, env={**preload, "TRIKAL_LOGFILE": str(own)}, check=True)
    row = max((row for path in tmp_path.glob("own*") for row in rows_of(path, "processes")), key=lambda row: row["calls"])
    assert row["calls"] > 100000 and row["call_cost"] > 0 and row["session_cost"] > 0
