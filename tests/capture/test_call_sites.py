"""Call sites: which lines of a program its calls come from, counted by line, file and operation."""

import collections
import os
import pathlib
import re
import signal
import subprocess
import time

import pytest

from conftest import HERE, RUNTIME, TRIKAL, rows_of, sections

SOURCE = HERE / "programs" / "call_sites.c"
LINES = SOURCE.read_text().splitlines()
KINDS = [("gcc", "-pie"), ("gcc", "-no-pie"), ("clang-19", "-pie"), ("clang-19", "-no-pie")]


def line_with(words, source=SOURCE):
    (number,) = [number for number, line in enumerate(source.read_text().splitlines(), 1) if words in line]
    return number


def expected():
    """{(file, operation, line): (count, bytes)} as the program's comments say."""
    out = {}
    for number, line in enumerate(LINES, 1):
        if match := re.search(r"site: (\S+) (.+) (\d+) (\d+) \*/", line):
            out[match[1], match[2], number] = int(match[3]), int(match[4])
    return out


def by_line(log):
    """{(file, operation, line): (count, bytes)} of call sites with a line"""
    out = collections.defaultdict(lambda: (0, 0))
    for row in rows_of(log, "sites"):
        key = pathlib.PurePath(row["name"] or "").name, row["operation"], int(row["line"])
        out[key] = out[key][0] + row["count"], out[key][1] + row["bytes"]
    return dict(out)


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sites")

    def build(compiler="gcc", *flags):
        binary = folder / "-".join(["sites", compiler, *flags])
        if not binary.exists():
            position = {"-pie": ["-fPIE"], "-no-pie": ["-fno-pie"]}
            subprocess.run([compiler, "-g", "-O1", *[option for flag in flags for option in position[flag]], *flags, "-o", binary, SOURCE, "-ldl", "-lpthread"], check=True)
        return binary
    return build


@pytest.mark.parametrize("kind", KINDS, ids="".join)
def test_every_call_is_at_its_line(run, built, kind):
    _, log = run(built(*kind), "plain", options=["--call-sites"])
    assert by_line(log.path) == expected()
    for row in rows_of(log.path, "sites"):
        assert row["source"] == str(SOURCE) and row["seconds"] >= 0 and row["build_id"] and row["function"]
    assert {row["function"] for row in rows_of(log.path, "sites")} == {"plain", "write_rows"}


def test_sums_are_those_of_the_records(run, built):
    _, log = run(built(), "plain", options=["--call-sites"])
    sums = collections.Counter()
    for row in rows_of(log.path, "sites"):
        sums[row["interface"], row["operation"]] += row["count"]
    for key, counter in {("POSIX", "write"): "POSIX_WRITES", ("POSIX", "read"): "POSIX_READS", ("POSIX", "open"): "POSIX_OPENS",
                         ("STDIO", "stream write"): "STDIO_WRITES", ("STDIO", "stream read"): "STDIO_READS"}.items():
        duplicates = sums["POSIX", "dup"] if counter == "POSIX_OPENS" else 0
        assert sums[key] + duplicates == sum(value for (_, name), value in log.values.items() if name == counter), counter


def test_nothing_is_noted_unless_it_is_asked_for(run, built):
    _, log = run(built(), "plain")
    assert "sites" not in sections(log.path)


