"""`trikal diff` of a predicted log and a run: says nothing where the prediction was right, and what is different where it was not."""

import json
import os
import subprocess

import pytest

from conftest import HERE, TRIKAL, compile_c, predict

PROGRAMS = HERE / "programs"
LAUNCH = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"], "mpich": ["mpirun.mpich"]}


def logs(tmp_path, cache, command, source, arguments, *options, prepare=None, ran_with=None):
    """(the predicted log, that of a run in another folder, with other arguments where `ran_with` has some)"""
    for name in ("predicted", "measured"):
        (tmp_path / name).mkdir()
        if prepare:
            prepare(tmp_path / name)
    predict(tmp_path / "predicted", cache, [source], arguments, *options)
    measured = tmp_path / "measured.darshan"
    subprocess.run([TRIKAL, "run", "--quiet", "--call-sites", "--log", measured, "--", *map(str, command), *map(str, ran_with or arguments)],
                   check=True, cwd=tmp_path / "measured", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=300)
    return tmp_path / "predicted" / "predicted.darshan", measured


def diff(*words):
    return subprocess.run([TRIKAL, "diff", *map(str, words)], capture_output=True, text=True)


def agrees(predicted, measured):
    done = diff(predicted, measured)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split(": ")[1].startswith("predicted, ") and lines[-1].startswith("The run did what was predicted: ")
    assert sum(line.startswith("note: ") for line in lines) == 1 and len(lines) == 7, done.stdout
    assert lines[1].startswith("   predicted; ") and " of operations exact, " in lines[1]
    told = json.loads(diff("--json", predicted, measured).stdout)
    assert not told["differs"] and told["prediction"]["counters_compared"] > 10 and told["prediction"]["counters_different"] == 0
    assert diff("--all", predicted, measured).returncode == 1  # times, modes, the job
    return told["prediction"]


def test_a_c_program(tmp_path, cache):
    source = PROGRAMS / "stencil.c"
    def prepare(folder):
        (folder / "settings.txt").write_text("rows = 50\ncolumns = 70\nsteps = 20\nevery = 3\nprefix = out\n")
    told = agrees(*logs(tmp_path, cache, [compile_c(source, tmp_path / "stencil")], source, ["settings.txt"], prepare=prepare))
    assert told["files"] > 3 and "HEATMAP" in told["left_out"]["modules"]


def test_cpp_streams(tmp_path, cache):
    source = PROGRAMS / "streams.cpp"
    agrees(*logs(tmp_path, cache, [compile_c(source, tmp_path / "streams", "g++")], source, [30]))


@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
def test_four_ranks(tmp_path, cache, mpi):
    shown = ["mpicc.openmpi", "--showme:compile"] if mpi == "openmpi" else ["mpicc.mpich", "-compile-info"]
    words = subprocess.run(shown, capture_output=True, text=True, check=True).stdout.split()
    source = PROGRAMS / "mpi_shares.c"
    subprocess.run([f"mpicc.{mpi}", "-g", "-w", "-o", tmp_path / "shares", source], check=True)
    told = agrees(*logs(tmp_path, cache, [*LAUNCH[mpi], "-np", "4", tmp_path / "shares"], source, [20], "--np", "4",
                        *[f"--flag={word}" for word in words if word.startswith("-I")]))
    assert told["left_out"]["records_beneath"] > 0  # POSIX calls of MPI-IO


def test_hdf5(tmp_path, cache):
    source = PROGRAMS / "hdf5" / "shapes.c"
    subprocess.run(["h5cc", "-shlib", "-g", "-w", source, "-o", tmp_path / "shapes"], check=True, cwd=tmp_path, capture_output=True)
    words = subprocess.run(["h5cc", "-show"], capture_output=True, text=True, check=True).stdout.split()
    told = agrees(*logs(tmp_path, cache, [tmp_path / "shapes"], source, [30], *[f"--flag={word}" for word in words if word.startswith("-I")]))
    assert told["left_out"]["records_beneath"] == 1 and told["files"] > 1


def test_a_run_that_does_something_else(tmp_path, cache):
    source = PROGRAMS / "segments.c"
    predicted, measured = logs(tmp_path, cache, [compile_c(source, tmp_path / "segments")], source, ["-w", "-t", "64k", "-b", "4m"],
                               ran_with=["-w", "-t", "64k", "-b", "1m"])
    done = diff(predicted, measured)
    assert done.returncode == 1
    assert "POSIX_WRITES rank 0 64 -> 16 -75.0 %" in " ".join(done.stdout.split()), done.stdout
    last = done.stdout.splitlines()[-1]
    assert last.startswith("The run did something else than predicted: ") and last.endswith("; 0 files only predicted, 0 files only in the run.")
    assert "POSIX_MODE" not in done.stdout and "TIME" not in done.stdout and "start_time" not in done.stdout
    everything = diff("--all", predicted, measured).stdout
    assert "POSIX_MODE" in everything and "start_time" in everything
    # As much as ever may be tolerated, and either side may be the prediction.
    assert diff("--rel", "0.77", predicted, measured).returncode == 0
    turned = diff(measured, predicted)
    assert turned.returncode == 1 and turned.stdout.splitlines()[-1] == last and "POSIX_WRITES rank 0 16 -> 64" in " ".join(turned.stdout.split())
    assert diff("--quiet", predicted, measured).returncode == 1


def test_files_that_only_one_has(tmp_path, cache):
    source = tmp_path / "names.c"
    source.write_text("""#include <fcntl.h>
#include <unistd.h>
int main(int argc, char** argv) {
  int file = open(argv[1], O_CREAT | O_WRONLY, 0600);
  write(file, "abc", 3);
  return close(file);
}
""")
    predicted, measured = logs(tmp_path, cache, [compile_c(source, tmp_path / "names")], source, ["one"], ran_with=["two"])
    done = diff(predicted, measured)
    assert done.returncode == 1 and "1 file only predicted, 1 file only in the run." in done.stdout
    told = json.loads(diff("--json", predicted, measured).stdout)
    assert told["prediction"]["files_only_a"] == told["prediction"]["files_only_b"] == 1
    assert {record["status"] for module in told["modules"] for record in module["records"]} == {"only_a", "only_b"}


def test_what_is_no_prediction(tmp_path, cache):
    """Two predictions, and one whose trailer is gone, are compared as any logs."""
    source = PROGRAMS / "segments.c"
    predicted, measured = logs(tmp_path, cache, [compile_c(source, tmp_path / "segments")], source, ["-w", "-b", "1m"])
    assert "Every counter of 1 record is the same." in diff(predicted, predicted).stdout
    cut = tmp_path / "cut.darshan"
    cut.write_bytes(predicted.read_bytes()[:-64])  # without the end that leads to the trailer
    done = diff(cut, measured)
    assert done.returncode != 0 and "predicted, " not in done.stdout
    broken = tmp_path / "broken.darshan"
    broken.write_bytes(b"no log at all")
    assert diff(predicted, broken).returncode not in (0, 1)
    assert diff(predicted).returncode not in (0, 1)
    nowhere = subprocess.run([TRIKAL, "diff", predicted, tmp_path / "nowhere"], capture_output=True, text=True, env={**os.environ})
    assert nowhere.returncode not in (0, 1) and "nowhere" in nowhere.stderr
