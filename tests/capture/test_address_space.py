"""What observing adds to a small program's address space: programs run under limits of it, and some lock their memory."""

import re
import subprocess

import pytest

from conftest import HERE, Log, RUNTIME

MIB = 1024  # what the kernel says is in KiB


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = tmp_path_factory.mktemp("address_space") / "program"
    subprocess.run(["gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-o", made, HERE / "programs" / "address_space.c"], check=True)
    return made


def run(program, folder, *arguments, limit=None):
    """{VmPeak, VmRSS} in KiB, bare or observed."""
    folder.mkdir(exist_ok=True)
    done = subprocess.run(["bash", "-c", f"{f'ulimit -v {limit}; ' if limit else ''}exec \"$@\"", "-", *arguments], cwd=folder,
                          capture_output=True, text=True, timeout=60)
    if done.returncode == 77:
        pytest.skip("memory cannot be locked here: ulimit -l is too low")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return {name: int(value) for name, value in re.findall(r"(\w+):\s+(\d+) kB", done.stdout)}


def observed(program, tmp_path, *arguments, **how):
    settings = [f"LD_PRELOAD={RUNTIME}", f"TRIKAL_LOGPATH={tmp_path / 'logs'}", f"TRIKAL_MAP_DIRECTORY={tmp_path / 'maps'}"]
    for name in ("logs", "maps"):
        (tmp_path / name).mkdir(exist_ok=True)
    return run(program, tmp_path / "observed", "env", *settings, program, *arguments, **how)


def test_a_small_program_gets_little_more_mapped(program, tmp_path):
    more = observed(program, tmp_path)["VmPeak"] - run(program, tmp_path / "bare", program)["VmPeak"]
    assert more <= 8 * MIB


def test_locking_all_memory_pulls_in_little(program, tmp_path):
    more = observed(program, tmp_path, "lock")["VmRSS"] - run(program, tmp_path / "bare", program, "lock")["VmRSS"]
    assert more <= 8 * MIB


def test_programs_under_a_limit_are_observed(program, tmp_path):
    observed(program, tmp_path, limit=24 * MIB)
    logs = list((tmp_path / "logs").rglob("*.darshan"))
    assert len(logs) == 1 and Log(logs[0])[tmp_path / "observed" / "data", "POSIX_BYTES_WRITTEN"] == 10
    assert not list((tmp_path / "maps").rglob("*.map"))
