"""Maps that are not as the runtime left them: recover says where, and what can be read is in the log."""

import fcntl
import os
import pathlib
import re
import signal
import subprocess
import time

import pytest

from conftest import TRIKAL, Log

RECORDS, NAMES, RUNS = 1, 2, 9  # kinds of chunks that count or name files
WRITING = 2  # what the accesses of a run do
SLACK = 256  # the writer leaves out the first 128 bytes of its file; another 128 may be in flight


def header_bytes(whole):
    """What stands before the first chunk, whose mark is 28 bytes into it."""
    return whole.index(b"CHNK") - 28


@pytest.fixture
def killed_map(program, preload, tmp_path):
    """What a writer left that was killed, and how often it had written by then."""
    data = tmp_path / "out.dat"
    writer = subprocess.Popen([program("counting_writer"), data, tmp_path / "count"], env=preload)
    for _ in range(10000):
        if data.exists() and data.stat().st_size > 100000:
            break
        time.sleep(0.001)
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    (path,) = (tmp_path / "maps").rglob("*.map")
    return path, data


def recover(tmp_path, *paths):
    out = tmp_path / "recovered"
    out.mkdir(exist_ok=True)
    done = subprocess.run([TRIKAL, "recover", "-o", out, *paths], capture_output=True, text=True, timeout=60)
    return done, sorted(out.glob("*.darshan"))


def used_bytes(path):
    return int.from_bytes(path.read_bytes()[16:24], "little")


def complaint(done, path):
    """The one line on standard error: its offset and its words."""
    (line,) = done.stderr.splitlines()
    match = re.fullmatch(rf"trikal: {re.escape(str(path))}: offset (\d+): (.+)", line)
    assert match and done.returncode == 4, done
    return int(match[1]), match[2]


@pytest.mark.parametrize("content", [b"", b"short", b"\x7fELF" + bytes(20000), b"TRKALMAP" + b"\xff" * 9000],
                         ids=["empty", "short", "foreign", "another-version"])
def test_what_is_no_map_is_refused_and_left_alone(tmp_path, content):
    path = tmp_path / "7-7-0.map"
    path.write_bytes(content)
    for which in (path, tmp_path):
        done, logs = recover(tmp_path, which)
        offset, _ = complaint(done, path)
        assert offset <= len(content) and not logs and path.read_bytes() == content


def test_a_map_that_was_cut_gives_what_is_left(killed_map, tmp_path):
    path, data = killed_map
    whole = path.read_bytes()
    size = used_bytes(path) - 64  # the last chunk loses its end
    path.write_bytes(whole[:size])
    done, (log,) = recover(tmp_path, path)
    offset, words = complaint(done, path)
    assert offset == size and "cut off" in words
    assert Log(log)[data, "POSIX_BYTES_WRITTEN"] >= data.stat().st_size - SLACK
    assert path.with_suffix(".map.damaged").read_bytes() == whole[:size] and not path.exists()
    again, logs = recover(tmp_path, path.parent)
    assert again.returncode == 0 and again.stderr == "" and logs == [log]


def chunks(whole):
    """(offset, kind, count) of every chunk."""
    at, end = header_bytes(whole), int.from_bytes(whole[16:24], "little")
    while at < end:
        kind, module, stride, record, capacity, count, size, mark = (
            int.from_bytes(whole[at + i:at + i + 4], "little") for i in range(0, 32, 4))
        yield at, kind, count
        at += size


def test_records_of_a_module_that_a_newer_version_has(killed_map, tmp_path):
    """They are in no log: that is said, and the map is kept for who can read them."""
    path, _ = killed_map
    whole = bytearray(path.read_bytes())
    at = next(at for at, kind, count in chunks(whole) if kind == RECORDS and count > 0)
    whole[at + 4:at + 8] = (60).to_bytes(4, "little")
    path.write_bytes(whole)
    done, (log,) = recover(tmp_path, path)
    offset, words = complaint(done, path)
    assert offset == at and "module" in words and "left out" in words
    assert subprocess.run([TRIKAL, "parse", log], capture_output=True).returncode == 0
    assert path.with_suffix(".map.damaged").read_bytes() == whole and not path.exists()


def written_in(log):
    totals = subprocess.run([TRIKAL, "parse", "--total", log], capture_output=True, text=True, check=True).stdout
    written = re.search(r"total_POSIX_BYTES_WRITTEN: (\d+)", totals)
    return int(written[1]) if written else 0


