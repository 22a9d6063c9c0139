"""trikal export: where it writes, what it refuses, and what it leaves behind."""

import json
import os
import sqlite3
import subprocess

import pytest

from tool import BIN, run

import corpus
import decoder

FORMATS = {"csv": "folder", "arrow": "folder", "json": "file", "sqlite": "file", "perfetto": "file"}
ABOUT_THE_LOG = {"job", "metadata", "mounts", "modules", "columns", "names", "damage"}


@pytest.fixture
def log(corpus_dir):
    return corpus_dir / "edge-every-module.darshan"


def export(*words, code=0, **more):
    done = run("export", *words, **more)
    assert done.returncode == code, done.stderr
    return done


def refused(done, *words):
    """One line on standard error that names the words, and nothing else."""
    assert done.returncode not in (0, 4) and done.stdout == b""
    assert done.stderr.count(b"\n") == 1 and done.stderr.startswith(b"trikal: "), done.stderr
    for word in words:
        assert str(word).encode() in done.stderr, done.stderr


def contents(path):
    """{file: bytes} of a file or all files below a folder."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return {file.relative_to(path.parent): file.read_bytes() for file in files}


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_is_replaced_without_force(form, log, tmp_path):
    out = tmp_path / "out"
    export("--format", form, "-o", out, log)
    before = contents(out)
    assert before and list(tmp_path.iterdir()) == [out]
    refused(run("export", "--format", form, "-o", out, log), out, "--force")
    assert contents(out) == before
    for file in (out.iterdir() if out.is_dir() else [out]):
        file.write_bytes(b"something older")
    export("--format", form, "-o", out, "--force", log)
    after = contents(out)
    assert after.keys() == before.keys() and b"something older" not in after.values()
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize("form", FORMATS)
def test_paths_that_cannot_be_written(form, log, tmp_path):
    closed = tmp_path / "file"
    closed.write_bytes(b"x")
    refused(run("export", "--format", form, "-o", closed / "out", log), closed / "out")
    assert closed.read_bytes() == b"x" and list(tmp_path.iterdir()) == [closed]
    if FORMATS[form] == "file":
        refused(run("export", "--format", form, "-o", tmp_path / "no" / "such" / "out", log), "such")
        refused(run("export", "--format", form, "-o", tmp_path, log), tmp_path)


@pytest.mark.parametrize("form", ["json", "csv", "perfetto"])
def test_a_full_device(form, log):
    table = ["--table", "posix"] if form == "csv" else []
    refused(run("export", "--format", form, *table, "-o", "/dev/full", log), "/dev/full")


@pytest.fixture
def damaged(log, tmp_path):
    """The last module's data do not expand: found when everything before it has been written."""
    data = bytearray(log.read_bytes())
    header = decoder.decode(bytes(data))[2]
    offset, length = header.mod_map[max(header.mod_map)]
    data[offset + length // 2:offset + length] = bytes(length - length // 2)
    path = tmp_path / "damaged.darshan"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "perfetto"])
def test_a_damaged_log_leaves_nothing_half_written(form, log, damaged, tmp_path):
    last = corpus.MODULE_NAMES[max(decoder.decode(log.read_bytes())[0].modules)].lower()
    out = tmp_path / "out"
    done = run("export", "--format", form, "-o", out, damaged)
    assert done.returncode == 4 and done.stdout == b""
    assert done.stderr.count(b"\n") == 1 and b"offset" in done.stderr and str(damaged).encode() in done.stderr
    if FORMATS[form] == "file":
        assert set(tmp_path.iterdir()) == {damaged}
    else:
        names = {file.name for file in out.iterdir()}
        assert f"posix.{form}" in names and f"{last}.{form}" not in names
        assert all(name.endswith(f".{form}") for name in names)


def test_salvage_tells_the_damage_in_a_table(damaged):
    done = export("--format", "json", "--salvage", damaged, code=4)
    damage = json.loads(done.stdout)["tables"]["damage"]
    assert len(damage["rows"]) == done.stderr.count(b"\n") > 0


@pytest.mark.parametrize("form", ["json", "perfetto"])
def test_standard_output_and_a_file_are_the_same(form, log, tmp_path):
    export("--format", form, "-o", tmp_path / "out", log)
    for words in ([], ["-o", "-"]):
        assert export("--format", form, *words, log).stdout == (tmp_path / "out").read_bytes()


@pytest.mark.parametrize("form", ["csv", "arrow"])
def test_one_table_on_standard_output(form, log, tmp_path):
    export("--format", form, "-o", tmp_path / "all", log)
    export("--format", form, "--table", "posix", "-o", tmp_path / "one", log)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "all" / f"posix.{form}").read_bytes()
    stream = export("--format", form, "--table", "posix", log).stdout
    if form == "csv":
        assert stream == (tmp_path / "one").read_bytes()
    else:  # a stream has no footer
        import pyarrow.ipc
        assert pyarrow.ipc.open_stream(stream).read_all().equals(pyarrow.ipc.open_file(tmp_path / "one").read_all())


def test_what_standard_output_cannot_take(log):
    refused(run("export", "--format", "sqlite", log), "-o FILE")
    refused(run("export", "--format", "sqlite", "-o", "-", log), "standard output")
    for form in ("csv", "arrow"):
        refused(run("export", "--format", form, log), "-o DIRECTORY")
        refused(run("export", "--format", form, "-o", "-", log), "--table")
    refused(run("export", log), "--format")


def test_choice_of_modules(log, tmp_path):
    tables = json.loads(export("--format", "json", "-m", "POSIX,lustre", log).stdout)["tables"]
    assert tables.keys() - ABOUT_THE_LOG == {"posix", "lustre", "lustre_components", "lustre_stripes"}
    export("--format", "sqlite", "-m", "POSIX", "-m", "STDIO", "-o", tmp_path / "x.db", log)
    found = sqlite3.connect(tmp_path / "x.db").execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    assert {row[0] for row in found} - ABOUT_THE_LOG == {"posix", "stdio"}
    refused(run("export", "--format", "json", "-m", "POSIXX", log), "POSIXX")
    refused(run("export", "--format", "json", "-t", "no_such", log), "no_such", "--list")


def test_list_writes_nothing(log, tmp_path):
    done = run("export", "--list", log)
    listed = {line.split()[0].decode() for line in done.stdout.splitlines()}
    assert listed == json.loads(export("--format", "json", log).stdout)["tables"].keys()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", ["csv", "json"])
def test_names_where_they_are_wanted(form, log):
    words = ["--table", "dxt_posix_segments"] if form == "csv" else []

    def columns(*more):
        out = export("--format", form, *words, *more, log).stdout
        if form == "csv":
            return out.split(b"\n")[0].decode().strip().split(",")
        return [column["name"] for column in json.loads(out)["tables"]["dxt_posix_segments"]["columns"]]

    assert "name" in columns("--names", "all")
    assert "name" not in columns("--names", "records") and "name" not in columns("--names", "none")


def test_the_log_from_standard_input(log):
    assert export("--format", "json", "-", stdin=log.read_bytes()).stdout == export("--format", "json", log).stdout


def test_no_progress_when_not_on_a_terminal(log, tmp_path):
    assert export("--format", "sqlite", "-o", tmp_path / "x.db", log).stderr == b""


def test_a_reader_that_goes_away(log):
    """The pipe's other end is closed: no crash, no complaint in a flood."""
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([str(BIN / "trikal"), "export", "--format", "json", str(log)], stdout=write,
                          stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(write)
    assert done.stderr.count(b"\n") <= 1
