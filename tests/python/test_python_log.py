"""Jobs, modules, tables, heatmaps and findings, and what happens to bad input."""

import gc
import re
import subprocess
import sys

import pytest

import package_tree
import trikal
from log_files import ALL, reads_logs

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed (scripts/install-deps)")


@pytest.fixture
def log(observed):
    return trikal.open(observed[-1])


def test_job(log, observed):
    assert log.path == str(observed[-1]) and log.job.exe == "./checkpoint 4 data"
    assert log.job.nprocs == 17 and 0 < log.job.run_time < 60  # the program and four workers a step
    assert (log.job.end - log.job.start).total_seconds() == pytest.approx(log.job.run_time, abs=1e-3)
    assert log.job.file_bytes == observed[-1].stat().st_size and not log.job.foreign
    assert log.metadata["lib_ver"].startswith("trikal-")
    assert all(path.startswith("/") and kind for path, kind in log.mounts) and log.mounts


def test_modules(log):
    assert list(log.modules) == ["POSIX", "STDIO", "HEATMAP"]
    posix = log.modules["POSIX"]
    assert (posix.id, posix.readable, posix.partial) == (1, True, False) and posix.compressed_bytes > 0
    assert posix.counters["POSIX_BYTES_READ"].unit == "bytes" and posix.counters["POSIX_BYTES_READ"].help
    assert posix.counters["POSIX_F_READ_TIME"].kind == "float64"


def test_names(log):
    files = {name.rsplit("/", 1)[-1] for name in log.names.values()}
    assert {"mesh.dat", "checkpoint.dat", "run.log"} <= files


def test_tables_by_either_name(everything):
    log = trikal.open(everything)
    for name in ("MPI-IO", "mpi-io", "mpiio"):
        assert log.table(name).name == "mpiio"
    assert log["LUSTRE"].name == "lustre" and log["lustre_stripes"].module == "LUSTRE"
    assert log.dxt("MPI-IO").name == "dxt_mpiio_segments"
    assert "name" not in log.table("posix", names=False).arrow().column_names
    with pytest.raises(trikal.NotInLog, match="no table 'nonsense'; there are job, "):
        log.table("nonsense")
    with pytest.raises(KeyError):
        log[""]


def test_every_table_is_the_same_in_every_form(everything):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    log = trikal.open(everything)
    assert len(log.tables) > 20
    for name in log.tables:
        arrow, frame, other = log.df(name, "arrow"), log.df(name), log.df(name, "polars")
        assert isinstance(frame, pandas.DataFrame) and isinstance(other, polars.DataFrame)
        assert list(frame.columns) == other.columns == arrow.column_names
        assert other.rows() == list(zip(*arrow.to_pydict().values())) or _has_nan(arrow)
        assert frame.shape == other.shape == (arrow.num_rows, arrow.num_columns)
        assert pyarrow.Table.from_pandas(frame, schema=arrow.schema, preserve_index=False).cast(arrow.schema).num_rows \
            == arrow.num_rows


def _has_nan(table):
    return any(value != value for column in table.to_pydict().values() for value in column)


@reads_logs
def test_totals_are_those_of_parse(observed):
    compared = 0
    for path in [*observed, *ALL]:
        printed, log = package_tree.totals(path), trikal.open(path)
        for module, counter in (("POSIX", "POSIX_BYTES_WRITTEN"), ("POSIX", "POSIX_READS"), ("STDIO", "STDIO_WRITES"),
                                ("MPI-IO", "MPIIO_BYTES_READ"), ("POSIX", "POSIX_OPENS")):
            if counter in printed and module in log.modules:
                compared += 1
                assert sum(log[module].arrow()[counter].to_pylist()) == int(printed[counter]), (path, counter)
    assert compared >= 50


def test_trace(everything):
    trace = trikal.open(everything).dxt().arrow()
    assert {"rank", "direction", "offset", "length", "start_time", "end_time", "name"} <= set(trace.column_names)
    assert trace.num_rows > 0 and set(trace["direction"].to_pylist()) <= {"read", "write"}


