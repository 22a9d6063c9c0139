"""What strace saw of a command and everything it started, as bytes and calls by file."""

import collections
import dataclasses
import os
import pathlib
import re

# -y writes the path behind every descriptor; -ff a file a process, so that no call is cut in two.
OPTIONS = ["-ff", "-qq", "-y", "-s", "32", "-e", "signal=none", "-e",
           "trace=read,pread64,readv,preadv,preadv2,write,pwrite64,writev,pwritev,pwritev2,"
           "copy_file_range,sendfile,splice,io_submit,execve"]
CALL = re.compile(r"^(\w+)\((.*)\)\s+= (-?\d+|\?)")
DESCRIPTOR = re.compile(r"(\d+)<((?:[^<>\\]|\\.)*)>(?:\(deleted\))?")
REQUEST = re.compile(r"aio_lio_opcode=(\w+), aio_fildes=(\d+<[^>]*>).*?aio_nbytes=(\d+)")
READS = {"read", "pread64", "readv", "preadv", "preadv2"}
WRITES = {"write", "pwrite64", "writev", "pwritev", "pwritev2"}
COPIES = {"copy_file_range": (0, 1), "splice": (0, 1), "sendfile": (1, 0)}  # which descriptor is read, which written


@dataclasses.dataclass
class Use:
    reads: int = 0
    bytes_read: int = 0
    writes: int = 0
    bytes_written: int = 0
    standard: bool = False  # through descriptor 0, 1 or 2

    def values(self):
        return (self.reads, self.bytes_read, self.writes, self.bytes_written)


def _path(text):
    plain = re.sub(r"\\([0-7]{1,3}|.)", lambda m: chr(int(m[1], 8)) if m[1].isdigit() else m[1], text)
    return os.path.normpath(plain.removesuffix(" (deleted)")) if plain.startswith("/") else None


class Trace:
    def __init__(self, prefix, log):
        """`log` is what only the observer itself writes: its calls take no part."""
        self.files = collections.defaultdict(Use)
        self.log = f"<{log}"
        self.processes = 0
        for path in sorted(pathlib.Path(prefix).parent.glob(pathlib.Path(prefix).name + ".*")):
            self._read(path)

    def _read(self, path):
        lines = path.read_text(errors="surrogateescape").splitlines()
        if any(line.startswith("pwrite64(") and self.log in line for line in lines):
            return
        self.processes += 1
        for line in lines:
            found = CALL.match(line)
            if found and found[3] != "?" and int(found[3]) >= 0:
                self._call(found[1], found[2], int(found[3]))

    def _use(self, descriptor):
        number, text = descriptor
        path = _path(text)
        if path is None:
            return Use()  # a pipe, a socket: no file
        use = self.files[path]
        use.standard |= int(number) < 3
        return use

    def _moved(self, use, read, moved):
        if read:
            use.reads, use.bytes_read = use.reads + 1, use.bytes_read + moved
        else:
            use.writes, use.bytes_written = use.writes + 1, use.bytes_written + moved

    def _call(self, name, arguments, result):
        if name == "io_submit":
            for opcode, descriptor, size in REQUEST.findall(arguments)[:result]:
                self._moved(self._use(DESCRIPTOR.match(descriptor).groups()), "READ" in opcode, int(size))
            return
        descriptors = DESCRIPTOR.findall(arguments)
        if name in COPIES:
            for which, read in zip(COPIES[name], (True, False)):
                self._moved(self._use(descriptors[which]), read, result)
        elif name in READS | WRITES and descriptors:
            self._moved(self._use(descriptors[0]), name in READS, result)
