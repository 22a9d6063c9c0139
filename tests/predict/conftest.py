"""A program is predicted from its source, then run under observation; both logs are read the same way."""

import json
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()
TRIKAL = BUILD / "bin" / "trikal"

# Neither a calibration nor a profile of whoever runs the tests: scores come from what is shipped.
os.environ["TRIKAL_CALIBRATION"] = "/nonexistent"

COUNTERS = """POSIX_OPENS POSIX_DUPS POSIX_READS POSIX_WRITES POSIX_SEEKS POSIX_STATS POSIX_FSYNCS POSIX_FDSYNCS POSIX_BYTES_READ
POSIX_BYTES_WRITTEN STDIO_OPENS STDIO_READS STDIO_WRITES STDIO_SEEKS STDIO_FLUSHES STDIO_BYTES_READ STDIO_BYTES_WRITTEN
MPIIO_INDEP_OPENS MPIIO_COLL_OPENS MPIIO_INDEP_READS MPIIO_INDEP_WRITES MPIIO_COLL_READS MPIIO_COLL_WRITES MPIIO_NB_READS
MPIIO_NB_WRITES MPIIO_SYNCS MPIIO_VIEWS MPIIO_BYTES_READ MPIIO_BYTES_WRITTEN H5F_OPENS H5F_FLUSHES H5D_OPENS H5D_READS H5D_WRITES
H5D_FLUSHES H5D_BYTES_READ H5D_BYTES_WRITTEN H5D_RW_SWITCHES H5D_REGULAR_HYPERSLAB_SELECTS H5D_IRREGULAR_HYPERSLAB_SELECTS
H5D_POINT_SELECTS""".split()


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("bitcode")


def counters(log):
    """{file: {counter: value}} of what is not zero. Streams every program has count when something was done to them."""
    told = subprocess.run([TRIKAL, "parse", "--base", log], capture_output=True, check=True).stdout
    files = {}
    for line in told.decode(errors="surrogateescape").splitlines():
        fields = line.split("\t")
        if line.startswith("#") or len(fields) < 6 or fields[3] not in COUNTERS or fields[4] == "0":
            continue
        if fields[5].startswith("<STD") and fields[3] == "STDIO_OPENS":
            continue
        files.setdefault(fields[5], {}).setdefault(fields[3], 0)
        files[fields[5]][fields[3]] += int(fields[4])
    # What HDF5 does to its files beneath is its own, and not predicted.
    return {name: {key: value for key, value in values.items() if key.startswith("H5") or "H5F_OPENS" not in values}
            for name, values in files.items()}


def remember(kind, files, **more):
    """For matrix_table.py, which asks for it."""
    if "TRIKAL_MATRIX" not in os.environ:
        return
    row = {"test": os.environ["PYTEST_CURRENT_TEST"].rsplit(" ", 1)[0], "kind": kind, "counters": files, **more}
    with open(os.environ["TRIKAL_MATRIX"], "a") as out:
        out.write(json.dumps(row) + "\n")


def predict(folder, cache, sources, arguments, *options):
    """(the JSON of it, the counters of its log)"""
    log = folder / "predicted.darshan"
    done = subprocess.run([TRIKAL, "predict", "--json", "--log", log, *options, *map(str, sources), "--", *map(str, arguments)],
                          capture_output=True, cwd=folder, timeout=120, env={**os.environ, "TRIKAL_CACHE": str(cache)})
    assert done.returncode == 0, done.stderr.decode()
    told, files = json.loads(done.stdout.decode(errors="surrogateescape")), counters(log)
    rows = [row for one in told["predictions"] for row in one["accesses"]]
    remember("predicted", files, rows=[row["certainty"] for row in rows], sites=predicted_sites(told),
             families=any(row["files_like_it"] > 0 for row in rows))
    return told, files


def predicted_sites(told):
    """A row a line of the source, file and operation, of all ranks that were looked at: what a run's call sites are held against."""
    return [{"file": row["file"], "operation": row["operation"], "line": source_line(row["source"], row["line"]), "count": row["count"],
             "bytes": row["bytes"], "certainty": row["certainty"]}
            for one in told["predictions"] for row in one["accesses"]]


def measured_sites(log):
    done = subprocess.run([TRIKAL, "export", "-f", "json", "-t", "sites", "-o", "-", log], capture_output=True)
    if done.returncode:  # a run without a call to note has no such table
        return []
    table = json.loads(done.stdout.decode(errors="surrogateescape"))["tables"]["sites"]
    rows = [dict(zip([column["name"] for column in table["columns"]], row)) for row in table["rows"]]
    return [{"file": row["name"] or "", "operation": row["operation"], **caller_of(row), "count": row["count"], "bytes": row["bytes"]}
            for row in rows]


def caller_of(row):
    """Who made the call itself: a prediction is about the program's own calls, and has no line for those of a library."""
    if row["through"]:
        return {"line": "", "object": "/usr/lib/" + re.split(r" < | \(", row["through"])[0], "source": ""}
    return {"line": source_line(row["source"], row["line"]), "object": row["object"], "source": row["source"] or ""}


def source_line(source, line):
    return f"{pathlib.PurePath(source).name}:{line}" if line else ""


def observe(folder, command):
    log = folder.parent / (folder.name + "-measured.darshan")
    done = subprocess.run([TRIKAL, "run", "--quiet", "--call-sites", "--force", "--log", log, "--", *map(str, command)], cwd=folder, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=300)
    files = counters(log)
    remember("measured", files, sites=measured_sites(log))
    return files, done


def side_by_side(tmp_path, cache, command, sources, arguments, *options, prepare=None):
    """(the JSON of a prediction, its counters, those of a run, how the run ended): predicted in one folder, run in another
    just like it, with names as seen from there."""
    folders = [tmp_path / "predicted", tmp_path / "measured"]
    for folder in folders:
        folder.mkdir()
        if prepare:
            prepare(folder)
    told, predicted = predict(folders[0], cache, sources, arguments, *options)
    measured, done = observe(folders[1], [*command, *arguments])
    short = [{name.replace(str(folder), "."): values for name, values in files.items()}
             for folder, files in zip(folders, (predicted, measured))]
    return told, *short, done


def compile_c(source, program, compiler="gcc", *options):
    subprocess.run([compiler, "-O1", "-g", "-w", "-o", program, source, *options, "-lpthread", "-lrt", "-lm"], check=True)
    return program


def totals(files):
    """Sums over all files: where a loop opens many, one record of the prediction stands for those like it."""
    out = {}
    for values in files.values():
        for counter, value in values.items():
            out[counter] = out.get(counter, 0) + value
    return out
