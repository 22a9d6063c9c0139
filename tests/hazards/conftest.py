"""Hazards: one folder each, with a program and expect.toml. What a table may say:

about           one line
compiler        another one than ours; the hazard is then built with it alone
unseen          why it cannot be observed, as logs and standard error name it
flags           for the compiler; a program that needs a library gets `link` (linked to it)
exit            exit status (0 by default)
[counters]      "FILE COUNTER" = value, or { max = value } for the largest over processes instead of the sum
[totals]        COUNTER = value, over all files but the one named by `truth`
truth           a file the program writes: "COUNTER value" lines, totals that count missed calls in
sizes           files and the bytes they must have in the end
modes           "run" (trikal run) and "preload" (plain preloading); both by default
second_preload  a library to preload beside ours; many_arguments: how many to pass
needs_root, as_nobody    who runs it
"""

import collections
import csv
import io
import os
import pathlib
import signal
import subprocess
import tomllib

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()
TRIKAL, RUNTIME = BUILD / "bin" / "trikal", BUILD / "lib" / "libtrikal.so"
COMPILERS = {"gcc": ("gcc", "g++"), "clang": ("clang-19", "clang++-19")}


class Log:
    """Sums over the records of one or several logs, and what the runtime says of itself."""

    def __init__(self, paths):
        self.sums, self.most = collections.Counter(), {}
        self.missed = self.folded = 0
        for path in paths:
            self.read(path)

    def read(self, path):
        # No file name column is needed but the last part; names may hold anything but a slash.
        done = subprocess.run([TRIKAL, "parse", "--base", path], capture_output=True, check=True)
        for line in done.stdout.decode("utf-8", "surrogateescape").split("\n"):
            fields = line.split("\t")
            if line.startswith("#") or len(fields) < 6 or "_F_" in fields[3] or not fields[4].lstrip("-").isdigit():
                continue
            key = pathlib.PurePath(fields[5]).name, fields[3]
            self.sums[key] += int(fields[4])
            self.most[key] = max(self.most.get(key, 0), int(fields[4]))
        rows = subprocess.run([TRIKAL, "export", "-f", "csv", "-t", "processes", "-o", "-", path], capture_output=True)
        if rows.returncode == 0:
            for row in csv.DictReader(io.StringIO(rows.stdout.decode("utf-8", "surrogateescape"))):
                self.missed += int(row["missed"])
                self.folded += int(row["folded"])

    def total(self, counter, but=None):
        return sum(value for (name, one), value in self.sums.items() if one == counter and name != but)

    def files(self):
        return {name for name, _ in self.sums}


class Hazard:
    def __init__(self, folder, compiler, built_in):
        self.folder, self.built_in = folder, built_in
        self.table = tomllib.loads((folder / "expect.toml").read_text())
        own = self.table.get("compiler")
        self.build(*((own, own) if own else COMPILERS[compiler]))

    def build(self, c, cxx):
        flags = ["-O1", "-Wall", "-Wextra", "-Werror"]
        for part in sorted(self.folder.glob("lib*.c")):
            subprocess.run([c, *flags, "-fPIC", "-shared", "-o", self.built_in / f"{part.stem}.so", part], check=True)
        source = next(self.folder.glob("program.c*"))
        link = [self.built_in / self.table["link"], f"-Wl,-rpath,{self.built_in}"] if "link" in self.table else []
        subprocess.run([cxx if source.suffix == ".cpp" else c, *flags, "-o", self.built_in / "program", source, *link, "-ldl",
                        *self.table.get("flags", [])], check=True)

    def start(self, folder, prefix=(), preload=(), environment=None, arguments=()):
        """The finished program, run in a new folder."""
        folder.mkdir()
        for part in self.built_in.glob("*.so"):
            (folder / part.name).symlink_to(part)
        environment = {**os.environ, **(environment or {})}
        if preload:
            environment["LD_PRELOAD"] = ":".join(map(str, preload))
        command = [*prefix, self.built_in / "program", *arguments]
        process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            out, err = process.communicate(timeout=180)  # seconds: other programs may have the processors
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # also what it started
            process.communicate()
            pytest.fail(f"{self.folder.name} hangs")
        return subprocess.CompletedProcess(command, process.returncode, out, err)


@pytest.fixture
def settings(tmp_path):
    """Plain preloading: logs and maps in folders of the test's own."""
    for folder in ("logs", "maps"):
        (tmp_path / folder).mkdir()
    return {"TRIKAL_LOGPATH": str(tmp_path / "logs"), "TRIKAL_MAP_DIRECTORY": str(tmp_path / "maps")}


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    made = {}

    def build(name, compiler="gcc"):
        if (name, compiler) not in made:
            made[name, compiler] = Hazard(HERE / name, compiler, tmp_path_factory.mktemp(f"{name}-{compiler}"))
        return made[name, compiler]
    return build
