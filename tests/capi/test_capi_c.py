"""A C program built against the installed library finds in logs what the independent decoder finds."""

import copy
import math
import shutil
import struct
import subprocess

import pytest

import conftest
import corpus
import decoder
from export_truth import Truth, table_name
from ground.tables import MODULE_NAMES
from log_files import ALL, each

NAMES = corpus.names()
EVERYTHING = "edge-every-module"
BASE = ("record_id", "rank", "name", "mount", "fs_type")


def decoded(path):
    return decoder.decode(path.read_bytes())[0]


def shown(value):
    """A value as the program prints it."""
    if isinstance(value, float):
        return b"nan" if math.isnan(value) else b"%.17g" % value
    return b"%d" % value if isinstance(value, int) else value


def same(found, wanted, column):
    found = b"nan" if found == b"-nan" else found
    wanted = wanted.replace(b"-", b"") if column.endswith("_uuid") else wanted
    return found == wanted


def expected_rows(log):
    """(module, rank, id, {value: text}) of every record that its module's table describes."""
    tables = Truth(log).tables
    for ident in sorted(log.modules):
        module = MODULE_NAMES[ident]
        for row in tables[table_name(module)]:
            yield (module, row["rank"], row["record_id"],
                   {key: shown(value) for key, value in row.items() if key not in BASE})


def check_records(installation, program, path):
    lines = installation.run(program, "records", path).stdout.split(b"\n")
    at = 0
    for module, rank, ident, values in expected_rows(decoded(path)):
        for _ in values:
            found_module, found_rank, found_id, name, value = lines[at].split(b"\t", 4)
            assert (found_module.decode(), int(found_rank), int(found_id)) == (module, rank, ident)
            assert same(value, values[name.decode()], name.decode()), (module, name, value)
            at += 1
    assert lines[at:] == [b""]


@pytest.mark.parametrize("name", [name for name in NAMES if "nobody" not in name])
def test_records_of_the_corpus(name, installation, logreader, corpus_dir):
    check_records(installation, logreader, corpus_dir / f"{name}.darshan")


@each(ALL, argument="path")
def test_records_of_logs(path, installation, logreader):
    check_records(installation, logreader, path)


@pytest.mark.parametrize("name", [EVERYTHING, "release-3.1.0", "container-3.00-bzip2-be", "edge-partial-flags"])
def test_about_a_log(name, installation, logreader, corpus_dir):
    path = corpus_dir / f"{name}.darshan"
    log, _, header = decoder.decode(path.read_bytes())
    job = log.job
    wanted = [b"job\t%d\t%d\t%d\t%.17g" % (job["uid"], job["jobid"], job["nprocs"], log.runtime), b"exe\t" + log.exe,
              b"version\t" + log.version.encode(), b"compression\t" + [b"zlib", b"bzip2", b"none"][log.codec]]
    wanted += [b"metadata\t%s\t%s" % pair for pair in log.meta_pairs()]
    wanted += [b"mount\t%s\t%s" % mount for mount in log.mounts]
    wanted += [b"name\t%d\t%s" % name for name in log.name_table.items()]
    wanted += [b"module\t%d\t%s\t%d\t%d\t1" % (ident, MODULE_NAMES[ident].encode(), header.mod_ver[ident],
                                              log.partial >> ident & 1) for ident in sorted(log.modules)]
    found = installation.run(logreader, "about", path).stdout
    assert found.split(b"\n") == [*wanted, b""]


def test_tables_are_those_of_export(installation, logreader, corpus_dir):
    path = corpus_dir / f"{EVERYTHING}.darshan"
    listed = subprocess.run([conftest.BUILD / "bin" / "trikal", "export", "--list", path], capture_output=True, check=True)
    found = [line.split(b"\t")[0] for line in installation.run(logreader, "tables", path).stdout.splitlines()]
    assert found == [line.split()[0] for line in listed.stdout.splitlines()]


COLUMNS = {("posix", "POSIX_BYTES_READ"): "l", ("posix", "record_id"): "L", ("posix", "POSIX_F_READ_TIME"): "g",
           ("posix", "name"): "u", ("posix", "mount"): "u", ("names", "name"): "u", ("lustre_stripes", "ost"): "l",
           ("dxt_posix_segments", "start_time"): "g", ("daos", "oid_lo"): "L", ("job", "exe"): "u"}


@pytest.mark.parametrize("table,column", COLUMNS, ids=".".join)
def test_columns_by_arrow(table, column, installation, logreader, corpus_dir):
    """Batches of seven rows, read after the log itself was closed."""
    path = corpus_dir / f"{EVERYTHING}.darshan"
    rows = Truth(decoded(path)).tables[table]
    head, *cells = installation.run(logreader, "column", path, table, column).stdout.split(b"\n")[:-1]
    assert head.decode().split("\t")[0] == COLUMNS[table, column]
    assert cells == [b"null" if row[column] is None else shown(row[column]) for row in rows]


