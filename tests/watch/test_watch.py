"""What a person sees of trikal watch and trikal sql, and what they say when something is wrong."""

import json
import os
import pathlib
import signal
import subprocess
import time

import pytest

from conftest import RUNTIME, TRIKAL, assert_same, sql


def run(*arguments, **more):
    return subprocess.run([TRIKAL, *arguments], capture_output=True, timeout=60, text=True, **more)


def test_output_and_status_are_the_programs(tmp_path):
    done = run("watch", "--quiet", "--log", tmp_path / "w.darshan", "--", "sh", "-c", "echo out; echo err >&2; exit 3")
    assert (done.returncode, done.stdout, done.stderr) == (3, "out\n", "err\n")


def test_default_names_belong_together(tmp_path):
    assert run("watch", "--", "cat", "/etc/passwd", cwd=tmp_path).returncode == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert [pathlib.Path(name).suffix for name in names] == [".darshan", ".sqlite"]
    assert pathlib.Path(names[0]).stem == pathlib.Path(names[1]).stem


def test_text_gives_lines_where_there_is_no_terminal(tmp_path):
    done = run("watch", "--text", "--log", tmp_path / "w.darshan", "--", "sh", "-c",
               "for i in 1 2 3 4 5; do head -c 3000000 /dev/zero > f; sleep 0.5; done", cwd=tmp_path)
    lines = [line for line in done.stderr.splitlines() if "calls/s" in line]
    assert len(lines) >= 2 and "\x1b" not in done.stderr
    assert any("write 0 B/s" not in line for line in lines)


def test_text_is_a_screen_on_a_terminal(tmp_path):
    command = f"{TRIKAL} watch --text --log {tmp_path}/w.darshan -- sh -c 'for i in 1 2 3 4 5; do head -c 3000000 /dev/zero > {tmp_path}/f; sleep 0.5; done'"
    done = subprocess.run(["script", "-qec", command, "/dev/null"], capture_output=True, timeout=60, text=True)
    assert "\x1b[J" in done.stdout and "machine" in done.stdout and "<STDOUT>" in done.stdout
    assert "cores busy" in done.stdout


def test_the_machine_is_stored_beside_the_run(tmp_path):
    assert run("watch", "--log", tmp_path / "w.darshan", "--", "sleep", "2.5").returncode == 0
    rows = sql(tmp_path / "w.sqlite", "SELECT metric, count(*) AS n, min(value) AS least FROM system GROUP BY metric")
    found = {row["metric"]: row for row in rows}
    assert found["memory.total"]["least"] > 1e6 and found["cpu.user"]["n"] >= 2
    assert found["cpu.idle"]["least"] <= os.cpu_count() * 1.1


def test_findings_come_while_it_runs(tmp_path):
    script = ("import os,time\n"
              "f=os.open('small',os.O_WRONLY|os.O_CREAT)\n"
              "end=time.time()+6\n"
              "while time.time()<end:\n"
              " for i in range(2000): os.write(f,b'x')\n")
    done = run("watch", "--alert", "any", "--log", tmp_path / "w.darshan", "--", "python3", "-c", script, cwd=tmp_path)
    assert done.returncode == 0
    alerts = [line for line in done.stderr.splitlines() if line.startswith("trikal: alert after")]
    assert any("small-writes" in line for line in alerts), done.stderr
    stored = sql(tmp_path / "w.sqlite", "SELECT code, seconds, time FROM findings WHERE code = 'small-writes' ORDER BY time")
    assert len(stored) >= 2 and stored[0]["seconds"] < stored[-1]["seconds"]
    after = json.loads(run("insights", "--json", tmp_path / "w.darshan").stdout)
    last = {row["code"]: row["seconds"] for row in sql(tmp_path / "w.sqlite", "SELECT code, seconds FROM findings ORDER BY time")}
    assert last["small-writes"] == pytest.approx(next(f["seconds"] for f in after["findings"] if f["code"] == "small-writes"), rel=0.02)


