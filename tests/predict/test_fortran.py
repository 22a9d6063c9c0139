"""Fortran: predicted from what flang makes of the source, measured with what gfortran makes of it."""

import re
import subprocess

import pytest

from conftest import HERE, predict, side_by_side
from judge import judge
from test_predict import rows, run, source

PROGRAMS = HERE / "programs"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fortran")
    for file in PROGRAMS.glob("*.f90"):
        subprocess.run(["gfortran", "-O1", "-w", "-J", folder, "-o", folder / file.stem, file], check=True)
    return folder


def same(tmp_path, cache, program, sources, arguments, prepare=None):
    # A program that fails says where, for which it would read itself.
    command = ["env", "GFORTRAN_ERROR_BACKTRACE=0", program]
    told, predicted, measured, _ = side_by_side(tmp_path, cache, command, sources, arguments, prepare=prepare)
    assert not [note for note in told["predictions"][0]["notes"] if "no model" in note]
    return predicted, measured


@pytest.mark.parametrize("settings", [
    "&settings rows = 50, columns = 60, steps = 12, every = 4, prefix = 'run', verbose = .true., restart = 8 /\n",
    "! few\n&other a = 1 /\n&settings\n  steps = 3   ! and no more\n  every = 1\n/\n",
    "&settings steps = 3 /  and no end",
    "&SETTINGS\n ROWS=200\n COLUMNS=150 STEPS=300 EVERY=100\n verbose=T\n restart=100\n/\n\n",
    "&settings rows = 3*5, wrong = 2 /\n", "&nothing /\n", ""])
def test_heat(built, cache, tmp_path, settings):
    predicted, measured = same(tmp_path, cache, built / "heat", [PROGRAMS / "heat.f90"], ["in.nml"],
                               lambda folder: (folder / "in.nml").write_text(settings))
    assert predicted == measured


@pytest.mark.parametrize("count", [1, 9, 100])
def test_directories(built, cache, tmp_path, count):
    """OPEN and INQUIRE after chdir."""
    predicted, measured = same(tmp_path, cache, built / "directories", [PROGRAMS / "directories.f90"], [str(count)])
    assert predicted == measured and f"./directory{count}/own.dat" in measured


@pytest.mark.parametrize("count, width", [(1, 1), (100, 20), (1000, 100), (30_000, 10), (300, 10_000)])
def test_records(built, cache, tmp_path, count, width):
    predicted, measured = same(tmp_path, cache, built / "records", [PROGRAMS / "records.f90"], [str(count), str(width)])
    assert predicted == measured


@pytest.mark.parametrize("count", [1, 12, 50, 3000])
def test_rounds(built, cache, tmp_path, count):
    """Items of an implied loop go round in their format; the longer ones among them come late."""
    told, predicted, measured, _ = side_by_side(tmp_path, cache, [built / "rounds"], [PROGRAMS / "rounds.f90"], [str(count)])
    found = judge(told, predicted, measured, (tmp_path / "predicted", ""))
    assert found["wrong"] == [] and found["right"] > 20, found


@pytest.mark.parametrize("lines", [[], ["1"], ["97"], ["300"], ["30000"]])
def test_tables(built, cache, tmp_path, lines):
    predicted, measured = same(tmp_path, cache, built / "tables", [PROGRAMS / "tables.f90"], lines)
    assert predicted == measured


@pytest.mark.parametrize("table", [
    "'tab' 3 4\n2.5 T\n1 2 3 4\n5 6.5 7 8\n9,10,11,12\n# end\n\nlast", "few 1 2\n1d0 .false.\n1\n2\n",
    "wide 2 50 / comment\n1e3 true more\n" + " ".join(map(str, range(50))) + "\n50*1.5\n",
    "bad 2 2\n1.0 T\n1 2\nthree 4\n", "short 5 2\n1.0 T\n1 2\n"])
def test_inputs(built, cache, tmp_path, table):
    predicted, measured = same(tmp_path, cache, built / "inputs", [PROGRAMS / "inputs.f90"], [],
                               lambda folder: (folder / "table.txt").write_text(table))
    assert predicted == measured


@pytest.mark.parametrize("blocks, size", [(1, 1), (35, 1000), (500, 3), (20, 40_000), (3000, 100), (200, 10_000)])
def test_pieces(built, cache, tmp_path, blocks, size):
    predicted, measured = same(tmp_path, cache, built / "pieces", [PROGRAMS / "pieces.f90"], [str(blocks), str(size)])
    assert predicted == measured


def test_kinds(built, cache, tmp_path):
    predicted, measured = same(tmp_path, cache, built / "kinds", [PROGRAMS / "kinds.f90"], [])
    assert predicted == measured


@pytest.mark.parametrize("count, steps", [(10, 3), (100_000, 20)])
def test_with_c(cache, tmp_path, count, steps):
    sources = [PROGRAMS / "mixed" / "main.c", PROGRAMS / "mixed" / "kernels.f90"]
    for file in sources:
        subprocess.run(["gfortran", "-O1", "-w", "-c", "-J", tmp_path, "-o", tmp_path / (file.stem + ".o"), file], check=True)
    subprocess.run(["gfortran", "-o", tmp_path / "mixed", tmp_path / "main.o", tmp_path / "kernels.o"], check=True)
    predicted, measured = same(tmp_path, cache, tmp_path / "mixed", sources, [str(count), str(steps)])
    assert predicted == measured


