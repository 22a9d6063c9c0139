"""Invoked under Darshan's names the program takes those programs' options and ends as they do."""

import pytest

import tool
from tool import REAL, each, output, run

PARTIAL = "partial_data_dxt--partial_data_dxt"


@each(REAL[:3] + REAL[-3:])
@pytest.mark.parametrize("options", [[], ["--base"], ["--total"], ["--perf", "--file"], ["--all"]], ids=" ".join)
def test_darshan_parser_prints_what_parse_prints(log, options):
    assert run(*options, log, program="darshan-parser").stdout == run("parse", *options, log).stdout


@each([log for log in REAL if "dxt" in log.stem and log.stem != PARTIAL][:3])
def test_darshan_dxt_parser_prints_what_dxt_prints(log):
    assert output(log, program="darshan-dxt-parser") == output("dxt", log)


@tool.needs_shared
@pytest.mark.parametrize("program, data", [("darshan-parser", b"\nPOSIX\t"), ("darshan-dxt-parser", b"\n X_POSIX ")])
def test_incomplete_data(corpus_dir, program, data):
    """Refused with 255 unless --show-incomplete (or, for the parser, --all) is given."""
    name = "edge-partial-flags" if program == "darshan-parser" else None
    log = corpus_dir / f"{name}.darshan" if name else tool.SHARED / "logs" / f"{PARTIAL}.darshan"
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