def test_program_that_was_started_long_before(tmp_path):
    script = "import os,time\nf=os.open('long',os.O_WRONLY|os.O_CREAT)\nfor i in range(40): os.write(f,b'x'*1000); time.sleep(0.1)\n"
    environment = dict(os.environ, LD_PRELOAD=str(RUNTIME), TRIKAL_LOG_PATH=str(tmp_path))
    program = subprocess.Popen(["python3", "-c", script], cwd=tmp_path, env=environment)
    time.sleep(1)
    done = run("watch", "--store", tmp_path / "w.sqlite", str(program.pid))
    assert done.returncode == 0 and program.wait() == 0, done.stderr
    rows = sql(tmp_path / "w.sqlite", "SELECT sum(calls) AS calls, sum(bytes) AS bytes FROM rollups WHERE file LIKE '%/long' AND operation = 'write'")
    assert rows == [{"calls": 40, "bytes": 40000}]


def test_all_processes_of_the_user(tmp_path, alone):
    program = subprocess.Popen([TRIKAL, "run", "--quiet", "--log", tmp_path / "r.darshan", "--", "sh", "-c",
                                "for i in 1 2 3 4 5 6; do head -c 50000 /dev/zero > f; sleep 0.5; done"], cwd=tmp_path)
    time.sleep(0.7)
    done = run("watch", "--all", "--seconds", "4", "--store", tmp_path / "w.sqlite")
    assert done.returncode == 0 and program.wait() == 0, done.stderr
    rows = sql(tmp_path / "w.sqlite", "SELECT sum(bytes) AS bytes FROM rollups WHERE file = '<STDOUT>' AND operation = 'write' "
               "AND process IN (SELECT process FROM processes WHERE command = 'head -c 50000 /dev/zero')")
    assert rows == [{"bytes": 300000}]


