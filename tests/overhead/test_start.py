"""What a process that does little pays for the runtime, in counts that do not depend on how busy the machine is: addresses that the
loader writes, where the code lies that every process runs, and system calls."""

import os
import re
import subprocess

import pytest

from conftest import BUILD

RUNTIME = BUILD / "lib" / "libtrikal.so"
# With some space for a module more; a table of string_views is what to look for if there are many more (base/short_text.hpp).
MOST_RELOCATIONS = 1600
MOST_PAGES_OF_ADDRESSES = 10
MOST_START_BYTES = 192 * 1024
MOST_SYSTEM_CALLS = {"preloaded": 34, "run": 46}


def lines_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def sections():
    """{name: (address, bytes)}"""
    found = (re.match(r"\s*\[\s*\d+\] (\S+)\s+\S+\s+([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+)", line)
             for line in lines_of("readelf", "-SW", RUNTIME))
    return {match[1]: (int(match[2], 16), int(match[3], 16)) for match in found if match}


def test_the_loader_writes_few_addresses():
    rows = [line.split() for line in lines_of("readelf", "-rW", RUNTIME)]
    written = [int(row[0], 16) for row in rows if len(row) > 2 and row[2].startswith("R_")]
    assert len(written) > 100, "readelf was not understood"
    assert len(written) <= MOST_RELOCATIONS
    assert len({address // 4096 for address in written}) <= MOST_PAGES_OF_ADDRESSES


def test_what_every_process_runs_lies_together():
    begin, size = sections()[".text.start"]
    assert 0 < size <= MOST_START_BYTES
    wanted = ("Session::start()", "Session::begin_map(", "KeptEnvironment::find(", "find_next(", "at_load(", "on_fork_in_child(")
    rows = [line.split(None, 2) for line in lines_of("nm", "-C", RUNTIME)]
    at = {name: [int(row[0], 16) for row in rows if len(row) == 3 and row[1] in "tT" and name in row[2]] for name in wanted}
    gone = [name for name, addresses in at.items() if not any(begin <= address < begin + size for address in addresses)]
    assert not gone, "these are not where src/capture/start.ld wants them"


def system_calls(folder, environment):
    out = folder / "strace"
    inside = [word for name, value in environment.items() for word in ("-E", f"{name}={value}")]
    nothing = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    subprocess.run(["strace", "-o", out, *inside, "true"], check=True, timeout=60, **nothing)
    return len([line for line in out.read_text().splitlines() if re.match(r"\w+\(", line)])


@pytest.mark.parametrize("way", MOST_SYSTEM_CALLS)
def test_a_process_that_does_nothing_makes_few_system_calls_more(tmp_path, way):
    maps = tmp_path / "maps"
    maps.mkdir(mode=0o700)
    told = {"TRIKAL_RUN_DIRECTORY": maps} if way == "run" else {"TRIKAL_MAP_DIRECTORY": maps}
    # Descriptors that are open here are looked at one by one.
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        if descriptor > 2 and os.path.lexists(f"/proc/self/fd/{descriptor}"):
            os.set_inheritable(descriptor, False)
    observed = system_calls(tmp_path, {"LD_PRELOAD": RUNTIME, "TRIKAL_LOGPATH": tmp_path, **told})
    added = observed - system_calls(tmp_path, {})
    print(f"{added} more")
    assert 5 < added <= MOST_SYSTEM_CALLS[way]