def test_nothing_of_that_name(installation, logreader, corpus_dir):
    path = corpus_dir / f"{EVERYTHING}.darshan"
    done = installation.run(logreader, "column", path, "no_such_table", "x", code=3)
    assert done.stderr.startswith(b"code 8 ") and done.stderr.count(b"\n") == 1
    installation.run(logreader, "column", path, "posix", "NO_SUCH_COLUMN", code=2)


BAD = {"not-there": (None, 1, b"No such file"), "empty": (b"", 2, b""), "text": (b"hello, this is no log\n" * 99, 2, b""),
       "old": (struct.pack("<8sq", b"2.06", 6567223) + bytes(2000), 3, b"version")}


@pytest.mark.parametrize("kind", BAD)
def test_errors_have_a_code_and_one_line(kind, installation, logreader, tmp_path):
    data, code, word = BAD[kind]
    if data is not None:
        (tmp_path / kind).write_bytes(data)
    done = installation.run(logreader, "about", tmp_path / kind, code=3)
    assert done.stderr.startswith(b"code %d " % code) and done.stderr.count(b"\n") == 1, done.stderr
    assert done.stdout == b"" and word in done.stderr


def damaged(corpus_dir, folder):
    """Half of the last module's data is gone."""
    data = bytearray((corpus_dir / f"{EVERYTHING}.darshan").read_bytes())
    header = decoder.decode(bytes(data))[2]
    offset, length = header.mod_map[max(header.mod_map)]
    data[offset + length // 2:offset + length] = bytes(length - length // 2)
    (folder / "damaged.darshan").write_bytes(data)
    return folder / "damaged.darshan", MODULE_NAMES[max(header.mod_map)].encode()


def test_damage(installation, logreader, corpus_dir, tmp_path):
    path, last = damaged(corpus_dir, tmp_path)
    done = installation.run(logreader, "sizes", path, code=3)
    assert done.stderr.startswith(b"code 4 offset ") and done.stderr.count(b"\n") == 1
    saved = installation.run(logreader, "salvage", path).stdout.splitlines()
    whole = installation.run(logreader, "sizes", corpus_dir / f"{EVERYTHING}.darshan").stdout.splitlines()
    assert saved[:len(whole) - 1] == whole[:-1]
    assert [line.split(b"\t")[1] for line in saved if line.startswith(b"damage\t")] == [last]


# ---- the ways to build

def test_cpp_by_pkg_config(installation, logreader, corpus_dir, tmp_path):
    source = corpus_dir / f"{EVERYTHING}.darshan"
    program = installation.compile(tmp_path / "logreader", "c++", "-std=c++17", "-x", "c++")
    assert installation.run(program, "records", source).stdout == installation.run(logreader, "records", source).stdout


def test_cmake_package(installation, logreader, corpus_dir, tmp_path):
    """The programs run without being told where the library is."""
    source = corpus_dir / f"{EVERYTHING}.darshan"
    folder = installation.build_project(tmp_path / "build")
    wanted = installation.run(logreader, "records", source).stdout
    for program in ("logreader-c", "logreader-cpp"):
        done = subprocess.run([folder / program, "records", source], capture_output=True, check=True)
        assert done.stdout == wanted


def test_an_installed_tree_can_be_moved(installation, corpus_dir, tmp_path):
    shutil.copytree(installation.prefix, tmp_path / "elsewhere", symlinks=True)
    moved = copy.copy(installation)
    moved.use(tmp_path / "elsewhere", installation.env)
    program = moved.compile(tmp_path / "logreader", "cc", "-std=c11")
    assert any(str(moved.prefix) in flag for flag in moved.flags("--libs"))
    moved.run(program, "tables", corpus_dir / f"{EVERYTHING}.darshan")


def test_nothing_leaks(installation, corpus_dir, tmp_path):
    """Everything the library asked for is given back, on success and on failure."""
    checked = ["cc", "-std=c11", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    (tmp_path / "leak.c").write_text("#include <stdlib.h>\nint main(void) { return malloc(7) == NULL; }\n")
    subprocess.run([*checked, "-o", tmp_path / "leak", tmp_path / "leak.c"], check=True)
    assert subprocess.run([tmp_path / "leak"], capture_output=True, check=False).returncode != 0, "leaks are not seen here"
    program = installation.compile(tmp_path / "logreader", *checked)
    source = corpus_dir / f"{EVERYTHING}.darshan"
    path, _ = damaged(corpus_dir, tmp_path)
    for words, code in (("about", source), 0), (("records", source), 0), (("tables", source), 0), (
            ("column", source, "posix", "name"), 0), (("column", source, "nothing", "name"), 3), (
            ("records", path), 3), (("salvage", path), 0), (("about", tmp_path / "not-there"), 3):
        installation.run(program, *words, code=code, ASAN_OPTIONS="detect_leaks=1")
