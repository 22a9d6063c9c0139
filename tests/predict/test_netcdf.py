"""Programs that use NetCDF's own functions (nc_*): the POSIX calls beneath, as predicted, against a run, strace and the sizes of files."""

import collections
import re
import subprocess

import pytest

from conftest import HERE, TRIKAL, compile_c, observe, predict, side_by_side

PROGRAMS = HERE / "programs" / "netcdf"
WAYS = [("records", 3, 1), ("records", 700, 2), ("records", 5000, 5), ("unfilled", 3, 1), ("unfilled", 900, 5), ("hole", 1, 2),
        ("synced", 3, 1), ("synced", 300, 5), ("changes", 0, 1), ("changes", 3, 1), ("changes", 120, 5), ("strides", 1, 1), ("strides", 1, 2),
        ("elements", 2000, 1), ("elements", 100_000, 5), ("header", 3, 1), ("header", 80, 2), ("header", 400, 5), ("alone", 3, 1),
        ("alone", 50_000, 2), ("shared", 3, 1), ("shared", 400, 5), ("aborted", 1, 1), ("undefined", 1, 1), ("undefined", 1, 5)]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("netcdf")
    return {name: compile_c(PROGRAMS / f"{name}.c", folder / name, "gcc", "-lnetcdf") for name in ("classic", "refused", "four", "fills")}


def length(log):
    """How long the one file is, by the last byte that was written."""
    told = subprocess.run([TRIKAL, "parse", "--base", log], capture_output=True, text=True, check=True).stdout
    return max(int(found) for found in re.findall(r"POSIX_MAX_BYTE_WRITTEN\t(\d+)\t\S*\.nc\t", told)) + 1


@pytest.mark.parametrize("way, steps, form", WAYS)
def test_ways(built, cache, tmp_path, way, steps, form):
    words = [way, str(steps), str(form)]
    told, predicted, measured, done = side_by_side(tmp_path, cache, [built["classic"]], [PROGRAMS / "classic.c"], words)
    assert done.returncode == 0, done.stderr
    one, = told["predictions"]
    assert one["exit_code"] == 0 and one["complete"] and not [note for note in one["notes"] if "no model" in note]
    assert predicted == {name: values for name, values in measured.items() if name.endswith(".nc")}
    assert {row["certainty"] for row in one["accesses"]} <= {"exact", "extrapolated"}
    if way != "aborted":
        assert length(tmp_path / "predicted" / "predicted.darshan") == (tmp_path / "measured" / "classic.nc").stat().st_size


@pytest.mark.parametrize("how", [0, 1, 2, 3, 4, 8, 9, 10, 11, 16, 17, 18, 27, 48, 49, 51, 64])
def test_fills(built, cache, tmp_path, how):
    told, predicted, measured, done = side_by_side(tmp_path, cache, [built["fills"]], [PROGRAMS / "fills.c"], [str(how)])
    assert done.returncode == told["predictions"][0]["exit_code"] == 0
    assert predicted == {name: values for name, values in measured.items() if name.endswith(".nc")}
    assert {row["certainty"] for row in told["predictions"][0]["accesses"]} <= {"exact", "extrapolated"}
    assert length(tmp_path / "predicted" / "predicted.darshan") == (tmp_path / "measured" / "fills.nc").stat().st_size


@pytest.mark.parametrize("way, steps", [("records", 30), ("changes", 7), ("header", 100), ("strides", 1)])
def test_against_strace(built, cache, tmp_path, way, steps):
    _, predicted = predict(tmp_path, cache, [PROGRAMS / "classic.c"], [way, steps, 1])
    done = subprocess.run(["strace", "-y", "-e", "trace=read,write,lseek", built["classic"], way, str(steps), "1"], cwd=tmp_path,
                          capture_output=True, text=True)
    assert done.returncode == 0
    counts, moved = collections.Counter(), collections.Counter()
    for name, got in re.findall(r"^(\w+)\(\d+<[^>]*classic\.nc>.* = (\d+)$", done.stderr, re.MULTILINE):
        counts[name] += 1
        moved[name] += int(got)
    values, = predicted.values()
    # nc_open looks at the file by a stream, too: beneath, each of those reads 4096 bytes and seeks twice.
    opened = values["STDIO_OPENS"]
    assert opened == 2
    assert (counts["read"] - opened, moved["read"] - 4096 * opened) == (values["POSIX_READS"], values["POSIX_BYTES_READ"])
    assert (counts["write"], moved["write"]) == (values["POSIX_WRITES"], values["POSIX_BYTES_WRITTEN"])
    assert counts["lseek"] - 2 * opened == values["POSIX_SEEKS"]


def test_refused(built, cache, tmp_path):
    told, predicted, measured, done = side_by_side(tmp_path, cache, [built["refused"]], [PROGRAMS / "refused.c"], [])
    assert done.returncode == 0
    assert told["predictions"][0]["exit_code"] == 0
    assert predicted == {name: values for name, values in measured.items() if name.endswith(".nc")}


def test_netcdf_4_is_not_followed(built, cache, tmp_path):
    """Nothing is said of its file, and that is said; the classic file beside it is followed."""
    told, predicted = predict(tmp_path, cache, [PROGRAMS / "four.c"], [])
    (tmp_path / "measured").mkdir()
    measured, done = observe(tmp_path / "measured", [built["four"]])
    assert done.returncode == 0
    one, = told["predictions"]
    assert [note for note in one["notes"] if note.startswith("no model of nc_create for a file that is not a classic one")]
    assert [note for note in one["notes"] if note.startswith("no model of nc_put_var_double on a file that is not followed")]
    assert [name.rsplit("/", 1)[-1] for name in predicted] == ["classic.nc"]
    assert list(predicted.values()) == [values for name, values in measured.items() if name.endswith("classic.nc")]


