"""Events as messages of the LDMS Darshan connector: exported from a file, and published while a program runs."""

import collections
import os
import re
import subprocess
import sys
import time

import pytest

from conftest import ROOT, TRIKAL, Log

sys.path.insert(0, str(ROOT / "tests" / "support"))
import connector

HOSTILE = ['plain', 'quo"te', "line\nbreak", "carriage\rreturn", "tab\tcontrol\x01\x1f\x7f", "back\\slash", "comma,semicolon;",
           "#hash", "grüße €", "😀", b"not utf-8 \xff\xfe\x80".decode("utf-8", "surrogateescape"), "{}[]:'", " blanks "]


def plain_environment(**more):
    return {**{name: value for name, value in os.environ.items() if not name.startswith("DARSHAN_LDMS")}, **more}


class Observed:
    def __init__(self, folder):
        self.folder, self.events, self.log = folder, folder / "events.jsonl", folder / "job.darshan"

    def __call__(self, *command, options=(), expect=0, env=None, keep=True):
        kept = ["--events=all,details", "--events-file", self.events] if keep else []
        done = subprocess.run([TRIKAL, "run", "--force", "--log", self.log, *kept, *options, "--", *command], capture_output=True,
                              timeout=120, cwd=self.folder, env=plain_environment(**(env or {})))
        assert done.returncode == expect, done.stderr
        return done

    def messages(self, dialect="current"):
        return [message for message, _ in connector.expected(connector.read_events(self.events), dialect)]


@pytest.fixture
def observe(tmp_path):
    return Observed(tmp_path)


def accounted(done):
    """(messages, written, dropped, what is said of the command)"""
    [line] = re.findall(rb"published: (\d+) messages = (\d+) written \+ (\d+) dropped(?:; (.*))?\n", done.stderr)
    total, written, dropped = map(int, line[:3])
    assert total == written + dropped
    return total, written, dropped, line[3].decode()


def test_export_is_what_the_specification_says(observe, program, tmp_path):
    observe(program("event_calls"), "mixed", tmp_path)
    found = connector.check_export(TRIKAL, observe.events)
    assert collections.Counter((message["module"], message["op"]) for message in found) == {
        ("POSIX", "open"): 1, ("POSIX", "write"): 2, ("POSIX", "read"): 1, ("POSIX", "close"): 1,
        ("STDIO", "open"): 1, ("STDIO", "write"): 5, ("STDIO", "close"): 1}
    first = found[0]
    assert first["file"] == str(tmp_path / "mixed.dat") and first["exe"] == str(program("event_calls"))
    assert (first["uid"], first["ProducerName"]) == (os.getuid(), os.uname().nodename)


def test_threads_and_processes_are_counted_apart(observe, program, tmp_path):
    observe(program("event_calls"), "threads", "4", "50", tmp_path)
    assert len(connector.check_export(TRIKAL, observe.events)) == 4 * 52
    observe(program("event_calls"), "forks", "3", "20", tmp_path)
    found = connector.check_export(TRIKAL, observe.events)
    assert "N/A" not in {message["exe"] for message in found if message["type"] == "MET"}


def test_totals_are_those_of_the_log(observe, program, tmp_path):
    observe(program("event_calls"), "mixed", tmp_path)
    text = subprocess.run([TRIKAL, "parse", "--base", observe.log], capture_output=True, check=True).stdout.decode()
    counters = {(fields[5], fields[3]): float(fields[4]) for fields in (line.split("\t") for line in text.splitlines())
                if len(fields) > 5 and not fields[0].startswith("#")}
    opened = {message["record_id"]: message["file"] for message in observe.messages() if message["op"] == "open"}
    last = {(opened[message["record_id"]], message["op"]): message for message in observe.messages() if message["module"] == "POSIX"}
    for (name, op), message in last.items():
        counter = {"read": "POSIX_F_READ_TIME", "write": "POSIX_F_WRITE_TIME"}.get(op)
        # A sync after the last write is in the log, and a stat after the close: the sums up to there are lower.
        assert counter is None or 0 < message["seg"][0]["total"] <= counters[name, counter] + 1e-5
        if op in ("read", "write"):
            assert message["cnt"] == counters[name, f"POSIX_{op.upper()}S"]
            assert message["max_byte"] == counters[name, "POSIX_MAX_BYTE_" + {"read": "READ", "write": "WRITTEN"}[op]]