@pytest.mark.parametrize("value, noted", [("1", True), ("0", False)])
def test_under_plain_preloading_addresses_are_kept(built, preload, tmp_path, value, noted):
    log = tmp_path / "own.darshan"
    subprocess.run([built(), "plain"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL,
                   env={**preload, "TRIKAL_LOGFILE": str(log), "TRIKAL_CALL_SITES": value})
    assert ("sites" in sections(log)) == noted
    if not noted:
        return
    rows = rows_of(log, "sites")
    assert sum(row["count"] for row in rows) == sum(count for count, _ in expected().values())
    assert {row["object"] for row in rows} == {str(built())} and not any(row["function"] for row in rows)
    assert len({row["offset"] for row in rows}) == len(expected())
    page = tmp_path / "page.html"
    subprocess.run([TRIKAL, "report", log, "-o", page], check=True)
    assert f"call_sites.c:{line_with('out.dat fsync')} (plain)" in page.read_text(), "named when it is read"


def test_threads_count_one_line_together(run, built):
    _, log = run(built(), "threads", options=["--call-sites"])
    line = line_with("threads write here")
    found = {key[0]: value for key, value in by_line(log.path).items() if key[1:] == ("write", line)}
    assert found == {f"thread{i}.dat": (1000, 8000) for i in range(4)}


def test_a_child_has_its_own_sites(run, built):
    _, log = run(built(), "fork", options=["--call-sites"])
    parent, child = line_with("the parent writes here"), line_with("the child writes here")
    rows = [row for row in rows_of(log.path, "sites") if row["operation"] == "write"]
    assert {(row["line"], row["count"], row["bytes"]) for row in rows} == {(parent, 1, 11), (child, 5, 110)}
    assert len({row["pid"] for row in rows}) == 2


def test_a_plugin_that_comes_and_goes(run, built, tmp_path):
    source = HERE / "programs" / "call_sites_plugin.c"
    library = tmp_path / "plugin.so"
    subprocess.run(["gcc", "-g", "-O1", "-shared", "-fPIC", "-o", library, source], check=True)
    _, log = run(built(), "plugin", library, options=["--call-sites"])
    (row,) = [row for row in rows_of(log.path, "sites") if row["operation"] == "write"]
    assert (row["count"], row["bytes"], row["line"]) == (3, 18, line_with("the plugin writes here", source))
    assert (row["object"], row["function"], row["source"]) == (str(library), "write_from_plugin", str(source))


def test_what_finds_no_space_is_counted_together(run, built):
    _, log = run(built(), "many", options=["--call-sites"])
    rows = rows_of(log.path, "sites")
    rest = [row for row in rows if row["object"] == "<no space for more call sites>"]
    assert rest and all(row["line"] == 0 and row["name"] is None for row in rest)
    for operation, size in (("open", 0), ("write", 3), ("close", 0), ("remove", 0)):
        mine = [row for row in rows if row["operation"] == operation]
        assert (sum(row["count"] for row in mine), sum(row["bytes"] for row in mine)) == (13000, size * 13000)


def killed(built, environment, folder):
    writer = subprocess.Popen([built(), "forever"], cwd=folder, env=environment)
    for _ in range(10000):
        if (folder / "endless.dat").exists() and (folder / "endless.dat").stat().st_size:
            break
        time.sleep(0.001)
    time.sleep(0.05)
    writer.send_signal(signal.SIGKILL)
    writer.wait()


def test_a_killed_process_leaves_its_sites(built, preload, tmp_path):
    killed(built, {**preload, "TRIKAL_CALL_SITES": "1"}, tmp_path)
    (tmp_path / "out").mkdir()
    subprocess.run([TRIKAL, "recover", "-o", tmp_path / "out", *(tmp_path / "maps").rglob("*.map")], check=True, capture_output=True)
    (log,) = (tmp_path / "out").glob("*.darshan")
    line = line_with("killed while writing here")
    (row,) = [row for row in rows_of(log, "sites") if row["operation"] == "write"]
    assert (row["line"], row["function"]) == (line, "forever") and row["count"] > 0 and row["bytes"] == 16 * row["count"]


def test_a_map_with_spoiled_sites_gives_a_log_all_the_same(built, preload, tmp_path):
    """Whatever the slots say: counts below zero, operations that nobody knows, objects that are not there."""
    killed(built, {**preload, "TRIKAL_CALL_SITES": "1"}, tmp_path)
    (path,) = (tmp_path / "maps").rglob("*.map")
    data = bytearray(path.read_bytes())
    spoiled = 0
    for at in range(64, len(data) - 64, 64):
        kind, _, stride = (int.from_bytes(data[at + 4 * i:at + 4 * i + 4], "little") for i in range(3))
        if data[at + 28:at + 32] != b"CHNK" or kind not in (9, 10):
            continue
        count = int.from_bytes(data[at + 20:at + 24], "little")
        for slot in range(count):
            begin = at + 64 + slot * stride
            filling = bytes([0xff, 0x7f, 0x80, 0x00, slot % 256])[slot % 5:][:1]
            data[begin:begin + stride] = filling * stride
            spoiled += 1
    assert spoiled > 30
    path.write_bytes(data)
    (tmp_path / "out").mkdir()
    done = subprocess.run([TRIKAL, "recover", "-o", tmp_path / "out", *(tmp_path / "maps").rglob("*.map")], capture_output=True)
    (log,) = (tmp_path / "out").glob("*.darshan")
    assert done.returncode == 0 and subprocess.run([TRIKAL, "insights", log], capture_output=True).returncode == 0
    assert all(row["count"] > 0 for row in sections(log).get("sites", []))


def test_a_log_with_a_damaged_section_says_so(run, built, tmp_path):
    _, log = run(built(), "plain", options=["--call-sites"])
    data = bytearray(log.path.read_bytes())
    from ground import trailer
    assert "sites" in trailer.decode(bytes(data))
    offset = int.from_bytes(data[-64 + 24:-64 + 32], "little")  # of the stream that small sections and the directory share
    data[offset + 5] ^= 0xff
    bad = tmp_path / "bad.darshan"
    bad.write_bytes(data)
    done = subprocess.run([TRIKAL, "export", "-f", "json", "-t", "sites", "-o", "-", bad], capture_output=True, text=True)
    assert done.returncode == 4 and "checksum" in done.stderr
    assert subprocess.run([TRIKAL, "insights", bad], capture_output=True).returncode in (0, 4)
    assert subprocess.run([TRIKAL, "summary", bad], capture_output=True).returncode in (0, 4)


def test_a_program_that_was_rebuilt_is_not_believed(built, preload, tmp_path):
    """The file of that name has another build id by the time the log is made: lines of it would be wrong."""
    program = tmp_path / "program"
    program.write_bytes(built().read_bytes())
    program.chmod(0o755)
    killed(lambda: program, {**preload, "TRIKAL_CALL_SITES": "1"}, tmp_path)
    program.unlink()
    program.write_bytes(built("clang-19", "-pie").read_bytes())
    (tmp_path / "out").mkdir()
    subprocess.run([TRIKAL, "recover", "-o", tmp_path / "out", *(tmp_path / "maps").rglob("*.map")], check=True, capture_output=True)
    (log,) = (tmp_path / "out").glob("*.darshan")
    assert rows_of(log, "sites") and all(row["line"] == 0 and not row["function"] for row in rows_of(log, "sites"))


def test_no_call_site_is_our_own(run, tmp_path):
    """Python opens, reads and writes through many wrappers; a wrapper whose caller was lost would name the runtime."""
    script = ("import os, mmap, shutil\nopen('a', 'w').write('x' * 9000)\nshutil.copyfile('a', 'b')\nos.listdir('.')\n"
              "f = os.open('a', os.O_RDWR)\nos.writev(f, [b'1', b'2'])\nos.preadv(f, [bytearray(4)], 0)\nos.fsync(f)\n"
              "os.posix_fallocate(f, 0, 100)\nos.truncate('a', 5)\nos.symlink('a', 'c')\nos.readlink('c')\nos.mkdir('d')\nprint(1)\n")
    _, log = run("python3", "-c", script, options=["--call-sites"])
    objects = {row["object"] for row in rows_of(log.path, "sites")}
    assert objects and str(RUNTIME) not in objects and not any(RUNTIME.name in name for name in objects)


def test_findings_name_the_line(run, built, tmp_path):
    source = tmp_path / "slow.c"
    source.write_text('#include <fcntl.h>\n#include <unistd.h>\nint main(void) {\n'
                      '  int fd = open("slow.dat", O_WRONLY | O_CREAT, 0600);\n'
                      '  for (int i = 0; i < 300; ++i) {\n    write(fd, "12345678", 8);\n    fsync(fd);\n  }\n  return 0;\n}\n')
    subprocess.run(["gcc", "-g", "-w", "-o", tmp_path / "slow", source], check=True)
    _, log = run(tmp_path / "slow", options=["--call-sites", "--include", str(tmp_path), "--report", str(tmp_path / "page.html")])
    told = subprocess.run([TRIKAL, "insights", "--json", log.path], capture_output=True, check=True, text=True).stdout
    import json
    sites = {finding["code"]: [site for file in finding["files"] for site in file.get("sites", [])]
             for finding in json.loads(told)["findings"]}
    assert any((site["line"], site["operation"], site["count"]) == (7, "fsync", 300) for site in sites["sync-per-write"]), sites
    text = subprocess.run([TRIKAL, "insights", log.path], capture_output=True, check=True, text=True).stdout
    assert "at slow.c:7 (main): 300 fsync" in text and "       | fsync(fd);" in text
    changed = source.stat().st_mtime + 3600
    os.utime(source, (changed, changed))  # the line is another one by now, for all we know
    text = subprocess.run([TRIKAL, "insights", log.path], capture_output=True, check=True, text=True).stdout
    assert "at slow.c:7 (main): 300 fsync" in text and "fsync(fd);" not in text
    assert '"location":"slow.c:7 (main)"' in (tmp_path / "page.html").read_text().replace('": "', '":"')


@pytest.mark.parametrize("form", ["csv", "arrow", "sqlite"])
def test_sites_are_exported(run, built, tmp_path, form):
    _, log = run(built(), "plain", options=["--call-sites"])
    out = tmp_path / f"tables-{form}"
    subprocess.run([TRIKAL, "export", log.path, "-f", form, "-o", out], check=True, capture_output=True)
    if form == "sqlite":
        import sqlite3
        rows = sqlite3.connect(out).execute("select sum(count) from sites where line > 0").fetchall()
        assert rows == [(sum(count for count, _ in expected().values()),)]
    else:
        assert [path for path in os.listdir(out) if path.startswith("sites.")]
