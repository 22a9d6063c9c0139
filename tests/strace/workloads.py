"""Programs nobody here wrote, at work in a folder of their own. Each: what prepares the folder, then what is observed."""

import subprocess
import textwrap

SQL = """
create table t(id integer primary key, x real, s text);
with recursive n(i) as (values(1) union all select i + 1 from n where i < 3000)
  insert into t select i, i * 0.5, 'row ' || i from n;
create index ts on t(s);
update t set x = x + 1 where id % 7 = 0;
delete from t where id % 11 = 0;
vacuum;
select count(*), sum(x) from t;
"""

PYTHON = """
import csv, json, pickle, sqlite3
rows = [[i, i * i, f"name {i}"] for i in range(2000)]
with open("t.csv", "w", newline="") as f: csv.writer(f).writerows(rows)
with open("t.csv", newline="") as f: back = [[int(a), int(b), c] for a, b, c in csv.reader(f)]
assert back == rows
with open("t.json", "w") as f: json.dump(rows, f)
with open("t.json") as f: assert json.load(f) == rows
with open("t.pickle", "wb") as f: pickle.dump(rows, f)
with open("t.pickle", "rb") as f: assert pickle.load(f) == rows
db = sqlite3.connect("t.db")
db.execute("create table t(a, b, c)")
db.executemany("insert into t values (?, ?, ?)", rows)
db.commit()
print(db.execute("select sum(b) from t").fetchone())
"""

TREE = "mkdir -p tree/a tree/b; for i in 1 2 3 4 5 6 7 8; do seq 1 $((i * 500)) > tree/a/$i.txt; cp tree/a/$i.txt tree/b/; done"
PROJECT = r"""
for i in 1 2 3 4; do
  printf '#include <stdio.h>\n#include "all.h"\nint part%d(int x) { return printf("%%d\\n", x + %d); }\n' $i $i > part$i.c
done
printf 'int part1(int); int part2(int); int part3(int); int part4(int);\n' > all.h
printf '#include "all.h"\nint main(void) { return part1(1) + part2(2) + part3(3) + part4(4) == 0; }\n' > main.c
printf 'OBJECTS = main.o part1.o part2.o part3.o part4.o\nall: $(OBJECTS)\n\tgcc -o all $(OBJECTS)\n%%.o: %%.c all.h\n\tgcc -O1 -c -o $@ $<\n' > Makefile
"""
REPOSITORY = ("git init -q -b main src; cd src; git config user.email a@b.c; git config user.name n; "
              "for i in 1 2 3; do seq 1 $((i * 300)) > f$i; mkdir -p d$i; seq 1 $i > d$i/g; git add .; git commit -qm c$i; done; "
              "git gc -q")
FIO = "fio --name=job --ioengine={} --rw=randrw --bs=4k --size=512k --filename=data.bin --output=report.txt --randseed=1"

# name: (what it stands for, preparation, command)
WORKLOADS = {
    "sqlite3": ("sqlite3: create, index, update, vacuum", "", ["sqlite3", "t.db", SQL]),
    "git": ("git clone of a local repository", REPOSITORY, ["git", "clone", "-q", "--no-hardlinks", "src", "copy"]),
    "tar": ("tar and gzip, there and back", TREE,
            ["sh", "-c", "tar -cf t.tar tree && gzip -k t.tar && mkdir out && tar -xzf t.tar.gz -C out"]),
    "python": ("python3: csv, json, pickle, sqlite3", "", ["/usr/bin/python3", "-c", PYTHON]),
    "make": ("gcc building a small project, make -j2", PROJECT, ["make", "-s", "-j2"]),
    "fio-sync": ("fio, sync engine", "", FIO.format("sync").split()),
    "fio-psync": ("fio, psync engine", "", FIO.format("psync").split()),
    "fio-libaio": ("fio, libaio engine", "", FIO.format("libaio").split() + ["--iodepth=4"]),
    "fio-mmap": ("fio, mmap engine", "", FIO.format("mmap").split()),
    "cp": ("cp of a tree", TREE, ["cp", "-r", "tree", "copy"]),
    "dd": ("dd in blocks of 1000 bytes", TREE, ["dd", "if=tree/a/8.txt", "of=out", "bs=1000", "status=none"]),
    "rsync": ("rsync of a tree, twice", TREE, ["sh", "-c", "rsync -a tree/ copy && seq 9 > tree/a/1.txt && rsync -a tree/ copy"]),
}


def prepare(name, folder):
    (folder / "work").mkdir()
    script = textwrap.dedent(WORKLOADS[name][1])
    if script:
        subprocess.run(["sh", "-ec", script], cwd=folder / "work", check=True, capture_output=True)
    return WORKLOADS[name][2]
