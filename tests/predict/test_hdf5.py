"""Programs that use HDF5: predicted against measured, by dataset and by line of the source; and against HDF5's own tools."""

import csv
import io
import json
import os
import random
import shutil
import subprocess

import pytest

import sites
from conftest import HERE, ROOT, TRIKAL, measured_sites, predict, predicted_sites, side_by_side

PROGRAMS = HERE / "programs" / "hdf5"
ANTIPATTERNS = ROOT / "examples" / "hdf5_antipatterns.c"
COMPILERS = {"serial": "h5cc", "openmpi": "h5pcc.openmpi", "mpich": "h5pcc.mpich"}
LAUNCH = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--mca", "orte_tmpdir_base", "/dev/shm"],
          "mpich": ["mpirun.mpich"]}
# Of a record what does not depend on time.
TIMED = ("TIME", "RANK", "VARIANCE")


class Hdf5:
    def __init__(self, name, folder):
        self.name, self.folder, self.built = name, folder, {}

    def compile(self, source):
        target = self.folder / (source.stem + ".bin")
        if target not in self.built:
            own = "H5Cpp.h" in source.read_text()
            command = ["h5c++" if own else COMPILERS[self.name], "-shlib", "-O1", "-g", "-w", str(source), "-o", str(target)]
            environment = {**os.environ, "HDF5_CC": "g++", "HDF5_CLINKER": "g++"} if source.suffix == ".cpp" else None
            done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, env=environment)
            assert done.returncode == 0, done.stderr
            self.built[target] = True
        return target

    def flags(self):
        """Options for predicting: those that the compiler of this HDF5 adds."""
        shown = subprocess.run([COMPILERS[self.name], "-show"], capture_output=True, text=True, check=True).stdout.split()
        words = [word for word in shown if word.startswith("-I")]
        if self.name != "serial":
            show = ["-showme:compile"] if self.name == "openmpi" else ["-show"]
            told = subprocess.run(["mpicc." + self.name, *show], capture_output=True, text=True, check=True).stdout.split()
            words += [word for word in told if word.startswith("-I")]
        return [f"--flag={word}" for word in words]


def made(name, tmp_path_factory):
    if shutil.which(COMPILERS[name]) is None:
        pytest.skip(f"no {COMPILERS[name]}: scripts/install-deps installs it")
    return Hdf5(name, tmp_path_factory.mktemp(name))


@pytest.fixture(scope="module")
def serial(tmp_path_factory):
    return made("serial", tmp_path_factory)


@pytest.fixture(scope="module", params=["openmpi", "mpich"])
def parallel(request, tmp_path_factory):
    return made(request.param, tmp_path_factory)


def records(log, table, folder):
    """{name: what does not depend on time}, of one process."""
    told = subprocess.run([TRIKAL, "export", log, "-f", "csv", "-t", table, "-o", "-"], capture_output=True, text=True, check=True).stdout
    out = {}
    for row in csv.DictReader(io.StringIO(told)):
        out[row["name"].replace(str(folder), ".")] = {
            key: int(value) for key, value in row.items()
            if key.startswith(table.upper()) and not any(word in key for word in TIMED) and "FILE_REC_ID" not in key}
    return out


def same(tmp_path, cache, hdf5, source, arguments, prepare=None):
    """Every counter of files and datasets, then every line."""
    program = hdf5.compile(source)
    told, predicted, measured, done = side_by_side(tmp_path, cache, [program], [source], arguments, *hdf5.flags(), prepare=prepare)
    assert done.returncode == told["predictions"][0]["exit_code"], done.stderr
    logs = {folder: tmp_path / name for folder, name in (("predicted", "predicted/predicted.darshan"), ("measured", "measured-measured.darshan"))}
    for table in ("h5f", "h5d"):
        ours, theirs = (records(log, table, tmp_path / folder) for folder, log in logs.items())
        assert ours.keys() == theirs.keys()
        for name, counters in theirs.items():
            assert {key: (ours[name][key], value) for key, value in counters.items() if ours[name][key] != value} == {}, name
    lines = sites.compare(predicted_sites(told), measured_sites(logs["measured"]), False)
    assert set(lines.values()) <= {"equal", "library"}, lines
    return told, predicted, measured


@pytest.mark.parametrize("rows", [2, 30, 1000])
def test_hdf5_shapes(serial, cache, tmp_path, rows):
    told, predicted, measured = same(tmp_path, cache, serial, PROGRAMS / "shapes.c", [rows])
    assert predicted == measured and measured["./shapes.h5:/matrix"]["H5D_WRITES"] == rows
    assert {row["certainty"] for row in told["predictions"][0]["accesses"]} <= {"exact", "extrapolated"}
    assert told["predictions"][0]["unknowns"] == []


