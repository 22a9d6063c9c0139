"""Every record's rank is one of the job's, whoever wrote the log: readers refuse it otherwise, and what ranks wrote by
themselves can be merged."""

import importlib.util
import os
import subprocess

import pytest

from conftest import RUNTIME, TRIKAL, Log
from shutdown_support import Preloaded, of, truth, written

TABLES = ("posix", "stdio", "mpiio", "heatmap")


def ranks_in(log):
    ranks = set()
    for table in TABLES:
        done = subprocess.run([TRIKAL, "export", str(log.path), "-f", "csv", "-t", table, "-o", "-"], capture_output=True)
        if done.returncode == 0:
            ranks |= {int(row["rank"]) for row in log.rows(table)}
    return ranks


def is_sound(path, ranks):
    """As Darshan's own library sees it: it aborts the process that shows it a rank beyond the number of processes."""
    log = Log(path)
    assert log.nprocs() == ranks and max(ranks_in(log)) < ranks
    script = ("import darshan, sys\nfrom darshan.backend.cffi_backend import accumulate_records\n"
              "report = darshan.DarshanReport(sys.argv[1], read_all=True)\n"
              "records = report.records['POSIX'].to_df()\n"
              "print(accumulate_records(records, 'POSIX', report.metadata['job']['nprocs']).derived_metrics.total_bytes)")
    if importlib.util.find_spec("darshan") is None:
        pytest.skip("PyDarshan is not installed: tests/requirements.txt names it")
    done = subprocess.run(["python3", "-c", script, path], capture_output=True, text=True,
                          env={**os.environ, "PATH": f"{os.path.dirname(os.sys.executable)}:{os.environ['PATH']}"})
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


def merge(folder, logs, *options):
    merged = folder / "merged.darshan"
    done = subprocess.run([TRIKAL, "merge", "-o", merged, *options, *logs], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return merged


@pytest.mark.parametrize("how", ["abort", "kill"])
def test_logs_of_single_ranks(mpi, tmp_path, how):
    """Written by ranks that could not agree on one, or recovered from what they left: parts of one job, as many as it has."""
    run = Preloaded(mpi, tmp_path, 4, how=how, whose=1)
    logs = run.recover()
    assert len(logs) == 4
    for log in logs:
        is_sound(log, 4)
    assert len({Log(log).rows("job")[0]["job_id"] for log in logs}) == 1
    merged = merge(tmp_path, logs, "--shared-redux")
    assert is_sound(merged, 4) >= sum(truth(4).values())
    assert set(of(merged, "shared.dat")) == {-1} and set(of(merged, "own.2")) == {2}
    assert {name: count for name, count in written([merged]).items() if name in truth(4)} == truth(4)


def test_a_single_log_says_which_ranks_are_elsewhere(mpi, tmp_path):
    logs = Preloaded(mpi, tmp_path, 4, how="kill", whose=1).recover()
    told = subprocess.run([TRIKAL, "summary", logs[0]], capture_output=True, text=True, check=True).stdout
    assert "of 4 ranks, 3 are not in this log: " in told
    told = subprocess.run([TRIKAL, "summary", merge(tmp_path, logs)], capture_output=True, text=True, check=True).stdout
    assert "not in this log" not in told


def test_children_of_ranks(mpi, tmp_path):
    """They have their rank's number, and merge with its log."""
    logs, data = tmp_path / "logs", tmp_path / "data"
    logs.mkdir(), data.mkdir()
    script = f'echo hello > {data}/own.$TRIKAL_TEST_RANK; exec {mpi.compile("some.c")} {data}'
    rank = "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"
    done = subprocess.run([*mpi.launch(2), "env", f"LD_PRELOAD={RUNTIME}", f"TRIKAL_LOGPATH={logs}", "sh", "-c",
                           f"TRIKAL_TEST_RANK={rank}; {script}"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found = sorted(logs.rglob("*.darshan"))
    assert len(found) == 3, "one of the job, one of each shell"
    for log in found:
        is_sound(log, 2)
    merged = merge(tmp_path, found)
    assert is_sound(merged, 2) >= 2 * 6
    assert {int(row["rank"]) for row in Log(merged).rows("posix") if "/own." in row["name"]} == {0, 1}


def test_helpers_are_no_ranks(mpi, tmp_path):
    """What prepares a job and what its ranks start do not add to the number of ranks; one record for each file and rank."""
    rank = "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"
    script = (f"echo prepare > {tmp_path}/prepared.txt; {' '.join(mpi.launch(2))} sh -c "
              f"'sh -c \"echo child >> {tmp_path}/note.{rank}\"; echo own >> {tmp_path}/note.{rank}; exec \"$@\"' "
              f"sh {mpi.compile('some.c')} {tmp_path}")
    log, done = mpi.observe(tmp_path, ["sh", "-c", script])
    is_sound(log.path, 2)
    notes = {(row["name"].rsplit("/", 1)[1], int(row["rank"])): int(row["POSIX_BYTES_WRITTEN"]) for row in log.rows("posix")
             if "/note." in row["name"]}
    assert notes == {("note.0", 0): 10, ("note.1", 1): 10}
    assert log.record("posix", "/prepared.txt", 0)["POSIX_BYTES_WRITTEN"] == "8"
    assert "some.c.bin · " in done.stderr and "not in this log" not in done.stderr
