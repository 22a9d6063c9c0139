"""HDF5 that comes into a process in other ways than by the program's own list of libraries, or is not what we know."""

import shutil
import subprocess

import pytest

from conftest import COMPILERS, HERE, TRIKAL, needed, observe, some

PROGRAMS = HERE / "programs"
H5PY = """
import sys, numpy, h5py
with h5py.File(sys.argv[1], "w") as file:
    data = file.create_group("g").create_dataset("x", (100, 20), "f8", chunks=(10, 20))
    data[:] = numpy.ones((100, 20))
    data[3:5] = 7
    for i in range(300):
        file["g/x"][i % 100]
with h5py.File(sys.argv[1]) as file:
    assert file["g/x"][4, 2] == 7
"""


def test_h5py(tmp_path):
    python = "/usr/bin/python3"
    if subprocess.run([python, "-c", "import h5py"], capture_output=True).returncode != 0:
        pytest.skip("no python3-h5py: scripts/install-deps installs it")
    (tmp_path / "s.py").write_text(H5PY)
    log, _ = observe(tmp_path, python, tmp_path / "s.py", tmp_path / "d.h5")
    file = log.counters("h5f", "/d.h5")
    assert int(file["OPENS"]) == 2 and float(file["F_CLOSE_END_TIMESTAMP"]) > 0
    data = log.counters("h5d", "/d.h5:/g/x")
    assert some(data, "READS", "WRITES", "BYTES_WRITTEN", "BYTES_READ", "CHUNK_SIZE_D1", "CHUNK_SIZE_D2") == {
        "READS": 301, "WRITES": 2, "BYTES_WRITTEN": 8 * 20 * 102, "BYTES_READ": 8 * (300 * 20 + 1), "CHUNK_SIZE_D1": 20,
        "CHUNK_SIZE_D2": 10}
    assert float(data["F_CLOSE_END_TIMESTAMP"]) > 0


def plugin(folder, name):
    compiler = needed(COMPILERS[name])
    target = folder / f"{name}.so"
    subprocess.run([compiler, "-shlib", "-shared", "-fPIC", "-Wl,-z,lazy", PROGRAMS / "plugin.c", "-o", target],
                   check=True, cwd=folder)
    return target


def loader(folder):
    subprocess.run(["cc", PROGRAMS / "load.c", "-o", folder / "load", "-ldl"], check=True)
    return folder / "load"


def test_loaded_for_itself_alone(tmp_path):
    log, _ = observe(tmp_path, loader(tmp_path), plugin(tmp_path, "serial"), tmp_path / "a.h5")
    # The first open came before we could look; the dataset's are all behind it.
    assert int(log.counters("h5f", "/a.h5")["OPENS"]) in (1, 2)
    assert some(log.counters("h5d", "/a.h5:/x"), "OPENS", "WRITES", "BYTES_WRITTEN") == {
        "OPENS": 2, "WRITES": 2, "BYTES_WRITTEN": 80}


def test_two_libraries_side_by_side(tmp_path):
    """Neither may get the other's handles: which of them is seen matters less than that both work."""
    program, one, other = loader(tmp_path), plugin(tmp_path, "serial"), plugin(tmp_path, "mpich")
    log, _ = observe(tmp_path, program, one, tmp_path / "a.h5", other, tmp_path / "b.h5")
    for name in ("a.h5", "b.h5"):
        if tool := shutil.which("h5dump"):
            assert "H5T_STD_I32LE" in subprocess.run([tool, tmp_path / name], capture_output=True, text=True).stdout
        assert int(next(row for row in log.rows("posix") if row["name"].endswith(name))["POSIX_BYTES_WRITTEN"]) > 0
    # Under no name but its own.
    assert {row["name"] for row in log.rows("h5d")} <= {f"{tmp_path}/a.h5:/x", f"{tmp_path}/b.h5:/x"}


def test_errors_are_the_programs(hdf5, tmp_path):
    program = hdf5.compile("errors.c")
    alone = subprocess.run([program, str(tmp_path)], capture_output=True, text=True)
    assert alone.returncode == 0 and "absent" in alone.stderr
    _, seen = observe(tmp_path, program, tmp_path, options=["--quiet"])
    assert (seen.stdout, seen.stderr) == (alone.stdout, alone.stderr)


def test_older_library_is_left_alone(tmp_path):
    library, program = tmp_path / "libhdf5.so", tmp_path / "old"
    subprocess.run(["cc", "-shared", "-fPIC", "-DLIBRARY", PROGRAMS / "old.c", "-o", library], check=True)
    subprocess.run(["cc", PROGRAMS / "old.c", library, f"-Wl,-rpath,{tmp_path}", "-o", program], check=True)
    log, done = observe(tmp_path, program, __file__)
    assert "HDF5 is not observed: this library is older than 1.10" in done.stderr and done.stdout == ""
    assert log.rows("h5f") == [] and [row for row in log.rows("posix") if row["name"] == __file__]


def test_static_library_is_not_reached_and_does_no_harm(serial, tmp_path):
    program = tmp_path / "static"
    subprocess.run(["h5cc", PROGRAMS / "datasets.c", "-o", program], check=True, cwd=tmp_path)
    log, _ = observe(tmp_path, program, tmp_path)
    assert log.rows("h5f") == [] and [row for row in log.rows("posix") if row["name"].endswith("/sets.h5")]
