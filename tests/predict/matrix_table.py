"""Writes docs/prediction-matrix.md: every case of the matrix, how many of its call sites do I/O, how their numbers are known,
and how many of the counters of its files came out as measured.

    python3 tests/predict/matrix_table.py [--full]      --full: also the programs that are fetched from Debian
    python3 tests/predict/matrix_table.py --from FILE   what a run of the tests with TRIKAL_MATRIX=FILE has left
"""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import sites

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGE = """# Predicted and measured

Written by `python3 tests/predict/matrix_table.py{how}`: the cases of `tests/predict` in which a program is predicted and then run
under observation. *Sites* are calls in the source that do I/O, by line and file; their numbers are exact, extrapolated from a
pattern of a loop, or assumed. *Counters* are those of all files that are not zero on either side (operations and bytes; where a loop opens
files by the hundred, their sums); *equal* are those that were predicted as measured. Of programs that use MPI-IO only the counters of MPI-IO and HDF5 are compared, because
they are all that is predicted: what the libraries do beneath is their own (and beneath `hdf5_together` that is MPI-IO). `cpp_streams` has counters that its test leaves out as well.

*Lines* are the same comparison by file, operation and line of the source: predicted count and bytes against the call sites that
`trikal run --call-sites` noted. *Near* is within 5 %; *flagged* are differences that the prediction announced (it had to
assume); *library* are calls that the C++ or Fortran library, or a function of a system header, makes on the program's behalf, so that the run has a call site
in the library and no line of the program (the counters beside cover them); *wrong* is the rest. Calls that only have a
counter of the trailer have no predicted operation and are left out. The two wrong lines of `chance` read bytes that `ungetc` gives
back: the file's record takes them back, a line's bytes cannot. Those of `uncaught` are one call that gcc and clang have on two lines (a
member with a value), and its counters are the library's last words on standard error. Names of files in `scratch` are
chosen by the library, so their sums are compared.

| program | cases | sites | exact | extrapolated | assumed | counters | equal | lines | equal | near | flagged | library | wrong |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
{rows}

{sum}
"""


def run(path, full):
    suites = ["test_matrix.py", "test_fortran.py", "test_hdf5.py", "test_fortran_mpi.py", "test_netcdf.py", "test_pnetcdf.py", "test_libc.py",
              "test_threads.py", "test_exceptions.py", "test_predict.py::test_ranks", *(["test_real_programs.py"] if full else [])]
    subprocess.run([sys.executable, "-m", "pytest", "-q", "-n", "2", "-k", "not netcdf_4_is_not_followed", *[HERE / suite for suite in suites]], cwd=ROOT,
                   env={**os.environ, "TRIKAL_MATRIX": str(path), "TRIKAL_FULL": "1" if full else "0"})


def pairs(path):
    """(test, predicted, measured): a test that predicts and does not observe, or the other way round, is none."""
    tests = collections.defaultdict(dict)
    for line in path.read_text().splitlines():
        row = json.loads(line)
        tests[row["test"]][row["kind"]] = row
    return [(name, one["predicted"], one["measured"]) for name, one in sorted(tests.items()) if len(one) == 2]


def by_counter(row, whole):
    """{(file, counter): value}, of files by their last name; of programs that use MPI-IO what they ask of it."""
    out = collections.Counter()
    through_mpi = any(counter.startswith("MPIIO") for values in row["counters"].values() for counter in values)
    for file, values in row["counters"].items():
        for counter, value in values.items():
            if through_mpi and counter.startswith(("POSIX", "STDIO")):
                continue
            out["" if whole else file.rsplit("/", 1)[-1], counter] += value
    return out


def of_system(row):
    """Functions of system headers (getchar) are the library's, though they are compiled into the program. Of this table alone: the
    tests ask for the program's own lines."""
    return {**row, "line": ""} if row.get("source", "").startswith("/usr/") else row


def main():
    full = "--full" in sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        told = pathlib.Path(sys.argv[-1] if "--from" in sys.argv else pathlib.Path(folder) / "told")
        if "--from" not in sys.argv:
            run(told, full)
        table = collections.defaultdict(collections.Counter)
        for name, predicted, measured in pairs(told):
            row = table[name.split("::")[1].split("[")[0].removeprefix("test_") + (
                " " + name.split("[")[1].split("-")[0] if "test_program" in name else "")]
            row["cases"] += 1
            row["sites"] += len(predicted["rows"])
            for certainty in predicted["rows"]:
                row[certainty] += 1
            whole = predicted["families"] or "test_scratch" in name  # its files have names by chance
            one, other = by_counter(predicted, whole), by_counter(measured, whole)
            row["counters"] += len(one.keys() | other.keys())
            row["equal"] += sum(one[key] == other[key] for key in one.keys() | other.keys())
            for verdict in sites.compare(predicted["sites"], [of_system(row) for row in measured["sites"]], whole).values():
                row["lines"] += 1
                row["line " + verdict] += 1
    columns = ("cases", "sites", "exact", "extrapolated", "assumed", "counters", "equal", "lines",
               *(f"line {verdict}" for verdict in ("equal", "near", "flagged", "library", "wrong")))
    rows = [f"| {name} | " + " | ".join(f"{row[column]:,}" for column in columns) + " |" for name, row in sorted(table.items())]
    total = sum(table.values(), collections.Counter())
    summed = (f"{total['cases']} cases, {total['sites']:,} sites: {total['assumed']:,} assumed "
              f"({100 * total['assumed'] / total['sites']:.1f} %); of {total['counters']:,} counters {total['equal']:,} equal "
              f"({100 * total['equal'] / total['counters']:.2f} %); of {total['lines']:,} lines {total['line equal']:,} equal "
              f"({100 * total['line equal'] / total['lines']:.2f} %), {total['line near']:,} within 5 %, {total['line flagged']:,} flagged, "
              f"{total['line library']:,} in libraries, {total['line wrong']:,} wrong.")
    (ROOT / "docs" / "prediction-matrix.md").write_text(PAGE.format(how=" --full" if full else "", rows="\n".join(rows), sum=summed))
    print(summed)


if __name__ == "__main__":
    main()
