"""Findings of runs that really had the antipattern, and of the same work done well; summary, insights and report as programs."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()
TRIKAL = BUILD / "bin" / "trikal"
sys.path.append(str(ROOT / "tests" / "support"))
from log_files import ALL, by_name, reads_logs, rows_about_shared  # noqa: E402  behind the path

def names_in(source):
    return re.findall(r'\{"([a-z-]+)", ', (ROOT / "examples" / source).read_text())


WORKFLOW = names_in("workflow_antipatterns.c")
ANTIPATTERNS = names_in("antipatterns.c") + WORKFLOW
MIB = 1 << 20


def trikal(*words, **options):
    return subprocess.run([TRIKAL, *map(str, words)], capture_output=True, text=True, timeout=120, **options)


@pytest.fixture(scope="session")
def antipatterns(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bin")
    for name in ("antipatterns", "workflow_antipatterns"):
        source = ROOT / "examples" / f"{name}.c"
        subprocess.run(["gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-o", folder / name, source], check=True)
    return folder / "antipatterns"


def observe(program, antipattern, how, folder):
    """The log of one run, its files in a folder of their own."""
    (folder / "files").mkdir()
    log = folder / "antipattern.darshan"
    if antipattern in WORKFLOW:
        program = program.with_name("workflow_antipatterns")
    done = trikal("run", "--log", log, "--quiet", "--", program, antipattern, how, folder / "files")
    assert done.returncode == 0, done.stderr
    return log


def findings(log, policy=None):
    done = trikal("insights", "--json", *(("--policy", policy) if policy else ()), log)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["schema"] == "trikal-insights 1"
    return answer


def tries(program, antipattern, how, folder):
    """Findings are about time; on a busy machine the same program shows others now and then. Three runs, then no more."""
    for number in range(3):
        (folder / str(number)).mkdir()
        yield findings(observe(program, antipattern, how, folder / str(number)))


def test_there_are_antipatterns():
    assert len(ANTIPATTERNS) >= 25 and len(set(ANTIPATTERNS)) == len(ANTIPATTERNS)


@pytest.mark.parametrize("antipattern", ANTIPATTERNS)
def test_antipattern_is_found(antipatterns, tmp_path, antipattern):
    for answer in tries(antipatterns, antipattern, "bad", tmp_path):
        found = {finding["code"]: finding for finding in answer["findings"]}
        if antipattern in found:
            break
    assert antipattern in found, f"found only {sorted(found)}"
    finding = found[antipattern]
    assert finding["title"] and finding["fix"] and finding["why"] and finding["formula"]
    assert 0 <= finding["seconds"] <= answer["run_seconds"] * 1.01
    ranked = [one["seconds"] for one in answer["findings"]]
    assert ranked == sorted(ranked, reverse=True)


@pytest.mark.parametrize("antipattern", ANTIPATTERNS)
def test_work_done_well_is_not_blamed(antipatterns, tmp_path, antipattern):
    for answer in tries(antipatterns, antipattern, "good", tmp_path):
        blamed = [finding["code"] for finding in answer["findings"] if finding["severity"] == "high"]
        blamed += [antipattern for finding in answer["findings"] if finding["code"] == antipattern]
        if not blamed:
            break
    assert not blamed


def test_findings_name_the_file(antipatterns, tmp_path):
    log = observe(antipatterns, "reopen", "bad", tmp_path)
    [finding] = [one for one in findings(log)["findings"] if one["code"] == "reopen"]
    assert finding["files"][0]["name"] == str(tmp_path / "files" / "log")
    assert "5,001 opens" in finding["files"][0]["text"]
    text = trikal("insights", log).stdout
    assert "reopen" in text and "opened and closed 5,001 times: log" in text


def test_every_rule_is_explained():
    codes = [line.split()[0] for line in trikal("insights", "--list").stdout.splitlines()]
    assert set(ANTIPATTERNS) < set(codes)
    for code in codes:
        done = trikal("explain", code)
        assert done.returncode == 0 and done.stdout.startswith(code + ": ")
        assert all(word in done.stdout for word in ("why: ", "fix: ", "seconds lost: "))


def test_a_new_rule_is_a_file_and_two_lines(tmp_path):
    for part in ("scripts/new-rule", *(f"src/analyze/rules/{name}" for name in ("rules.hpp", "list.cpp"))):
        (tmp_path / part).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / part, tmp_path / part)
    make = [tmp_path / "scripts" / "new-rule", "late-breakfast", "files opened too late"]
    subprocess.run(make, check=True, capture_output=True)
    rules = tmp_path / "src" / "analyze" / "rules"
    assert 'kLateBreakfast = {"late-breakfast", "files opened too late"' in (rules / "late_breakfast.cpp").read_text()
    assert "extern const Rule kLateBreakfast;\n" in (rules / "rules.hpp").read_text()
    assert "    &kLateBreakfast,\n" in (rules / "list.cpp").read_text()
    again = subprocess.run(make, capture_output=True, text=True)
    assert again.returncode == 1 and "late_breakfast.cpp exists" in again.stderr
    wrong = subprocess.run([make[0], "Late Breakfast", "x"], capture_output=True, text=True)
    assert wrong.returncode == 1 and "lower-case" in wrong.stderr


def test_a_run_shows_its_findings_and_writes_a_page(antipatterns, tmp_path):
    (tmp_path / "files").mkdir()
    page = tmp_path / "antipattern.html"
    done = trikal("run", "--log", tmp_path / "antipattern.darshan", "--report", page, "--", antipatterns, "small-writes", "bad",
                  tmp_path / "files")
    assert done.returncode == 0 and done.stdout == ""
    assert "small-writes" in done.stderr and f"page: {page}" in done.stderr
    assert f"<title>antipatterns · {antipatterns} small-writes bad {tmp_path}/files</title>" in page.read_text()


def test_a_page_that_cannot_be_written_is_not_the_programs_business(tmp_path):
    done = trikal("run", "--log", tmp_path / "l.darshan", "--report", tmp_path / "no" / "such.html", "--", "false")
    assert done.returncode == 1
    assert "such.html" in done.stderr


def page_data(page):
    text = page.read_text()
    start = text.index('id="trikal-data">') + len('id="trikal-data">')
    return json.loads(text[start:text.index("\n-->", start)])


def test_report_is_one_file_with_all_data(antipatterns, tmp_path):
    log, page = observe(antipatterns, "stat-storm", "bad", tmp_path), tmp_path / "page.html"
    assert trikal("report", log, "-o", page).returncode == 0
    data = page_data(page)
    assert data["schema"] == "trikal-report 1" and data["job"]["nprocs"] == 1
    assert re.fullmatch(r"\d+\.\d+\.\d+", data["version"])
    assert [file["name"] for file in data["files"]] == [str(tmp_path / "files" / "data")]
    assert data["files"][0]["uses"]["POSIX"]["stats"] == 20000
    assert data["io"]["bytes_written"] == 1 << 20
    again = trikal("report", log, "-o", page)
    assert again.returncode == 3 and "--force" in again.stderr
    assert trikal("report", "-f", log, "-o", page).returncode == 0


def test_files_are_counted_alike_everywhere(tmp_path):
    """Three opened, beside one that is not there, a listed directory and one that is named like MPI's own."""
    log, page = tmp_path / "l.darshan", tmp_path / "page.html"
    script = """
import os
for name in ("a", "b", "c"): open(name, "w").write("x")
os.listdir(".")
try: open("none")
except OSError: pass
own = f"/tmp/ompi.{os.getpid()}"
os.close(os.open(own, os.O_CREAT))
os.unlink(own)
"""
    done = trikal("run", "--log", log, "--", sys.executable, "-c", script, cwd=tmp_path)
    (told,) = re.findall(r"· (\d+) files ·", done.stderr)
    assert re.findall(r"slowest of (\d+) files", trikal("summary", log).stdout) == [told]
    assert json.loads(trikal("summary", "--json", log).stdout)["io"]["files"] == int(told)
    metrics = trikal("export", "-f", "openmetrics", log, "-o", "-").stdout
    assert re.findall(r"^trikal_run_files\S* (\d+)", metrics, re.MULTILINE) == [told]
    assert trikal("report", log, "-o", page).returncode == 0
    data = page_data(page)
    assert data["io"]["files"] == sum(kind["files"] for kind in data["file_kinds"]) == int(told)
    names = {file["name"].rsplit("/", 1)[1] for file in data["files"]}
    assert {"a", "b", "c"} <= names and "none" not in names


