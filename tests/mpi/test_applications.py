"""Programs of Debian's that use MPI: what they write is the same with trikal and without, and the log says how much."""

import random
import re
import shutil
import subprocess

import pytest

from conftest import LAUNCH, TRIKAL, Log

MPIRUN = LAUNCH["openmpi"]  # what Debian's programs are linked with


def need(program, package):
    if shutil.which(program) is None:
        pytest.skip(f"no {program}: scripts/install-deps installs {package}")


def run(folder, command):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def twice(tmp_path, prepare, command):
    """Runs a command bare and observed, each in a folder of its own; answers with both folders, outputs and the log."""
    folders, outputs = [], []
    for name in ("bare", "observed"):
        folder = tmp_path / name
        folder.mkdir()
        prepare(folder)
        log = tmp_path / "job.darshan"
        observer = [] if name == "bare" else [TRIKAL, "run", "--quiet", "--log", str(log), "--"]
        outputs.append(run(folder, [*observer, *command]))
        folders.append(folder)
    return folders, outputs, Log(tmp_path / "job.darshan")


def calls(folder, ranks, command, pattern):
    """What the system calls of every rank say that was moved, by the last part of the file's name."""
    run(folder, [*MPIRUN, "-np", str(ranks), "strace", "-ff", "-y", "-e", "trace=" + pattern.replace("|", ","), "-o", "calls",
                 *command])
    moved = {}
    for trace in folder.glob("calls.*"):
        for name, count in re.findall(rf"^(?:{pattern})\(\d+<[^>]*/([^>]+)>.* = (\d+)$", trace.read_text(), re.MULTILINE):
            moved[name] = moved.get(name, 0) + int(count)
    return moved


def total(log, table, counter, name):
    return sum(int(row[counter]) for row in log.rows(table) if row["name"].endswith(name))


def sample_cdl(folder):
    rows = ", ".join(str(i % 97) for i in range(100 * 60))
    (folder / "a.cdl").write_text("netcdf a { dimensions: x = 100 ; y = 60 ; variables: double v(x, y) ; v:unit = \"m\" ; "
                                  f"int w(x) ; data: v = {rows} ; w = {', '.join(map(str, range(100)))} ; }}")


def test_pnetcdf_generate(tmp_path):
    need("ncmpigen", "pnetcdf-bin")
    folders, _, log = twice(tmp_path, sample_cdl, [*MPIRUN, "-np", "1", "ncmpigen", "-b", "-o", "a.nc", "a.cdl"])
    made = [(folder / "a.nc").read_bytes() for folder in folders]
    assert made[0] == made[1]
    # Each value once and a header, with a hole behind it; as the system calls say.
    written = calls(folders[0], 1, ["ncmpigen", "-b", "-o", "c.nc", "a.cdl"], "pwrite64|write")["c.nc"]
    assert written > 8 * 6000 + 4 * 100
    assert total(log, "mpiio", "MPIIO_BYTES_WRITTEN", "/a.nc") == written
    assert total(log, "posix", "POSIX_BYTES_WRITTEN", "/a.nc") == written
    assert int(log.record("posix", "/a.nc")["POSIX_MAX_BYTE_WRITTEN"]) == len(made[1]) - 1


def test_pnetcdf_compare_on_four_ranks(tmp_path):
    need("ncmpidiff", "pnetcdf-bin")

    def prepare(folder):
        sample_cdl(folder)
        run(folder, [*MPIRUN, "-np", "1", "ncmpigen", "-b", "-o", "a.nc", "a.cdl"])
        shutil.copy(folder / "a.nc", folder / "b.nc")

    _, outputs, log = twice(tmp_path, prepare, [*MPIRUN, "-np", "4", "ncmpidiff", "a.nc", "b.nc"])
    assert outputs[0] == outputs[1] and "same" in outputs[1]
    assert log.nprocs() == 4
    for name in ("/a.nc", "/b.nc"):
        record = log.record("mpiio", name)
        assert int(record["MPIIO_COLL_OPENS"]) == 4
        # The variables once over all ranks; the header is read by the first alone or by everybody.
        assert int(record["MPIIO_BYTES_READ"]) >= 8 * 6000 + 4 * 100
        assert total(log, "mpiio", "MPIIO_BYTES_WRITTEN", name) == 0


def test_phyml(tmp_path):
    need("phyml-mpi", "phyml")
    chance = random.Random(5)
    first = [chance.choice("ACGT") for _ in range(60)]
    taxa = ["".join(chance.choice("ACGT") if chance.random() < 0.2 else base for base in first) for _ in range(8)]

    def prepare(folder):
        (folder / "dna").write_text("8 60\n" + "".join(f"taxon{i}  {bases}\n" for i, bases in enumerate(taxa)))

    command = ["phyml-mpi", "-i", "dna", "-b", "4", "--r_seed", "7", "--quiet"]
    folders, _, log = twice(tmp_path, prepare, [*MPIRUN, "-np", "2", *command])
    trees = sorted(path.name for path in folders[0].glob("dna_phyml_*tree*"))
    assert len(trees) == 2
    for name in trees:
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()
    for name in trees:
        (folders[0] / name).unlink()
    written = calls(folders[0], 2, command, "write")
    for name in trees:  # one of them is written twice: without and with the support of its branches
        assert total(log, "stdio", "STDIO_BYTES_WRITTEN", "/" + name) == written[name] >= (folders[1] / name).stat().st_size
    assert log.nprocs() == 2
    # All ranks read the sequences.
    assert total(log, "stdio", "STDIO_BYTES_READ", "/dna") >= 2 * (folders[1] / "dna").stat().st_size


def test_ffindex_starts_programs_from_ranks(tmp_path):
    need("ffindex_apply_mpi", "ffindex")

    def prepare(folder):
        (folder / "texts").mkdir()
        for i in range(6):
            (folder / "texts" / f"t{i}").write_text("".join(f"line {n}\n" for n in range(100 * (i + 1))))
        run(folder, ["ffindex_build", "-s", "in.ffdata", "in.ffindex", "texts"])

    folders, _, log = twice(tmp_path, prepare, [*MPIRUN, "-np", "3", "ffindex_apply_mpi", "-d", "out.ffdata", "-i",
                                                "out.ffindex", "in.ffdata", "in.ffindex", "--", "/usr/bin/tr", "a-z", "A-Z"])
    def entries(folder):
        data = (folder / "out.ffdata").read_bytes()
        rows = [line.split() for line in (folder / "out.ffindex").read_text().splitlines()]
        return {name: data[int(at):int(at) + int(length)] for name, at, length in rows}

    assert entries(folders[0]) == entries(folders[1])
    assert len(entries(folders[1])) == 6
    programs = [row["exe"] for row in log.rows("processes")]
    assert sum(program.endswith("/tr") for program in programs) == 6
    assert sum(program.endswith("/ffindex_apply_mpi") for program in programs) >= 3
