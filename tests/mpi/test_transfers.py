"""What MPI programs do is in one log, counted once, whatever MPI and language."""

import hashlib
import os
import pathlib
import subprocess

import pytest

from conftest import RUNTIME, TRIKAL, Log

RANKS = [1, 2, 4]


def counters(row, expected):
    return {name: int(row["MPIIO_" + name]) for name in expected}


def test_library_is_the_same_for_every_mpi(mpi, record_property):
    checksum = hashlib.sha256(pathlib.Path(RUNTIME).read_bytes()).hexdigest()
    record_property("libtrikal.so", f"{mpi.name} {checksum}")
    print(f"{mpi.name}: libtrikal.so {checksum}")
    needed = subprocess.run(["readelf", "-d", RUNTIME], capture_output=True, text=True, check=True).stdout
    assert [line.split("[")[1].rstrip("]") for line in needed.splitlines() if "NEEDED" in line] == ["libc.so.6"]
    exported = subprocess.run(["nm", "-D", "--defined-only", RUNTIME], capture_output=True, text=True, check=True)
    assert "MPI" not in exported.stdout


def test_constants_are_those_of_the_header(mpi):
    done = subprocess.run([*mpi.launch(1), mpi.compile("constants.c")], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.strip()) == (0, mpi.name)


@pytest.mark.parametrize("ranks", RANKS)
def test_every_kind_of_transfer(mpi, tmp_path, ranks):
    log, done = mpi.observe(tmp_path, [*mpi.launch(ranks), mpi.compile("transfers.c"), str(tmp_path)])
    assert log.nprocs() == ranks
    alone = ranks == 1
    expected = {"COLL_OPENS": 0 if alone else 1, "INDEP_OPENS": 1 if alone else 0, "HINTS": 1, "VIEWS": 1, "SYNCS": 1,
                "INDEP_WRITES": 3, "COLL_WRITES": 1, "NB_WRITES": 2, "SPLIT_WRITES": 1,
                "INDEP_READS": 1, "NB_READS": 1, "COLL_READS": 1, "SPLIT_READS": 0,
                "BYTES_WRITTEN": 3 * 1000 + 600 + 2 * 200 + 300, "BYTES_READ": 800 + 50 + 64, "RW_SWITCHES": 1,
                "SIZE_READ_AGG_0_100": 2, "SIZE_READ_AGG_100_1K": 1, "SIZE_WRITE_AGG_100_1K": 7}
    shared = log.record("mpiio", "/shared.dat")
    assert counters(shared, expected) == {name: ranks * count for name, count in expected.items()}
    assert int(shared["MPIIO_MODE"]) == 9
    assert 0 <= int(shared["MPIIO_FASTEST_RANK"]) < ranks
    assert float(shared["MPIIO_F_SLOWEST_RANK_TIME"]) >= float(shared["MPIIO_F_FASTEST_RANK_TIME"]) > 0
    # The same bytes reached the file through POSIX, and lie there.
    posix = log.record("posix", "/shared.dat")
    assert int(posix["POSIX_BYTES_WRITTEN"]) >= expected["BYTES_WRITTEN"] * ranks
    assert (tmp_path / "shared.dat").stat().st_size == 4096 * (ranks - 1) + 3600