def test_heat_of_many_processes_is_whole(tmp_path):
    log, page = tmp_path / "l.darshan", tmp_path / "page.html"
    script = 'for i in $(seq 300); do dd if=/dev/zero of="$0/$((i % 7))" bs=1000 count=1 status=none; done'
    assert trikal("run", "--quiet", "--log", log, "--", "sh", "-c", script, tmp_path).returncode == 0
    assert trikal("report", log, "-o", page).returncode == 0
    [heat] = [one for one in page_data(page)["heat"] if one["interface"] == "POSIX"]
    assert len(heat["rows"]) <= 256 and heat["ranks_a_row"] == 2
    assert sum(sum(row["written"]) for row in heat["rows"]) == 300_000


def test_names_cannot_leave_the_data(tmp_path):
    name = tmp_path / "a<!--<script>x"
    log, page = tmp_path / "l.darshan", tmp_path / "page.html"
    trikal("run", "--quiet", "--log", log, "--", "sh", "-c", 'printf x > "$0"', name)
    assert trikal("report", log, "-o", page).returncode == 0
    assert str(name) in [file["name"] for file in page_data(page)["files"]]
    assert "<!--<script>x" not in page.read_text()


def real_findings(log, policy=None):
    return {finding["code"]: finding for finding in findings(by_name(log), policy)["findings"]}


