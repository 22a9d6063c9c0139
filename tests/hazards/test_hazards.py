"""Every hazard, built with each compiler: the program behaves as without us, and what it did is in the log."""

import csv
import io
import os
import pathlib
import shutil
import subprocess
import tempfile
import tomllib

import pytest

from conftest import COMPILERS, HERE, RUNTIME, TRIKAL, Log

TABLES = {path.parent.name: tomllib.loads(path.read_text()) for path in HERE.glob("*/expect.toml")}
# One that lists no mode has a test of its own in test_full_storage.py.
CASES = [(name, mode, compiler) for name in sorted(TABLES) for mode in TABLES[name].get("modes", ["run", "preload"])
         for compiler in COMPILERS if compiler == "gcc" or "compiler" not in TABLES[name]]
UNSEEN = sorted(name for name in TABLES if "unseen" in TABLES[name])


def check(log, table, folder, counters="counters"):
    for key, wanted in table.get(counters, table.get("counters", {})).items():
        name, counter = key.rsplit(" ", 1)
        if isinstance(wanted, dict):
            assert log.most.get((name, counter), 0) == wanted["max"], key
        else:
            assert log.sums[name, counter] == wanted, key
    for counter, wanted in table.get("totals", {}).items():
        assert log.total(counter) == wanted, counter
    for name, size in table.get("sizes", {}).items():
        assert (folder / name).stat().st_size == size, name
    if "truth" in table:
        for line in (folder / table["truth"]).read_text().splitlines():
            counter, wanted = line.split()
            assert log.total(counter, but=table["truth"]) + log.missed == int(wanted), f"{line}, {log.missed} missed"


def same_as_bare(hazard, tmp_path, done, **how):
    bare = hazard.start(tmp_path / "bare", **how)
    if bare.returncode == 77:
        pytest.skip("the kernel refuses chroot here, to root as well")
    assert bare.returncode == hazard.table.get("exit", 0), bare.stderr
    assert (done.returncode, done.stdout, done.stderr) == (bare.returncode, bare.stdout, bare.stderr)


def check_run(hazard, tmp_path, more, **how):
    log = tmp_path / "job.darshan"
    done = hazard.start(tmp_path / "run", [*more, TRIKAL, "run", "--quiet", "--log", log, "--"], **how)
    same_as_bare(hazard, tmp_path, done, prefix=more, **how)
    check(Log([log]), hazard.table, tmp_path / "run")


def check_preload(hazard, tmp_path, settings, preload, **how):
    done = hazard.start(tmp_path / "preload", preload=preload, environment=settings, **how)
    same_as_bare(hazard, tmp_path, done, **how)
    check(Log((tmp_path / "logs").rglob("*.darshan")), hazard.table, tmp_path / "preload", "preload_counters")


@pytest.mark.parametrize("name, mode, compiler", CASES)
def test_hazard(built, tmp_path, settings, name, mode, compiler):
    hazard = built(name, compiler)
    table = hazard.table
    if table.get("needs_root") and os.geteuid() != 0:
        pytest.skip(f"{name}: only root may do this")
    how = {"arguments": ["x" * 100] * table.get("many_arguments", 0)}
    if table.get("as_nobody"):
        return check_as_nobody(hazard, tmp_path)
    if mode == "run":
        return check_run(hazard, tmp_path, [], **how)
    second = table.get("second_preload")
    orders = [[RUNTIME, hazard.built_in / second], [hazard.built_in / second, RUNTIME]] if second else [[RUNTIME]]
    for number, preload in enumerate(orders):
        directory = tmp_path / str(number)
        directory.mkdir()
        logs = {**settings, "TRIKAL_LOGPATH": str(directory / "logs")}
        check_preload(hazard, directory, {**logs, **({"SECOND_PRELOAD": "1"} if second else {})}, preload, **how)


def check_as_nobody(hazard, tmp_path):
    """The folder is nobody's; the child's program has root's rights."""
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        for name in ("program", "program.setuid", "libtrikal.so", "trikal"):
            shutil.copy({"libtrikal.so": RUNTIME, "trikal": TRIKAL}.get(name, hazard.built_in / "program"), folder / name)
        (folder / "program.setuid").chmod(0o4755)
        os.chown(folder, 65534, 65534)
        done = subprocess.run(
            ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", folder / "trikal", "run", "--log", "job.darshan",
             "--", "./program"], cwd=folder, env={**os.environ, "TRIKAL_RUNTIME": f"{folder}/libtrikal.so"},
            capture_output=True, timeout=60)
        assert (done.returncode, done.stdout) == (0, b"")
        assert b"not seen: ./program.setuid (privileged), started once" in done.stderr
        check(Log([folder / "job.darshan"]), hazard.table, folder)
        assert (folder / "unseen").stat().st_size == 10


@pytest.mark.parametrize("name", UNSEEN)
def test_what_cannot_be_observed_is_named(built, tmp_path, name):
    """By the summary and the log where an observed program starts it, by the summary where it is the command."""
    hazard, log = built(name), tmp_path / "job.darshan"
    program, why = hazard.built_in / "program", hazard.table["unseen"]
    done = subprocess.run([TRIKAL, "run", "--log", log, "--", "sh", "-c", f"{program}; echo $? > status"], cwd=tmp_path,
                          capture_output=True, text=True, timeout=60)
    assert (tmp_path / "status").read_text() == f"{hazard.table['exit']}\n"
    assert f"not seen: {program} ({why}), started once" in done.stderr
    rows = subprocess.run([TRIKAL, "export", "-f", "csv", "-t", "unseen", "-o", "-", log], capture_output=True, text=True)
    assert [(row["exe"], row["why"]) for row in csv.DictReader(io.StringIO(rows.stdout))] == [(str(program), why)]
    alone = hazard.start(tmp_path / "alone", [TRIKAL, "run", "--log", tmp_path / "alone.darshan", "--"])
    assert alone.returncode == hazard.table["exit"] and f"{program}: was not seen".encode() in alone.stderr
