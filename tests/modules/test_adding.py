"""docs/adding-a-module.md and docs/adding-a-rule.md, followed exactly in a copy of the tree: the module observes a library
that nothing in src/ names, the rule finds what it is about, and Darshan's tools read such logs as ever."""

import csv
import fcntl
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import walkthrough

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests" / "independent"))
MODULE = walkthrough.blocks(ROOT / "docs" / "adding-a-module.md")
RULE = walkthrough.blocks(ROOT / "docs" / "adding-a-rule.md")
EXPECTED = {"TAPE_OPENS": 1, "TAPE_READS": 1, "TAPE_WRITES": 3, "TAPE_REWINDS": 1, "TAPE_BYTES_READ": 15000,
            "TAPE_BYTES_WRITTEN": 15000, "TAPE_SIZE_READ_10K_100K": 1, "TAPE_SIZE_WRITE_1K_10K": 3}


class Tree:
    def __init__(self, folder, said):
        self.folder, self.said = folder, said
        self.bin = folder / "build" / "product" / "bin"
        self.log = folder / "tape.darshan"

    def trikal(self, *arguments, environment=None):
        done = subprocess.run([self.bin / "trikal", *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, **(environment or {})}, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def parser(self, log):
        """As darshan-parser prints it, without what names the file."""
        done = subprocess.run([self.bin / "darshan-parser", "--all", log], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0 and not done.stderr, done.stderr
        return done.stdout


def copy_tree(folder):
    """What is part of the project, tests and pictures aside."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                            capture_output=True).stdout.decode().split("\0")
    for name in filter(None, listed):
        if name.startswith(("tests/", "docs/screens")) or not (ROOT / name).is_file():
            continue
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)


def follow_documents(folder):
    """Both documents' changes are in one build. Answers with what the last block of each prints."""
    said = {}
    first = next(number for number, block in enumerate(RULE) if walkthrough.builds(block))
    for block in RULE[:first]:
        walkthrough.follow(folder, block)
    walkthrough.run(folder, "scripts/new-module unedited 41")  # what the template is must work as it is
    for block in MODULE:
        if walkthrough.builds(block):
            subprocess.run(["cc", "-shared", "-fPIC", "-I.", HERE / "tape.c", "-o", "libtape.so"], cwd=folder, check=True)
        said["module"] = walkthrough.follow(folder, block)
    for block in RULE[first:]:
        said["rule"] = walkthrough.follow(folder, block)
    return said


@pytest.fixture(scope="module")
def tree(tmp_path_factory, worker_id):
    if shutil.which("ccache") is None:
        pytest.skip("no ccache: everything would be compiled once more")
    base = tmp_path_factory.getbasetemp()
    base = base if worker_id == "master" else base.parent  # one tree for all workers
    folder, said = base / "adding" / "trikal", base / "adding" / "said.json"
    folder.parent.mkdir(exist_ok=True)
    with open(folder.parent / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            folder.mkdir()
            copy_tree(folder)
            said.write_text(json.dumps(follow_documents(folder)))
    assert said.exists(), "the documents could not be followed: another worker says why"
    return Tree(folder, json.loads(said.read_text()))


def test_nothing_in_the_sources_names_the_library():
    for path in (ROOT / "src").rglob("*"):
        assert not path.is_file() or "tape_" not in path.read_text(errors="replace").lower(), path


def counters(text, prefix="TAPE_"):
    return {fields[3]: fields[4] for fields in (line.split("\t") for line in text.splitlines())
            if len(fields) > 5 and fields[3].startswith(prefix)}


def test_the_module_counts(tree):
    found = counters(tree.said["module"])
    assert {name: int(found[name]) for name in EXPECTED} == EXPECTED
    assert 0 < float(found["TAPE_F_OPEN_START_TIMESTAMP"]) < float(found["TAPE_F_CLOSE_END_TIMESTAMP"])
    assert all(float(found[f"TAPE_F_{what}_TIME"]) > 0 for what in ("READ", "WRITE", "META"))


def test_the_module_is_in_every_table(tree):
    with open(tree.folder / "tables" / "tape.csv", newline="") as file:
        [row] = csv.DictReader(file)
    assert int(row["TAPE_REWINDS"]) == 1 and row["name"].endswith("/data.tape")
    assert "also counted: TAPE " in tree.trikal("summary", tree.log)
    assert "# TAPE module: " in tree.trikal("info", tree.log)
    assert "times the tape was wound back" in tree.trikal("explain", "TAPE")


def test_a_copy_of_the_template_works_as_it_is(tree):
    folder = tree.folder / "src" / "modules" / "unedited"
    [(_, _, script)] = walkthrough.blocks(folder / "README.md")
    found = counters(walkthrough.run(folder / "example", f"PATH={tree.bin}:$PATH\n{script}"), "UNEDITED_")
    # The open that fails is none.
    assert [int(found[f"UNEDITED_{what}"]) for what in ("OPENS", "READS", "WRITES", "BYTES_READ", "BYTES_WRITTEN",
                                                        "SIZE_WRITE_1K_10K")] == [2, 1, 3, 15000, 15000, 3]


def without_trailer(tree, name):
    """The log as any tool of Darshan's sees it: cut behind the last region of its map."""
    from ground import container
    data = tree.log.read_bytes()
    header = container.parse_header(data)
    end = max(offset + length for offset, length in [header.name_map, *header.mod_map.values()])
    cut = tree.folder / name
    cut.write_bytes(data[:end])
    return cut


def test_darshans_tools_do_not_see_it(tree):
    whole = tree.parser(tree.log)
    assert "TAPE" not in whole and "POSIX_OPENS" in whole
    assert whole == tree.parser(without_trailer(tree, "cut.darshan"))


def test_pydarshan_does_not_see_it(tree):
    darshan = pytest.importorskip("darshan")
    with darshan.DarshanReport(str(tree.log), read_all=True) as report:
        assert "POSIX" in report.modules and "TAPE" not in report.modules


def test_the_trailer_describes_the_records(tree):
    """Somebody who knows the container and the trailer, and no module, finds the counters."""
    import zlib

    from ground import container, trailer
    data = tree.log.read_bytes()
    sections = trailer.decode(data)
    text = lambda value: value.decode() if isinstance(value, bytes) else value
    named = lambda section: [dict(zip([text(column[1]) for column in sections[section].columns], map(text, row)))
                             for row in sections[section].rows]
    [module] = named("extension_modules")
    assert module["module"] == "TAPE" and module["version"] == 1
    header = container.parse_header(data)
    assert module["id"] not in header.mod_map and module["id"] not in header.mod_ver
    record = zlib.decompress(data[module["offset"]:module["offset"] + module["length"]])
    found = {}
    for column in named("extension_columns"):
        name = column["column"].replace("#", column["class"])
        found[name] = int.from_bytes(record[column["offset"]:column["offset"] + 8], "little")
    assert len(record) == 264 and {name: found[name] for name in EXPECTED} == EXPECTED


def test_the_module_can_be_switched_off(tree):
    log = tree.folder / "off.darshan"
    tree.trikal("run", "--log", log, "--", "./program", "data.tape", environment={"DARSHAN_MOD_DISABLE": "TAPE"})
    assert "TAPE" not in tree.trikal("parse", log)
    # The program did the same: Darshan's tools count the same.
    numbers = lambda text: [line for line in text.splitlines() if re.match(r"(POSIX|STDIO)\t", line) and "_F_" not in line
                            and "_TIME_" not in line]
    assert numbers(tree.parser(log)) == numbers(tree.parser(tree.log)) != []


def test_copies_and_merges_keep_it(tree):
    copy, merged = tree.folder / "copy.darshan", tree.folder / "merged.darshan"
    tree.trikal("convert", tree.log, copy)
    assert counters(tree.trikal("parse", copy)) == counters(tree.trikal("parse", tree.log))
    tree.trikal("diff", copy, tree.log)
    tree.trikal("merge", "--renumber", "--shared-redux", "-o", merged, tree.log, copy)
    found = counters(tree.trikal("parse", merged))
    assert {name: int(found[name]) for name in EXPECTED} == {name: 2 * value for name, value in EXPECTED.items()}
    assert "TAPE" not in tree.parser(merged) and "TAPE" not in tree.parser(copy)


def ranks_of(tree, log):
    """{file: {rank: bytes written}}"""
    found = {}
    for row in csv.DictReader(io.StringIO(tree.trikal("export", "-f", "csv", "-t", "tape", "-o", "-", log))):
        found.setdefault(row["name"].rsplit("/", 1)[1], {})[int(row["rank"])] = int(row["TAPE_BYTES_WRITTEN"])
    return found


@pytest.mark.parametrize("preloaded", [False, True])
def test_ranks_have_one_record_of_what_they_share(tree, tmp_path, preloaded):
    """Whether trikal run puts their records together, or they do it themselves in MPI_Finalize."""
    if shutil.which("mpicc.openmpi") is None:
        pytest.skip("no mpicc.openmpi: scripts/install-deps installs it")
    program = tmp_path / "ranks"
    subprocess.run(["mpicc.openmpi", f"-I{tree.folder}", HERE / "ranks.c", f"-L{tree.folder}", "-ltape",
                    f"-Wl,-rpath,{tree.folder}", "-o", program], check=True)
    launch = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--mca", "orte_tmpdir_base", "/dev/shm", "-np", "3"]
    if preloaded:
        runtime = tree.folder / "build" / "product" / "lib" / "libtrikal.so"
        variables = {"LD_PRELOAD": runtime, "TRIKAL_LOGPATH": tmp_path, "TRIKAL_MAP_DIRECTORY": tmp_path}
        settings = [part for name, value in variables.items() for part in ("-x", f"{name}={value}")]
        subprocess.run([*launch, *settings, program, tmp_path / "all"], check=True, timeout=120, capture_output=True)
        [log] = tmp_path.glob("*.darshan")
    else:
        log = tmp_path / "job.darshan"
        tree.trikal("run", "--log", log, "--", *launch, program, tmp_path / "all")
    assert ranks_of(tree, log) == {"all": {-1: 45000}, "all.0": {0: 5000}, "all.1": {1: 5000}, "all.2": {2: 5000}}
    assert "TAPE" not in tree.parser(log)


def test_its_calls_are_told_to_listeners(tree):
    """Call sites hear of every call, by the module's own words; a build that does not know the module has them as well."""
    log = tree.folder / "sites.darshan"
    tree.trikal("run", "--call-sites", "--log", log, "--", "./program", "data.tape")
    build = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release"))
    for program in (tree.bin / "trikal", build / "bin" / "trikal"):
        done = subprocess.run([program, "export", "-f", "csv", "-t", "sites", "-o", "-", log], capture_output=True, text=True,
                              check=True)
        rows = [row for row in csv.DictReader(io.StringIO(done.stdout)) if row["interface"] == "TAPE"]
        assert {(row["operation"], int(row["count"]), int(row["bytes"])) for row in rows} == {
            ("open", 1, 0), ("write", 3, 15000), ("rewind", 1, 0), ("read", 1, 15000), ("close", 1, 0)}
        assert all(row["name"].endswith("/data.tape") for row in rows)


def test_a_killed_process_loses_nothing(tree):
    """Its records are in the crash map like any others."""
    log = tree.folder / "killed.darshan"
    killed = subprocess.run([tree.bin / "trikal", "run", "--log", log, "--", "bash", "-c",
                             "./program data.tape && kill -9 $$"], cwd=tree.folder, capture_output=True, text=True, timeout=120)
    assert killed.returncode != 0
    found = counters(tree.trikal("parse", log))
    assert {name: int(found[name]) for name in EXPECTED} == EXPECTED


def test_the_unknown_module_is_told(tree):
    """The build under test does not know it: copies say that it is left out, and nothing fails."""
    build = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release"))
    listed = subprocess.run([build / "bin" / "trikal", "parse", tree.log], capture_output=True, text=True)
    assert listed.returncode == 0 and not counters(listed.stdout) and "POSIX_OPENS" in listed.stdout
    copied = subprocess.run([build / "bin" / "trikal", "convert", tree.log, tree.folder / "less.darshan"], capture_output=True,
                            text=True)
    assert copied.returncode == 0 and "TAPE" in copied.stderr and "left out" in copied.stderr
    tables = subprocess.run([build / "bin" / "trikal", "export", "-f", "json", "-t", "extension_modules", "-o", "-", tree.log],
                            capture_output=True, text=True, check=True)
    assert "TAPE" in json.dumps(json.loads(tables.stdout))


def test_the_rule_finds(tree):
    assert "one-byte-files" in tree.said["rule"] and "3,000 files of one byte" in tree.said["rule"]
    assert "files of a single byte" in tree.trikal("explain", "one-byte-files")
    assert "one-byte-files" not in tree.trikal("insights", tree.log)