SKEW, APMPI = "skew_io--skew-autobench-ior", "apmpi_apxc--mpi-io-test"
EAGLE, WITH_DXT = "mpi-io-test-x86_64-3.5.0", "mpi_io_test_with_dxt--treddy_mpi-io-test_id4373053"
DIAGONAL = "hdf5_diagonal_write_only--hdf5_diagonal_write_1_byte_dxt"
LOADER, LOADER_IDLE = "dlio-3116902-2110531", "dlio-3116902-2110484"


HAS_IT = [
    ("straggler", SKEW, "rank 1024"),
    ("straggler", APMPI, "rank 1"),
    ("misaligned-memory", SKEW, "370,398 of 524,288"),
    ("every-rank-reads", SKEW, "2,048 ranks"),
    ("single-stripe", APMPI, "4 ranks"),
    ("single-stripe", EAGLE, "4 ranks"),
    ("no-nonblocking", SKEW, "131,072"),
    ("periodic-bursts", LOADER, "every 8.00 s"),
    ("read-back", EAGLE, "64.0 MiB"),
    ("stalled-access", SKEW, "1.00 MiB read in 10.06 s"),
    ("slow-file-system", WITH_DXT, "4.00 GiB on a network home while /lustre/scratch"),
]


INSTEAD = "examples with each antipattern and test_made_jobs.py have every rule"


@rows_about_shared("code, log, text", HAS_IT, INSTEAD)
def test_real_log_has_it(code, log, text):
    found = real_findings(log)
    assert code in found, sorted(found)
    assert text in json.dumps(found[code])