def test_launcher_outside_gives_one_log_too(mpi, tmp_path):
    log = tmp_path / "job.darshan"
    done = subprocess.run([*mpi.launch(3), TRIKAL, "run", "--log", str(log), "--", mpi.compile("transfers.c"),
                           str(tmp_path)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.glob("*.darshan")] == ["job.darshan"]
    assert done.stderr.count("trikal   transfers.c.bin") == 1, done.stderr  # one of them writes and says so
    found = Log(log)
    assert found.nprocs() == 3
    assert counters(found.record("mpiio", "/shared.dat"), ["COLL_OPENS", "INDEP_WRITES"]) == {
        "COLL_OPENS": 3, "INDEP_WRITES": 9}


@pytest.mark.parametrize("ranks", RANKS)
def test_files_of_one_rank_each(mpi, tmp_path, ranks):
    log, _ = mpi.observe(tmp_path, [*mpi.launch(ranks), mpi.compile("transfers.c"), str(tmp_path)])
    for rank in range(ranks):
        # Alone in its job, a rank shares every file with all others.
        own = log.record("mpiio", f"/own.{rank}", rank if ranks > 1 else -1)
        expected = {"INDEP_OPENS": 1, "COLL_OPENS": 0, "INDEP_WRITES": 1, "INDEP_READS": 1, "BYTES_WRITTEN": 500,
                    "BYTES_READ": 100}
        assert counters(own, expected) == expected  # what was read, not what was asked for


def test_file_of_all_ranks_but_the_first_is_shared(mpi, tmp_path):
    log, _ = mpi.observe(tmp_path, [*mpi.launch(4), mpi.compile("transfers.c"), str(tmp_path)])
    others = log.record("mpiio", "/others.dat")
    assert counters(others, ["COLL_OPENS", "INDEP_WRITES", "BYTES_WRITTEN"]) == {
        "COLL_OPENS": 3, "INDEP_WRITES": 3, "BYTES_WRITTEN": 30}
    assert int(others["MPIIO_FASTEST_RANK"]) in (1, 2, 3)


@pytest.mark.parametrize("source", ["transfers.f", "transfers_module.f90", "transfers_f08.f90"])
def test_fortran_is_counted_once(mpi, tmp_path, source):
    log, _ = mpi.observe(tmp_path, [*mpi.launch(2), mpi.compile(source), str(tmp_path)])
    expected = {"COLL_OPENS": 1, "INDEP_WRITES": 1, "NB_WRITES": 1, "COLL_WRITES": 1, "INDEP_READS": 1,
                "BYTES_WRITTEN": 400 + 400 + 200, "BYTES_READ": 40}
    found = counters(log.record("mpiio", "/fortran.dat"), expected)
    assert found == {name: 2 * count for name, count in expected.items()}


@pytest.mark.parametrize("first", ["tool", "trikal"])
def test_another_tool_watches_the_same_calls(mpi, tmp_path, first):
    tool = mpi.compile("tool.c", "-shared", "-fPIC")
    order = [tool, RUNTIME] if first == "tool" else [RUNTIME, tool]
    log, done = mpi.observe(tmp_path, [*mpi.launch(2), "env", "LD_PRELOAD=" + ":".join(order),
                                       mpi.compile("transfers.c"), str(tmp_path)])
    told = sorted(line for line in done.stderr.splitlines() if line.startswith("tool:"))
    assert told == ["tool: 2 opens, 3 writes", "tool: 3 opens, 4 writes"]
    shared = log.record("mpiio", "/shared.dat")
    assert counters(shared, ["COLL_OPENS", "INDEP_WRITES"]) == {"COLL_OPENS": 2, "INDEP_WRITES": 6}


def test_mpi_that_is_loaded_late_and_locally(mpi, tmp_path):
    plugin = mpi.compile("plugin.c", "-shared", "-fPIC")
    loader = tmp_path / "load_plugin"
    source = pathlib.Path(__file__).parent / "programs" / "load_plugin.c"
    subprocess.run(["cc", "-o", str(loader), str(source)], check=True)
    log, _ = mpi.observe(tmp_path, [*mpi.launch(2), str(loader), str(tmp_path), plugin])
    assert counters(log.record("mpiio", "/plugin.dat"), ["COLL_OPENS", "BYTES_WRITTEN"]) == {
        "COLL_OPENS": 2, "BYTES_WRITTEN": 200}


def test_program_without_mpi_finds_none(tmp_path):
    program = tmp_path / "probe"
    subprocess.run(["cc", "-o", str(program), str(pathlib.Path(__file__).parent / "programs" / "probe.c")], check=True)
    done = subprocess.run([str(program)], capture_output=True, text=True,
                          env={**os.environ, "LD_PRELOAD": RUNTIME, "TRIKAL_LOGPATH": str(tmp_path)})
    assert (done.returncode, done.stdout) == (0, "0 0\n")


def test_exit_status_passes_through(mpi, tmp_path):
    done = subprocess.run([TRIKAL, "run", "--log", str(tmp_path / "l.darshan"), "--", *mpi.launch(2),
                           mpi.compile("transfers.c"), str(tmp_path / "missing")], capture_output=True, text=True,
                          timeout=120)
    bare = subprocess.run([*mpi.launch(2), mpi.compile("transfers.c"), str(tmp_path / "missing")],
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == bare.returncode != 0
    assert (tmp_path / "l.darshan").exists()


def test_names_with_colons(mpi, tmp_path):
    """A driver in front of a name is none of it only where the library takes it for one: ROMIO does, OMPIO does not."""
    names = ["ufs:one", "NFS:two", "run:three", "four"]
    for component in ([], ["--mca", "io", "romio321"])[:2 if mpi.name == "openmpi" else 1]:
        folder = tmp_path / f"data{len(component)}"
        folder.mkdir()
        command = [*mpi.launch(1), *component, mpi.compile("drivers.c"), str(folder), *names]
        log, done = mpi.observe(folder.parent, command)
        made = {f"{folder}/{path.name}" for path in folder.iterdir()}
        assert len(made) == len(done.stdout.split()) >= 3, done.stdout
        assert {row["name"] for row in log.rows("mpiio")} == made
        assert {row["name"] for row in log.rows("posix")} >= made
