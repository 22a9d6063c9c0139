"""What is hostile or broken around trikal watch: maps and rings of others, clocks that jump, many of everything."""

import os
import pathlib
import random
import shutil
import signal
import subprocess
import time

import pytest

from conftest import RUNTIME, TRIKAL, assert_same, sql

FULL = os.environ.get("TRIKAL_FULL") == "1"


def wait_for(condition, seconds=30):
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.05)
    return found


@pytest.fixture
def shared():
    """A directory that looks like that of a run, beside the real ones, where everybody may put something."""
    path = pathlib.Path(f"/dev/shm/trikal-run-{os.getpid()}-hostile")
    path.mkdir(mode=0o700)
    yield path
    shutil.rmtree(path, ignore_errors=True)


def watch_all(tmp_path, seconds=2):
    return subprocess.run([TRIKAL, "watch", "--all", "--no-page", "--seconds", str(seconds), "--store", tmp_path / "w.sqlite"],
                          capture_output=True, text=True, timeout=60)


def real_files(tmp_path):
    """The map and the rings of a process that was killed, as bytes."""
    folder = tmp_path / "maps"
    folder.mkdir(mode=0o700)
    environment = dict(os.environ, LD_PRELOAD=str(RUNTIME), TRIKAL_RUN_DIRECTORY=str(folder), TRIKAL_EVENTS="all")
    script = "import os\nf = os.open('/dev/shm', os.O_RDONLY)\nopen('x', 'w').write('x' * 100000)\nos.kill(os.getpid(), 9)\n"
    subprocess.run(["python3", "-c", script], cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL)
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and path.stat().st_size}
    assert any(name.endswith(".ring") for name in files) and len(files) >= 2
    return files


def test_hostile_files_in_a_shared_directory(tmp_path, shared, alone):
    """Cut, with absurd numbers, links, pipes, directories: each is named or left alone, and nothing else is hurt."""
    chance = random.Random(3)
    for number, (name, data) in enumerate(real_files(tmp_path).items()):
        suffix = f"-{number}{name[name.index('.'):]}"
        for i in range(60 if FULL else 12):
            bad = bytearray(data[:chance.randrange(len(data))] if i % 3 == 0 else data)
            for _ in range(chance.randrange(1, 40)):
                if len(bad) > 16:
                    at = chance.randrange(min(len(bad), 4096) - 8)
                    bad[at:at + 8] = chance.choice([b"\xff" * 8, b"\x00" * 8, b"\xff" * 7 + b"\x7f", chance.randbytes(8)])
            (shared / f"{100000 + i}-{i}{suffix}").write_bytes(bad)
        (shared / f"200000-1{suffix}").symlink_to("/etc/passwd")
        (shared / f"200001-1{suffix}").mkdir()
        os.mkfifo(shared / f"200002-1{suffix}")
        (shared / f"200003-1{suffix}").touch()
    before = pathlib.Path("/etc/passwd").read_bytes()
    program = subprocess.Popen([TRIKAL, "run", "--quiet", "--log", tmp_path / "r.darshan", "--", "sh", "-c",
                                "for i in 1 2 3 4 5 6; do head -c 50000 /dev/zero > f; sleep 0.4; done"], cwd=tmp_path)
    time.sleep(0.5)
    done = watch_all(tmp_path, 8)  # longer than the program, on a busy machine as well
    assert done.returncode == 0 and program.wait(30) == 0, done.stderr
    assert pathlib.Path("/etc/passwd").read_bytes() == before
    rows = sql(tmp_path / "w.sqlite", "SELECT sum(bytes) AS bytes FROM rollups WHERE file = '<STDOUT>' AND operation = 'write' "
               "AND process IN (SELECT process FROM processes WHERE command = 'head -c 50000 /dev/zero')")
    assert rows == [{"bytes": 300000}]
    assert all(line.startswith("trikal") or line.startswith("         ") for line in done.stderr.splitlines()), done.stderr


def test_files_of_another_user_are_not_read(tmp_path, shared, alone):
    if os.geteuid() != 0:
        pytest.skip("needs to be root, to give files away")
    for name, data in real_files(tmp_path).items():
        (shared / name).write_bytes(data)
        os.chown(shared / name, 65534, 65534)
    os.chmod(shared, 0o777)
    os.chown(shared, 65534, 65534)
    done = watch_all(tmp_path)
    assert done.returncode == 0, done.stderr
    assert sql(tmp_path / "w.sqlite", "SELECT * FROM totals WHERE file LIKE '%/x'") == []


def test_clock_that_jumps(tmp_path, program):
    """Times in the store go on steadily, whatever the clock of the day does meanwhile: hours back, a day ahead."""
    clock = program("jumping_clock", "-shared", "-fPIC")
    start = time.time()
    done = subprocess.run([TRIKAL, "watch", "--no-page", "--events", "--log", tmp_path / "w.darshan", "--", program("steady"), "3.5"],
                          cwd=tmp_path, capture_output=True, text=True, timeout=60, env=dict(os.environ, LD_PRELOAD=str(clock)))
    took = time.time() - start
    assert done.returncode == 0, done.stderr
    assert_same(tmp_path / "w.sqlite", tmp_path / "w.darshan")
    for view, column in (("rollups", "time"), ("events", "time"), ("system", "time")):
        first, last = sql(tmp_path / "w.sqlite", f"SELECT min({column}) AS a, max({column}) AS b FROM {view}")[0].values()
        assert start - 2 <= first < last <= start + took + 2, view
    sequence = [row["time"] for row in sql(tmp_path / "w.sqlite", "SELECT time FROM events ORDER BY sequence")]
    assert sequence == sorted(sequence) and len(sequence) > 500