@pytest.mark.parametrize("hint", [256, 1001, 65536])
def test_blocks_of_another_size(cache, tmp_path, hint):
    source = tmp_path / "hint.c"
    source.write_text(f"""
#include <netcdf.h>
int main(void) {{
  static double values[5000];
  size_t hint = {hint};
  int nc, dimension, variable;
  if (nc__create("hint.nc", NC_CLOBBER, 100000, &hint, &nc) || nc_def_dim(nc, "x", 5000, &dimension)) return 1;
  if (nc_def_var(nc, "v", NC_DOUBLE, 1, &dimension, &variable) || nc_enddef(nc)) return 1;
  if (nc_put_var_double(nc, variable, values) || nc_close(nc)) return 1;
  if (nc__open("hint.nc", NC_NOWRITE, &hint, &nc)) return 1;
  return nc_get_var_double(nc, variable, values) || nc_close(nc);
}}
""")
    program = compile_c(source, tmp_path / "hint", "gcc", "-lnetcdf")
    told, predicted, measured, done = side_by_side(tmp_path, cache, [program], [source], [])
    assert done.returncode == told["predictions"][0]["exit_code"] == 0
    assert predicted == {name: values for name, values in measured.items() if name.endswith(".nc")}


@pytest.mark.parametrize("what, known", [("nc_rename_var(nc, 0, \"w\")", False), ("nc_inq_var_fill(nc, 0, &no, &value)", True)])
def test_a_function_without_a_model(cache, tmp_path, what, known):
    """It is named, and where it may have changed the file, what comes after it is assumed."""
    (tmp_path / "other.c").write_text(f"""
#include <netcdf.h>
int main(void) {{
  int nc, dimension, variable, no;
  double values[5] = {{0}}, value;
  nc_create("other.nc", NC_CLOBBER, &nc);
  nc_def_dim(nc, "x", 5, &dimension);
  nc_def_var(nc, "v", NC_DOUBLE, 1, &dimension, &variable);
  (void){what};
  nc_enddef(nc);
  nc_put_var_double(nc, variable, values);
  return nc_close(nc);
}}
""")
    one, = predict(tmp_path, cache, [tmp_path / "other.c"], [])[0]["predictions"]
    assert "no model of " + what.split("(")[0] in one["notes"]
    assert ("assumed" in {row["certainty"] for row in one["accesses"]}) != known


def test_a_location_that_is_not_known(cache, tmp_path):
    """What was certain before stays certain; from there on the buffer's blocks are assumed."""
    (tmp_path / "where.c").write_text("""
#include <netcdf.h>
extern size_t somewhere(void);
int main(void) {
  int nc, dimension, variable;
  double value = 1;
  nc_create("where.nc", NC_CLOBBER, &nc);
  nc_def_dim(nc, "x", 1 << 20, &dimension);
  nc_def_var(nc, "v", NC_DOUBLE, 1, &dimension, &variable);
  nc_enddef(nc);
  size_t position = somewhere();
  nc_put_var1_double(nc, variable, &position, &value);
  return nc_close(nc);
}
""")
    one, = predict(tmp_path, cache, [tmp_path / "where.c"], [])[0]["predictions"]
    by_call = {call: {row["certainty"] for row in one["accesses"] if row["call"] == call and row["bytes"] > 0} for call in
               ("nc_create", "nc_enddef", "nc_put_var1_double")}
    assert by_call["nc_create"] == by_call["nc_enddef"] == {"exact"} and by_call["nc_put_var1_double"] == {"assumed"}
    assert [note for note in one["notes"] if "is not known" in note]


def test_a_file_that_exists_is_read(built, cache, tmp_path):
    """Its header says how many records there are to be read."""
    (tmp_path / "predicted").mkdir()
    subprocess.run([built["classic"], "records", "40", "2"], cwd=tmp_path, check=True)
    source = tmp_path / "reader.c"
    source.write_text("""
#include <netcdf.h>
int main(void) {
  static float values[20 * 101];
  int nc, id, dimensions[3];
  size_t records, start[3] = {0}, count[3] = {1, 20, 101};
  if (nc_open("../classic.nc", NC_NOWRITE, &nc) || nc_inq_varid(nc, "field", &id) || nc_inq_vardimid(nc, id, dimensions)) return 1;
  if (nc_inq_dimlen(nc, dimensions[0], &records)) return 1;
  for (; start[0] < records; start[0]++)
    if (nc_get_vara_float(nc, id, start, count, values)) return 1;
  return nc_close(nc);
}
""")
    program = compile_c(source, tmp_path / "reader", "gcc", "-lnetcdf")
    told, predicted = predict(tmp_path / "predicted", cache, [source], [])
    measured, done = observe(tmp_path / "predicted", [program])
    assert done.returncode == told["predictions"][0]["exit_code"] == 0
    assert list(predicted.values()) == [values for name, values in measured.items() if name.endswith(".nc")]
    assert list(predicted.values())[0]["POSIX_BYTES_READ"] > 40 * 8080
