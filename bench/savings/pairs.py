"""Programs with a bad habit and the same work done as an expert would, for bench/run-savings --pairs.

Each pair runs in an empty folder: `setup` first, not timed, then `bad` or `good`. {here} is this folder, {bin} that of the
programs compiled from it. `codes` are the findings of which the first must be the true cause.
"""

import dataclasses
import shutil
import sys


@dataclasses.dataclass(frozen=True)
class Pair:
    name: str
    codes: tuple  # any of them is the true cause
    bad: list
    good: list
    setup: list = ()
    kind: str = "own"  # or "real": programs of Debian or PyPI as they are
    needs: tuple = ()

    def missing(self):
        return [program for program in self.needs if shutil.which(program) is None]


def python(text):
    return [sys.executable, "-c", text]


def shell(text):
    return ["sh", "-c", text]


MANY = python("for i in range(5000): open(f'r{i:04}.json', 'w').write('{\"value\": %d}' % i)\n"
              "open('all.jsonl', 'w').writelines('{\"value\": %d}\\n' % i for i in range(5000))")
FILES = python("for i in range(1500): open(f'r{i:04}.json', 'w').write('{\"value\": %d}' % i)\n"
               "open('all.jsonl', 'w').writelines('{\"value\": %d}\\n' % i for i in range(1500))")
RANDOM = "import os, random\nr = random.Random(1)\nat = [r.randrange(1 << 16) * 64 for _ in range(200000)]\n"
MPI = {"mpich": "mpirun.mpich", "openmpi": "mpirun.openmpi"}


def mpi(family, ranks, program, *arguments):
    spare = ["--oversubscribe", "--allow-run-as-root"] if family == "openmpi" else []
    return [MPI[family], *spare, "-n", str(ranks), "{bin}/" + f"{program}.{family}", *arguments]


PAIRS = [
    Pair("python-unbuffered", ("small-writes", "flushed-lines"),
         python("f = open('o', 'wb', 0)\nfor i in range(150000): f.write(b'x' * 40)"),
         python("f = open('o', 'wb')\nfor i in range(150000): f.write(b'x' * 40)")),
    Pair("python-flush", ("flushed-lines", "small-writes"),
         python("f = open('o', 'w')\nfor i in range(100000): print('line', i, i * i, file=f, flush=True)"),
         python("f = open('o', 'w')\nfor i in range(100000): print('line', i, i * i, file=f)")),
    Pair("python-many-json", ("many-small-files",),
         python("import json, glob\nprint(sum(json.load(open(n))['value'] for n in glob.glob('r*.json')))"),
         python("import json\nprint(sum(json.loads(l)['value'] for l in open('all.jsonl')))"), MANY),
    Pair("python-exists", ("stat-storm",),
         python("import os\nopen('o', 'w').close()\nfor i in range(60000): os.path.exists('o')"),
         python("import os\nopen('o', 'w').close()\nos.path.exists('o')")),
    Pair("python-append", ("reopen",),
         python("for i in range(12000):\n  with open('log', 'a') as f: f.write(f'step {i}\\n')"),
         python("with open('log', 'a') as f:\n  for i in range(12000): f.write(f'step {i}\\n')")),
    Pair("python-random", ("random-reads", "small-reads"),
         python(RANDOM + "f = os.open('d', os.O_RDONLY)\nprint(sum(os.pread(f, 64, a)[0] for a in at))"),
         python(RANDOM + "d = open('d', 'rb').read()\nprint(sum(d[a] for a in at))"),
         python("open('d', 'wb').write(bytes(1 << 22))")),
    Pair("python-fsync", ("sync-per-write",),
         python("import os\nf = open('o', 'wb', 0)\nfor i in range(150): f.write(bytes(4096)), os.fsync(f.fileno())"),
         python("import os\nf = open('o', 'wb', 0)\nfor i in range(150): f.write(bytes(4096))\nos.fsync(f.fileno())")),
    Pair("sqlite-autocommit", ("no-transactions",),
         python("import sqlite3\nc = sqlite3.connect('d.db', isolation_level=None)\nc.execute('create table t(a)')\n"
                "for i in range(120): c.execute('insert into t values (?)', (i,))"),
         python("import sqlite3\nc = sqlite3.connect('d.db')\nc.execute('create table t(a)')\n"
                "with c: c.executemany('insert into t values (?)', [(i,) for i in range(120)])"), kind="real"),
    Pair("dd-one-byte", ("small-writes", "small-reads"), ["dd", "if=d", "of=o", "bs=16", "status=none"],
         ["dd", "if=d", "of=o", "bs=1M", "status=none"], python("open('d', 'wb').write(bytes(1 << 21))"), kind="real"),
    Pair("cat-each", ("short-processes", "reopen"), shell("for f in r*.json; do cat $f >> all; done"), shell("cat r*.json > all"), FILES,
         kind="real"),
    Pair("find-exec", ("short-processes",), shell("find . -name 'r*' -exec grep -c 7 {{}} \\; > o"),
         shell("find . -name 'r*' -exec grep -c 7 {{}} + > o"), FILES, kind="real"),
    Pair("sed-each", ("short-processes",), shell("for f in r0*.json; do sed -n s/value/v/p $f; done > o"),
         shell("sed -n s/value/v/p r0*.json > o"), FILES, kind="real"),
    Pair("workflow", ("short-processes",),
         shell("i=0; while [ $i -lt 100 ]; do echo $i | sed s/1/2/ | awk '{{print $1}}'; i=$((i+1)); done > o"),
         shell("seq 0 99 | sed s/1/2/ | awk '{{print $1}}' > o"), kind="real"),
    Pair("gzip-each", ("short-processes", "many-small-files"), shell("for f in r0*.json; do gzip -c $f; done > o.gz"),
         shell("cat r0*.json | gzip -c > o.gz"), FILES, kind="real", needs=("gzip",)),
    Pair("perl-unbuffered", ("small-writes", "flushed-lines"), ["perl", "-e", "$|=1; open F,'>','o'; F->autoflush(1); print F \"line $_\\n\" for 1..150000"],
         ["perl", "-e", "open F,'>','o'; print F \"line $_\\n\" for 1..150000"], kind="real", needs=("perl",)),
    Pair("c++-endl", ("flushed-lines", "small-writes"), ["{bin}/lines", "endl"], ["{bin}/lines", "newline"]),
    Pair("fortran-flush", ("flushed-lines", "small-writes"), ["{bin}/table", "flush"], ["{bin}/table", "plain"], needs=("gfortran",)),
    *[Pair(f"columns-{family}-{ranks}", ("no-collectives",), mpi(family, ranks, "columns", "independent"),
           mpi(family, ranks, "columns", "collective"), needs=(program,))
      for family, program in MPI.items() for ranks in (2, 4)],
]
