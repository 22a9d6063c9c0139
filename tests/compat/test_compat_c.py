"""A C program built against the installed header and library finds in logs what is in them."""

import re
import subprocess

import pytest

import conftest
import corpus as corpus_maker
import decoder
from log_files import ALL, each, expected, wrong_in_the_original

NAMES = corpus_maker.names()
POSIX_VERSION = {name: log.modules[1].version for name, log, _ in corpus_maker.good_logs() if 1 in log.modules}
TOO_LARGE = "edge-heatmap-larger-than-the-originals-buffer"  # of a caller, for a record
PLAIN_MODULES = {b"POSIX", b"MPI-IO", b"H5F", b"H5D", b"PNETCDF_FILE", b"PNETCDF_VAR", b"BG/Q", b"STDIO", b"MDHIM",
                 b"DFS", b"DAOS"}


def rows(text):
    return [line.split(b"\t") for line in text.splitlines()]


def base_rows(corpus, name):
    """Every counter of a log, with the two values that this interface loses of version 3 (decision 0012)."""
    return conftest.without_losses(rows((corpus / f"{name}.base.tsv").read_bytes()), POSIX_VERSION.get(name))


def in_struct(row):
    """A counter's line as a C program sees it: some counters are ids, which the text form shows as unsigned."""
    value = row[4]
    if value.isdigit() and int(value) >= 1 << 63:
        value = b"%d" % (int(value) - (1 << 64))
    return [*row[:4], value]


def is_counter(row):
    """Whether a line of the text form is of a slot of the record's table of counters."""
    module, counter = row[0], row[3]
    prefix = {b"MPI-IO": b"MPIIO", b"BG/Q": b"BGQ"}.get(module, module)
    extras = (b"_FILE_REC_ID", b"_POOL_UUID", b"_CONT_UUID", b"_OID_HI", b"_OID_LO")
    return (module in PLAIN_MODULES and counter.startswith(prefix + b"_") and not counter.endswith(extras)
            and not counter.startswith(b"MDHIM_SERVER_"))


@pytest.mark.parametrize("name", NAMES)
def test_structs(name, corpus, logtool):
    expected = [in_struct(row) for row in base_rows(corpus, name) if is_counter(row)]
    assert rows(logtool("counters", corpus / f"{name}.darshan")) == expected


@pytest.mark.parametrize("name", [name for name in NAMES if name != TOO_LARGE])
def test_text_of_records(name, corpus, logtool):
    assert rows(logtool("print", corpus / f"{name}.darshan")) == base_rows(corpus, name)


def test_a_record_too_large_for_the_callers_buffer_is_refused(corpus, logtool):
    logtool("print", corpus / f"{TOO_LARGE}.darshan", code=1)


@pytest.mark.parametrize("name", NAMES)
def test_segments(name, corpus, logtool):
    assert logtool("dxt", corpus / f"{name}.darshan") == (corpus / f"{name}.dxt.tsv").read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_copies(name, corpus, logtool, tmp_path):
    """Read and written again through the interface, the independent decoder finds the same."""
    logtool("copy", corpus / f"{name}.darshan", tmp_path / "copy.darshan")
    for option, kind in (("--base", "base"), ("--dxt", "dxt")):
        more = ["--mounts"] if kind == "base" else []
        done = subprocess.run([conftest.sys.executable, decoder.__file__, tmp_path / "copy.darshan", option, *more],
                              capture_output=True)
        assert done.stderr == b""
        wanted = base_rows(corpus, name) if kind == "base" else rows((corpus / f"{name}.dxt.tsv").read_bytes())
        assert rows(done.stdout) == wanted


def trikal(*arguments):
    done = subprocess.run([conftest.BUILD / "bin" / "trikal", *map(str, arguments)], capture_output=True)
    assert done.returncode in (0, 4), done.stderr  # 4: all that is there was printed, and something is missing
    return done.stdout


@pytest.mark.parametrize("name", NAMES)
def test_text_of_traces(name, corpus, logtool):
    def of_files(text):
        kinds = (b"# DXT, ", b"#\t[Component", b"# Module ", b" X_")
        return [line for line in text.splitlines() if line.startswith(kinds)]

    path = corpus / f"{name}.darshan"
    assert of_files(logtool("traces", path)) == of_files(trikal("dxt", path))


NUMBER_LINE = re.compile(rb"total_\w+: |# (total|read_only|write_only|read_write|unique|shared): "
                         rb"|# total_bytes: |# (unique|shared) files: |# agg_")


def numbers_of(text):
    """Lines with a number of the text form of totals, files and performance."""
    return [line for line in text.splitlines() if NUMBER_LINE.match(line)]


@pytest.mark.parametrize("name", [name for name in NAMES if "extreme" not in name])
def test_accumulators(name, corpus, logtool):
    path = corpus / f"{name}.darshan"
    assert logtool("total", path).splitlines() == numbers_of(trikal("parse", "--total", "--file", "--perf", path))


@pytest.mark.parametrize("name", [name for name in NAMES if "extreme" in name])
def test_accumulators_refuse_ranks_that_the_job_does_not_have(name, corpus, logtool):
    logtool("total", corpus / f"{name}.darshan", code=1)


@each(ALL, argument="path")
def test_logs(path, logtool):
    """But for what the original gets wrong, where this interface follows it (decision 0012)."""
    def right(found):
        return [row for row in found if row[3].decode() not in wrong_in_the_original(path)]
    wanted = [line.split(b"\t") for line in expected(path, "base.tsv")]
    assert right(rows(logtool("counters", path))) == right([in_struct(row) for row in wanted if is_counter(row)])
