"""Programs of our own under libtrikal: every counter of their records is what the steps they made add up to.

What the golden programs show of Darshan's counters (test_golden*.py, where the shared folder is there) these show without
it: the truth is worked out step by step in steps.py, by the rules of the specification and with the corrections of
exceptions.tsv.
"""

import collections
import os
import random
import shutil
import subprocess

import pytest

from steps import CUR, END, ROOT, SET, Script, folds

BUILD = ROOT / os.environ.get("TRIKAL_BUILD", "build/release")
SOURCE = ROOT / "tests" / "golden" / "programs" / "steps.c"
LAUNCH = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--mca", "orte_tmpdir_base", "/dev/shm"],
          "mpich": ["mpirun.mpich"]}
PREFIX = {"POSIX": "POSIX", "STDIO": "STDIO", "MPI-IO": "MPIIO"}
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
# Decided by how long things took.
BY_TIME = ("MAX_READ_TIME_SIZE", "MAX_WRITE_TIME_SIZE", "FASTEST_RANK", "SLOWEST_RANK", "FASTEST_RANK_BYTES",
           "SLOWEST_RANK_BYTES")


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """The program by what it was built with: "", "mpich" or "openmpi"."""
    folder = tmp_path_factory.mktemp("bin")

    def build(mpi=""):
        program, compiler = folder / f"steps{mpi}", f"mpicc.{mpi}" if mpi else "cc"
        if shutil.which(compiler) is None:
            pytest.skip(f"no {compiler}: scripts/install-deps installs it")
        if not program.exists():
            subprocess.run([compiler, "-O1", *(["-DWITH_MPI"] if mpi else []), "-Wall", "-Wextra", "-o", program, SOURCE], check=True)
        return program
    return build


