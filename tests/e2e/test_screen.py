"""What a terminal is sent: lines that fit, colours where they are wanted, and never bytes of a log that it would obey."""

import copy
import fcntl
import os
import pty
import random
import struct
import subprocess
import termios

import pytest

import encoder
from ground.synth import Maker
from tool import BIN

EVIL = b"/data/\x1b]0;owned\x07\x1b[31m\xc2\x9b2J\xe2\x80\xae\xff\r\nwarning: nothing.h5"
# Bytes that must not come through: controls but line feed and tab, C1 controls, direction marks.
FORBIDDEN = [bytes([c]) for c in range(32) if c not in (9, 10)] + [b"\x7f", b"\xc2\x9b", b"\xe2\x80\xae", b"\xff"]


@pytest.fixture(scope="module")
def evil_log(tmp_path_factory):
    """Every name in it, and the command line, has escape sequences, ill-formed bytes and a line break."""
    log = Maker(random.Random(7)).log("3.41", {"POSIX": 4, "STDIO": 2, "MPI-IO": 3})
    log.names = [(record, EVIL + b"%d" % i) for i, (record, _) in enumerate(log.names)]
    log.text = EVIL.replace(b"\n", b"") + log.text[log.text.find(b"\n"):]  # lines behind the command are mounts
    path = tmp_path_factory.mktemp("evil") / "evil.darshan"
    path.write_bytes(encoder.encode(log))
    return path


def shown(*words, columns=100, env=None, program="trikal"):
    """What a terminal of that width gets, standard error included."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    attributes = termios.tcgetattr(slave)
    attributes[1] &= ~termios.OPOST  # line feeds stay as they are
    termios.tcsetattr(slave, termios.TCSANOW, attributes)
    variables = {**os.environ, "TZ": "UTC", "TERM": "xterm", "TRIKAL_NO_PROGRESS": "1", **(env or {})}
    if env is None or "NO_COLOR" not in env:
        variables.pop("NO_COLOR", None)
    process = subprocess.Popen([str(BIN / program), *map(str, words)], stdout=slave, stderr=slave, env=variables)
    os.close(slave)
    text = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        text += piece
    os.close(master)
    process.wait(timeout=60)
    return text


def piped(*words, env=None, program="trikal"):
    return subprocess.run([str(BIN / program), *map(str, words)], capture_output=True, timeout=60, check=False,
                          env={**os.environ, "TZ": "UTC", **(env or {})})


@pytest.mark.parametrize("words", [["summary"], ["insights"], ["info"]], ids=" ".join)
def test_a_person_is_never_sent_raw_bytes(evil_log, words):
    for text in (piped(*words, evil_log).stdout, shown(*words, evil_log, env={"NO_COLOR": "1"})):
        assert text and not [bad for bad in FORBIDDEN if bad in text]
        assert b"\nwarning: nothing" not in text  # a name cannot make lines


@pytest.mark.parametrize("options", [[], ["--counters"], ["--runs"]], ids=" ".join)
def test_nor_by_diff(evil_log, corpus_dir, options):
    other = corpus_dir / "release-3.5.0.darshan"
    text = piped("diff", *options, evil_log, other).stdout
    assert b"x1b" in text and not [bad for bad in FORBIDDEN if bad in text]
    assert b"\nwarning: nothing" not in text


def test_parse_is_raw_in_a_pipe_and_clean_on_a_terminal(evil_log):
    assert EVIL in piped("parse", evil_log).stdout
    for words, program in ((["parse"], "trikal"), ([], "darshan-parser"), (["export", "--format", "csv"], "trikal")):
        text = shown(*words, evil_log, program=program)
        assert text and not [bad for bad in FORBIDDEN if bad in text], words


def test_names_of_files_given_are_clean_in_complaints(tmp_path):
    done = piped("summary", str(tmp_path) + "/\x1b[31mno.darshan")
    assert done.returncode != 0 and b"\\x1b[31mno" in done.stderr and b"\x1b" not in done.stderr


def longest(text):
    return max(len(line) for line in text.decode().split("\n"))


def test_text_wraps_at_the_width_of_the_terminal():
    """A rule's explanation is only prose."""
    plain = {"NO_COLOR": "1"}
    narrow, wide = (shown("explain", "small-writes", columns=n, env=plain) for n in (60, 140))
    assert longest(narrow) <= 62 and narrow.count(b"\n") > wide.count(b"\n")
    assert 100 < longest(wide) <= 142
    assert longest(piped("explain", "small-writes").stdout) <= 102
    assert longest(shown("explain", "small-writes", columns=5, env=plain)) < 62  # a sane minimum
    assert longest(shown("explain", "small-writes", columns=900, env=plain)) <= 162
    assert longest(shown("help", "diff", columns=50)) < longest(shown("help", "diff", columns=200)) <= 82


