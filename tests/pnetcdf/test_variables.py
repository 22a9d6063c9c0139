"""What files and variables of Parallel netCDF have in the log: of programs that know what they did."""

import importlib.util
import subprocess

import pytest

from conftest import LAUNCH, RUNTIME, Log, observe

ROUND = 2 * (96 + 4 + 3 * 24 + 28)  # bytes of tests/pnetcdf/programs/routines.c: of a type, and of any type
FORMS = ("VAR", "VAR1", "VARA", "VARS", "VARM", "VARN")


@pytest.mark.parametrize("ranks", [1, 2])
def test_every_routine(programs, tmp_path, ranks):
    log = observe(tmp_path, ranks, programs.compile("routines.c"), tmp_path)
    file, variable = log.counters("pnetcdf_file", "/all.nc"), log.counters("pnetcdf_var", "/all.nc:v")
    assert file["name"] == f"{tmp_path}/all.nc" and variable["file_rec_id"] == file["record_id"]
    calls = {name: file[name] for name in ("CREATES", "OPENS", "REDEFS", "INDEP_WAITS", "COLL_WAITS", "SYNCS", "WAIT_FAILURES")}
    assert calls == {"CREATES": ranks, "OPENS": 0, "REDEFS": ranks, "INDEP_WAITS": ranks, "COLL_WAITS": 2 * ranks,
                     "SYNCS": ranks, "WAIT_FAILURES": 0}
    # Less than was asked for: where requests that wait overlap, the library writes once.
    assert file["BYTES_WRITTEN"] > 0 and file["BYTES_READ"] > 0

    expected = {f"{way}_{form}": calls * ranks for form in FORMS for way, calls in
                {"PUT": 4, "GET": 4, "IPUT": 2, "IGET": 2, "BPUT": 2}.items()}
    expected |= {"PUT_VARD": 2 * ranks, "GET_VARD": 2 * ranks, "OPENS": ranks, "NDIMS": 2, "NPOINTS": 24, "DATATYPE_SIZE": 4,
                 "IS_RECORD_VAR": 0, "COLL_WRITES": 13 * ranks, "INDEP_WRITES": 13 * ranks, "NB_WRITES": 24 * ranks,
                 "COLL_READS": 13 * ranks, "INDEP_READS": 13 * ranks, "NB_READS": 12 * ranks,
                 "BYTES_WRITTEN": ranks * (4 * ROUND + 2 * 96), "BYTES_READ": ranks * (3 * ROUND + 2 * 96)}
    assert {name: variable[name] for name in expected} == expected
    # Whole variables: put, get, iput, iget, bput, and the MPI type of as many bytes.
    commonest = {variable[f"ACCESS{i}_ACCESS"]: variable[f"ACCESS{i}_COUNT"] for i in range(1, 5)}
    assert commonest[96] == ranks * (2 * 7 + 4)


@pytest.mark.parametrize("name, value", [("LENGTH_D1", 2), ("LENGTH_D2", 3), ("LENGTH_D3", 0), ("STRIDE_D1", 2), ("STRIDE_D2", 2)])
def test_shape_of_the_commonest_access_with_strides(programs, tmp_path, name, value):
    log = observe(tmp_path, 1, programs.compile("routines.c"), tmp_path)
    variable = log.counters("pnetcdf_var", "/all.nc:v")
    strided = [i for i in range(1, 5) if variable[f"ACCESS{i}_STRIDE_D1"] != 0]
    assert len(strided) == 1 and variable[f"ACCESS{strided[0]}_{name}"] == value
    assert variable[f"ACCESS{strided[0]}_COUNT"] == 2 * 2 * 7  # vars and varm


def test_numbers_that_come_again(programs, tmp_path):
    log = observe(tmp_path, 1, programs.compile("numbers.c"), tmp_path)
    assert {row["name"].removeprefix(f"{tmp_path}/") for row in log.rows("pnetcdf_file")} == {"first.nc", "second.nc"}
    first, second = log.counters("pnetcdf_var", "/first.nc:a"), log.counters("pnetcdf_var", "/second.nc:b")
    names = ("OPENS", "COLL_WRITES", "COLL_READS", "BYTES_WRITTEN", "BYTES_READ", "NPOINTS", "IS_RECORD_VAR", "DATATYPE_SIZE")
    assert {name: first[name] for name in names} == dict(zip(names, (1, 1, 1, 80, 240, 10, 1, 8)))
    assert {name: second[name] for name in names} == dict(zip(names, (1, 2, 1, 160, 80, 10, 1, 8)))
    file = log.counters("pnetcdf_file", "/second.nc")
    assert (file["CREATES"], file["OPENS"]) == (1, 1)


def test_fortran(programs, tmp_path):
    log = observe(tmp_path, 2, programs.compile("fortran.f90"), tmp_path)
    variable = log.counters("pnetcdf_var", "/f.nc:v")
    names = ("OPENS", "COLL_WRITES", "COLL_READS", "PUT_VARA", "GET_VARA", "BYTES_WRITTEN", "BYTES_READ")
    assert {name: variable[name] for name in names} == dict(zip(names, (2, 2, 2, 2, 2, 64, 64)))
    assert log.counters("pnetcdf_file", "/f.nc")["CREATES"] == 2


def test_modules_that_are_switched_off(programs, tmp_path):
    log = observe(tmp_path, 1, programs.compile("routines.c"), tmp_path, environment={"DARSHAN_MOD_DISABLE": "PNETCDF_VAR"})
    assert log.rows("pnetcdf_var") == [] and len(log.rows("pnetcdf_file")) == 1


def test_preloaded_without_trikal_run(programs, tmp_path):
    log = tmp_path / "own.darshan"
    done = subprocess.run([*LAUNCH, "2", "-x", f"LD_PRELOAD={RUNTIME}", "-x", f"TRIKAL_LOGFILE={log}", programs.compile("routines.c"),
                           str(tmp_path)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert Log(log).counters("pnetcdf_var", "/all.nc:v")["COLL_WRITES"] == 26


def test_pydarshan_reads_it(programs, tmp_path):
    if importlib.util.find_spec("darshan") is None:
        pytest.skip("PyDarshan is not installed: tests/requirements.txt names it")
    import darshan
    log = observe(tmp_path, 2, programs.compile("routines.c"), tmp_path)
    report = darshan.DarshanReport(str(log.path), read_all=True)
    files, variables = (report.records[module].to_df()["counters"] for module in ("PNETCDF_FILE", "PNETCDF_VAR"))
    assert list(files["PNETCDF_FILE_CREATES"]) == [2] and list(files["rank"]) == [-1]
    assert list(variables["PNETCDF_VAR_NB_WRITES"]) == [48]
    assert report.name_records[variables["id"][0]] == f"{tmp_path}/all.nc:v"
