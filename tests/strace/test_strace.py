"""Against ground truth nobody here wrote: strace of the same run, and the same run unobserved."""

import os
import shutil
import subprocess

import pytest

from compare import TRIKAL, observe
from workloads import WORKLOADS, prepare

FULL = os.environ.get("TRIKAL_FULL") == "1"


@pytest.fixture(autouse=True)
def needs_strace():
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    if subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode != 0:
        pytest.skip("strace may not trace here")


@pytest.mark.parametrize("name", WORKLOADS)
def test_bytes_and_calls_of_every_file(tmp_path, name):
    command = prepare(name, tmp_path)
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    result, done = observe(command, tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    assert not result.wrong, "\n".join(result.wrong)
    assert result.posix + result.streams > 0


def outcome(command, folder):
    done = subprocess.run(command, cwd=folder / "work", capture_output=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("name", WORKLOADS)
def test_the_same_with_and_without(tmp_path_factory, name):
    bare, seen = tmp_path_factory.mktemp("run"), tmp_path_factory.mktemp("run")
    command = prepare(name, bare)
    prepare(name, seen)
    observed = [TRIKAL, "run", "--quiet", "--log", seen / "job.darshan", "--", *command]
    assert outcome(observed, seen) == outcome(command, bare)
    assert made_by(seen / "work") == made_by(bare / "work")


def made_by(folder):
    """Names, and contents where they do not hold times or chance."""
    files = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if ".git/" in name or "src/" in name or name in ("report.txt", "t.tar", "t.tar.gz"):
            continue
        # fio fills its blocks at random.
        files[name] = path.stat().st_size if name == "data.bin" else path.read_bytes() if path.is_file() else None
    return files


LONGER = [
    "find /usr/share/doc -name 'copyright' | wc -l > count",
    "seq 1 200000 | sort -R --random-source=/etc/passwd | sort -n | uniq -c | awk '{s += $1} END {print s}' > sum",
    "perl -e 'open(F, \">f\"); print F $_, \"\\n\" for 1..10000; close F; open(F, \"f\"); $n += $_ while <F>; print $n' > sum",
    "seq 1 50000 > a; xz -k a; xz -dc a.xz | cmp - a; sed 's/1/2/' a > b; grep -c 3 a b > c",
    "/usr/bin/python3 -m zipfile -c z.zip /etc/passwd; /usr/bin/python3 -m zipfile -e z.zip out; cat out/passwd > copy",
]


@pytest.mark.parametrize("command", LONGER if FULL else LONGER[:1])
def test_longer_list(tmp_path, command):
    (tmp_path / "work").mkdir()
    result, done = observe(["sh", "-c", command], tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    assert not result.wrong, "\n".join(result.wrong)