def observe(folder, *command):
    """{(module, rank, file): {counter: text}} of a run."""
    log = folder.parent / "log.darshan"
    done = subprocess.run([BUILD / "bin" / "trikal", "run", "--quiet", "--log", log, "--", *map(str, command)],
                          capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    parsed = subprocess.run([BUILD / "bin" / "trikal", "parse", log], check=True, capture_output=True).stdout.decode()
    found = collections.defaultdict(dict)
    for line in parsed.splitlines():
        fields = line.split("\t")
        if not line.startswith("#") and len(fields) > 5 and fields[5].startswith(str(folder) + "/"):
            found[fields[0], int(fields[1]), fields[5].removeprefix(f"{folder}/")][fields[3]] = fields[4]
    return found


def wrong_counters(module, wanted, found):
    """Differences of one record, as text."""
    for name, value in wanted.items():
        word, seen = name.removeprefix(PREFIX[module] + "_"), found[name]
        if word in BY_TIME or word == "F_VARIANCE_RANK_TIME":
            continue
        if word == "F_VARIANCE_RANK_BYTES":
            if abs(float(seen) - value) > 1e-6 + 1e-9 * value:
                yield f"{name} is {seen}, not {value}"
        elif word.startswith("F_"):
            if float(seen) < 0 or ("STAMP" in word and (float(seen) > 0) != (value > 0)):
                yield f"{name} is {seen}, {'some time' if value else 'never'} is right"
        elif int(seen) != value:
            yield f"{name} is {seen}, not {value}"
    for event in ("OPEN", "READ", "WRITE", "CLOSE"):
        start, end = (float(found[f"{PREFIX[module]}_F_{event}_{when}_TIMESTAMP"]) for when in ("START", "END"))
        if start > end:
            yield f"{event} ends at {end} and starts at {start}"


def check(wanted, found):
    """`wanted` is {(module, rank, file): counters}; there may be no other records of these modules."""
    assert wanted and {key for key in found if key[0] in {key[0] for key in wanted}} == set(wanted)
    wrong = [f"{key}: {text}" for key in wanted for text in wrong_counters(key[0], wanted[key], found[key])]
    assert not wrong, "\n".join(wrong[:40])


def counted(script, rank=0):
    held = (("POSIX", script.posix), ("STDIO", script.stdio), ("MPI-IO", script.mpiio))
    return {(module, rank, name): record.counters() for module, files in held for name, record in files.items()}


# ---- one process

def access_patterns(script):
    """Consecutive, with gaps, backwards, the same again, from offset 1 on; opened again."""
    script.open(0, "consecutive")
    for _ in range(20):
        script.write(0, 1000)
    script.open(1, "gaps")
    for i in range(30):
        script.pwrite(1, 100, 100 + i * (500 if i % 3 else 900) + i)
    script.open(2, "backwards")
    for i in range(20, 0, -1):
        script.pwrite(2, 64, 4096 * i)
    script.close(2)
    script.open(2, "backwards")
    for i in range(3):
        script.pread(2, 64, 4096 + 64 * i)
        script.pread(2, 64, 4096)
    script.open(3, "first at 1".replace(" ", "-"))
    script.pwrite(3, 10, 1)
    script.pwrite(3, 10, 12)
    script.open(4, "one-byte")
    for at in (0, 0, 1, 5, 5):
        script.pwrite(4, 1, at)


def size_classes(script):
    """Both sides of every edge, up to beyond a gigabyte of a file with a hole."""
    script.open(0, "sizes")
    edges = [100, KIB, 10 * KIB, 100 * KIB, MIB, 4 * MIB, 10 * MIB]
    for edge in [0, 1, *edges]:
        for size in (edge, edge + 1):
            script.pwrite(0, size, 0)
            script.pread(0, size, 0)
    script.truncate(0, 3 * GIB)
    for size in (100 * MIB, 100 * MIB + 1, GIB, GIB + 1):
        script.pread(0, size, 12345, vector=True)
    script.pwrite(0, 100, 5 * GIB)


def common_values(script):
    """More than four sizes and strides, ties, and more different ones than are followed."""
    script.open(0, "ties")
    for size in (10, 20, 30, 40, 50, 60, 10, 60, 50, 40):
        script.pwrite(0, size, 0)
    script.open(1, "many")
    for i in range(80):
        script.pwrite(1, 100 + (i % 45), (i + 1) * 1000 + i * i)
    for _ in range(5):
        script.pwrite(1, 144, 0)  # too late to be followed
        script.pwrite(1, 107, 0)
    script.open(2, "zeros")
    for _ in range(6):
        script.write(2, 0)
    script.write(2, 5)


def descriptors_and_positions(script):
    """Each descriptor has its position, duplicates share it, appending goes to the end, pwrite moves nothing."""
    script.open(0, "twice")
    script.open(1, "twice")
    for _ in range(4):
        script.write(0, 1000)
        script.read(1, 500)
    script.dup(2, 1)
    script.read(2, 300)
    script.read(1, 300)
    script.close(1)
    script.read(2, 300)
    script.open(3, "append", os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    script.write(3, 100)
    script.seek(3, 0, SET)
    script.write(3, 200)
    script.seek(3, 10, SET)
    script.read(3, 50)
    script.write(3, 7)
    script.seek(3, 100_000, SET)
    script.write(3, 8)
    script.open(4, "mixed")
    script.write(4, 4096)
    script.pwrite(4, 100, 10000)
    script.write(4, 4096)
    script.seek(4, -96, END)
    script.seek(4, -4, CUR)
    script.read(4, 4000)
    script.read(4, 10)  # the end
    script.sync(4)
    script.sync(4, data_only=True)
    script.stat(4)
    script.stat(4, by_name=True)
    script.mmap(4, 4096)
    script.close(4)


def alignment(script):
    """Of memory and of offsets, separately and together."""
    script.open(0, "alignment")
    for i in range(24):
        script.pwrite(0, 512, i * script.block + (i % 3) * 7, off=i % 4)
    script.pread(0, 512, script.block, off=8)
    script.pread(0, 512, script.block, off=9)


def switching(script):
    script.open(0, "switching")
    script.write(0, 10000)
    for i in range(30):
        (script.pread if i % 3 else script.pwrite)(0, 10, 10 * i)


def streams(script):
    """fwrite and fread in items, characters, seeks, streams on descriptors, appending."""
    script.fopen(0, "stream")
    for i in range(50):
        script.fwrite(0, 1 + i % 7, 10)
    script.fputs(0, "twelve-bytes")
    script.fflush(0)
    script.fseek(0, 100)
    script.fread(0, 10, 5)
    script.fread(0, 100, 100)  # short: whole items count
    script.rewind(0)
    for _ in range(5):
        script.fgetc(0)
    script.fseek(0, -3, END)
    for _ in range(5):
        script.fgetc(0)  # two of them at the end
    script.fclose(0)
    script.fopen(1, "stream", "r+")
    script.fread(1, 1, 10)
    script.fclose(1)
    script.open(5, "on-descriptor")
    script.fdopen(2, 5)
    script.fwrite(2, 4, 25)
    script.fclose(2)


SCRIPTS = [access_patterns, size_classes, common_values, descriptors_and_positions, alignment, switching, streams]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "files").mkdir()
    return tmp_path / "files"


@pytest.mark.parametrize("write", SCRIPTS, ids=lambda write: write.__name__)
def test_steps(programs, folder, write):
    script = Script(folder)
    write(script)
    check(counted(script), observe(folder, programs(), folder, script.text()))
    assert {name: (folder / name).stat().st_size for name in script.sizes} == script.sizes  # they did happen


def at_random(script, rng, steps, names=("a", "b", "c")):
    """Whatever is possible with three files and a few descriptors."""
    def some_open():
        return rng.choice(sorted(script.open_files))
    for slot, name in enumerate(names):
        script.open(slot, name)
    size = lambda: rng.choice([1, 8, 100, 101, 4096, rng.randrange(5000), rng.randrange(200_000)])
    offset = lambda: rng.choice([0, 0, 1, 4096, rng.randrange(10_000), rng.randrange(1_000_000)])
    for _ in range(steps):
        what = rng.choice(["write", "write", "read", "read", "pwrite", "pread", "seek", "open", "dup", "close", "stat", "sync"])
        free = [slot for slot in range(12) if slot not in script.open_files]
        if what in ("write", "read"):
            for _ in range(rng.choice([1, 1, 12])):  # now and then many alike
                getattr(script, what)(some_open(), size(), rng.choice([0, 0, 0, 3]))
        elif what in ("pwrite", "pread"):
            getattr(script, what)(some_open(), size(), offset(), rng.choice([0, 0, 5]))
        elif what == "seek":
            script.seek(some_open(), offset(), SET)
        elif what == "stat":
            script.stat(some_open(), rng.random() < 0.5)
        elif what == "sync" and rng.random() < 0.2:
            script.sync(some_open(), rng.random() < 0.5)
        elif what == "open" and free:
            script.open(free[0], rng.choice(names), os.O_RDWR | (os.O_APPEND if rng.random() < 0.3 else 0))
        elif what == "dup" and free:
            script.dup(free[0], some_open())
        elif what == "close" and len(script.open_files) > 3:
            script.close(some_open())


@pytest.mark.parametrize("seed", range(8))
def test_steps_at_random(programs, folder, seed):
    script = Script(folder)
    at_random(script, random.Random(seed), 300)
    check(counted(script), observe(folder, programs(), folder, script.text()))
    assert {name: (folder / name).stat().st_size for name in script.sizes} == script.sizes


# ---- ranks of an MPI job

def folded(scripts):
    """Records of a job: one of rank -1 where all ranks used the file."""
    wanted, held = {}, [counted(script, rank) for rank, script in enumerate(scripts)]
    for module, name in dict.fromkeys((key[0], key[2]) for one in held for key in one):
        users = [{"rank": rank, "id": 0, "counters": one[module, rank, name]} for rank, one in enumerate(held)
                 if (module, rank, name) in one]
        if len(users) == len(scripts):
            wanted[module, -1, name] = folds.shared(module, users)
        else:
            wanted.update({(module, user["rank"], name): user["counters"] for user in users})
    return wanted


def launch(mpi, programs, folder, scripts):
    return observe(folder, *LAUNCH[mpi], "-np", len(scripts), programs(mpi), folder, *(script.text() for script in scripts))


@pytest.fixture(params=["mpich", "openmpi"])
def mpi(request):
    if shutil.which(f"mpicc.{request.param}") is None:
        pytest.skip(f"no mpicc.{request.param}: scripts/install-deps installs it")
    return request.param


def work_of_rank(script, rank, ranks):
    """Files of all ranks, of some, of each; more work for later ranks."""
    rng = random.Random(rank)
    script.open(0, "input", os.O_RDONLY)
    for i in range(10 + 3 * rank):
        script.pread(0, 100 * (1 + i % (2 + rank)), 5000 * rank + 1000 * i)
    script.close(0)
    script.open(1, "output", os.O_RDWR)
    for i in range(5 + rank):
        script.pwrite(1, 4096, (i * ranks + rank) * 4096)
    script.close(1)
    script.open(2, f"own-{rank}")
    for _ in range(20):
        script.write(2, rng.choice([10, 20, 30]))
    script.close(2)
    if rank % 2 == 0:
        script.open(3, "even", os.O_RDWR)
        script.pwrite(3, 10 + rank, 100 * rank)
        script.close(3)
    script.fopen(0, "text", "r+")
    script.fread(0, 1, 10 * (rank + 1))
    script.fclose(0)


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_files_of_ranks(programs, folder, mpi, ranks):
    sizes = {"input": 100_000, "output": 0, "even": 0, "text": 1000}
    for name, size in sizes.items():
        (folder / name).write_bytes(bytes(size))
    scripts = [Script(folder, sizes) for _ in range(ranks)]
    for rank, script in enumerate(scripts):
        work_of_rank(script, rank, ranks)
    check(folded(scripts), launch(mpi, programs, folder, scripts))


CREATE, RDWR = 1, 8  # of MPI_MODE_, alike in MPICH and Open MPI


def mpi_work_of_rank(script, rank, ranks):
    """Every kind of transfer, of sizes that differ by rank; a file of all and one of each rank's own."""
    script.mpi_open(0, "all", ranks, CREATE | RDWR, hints=True)
    for i, kind in enumerate(["INDEP", "COLL", "NB", "SPLIT", "COLL", "INDEP", "INDEP"]):
        script.mpi_transfer(0, "WRITE", kind, 100 * (i + 1) + 10 * (rank % 2), 100_000 * rank + 1000 * i)
    script.mpi_sync(0)
    script.barrier()
    for kind in ("INDEP", "COLL", "NB", "SPLIT"):
        script.mpi_transfer(0, "READ", kind, 50, 100_000 * rank)
    script.mpi_transfer(0, "WRITE", "INDEP", 200_000, 100_000 * rank)
    script.mpi_view(0)
    script.mpi_view(0, hints=True)
    script.mpi_close(0)
    script.mpi_open(1, f"own-{rank}", 1, CREATE | RDWR)
    for i in range(3 + rank):
        script.mpi_transfer(1, "WRITE", "INDEP", 5000, 5000 * i)
    script.mpi_close(1)


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_mpi_files_of_ranks(programs, folder, mpi, ranks):
    scripts = [Script(folder) for _ in range(ranks)]
    for rank, script in enumerate(scripts):
        mpi_work_of_rank(script, rank, ranks)
    check(folded(scripts), launch(mpi, programs, folder, scripts))
