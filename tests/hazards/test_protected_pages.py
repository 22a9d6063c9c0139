"""Calls of MPI are redirected in tables that the loader protects: no page is left other than it was found."""

import os
import re
import struct
import subprocess

import pytest

from conftest import RUNTIME

KINDS = [f"{form}{rest}" for form in ("read", "write") for rest in ("", "_all", "_at", "_at_all", "_shared", "_ordered",
         "_all_begin", "_all_end", "_at_all_begin", "_at_all_end", "_ordered_begin", "_ordered_end")]
NAMES = [f"{prefix}MPI_File_{kind}" for prefix in ("", "P") for kind in
         (*KINDS, "open", "close", "sync", "set_view", "set_size", "preallocate", "delete")]
DATA = ("ompi_mpi_comm_world", "ompi_mpi_byte", "ompi_mpi_info_null", "ompi_request_null", "ompi_mpi_errors_return",
        "ompi_mpi_comm_null")
ASKED = ("Initialized(int* f) { *f = 0; ", "Finalized(int* f) { *f = 0; ", "Comm_rank(long c, int* r) { (void)c; *r = 0; ",
         "Comm_size(long c, int* n) { (void)c; *n = 1; ", "Type_size_x(long t, long* n) { (void)t; *n = 1; ",
         "Get_elements_x(void* s, long t, long* n) { (void)s; (void)t; *n = 0; ")


def compile_c(folder, name, text, *flags):
    source = folder / f"{name}.c"
    source.write_text(text)
    target = folder / (f"{name}.so" if name.startswith("lib") else name)
    shared = ["-shared", "-fPIC"] if name.startswith("lib") else []
    subprocess.run(["gcc", "-O1", "-w", *shared, "-o", target, source, f"-L{folder}", f"-Wl,-rpath,{folder}", *flags], check=True)
    return target


def make_mpi(folder):
    """A library that looks like Open MPI, and does nothing."""
    text = "".join(f"char {name}[64];\n" for name in DATA)
    text += "".join(f"int PMPI_{function}return 0; }}\n" for function in ASKED)
    text += "int MPI_Init(int* a, char*** b) { return 0; }\nint MPI_Finalize(void) { return 0; }\n"
    text += "".join(f"int {name}() {{ return 0; }}\n" for name in NAMES)
    return compile_c(folder, "libmpi", text)


def end_protection_before_data(library):
    """As on pages of 64 KiB: what the header wants protected ends in the middle of the page that has the data."""
    sections = subprocess.run(["readelf", "-SW", library], capture_output=True, text=True, check=True).stdout
    at, size = (int(word, 16) for word in re.search(r" \.got +PROGBITS +(\w+) \w+ (\w+)", sections).groups())
    data = bytearray(library.read_bytes())
    first, = struct.unpack_from("<Q", data, 32)
    entry, count = struct.unpack_from("<HH", data, 54)
    for header in range(first, first + entry * count, entry):
        if struct.unpack_from("<I", data, header)[0] == 0x6474E550:  # for unwinding, which nobody does here
            struct.pack_into("<IIQQQQQQ", data, header, 0x6474E552, 4, at, at, at, size, size, 1)
    library.write_bytes(data)
    segments = subprocess.run(["readelf", "-lW", library], capture_output=True, text=True, check=True).stdout
    assert "GNU_RELRO" in segments


def run(folder, program, preload, *arguments):
    environment = {**os.environ, "TRIKAL_LOGPATH": str(folder), "TRIKAL_MAP_DIRECTORY": str(folder)}
    if preload:
        environment["LD_PRELOAD"] = str(RUNTIME)
    return subprocess.run([program, *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


@pytest.mark.skipif(os.sysconf("SC_PAGESIZE") != 4096, reason="the test makes a page of its own kind")
def test_data_on_the_last_page_stays_writable(tmp_path):
    make_mpi(tmp_path)
    user = compile_c(tmp_path, "libuser", """
int MPI_Init(int*, char***), MPI_File_close(void*);
int counter = 1;
int use(void) { void* file = 0; MPI_Init(0, 0); MPI_File_close(&file); return ++counter; }
""", "-lmpi", "-Wl,-z,norelro,-z,now")
    end_protection_before_data(user)
    program = compile_c(tmp_path, "program", "#include <stdio.h>\nint use(void);\nint main(void) { printf(\"%d\\n\", use()); }",
                        "-luser", "-lmpi")
    for preload in (False, True):
        done = run(tmp_path, program, preload)
        assert (done.returncode, done.stdout) == (0, "2\n"), f"preloaded: {preload}"


def test_the_protection_that_was_found_is_there_again(tmp_path):
    make_mpi(tmp_path)
    calls = "".join(f"int {name}();\n" for name in NAMES)
    table = ", ".join(f"(void*){name}" for name in NAMES)
    program = compile_c(tmp_path, "program", f"""
#include <stdio.h>
{calls}
int MPI_Init(int*, char***);
void* const table[] = {{{table}}};
int main(void) {{
  MPI_Init(0, 0);
  char line[512], path[512];
  unsigned long from, to;
  FILE* maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps))
    if (sscanf(line, "%lx-%lx", &from, &to) == 2 && (unsigned long)table >= from && (unsigned long)table < to)
      printf("%.4s\\n", line + 26 - (line[12] != '-'));
  return MPI_File_sync();
}}""", "-lmpi", "-Wl,-z,relro,-z,now")
    bare, seen = (run(tmp_path, program, preload) for preload in (False, True))
    assert bare.returncode == 0 and (seen.returncode, seen.stdout) == (bare.returncode, bare.stdout), seen.stderr


def test_a_library_that_is_being_loaded_meanwhile(tmp_path):
    """One thread loads a library with many calls of MPI again and again; others open files, which has new libraries looked at."""
    make_mpi(tmp_path)
    used = [name for name in NAMES if not name.endswith(("_open", "_delete"))]  # a path would be needed
    calls = "".join(f"int {name}();\n" for name in used)
    zeros = ", ".join(["zeros"] * 6)
    uses = "".join(f"  sum += {name}({zeros});\n" for name in used)
    compile_c(tmp_path, "libuser", f"{calls}static char zeros[512];\nint use(void) {{\n  int sum = 0;\n{uses}  return sum;\n}}",
              "-lmpi", "-Wl,-z,relro,-z,now")
    program = compile_c(tmp_path, "program", """
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
static volatile int stop;
static void* open_files(void* unused) {
  while (!stop) close(open("a_file", O_CREAT | O_RDWR, 0600));
  return unused;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, open_files, 0);
  for (int i = 0; i < 2000; ++i) {
    void* user = dlopen("libuser.so", RTLD_NOW);
    if (!user || ((int (*)(void))dlsym(user, "use"))() != 0) return 1;
    dlclose(user);
  }
  stop = 1;
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}""", "-Wl,--no-as-needed", "-lmpi", "-ldl", "-lpthread")
    done = run(tmp_path, program, True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
