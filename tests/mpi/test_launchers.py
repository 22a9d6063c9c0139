"""`trikal run` started by launchers, and launchers started by it: one log of a step and node, whose ranks are the launcher's."""

import os
import signal
import subprocess
import time

import pytest

import slurm as slurm_daemons
from conftest import TRIKAL, Log

RANKS = 4
STEP = "trikal-test-{}"

# What each launcher tells rank {rank} of {ranks}; {id} is the step's.
ENVIRONMENTS = {
    "mpirun of Open MPI": {"OMPI_COMM_WORLD_RANK": "{rank}", "OMPI_COMM_WORLD_SIZE": "{ranks}",
                           "OMPI_COMM_WORLD_LOCAL_SIZE": "{ranks}", "PMIX_NAMESPACE": "{id}", "PMIX_RANK": "{rank}"},
    "mpirun of MPICH": {"PMI_RANK": "{rank}", "PMI_SIZE": "{ranks}", "MPI_LOCALNRANKS": "{ranks}", "MPI_LOCALRANKID": "{rank}"},
    "srun": {"SLURM_PROCID": "{rank}", "SLURM_STEP_NUM_TASKS": "{ranks}", "SLURM_GTIDS": "0,1,2,3", "SLURM_JOB_ID": "{id}",
             "SLURM_STEP_ID": "0", "SLURM_NODEID": "0"},
    "flux run": {"FLUX_TASK_RANK": "{rank}", "FLUX_JOB_SIZE": "{ranks}", "FLUX_JOB_NNODES": "1", "FLUX_JOB_ID": "{id}"},
    "mpiexec of PALS": {"PALS_RANKID": "{rank}", "PMI_SIZE": "{ranks}", "PALS_LOCAL_SIZE": "{ranks}", "PALS_APID": "{id}",
                        "PALS_NODEID": "0"},
    "aprun": {"ALPS_APP_PE": "{rank}", "PMI_SIZE": "{ranks}", "ALPS_APP_ID": "{id}"},
    "jsrun": {"JSM_NAMESPACE_RANK": "{rank}", "JSM_NAMESPACE_SIZE": "{ranks}", "JSM_NAMESPACE_LOCAL_SIZE": "{ranks}",
              "PMIX_RANK": "{rank}", "PMIX_NAMESPACE": "{id}"},
    "torchrun": {"RANK": "{rank}", "WORLD_SIZE": "{ranks}", "LOCAL_WORLD_SIZE": "{ranks}", "TORCHELASTIC_RUN_ID": "{id}"},
}


def environment_of(launcher, rank, step):
    told = {name: text.format(rank=rank, ranks=RANKS, id=step) for name, text in ENVIRONMENTS[launcher].items()}
    return {**os.environ, **told}


def start_all(launcher, folder, command, ranks=range(RANKS)):
    """As a launcher would: all of them have one parent and one name for their log."""
    step = STEP.format(f"{os.getpid()}-{time.monotonic_ns()}")
    return [subprocess.Popen([TRIKAL, "run", "--quiet", "--log", folder / "job.darshan", "--", *command], cwd=folder,
                             env={**environment_of(launcher, rank, step), "TEST_RANK": str(rank)}, stderr=subprocess.PIPE,
                             text=True) for rank in ranks]


def end_all(tasks):
    return [(task.wait(timeout=120), task.stderr.read()) for task in tasks]


def bytes_by_rank(log, stem="out."):
    return {int(row["rank"]): int(row["POSIX_BYTES_WRITTEN"]) for row in log.rows("posix") if f"/{stem}" in row["name"]}


WRITE = ["sh", "-c", "printf hello > out.$TEST_RANK"]


