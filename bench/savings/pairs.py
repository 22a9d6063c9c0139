"""Programs with a bad habit and the same work done as an expert would, for bench/run-savings --pairs.

Each pair runs in an empty folder: `setup` first, not timed, then `bad` or `good`. {here} is this folder, {bin} that of the
programs compiled from it. `codes` are the findings of which the first must be the true cause.
"""

import dataclasses
import importlib.util
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
    needs: tuple = ()  # programs
    modules: tuple = ()  # of Python

    def missing(self):
        return [*(program for program in self.needs if shutil.which(program) is None),
                *(module for module in self.modules if importlib.util.find_spec(module) is None)]


def python(text):
    return [sys.executable, "-c", text]


def shell(text):
    return ["sh", "-c", text]


MANY = python("for i in range(3000): open(f'r{i:04}.json', 'w').write('{\"value\": %d}' % i)\n"
              "open('all.jsonl', 'w').writelines('{\"value\": %d}\\n' % i for i in range(3000))")
FILES = python("for i in range(400): open(f'r{i:04}.json', 'w').write('{\"value\": %d}' % i)\n"
               "open('all.jsonl', 'w').writelines('{\"value\": %d}\\n' % i for i in range(400))")
TEXT = python("open('text', 'w').write('some words of a line\\n' * 60000)")
RECORDS = python("open('records', 'wb').write(bytes(32 * 60000))")
ROWS = python("print(*(f'insert into t values ({i});' for i in range(120)), sep='\\n', file=open('rows.sql', 'w'))")
ARRAYS = python("import numpy as np\nfor i in range(4000): np.full(64, i).tofile(f'a{i:04}')\nnp.ones(256000).tofile('all')")
RANDOM = "import os, random\nr = random.Random(1)\nat = [r.randrange(1 << 16) * 64 for _ in range(200000)]\n"
MPI = {"mpich": "mpirun.mpich", "openmpi": "mpirun.openmpi"}


def mpi(family, ranks, program, *arguments):
    spare = ["--oversubscribe", "--allow-run-as-root"] if family == "openmpi" else []
    return [MPI[family], *spare, "-n", str(ranks), "{bin}/" + f"{program}.{family}", *arguments]


def fio(size, *options):
    return ["fio", "--name=job", "--filename=d", f"--size={size}", "--ioengine=psync", "--thread", "--output=fio.txt", *options]