def test_hostile_names(observe, program, tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    names = [os.fsencode(folder / name) for name in HOSTILE]
    observe("sh", "-c", 'program=$1; shift; for file; do "$program" writes 2 "$file" || exit 1; done', "sh", program("event_calls"),
            *names)
    found = connector.check_export(TRIKAL, observe.events)
    opened = {os.fsencode(message["file"]) for message in found if message["op"] == "open"}
    assert set(names) <= opened
    assert len({message["record_id"] for message in found if os.fsencode(message["file"]) in names}) == len(names)


def test_modules_by_variables_and_options(observe, program, tmp_path):
    observe(program("event_calls"), "mixed", tmp_path)

    def modules(*options, **env):
        raw = connector.export(TRIKAL, observe.events, "ldms-json", "current", *options, env=plain_environment(**env))
        return {message["module"] for message in connector.parse_json(raw)}
    assert modules() == {"POSIX", "STDIO"}
    assert modules(DARSHAN_LDMS_ENABLE_POSIX="") == {"POSIX"}
    assert modules(DARSHAN_LDMS_ENABLE_STDIO="0") == {"STDIO"}  # set, whatever to
    assert modules(DARSHAN_LDMS_ENABLE_HDF5="1") == set()
    assert modules(DARSHAN_LDMS_ENABLE_HDF5="1", DARSHAN_LDMS_ENABLE_ALL="1") == {"POSIX", "STDIO"}
    assert modules("--modules", "stdio,mpi-io", DARSHAN_LDMS_ENABLE_POSIX="1") == {"STDIO"}


def test_what_was_not_seen_is_said(observe, program, tmp_path):
    observe(program("event_calls"), "writes", "1000", tmp_path / "file",
            options=["--events=1/10,details", "--events-file", observe.events], keep=False)
    done = subprocess.run([TRIKAL, "export", "-f", "ldms-csv", observe.events], capture_output=True, timeout=60)
    assert done.returncode == 0 and done.stderr.count(b"\n") == 1
    sampled_out = connector.read_events(observe.events)[-1]["sampled_out"]
    assert sampled_out > 800 and f"0 events were dropped, {sampled_out} not sampled".encode() in done.stderr


@pytest.mark.parametrize("dialect", connector.DIALECTS)
def test_a_command_gets_what_export_writes(observe, program, tmp_path, dialect):
    """Also of processes that have ended before anybody looked at them."""
    done = observe(program("event_calls"), "forks", "3", "20", tmp_path, options=["--publish", "cat > got; exit 3", "--dialect", dialect])
    written = (tmp_path / "got").read_bytes()
    assert written == connector.export(TRIKAL, observe.events, "ldms-json", dialect)
    count = written.count(b"\n")
    assert accounted(done) == (count, count, 0, "the command ended with exit status 3")


def test_standard_output_and_files(observe, program, tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    name = os.fsencode(folder / HOSTILE[2])
    done = observe(program("event_calls"), "writes", "5", name, options=["--publish", "-"])
    assert connector.parse_json(done.stdout) == observe.messages() and len(observe.messages()) == 6
    done = observe(program("event_calls"), "writes", "5", name, options=["--publish", "file:out"])
    assert connector.parse_json((tmp_path / "out").read_bytes()) == observe.messages()
    assert accounted(done) == (6, 6, 0, "")
    # A file that is there is replaced with --force only, and nothing is run for a target that cannot be.
    for target in ("file:out", f"file:{tmp_path}/no/such/folder"):
        refused = subprocess.run([TRIKAL, "run", "--publish", target, "--", "touch", "was_run"], capture_output=True, cwd=tmp_path)
        assert refused.returncode == 3 and refused.stderr.count(b"\n") == 1, refused.stderr
        assert target.removeprefix("file:").encode() in refused.stderr
    assert not (tmp_path / "was_run").exists()


def test_publishing_alone_keeps_no_events(observe, program, tmp_path):
    done = observe(program("event_calls"), "writes", "5", tmp_path / "file", options=["--publish", "cat > got"], keep=False)
    assert not list(tmp_path.glob("*.jsonl")) and b"events: not kept (6 emitted = 6 stored + 0 dropped)" in done.stderr
    found = connector.parse_json((tmp_path / "got").read_bytes())
    assert [message["op"] for message in found] == ["open", *5 * ["write"]]
    assert found[-1]["max_byte"] == 49  # details are on


@pytest.mark.parametrize("command, said", [("head -n 5 > got", "the command ended with exit status 0"),
                                           ("kill -9 $$", "the command was ended by signal 9"),
                                           ("exec no-such-program", "the command ended with exit status 127"),
                                           ("exec < /dev/null; exit 7", "the command ended with exit status 7")])
def test_a_command_that_dies_costs_only_messages(observe, program, tmp_path, command, said):
    count = 20000
    done = observe(program("event_calls"), "writes", str(count), tmp_path / "file", options=["--publish", command])
    total, written, dropped, ending = accounted(done)
    assert total == len(observe.messages()) and ending == said
    assert dropped > 0 and written < total
    log = Log(observe.log)
    assert log[tmp_path / "file", "POSIX_WRITES"] == count


def test_the_exit_status_is_the_programs(observe, tmp_path):
    observe("sh", "-c", "exit 5", options=["--publish", "exit 3"], expect=5)


def test_a_command_that_hangs_is_not_waited_for(observe, program, tmp_path):
    """The program goes on; the end of the run waits some seconds, and takes the command and what it started along."""
    count = 200000
    script = f"echo $$ > {tmp_path}/pid; sleep 300 & echo $! > {tmp_path}/child; wait"
    began = time.monotonic()
    done = observe(program("event_calls"), "writes", str(count), tmp_path / "file", options=["--publish", script])
    assert time.monotonic() - began < 60
    total, written, dropped, ending = accounted(done)
    assert total == len(observe.messages()) and ending == "the command did not end and was killed"
    assert 0 < written < 65536 // 100 and dropped == total - written
    for name in ("pid", "child"):
        pid = (tmp_path / name).read_text().strip()
        state = subprocess.run(["ps", "-o", "stat=", "-p", pid], capture_output=True, text=True).stdout.strip()
        assert state in ("", "Z"), (name, state)
    assert Log(observe.log)[tmp_path / "file", "POSIX_WRITES"] == count


def test_signals_of_a_terminal_do_not_end_the_command(observe, program, tmp_path):
    running = subprocess.Popen([TRIKAL, "run", "--log", observe.log, "--publish", "cat > got", "--", program("event_calls"), "endless",
                                tmp_path / "file"], cwd=tmp_path, stderr=subprocess.PIPE, start_new_session=True, env=plain_environment())
    for _ in range(5000):
        if (tmp_path / "got").exists() and (tmp_path / "got").stat().st_size > 0:
            break
        time.sleep(0.002)
    os.killpg(running.pid, 2)
    _, errors = running.communicate(timeout=60)
    [(total, written)] = re.findall(rb"published: (\d+) messages = (\d+) written.*exit status 0\n", errors)
    assert 0 < int(written) <= int(total)
    assert (tmp_path / "got").read_bytes().count(b"\n") == int(written)


FAKE = """#!/bin/sh
printf '%s\\n' "$*" > arguments
exec cat > got
"""


@pytest.fixture
def ldms(tmp_path):
    """A program that stands for LDMS's: it notes what it is given."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "ldmsd_stream_publish").write_text(FAKE)
    (tmp_path / "bin" / "ldmsd_stream_publish").chmod(0o755)
    return {"PATH": f"{tmp_path}/bin:{os.environ['PATH']}", "DARSHAN_LDMS_ENABLE": ""}


def test_the_variables_of_the_connector(observe, program, tmp_path, ldms):
    def run(*options, **env):
        (tmp_path / "arguments").unlink(missing_ok=True)
        (tmp_path / "got").unlink(missing_ok=True)
        return observe(program("event_calls"), "mixed", tmp_path, options=options, env={**ldms, **env}, keep=False)
    done = run()
    assert (tmp_path / "arguments").read_text() == "-x sock -h localhost -p 412 -a munge -s darshanConnector -t json -l -f /dev/stdin\n"
    assert len(connector.parse_json((tmp_path / "got").read_bytes())) == 12 and b"without effect" not in done.stderr
    done = run(DARSHAN_LDMS_XPRT="rdma", DARSHAN_LDMS_HOST="h$(touch bad) 2", DARSHAN_LDMS_PORT="", DARSHAN_LDMS_AUTH="none",
               DARSHAN_LDMS_STREAM="s", DARSHAN_LDMS_ENABLE_STDIO="1", DARSHAN_LDMS_VERBOSE="1", DARSHAN_LDMS_REINIT="1")
    assert (tmp_path / "arguments").read_text() == "-x rdma -h h$(touch bad) 2 -p 412 -a none -s s -t json -l -f /dev/stdin\n"
    assert not (tmp_path / "bad").exists()
    got = (tmp_path / "got").read_bytes()
    assert {message["module"] for message in connector.parse_json(got)} == {"STDIO"}
    assert b"".join(line.removeprefix(b"JSON Message: ") for line in done.stderr.splitlines(True) if b"JSON Message: " in line) == got
    assert b"without effect here: DARSHAN_LDMS_REINIT\n" in done.stderr
    for options, env in [(["--publish", "off"], {}), ([], {"TRIKAL_EVENTS": "off"})]:
        assert b"published" not in run(*options, **env).stderr and not (tmp_path / "got").exists()
    run("--publish", "cat > other")  # the option is stronger
    assert not (tmp_path / "got").exists() and (tmp_path / "other").exists()


@pytest.mark.parametrize("options, said", [(["--events=off", "--publish", "-"], b"events"), (["--dialect", "current"], b"--publish"),
                                           (["--publish", "-", "--dialect", "newest"], b"newest")])
def test_what_makes_no_sense_is_refused(tmp_path, options, said):
    done = subprocess.run([TRIKAL, "run", *options, "--", "touch", "was_run"], capture_output=True, cwd=tmp_path, env=plain_environment())
    assert done.returncode == 2 and said in done.stderr
    assert not (tmp_path / "was_run").exists()