@pytest.mark.parametrize("launcher", ENVIRONMENTS)
def test_ranks_of_a_step_share_a_log(launcher, tmp_path):
    assert end_all(start_all(launcher, tmp_path, WRITE)) == [(0, "")] * RANKS
    assert [path.name for path in tmp_path.glob("*.darshan")] == ["job.darshan"]
    log = Log(tmp_path / "job.darshan")
    assert log.nprocs() == RANKS
    assert bytes_by_rank(log) == dict.fromkeys(range(RANKS), 5)


def test_late_and_early_ranks(tmp_path):
    """One has ended before the next one begins, and one is killed with its program while others go on."""
    step = STEP.format(time.monotonic_ns())
    tasks = []
    for rank in range(RANKS):
        wait = 60 if rank == 1 else 4 if rank == 3 else 0
        command = ["sh", "-c", f"printf hello > out.{rank}; sleep {wait}"]
        tasks.append(subprocess.Popen([TRIKAL, "run", "--quiet", "--log", tmp_path / "job.darshan", "--", *command], cwd=tmp_path,
                                      env=environment_of("flux run", rank, step), start_new_session=True))
        if rank == 0:
            time.sleep(1)
    while not (tmp_path / "out.1").exists():
        time.sleep(0.1)
    os.killpg(tasks[1].pid, signal.SIGKILL)
    assert [task.wait(timeout=60) for task in tasks] == [0, -signal.SIGKILL, 0, 0]
    logs = sorted(path.name for path in tmp_path.glob("*.darshan"))
    assert logs == ["job.darshan"]
    assert bytes_by_rank(Log(tmp_path / "job.darshan")) == dict.fromkeys(range(RANKS), 5)


def test_a_rank_whose_program_is_not_there(tmp_path):
    """The others' log is written all the same, whoever ends last."""
    step = STEP.format(time.monotonic_ns())
    tasks = [subprocess.Popen([TRIKAL, "run", "--quiet", "--log", tmp_path / "job.darshan", "--", *command], cwd=tmp_path,
                              stderr=subprocess.DEVNULL, env=environment_of("flux run", rank, step))
             for rank, command in enumerate([["sh", "-c", "printf hello > out.0"], ["/no/such/program"],
                                             ["sh", "-c", "printf hello > out.2"], ["/no/such/program"]])]
    assert [task.wait(timeout=60) for task in tasks] == [0, 127, 0, 127]
    assert bytes_by_rank(Log(tmp_path / "job.darshan")) == {0: 5, 2: 5}


@pytest.fixture(scope="module")
def slurm(tmp_path_factory):
    if why := slurm_daemons.missing():
        pytest.skip(why)
    daemons = slurm_daemons.Slurm(tmp_path_factory.mktemp("slurm"))
    yield daemons
    daemons.stop()


TASK = "printf hello > out.$SLURM_PROCID"


def test_srun_of_trikal_run(slurm, tmp_path):
    slurm.run("srun", "-N1", "-n4", TRIKAL, "run", "--log", "job.darshan", "--", "sh", "-c", TASK, cwd=tmp_path)
    log = Log(tmp_path / "job.darshan")
    assert [path.name for path in tmp_path.glob("*.darshan")] == ["job.darshan"]
    assert log.nprocs() == 4 and bytes_by_rank(log) == dict.fromkeys(range(4), 5)


def test_srun_of_trikal_run_on_two_nodes(slurm, tmp_path):
    """A log for each node, of ranks of the whole step, which merge into one."""
    done = slurm.run("srun", "-N2", "-n4", "--ntasks-per-node=2", TRIKAL, "run", "--log", "job.darshan", "--", "sh", "-c", TASK,
                     cwd=tmp_path)
    logs = [tmp_path / "job.n1.darshan", tmp_path / "job.n2.darshan"]
    assert sorted(tmp_path.glob("*.darshan")) == logs
    assert [bytes_by_rank(Log(log)) for log in logs] == [{0: 5, 1: 5}, {2: 5, 3: 5}]
    assert [Log(log).nprocs() for log in logs] == [4, 4]
    assert "of 4 ranks, 2 are not in this log: 2-3." in done.stderr
    assert "of 4 ranks, 2 are not in this log: 0-1." in done.stderr
    merged = tmp_path / "merged.darshan"
    slurm.run(TRIKAL, "merge", "-o", merged, *logs)
    assert bytes_by_rank(Log(merged)) == dict.fromkeys(range(4), 5)
    assert "not in this log" not in slurm.run(TRIKAL, "summary", merged).stdout


