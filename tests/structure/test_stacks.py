"""The runtime on small stacks: what its functions take, added up from the machine code.

Threads may have 16 KiB, signal handlers 8 KiB, of which the kernel's own frame takes up to half. What needs more runs
on a stack of our own (capture/session/own_stack.hpp), and there nothing may ask the C library for what locks or allocates.
"""

import re
import subprocess

import pytest

import machine_code
import project
import test_symbols

LIBRARY = project.BUILD / "lib" / "libtrikal.so"
KIB = 1024

OF_A_WRAPPER = 2 * KIB
# MPI and HDF5 take tens of KiB themselves.
OF_MPIS_END = 32 * KIB
OF_OUR_OWN = 40 * KIB  # a quarter of what there is: calls through pointers are not seen

# What a process may call on its way out, in a signal handler as well.
AT_THE_END = {"__errno_location", "__stack_chk_fail", "clock_gettime", "getauxval", "memchr", "memcmp", "memcpy", "memmove", "memset",
              "strchr", "strcmp", "strlen", "strncmp", "strnlen", "strstr", "syscall"}


@pytest.fixture(scope="module")
def code():
    return machine_code.MachineCode(LIBRARY)


def on_own_stack(code, by):
    """Functions that run on the stack of our own."""
    found = {name for name in code.frame if re.search(rf"on_own_stack.*{by}.*(_FUN|__invoke)", name)}
    assert found, f"nothing of {by} runs on a stack of our own any more: is this the right name?"
    return found


def words(way):
    names = subprocess.run(["c++filt", "-p"], input="\n".join(way), capture_output=True, text=True).stdout.split("\n")
    return "\n    ".join(names)


def too_deep(code, names, most):
    depths = {name: code.depth(name) for name in names}
    return [f"{name}: {depth} bytes of stack\n    {words(way)}" for name, (depth, way) in sorted(depths.items()) if depth > most]


def test_wrappers_need_little_stack(code):
    wrong = too_deep(code, test_symbols.exported(LIBRARY) & set(code.frame), OF_A_WRAPPER)
    assert not wrong, "\n" + "\n".join(wrong)


def test_starting_and_stopping_need_little_of_the_programs_stack(code):
    names = {name for name in code.frame if re.search(r"7Session(5start|4stop|19after_fork_in_child|11before_exec)E", name)}
    names = {name for name in names if "on_own_stack" not in name}
    assert names
    wrong = too_deep(code, names, OF_A_WRAPPER)
    assert not wrong, "\n" + "\n".join(wrong)


def test_the_end_of_mpi_is_bounded(code):
    wrong = too_deep(code, {name for name in code.frame if "finish_job" in name}, OF_MPIS_END)
    assert not wrong, "\n" + "\n".join(wrong)


def test_our_own_stack_is_four_times_what_is_used(code):
    wrong = too_deep(code, on_own_stack(code, ""), OF_OUR_OWN)
    assert not wrong, "\n" + "\n".join(wrong)
    rows = test_symbols.lines_of("nm", "-S", str(LIBRARY))
    sizes = [int(row.split()[1], 16) for row in rows if re.search(r"[bB] _ZN6trikal7capture12_GLOBAL__N_15stackE", row)]
    assert len(sizes) == 1 and sizes[0] >= 4 * OF_OUR_OWN, sizes


def test_nothing_at_the_end_locks_or_allocates(code):
    roots = on_own_stack(code, "4stop") | {"_exit", "_Exit"}
    reached = set().union(*map(code.reached_from, roots))
    asked = {name.removesuffix("@plt") for name in reached if name.endswith("@plt")}
    assert "memcpy" in asked and not asked - AT_THE_END, sorted(asked - AT_THE_END)


def test_the_code_is_understood(tmp_path):
    source, library = tmp_path / "deep.c", tmp_path / "libdeep.so"
    source.write_text("""
void use(char*);
__attribute__((noinline)) static void inner(void) { char bytes[3000]; use(bytes); }
void outer(void) { char bytes[1000]; use(bytes); inner(); use(bytes); }
void use(char* bytes) { *bytes = 1; }
""")
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-fno-stack-clash-protection", "-o", str(library), str(source)], check=True)
    read = machine_code.MachineCode(library)
    depth, way = read.depth("outer")
    assert 4000 <= depth < 4300 and way[:2] == ("outer", "inner")
    assert "use@plt" in read.reached_from("outer")


def test_a_frame_of_128_bytes_is_understood():
    read = object.__new__(machine_code.MachineCode)
    read.arm = False
    taken = read.frame_of(["\tadd    $0xffffffffffffff80,%rsp", "\tsub    $0xffffffffffffff80,%rsp"])
    assert taken == 128 + machine_code.RETURN_ADDRESS
