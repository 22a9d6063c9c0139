"""Programs that are started with another environment than their parent's are observed all the same, or named."""

import os
import pathlib
import subprocess

import pytest

from conftest import Log, RUNTIME, TRIKAL, rows_of

WRITTEN = "POSIX_BYTES_WRITTEN"
COPY = "/bin/dd if=/dev/zero bs=100 count=3 status=none of=out"


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    """A library that does nothing but say that it is there."""
    folder = tmp_path_factory.mktemp("other")
    source = folder / "other.c"
    source.write_text('#include <unistd.h>\n__attribute__((constructor)) static void here(void) '
                      '{ if (write(1, "other ", 6)) {} }\n')
    subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "other.so", source], check=True)
    return folder / "other.so"


@pytest.mark.parametrize("clears", ["env -i", "env - LD_PRELOAD=$LD_PRELOAD", "env - TERM=x"])
def test_an_environment_made_anew(run, tmp_path, clears):
    done, log = run("sh", "-c", f"{clears} {COPY}; echo $?")
    assert done.stdout == b"0\n" and b"not seen" not in done.stderr
    assert log[tmp_path / "out", WRITTEN] == 300


@pytest.mark.parametrize("how", ["run", "preload"])
def test_another_library_instead_of_ours(run, preload, other, tmp_path, how):
    command = f"env LD_PRELOAD={other} {COPY}"
    if how == "run":
        done, log = run("sh", "-c", command)
        assert b"not seen" not in done.stderr
    else:
        done = subprocess.run(["sh", "-c", command], env={**preload, "TRIKAL_LOGFILE": str(tmp_path / "own.darshan")},
                              cwd=tmp_path, capture_output=True, check=True)
        log = Log(tmp_path / "own.darshan")
    assert done.stdout == b"other "
    assert log[tmp_path / "out", WRITTEN] == 300


@pytest.mark.parametrize("asked", ["env -u LD_PRELOAD", "env LD_PRELOAD="])
def test_a_program_that_is_not_to_be_observed(run, tmp_path, asked):
    done, log = run("sh", "-c", f"echo x > seen; {asked} {COPY}")
    assert log[tmp_path / "out", WRITTEN] == 0 and log[tmp_path / "seen", WRITTEN] == 2
    assert b"not seen: /bin/dd (environment), started once" in done.stderr
    told = subprocess.run([TRIKAL, "info", tmp_path / "job.darshan"], capture_output=True, text=True, check=True).stdout
    assert "# not seen: /bin/dd (environment), started once" in told


def test_a_shell_that_libc_starts_is_named(run, tmp_path):
    """system() and popen() pass the environment on past us."""
    script = f"import os; open('seen', 'w').write('x'); os.environ.clear(); os.system('{COPY}'); os.popen('true').read()"
    run("python3", "-S", "-c", script)
    rows = [row for row in rows_of(tmp_path / "job.darshan", "unseen") if row["why"] == "environment"]
    assert [(row["exe"], row["count"]) for row in rows][:1] == [("/bin/sh", 1)], rows


def test_settings_survive(preload, tmp_path):
    """A program in a chroot-like cage of variables still leaves its log where it was asked for."""
    (tmp_path / "below").mkdir()
    env = {key: value for key, value in preload.items() if not key.startswith("TRIKAL_")}
    env |= {"TRIKAL_LOGPATH": "logs", "TRIKAL_MAP_DIRECTORY": "maps"}
    done = subprocess.run(["sh", "-c", f"cd below; echo x > first; {COPY}; exec sh -c 'cd /; echo yy > {tmp_path}/last'"],
                          cwd=tmp_path, env=env, capture_output=True, check=True)
    assert done.stderr == b""
    logs = [Log(path) for path in (tmp_path / "logs").glob("*.darshan")]
    for name, size in ("below/first", 2), ("below/out", 300), ("last", 3):
        assert sum(log[tmp_path / name, WRITTEN] for log in logs) == size, name
    assert not list((tmp_path / "below").glob("*/")) and not list((tmp_path / "maps").rglob("*.map"))


def test_a_configuration_file_with_relative_paths(preload, tmp_path):
    env = {key: value for key, value in preload.items() if not key.startswith("TRIKAL_")}
    (tmp_path / "config").write_text("LOGPATH logs\nMAP_DIRECTORY maps\n")
    subprocess.run(["sh", "-c", "cd /tmp; echo x > $OLDPWD/first"], cwd=tmp_path, env={**env, "TRIKAL_CONFIG": "config"},
                   check=True)
    logs = list((tmp_path / "logs").rglob("*.darshan"))
    assert len(logs) == 1 and Log(logs[0])[tmp_path / "first", WRITTEN] == 2


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may chroot")
def test_a_program_that_cannot_find_us(run, tmp_path):
    """In a directory of its own the loader would complain that our library is missing; it is named instead."""
    cage = tmp_path / "cage"
    libraries = subprocess.run(["ldd", "/bin/true"], capture_output=True, text=True, check=True).stdout
    for path in {"/bin/true", *(word for word in libraries.split() if word.startswith("/"))}:
        (cage / path[1:]).parent.mkdir(parents=True, exist_ok=True)
        (cage / path[1:]).write_bytes(pathlib.Path(path).read_bytes())
        (cage / path[1:]).chmod(0o755)
    done, _ = run("chroot", cage, "/bin/true")
    if b"cannot change root" in done.stderr:
        pytest.skip("the kernel refuses chroot here, to root as well")
    assert done.returncode == 0 and b"LD_PRELOAD cannot be preloaded" not in done.stderr, done.stderr
    assert b"not seen: /bin/true (unreachable), started once" in done.stderr, done.stderr
    assert RUNTIME.exists()