def test_names_that_are_hostile(tmp_path):
    """HTML, quotes, control characters, no UTF-8: the store and CSV have them, and nothing is lost."""
    names = ["<script>alert(1)</script>", "a\"b'c", "line\nbreak\ttab", "100%s%n", "x" * 250, "-- ; DROP TABLE file", "\x1b[31mred"]
    script = "import os, sys\nfor name in sys.argv[1:]: open(name, 'w').write('12345')\nopen(b'\\xff\\xfe', 'w').write('1')\n"
    done = subprocess.run([TRIKAL, "watch", "--no-page", "--text", "--events", "--log", tmp_path / "w.darshan", "--", "python3", "-c", script,
                           *[name.replace("/", "_") for name in names]], cwd=tmp_path, capture_output=True, timeout=60)
    assert done.returncode == 0 and b"\x1b[31m" not in done.stderr and b"\nbreak" not in done.stderr
    rows = {row["file"].removeprefix(f"{tmp_path}/"): row["bytes"] for row in
            sql(tmp_path / "w.sqlite", "SELECT file, sum(bytes) AS bytes FROM totals WHERE operation = 'write' AND interface = 'POSIX' GROUP BY 1")}
    for name in names:
        assert rows[name.replace("/", "_")] == 5
    assert_same(tmp_path / "w.sqlite", tmp_path / "w.darshan")
    events = sql(tmp_path / "w.sqlite", "SELECT file FROM events WHERE operation LIKE '%write' AND length = 5")
    assert len(events) >= len(names)


def test_a_thousand_threads(tmp_path, program):
    (tmp_path / "data").mkdir()
    done = subprocess.run([TRIKAL, "watch", "--no-page", "--events", "--log", tmp_path / "w.darshan", "--", program("event_calls"), "threads",
                           "1000", "20", tmp_path / "data"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    emitted, stored, dropped = sql(tmp_path / "w.sqlite", "SELECT sum(emitted) AS e, sum(stored) AS s, sum(dropped) AS d FROM event_counts")[0].values()
    assert emitted == stored + dropped == 1000 * 22
    assert sql(tmp_path / "w.sqlite", "SELECT count(*) AS n FROM events") == [{"n": stored}]
    assert_same(tmp_path / "w.sqlite", tmp_path / "w.darshan")


def test_very_many_short_processes(tmp_path):
    count = 10_000 if FULL else 600
    script = f"i=0; while [ $i -lt {count} ]; do head -c 10 input > /dev/null; i=$((i+1)); done"
    (tmp_path / "input").write_text("0123456789")
    done = subprocess.run([TRIKAL, "watch", "--no-page", "--events", "--log", tmp_path / "w.darshan", "--", "sh", "-c", script], cwd=tmp_path,
                          capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    emitted, stored, dropped = sql(tmp_path / "w.sqlite", "SELECT sum(emitted) AS e, sum(stored) AS s, sum(dropped) AS d FROM event_counts")[0].values()
    assert emitted == stored + dropped and emitted >= 3 * count
    rows = sql(tmp_path / "w.sqlite", "SELECT count(DISTINCT process) AS n FROM totals WHERE file LIKE '%/input' AND operation = 'read'")
    assert rows == [{"n": count}]


def test_watch_that_is_interrupted(tmp_path, program):
    """Ctrl-C with events and a page: both end, the store is whole, every event is accounted for."""
    running = subprocess.Popen([TRIKAL, "watch", "--events", "--log", tmp_path / "w.darshan", "--", program("event_calls"), "endless",
                                tmp_path / "f"], stderr=subprocess.PIPE, text=True, start_new_session=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    wait_for(lambda: (tmp_path / "f").exists() and (tmp_path / "f").stat().st_size > 0)
    time.sleep(0.7)
    os.killpg(running.pid, signal.SIGINT)
    text = running.communicate(timeout=60)[1]
    assert running.returncode == -signal.SIGINT and "emitted = " in text
    emitted, stored, dropped = sql(tmp_path / "w.sqlite", "SELECT sum(emitted) AS e, sum(stored) AS s, sum(dropped) AS d FROM event_counts")[0].values()
    assert emitted == stored + dropped > 0 and not list(tmp_path.glob("*-wal"))


def test_rings_of_very_many_ranks(tmp_path, shared, alone):
    """As many killed processes as a large job has ranks: all their rings are read, each once, and removed."""
    count, pid_at = 4096 if FULL else 512, 56  # docs/formats/events.md: boot id, pid namespace, pid
    ring = bytearray(max((data for name, data in real_files(tmp_path).items() if name.endswith(".ring")), key=len))
    for i in range(count):
        ring[pid_at:pid_at + 8] = (5_000_000 + i).to_bytes(8, "little")
        (shared / f"{5_000_000 + i}-1-0.ring").write_bytes(ring)
    done = watch_all(tmp_path, 20 if FULL else 4)
    assert done.returncode == 0, done.stderr
    assert not list(shared.glob("*.ring"))
    rows = sql(tmp_path / "w.sqlite", "SELECT process, stored, emitted FROM event_counts WHERE thread >= 0 AND process IN "
               "(SELECT DISTINCT process FROM events WHERE operation = 'write' AND length = 100000)")
    assert len(rows) == count and len({(row["stored"], row["emitted"]) for row in rows}) == 1
    events = sql(tmp_path / "w.sqlite", "SELECT process, count(*) AS n FROM events GROUP BY 1")
    assert {row["process"]: row["n"] for row in events} == {row["process"]: row["stored"] for row in rows}