def test_heatmaps(log):
    heat = log.heatmap("posix")
    assert heat.read.shape == heat.write.shape == (len(heat.ranks), len(heat.edges) - 1)
    assert heat.write.sum() == log["POSIX"]["POSIX_BYTES_WRITTEN"].sum() == 4 * 4 * 2000 * 64
    assert heat.read.sum() == log["POSIX"]["POSIX_BYTES_READ"].sum()
    assert heat.df().to_numpy().sum() == heat.total.sum() and list(heat.df().index) == list(heat.ranks)
    with pytest.raises(trikal.NotInLog, match="no heatmap of 'DAOS'"):
        log.heatmap("DAOS")


def test_findings_and_summary(log):
    assert {"small-writes", "small-reads"} <= {finding.code for finding in log.findings}
    seconds = [finding.seconds for finding in log.findings]
    assert seconds == sorted(seconds, reverse=True) and seconds[0] > 0
    small = next(finding for finding in log.findings if finding.code == "small-writes")
    assert small.files[0].name.endswith("checkpoint.dat") and small.fix and small.why and small.formula
    assert list(log.findings.pandas()["code"]) == [finding.code for finding in log.findings]
    assert log.findings.polars()["seconds"].to_list() == seconds
    assert log.summary["io"]["bytes_written"] == sum(
        log[module][f"{module}_BYTES_WRITTEN"].sum() for module in ("POSIX", "STDIO"))


def test_a_log_may_be_closed_while_its_data_are_used(observed):
    with trikal.open(observed[0]) as log:
        table, reader = log["POSIX"].arrow(), log["POSIX"].batches(rows=1)
        expected = table.to_pydict()
    gc.collect()
    assert table.to_pydict() == expected and reader.read_all().to_pydict() == expected
    with pytest.raises(ValueError, match="closed"):
        log.table("POSIX").arrow()
    log.close()  # twice is fine


# ---- bad input ----

def test_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError) as error:
        trikal.open(tmp_path / "none.darshan")
    assert error.value.filename == str(tmp_path / "none.darshan")


def test_not_a_log(tmp_path):
    path = tmp_path / "noise.darshan"
    path.write_bytes(b"no log at all" * 100)
    with pytest.raises(trikal.LogError) as error:
        trikal.open(path)
    assert error.value.kind == "not-a-log" and error.value.path == str(path) and error.value.offset is not None
    assert str(error.value).startswith(f"{path}: offset {error.value.offset}: ") and "\n" not in str(error.value)


@pytest.fixture
def cut(everything, tmp_path):
    """A log that ends in the middle of its last region."""
    path = tmp_path / "cut.darshan"
    whole = everything.read_bytes()
    path.write_bytes(whole[:len(whole) - 40])
    return path


def read_all(log, kind):
    return {name: len(log.df(name, kind)) for name in log.tables if name != "damage"}


@pytest.mark.parametrize("kind", ["arrow", "pandas", "polars"])
def test_truncated_log(cut, everything, kind):
    with pytest.raises(trikal.LogError) as error:
        read_all(trikal.open(cut), kind)
    assert error.value.path == str(cut) and 0 < error.value.offset <= cut.stat().st_size
    assert "\n" not in str(error.value)
    log = trikal.open(cut, salvage=True)
    saved, whole = read_all(log, kind), read_all(trikal.open(everything), kind)
    assert saved.items() <= {**whole, **saved}.items() and sum(saved.values()) < sum(whole.values())
    assert saved["posix"] == whole["posix"] > 0
    assert any(item.loss and item.offset for item in log.damage)


@pytest.fixture(scope="module")
def bad(tmp_path_factory):
    import corpus
    folder = tmp_path_factory.mktemp("bad")
    corpus.write_bad(folder)
    return sorted(folder.glob("*.darshan"))


def test_damage_of_every_kind_is_a_log_error(bad):
    """Whatever is wrong, and whoever reads the columns: LogError or everything, and with salvage whatever is left."""
    refused = 0
    for path in bad:
        for kind in ("arrow", "polars"):
            try:
                read_all(trikal.open(path), kind)
            except trikal.LogError as error:
                refused += 1
                assert error.path == str(path) and error.offset is not None and "\n" not in str(error), error
        try:
            saved = trikal.open(path, salvage=True)
        except trikal.LogError:
            continue
        read_all(saved, "polars")
        saved._repr_html_()
    assert len(bad) > 10 and refused > len(bad)


