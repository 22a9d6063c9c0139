"""HDF5 over MPI-IO, with both MPI libraries: what ranks share is one record, and PyDarshan reads it."""

import importlib.util

import pytest

from conftest import ROOT, observe, some

STEPS, BYTES = 400, 512  # of hdf5-independent in examples/hdf5_antipatterns.c, by each rank


@pytest.mark.parametrize("how, at_once", [("bad", 1), ("good", 16)])
def test_ranks_share_a_record(parallel, tmp_path, how, at_once):
    program = parallel.compile(ROOT / "examples" / "hdf5_antipatterns.c")
    log, _ = observe(tmp_path, *parallel.launch(2), program, "hdf5-independent", how, tmp_path)
    assert some(log.counters("h5f", "/records.h5", -1), "OPENS", "USE_MPIIO") == {"OPENS": 2, "USE_MPIIO": 1}
    data = log.counters("h5d", "/records.h5:/records", -1)
    calls = 2 * STEPS // at_once
    assert some(data, "OPENS", "WRITES", "BYTES_WRITTEN", "REGULAR_HYPERSLAB_SELECTS", "USE_MPIIO_COLLECTIVE") == {
        "OPENS": 2, "WRITES": calls, "BYTES_WRITTEN": 2 * STEPS * BYTES, "REGULAR_HYPERSLAB_SELECTS": calls,
        "USE_MPIIO_COLLECTIVE": 1 if how == "good" else 0}
    assert some(data, "ACCESS1_ACCESS", "ACCESS1_COUNT", "ACCESS1_LENGTH_D4", "ACCESS1_LENGTH_D5") == {
        "ACCESS1_ACCESS": at_once * BYTES, "ACCESS1_COUNT": calls, "ACCESS1_LENGTH_D4": 64, "ACCESS1_LENGTH_D5": at_once}
    assert log.rows("mpiio")


def test_pydarshan_reads_it(parallel, tmp_path):
    if importlib.util.find_spec("darshan") is None:
        pytest.skip("PyDarshan is not installed: tests/requirements.txt names it")
    import darshan
    program = parallel.compile(ROOT / "examples" / "hdf5_antipatterns.c")
    log, _ = observe(tmp_path, *parallel.launch(2), program, "hdf5-independent", "bad", tmp_path)
    report = darshan.DarshanReport(str(log.path), read_all=True)
    files, data = (report.records[module].to_df()["counters"] for module in ("H5F", "H5D"))
    assert list(files["H5F_OPENS"]) == [2] and list(files["rank"]) == [-1]
    assert list(data["H5D_WRITES"]) == [2 * STEPS] and list(data["H5D_BYTES_WRITTEN"]) == [2 * STEPS * BYTES]
    assert report.name_records[data["id"][0]] == f"{tmp_path}/records.h5:/records"
