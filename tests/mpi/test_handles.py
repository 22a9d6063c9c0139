"""Handles that do not last: closed by another thread during a call, or none at all."""

import subprocess

from conftest import HERE, TRIKAL, Log

PROGRAMS = HERE / "programs"


def test_closed_by_another_thread_and_used_again(tmp_path):
    library, program, log = tmp_path / "libmpi_abi.so", tmp_path / "program", tmp_path / "job.darshan"
    subprocess.run(["cc", "-shared", "-fPIC", "-DSTANDARD", "-o", library, PROGRAMS / "fake_mpi.c"], check=True)
    subprocess.run(["cc", "-O1", "-pthread", "-o", program, PROGRAMS / "closed_meanwhile.c", library, f"-Wl,-rpath,{tmp_path}"],
                   check=True)
    subprocess.run([TRIKAL, "run", "--log", log, "--", program, tmp_path], check=True, timeout=60, capture_output=True)
    written = {row["name"].rsplit("/", 1)[1]: int(row["MPIIO_BYTES_WRITTEN"]) for row in Log(log).rows("mpiio")}
    assert written == {"first": 10, "second": 5}


def test_what_is_no_type_is_an_error_as_bare(mpi, tmp_path):
    log, _ = mpi.observe(tmp_path, [*mpi.launch(1), mpi.compile("no_type.c"), str(tmp_path)])
    record = log.record("mpiio", "/no_type")
    assert (int(record["MPIIO_BYTES_WRITTEN"]), int(record["MPIIO_INDEP_WRITES"])) == (10, 1)