def written_in_runs(whole, at, count):
    """Bytes that a chunk of runs holds and no record has yet."""
    stride = int.from_bytes(whole[at + 8:at + 12], "little")
    slots = [whole[at + 64 + i * stride:at + 64 + (i + 1) * stride] for i in range(count)]
    numbers = [(int.from_bytes(slot[8:16], "little"), int.from_bytes(slot[16:24], "little")) for slot in slots]
    return sum(accesses * (like >> 2) for accesses, like in numbers if like & 3 == WRITING)


def test_a_damaged_chunk_is_left_out_and_no_other(killed_map, tmp_path):
    """Each chunk, one after the other, loses its header to what a wild pointer might write."""
    path, data = killed_map
    whole, at_least = path.read_bytes(), data.stat().st_size - SLACK
    found = list(chunks(whole))
    assert {kind for _, kind, _ in found} >= {RECORDS, NAMES}, found
    (tmp_path / "whole.map").write_bytes(whole)
    done, (log,) = recover(tmp_path, tmp_path / "whole.map")
    assert done.returncode == 0 and written_in(log) >= at_least
    everything, seen = written_in(log), 0
    for attempt, (at, kind, count) in enumerate(found):
        copy = tmp_path / f"{attempt}.map"
        copy.write_bytes(whole[:at] + b"\xaa" * 32 + whole[at + 32:])
        folder = tmp_path / f"try{attempt}"
        folder.mkdir()
        done, (log,) = recover(folder, copy)
        offset, words = complaint(done, copy)
        assert offset == at and "damaged" in words
        owed = written_in_runs(whole, at, count) if kind == RUNS else 0
        if written_in(log) >= at_least - owed:
            assert written_in(log) == everything - owed
            seen += 1
        else:
            assert kind == RECORDS, f"chunk {attempt} at {at} of kind {kind}"
    assert seen >= len(found) - 1


def test_flipped_bits_never_end_it_badly(killed_map, tmp_path):
    path, _ = killed_map
    whole = bytearray(path.read_bytes())
    end = used_bytes(path)
    offsets = [*range(0, 256, 7), *range(header_bytes(whole), end, max(1, (end - header_bytes(whole)) // 60))]
    for attempt, at in enumerate(offsets):
        flipped = bytearray(whole)
        flipped[at] ^= 1 << attempt % 8
        copy = tmp_path / "flipped.map"
        copy.write_bytes(flipped)
        folder = tmp_path / f"try{attempt}"
        folder.mkdir()
        done, logs = recover(folder, "--keep", "--force", copy)  # flipped, it may be anybody's
        assert done.returncode in (0, 4) and len(done.stderr.splitlines()) <= 1, done
        if not logs and ": left alone: process " in done.stderr:
            continue  # what is flipped is the process id, and that of a neighbour that began at the same time lives
        assert (done.returncode == 0) == (done.stderr == ""), done
        assert logs or done.returncode == 4, done
        for log in logs:
            subprocess.run([TRIKAL, "parse", "--base", log], stdout=subprocess.DEVNULL, check=True)
        assert copy.read_bytes() == flipped, "--keep leaves it"


def test_a_map_of_a_living_process_is_left_alone_and_that_is_said(killed_map, tmp_path):
    """Named by itself; among others in a directory it is nothing to talk about."""
    path, _ = killed_map
    whole = bytearray(path.read_bytes())
    mine = pathlib.Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()
    whole[56:72] = os.getpid().to_bytes(8, "little") + int(mine[19]).to_bytes(8, "little")  # pid, start in ticks
    path.write_bytes(whole)
    for options in ([], ["--force"]):
        done, logs = recover(tmp_path, *options, path)
        assert done.returncode == 0 and not logs and path.read_bytes() == whole
        assert done.stderr == f"trikal: {path}: left alone: process {os.getpid()} still runs\n"
        done, logs = recover(tmp_path, *options, path.parent)
        assert done.returncode == 0 and not logs and done.stderr == ""


def test_a_map_that_another_recover_has(killed_map, tmp_path):
    path, _ = killed_map
    with open(path, "rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        done, logs = recover(tmp_path, path)
    assert done.returncode == 0 and not logs and done.stderr == f"trikal: {path}: left alone: another trikal has it\n"


def test_a_directory_that_is_not_there(tmp_path):
    done, logs = recover(tmp_path, tmp_path / "nowhere.map")
    assert done.returncode == 3 and f"{tmp_path}/nowhere.map" in done.stderr and not logs
    done, logs = recover(tmp_path, os.devnull)
    assert done.returncode != 0 and not logs