@rows_about_shared("code, log", [
    ("straggler", EAGLE), ("uneven-shared-file", SKEW), ("few-aggregators", SKEW), ("misaligned-memory", EAGLE),
    ("every-rank-reads", EAGLE), ("single-stripe", WITH_DXT), ("single-stripe", LOADER), ("no-nonblocking", APMPI),
    ("periodic-bursts", LOADER_IDLE), ("periodic-bursts", EAGLE), ("periodic-bursts", WITH_DXT),
    ("stripe-contention", WITH_DXT),
    ("data-sieving", SKEW), ("data-sieving", EAGLE), ("data-sieving", WITH_DXT), ("slow-file-system", EAGLE),
    ("slow-file-system", DIAGONAL),
    ("small-chunks", "hdf5_orthogonality--treddy_h5d_no_h5f"),
    ("many-datasets", DIAGONAL),
    ("hdf5-independent", DIAGONAL),
    ("hdf5-metadata-reads", DIAGONAL),
    ("scattered-selections", DIAGONAL),
    ("file-per-process", DIAGONAL),
    ("no-collectives", EAGLE), ("no-collectives", SKEW), ("stalled-access", EAGLE),
    ("metadata-heavy", EAGLE), ("metadata-heavy", DIAGONAL),
], INSTEAD)
def test_real_log_has_it_not(code, log):
    assert code not in real_findings(log)


@rows_about_shared("log", [(DIAGONAL,)], INSTEAD)
def test_limits_of_a_site_decide_about_little(tmp_path, log):
    """Metadata is 93 % of the time in I/O, 33 ms a rank of 4 s; each of ten ranks makes one dataset of a byte, all in 0.16 ms."""
    policy = tmp_path / "policy"
    policy.write_text("[metadata-heavy]\nrun = 0.005\n[many-datasets]\ndatasets = 10\n")
    found = real_findings(log, policy)
    assert "93 %" in found["metadata-heavy"]["title"]
    assert "many-datasets" not in found  # they are made side by side: their sum is no time of the run


@reads_logs
def test_all_logs(tmp_path):
    for log in ALL:
        whole = trikal("summary", "--json", log)
        assert whole.returncode == 0, (log, whole.stderr)
        summary = json.loads(whole.stdout)
        total = trikal("parse", "--total", "--perf", log).stdout
        for layer in summary["layers"]:
            prefix = layer["name"].replace("-", "")
            for field, counter in (("read", "BYTES_READ"), ("write", "BYTES_WRITTEN")):
                match = re.search(rf"^total_{prefix}_{counter}: (-?\d+)$", total, re.MULTILINE)
                assert layer[field]["bytes"] == max(0, int(match[1])), (log, layer["name"], counter)
        assert trikal("summary", log).returncode == 0
        assert trikal("insights", log).returncode == 0
        assert trikal("report", log, "-f", "-o", tmp_path / "p.html").returncode == 0


@pytest.mark.parametrize("name", ["run-hdf5", "run-hdf5-mpich"])
def test_libraries_stand_under_the_same_heads_as_layers(name):
    log = by_name(name)
    rows = {row.split()[0]: row.split() for row in trikal("summary", log).stdout.splitlines() if row}
    libraries = json.loads(trikal("summary", "--json", log).stdout)["libraries"]
    assert {library["name"] for library in libraries} >= {"H5F", "H5D"}
    for library in libraries:
        moved = library["bytes_read"] + library["bytes_written"]
        rate = f"{moved / MIB / library['slowest_seconds']:.1f}" if moved else "-"
        assert rows[library["name"]][-1] == rate and rows[library["name"]][1] == str(library["records"])


@pytest.mark.parametrize("verb", ["summary", "insights"])
def test_bad_input(tmp_path, verb):
    noise = tmp_path / "noise.darshan"
    noise.write_bytes(b"no log at all" * 100)
    done = trikal(verb, noise)
    assert done.returncode == 4 and done.stdout == "" and str(noise) in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert trikal(verb, tmp_path / "missing.darshan").returncode == 3