@pytest.mark.parametrize("count", [1, 12])
def test_hdf5_locations(serial, cache, tmp_path, count):
    """Names relative to a folder that the program went to."""
    told, predicted, measured = same(tmp_path, cache, serial, PROGRAMS / "locations.c", [count])
    assert predicted == measured and measured["./below/part0.h5:/data"]["H5D_READS"] == 1


@pytest.mark.parametrize("steps", [3, 250])
def test_hdf5_classes(serial, cache, tmp_path, steps):
    told, predicted, measured = same(tmp_path, cache, serial, PROGRAMS / "classes.cpp", [steps])
    assert predicted == measured and measured["./classes.h5:/pressure"]["H5D_BYTES_WRITTEN"] == steps * 128 * 8


@pytest.mark.parametrize("steps", [2, 30, 250])
def test_hdf5_own_classes(serial, cache, tmp_path, steps):
    """H5Cpp.h: variables made before main, copies of handles, types, selections, attributes, what is opened again."""
    told, predicted, measured = same(tmp_path, cache, serial, PROGRAMS / "cpp_classes.cpp", [steps])
    assert predicted == measured and measured["./cpp_classes.h5:/fields/wind"]["H5D_BYTES_WRITTEN"] == steps * 64 * 8
    one = told["predictions"][0]
    assert one["unknowns"] == [] and not any("no model" in note for note in one["notes"])
    assert {row["certainty"] for row in one["accesses"]} <= {"exact", "extrapolated"}
    assert one["program"].endswith("cpp_classes.cpp")


@pytest.mark.parametrize("how", ["all", "alone"])
@pytest.mark.parametrize("ranks", [1, 3])
def test_hdf5_together(parallel, cache, tmp_path, ranks, how):
    program = parallel.compile(PROGRAMS / "together.c")
    command = [*LAUNCH[parallel.name], "-np", str(ranks), program]
    told, predicted, measured, done = side_by_side(tmp_path, cache, command, [PROGRAMS / "together.c"], ["40", how], *parallel.flags(),
                                                   f"--np={ranks}")
    assert done.returncode == 0, done.stderr

    def of_hdf5(files):
        return {name: values for name, values in files.items() if any(key.startswith("H5") for key in values)}
    assert of_hdf5(predicted) == of_hdf5(measured)
    assert predicted["./field.h5:/field"]["H5D_BYTES_WRITTEN"] == ranks * 40 * 8 * 256 * 8
    for table, field in (("h5d", "H5D_USE_MPIIO_COLLECTIVE"), ("h5f", "H5F_USE_MPIIO")):
        ours = records(tmp_path / "predicted" / "predicted.darshan", table, tmp_path / "predicted")
        theirs = records(tmp_path / "measured-measured.darshan", table, tmp_path / "measured")
        assert {name: row[field] for name, row in ours.items()} == {name: row[field] for name, row in theirs.items()}


