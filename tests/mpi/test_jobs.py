"""What is one MPI job, where there are several, and how a process is known for a rank."""

import hashlib
import os
import pathlib
import re
import socket
import subprocess

import pytest

from conftest import RUNTIME, TRIKAL, Log
from shutdown_support import Preloaded


def written(log, name, rank=-1):
    return int(log.record("mpiio", name, rank)["MPIIO_BYTES_WRITTEN"])


def related(log):
    return [(row["log"], row["relation"], int(row["nprocs"])) for row in log.rows("related_jobs")]


def test_threads_and_cpp(mpi, tmp_path):
    log, _ = mpi.observe(tmp_path, [*mpi.launch(3), mpi.compile("job.cpp"), str(tmp_path), "cpp.dat"])
    assert log.nprocs() == 3
    record = log.record("mpiio", "/cpp.dat")
    assert (int(record["MPIIO_COLL_OPENS"]), int(record["MPIIO_COLL_WRITES"]), written(log, "/cpp.dat")) == (3, 3, 300)
    assert "related_jobs" not in tables(log)


def tables(log):
    return subprocess.run([TRIKAL, "info", str(log.path)], capture_output=True, text=True, check=True).stdout


def test_same_library_serves_every_mpi(tmp_path_factory, capsys):
    """One line for each MPI: what it is, and the checksum of the library that observed it."""
    seen = {}
    for name in ("openmpi", "mpich"):
        from conftest import Mpi
        if subprocess.run(["sh", "-c", f"command -v mpicc.{name}"], capture_output=True).returncode != 0:
            pytest.skip(f"no mpicc.{name}: scripts/install-deps installs it")
        folder = tmp_path_factory.mktemp(f"library-{name}")  # a new one, whatever is there already
        mpi = Mpi(name, folder)
        program = mpi.compile("job.cpp")
        needed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
        library = re.search(r"(libmpi\S*) =>", needed)[1]
        log, _ = mpi.observe(folder, [*mpi.launch(2), program, str(folder), "x.dat"])
        assert written(log, "/x.dat") == 200
        seen[library] = hashlib.sha256(pathlib.Path(RUNTIME).read_bytes()).hexdigest()
    with capsys.disabled():
        for library, checksum in seen.items():
            print(f"\n{library}: observed by libtrikal.so with SHA-256 {checksum}", end="")
    assert len(seen) == 2 and len(set(seen.values())) == 1


only_open_mpi = pytest.mark.parametrize("mpi", ["openmpi"], indirect=True)
only_mpich = pytest.mark.parametrize("mpi", ["mpich"], indirect=True)


@only_mpich  # Open MPI has no sessions before its version 5
def test_sessions_model(mpi, tmp_path):
    log, _ = mpi.observe(tmp_path, [*mpi.launch(3), mpi.compile("sessions.c"), str(tmp_path)])
    assert log.nprocs() == 3
    shared = log.record("posix", "/session.dat")  # of all ranks: they were known for what they are
    assert int(shared["POSIX_BYTES_WRITTEN"]) == 900


@only_mpich
def test_sessions_model_with_the_library_alone(mpi, tmp_path):
    """There is no MPI_COMM_WORLD to meet in, and what the program makes of its sessions is not ours to use: each process
    writes its own log, and `trikal merge --renumber` makes one of them."""
    run = Preloaded(mpi, tmp_path, 3, program="sessions.c")
    assert (run.status, run.left()) == (0, [])
    assert len(run.own) == 3, run.stderr
    merged = tmp_path / "merged.darshan"
    subprocess.run([TRIKAL, "merge", "--renumber", "-o", merged, *run.own], check=True, timeout=60)
    log = Log(merged)
    assert log.nprocs() == 3
    records = [row for row in log.rows("posix") if row["name"].endswith("/session.dat")]
    assert sum(int(row["POSIX_BYTES_WRITTEN"]) for row in records) == 900
    assert len(log.rows("processes")) == 3


def test_one_job_after_the_other_are_two_logs(mpi, tmp_path):
    program = mpi.compile("job.cpp")
    run = " ".join(mpi.launch("{}")) + f" {program} {tmp_path} "
    script = f"{run.format(2)}first.dat; echo between > {tmp_path}/between.txt; {run.format(3)}second.dat"
    log, done = mpi.observe(tmp_path, ["sh", "-c", script])
    second = Log(tmp_path / "job-2.darshan")
    assert (log.nprocs(), second.nprocs()) == (2, 3), "the shell is no rank"
    assert (written(log, "/first.dat"), written(second, "/second.dat")) == (200, 300)
    assert not [row for row in second.rows("mpiio") if row["name"].endswith("first.dat")]
    assert related(log) == [("job-2.darshan", "same tree", 3)]
    assert related(second) == [("job.darshan", "same tree", 2)]
    assert done.stderr.count("job-2.darshan") == 1


