"""A line on the terminal while work goes on, wiped when it ends; not a byte of it anywhere else."""

import os
import pty
import re
import subprocess
import threading
import time

import pytest

from tool import BIN, make_large_log, run

LINE = re.compile(rb"\rtrikal: ([^:\r]+): (\d+ %, [\d.]+ MiB read|reading)(, \w+: \d+ rows)?, \d+ s *")
WAIT_LIMIT = 1.2  # longer than the half second after which a line is due


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    for name, kind, count in (("posix", "posix", 15_000), ("many", "posix", 80_000), ("dxt", "dxt", 600_000)):
        make_large_log(kind, count, folder / f"{name}.darshan")
    return folder


class Run:
    """A run with stderr on a terminal of its own, and standard output into a pipe that is read late."""

    def __init__(self, *words, stdin=b"", all_on_terminal=False, late=True, env=None):
        master, terminal = pty.openpty()
        self.process = subprocess.Popen([BIN / "trikal", *map(str, words)], stdin=subprocess.PIPE, stderr=terminal,
                                        stdout=terminal if all_on_terminal else subprocess.PIPE,
                                        env={**os.environ, "TERM": "xterm", **(env or {})})
        os.close(terminal)
        self.seen, self.output = b"", b""
        threads = [threading.Thread(target=self.read_terminal, args=(master,)),
                   threading.Thread(target=self.feed, args=(stdin,))]
        if not all_on_terminal:
            threads.append(threading.Thread(target=self.read_output, args=(late,)))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.code = self.process.wait(60)
        os.close(master)

    def read_terminal(self, master):
        try:
            while chunk := os.read(master, 65536):
                self.seen += chunk
        except OSError:  # how Linux says that nobody has the terminal open any more
            pass

    def read_output(self, late):
        if late:
            time.sleep(WAIT_LIMIT)
        self.output = self.process.stdout.read()

    def feed(self, data):
        if data:
            self.process.stdin.write(data[:100])
            self.process.stdin.flush()
            time.sleep(WAIT_LIMIT)
        try:
            self.process.stdin.write(data[100:])
            self.process.stdin.close()
        except BrokenPipeError:
            pass


def names_on_the_line(done):
    """What the line was about; nothing else was on the terminal and nothing is left of it."""
    assert done.code == 0, (done.code, done.seen[-500:])
    drawn = LINE.findall(done.seen)
    assert drawn, done.seen[:300]
    rest = LINE.sub(b"", done.seen)
    assert re.fullmatch(rb"\r? *\r", rest), rest
    assert b"\n" not in done.seen
    return {name.decode() for name, *_ in drawn}


@pytest.mark.parametrize("words", [
    ["parse", "posix.darshan"], ["dxt", "dxt.darshan"], ["export", "-f", "csv", "-t", "posix", "posix.darshan"],
    ["export", "-f", "json", "posix.darshan"],
], ids=" ".join)
def test_while_text_goes_elsewhere(logs, monkeypatch, words):
    monkeypatch.chdir(logs)
    done = Run(*words)
    assert names_on_the_line(done) == {words[-1]}
    assert b"\x1b" not in done.output and done.output == run(*words).stdout


def test_while_logs_are_written(logs, tmp_path):
    assert names_on_the_line(Run("convert", logs / "dxt.darshan", tmp_path / "out")) == {"dxt.darshan"}
    assert names_on_the_line(Run("merge", "-o", tmp_path / "merged", logs / "many.darshan",
                                 logs / "many.darshan")) == {"many.darshan"}
    done = Run("export", "-f", "sqlite", "-o", tmp_path / "db", logs / "many.darshan", all_on_terminal=True)
    assert names_on_the_line(done) == {"many.darshan"} and b"rows" in done.seen


@pytest.mark.parametrize("verb", ["info", "parse", "dxt", "diff", "export"])
def test_while_standard_input_is_awaited(logs, tmp_path, verb):
    log = logs / "posix.darshan" if verb == "diff" else logs / "dxt.darshan"
    words = {"diff": [verb, "--json", log, "-"], "export": [verb, "-f", "csv", "-t", "job", "-"]}.get(verb, [verb, "-"])
    done = Run(*words, stdin=log.read_bytes(), late=False)
    assert "standard input" in names_on_the_line(done)
    if verb == "diff":
        assert b'"differs":false' in done.output.replace(b" ", b"")
    else:
        assert done.output == run(*(log if word == "-" else word for word in words)).stdout


def test_standard_input_is_as_good_as_a_file(logs, tmp_path):
    log = logs / "posix.darshan"
    for name, words, stdin in (("a", [log], None), ("b", ["-"], log.read_bytes())):
        assert run("convert", *words, tmp_path / name, stdin=stdin).returncode == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_where_text_is_on_the_terminal_no_line_is(logs):
    done = Run("parse", "--total", logs / "posix.darshan", all_on_terminal=True)
    assert done.code == 0 and b"total_POSIX_OPENS" in done.seen and b"MiB read" not in done.seen
    assert re.sub(rb"\r\n", b"\n", done.seen) == run("parse", "--total", logs / "posix.darshan").stdout


@pytest.mark.parametrize("words, env", [(["--no-progress"], {}), ([], {"TRIKAL_NO_PROGRESS": "1"})])
def test_it_can_be_switched_off(logs, words, env):
    done = Run("parse", *words, logs / "posix.darshan", env=env)
    assert done.code == 0 and done.seen == b""
    done = Run("diff", "-q", *words, logs / "posix.darshan", "-", env=env,
               stdin=(logs / "posix.darshan").read_bytes())
    assert done.code == 0 and done.seen == b"" and done.output == b""


def test_a_message_stands_on_a_line_of_its_own(logs, tmp_path):
    cut = tmp_path / "cut.darshan"
    cut.write_bytes((logs / "dxt.darshan").read_bytes()[:-200_000])
    done = Run("dxt", "--salvage", cut)
    assert done.code == 4 and LINE.search(done.seen)
    left = [part.strip() for part in LINE.sub(b"", done.seen).split(b"\r") if part.strip()]
    assert len(left) == 2 and all(part.startswith(f"trikal: {cut}: ".encode()) for part in left), left


@pytest.mark.parametrize("words", [["parse", "posix.darshan"], ["dxt", "dxt.darshan"],
                                   ["export", "-f", "csv", "-t", "posix", "posix.darshan"],
                                   ["merge", "-o", "OUT", "many.darshan", "many.darshan"],
                                   ["convert", "dxt.darshan", "OUT"]], ids=" ".join)
def test_pipes_get_no_line(logs, tmp_path, words):
    paths = [logs / word if word.endswith(".darshan") else tmp_path / "out" if word == "OUT" else word
             for word in words]
    process = subprocess.Popen([BIN / "trikal", *map(str, paths)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               stdin=subprocess.DEVNULL)
    time.sleep(WAIT_LIMIT)
    output, said = process.communicate(timeout=60)
    assert process.returncode == 0 and said == b""
    assert b"\x1b" not in output and b"\r" not in output


def test_what_merge_cannot_read_from_standard_input(logs, tmp_path):
    done = run("merge", "-o", tmp_path / "out", "-", logs / "posix.darshan")
    assert done.returncode == 2 and b"several times" in done.stderr