def test_h5dump_says_the_same(serial, cache, tmp_path):
    """Sizes of datasets by HDF5's own tool, which shares nothing with us."""
    (tmp_path / "predicted").mkdir()
    told, _ = predict(tmp_path / "predicted", cache, [PROGRAMS / "classes.cpp"], ["250"], *serial.flags())
    subprocess.run([serial.compile(PROGRAMS / "classes.cpp"), "250"], cwd=tmp_path, check=True)
    for name in ("pressure", "owner"):  # not in chunks: what they take is what was written
        shown = subprocess.run(["h5dump", "-p", "-H", "-d", name, "classes.h5"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
        size = int(shown.split("SIZE ")[1].split()[0])
        assert size == sum(row["bytes"] for row in told["predictions"][0]["accesses"]
                           if row["operation"] == "HDF5 write" and row["file"].endswith(":/" + name))


@pytest.mark.parametrize("antipattern, ranks", [("small-chunks", 1), ("many-datasets", 1), ("scattered-selections", 1), ("hdf5-independent", 4),
                                        ("hdf5-metadata-reads", 4)])
def test_findings_before_the_run(serial, tmp_path, cache, tmp_path_factory, antipattern, ranks):
    """The rules about HDF5 fire on the predicted log of what is done badly, and not on what is done well."""
    hdf5 = made("openmpi", tmp_path_factory)
    for how in ("bad", "good"):
        folder = tmp_path / how
        folder.mkdir()
        predict(folder, cache, [ANTIPATTERNS], [antipattern, how, "."], *hdf5.flags(), f"--np={ranks}")
        found = json.loads(subprocess.run([TRIKAL, "insights", "--json", folder / "predicted.darshan"], capture_output=True, text=True,
                                          check=True).stdout)["findings"]
        assert (antipattern in [one["code"] for one in found]) == (how == "bad"), (how, [one["code"] for one in found])


def test_cost_does_not_depend_on_iterations(serial, cache, tmp_path):
    steps = []
    for iterations in (10_000, 1_000_000_000):
        told, _ = predict(tmp_path, cache, [PROGRAMS / "classes.cpp"], [iterations], *serial.flags())
        steps.append(told["predictions"][0]["steps"])
        assert sum(row["count"] for row in told["predictions"][0]["accesses"] if row["operation"] == "HDF5 write") == 3 * iterations
    assert steps[1] <= 1.1 * steps[0]


def program(folder, text):
    (folder / "program.c").write_text("#include <hdf5.h>\n" + text)
    return folder / "program.c"


def test_functions_without_a_model_are_named(serial, cache, tmp_path):
    """What is not known does not stop it: what can be counted is, and the rest has a cause."""
    told, _ = predict(tmp_path, cache, [program(tmp_path, """
int main(void) {
  hid_t file = H5Fcreate("a.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t n = 10;
  hid_t space = H5Screate_simple(1, &n, 0);
  hid_t data = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int values[10] = {0};
  hid_t other = H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, values);
  H5Dwrite(other, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  return 0;
}
""")], [], *serial.flags())
    one = told["predictions"][0]
    writes = {row["file"].rsplit("/", 1)[-1]: row for row in one["accesses"] if row["operation"] == "HDF5 write"}
    assert writes["d"]["bytes"] == 40 and writes["d"]["certainty"] == "exact"
    assert writes["<unknown: the result of H5Rdereference2>"]["certainty"] == "assumed"
    assert "no model of H5Rdereference2" in one["notes"] and any("beneath" in note for note in one["notes"])


@pytest.mark.parametrize("body", [
    "H5Dwrite(-1, -1, -1, -1, -1, 0); H5Dclose(12345); H5Fclose(0); H5Sselect_hyperslab(0, 0, 0, 0, 0, 0);",
    "hsize_t n = 1; H5Screate_simple(99, &n, 0); H5Screate_simple(-1, &n, 0); H5Screate_simple(1, 0, 0);",
    "hid_t s = H5Screate(H5S_NULL); H5Sselect_elements(s, 99, 0, 0); H5Sget_select_bounds(s, 0, 0); H5Tset_size(H5T_NATIVE_INT, 0);",
    "H5Pset_chunk(H5Pcreate(H5P_DATASET_CREATE), 1000000, 0); H5Tarray_create2(H5T_NATIVE_INT, 100, 0); H5Dopen2(H5T_NATIVE_INT, 0, 0);",
    'hid_t f = H5Fcreate("a.h5", 2, 0, 0); H5Lcreate_soft("/b", f, "a", 0, 0); H5Lcreate_soft("/a", f, "b", 0, 0); H5Dopen2(f, "a/b/c", 0);',
])
def test_bad_calls_are_survived(serial, cache, tmp_path, body):
    told, _ = predict(tmp_path, cache, [program(tmp_path, "int main(void) { %s return 7; }\n" % body)], [], *serial.flags())
    assert told["predictions"][0]["exit_code"] == 7 and told["predictions"][0]["complete"]

EXISTING = PROGRAMS / "existing.c"
MAKE = """
import sys, h5py
with h5py.File(sys.argv[1], "w", libver=sys.argv[2]) as out:
    out.create_dataset("plain", (30, 20), dtype="i4")[:] = 1
    out.create_group("deep/er").create_dataset("chunked", (100, 64), dtype="i8", chunks=(10, 64), maxshape=(None, 64))
    out["again"] = h5py.SoftLink("/plain")
    out["plain"].attrs["unit"] = 7
"""


def make_file(folder, version):
    subprocess.run(["/usr/bin/python3", "-c", MAKE, folder / "in.h5", version], check=True)


@pytest.mark.parametrize("version", ["earliest", "latest"])
def test_files_that_exist(serial, cache, tmp_path, version):
    words = ["in.h5", "plain", "deep/er/chunked"]
    _, predicted, measured = same(tmp_path, cache, serial, EXISTING, words, lambda folder: make_file(folder, version))
    assert predicted == measured and measured["./in.h5:/deep/er/chunked"]["H5D_BYTES_READ"] == 100 * 64 * 8


def test_damaged_files_are_survived(serial, cache, tmp_path):
    """Any byte may be any other: a prediction comes, and soon."""
    chance = random.Random(7)
    for version in ("earliest", "latest"):
        make_file(tmp_path, version)
        whole = (tmp_path / "in.h5").read_bytes()
        head = whole[:4096]  # all but values
        for _ in range(15):
            bad = bytearray(head)
            for _ in range(chance.choice([1, 4, 32])):
                bad[chance.randrange(len(bad))] = chance.choice([0, 1, 255, chance.randrange(256)])
            (tmp_path / "in.h5").write_bytes(bytes(bad) + whole[len(head):])
            told, _ = predict(tmp_path, cache, [EXISTING], ["in.h5", "plain", "deep/er/chunked", "again"], *serial.flags())
            assert told["predictions"]