@pytest.mark.parametrize("name, arguments", [("records", ["1000", "100"]), ("tables", ["3000"]), ("pieces", ["200", "10000"])])
def test_against_strace(built, cache, tmp_path, name, arguments):
    """Calls as the system sees them, which share no table with us; sizes of files as they are left behind."""
    (tmp_path / "predicted").mkdir()
    told, _ = predict(tmp_path / "predicted", cache, [PROGRAMS / f"{name}.f90"], arguments)
    done = subprocess.run(["strace", "-y", "-e", "trace=read,write,lseek", built / name, *arguments], cwd=tmp_path,
                          capture_output=True, text=True, check=True)
    counted, bytes_moved = {}, {}
    for line in done.stderr.splitlines():
        match = re.match(rf"(\w+)\(\d+<{tmp_path}/([^>]*)>.* = (\d+)$", line)
        if match:
            key = (match[2], match[1])
            counted[key] = counted.get(key, 0) + 1
            bytes_moved[key] = bytes_moved.get(key, 0) + (int(match[3]) if match[1] != "lseek" else 0)
    expected, moved = {}, {}
    for row in told["predictions"][0]["accesses"]:
        key = (row["file"].split("/")[-1], {"seek": "lseek"}.get(row["operation"], row["operation"]))
        if key[1] in ("read", "write", "lseek") and not row["file"].startswith("<"):
            expected[key] = expected.get(key, 0) + row["count"]
            moved[key] = moved.get(key, 0) + row["bytes"]
    assert expected == counted and moved == bytes_moved


def test_modules_in_any_order_and_a_database(tmp_path, cache):
    source(tmp_path, "module sizes\n  integer, parameter :: count = COUNT\nend module\n", "sizes.F90")
    source(tmp_path, "module output\n  use sizes\ncontains\n  subroutine put(unit)\n    integer :: unit, i\n    do i = 1, count\n"
                     "      write (unit) i\n    end do\n  end subroutine\nend module\n", "output.f90")
    source(tmp_path, "      program main\n      use output\n      include 'name.inc'\n      open (10, file=name, access='stream', "
                     "\n     &  form='unformatted')\n      call put(10)\n      end program\n", "main.f")
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "name.inc").write_text("      character(*), parameter :: name = 'first'\n")
    (tmp_path / "compile_commands.json").write_text("""[
{"directory": "%s", "file": "main.f", "command": "gfortran -O3 -ffixed-line-length-none -std=gnu -Iinclude -c main.f -o main.o"},
{"directory": "%s", "file": "output.f90", "command": "gfortran -fbacktrace -Jmodules -c output.f90"},
{"directory": "%s", "file": "sizes.F90", "command": "gfortran -DCOUNT=70000 -c sizes.F90"}]""" % (tmp_path, tmp_path, tmp_path))
    told, _ = predict(tmp_path, cache, [], [], "-p", ".")
    assert sum(row["bytes"] for row in rows(told, "write")) == 4 * 70_000
    assert {row["file"].split("/")[-1] for row in rows(told, "write")} == {"first"}
    (tmp_path / "include" / "name.inc").write_text("      character(*), parameter :: name = 'second'\n")
    told, _ = predict(tmp_path, cache, [], [], "-p", ".")
    assert {row["file"].split("/")[-1] for row in rows(told, "write")} == {"second"}


@pytest.mark.parametrize("text, said", [
    ("program x\n integer :: i\n i =\nend program\n", ":3:"), ("program x\n use nowhere\nend program\n", "nowhere"),
    ("subroutine x\nend subroutine\n", "no main"), ("", "no main")])
def test_no_program(tmp_path, cache, text, said):
    done = run(tmp_path, cache, source(tmp_path, text, "program.f90"))
    assert done.returncode == 4 and said in done.stderr and len(done.stderr.splitlines()) == 1 and done.stdout == ""


def test_without_flang(tmp_path, cache):
    program = source(tmp_path, "program x\nend program\n", "program.f90")
    from conftest import TRIKAL
    done = subprocess.run([TRIKAL, "predict", program], capture_output=True, text=True, cwd=tmp_path,
                          env={"PATH": str(tmp_path), "TRIKAL_CACHE": str(tmp_path / "cache")})
    assert done.returncode == 4 and "flang-19" in done.stderr and len(done.stderr.splitlines()) == 1


def test_what_nobody_handles_ends_the_program(tmp_path, cache):
    told, files = predict(tmp_path, cache, [source(tmp_path, "program x\n open(10, file='absent', status='old')\n"
                                                             " open(11, file='made')\nend program\n", "program.f90")], [])
    assert told["predictions"][0]["exit_code"] == 2 and not files
    assert any("nobody asks" in note for note in told["predictions"][0]["notes"])


def test_lengths_that_are_not_known_are_assumed(tmp_path, cache):
    told, _ = predict(tmp_path, cache, [source(tmp_path, """program x
  real(8) :: r
  integer :: i
  call random_number(r)
  open (10, file='fixed')
  open (11, file='free')
  do i = 1, 1000
    write (10, '(F10.3)') r
    write (11, '(I0)') int(r * 1000)
  end do
end program
""", "program.f90")], [])
    by_file = {row["file"].split("/")[-1]: row["certainty"] for row in rows(told, "write")}
    assert by_file == {"fixed": "extrapolated", "free": "assumed"}
