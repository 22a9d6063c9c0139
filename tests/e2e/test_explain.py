"""trikal explain: every name that a listing shows is explained; misspelt ones are guessed."""

import json
import random

import pytest

import encoder
from ground import text
from ground.synth import Maker
from ground.tables import COUNTERS, CURRENT, MODULE_NAMES


@pytest.fixture(scope="module")
def everything(trikal):
    return json.loads(trikal.text("explain", "--json"))


def all_counters(everything):
    for module in everything["modules"]:
        for counter in module["counters"]:
            yield from (c["name"] for c in counter.get("counters", [counter]))


def test_everything(everything):
    assert everything["schema"] == "trikal-explain" and everything["schema_version"] == 1
    assert [m["module"] for m in everything["modules"]] == MODULE_NAMES
    names = list(all_counters(everything))
    assert len(names) == len(set(names)) > 900


def test_every_name_in_a_listing_is_explained(trikal, everything, tmp_path):
    """A log with records of all modules, listed by the product."""
    modules = {name: CURRENT[name] for name in MODULE_NAMES[1:] if not name.startswith("DXT")}
    log = Maker(random.Random(7)).log("3.41", modules)
    (tmp_path / "log").write_bytes(encoder.encode(log))
    shown = {line.split("\t")[3] for line in trikal.text("parse", tmp_path / "log").splitlines()
             if line and not line.startswith("#")}
    shown |= {line.split(b"\t")[3].decode() for line in text.base_lines(log)}
    assert len(shown) > 800
    missing = shown - set(all_counters(everything))
    assert all(any(ch.isdigit() for ch in name) for name in missing), missing
    for name in sorted(missing):  # numbered ones: HEATMAP_READ_BIN_3 is HEATMAP_READ_BIN_*
        assert name.startswith(("HEATMAP_", "LUSTRE_COMP", "MDHIM_SERVER_")), name
    for name in sorted(missing)[::5]:
        assert json.loads(trikal.text("explain", "--json", name))["counters"]


def test_a_counter(trikal):
    shown = trikal.text("explain", "posix_seq_reads")
    assert shown.startswith("POSIX_SEQ_READS\n  reads that began anywhere behind the read before\n")
    for words in ("POSIX: calls on file descriptors", "unit           calls", "over ranks     added up",
                  "since          the first record version"):
        assert words in shown


def test_one_of_a_histogram(trikal):
    shown = trikal.text("explain", "POSIX_SIZE_WRITE_100_1K")
    assert "2 of 10: 101 to 1024 bytes" in shown and "POSIX_SIZE_WRITE_*" in shown
    whole = trikal.text("explain", "POSIX_SIZE_WRITE_*")
    assert "POSIX_SIZE_WRITE_1G_PLUS: 1073741825 bytes and more" in whole
    assert whole == trikal.text("explain", "POSIX_SIZE_WRITE_#")


def test_special_values_and_versions(trikal):
    shown = trikal.text("explain", "POSIX_DUPS")
    assert "-1: it was not observed" in shown and "record version 4 of 4" in shown
    assert "a version before 4" in shown
    assert "0: it never happened" in trikal.text("explain", "STDIO_F_OPEN_START_TIMESTAMP")


def test_the_slot_is_the_index_in_the_record(everything):
    posix = next(m for m in everything["modules"] if m["module"] == "POSIX")
    slots = [c["slot"] for c in posix["counters"]]
    assert slots[:4] == [0, 1, 2, 3] and slots == sorted(slots)
    names = {c["name"]: c["slot"] for c in posix["counters"]}
    assert names["POSIX_F_OPEN_START_TIMESTAMP"] == 69


def test_modules(trikal):
    modules, findings = trikal.text("explain", "--list").split("\n\n")
    assert [line.split()[0] for line in modules.splitlines()] == ["modules", *MODULE_NAMES]
    codes = [line.split()[0] for line in findings.splitlines()]
    assert codes[0] == "findings" and len(codes) > 40
    for code in codes[1:]:
        assert trikal.text("explain", code).startswith(f"{code}: ")
    counters = trikal.text("explain", "--list", "stdio").splitlines()
    assert counters[0].startswith("STDIO_OPENS ") and len(counters) == sum(map(len, COUNTERS["STDIO"]))
    about = trikal.text("explain", "mpiio")
    assert about.startswith("MPI-IO\n") and "MPIIO_COLL_READS" in about and "1, 2, 3" in about
    assert "trikal dxt" in trikal.text("explain", "DXT_POSIX")


@pytest.mark.parametrize("wrong, right", [
    ("POSIX_RAEDS", "POSIX_READS"), ("POSIXBYTES_READ", "POSIX_BYTES_READ"), ("stido", "STDIO"),
    ("bytes_written", "POSIX_BYTES_WRITTEN"), ("H5D_OPEN", "H5D_OPENS"), ("small-write", "small-writes"),
])
def test_near_misses(trikal, wrong, right):
    done = trikal("explain", wrong)
    assert done.returncode == 2 and done.stdout == b""
    assert right in done.stderr.decode() and "did you mean" in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("args", [[], ["qqqqqqqq"], ["--list", "qqqqqqqq"], ["--json", "qqqqqqqq"]])
def test_nothing_near(trikal, args):
    done = trikal("explain", *args)
    assert done.returncode == 2 and b"--list" in done.stderr and done.stdout == b""


@pytest.mark.parametrize("words, said", [
    (["run", "--"], "trikal run: COMMAND is required"),
    (["run", "--report", "--", "true"], "trikal run: --report: a value is missing"),
    (["run", "-o", "--", "true"], "trikal run: --log: a value is missing"),
])
def test_two_dashes_are_no_value(trikal, tmp_path, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    done = trikal(*words)
    assert done.returncode == 2 and done.stderr.decode().splitlines()[0] == said and not list(tmp_path.iterdir())
