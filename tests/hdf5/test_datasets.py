"""What files and datasets of HDF5 have in the log: of programs that know what they did."""

import subprocess

from conftest import RUNTIME, Log, observe, some

MOVED = "OPENS READS WRITES BYTES_READ BYTES_WRITTEN DATATYPE_SIZE".split()


def test_every_way_to_a_dataset(hdf5, tmp_path):
    log, done = observe(tmp_path, hdf5.compile("datasets.c"), tmp_path)
    assert done.stdout == "" and "HDF5" not in done.stderr
    file = log.counters("h5f", "/sets.h5")
    assert file["name"] == str(tmp_path / "sets.h5")
    assert some(file, "OPENS", "FLUSHES", "USE_MPIIO") == {"OPENS": 1, "FLUSHES": 1, "USE_MPIIO": 0}
    names = sorted(row["name"].removeprefix(str(tmp_path)) for row in log.rows("h5d") if int(row["rank"]) == 0)
    assert names == ["/sets.h5:/a/old", "/sets.h5:/grown", "/sets.h5:/late", "/sets.h5:/seven"]

    grown = log.counters("h5d", ":/grown")
    assert some(grown, "WRITES", "BYTES_WRITTEN", "CHUNK_SIZE_D1") == {
        "WRITES": 2, "BYTES_WRITTEN": 8 * (10 + 1000), "CHUNK_SIZE_D1": 100}
    assert grown["file_rec_id"] == file["record_id"]

    old = log.counters("h5d", ":/a/old")
    assert some(old, *MOVED, "USE_DEPRECATED") == {
        "OPENS": 4, "READS": 1, "WRITES": 1, "BYTES_READ": 32, "BYTES_WRITTEN": 32, "DATATYPE_SIZE": 2,
        "USE_DEPRECATED": 0}  # the last open was no old one
    assert float(old["F_CLOSE_END_TIMESTAMP"]) >= float(old["F_OPEN_START_TIMESTAMP"]) > 0

    late = log.counters("h5d", ":/late")
    assert some(late, *MOVED) == {"OPENS": 1, "READS": 0, "WRITES": 1, "BYTES_READ": 0, "BYTES_WRITTEN": 64,
                                  "DATATYPE_SIZE": 4}
    child = [row for row in log.rows("h5d") if row["name"].endswith(":/late") and int(row["rank"]) != 0]
    assert [int(row["H5D_READS"]) for row in child] == [1]


def test_more_dimensions_than_a_record_has(hdf5, tmp_path):
    log, _ = observe(tmp_path, hdf5.compile("datasets.c"), tmp_path)
    seven = log.counters("h5d", ":/seven")
    assert some(seven, "DATASPACE_NDIMS", "DATASPACE_NPOINTS", "REGULAR_HYPERSLAB_SELECTS", "BYTES_WRITTEN") == {
        "DATASPACE_NDIMS": 7, "DATASPACE_NPOINTS": 2880, "REGULAR_HYPERSLAB_SELECTS": 1, "BYTES_WRITTEN": 96}
    assert [int(seven[f"CHUNK_SIZE_D{i}"]) for i in range(1, 6)] == [5, 4, 3, 2, 4]
    assert [int(seven[f"ACCESS1_LENGTH_D{i}"]) for i in range(1, 6)] == [2, 2, 3, 2, 1]
    assert [int(seven[f"ACCESS1_STRIDE_D{i}"]) for i in range(1, 6)] == [2, 2, 1, 1, 1]


def test_preloaded_without_trikal_run(serial, tmp_path):
    (tmp_path / "logs").mkdir()
    done = subprocess.run([serial.compile("datasets.c"), str(tmp_path)], capture_output=True, text=True, timeout=60,
                          env={"LD_PRELOAD": RUNTIME, "TRIKAL_LOGPATH": str(tmp_path / "logs"), "PATH": "/usr/bin:/bin"})
    assert done.returncode == 0 and done.stderr == "", done.stderr
    logs = [Log(path) for path in (tmp_path / "logs").glob("**/*.darshan")]
    assert len(logs) == 2  # the child's is the other
    [own] = [log for log in logs if len(log.rows("h5d")) == 4]
    assert some(own.counters("h5d", ":/a/old"), "OPENS", "READS") == {"OPENS": 4, "READS": 1}


def test_modules_that_are_switched_off(serial, tmp_path):
    log, _ = observe(tmp_path, serial.compile("datasets.c"), tmp_path, environment={"DARSHAN_MOD_DISABLE": "H5D"})
    assert log.rows("h5d") == [] and len(log.rows("h5f")) >= 1


def test_names_with_colons_and_links_to_other_files(hdf5, tmp_path):
    """HDF5 without MPI knows no drivers of file systems: what stands before a colon is part of the name."""
    log, _ = observe(tmp_path, hdf5.compile("names.c"), tmp_path)
    names = {table: sorted(row["name"].removeprefix(f"{tmp_path}/") for row in log.rows(table)) for table in ("h5f", "h5d")}
    assert names["h5f"] == ["ext.h5", "main.h5", "run:1.h5", "ufs:2.h5"]
    assert names["h5d"] == ["ext.h5:/one", "run:1.h5:/one", "ufs:2.h5:/two"]
    linked = log.counters("h5d", "ext.h5:/one")
    assert some(linked, "OPENS", "READS", "WRITES") == {"OPENS": 2, "READS": 1, "WRITES": 1}
    assert linked["file_rec_id"] == log.counters("h5f", "/ext.h5")["record_id"]
    assert {row["name"] for row in log.rows("posix")} >= {f"{tmp_path}/{name}" for name in names["h5f"]}


def test_dataset_that_another_thread_closes(serial, tmp_path):
    """Debian's serial library is safe for threads, those for MPI are not."""
    log, done = observe(tmp_path, serial.compile("closed_meanwhile.c", "-pthread"), tmp_path / "many.h5")
    assert "HDF5-DIAG" not in done.stderr
    rows = log.rows("h5d")
    assert len(rows) == 20 and {int(row["H5D_BYTES_WRITTEN"]) for row in rows} == {4 * (4 << 20)}