def test_srun_with_an_mpi_program(slurm, mpi, tmp_path):
    """By PMI, where Slurm and the MPI of this machine can talk to each other."""
    kind = {"openmpi": "pmix", "mpich": "pmi2"}[mpi.name]
    program = [mpi.compile("some.c"), tmp_path]
    if slurm.run("srun", f"--mpi={kind}", "-n2", *program, check=False).returncode != 0:
        program, kind = ["sh", "-c", "printf x > all.dat"], "none"
    slurm.run("srun", f"--mpi={kind}", "-n2", TRIKAL, "run", "--log", "job.darshan", "--", *program, cwd=tmp_path)
    log = Log(tmp_path / "job.darshan")
    assert log.nprocs() == 2
    assert {int(row["rank"]) for row in log.rows("posix") if row["name"].endswith("/all.dat")} <= {-1, 0, 1}


def test_trikal_run_of_srun(slurm, tmp_path):
    slurm.run(TRIKAL, "run", "--log", "job.darshan", "--", "srun", "-N2", "-n4", "sh", "-c", TASK, cwd=tmp_path)
    log = Log(tmp_path / "job.darshan")
    assert log.nprocs() == 4 and bytes_by_rank(log) == dict.fromkeys(range(4), 5)


def test_steps_are_jobs(slurm, tmp_path):
    """Two of them in one script are two logs, which know of each other."""
    script = f"srun -n2 sh -c '{TASK}'; srun -n3 sh -c '{TASK.replace('out.', 'more.')}'"
    slurm.run(TRIKAL, "run", "--log", "job.darshan", "--", "sh", "-c", script, cwd=tmp_path)
    first, second = Log(tmp_path / "job.darshan"), Log(tmp_path / "job-2.darshan")
    assert (first.nprocs(), second.nprocs()) == (2, 3)
    assert bytes_by_rank(first) == {0: 5, 1: 5} and bytes_by_rank(second, "more.") == {0: 5, 1: 5, 2: 5}
    assert [(row["log"], int(row["nprocs"])) for row in first.rows("related_jobs")] == [("job-2.darshan", 3)]


def test_a_batch_script_is_no_step(slurm, tmp_path):
    """It is told of tasks that it has not started: its processes are a tree like any other."""
    script = tmp_path / "batch.sh"
    script.write_text(f"#!/bin/sh\n{TRIKAL} run --log job.darshan -- sh -c 'cat batch.sh > copy; printf hello > out.0'\n")
    script.chmod(0o755)
    slurm.run("sbatch", "-W", "-n3", "-o", "told.txt", script, cwd=tmp_path)
    log = Log(tmp_path / "job.darshan")
    assert log.nprocs() == 2, (tmp_path / "told.txt").read_text()


def test_tasks_with_memory_of_their_own(slurm, tmp_path):
    """As on other nodes: what they do comes back by way of the log's directory."""
    private = ["unshare", "-m", "sh", "-c", f"mount -t tmpfs none /dev/shm && {TASK}"]
    slurm.run(TRIKAL, "run", "--log", "job.darshan", "--", "srun", "-N2", "-n4", *private, cwd=tmp_path)
    log = Log(tmp_path / "job.darshan")
    assert log.nprocs() == 4 and bytes_by_rank(log) == dict.fromkeys(range(4), 5)
    assert {path.name for path in tmp_path.iterdir()} == {"job.darshan", *(f"out.{rank}" for rank in range(4))}