def test_findings_with_salvage(bad):
    answered = 0
    for path in bad:
        try:
            log = trikal.open(path, salvage=True)
        except trikal.LogError:
            continue
        answered += isinstance(log.findings, trikal.Findings) and log.summary["schema"] == "trikal-summary 1"
    assert answered > 3


def test_a_relative_path_stays_what_it_was(observed, monkeypatch, tmp_path):
    monkeypatch.chdir(observed[0].parent)
    log = trikal.open(observed[0].name)
    monkeypatch.chdir(tmp_path)
    assert log.path == observed[0].name and log.findings and log["POSIX"].arrow().num_rows
    with pytest.raises(ValueError, match="null"):
        trikal.open("a\0b")


def test_findings_of_a_truncated_log(observed, tmp_path):
    path = tmp_path / "short.darshan"
    path.write_bytes(observed[0].read_bytes()[:1000])
    with pytest.raises(trikal.LogError) as error:
        log = trikal.open(path)
        log.findings
    assert error.value.path == str(path)


def run_python(code, **env):
    import os
    return subprocess.run([sys.executable, "-c", f"import trikal\n{code}"], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(package_tree.ROOT / "python"), **env})


def test_missing_library(observed, tmp_path):
    with_name = run_python(f"trikal.open({str(observed[0])!r})", TRIKAL_LIB=str(tmp_path))
    assert with_name.stderr.splitlines()[-1] == \
        f"trikal.errors.LibraryError: TRIKAL_LIB is {tmp_path}, where there is no libtrikal-log.so"
    wrong = run_python(f"trikal.open({str(observed[0])!r})", TRIKAL_LIB=str(package_tree.TRIKAL))
    assert wrong.returncode == 1 and "LibraryError: " in wrong.stderr.splitlines()[-1]


def test_missing_program(observed, tmp_path):
    named = run_python(f"trikal.open({str(observed[0])!r}).findings", TRIKAL_BIN=str(tmp_path / "none"))
    assert named.stderr.splitlines()[-1] == f"trikal.errors.ToolError: TRIKAL_BIN is {tmp_path / 'none'}, which is no program"
    (tmp_path / "libtrikal-log.so").symlink_to((package_tree.BUILD / "lib" / "libtrikal-log.so").resolve())
    nowhere = run_python(f"trikal.open({str(observed[0])!r}).findings", TRIKAL_LIB=str(tmp_path), TRIKAL_BIN="", PATH="")
    last = nowhere.stderr.splitlines()[-1]
    assert re.match(r"trikal.errors.ToolError: cannot find the program trikal; looked for .*/bin/trikal, .* and in PATH", last)


def test_missing_package(observed):
    code = f"import sys; sys.modules['pandas'] = None\nlog = trikal.open({str(observed[0])!r}); log.findings; log.df('POSIX')"
    done = run_python(code)
    assert re.match(r"trikal.errors.PackageMissing: a DataFrame of pandas needs pandas, .*: pip install pandas$",
                    done.stderr.splitlines()[-1])


@pytest.mark.parametrize("answer, expected", [
    ("exit 1", "ended with status 1: no reason given"), ("echo nonsense", "did not print JSON"),
    ("echo '{\"schema\": \"trikal-insights 9\"}'", "prints 'trikal-insights 9', this package reads 'trikal-insights 1'")])
def test_a_program_that_answers_otherwise(observed, tmp_path, monkeypatch, answer, expected):
    program = tmp_path / "other"
    program.write_text(f"#!/bin/sh\n{answer}\n")
    program.chmod(0o755)
    monkeypatch.setenv("TRIKAL_BIN", str(program))
    with pytest.raises(trikal.ToolError, match=re.escape(expected)):
        trikal.open(observed[0]).findings


def test_wrong_arguments(log):
    with pytest.raises(ValueError, match="'excel' is not one of pandas, polars, arrow"):
        log.df("POSIX", "excel")
    with pytest.raises(ValueError, match="0 rows are no batch"):
        log["POSIX"].batches(rows=0)
    with pytest.raises(TypeError):
        trikal.open(42)
