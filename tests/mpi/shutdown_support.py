"""Runs tests/mpi/programs/job.c with nothing but the library preloaded, and counts what came of it."""

import os
import pathlib
import subprocess
import time

from conftest import RUNTIME, TRIKAL, Log
from launching import again, launch, make_anew


def truth(ranks):
    """Bytes written to each file, by name."""
    files = {"shared.dat": sum(1000 * (rank + 1) for rank in range(ranks)), "some.dat": 7 * min(ranks, 2)}
    files |= {f"own.{rank}": 500 for rank in range(ranks)}
    if ranks > 1:
        files["others.dat"] = 10 * (ranks - 1)
    return files


def written(logs):
    """The same, from all records of some logs."""
    files = {}
    for log in logs:
        for row in Log(log).rows("posix"):
            name = row["name"].rsplit("/", 1)[1]
            files[name] = files.get(name, 0) + int(row["POSIX_BYTES_WRITTEN"])
    return {name: count for name, count in files.items() if not name.startswith("<") and count}


class Preloaded:
    """One run: exit status, seconds, logs that the processes wrote, and those that `trikal recover` adds."""

    def __init__(self, mpi, folder, ranks, how="plain", whose=-1, environment=None, without=None, program="job.c",
                 rank_settings=None, timeout=120):
        self.data, self.logs, self.maps = folder / "data", folder / "logs", folder / "maps"
        settings = {"TRIKAL_LOGPATH": str(self.logs), "TRIKAL_MAP_DIRECTORY": str(self.maps),
                    **(environment or {})}
        app = [mpi.compile(program), str(self.data), how, str(whose)]
        command = []
        for rank in range(ranks) if without is not None or rank_settings else [None]:
            own = {**settings, **(rank_settings or {}).get(rank, {})}
            if without is None or rank != without:
                own["LD_PRELOAD"] = RUNTIME
            words = ["env", *(f"{name}={value}" for name, value in own.items()), *app]
            command += [":"] if command else []
            command += ["-np", str(1 if rank is not None else ranks), *words]
        again(lambda: self.run([*mpi.launch(ranks)[:-2], *command], timeout))
        self.own = sorted(self.logs.rglob("*.darshan"))

    def run(self, command, timeout):
        for directory in (self.data, self.logs, self.maps):
            make_anew(directory)
        begin = time.monotonic()
        done = launch(command, timeout, {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"})
        self.seconds = time.monotonic() - begin
        self.status, self.stdout, self.stderr = done.returncode, done.stdout, done.stderr

    def recover(self):
        """All logs, once what was left has been recovered. Launchers return before the last rank that they killed is dead, and
        nobody recovers from the living: so again, until nothing is left."""
        end = time.monotonic() + 30
        while True:
            subprocess.run([TRIKAL, "recover", "-o", self.logs, self.maps / f"trikal-{os.geteuid()}"], capture_output=True,
                           timeout=60)
            if not any(self.maps.rglob("*.map")) or time.monotonic() > end:
                break
            time.sleep(0.2)
        return sorted(self.logs.rglob("*.darshan"))

    def left(self):
        return sorted(path.name for path in self.maps.rglob("*.map")) + sorted(
            path.name for path in self.logs.rglob("*partial*"))


def bare(mpi, folder, ranks, how, whose, timeout=120):
    make_anew(folder)
    return again(lambda: launch([*mpi.launch(ranks), mpi.compile("job.c"), str(folder), how, str(whose)], timeout)).returncode


def told(mpi, how, status):
    """What the launcher answers. When a rank exits without MPI_Finalize, MPICH's answers with that rank's status or with the
    signal that it sent the others, whichever it hears of first, with and without us."""
    return "3 or 9" if mpi.name == "mpich" and how == "exit" and status in (3, 9) else str(status)


def of(log, name):
    return {int(row["rank"]): row for row in Log(log).rows("posix") if pathlib.Path(row["name"]).name == name}