@pytest.mark.parametrize("said, most", [("60", 60), ("10", 55), ("300", 160), ("many", 100), ("60 or so", 100), ("0", 100), ("", 100)])
def test_text_wraps_at_columns_in_a_pipe(said, most):
    at = longest(piped("explain", "small-writes", env={"COLUMNS": said}).stdout)
    assert most * 3 / 4 < at <= most + 2
    assert longest(shown("explain", "small-writes", columns=70, env={"COLUMNS": said, "NO_COLOR": "1"})) <= 72  # the terminal's own


def test_help_wraps_at_columns_in_a_pipe():
    narrow, wide = (piped("help", "diff", env={"COLUMNS": said}).stdout for said in ("60", "70"))
    assert narrow.count(b"\n") > wide.count(b"\n")


@pytest.mark.parametrize("env, options, coloured", [
    ({}, [], True), ({"NO_COLOR": "1"}, [], False), ({"NO_COLOR": ""}, [], True), ({"TERM": "dumb"}, [], False),
    ({}, ["--color", "never"], False), ({"NO_COLOR": "1"}, ["--color", "always"], True)])
def test_colour_on_terminals(corpus_dir, env, options, coloured):
    text = shown("summary", *options, corpus_dir / "release-3.5.0.darshan", env={"NO_COLOR": "", **env})
    assert (b"\x1b[" in text) == coloured


def test_no_colour_elsewhere(corpus_dir):
    log = corpus_dir / "release-3.5.0.darshan"
    assert b"\x1b" not in piped("summary", log).stdout
    assert b"\x1b[1m" in piped("summary", "--color=always", log).stdout
    done = piped("summary", "--color", "sometimes", log)
    assert done.returncode == 2 and b"never" in done.stderr


@pytest.mark.parametrize("env, named", [
    ({"DARSHAN_MAX_RECORDS": "9"}, b"without effect here: DARSHAN_MAX_RECORDS\n"),
    ({"DARSHAN_MAX_RECORDS": "9", "DARSHAN_LDMS_REINIT": "1"},
     b"without effect here: DARSHAN_LDMS_REINIT, DARSHAN_MAX_RECORDS\n"),
    ({"DXT_ENABLE_IO_TRACE": "1"}, None), ({"DARSHAN_MODMEM": "8"}, None), ({}, None)], ids=str)
def test_variables_without_effect_are_named(tmp_path, env, named):
    done = piped("run", "-o", tmp_path / "own.darshan", "--", "true", env=env)
    assert done.returncode == 0
    assert named in done.stderr if named else b"without effect" not in done.stderr
    quiet = piped("run", "--quiet", "-o", tmp_path / "quiet.darshan", "--", "true", env=env)
    assert quiet.stderr == b""


def test_directives_without_effect_and_refused_expressions_are_named(tmp_path):
    config = tmp_path / "config"
    config.write_text("DUMP_CONFIG 1\nNAME_EXCLUDE \\.(so|py)$,(a *\nMODMEM 8\n")
    done = piped("run", "-o", tmp_path / "own.darshan", "--", "true", env={"DARSHAN_CONFIG_PATH": str(config)})
    assert done.returncode == 0 and done.stderr.count(b"without effect") == 1
    assert f"{config}: DUMP_CONFIG\n".encode() in done.stderr
    assert b"NAME_EXCLUDE: the regular expression (a has a group without its end" in done.stderr


def test_diff_of_two_logs_compares_runs(corpus_dir, tmp_path):
    """Bins of a heat map came first once: what a reader wants to know is whether the run got faster."""
    log = Maker(random.Random(3)).log("3.41", {"POSIX": 4, "HEATMAP": 1})
    other = copy.deepcopy(log)
    for module in other.modules.values():
        for record in module.records:
            if "POSIX_BYTES_WRITTEN" in record.get("counters", {}):
                record["counters"]["POSIX_BYTES_WRITTEN"] += 4096
    for name, one in (("a", log), ("b", other)):
        (tmp_path / name).write_bytes(encoder.encode(one))
    done = piped("diff", tmp_path / "a", tmp_path / "b")
    text = done.stdout.decode()
    assert done.returncode == 1 and "bytes written" in text and "HEATMAP" not in text
    assert "records in both differ" in text and "--counters" in text
    same = piped("diff", tmp_path / "a", tmp_path / "a")
    assert same.returncode == 0 and b"Every counter of " in same.stdout
    assert b"POSIX_BYTES_WRITTEN" in piped("diff", "--counters", tmp_path / "a", tmp_path / "b").stdout
