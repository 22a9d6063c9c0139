"""Invoked under Darshan's names the program takes those programs' options and ends as they do."""

import re
import subprocess

import pytest

from log_files import ALL, by_name, each, reads_logs
from tool import BIN, output, run

INCOMPLETE = {log.stem for log in ALL if "incomplete" in log.stem or "partial" in log.stem}
WHOLE = [log for log in ALL if log.stem not in INCOMPLETE]
TRACED = [log for log in WHOLE if "dxt" in log.stem or log.stem in ("job-3.5.0-le", "job-3.1.7-be")][:4]


@each(WHOLE[:3] + WHOLE[-3:])
@pytest.mark.parametrize("options", [[], ["--base"], ["--total"], ["--perf", "--file"], ["--all"]], ids=" ".join)
def test_darshan_parser_prints_what_parse_prints(log, options):
    assert run(*options, log, program="darshan-parser").stdout == run("parse", *options, log).stdout


@each(TRACED)
def test_darshan_dxt_parser_prints_what_dxt_prints(log):
    assert output(log, program="darshan-dxt-parser") == output("dxt", log)


@reads_logs
@pytest.mark.parametrize("program, name, data", [
    ("darshan-parser", "job-incomplete-3.1.7", b"\nPOSIX\t"),
    ("darshan-dxt-parser", "job-incomplete-3.5.0", b"\n X_POSIX "),
    *[("darshan-dxt-parser", name, b"\n X_POSIX ") for name in sorted(INCOMPLETE) if "partial" in name]])
def test_incomplete_data(program, name, data):
    """Refused with 255 unless --show-incomplete (or, for the parser, --all) is given."""
    log = by_name(name)
    refused = run(log, program=program)
    assert refused.returncode == 255 and b"incomplete" in refused.stderr and str(log).encode() in refused.stderr
    shown = run("--show-incomplete", log, program=program)
    assert shown.returncode == 0 and data in shown.stdout and data not in refused.stdout
    if program == "darshan-parser":
        assert run("--all", log, program=program).returncode == 0


@pytest.mark.parametrize("program", ["darshan-parser", "darshan-dxt-parser"])
def test_errors_end_with_255(corpus_dir, program):
    log = corpus_dir / "edge-nothing-but-the-job.darshan"
    for words in ([], ["--no-such-option", log], [log, log], [corpus_dir / "missing.darshan"],
                  [corpus_dir / "bad" / "truncated-header-8.darshan"]):
        done = run(*words, program=program)
        assert done.returncode == 255 and done.stderr, words


@pytest.mark.parametrize("program", ["darshan-parser", "darshan-dxt-parser"])
def test_help_and_version(program):
    assert f"Usage: {program} ".encode() in run("--help", program=program).stdout
    assert run("--version", program=program).stdout.startswith(program.encode() + b" of trikal ")


def test_options_can_be_abbreviated(corpus_dir):
    log = corpus_dir / "release-3.5.0.darshan"
    assert output("--tot", log, program="darshan-parser") == output("--total", log, program="darshan-parser")


def test_threads_in_the_help_of_the_dxt_parser():
    assert b"--threads" in run("--help", program="darshan-dxt-parser").stdout


@each(TRACED)
def test_dxt_parser_shows_threads(log):
    assert output("--threads", log, program="darshan-dxt-parser") == output("dxt", "--threads", log)


@pytest.mark.parametrize("program", ["darshan-analyzer", "darshan-job-summary", "darshan-summary-per-file"])
def test_names_of_the_other_tools(program, tmp_path):
    assert f"Usage: {program} ".encode() in run("--help", program=program).stdout
    assert run("--version", program=program).stdout.startswith(program.encode() + b" of trikal ")
    assert run(program=program).returncode == 255
    words = [tmp_path / "missing", tmp_path / "out"][:2 if program.endswith("file") else 1]
    done = run(*words, program=program)
    assert done.returncode == 255 and b"missing" in done.stderr


def test_job_summary_writes_a_page(corpus_dir, tmp_path):
    log = corpus_dir / "release-3.5.0.darshan"
    page = tmp_path / "page.html"
    assert run("--output", page, log, program="darshan-job-summary").returncode == 0
    assert page.read_bytes().startswith(b"<!doctype html>") and b"trikal-report" in page.read_bytes()
    (tmp_path / "here").mkdir()
    done = subprocess.run([str(BIN / "darshan-job-summary"), log], cwd=tmp_path / "here", check=False)
    assert done.returncode == 0 and (tmp_path / "here" / "release-3.5.0.html").stat().st_size > 1000


def test_summary_per_file_writes_a_page_for_each(corpus_dir, tmp_path):
    log = corpus_dir / "release-3.5.0.darshan"
    assert run(log, tmp_path / "pages", program="darshan-summary-per-file").returncode == 0
    pages = sorted((tmp_path / "pages").iterdir())
    assert len(pages) > 1 and {page.suffix for page in pages} == {".html"}
    assert all(b"trikal-report" in page.read_bytes() for page in pages)


def test_analyzer_counts_the_logs_of_a_directory(corpus_dir, tmp_path):
    (tmp_path / "2026" / "11").mkdir(parents=True)
    for name in ("a", "b"):
        (tmp_path / "2026" / "11" / f"{name}.darshan").write_bytes((corpus_dir / "release-3.5.0.darshan").read_bytes())
    (tmp_path / "no.log").write_bytes(b"something else")
    done = run(tmp_path, program="darshan-analyzer")
    text = done.stdout.decode()
    assert done.returncode == 0 and b"no.log" in done.stderr
    assert f"log dir: {tmp_path}\n" in text and "total logs: 2\n" in text
    assert re.search(r"MPI-IO: [01]\.000 \[[02]\]\n", text) and re.search(r"shared: [01]\.000 \[[02]\]\n", text)
    assert sum(int(n) for n in re.findall(r" %: .* \[(\d+)\]", text)) == 2
