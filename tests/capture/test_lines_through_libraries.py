"""The line of the program, whatever library stands between it and the call; docs/call-sites.md shows the table."""

import os
import pathlib
import subprocess

import pytest

from conftest import HERE, ROOT, TRIKAL, rows_of

PROGRAMS = HERE / "programs" / "lines"
PAGE = ROOT / "docs" / "call-sites.md"
PYTHON = "/usr/bin/python3"  # Debian's, which has h5py and numpy
# language, library between, source, words that mark the line, how it is built or run, operations that must be there, libraries in `through`
WAYS = [
    ("C, a thread", "libc", "lines.c", "/* the line */", ["gcc", "-g", "-pthread"], "flush", ""),
    ("C++", "libstdc++", "streams.cpp", "// the line", ["g++", "-g", "-O2"], "write", "libstdc++"),
    ("Fortran", "libgfortran", "lines.f90", "! the line", ["gfortran", "-g", "-O2"], "write", "libgfortran"),
    ("C", "HDF5, its own files", "dataset.c", "/* the line */", ["h5cc", "-shlib", "-g"], "HDF5 write", ""),
    ("C", "HDF5, the file below", "dataset.c", "H5Fclose(file)", ["h5cc", "-shlib", "-g"], "write", "libhdf5"),
    ("C", "MPI-IO of MPICH", "rank.c", "/* the line */", ["mpicc.mpich", "-g"], "MPI write", ""),
    ("C", "MPICH, the file below", "rank.c", "/* the line */", ["mpicc.mpich", "-g"], "write", "libmpich"),
    ("C", "Open MPI, the file below", "rank.c", "/* the line */", ["mpicc.openmpi", "-g"], "write", "libmpi"),
    ("Python", "io", "scripts.py", "# lines", ["lines"], "write", ""),
    ("Python, a thread", "io", "scripts.py", "# lines", ["thread"], "write", ""),
    ("Python, a pool of threads", "io", "scripts.py", "# lines", ["executor"], "write", ""),
    ("Python, a pool of processes", "io", "scripts.py", "# lines", ["pool"], "write", ""),
    ("Python", "json", "scripts.py", "json.load(source)", ["library"], "read", "__init__.py (load)"),
    ("Python", "NumPy", "scripts.py", "# numpy", ["numpy"], "stream write", "_multiarray_umath"),
    ("Python", "h5py", "scripts.py", "# h5py", ["h5py"], "HDF5 write", ""),
    ("Python, called back by HDF5", "h5py", "scripts.py", "# callback", ["callback"], "HDF5 read", ""),
    ("Python", "SQLite", "scripts.py", "# database", ["database"], "fdatasync", "libsqlite3"),
]


def line_of(source, words):
    (number,) = [number for number, line in enumerate((PROGRAMS / source).read_text().splitlines(), 1)
                 if words in line and not line.lstrip().startswith(('"""', "def "))]
    return number


def command_of(source, how, folder):
    if source.endswith(".py"):
        return [PYTHON, PROGRAMS / source, *how]
    compiler, *options = how
    binary = folder / "program"
    subprocess.run([compiler, *options, PROGRAMS / source, "-o", binary], check=True, cwd=folder)
    return [binary]


def observe(command, folder):
    log = folder / "log.darshan"
    subprocess.run([TRIKAL, "run", "--quiet", "--call-sites", "--include", str(folder), "--log", log, "--", *command], cwd=folder,
                   check=True, stdout=subprocess.DEVNULL)
    return log


@pytest.mark.parametrize("language, library, source, words, how, operation, through", WAYS,
                         ids=[f"{way[0]}-{way[1]}".replace(" ", "-").replace(",", "") for way in WAYS])
def test_the_line_is_found(language, library, source, words, how, operation, through, tmp_path):
    log = observe(command_of(source, how, tmp_path), tmp_path)
    rows = [row for row in rows_of(log, "sites") if "out.dat" in (row["name"] or "")]
    mine = [row for row in rows if row["operation"] == operation]
    best = max(mine, key=lambda row: row["count"], default=None)
    assert best is not None, sorted({row["operation"] for row in rows})
    assert (pathlib.PurePath(best["source"]).name, best["line"]) == (source, line_of(source, words)), best
    assert through in best["through"], best


