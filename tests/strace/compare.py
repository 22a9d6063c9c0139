"""A command run once, seen twice: by strace and by trikal, file by file."""

import dataclasses
import os
import pathlib
import re
import subprocess

from traced import OPTIONS, Trace, Use

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()
TRIKAL = BUILD / "bin" / "trikal"

# No files: what the kernel makes up, and what the runtime reads there to know the process it is in.
PSEUDO = re.compile(r"/(proc|sys|dev)(/|$)")
# Read by the loader and by libc itself, through no function anybody can intercept.
INTERNAL = re.compile(r".*\.so(\.[0-9.]+)*$|/etc/(ld\.so\.cache|ld\.so\.preload|nsswitch\.conf|passwd|group|localtime|hosts|"
                      r"host\.conf|resolv\.conf|gai\.conf|services|locale\.alias)$|"
                      r"/usr/(lib/locale|share/locale|share/zoneinfo|lib/[^/]*/gconv)/.*|.*/gconv-modules(\.cache|\.d/.*)?$")


@dataclasses.dataclass
class Seen:
    """Of one file in the log: POSIX counters as strace has them, and what went through streams."""
    posix: Use = dataclasses.field(default_factory=Use)
    stream_read: int = 0
    stream_written: int = 0
    stream: bool = False
    sought: bool = False


COUNTERS = {"POSIX_READS": "reads", "POSIX_BYTES_READ": "bytes_read", "POSIX_WRITES": "writes",
            "POSIX_BYTES_WRITTEN": "bytes_written"}


def resolved(name):
    """The kernel's name for it: links followed as far as they still exist."""
    return os.path.realpath(name) if name.startswith("/") else name


def read_log(path):
    done = subprocess.run([TRIKAL, "parse", "--base", path], capture_output=True, check=True)
    files = {}
    for line in done.stdout.decode("utf-8", "surrogateescape").splitlines():
        fields = line.split("\t")
        if line.startswith("#") or len(fields) < 6:
            continue
        seen = files.setdefault(resolved(fields[5]), Seen())
        if fields[3] in COUNTERS:
            member = COUNTERS[fields[3]]
            setattr(seen.posix, member, getattr(seen.posix, member) + int(fields[4]))
        elif fields[3] == "STDIO_OPENS":
            seen.stream = seen.stream or int(fields[4]) > 0
        elif fields[3] == "STDIO_SEEKS":
            seen.sought = seen.sought or int(fields[4]) > 0
        elif fields[3] == "STDIO_BYTES_READ":
            seen.stream_read += int(fields[4])
        elif fields[3] == "STDIO_BYTES_WRITTEN":
            seen.stream_written += int(fields[4])
    return files


def looked_at(path, use):
    """The runtime reads the beginning of a program that is about to be started, to know whether it can be observed."""
    return use.values() == (use.reads, 4096 * use.reads, 0, 0) and os.access(path, os.X_OK) and ".so" not in path


@dataclasses.dataclass
class Comparison:
    posix: int = 0            # files used through descriptors only
    streams: int = 0          # files used through streams (too)
    internal: list = dataclasses.field(default_factory=list)
    wrong: list = dataclasses.field(default_factory=list)
    bytes_all: int = 0        # what strace saw move
    bytes_seen: int = 0       # of files that are in the log
    processes: int = 0

    def add(self, path, use, seen, standard_written):
        unseen = seen is None or not (seen.stream or any(seen.posix.values()))
        if unseen and looked_at(path, use):
            return
        self.bytes_all += use.bytes_read + use.bytes_written
        if unseen:
            if INTERNAL.match(path) and use.writes == 0:
                self.internal.append(path)
            elif not (use.standard and use.bytes_written <= standard_written):
                self.wrong.append(f"{path}: not in the log; strace has {use.values()}")
            else:
                self.bytes_seen += use.bytes_written
            return
        self.bytes_seen += use.bytes_read + use.bytes_written
        if not seen.stream:
            self.posix += 1
            missing_written = use.bytes_written - seen.posix.bytes_written
            if seen.posix.values() == use.values():
                return
            # Standard output that was redirected: its stream is <STDOUT>, whatever the file.
            if use.standard and seen.posix.bytes_read == use.bytes_read and 0 <= missing_written <= standard_written:
                return
            self.wrong.append(f"{path}: {seen.posix.values()}, strace has {use.values()}")
            return
        self.streams += 1
        written = seen.posix.bytes_written + seen.stream_written
        # What a stream has in its buffer can be read again after a seek, without a call.
        too_much = seen.posix.bytes_read + seen.stream_read > use.bytes_read and not seen.sought
        redirected = use.standard and 0 <= use.bytes_written - written <= standard_written
        if (written != use.bytes_written and not redirected) or too_much:
            self.wrong.append(f"{path}: through streams {seen.stream_read} read, {seen.stream_written} written, besides "
                              f"{seen.posix.values()}; strace has {use.values()}")


def observe(command, folder, env=None):
    """Runs the command under both; answers with the comparison and the finished process."""
    folder = pathlib.Path(folder)
    (folder / "trace").mkdir()
    log = folder / "job.darshan"
    done = subprocess.run(["strace", *OPTIONS, "-o", folder / "trace" / "t", TRIKAL, "run", "--quiet", "--exclude", "none",
                           "--log", log, "--", *command],
                          cwd=folder / "work", capture_output=True, env=env, timeout=300)
    trace, files = Trace(folder / "trace" / "t", log), read_log(log)
    result = Comparison(processes=trace.processes)
    standard_written = sum(files[name].stream_written for name in ("<STDOUT>", "<STDERR>") if name in files)
    for path, use in sorted(trace.files.items()):
        if not PSEUDO.match(path) and any(use.values()):
            result.add(path, use, files.get(path), standard_written)
    for path, seen in files.items():
        if path.startswith("/") and not PSEUDO.match(path) and path not in trace.files and any(seen.posix.values()):
            result.wrong.append(f"{path}: {seen.posix.values()}, strace has nothing")
    return result, done
