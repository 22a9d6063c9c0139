"""Scripts for programs/steps.c, and the counters that follow from them.

A `Script` is written step by step; each step adds its line and, by the rules of the specification
(tests/independent/ground/counting.py), what it counts. Nothing here looks at the runtime or at a log.
"""

import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / name) for name in ("independent", "support")]
from ground import counting, folds  # noqa: E402,F401  behind the path; for the tests too

SOME_TIME = (1.0, 2.0)  # of every operation: times that are not 0 must not be 0 in the log
SET, CUR, END = os.SEEK_SET, os.SEEK_CUR, os.SEEK_END
MODES = {"w+": 0, "r+": 1, "a": 2}


class Open:
    """What a descriptor stands for; duplicates share it."""

    def __init__(self, name, append):
        self.name, self.append, self.position = name, append, 0


class Script:
    def __init__(self, folder, sizes=None):
        self.folder, self.lines = folder, []
        self.block = os.statvfs(folder).f_bsize
        self.sizes = dict(sizes or {})  # of files, as they are now
        self.posix, self.stdio, self.mpiio = {}, {}, {}
        self.open_files, self.streams, self.mpi_files = {}, {}, {}

    def step(self, *words):
        self.lines.append(" ".join(map(str, words)))

    def text(self):
        return "\n".join(self.lines)

    def of(self, name):
        return self.posix.setdefault(name, counting.Posix(8, self.block))

    # ---- descriptors

    def open(self, slot, name, flags=os.O_RDWR | os.O_CREAT, mode=0o644):
        self.step("open", slot, flags, mode, 0, name)
        self.of(name).open(mode if flags & os.O_CREAT else 0, SOME_TIME)
        if flags & os.O_TRUNC or name not in self.sizes:
            self.sizes[name] = 0
        self.open_files[slot] = Open(name, bool(flags & os.O_APPEND))

    def dup(self, slot, source):
        self.step("dup", slot, source)
        self.open_files[slot] = self.open_files[source]
        self.of(self.open_files[source].name).duplicate(SOME_TIME)

    def close(self, slot):
        self.step("close", slot)
        self.of(self.open_files.pop(slot).name).close(SOME_TIME)

    def _written(self, name, offset, size, aligned):
        if size:
            self.sizes[name] = max(self.sizes[name], offset + size)
        self.of(name).transfer("WRITE", offset, size, SOME_TIME, aligned)

    def _readable(self, name, offset, size):
        return max(0, min(size, self.sizes[name] - offset))

    def write(self, slot, size, off=0):
        file = self.open_files[slot]
        self.step("write", slot, size, 0, off)
        at = self.sizes[file.name] if file.append else file.position
        self._written(file.name, at, size, off % 8 == 0)
        file.position = at + size

    def read(self, slot, size, off=0):
        file = self.open_files[slot]
        got = self._readable(file.name, file.position, size)
        self.step("read", slot, size, got, off)
        self.of(file.name).transfer("READ", file.position, got, SOME_TIME, off % 8 == 0)
        file.position += got

    def pwrite(self, slot, size, at, off=0, vector=False):
        file = self.open_files[slot]
        self.step("pwritev" if vector else "pwrite", slot, size, at, off)
        at = self.sizes[file.name] if file.append else at  # Linux appends, whatever it is told
        self._written(file.name, at, size, vector or off % 8 == 0)

    def pread(self, slot, size, at, off=0, vector=False):
        name = self.open_files[slot].name
        self.step("preadv" if vector else "pread", slot, size, at, off)
        self.of(name).transfer("READ", at, self._readable(name, at, size), SOME_TIME, vector or off % 8 == 0)

    def seek(self, slot, by, whence):
        file = self.open_files[slot]
        base = {SET: 0, CUR: file.position, END: self.sizes[file.name]}[whence]
        file.position = base + by
        self.step("seek", slot, by, whence, file.position)
        self.of(file.name).meta("SEEKS", SOME_TIME)

    def truncate(self, slot, size):
        self.step("truncate", slot, size)
        self.sizes[self.open_files[slot].name] = size

    def sync(self, slot, data_only=False):
        self.step("fdatasync" if data_only else "fsync", slot)
        self.of(self.open_files[slot].name).sync("FDSYNCS" if data_only else "FSYNCS", SOME_TIME)

    def stat(self, slot, by_name=False):
        name = self.open_files[slot].name
        self.step("stat" if by_name else "fstat", slot, 0, 0, 0, name)
        self.of(name).meta("STATS", SOME_TIME)

    def mmap(self, slot, size):
        self.step("mmap", slot, size)
        self.of(self.open_files[slot].name).count("MMAPS")

    # ---- streams

    def stream_of(self, slot):
        file = self.streams[slot]
        return file, self.stdio[file.name]

    def fopen(self, slot, name, mode="w+"):
        self.step("fopen", slot, MODES[mode], 0, 0, name)
        if mode == "w+" or name not in self.sizes:
            self.sizes[name] = 0
        self.stdio.setdefault(name, counting.Stdio()).open(when=SOME_TIME)
        self.streams[slot] = Open(name, mode == "a")
        if mode == "a":
            self.streams[slot].position = self.sizes[name]

    def fdopen(self, slot, descriptor):
        name = self.open_files[descriptor].name
        self.step("fdopen", slot, descriptor)
        self.stdio.setdefault(name, counting.Stdio()).open(on_descriptor=True, when=SOME_TIME)
        self.streams[slot] = Open(name, False)
        self.streams[slot].position = self.open_files[descriptor].position

    def fclose(self, slot):
        self.step("fclose", slot)
        self.stream_of(slot)[1].close(SOME_TIME)
        del self.streams[slot]

    def _stream_write(self, slot, size):
        file, counted = self.stream_of(slot)
        counted.transfer("WRITE", file.position, size, SOME_TIME)
        file.position += size
        self.sizes[file.name] = max(self.sizes[file.name], file.position)

    def fwrite(self, slot, size, count=1):
        self.step("fwrite", slot, size, count)
        self._stream_write(slot, size * count)

    def fputs(self, slot, text):
        self.step("fputs", slot, 0, 0, 0, text)
        self._stream_write(slot, len(text))

    def fread(self, slot, size, count=1):
        """Whole items count; none at all is no read."""
        file, counted = self.stream_of(slot)
        left = self._readable(file.name, file.position, size * count)
        self.step("fread", slot, size, count, left // size)
        if left // size:
            counted.transfer("READ", file.position, left // size * size, SOME_TIME)
        file.position += left // size * size
        return left % size == 0

    def fgetc(self, slot):
        file, counted = self.stream_of(slot)
        left = self._readable(file.name, file.position, 1)
        self.step("fgetc", slot, int(not left))
        if left:
            counted.transfer("READ", file.position, 1, SOME_TIME)
        file.position += left

    def fseek(self, slot, at, whence=SET):
        file, counted = self.stream_of(slot)
        self.step("fseek", slot, at, whence)
        file.position = at + {SET: 0, CUR: file.position, END: self.sizes[file.name]}[whence]
        counted.seek(SOME_TIME)

    def rewind(self, slot):
        file, counted = self.stream_of(slot)
        self.step("rewind", slot)
        file.position = 0
        counted.seek(SOME_TIME)

    def fflush(self, slot):
        self.step("fflush", slot)
        self.stream_of(slot)[1].flush(SOME_TIME)

    # ---- MPI-IO

    def mpi_open(self, slot, name, ranks, mode, hints=False):
        """By all ranks, or by each for itself where ranks is 1."""
        self.step("mopen", slot, mode, int(ranks > 1), int(hints), name)
        self.mpiio.setdefault(name, counting.Mpiio()).open(ranks, mode, hints, SOME_TIME)
        self.mpi_files[slot] = name

    def mpi_transfer(self, slot, way, kind, size, at):
        self.step("mwrite" if way == "WRITE" else "mread", slot, size, at, 0, kind)
        self.mpiio[self.mpi_files[slot]].transfer(way, kind, size, SOME_TIME)

    def mpi_sync(self, slot):
        self.step("msync", slot)
        self.mpiio[self.mpi_files[slot]].sync(SOME_TIME)

    def mpi_view(self, slot, hints=False):
        self.step("mview", slot, 0, 0, int(hints))
        self.mpiio[self.mpi_files[slot]].view(hints, SOME_TIME)

    def mpi_close(self, slot):
        self.step("mclose", slot)
        self.mpiio[self.mpi_files.pop(slot)].close(SOME_TIME)

    def barrier(self):
        self.step("mbarrier")
