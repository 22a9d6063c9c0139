"""io_uring. A run does not observe what goes through a ring, so predictions are held against the files, against what completions
told the program (it writes a report), and against strace, which sees how much was submitted."""

import re
import subprocess

import pytest

from conftest import HERE, TRIKAL, compile_c, predict

SOURCE = HERE / "programs" / "uring" / "queue.c"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return compile_c(SOURCE, tmp_path_factory.mktemp("uring") / "queue", "gcc", "-luring")


def in_ring(told, *operations):
    return [row for row in told["predictions"][0]["accesses"]
            if row["call"].startswith("io_uring_submit") and (not operations or row["operation"] in operations)]


def sizes(log):
    """{file: its size}, by the last byte that is written"""
    out = subprocess.run([TRIKAL, "parse", "--base", log], capture_output=True, text=True, check=True).stdout
    rows = [line.split("\t") for line in out.splitlines() if re.match(r"(POSIX|STDIO)\t", line)]
    told = {(row[5].rsplit("/", 1)[-1], row[3].partition("_")[2]): float(row[4]) for row in rows}
    return {file: told[file, "MAX_BYTE_WRITTEN"] + 1 for (file, counter), value in told.items() if counter == "BYTES_WRITTEN" and value > 0}


def submitted(program, folder, arguments):
    done = subprocess.run(["strace", "-f", "-e", "trace=io_uring_enter", program, *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-500:]
    calls = re.findall(r"io_uring_enter\(\d+, (\d+), .*= (-?\d+)", done.stderr)
    return sum(int(result) for asked, result in calls if asked != "0")


def both(tmp_path, cache, program, arguments, prepare=lambda folder: None):
    """(the JSON, {file: predicted size}, {file: size}, operations that strace saw being submitted)"""
    for name in ("predicted", "measured"):
        (tmp_path / name).mkdir()
        prepare(tmp_path / name)
    told, _ = predict(tmp_path / "predicted", cache, [SOURCE], arguments)
    count = submitted(program, tmp_path / "measured", arguments)
    written = {path.name: path.stat().st_size for path in (tmp_path / "measured").iterdir()}
    return told, sizes(tmp_path / "predicted" / "predicted.darshan"), written, count


@pytest.mark.parametrize("arguments", ["batches 8 4096 100 report", "batches 32 1000 1000", "batches 5 512 33 report", "both 16 4096 200 report",
                                       "both 64 100 5000", "both 1 4096 20 report"])
def test_queues(tmp_path, cache, program, arguments):
    told, predicted, written, count = both(tmp_path, cache, program, arguments.split())
    assert predicted == written and told["predictions"][0]["complete"]
    assert sum(row["count"] for row in in_ring(told)) == count
    what, _, size, blocks, *_ = arguments.split()
    for operation in ["write", "read"] if what == "both" else ["write"]:
        assert sum(row["bytes"] for row in in_ring(told, operation)) == int(size) * int(blocks)
    assert "assumed" not in {row["certainty"] for row in in_ring(told)} and told["predictions"][0]["unknowns"] == []


@pytest.mark.parametrize("size", [0, 1, 4096, 100_001, 3_000_000])
def test_what_is_read_decides_what_is_written(tmp_path, cache, program, size):
    def prepare(folder):
        (folder / "in.dat").write_bytes(b"x" * size)
    told, predicted, written, count = both(tmp_path, cache, program, ["copy", "4", "4096"], prepare)
    assert written.pop("in.dat") == size == written["out.dat"] == predicted.get("out.dat", 0)
    assert sum(row["count"] for row in in_ring(told)) == count
    assert sum(row["bytes"] for row in in_ring(told, "read")) == size


@pytest.mark.parametrize("arguments", ["kinds 16 0 0 report", "late 8 0 0 report"])
def test_kinds_of_operations(tmp_path, cache, program, arguments):
    """Linked ones that are cancelled, registered files and buffers, errors, and more completions than the queue holds."""
    told, predicted, written, _ = both(tmp_path, cache, program, arguments.split())
    assert told["predictions"][0]["exit_code"] == 0 and told["predictions"][0]["unknowns"] == []
    predicted.pop("opened.dat", None)  # it was removed
    assert predicted == written
    if arguments.startswith("kinds"):
        counts = {name: sum(row["count"] for row in in_ring(told, name)) for name in ("write", "read", "fsync", "fdatasync", "open", "close", "remove")}
        assert counts == {"write": 7, "read": 2, "fsync": 1, "fdatasync": 1, "open": 1, "close": 1, "remove": 1}


@pytest.mark.parametrize("what", ["batches", "both"])
def test_cost_does_not_follow_the_number_of_blocks(tmp_path, cache, what):
    steps = []
    for blocks in (100_000, 100_000_000):
        told, _ = predict(tmp_path, cache, [SOURCE], [what, "16", "4096", str(blocks)])
        for operation in ("write", "read")[:1 if what == "batches" else 2]:
            assert sum(row["count"] for row in in_ring(told, operation)) == blocks
            assert sum(row["bytes"] for row in in_ring(told, operation)) == 4096 * blocks
        steps.append(told["predictions"][0]["steps"])
    assert max(steps) < 1.1 * min(steps)


def test_operations_in_a_ring_do_not_wait(tmp_path, cache):
    told, _ = predict(tmp_path, cache, [SOURCE], ["batches", "8", "4096", "100"])
    operations, waiting = (told["predictions"][0]["blocks"][0]["parameters"][i] for i in (1, 3))
    assert operations == 102 and waiting == 2  # of opening, closing, and a hundred writes
    assert any("does not observe" in note for note in told["predictions"][0]["notes"])


@pytest.mark.parametrize("body, said", [
    ("io_uring_prep_socket(io_uring_get_sqe(&ring), 1, 1, 0, 0); io_uring_submit(&ring);", "operation 45 of io_uring is not followed"),
    ("syscall(__NR_io_uring_enter, 3, 1, 0, 0, 0, 0);", "is called directly"),
    ("struct io_uring_params p = {0}; io_uring_setup(8, &p);", "io_uring_setup is called directly"),
    ("struct io_uring_cqe* c; io_uring_wait_cqe(&ring, &c);", "waited for that never comes")])
def test_what_is_not_followed_is_said(tmp_path, cache, body, said):
    (tmp_path / "program.c").write_text("""#include <liburing.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) { struct io_uring ring; io_uring_queue_init(8, &ring, 0); %s return 0; }
""" % body)
    told, _ = predict(tmp_path, cache, [tmp_path / "program.c"], [])
    assert any(said in note for note in told["predictions"][0]["notes"]), told["predictions"][0]["notes"]
