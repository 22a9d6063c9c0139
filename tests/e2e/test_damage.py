"""Damaged and hostile files: one clear line, no crash; with --salvage what can still be had."""

import collections
import re

import pytest

from tool import lines, run

from ground import badlogs

BAD = [pytest.param(bad, id=bad.file) for bad in badlogs.bad_logs()]
# The lines a record begins with in a listing.
FIRST = {"POSIX_OPENS": "POSIX", "MPIIO_INDEP_OPENS": "MPI-IO", "H5F_OPENS": "H5F", "H5D_OPENS": "H5D",
         "PNETCDF_FILE_CREATES": "PNETCDF_FILE", "PNETCDF_VAR_OPENS": "PNETCDF_VAR", "BGQ_CSJOBID": "BG/Q",
         "LUSTRE_NUM_COMPONENTS": "LUSTRE", "STDIO_OPENS": "STDIO", "MDHIM_PUTS": "MDHIM", "APXC_NBLADES": "APXC",
         "APXC_GROUP": "APXC", "MPI_TOTAL_COMM_TIME_VARIANCE": "APMPI", "MPI_PROCESSOR_NAME": "APMPI",
         "HEATMAP_F_BIN_WIDTH_SECONDS": "HEATMAP", "DFS_OPENS": "DFS", "DAOS_OBJ_OPENS": "DAOS"}
ENDS = {0, 2, 3, 4, 5}  # documented exit codes; a signal would be negative


def count_records(listing, traces):
    """Records by module. A trace record counts when all its segments are there."""
    found = collections.Counter()
    for line in lines(listing):
        columns = line.decode("utf-8", "replace").split("\t")
        if len(columns) >= 8 and FIRST.get(columns[3]) == columns[0]:
            found[columns[0]] += 1
    for module, body in re.findall(rb"\n# (DXT_\w+) module data\n(.*?)(?=\n# \*\*\*+\n# DXT|\Z)", traces, re.DOTALL):
        for record in re.split(rb"\n# DXT, file_id: ", body)[1:]:
            promised = re.search(rb"\n# DXT, write_count: (\d+), read_count: (\d+)\n", record)
            held = len(re.findall(rb"^ X_", record, re.MULTILINE))
            found[module.decode()] += held == int(promised[1]) + int(promised[2])
    return found


def errors(done):
    return [line.decode("utf-8", "replace") for line in lines(done.stderr) if line]


@pytest.mark.parametrize("bad", BAD)
def test_one_line_with_file_and_offset(corpus_dir, bad):
    log = corpus_dir / "bad" / bad.file
    runs = [run(verb, log) for verb in ("info", "parse", "dxt")]
    assert all(done.returncode in ENDS for done in runs), [done.returncode for done in runs]
    for done in runs:
        if done.returncode:
            (line,) = errors(done)
            assert re.match(rf"trikal: {re.escape(str(log))}: (\S+: )?offset \d+: \S", line), line
    if bad.opens == "no":
        assert all(done.returncode == 4 and not done.stdout for done in runs)
    elif bad.reports == "yes":
        assert any(done.returncode for done in runs)


@pytest.mark.parametrize("bad", [row for row in BAD if row.values[0].opens != "no"])
def test_salvage(corpus_dir, bad):
    log = corpus_dir / "bad" / bad.file
    listing, traces = run("parse", "--salvage", log), run("dxt", "--salvage", log)
    assert listing.returncode in ENDS and traces.returncode in ENDS
    if bad.opens == "?" and not listing.stdout:
        return
    if bad.reports == "yes":
        said = errors(listing) + errors(traces)
        assert said and all(str(log) in line for line in said)
    found = count_records(listing.stdout, traces.stdout)
    for module in found.keys() | bad.records.keys():
        wanted = str(bad.records.get(module, 0))
        if wanted.startswith(">="):
            assert found[module] >= int(wanted[2:]), module
        elif wanted != "?":
            assert found[module] == int(wanted), module
