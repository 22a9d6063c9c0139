"""Whole logs, trailer included, are no larger than what Darshan would have written of the same records, or by 500 bytes at most
where that has less than 8 KiB. bench/run-file-sizes prints the table of more workloads."""

import importlib.machinery
import importlib.util
import pathlib

import pytest

from conftest import BUILD

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
loader = importlib.machinery.SourceFileLoader("run_file_sizes", str(BENCH / "run-file-sizes"))
bench = importlib.util.module_from_spec(importlib.util.spec_from_loader("run_file_sizes", loader))
loader.exec_module(bench)


@pytest.mark.parametrize("writer", ["preload", "run"])
@pytest.mark.parametrize("sharing, count, ranks", [("shared", 1, 1), ("shared", 1, 8), ("shared", 1, 32), ("own", 1, 8),
                                                   ("own", 1, 32), ("shared", 1024, 8), ("own", 1024, 1)])
def test_a_log_is_as_small_as_darshans(mpi, writer, sharing, count, ranks):
    program = mpi.compile("../../../bench/shutdown/files.c")
    whole, regions, darshan = bench.observe(BUILD, writer, lambda data, preload: [
        *mpi.launch(ranks), *preload, program, data, sharing, count, "posix"])
    assert whole <= bench.limit(darshan), f"{regions} bytes and a trailer of {whole - regions}"


@pytest.mark.parametrize("writer", ["preload", "run"])
def test_the_log_of_a_serial_program_is_as_small(writer):
    whole, regions, darshan = bench.observe(BUILD, writer, lambda data, preload: [
        *preload, "dd", "if=/dev/zero", f"of={data / 'out'}", "bs=64K", "count=64"])
    assert whole <= bench.limit(darshan), f"{regions} bytes and a trailer of {whole - regions}"
