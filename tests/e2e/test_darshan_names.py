"""Invoked under Darshan's names the program takes those programs' options and ends as they do."""

import pytest

from log_files import ALL, by_name, each, reads_logs
from tool import output, run

INCOMPLETE = {log.stem for log in ALL if "incomplete" in log.stem or "partial" in log.stem}
WHOLE = [log for log in ALL if log.stem not in INCOMPLETE]


@each(WHOLE[:3] + WHOLE[-3:])
@pytest.mark.parametrize("options", [[], ["--base"], ["--total"], ["--perf", "--file"], ["--all"]], ids=" ".join)
def test_darshan_parser_prints_what_parse_prints(log, options):
    assert run(*options, log, program="darshan-parser").stdout == run("parse", *options, log).stdout


@each([log for log in WHOLE if "dxt" in log.stem or log.stem in ("job-3.5.0-le", "job-3.1.7-be")][:4])
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