def test_interrupt(tmp_path):
    program = subprocess.Popen([TRIKAL, "watch", "--log", tmp_path / "w.darshan", "--", "sleep", "60"], stderr=subprocess.PIPE,
                               start_new_session=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # a shell's "&" ignores it
    time.sleep(1.5)
    os.killpg(program.pid, signal.SIGINT)
    assert program.wait(20) == -signal.SIGINT
    assert (tmp_path / "w.darshan").exists() and sql(tmp_path / "w.sqlite", "SELECT count(*) AS n FROM runs") == [{"n": 1}]


@pytest.mark.parametrize("store", ["/nowhere/x.sqlite", "/dev/full", "folder", "text"])
def test_store_that_cannot_be_written(tmp_path, store):
    """One clear line; the program runs, and its log is written."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("not a database, and long enough to be taken for one" * 100)
    done = run("watch", "--store", store, "--log", tmp_path / "w.darshan", "--", "sh", "-c", "echo ran > out; echo done", cwd=tmp_path)
    assert done.returncode == 0 and done.stdout == "done\n"
    lines = [line for line in done.stderr.splitlines() if line.startswith("trikal: ")]
    assert len(lines) == 1 and store in lines[0] and "nothing" in lines[0], done.stderr
    assert (tmp_path / "w.darshan").exists()
    assert (tmp_path / "text").read_text().startswith("not a database")


def test_disk_that_becomes_full(tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "none", small], capture_output=True).returncode:
        pytest.skip("needs to be root, and to be allowed to mount")
    try:
        script = "i=0; while [ $i -lt 300 ]; do head -c 100 /dev/zero > data/a-rather-long-name-of-a-file-$i; i=$((i+1)); sleep 0.01; done"
        (tmp_path / "data").mkdir()
        done = run("watch", "--store", small / "w.sqlite", "--log", tmp_path / "w.darshan", "--", "sh", "-c", script, cwd=tmp_path)
    finally:
        subprocess.run(["umount", "-l", small], check=True)
    assert done.returncode == 0 and len(list((tmp_path / "data").iterdir())) == 300
    lines = [line for line in done.stderr.splitlines() if line.startswith("trikal: ")]
    assert len(lines) == 1 and "nothing more is stored" in lines[0] and "No space left" in lines[0], done.stderr


@pytest.mark.parametrize("arguments, says", [
    (["watch"], "a command, a process id or --all is required"),
    (["watch", "--all", "--", "true"], "it starts nothing"),
    (["watch", "999999999"], "there is no such process"),
    (["watch", "--rate", "0", "--", "true"], "times a second"),
    (["watch", "--alert", "nonsense", "--", "true"], "is no finding"),
    (["sql", "nowhere.sqlite", "SELECT 1"], "cannot open the store"),
    (["sql", "postgres:x", "SELECT 1"], "cannot open the store"),
])
def test_command_lines_that_make_no_sense(tmp_path, arguments, says):
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode in (2, 3) and says in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr
    assert not list(tmp_path.iterdir())


def test_command_that_is_not_there(tmp_path):
    done = run("watch", "--no-page", "--", "./missing", cwd=tmp_path)
    assert done.returncode == 127 and len(done.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_process_that_is_not_observed(tmp_path):
    program = subprocess.Popen(["sleep", "30"])
    try:
        done = run("watch", "--store", tmp_path / "w.sqlite", str(program.pid))
        assert done.returncode == 2 and "is not observed" in done.stderr
    finally:
        program.kill()
        program.wait()


def test_sql_prints_tables_json_and_csv(tmp_path):
    name = 'a "quoted", name\nof two lines'
    assert run("watch", "--log", tmp_path / "w.darshan", "--", "sh", "-c", f"echo x > '{name}'", cwd=tmp_path).returncode == 0
    query = "SELECT file, sum(bytes) AS bytes FROM totals WHERE file LIKE '%lines' GROUP BY file"
    table = run("sql", tmp_path / "w.sqlite", query)
    assert table.returncode == 0 and len(table.stdout.splitlines()) == 2 and "\\x0a" in table.stdout
    assert sql(tmp_path / "w.sqlite", query) == [{"file": f"{tmp_path}/{name}", "bytes": 2}]
    csv = run("sql", "--csv", tmp_path / "w.sqlite", query).stdout
    import csv as reader
    assert list(reader.reader(csv.splitlines(keepends=True))) == [["file", "bytes"], [f"{tmp_path}/{name}", "2"]]


@pytest.mark.parametrize("query", ["DELETE FROM run", "ATTACH '/etc/passwd' AS x", "SELECT 1; SELECT 2", "SELECT nothing", "",
                                   "SELECT writefile('x', 'y')", "PRAGMA journal_mode = DELETE"])
def test_sql_only_reads(tmp_path, query):
    assert run("watch", "--quiet", "--log", tmp_path / "w.darshan", "--", "true").returncode == 0
    before = (tmp_path / "w.sqlite").read_bytes()
    done = run("sql", tmp_path / "w.sqlite", query)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and done.stdout == ""
    assert (tmp_path / "w.sqlite").read_bytes() == before


def test_a_store_is_read_while_it_is_written(tmp_path, alone):
    program = subprocess.Popen([TRIKAL, "watch", "--quiet", "--log", tmp_path / "w.darshan", "--", "sh", "-c",
                                "for i in 1 2 3 4 5 6; do head -c 50000 /dev/zero > f; sleep 0.5; done"], cwd=tmp_path)
    time.sleep(2.2)
    seen = sql(tmp_path / "w.sqlite", "SELECT sum(bytes) AS bytes FROM rollups")
    second = run("watch", "--all", "--seconds", "1", "--store", tmp_path / "w.sqlite")
    assert program.wait() == 0
    assert 0 < seen[0]["bytes"] < 6 * 50000 * 2
    assert second.returncode == 2 and "another trikal is writing" in second.stderr
    assert_same(tmp_path / "w.sqlite", tmp_path / "w.darshan")
