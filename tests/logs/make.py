#!/usr/bin/env python3
"""Writes the logs of this folder anew, and what is expected of them.

  make.py           every log, by the runtime of build/release (or TRIKAL_BUILD), and its tables in expected/
  make.py --tables  only the tables, of the logs that are here

Programs run in a private mount and name space, so that logs tell nothing of the machine: files are in /mnt, the host
is node1. The tables come from the independent decoder (tests/independent/ground/shown.py), never from our own tools.
"""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).resolve()
sys.path.insert(0, str(ROOT / "tests" / "independent"))

TREE = "seq 1 3000 > numbers; sort -R --random-source=numbers numbers > mixed; sort -n mixed | cmp - numbers; cat mixed >> numbers"
# name: (how to compile what, how to run it); without a source only the command. {log} is where the log goes.
OBSERVED = "trikal run --quiet --log {log}"
LOGS = {
    "run-calls": ("cc -O1 -o /mnt/bin/calls {root}/tests/capture/programs/posix_data.c", f"{OBSERVED} -- calls"),
    "run-streams": ("cc -O1 -o /mnt/bin/streams {root}/tests/capture/programs/stdio_all.c", f"{OBSERVED} -- streams"),
    "run-names": ("cc -O1 -o /mnt/bin/names {root}/tests/capture/programs/posix_names.c", f"{OBSERVED} -- names"),
    "run-tree": ("", f"{OBSERVED} -- sh -c '{TREE}'"),
    "run-checkpoint": ("cc -O2 -g -I {root}/include -o /mnt/bin/checkpoint {root}/examples/checkpoint.c",
                       f"mkdir data && {OBSERVED} --call-sites -- checkpoint 2 data"),
    "run-killed": ("cc -O1 -o /mnt/bin/killed {root}/tests/capture/programs/many_calls.c",
                   f"{OBSERVED} -- killed killed out 9 || test $? = 137"),
    "run-mpich": ("mpicc.mpich -O1 -o /mnt/bin/transfers {root}/tests/mpi/programs/transfers.c",
                  f"{OBSERVED} -- mpirun.mpich -n 4 transfers ."),
    "preload-openmpi": ("mpicc.openmpi -O1 -o /mnt/bin/transfers {root}/tests/mpi/programs/transfers.c",
                        "mpirun.openmpi --allow-run-as-root --oversubscribe --mca orte_tmpdir_base /dev/shm -n 3 "
                        "env LD_PRELOAD=libtrikal.so TRIKAL_LOGFILE={log} transfers ."),
    "run-hdf5": ("h5cc -shlib -O1 -o /mnt/bin/datasets {root}/tests/hdf5/programs/datasets.c", f"{OBSERVED} -- datasets ."),
    "run-hdf5-mpich": ("h5pcc.mpich -shlib -O1 -o /mnt/bin/chunks {root}/examples/hdf5_antipatterns.c",
                       f"{OBSERVED} -- mpirun.mpich -n 4 chunks scattered-selections good ."),
    "predicted": ("", "cp {root}/examples/figure3.c . && trikal predict --log {log} figure3.c -- 2"),
}
SPACE = """set -e
mount -t tmpfs none /mnt
hostname node1
mkdir /mnt/bin /mnt/run /mnt/installed
mount --bind "$INSTALLED" /mnt/installed
export PATH=/mnt/bin:/mnt/installed/bin:$PATH LD_LIBRARY_PATH=/mnt/installed/lib TZ=UTC
cd /mnt/bin && { $COMPILE; }
cd /mnt/run && { eval "$RUN"; }
cp /mnt/log.darshan "$OUT"
"""


def make(name):
    compile_it, run_it = (text.format(root=ROOT, log="/mnt/log.darshan") for text in LOGS[name])
    environment = {**os.environ, "INSTALLED": str(BUILD), "COMPILE": compile_it or "true", "RUN": run_it,
                   "OUT": str(HERE / f"{name}.darshan")}
    done = subprocess.run(["unshare", "--mount", "--uts", "sh", "-c", SPACE], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{name}: {done.stderr}")


def write_tables():
    import decoder
    from ground import shown
    (HERE / "expected").mkdir(exist_ok=True)
    for log in sorted(HERE.glob("*.darshan")):
        data = log.read_bytes()
        found, damage, _ = decoder.decode(data)
        assert not damage, (log, damage)
        shown.write(HERE / "expected", log.stem, found, data)


if __name__ == "__main__":
    for name in LOGS if sys.argv[1:] != ["--tables"] else ():
        make(name)
    write_tables()