def test_python_of_a_virtual_environment(tmp_path):
    """Its interpreter is a link; what it has installed is no program of the user's."""
    subprocess.run([PYTHON, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    package = next((tmp_path / "venv" / "lib").glob("python3*")) / "site-packages" / "helper.py"
    package.write_text("def put(out):\n    out.write('x')\n    out.flush()\n")
    script = tmp_path / "app.py"
    script.write_text("import helper\nout = open('out.dat', 'w')\nfor i in range(50):\n    helper.put(out)\n")
    log = observe([tmp_path / "venv" / "bin" / "python", script], tmp_path)
    rows = [row for row in rows_of(log, "sites") if "out.dat" in (row["name"] or "") and row["operation"] == "write"]
    assert [(row["source"], row["line"], row["count"]) for row in rows] == [(str(script), 4, 50)]
    assert "helper.py (put)" in rows[0]["through"]


def test_a_function_without_tables_ends_the_walk(tmp_path):
    """Then the library's own address is all that is known, as it would be without a walk."""
    (tmp_path / "lib.c").write_text('#include <unistd.h>\nvoid put(int fd) {\n  if (write(fd, "x", 1) != 1) _exit(1);\n}\n')
    (tmp_path / "app.c").write_text('#include <fcntl.h>\nvoid put(int);\nint main(void) {\n  int fd = open("out.dat", O_WRONLY | O_CREAT, 0600);\n'
                                    '  for (int i = 0; i < 50; i++) put(fd);\n  return 0;\n}\n')
    flags = ["-fno-asynchronous-unwind-tables", "-fomit-frame-pointer", "-O1"]
    subprocess.run(["gcc", *flags, "-shared", "-fPIC", "-o", "libz.bare.so", "lib.c"], check=True, cwd=tmp_path)
    subprocess.run(["gcc", "-g", "-o", "app", "app.c", "./libz.bare.so"], check=True, cwd=tmp_path)
    log = observe([tmp_path / "app"], tmp_path)
    [row] = [row for row in rows_of(log, "sites") if row["operation"] == "write"]
    assert row["count"] == 50 and row["object"].endswith("libz.bare.so") and row["through"] == ""


def test_a_line_that_changed_is_not_shown(tmp_path):
    """Not even where it changed in the second in which the run ended."""
    source, log = tmp_path / "slow.c", tmp_path / "slow.darshan"
    source.write_text("""#include <fcntl.h>
#include <unistd.h>
int main(void) {
  int fd = open("out", O_CREAT | O_WRONLY, 0600);
  for (int i = 0; i < 500000; ++i) if (write(fd, "12345678", 8) != 8) return 1;
  sleep(1);
  return close(fd);
}
""")
    subprocess.run(["gcc", "-g", "-o", "slow", source.name], check=True, cwd=tmp_path)
    subprocess.run([TRIKAL, "run", "--quiet", "--call-sites", "--log", log, "--", "./slow"], check=True, cwd=tmp_path)
    ended = int(os.stat(log).st_mtime)
    shown = {}
    for changed in (ended - 3600, ended):
        os.utime(source, (changed, changed))
        shown[changed] = subprocess.run([TRIKAL, "insights", log], capture_output=True, text=True, check=True).stdout
    assert "| for (int i" in shown[ended - 3600] and "| for (int i" not in shown[ended] and "slow.c:5" in shown[ended]


HEAD = """# Lines through libraries

`trikal run --call-sites` names the line of the program that a call comes from, also where a library made the call: the stack is
walked outwards to the first frame that is not of the C, C++ or Fortran runtime, of MPI, HDF5 and their like, of what the
system or pip has installed. Tables that compilers write for exceptions (`.eh_frame`) say how; they are read once for each address. In
Python 3.11 to 3.13 it is the line of the script. What stands between is in the column `through` of the table `sites`, and behind the
operation in `trikal insights`, which also shows the line itself where the source is at hand and was not changed since the run began.

This table is made of what `tests/capture/test_lines_through_libraries.py` runs: each row is a program of which the line is found.

| language | what stands between | operation | line |
|---|---|---|---|
"""


def page():
    rows = [f"| {language} | {library} | {operation} | {source}:{line_of(source, words)} |"
            for language, library, source, words, _, operation, _ in WAYS]
    return HEAD + "\n".join(rows) + """

Where a frame has no table (hand-written assembly, code made at run time, `-fno-asynchronous-unwind-tables`) the walk ends, and the
address in the library is what is shown. R and Julia are named as libraries; their lines are not read. A stack is followed for 30
frames; 2,048 different ways and lines are kept in each process.

What it costs, as `bench/run-stack-walk` measured it on a virtual machine with two processors that other programs used as well (writes of
one byte; off, call sites cost nothing):

| call | without call sites, ns | with, ns | they add, ns |
|---|---:|---:|---:|
| by the program itself | 381 | 443 | 62 |
| through 8 functions of a library | 446 | 587 | 141 |

Following 8 frames: 78 ns a call. A loop comes the same way every time: as long as all return addresses are where they were, nothing is
looked up again.
"""


def test_the_page_is_the_table():
    assert PAGE.read_text() == page(), "run: python3 tests/capture/test_lines_through_libraries.py"


if __name__ == "__main__":
    PAGE.write_text(page())
