"""Observing an operation takes no system call: strace of a program that does it twice as often shows what the
program itself does more, and nothing else."""

import os
import subprocess

import pytest

from conftest import BUILD

CASES = ("pread", "pwrite", "read", "write", "fread", "fwrite", "fgetc", "fputc", "fgets", "fputs", "openknown")
# Numbers of calls at which streams have filled whole buffers, so that doubling them doubles everything.
COUNT = 8192


def system_calls(folder, case, count, preload):
    """{name: how often} of one run"""
    out = folder / "strace"
    environment = {**os.environ, "TRIKAL_EXCLUDE": "none", "TRIKAL_LOGPATH": str(folder),
                   "TRIKAL_MAP_DIRECTORY": str(folder)}
    inside = ["-E", f"LD_PRELOAD={BUILD / 'lib' / 'libtrikal.so'}"] if preload else []
    subprocess.run(["strace", "-f", "-c", "-U", "name,calls", "-o", out, *inside, BUILD / "bench" / "calls", "time", case,
                    str(count), folder], input=b".", check=True, capture_output=True, env=environment, timeout=120)
    rows = [line.split() for line in out.read_text().splitlines()]
    return {row[0]: int(row[1]) for row in rows if len(row) == 2 and row[1].isdigit() and row[0] != "total"}


def growth(folder, case, preload):
    system_calls(folder, case, COUNT, preload)  # makes the directories that the first observed program makes
    once, twice = (system_calls(folder, case, count, preload) for count in (COUNT, 2 * COUNT))
    more = {name: calls - once.get(name, 0) for name, calls in twice.items()}
    return {name: calls for name, calls in more.items() if calls != 0}


@pytest.mark.parametrize("case", CASES)
def test_no_system_call_is_added_to_an_operation(tmp_path, case):
    bare, observed = growth(tmp_path, case, False), growth(tmp_path, case, True)
    assert sum(bare.values()) > 0, "the program did nothing more"
    assert observed == bare