def tcl(step):
    return shell(f"echo 'set o [open o w]; for {{{{set i 0}}}} {{{{$i < 100000}}}} {{{{incr i}}}} {{{{ {step} }}}}' | tclsh")


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
    Pair("fortran-unbuffered", ("flushed-lines", "small-writes"), ["env", "GFORTRAN_UNBUFFERED_ALL=y", "{bin}/table", "plain"],
         ["{bin}/table", "plain"], needs=("gfortran",)),
    Pair("fortran-flush", ("flushed-lines", "small-writes"), ["{bin}/table", "flush"], ["{bin}/table", "plain"], needs=("gfortran",)),
    *[Pair(f"columns-mpich-{ranks}", ("no-collectives",), mpi("mpich", ranks, "columns", "independent"),
           mpi("mpich", ranks, "columns", "collective"), needs=("mpirun.mpich",)) for ranks in (2, 4)],
    *[Pair(f"rows-{family}-{ranks}", ("small-writes", "no-collectives"), mpi(family, ranks, "columns", "rows"),
           mpi(family, ranks, "columns", "block"), needs=(program,)) for family, program in MPI.items() for ranks in (2, 4)],
    # What libraries and tools do when they are told to.
    Pair("sqlite3-autocommit", ("no-transactions",), shell("(echo 'create table t(a);'; cat rows.sql) | sqlite3 d.db"),
         shell("(echo 'create table t(a); begin;'; cat rows.sql; echo 'commit;') | sqlite3 d.db"), ROWS, kind="real", needs=("sqlite3",)),
    Pair("numpy-tofile-rows", ("reopen", "small-writes", "flushed-lines", "flush-per-write"),
         python("import numpy as np\na = np.zeros((60000, 8))\nwith open('o', 'wb') as f:\n  for row in a: row.tofile(f)"),
         python("import numpy as np\na = np.zeros((60000, 8))\nwith open('o', 'wb') as f: a.tofile(f)"), kind="real", modules=("numpy",)),
    Pair("numpy-many-arrays", ("many-small-files",),
         python("import numpy as np\nprint(sum(np.fromfile(f'a{i:04}').sum() for i in range(4000)))"),
         python("import numpy as np\nprint(np.fromfile('all').sum())"), ARRAYS, kind="real", modules=("numpy",)),
    Pair("numpy-memmap-flush", ("sync-per-write",),
         python("import numpy as np\nm = np.memmap('m', dtype='f8', mode='w+', shape=(200, 512))\n"
                "for i in range(200):\n  m[i] = i\n  m.flush()"),
         python("import numpy as np\nm = np.memmap('m', dtype='f8', mode='w+', shape=(200, 512))\n"
                "for i in range(200): m[i] = i\nm.flush()"), kind="real", modules=("numpy",)),
    Pair("h5py-tiny-chunks", ("small-chunks",),
         python("import h5py, numpy as np\nh5py.File('o.h5', 'w').create_dataset('x', data=np.ones(120000), chunks=(8,))"),
         python("import h5py, numpy as np\nh5py.File('o.h5', 'w').create_dataset('x', data=np.ones(120000), chunks=(60000,))"),
         kind="real", modules=("h5py",)),
    Pair("tar-append-each", ("short-processes", "reread"), shell("for f in r00*; do tar -rf o.tar $f; done"), shell("tar -cf o.tar r00*"),
         FILES, kind="real"),
    Pair("cp-each", ("short-processes",), shell("mkdir x; for f in r0*; do cp $f x; done"), shell("mkdir x; cp r0* x"), FILES, kind="real"),
    Pair("xargs-one", ("short-processes",), shell("ls r0* | xargs -n 1 md5sum > o"), shell("ls r0* | xargs md5sum > o"), FILES, kind="real"),
    Pair("zip-each", ("short-processes",), shell("for f in r00*; do zip -q o.zip $f; done"), shell("zip -q o.zip r00*"), FILES, kind="real",
         needs=("zip",)),
    Pair("grep-each", ("short-processes",), shell("for f in r0*; do grep -q 7 $f && echo $f; done > o; true"), shell("grep -l 7 r0* > o"), FILES, kind="real"),
    Pair("git-hash-each", ("short-processes",), shell("for f in r00*; do git hash-object $f; done > o"), shell("git hash-object r00* > o"),
         FILES, kind="real", needs=("git",)),
    Pair("sh-append", ("reopen",), shell("i=0; while [ $i -lt 80000 ]; do echo step $i >> log; i=$((i+1)); done"),
         shell("i=0; while [ $i -lt 80000 ]; do echo step $i; i=$((i+1)); done > log"), kind="real"),
    Pair("sh-read", ("small-reads",), shell("while read line; do :; done < text"), shell("while read line; do :; done < short"),
         python("open('text', 'w').write('some words of a line\\n' * 60000)\nopen('short', 'w').write('')"), kind="real"),
    Pair("awk-close", ("reopen",), shell("awk '{{ print $1 >> \"o\"; close(\"o\") }}' text"), shell("awk '{{ print $1 >> \"o\" }}' text"), TEXT,
         kind="real"),
    Pair("fio-sync", ("sync-per-write",), fio("8m", "--rw=write", "--bs=8k", "--fsync=1"), fio("8m", "--rw=write", "--bs=8k", "--end_fsync=1"), kind="real",
         needs=("fio",)),
    Pair("split-lines", ("many-small-files",), ["split", "-l", "30", "-a", "4", "text"], ["split", "-l", "30000", "text"], TEXT, kind="real"),
    Pair("sed-unbuffered", ("tiny-stream-buffer", "flush-per-write", "flushed-lines", "small-writes"), shell("sed -u s/words/lines/ text > o"), shell("sed s/words/lines/ text > o"),
         TEXT, kind="real"),
    Pair("grep-line-buffered", ("flush-per-write", "flushed-lines", "small-writes"), shell("grep --line-buffered words text > o"), shell("grep words text > o"),
         TEXT, kind="real"),
    Pair("awk-flush", ("flush-per-write", "flushed-lines", "small-writes"), shell("awk '{{ print $2 > \"o\"; fflush(\"o\") }}' text"),
         shell("awk '{{ print $2 > \"o\" }}' text"), TEXT, kind="real"),
    Pair("tcl-flush", ("flushed-lines", "small-writes"), tcl("puts $o $i; flush $o"), tcl("puts $o $i"), kind="real", needs=("tclsh",)),
    Pair("dd-small-reads", ("small-reads",), ["dd", "if=text", "of=/dev/null", "bs=8", "status=none"],
         ["dd", "if=text", "of=/dev/null", "bs=1M", "status=none"], TEXT, kind="real"),
    # Programs of our own in other languages.
    *[Pair(f"c-{what}", codes, ["{bin}/steps", what, "bad"], ["{bin}/steps", what, "good"], TEXT)
      for what, codes in (("log", ("reopen",)), ("count", ("small-reads", "tiny-stream-buffer")), ("checkpoint", ("sync-per-write",)),
                          ("stop", ("stat-storm",)))],
    Pair("c++-seek", ("reread", "seek-per-access", "small-reads"), ["{bin}/records", "seek"], ["{bin}/records", "plain"], RECORDS),
    *[Pair(f"sync-{family}-{ranks}", ("sync-per-write",), mpi(family, ranks, "ranks", "each"), mpi(family, ranks, "ranks", "end"),
           needs=(program,)) for family, program in MPI.items() for ranks in (2, 4)],
    # HDF5 as a library beside the program, and within it, where its own part of the time cannot be seen.
    *[Pair(f"{name}-{family}", ("hdf5-independent", "no-collectives", "small-writes"), mpi(family, 2, name, "rows"),
           mpi(family, 2, name, "block"), needs=(program, f"h5pcc.{family}"))
      for name in ("slabs", "slabs-static") for family, program in MPI.items()],
]
