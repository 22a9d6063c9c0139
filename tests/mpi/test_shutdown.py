"""With the library preloaded and nothing else, the ranks of a job write one log together in MPI_Finalize."""

import os
import subprocess

import pytest

from conftest import TRIKAL, Log
from shutdown_support import Preloaded, bare, of, told, truth, written


@pytest.mark.parametrize("ranks", [1, 2, 4, 8])
def test_one_log_with_everything(mpi, tmp_path, ranks):
    run = Preloaded(mpi, tmp_path, ranks)
    assert run.status == 0, run.stderr
    assert len(run.own) == 1, run.stderr
    assert Log(run.own[0]).nprocs() == ranks
    found = written(run.own)
    assert {name: found.get(name) for name in truth(ranks)} == truth(ranks)
    assert run.left() == []
    assert len(Log(run.own[0]).rows("processes")) == ranks
    assert "trikal" not in run.stderr


def test_who_shares_what(mpi, tmp_path):
    log = Preloaded(mpi, tmp_path, 4).own[0]
    assert set(of(log, "shared.dat")) == {-1}
    assert set(of(log, "others.dat")) == {-1}  # of all ranks but the first
    assert set(of(log, "some.dat")) == {0, 1}
    assert set(of(log, "own.2")) == {2}
    shared = of(log, "shared.dat")[-1]
    assert int(shared["POSIX_OPENS"]) == 4
    assert int(shared["POSIX_FASTEST_RANK"]) in range(4) and int(shared["POSIX_SLOWEST_RANK"]) in range(4)
    assert int(shared["POSIX_FASTEST_RANK_BYTES"]) == 1000 * (int(shared["POSIX_FASTEST_RANK"]) + 1)
    bytes_of = [1000, 2000, 3000, 4000]
    assert float(shared["POSIX_F_VARIANCE_RANK_BYTES"]) == pytest.approx(sum((b - 2500) ** 2 for b in bytes_of) / 4)
    assert float(shared["POSIX_F_SLOWEST_RANK_TIME"]) >= float(shared["POSIX_F_FASTEST_RANK_TIME"]) > 0


def test_log_is_the_one_that_trikal_run_makes(mpi, tmp_path):
    """Everything that does not depend on the clock is equal, and Darshan's own text shows it."""
    log = Preloaded(mpi, tmp_path, 4).own[0]
    data = tmp_path / "again"
    data.mkdir()
    other = tmp_path / "run.darshan"
    subprocess.run([TRIKAL, "run", "--quiet", "--log", other, "--", *mpi.launch(4), mpi.compile("job.c"), data, "plain",
                    "-1"], check=True, capture_output=True, timeout=120)

    def counters(path, folder):
        text = subprocess.run([TRIKAL, "parse", "--base", path], capture_output=True, text=True, check=True).stdout
        rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
        return sorted((*row[:2], *row[3:5], row[5].removeprefix(str(folder))) for row in rows
                      if row[5].startswith(str(folder)) and not any(word in row[3] for word in ("_F_", "_TIME", "_RANK")))

    ours = counters(log, tmp_path / "data")
    assert ours == counters(other, data)
    assert len({row[4] for row in ours}) == 7


def test_heatmaps_are_on_one_axis(mpi, tmp_path):
    log = Log(Preloaded(mpi, tmp_path, 3).own[0])
    rows = [row for row in log.rows("heatmap") if row["name"] == "heatmap:POSIX"]
    assert {int(row["rank"]) for row in rows} == {0, 1, 2}
    assert len({row["bin_width_seconds"] for row in rows}) == 1


def test_no_stray_message_reaches_the_program(mpi, tmp_path):
    run = Preloaded(mpi, tmp_path, 4, how="anytag")
    assert (run.status, run.stdout) == (0, "nothing but work\n"), run.stderr
    assert len(run.own) == 1