def test_programs_without_a_launcher_are_processes_of_the_tree(mpi, tmp_path):
    program = mpi.compile("job.cpp")
    log, _ = mpi.observe(tmp_path, ["sh", "-c", f"{program} {tmp_path} a.dat; {program} {tmp_path} b.dat"],
                         {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    assert [path.name for path in tmp_path.glob("*.darshan")] == ["job.darshan"]
    assert sorted(int(row["MPIIO_BYTES_WRITTEN"]) for row in log.rows("mpiio")) == [100, 100]


def spawning(mpi, tmp_path):
    return [*mpi.launch(2), mpi.compile("job.cpp"), str(tmp_path), "parent.dat", "3"]


@only_open_mpi
def test_spawned_processes_are_a_job_of_their_own(mpi, tmp_path):
    log, _ = mpi.observe(tmp_path, spawning(mpi, tmp_path))
    children = Log(tmp_path / "job-2.darshan")
    assert (log.nprocs(), children.nprocs()) == (2, 3)
    assert (written(log, "/parent.dat"), written(children, "/child.dat")) == (200, 300)
    assert related(log) == [("job-2.darshan", "spawned by it", 3)]
    assert related(children) == [("job.darshan", "spawned it", 2)]


@only_mpich  # Debian's fails to spawn; a later one may do it
def test_a_spawn_ends_as_it_does_bare(mpi, tmp_path):
    command = spawning(mpi, tmp_path)
    bare = subprocess.run(command, capture_output=True, text=True, timeout=120)
    observed = subprocess.run([TRIKAL, "run", "--quiet", "--log", str(tmp_path / "job.darshan"), "--", *command],
                              capture_output=True, text=True, timeout=120)
    assert observed.returncode == bare.returncode
    rows = [row for row in Log(tmp_path / "job.darshan").rows("mpiio") if row["name"].endswith("parent.dat")]
    assert sum(int(row["MPIIO_BYTES_WRITTEN"]) for row in rows) == 200


def test_nodes_and_hints(mpi, tmp_path):
    log, _ = mpi.observe(tmp_path, [*mpi.launch(3), mpi.compile("transfers.c"), str(tmp_path)])
    hosts = {row["host"] for row in log.rows("processes") if int(row["rank"]) >= 0}
    assert hosts == {socket.gethostname()[:63]}
    hints = [(row["rank"], row["key"], row["value"]) for row in log.rows("mpiio_hints")]
    assert hints == [("-1", "cb_nodes", "1")]
    told = subprocess.run([TRIKAL, "info", str(log.path)], capture_output=True, text=True, check=True).stdout
    assert f"# node: {socket.gethostname()[:63]} (ranks 0-2)\n" in told
    assert f"# hint: {tmp_path}/shared.dat cb_nodes = 1\n" in told


@only_open_mpi
@pytest.mark.parametrize("component", ["romio321", "ompio"])
def test_both_io_libraries_of_open_mpi(mpi, tmp_path, component):
    command = [*mpi.launch(2), "--mca", "io", component, mpi.compile("transfers.c"), str(tmp_path)]
    log, _ = mpi.observe(tmp_path, command)
    shared = log.record("mpiio", "/shared.dat")
    expected = {"COLL_OPENS": 2, "INDEP_WRITES": 6, "COLL_WRITES": 2, "NB_WRITES": 4, "SPLIT_WRITES": 2,
                "BYTES_WRITTEN": 2 * 4300, "BYTES_READ": 2 * 914}
    assert {name: int(shared["MPIIO_" + name]) for name in expected} == expected
    assert int(log.record("posix", "/shared.dat")["POSIX_BYTES_WRITTEN"]) >= 2 * 4300


def ranks_of(log, name):
    return sorted(int(row["rank"]) for row in log.rows("mpiio") if row["name"].endswith(name))


@pytest.mark.parametrize("option, shared, some", [
    (None, [-1], [1, 2]), ("--no-reduce", [0, 1, 2, 3], [1, 2]), ("--reduce-some", [-1], [-1])])
def test_reduction_can_be_switched(mpi, tmp_path, option, shared, some):
    log, _ = mpi.observe(tmp_path, [*mpi.launch(4), mpi.compile("some.c"), str(tmp_path)],
                         options=[option] if option else [])
    assert (ranks_of(log, "/all.dat"), ranks_of(log, "/some.dat")) == (shared, some)
    for name, ranks in (("/all.dat", 4), ("/some.dat", 2)):
        rows = [row for row in log.rows("mpiio") if row["name"].endswith(name)]
        assert sum(int(row["MPIIO_BYTES_WRITTEN"]) for row in rows) == 10 * ranks
        assert sum(int(row["MPIIO_INDEP_WRITES"]) for row in rows) == ranks
