"""Called darshan-diff: that program's lines and exit codes."""

import copy
import random

import pytest

import encoder
from ground.synth import Maker
from test_diff import make, records_of


@pytest.fixture
def darshan_diff(trikal, tmp_path):
    def run(a, b):
        for name, log in (("a", a), ("b", b)):
            (tmp_path / name).write_bytes(encoder.encode(log))
        done = trikal(tmp_path / "a", tmp_path / "b", program=trikal.program.parent / "darshan-diff")
        assert done.returncode == 0, done.stderr
        return done.stdout.decode().split("\n"), done.stderr.decode()
    return run


def test_as_darshan_diff(darshan_diff):
    log = make({"POSIX": 4, "STDIO": 2, "DXT_POSIX": 2})
    first, second, third = records_of(log, "POSIX")
    records_of(log, "STDIO")[0]["id"] = second["id"]
    other = copy.deepcopy(log)
    changed = records_of(other, "POSIX")[1]
    first["counters"]["POSIX_READS"], changed["counters"]["POSIX_F_READ_TIME"] = 1, 2.5
    records_of(other, "POSIX")[0]["counters"]["POSIX_READS"] = 1
    records_of(other, "POSIX")[2]["rank"] = third["rank"] + 1
    changed["counters"]["POSIX_WRITES"] = 77
    records_of(other, "DXT_POSIX").clear()
    other.job["nprocs"] += 1
    lines, said = darshan_diff(log, other)
    assert said == ""
    nprocs = log.job["nprocs"]
    assert lines[:2] == [f"- # nprocs: {nprocs}", f"+ # nprocs: {nprocs + 1}"]
    name = log.name_table[second["id"]].decode()

    def line(sign, rank, ident, counter, value):
        return f"{sign} POSIX\t{rank}\t{ident}\t{counter}\t{value}\t{name}\t\t"
    before = second["counters"]
    found = [text for text in lines[2:] if f"\t{second['id']}\t" in text]
    assert found == [
        line("-", second["rank"], second["id"], "POSIX_WRITES", before["POSIX_WRITES"]),
        line("+", second["rank"], second["id"], "POSIX_WRITES", 77),
        line("-", second["rank"], second["id"], "POSIX_F_READ_TIME", "%f" % before["POSIX_F_READ_TIME"]),
        line("+", second["rank"], second["id"], "POSIX_F_READ_TIME", "2.500000")]
    alone = [text for text in lines[2:] if f"\t{third['id']}\t" in text]
    assert [text[0] for text in alone] == ["-"] * 86 + ["+"] * 86
    files = {r["id"] for m in log.modules.values() for r in m.records}
    assert lines[2:].count("") == len(files) + 1  # one before each file of the first log; the last line ends


def test_as_darshan_diff_of_the_same_and_of_other_versions(darshan_diff):
    old = Maker(random.Random(3)).log("3.10", {"POSIX": 3, "STDIO": 2})
    assert set(darshan_diff(old, old)[0]) == {""}
    new = Maker(random.Random(3)).log("3.10", {"POSIX": 4, "STDIO": 2})
    lines, said = darshan_diff(old, new)
    assert "POSIX: record versions 3 and 4 differ" in said
    assert not [text for text in lines if "\tPOSIX_" in text]


@pytest.mark.parametrize("args, code", [([], 255), (["a"], 255), (["--version"], 0), (["nowhere", "nowhere"], 255)])
def test_darshan_diff_ends_as_it_always_did(trikal, args, code):
    done = trikal(*args, program=trikal.program.parent / "darshan-diff")
    assert done.returncode == code and (done.stdout or done.stderr)