def test_large_parts_are_written_by_their_owners(mpi, tmp_path):
    """More than is sent to the root: each rank packs and writes its own."""
    run = Preloaded(mpi, tmp_path, 4, how="6000", program="many_files.c")
    assert run.status == 0, run.stderr
    assert len(run.own) == 1 and run.left() == []
    log = Log(run.own[0])
    rows = [row for row in log.rows("posix") if "/many." in row["name"]]
    assert len(rows) == 4 * 6000
    assert {(int(row["rank"]), int(row["POSIX_BYTES_WRITTEN"])) for row in rows} == {(r, r + 1) for r in range(4)}
    assert all(row["name"].rsplit("/", 1)[1].startswith(f"many.{row['rank']}.") for row in rows)
    assert oct(run.own[0].stat().st_mode & 0o777) == "0o400"


def test_reduction_can_be_switched_off(mpi, tmp_path):
    run = Preloaded(mpi, tmp_path, 3, environment={"DARSHAN_DISABLE_SHARED_REDUCTION": "1"})
    assert len(run.own) == 1
    assert set(of(run.own[0], "shared.dat")) == {0, 1, 2}
    found = written(run.own)
    assert {name: found.get(name) for name in truth(3)} == truth(3)


def test_every_process_its_own_log_on_request(mpi, tmp_path):
    run = Preloaded(mpi, tmp_path, 3, environment={"TRIKAL_MPI_DEADLINE": "0"})
    assert len(run.own) == 3
    found = written(run.own)
    assert {name: found.get(name) for name in truth(3)} == truth(3)


def test_named_log(mpi, tmp_path):
    run = Preloaded(mpi, tmp_path, 2, environment={"TRIKAL_LOGFILE": str(tmp_path / "this.darshan")})
    assert run.status == 0 and run.own == []
    assert Log(tmp_path / "this.darshan").nprocs() == 2


@pytest.mark.parametrize("without", [0, 1])
def test_a_rank_without_the_library(mpi, tmp_path, without):
    run = Preloaded(mpi, tmp_path, 3, without=without, environment={"TRIKAL_MPI_DEADLINE": "3"})
    assert run.status == 0, run.stderr
    assert run.seconds < 3 + 15
    found = written(run.own)
    assert found[f"own.{2}"] == 500 and f"own.{without}" not in found
    assert found["shared.dat"] == sum(1000 * (rank + 1) for rank in range(3) if rank != without)
    assert run.left() == []


@pytest.mark.parametrize("whose", [0, 1])
def test_a_rank_that_comes_too_late(mpi, tmp_path, whose):
    run = Preloaded(mpi, tmp_path, 3, how="sleep", whose=whose, environment={"TRIKAL_MPI_DEADLINE": "2"})
    assert run.status == 0, run.stderr
    found = written(run.own)
    assert {name: found.get(name) for name in truth(3)} == truth(3)  # each once
    assert run.left() == []


@pytest.mark.parametrize("how", ["exit", "abort", "kill"])
def test_a_rank_that_does_not_come(mpi, tmp_path, how):
    run = Preloaded(mpi, tmp_path, 3, how=how, whose=1, environment={"TRIKAL_MPI_DEADLINE": "3"})
    assert told(mpi, how, run.status) == told(mpi, how, bare(mpi, tmp_path / "bare", 3, how, 1))
    found = written(run.recover())
    assert {name: found.get(name) for name in truth(3)} == truth(3)


@pytest.mark.parametrize("whose", [0, 2])
def test_no_directory_for_logs_on_one_rank(mpi, tmp_path, whose):
    """/proc takes no directories: as if a file system were missing or full on one node."""
    run = Preloaded(mpi, tmp_path, 3, rank_settings={whose: {"TRIKAL_LOGPATH": "/proc/nowhere"}})
    assert run.status == 0, run.stderr
    found = written(run.recover())
    assert {name: found.get(name) for name in truth(3)} == truth(3)
    assert len(run.own) == (1 if whose != 0 else 2)  # the root writes; without it each writes its own


def test_trikal_run_gathers_by_itself(mpi, tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    done = subprocess.run([TRIKAL, "run", "--quiet", "--log", tmp_path / "l.darshan", "--", *mpi.launch(2),
                           mpi.compile("job.c"), data, "plain", "-1"], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "TRIKAL_LOGPATH": str(tmp_path / "logs")})
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "logs").exists()
    assert Log(tmp_path / "l.darshan").nprocs() == 2


