"""recover never takes what a living process writes to, wherever that process lives."""

import os
import pathlib
import struct
import subprocess
import time

import pytest

from conftest import Log, TRIKAL

BOOT = 32  # where a map's header has it
SLACK = 256  # the writer leaves out the first 128 bytes of its file; another 128 may be in flight


def wait_for(happened):
    for _ in range(30000):
        if happened():
            return
        time.sleep(0.001)
    pytest.fail("nothing happened within 30 s")


def grown(path):
    return lambda: path.exists() and path.stat().st_size > 0


def namespace(*flags):
    """The command that begins a namespace, or a reason to skip the test."""
    done = subprocess.run(["unshare", *flags, "true"], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"no namespace can be made here: {done.stderr.strip()}")
    return ["unshare", *flags]


def recover(tmp_path, *arguments, **more):
    done = subprocess.run([TRIKAL, "recover", "-o", tmp_path, *arguments], capture_output=True, text=True, timeout=60, **more)
    return done, sorted(tmp_path.glob("*.darshan"))


def maps_of(tmp_path):
    return tmp_path / "maps" / f"trikal-{os.geteuid()}"


@pytest.fixture
def elsewhere(program, preload, tmp_path):
    """A writer in a pid namespace of its own, whose process id means somebody else here."""
    command = ["env", f"LD_PRELOAD={preload['LD_PRELOAD']}", program("counting_writer"), tmp_path / "d", tmp_path / "c"]
    writer = subprocess.Popen([*namespace("-p", "-f", "--mount-proc", "--kill-child"), *command],
                              env={**preload, "LD_PRELOAD": ""})
    wait_for(grown(tmp_path / "d"))
    yield writer
    writer.kill()
    writer.wait()


@pytest.mark.parametrize("options", [[], ["--force"]], ids=["", "force"])
def test_a_process_of_another_pid_namespace(elsewhere, tmp_path, options):
    done, logs = recover(tmp_path, *options, maps_of(tmp_path))
    assert done.returncode == 0 and not logs
    written = (tmp_path / "d").stat().st_size
    elsewhere.kill()
    elsewhere.wait()
    wait_for(lambda: recover(tmp_path, maps_of(tmp_path))[1])  # the kernel ends the namespace in its own time
    assert sum(Log(path)[tmp_path / "d", "POSIX_BYTES_WRITTEN"] for path in tmp_path.glob("*.darshan")) >= written - SLACK


def killed_map(program, preload, tmp_path):
    writer = subprocess.Popen([program("counting_writer"), tmp_path / "d", tmp_path / "c"], env=preload)
    wait_for(grown(tmp_path / "d"))
    writer.kill()
    writer.wait()
    (path,) = maps_of(tmp_path).glob("*.map")
    return path


def test_a_process_of_another_machine(program, preload, tmp_path):
    """A map in a file system that machines share: nobody can say whether that process lives."""
    path = killed_map(program, preload, tmp_path)
    with open(path, "r+b") as file:
        file.seek(BOOT)
        file.write(struct.pack("<2Q", 1, 2))
    for arguments in ([], [path], [path.parent]):
        done, logs = recover(tmp_path, *arguments, env={**preload, "LD_PRELOAD": ""})
        assert done.returncode == 0 and not logs and path.exists()
        assert f"{path}: left alone: of another machine" in done.stderr and "--force" in done.stderr
    done, (log,) = recover(tmp_path, "--force", path)
    assert done.returncode == 0 and done.stderr == "" and not path.exists()


def test_without_a_path_it_names_what_it_would_take(program, preload, tmp_path):
    path = killed_map(program, preload, tmp_path)
    done, logs = recover(tmp_path, env={**preload, "LD_PRELOAD": ""})
    assert done.returncode == 0 and not logs and path.exists()
    (line,) = [line for line in done.stdout.splitlines() if line.startswith(f"{path}: ")]
    assert "counting_writer" in line and f"process {path.name.split('-')[0]}" in line
    assert done.stdout.splitlines()[-1].startswith("trikal recover --all")


def test_all_takes_everything(program, preload, tmp_path):
    """In a /dev/shm of its own: others' maps are not this test's."""
    script = f"""
        mount -t tmpfs none /dev/shm || exit 77
        unset TRIKAL_MAP_DIRECTORY
        for how in kill term; do env LD_PRELOAD=$1 {program('endings')} {tmp_path}/$how $how; done
        {TRIKAL} recover -o {tmp_path} && [ -z "$(ls {tmp_path}/*.darshan 2>/dev/null)" ] || exit 1
        {TRIKAL} recover --all -o {tmp_path} && [ -z "$(ls /dev/shm/trikal-*/*.map 2>/dev/null)" ] || exit 1
        {TRIKAL} recover -o {tmp_path}
    """
    env = {name: value for name, value in preload.items() if name != "LD_PRELOAD"}
    done = subprocess.run([*namespace("-m"), "sh", "-c", script, "sh", preload["LD_PRELOAD"]], env=env, capture_output=True,
                          text=True, timeout=60)
    if done.returncode == 77:
        pytest.skip(f"no file system can be mounted here: {done.stderr}")
    assert done.returncode == 0, done
    logs = [Log(path) for path in tmp_path.glob("*.darshan")]
    assert sum(log[tmp_path / how, "POSIX_BYTES_WRITTEN"] for log in logs for how in ("kill", "term")) == 2 * 6400


def test_a_run_of_another_pid_namespace(program, tmp_path):
    """Its process id is nobody's here, but it holds its directory."""
    run = subprocess.Popen([*namespace("-p", "-f", "--mount-proc", "--kill-child"), TRIKAL, "run", "--quiet", "--log",
                            tmp_path / "job.log", "--", program("counting_writer"), tmp_path / "d", tmp_path / "c"],
                           cwd=tmp_path)
    try:
        wait_for(grown(tmp_path / "d"))
        (directory,) = [directory for directory in pathlib.Path("/dev/shm").glob("trikal-run-1-*")
                    if any(str(tmp_path).encode() in path.read_bytes()[:8192] for path in directory.glob("*.map"))]
        for options in ([], ["--force"]):
            done, logs = recover(tmp_path, *options, directory)
            assert done.returncode == 0 and not logs and list(directory.glob("*.map"))
    finally:
        run.kill()
        run.wait()
    wait_for(lambda: recover(tmp_path, directory)[1])
    assert not directory.exists()


def test_threads_that_outlive_the_first_one(program, preload, tmp_path):
    """The process looks as if it only waited to be collected."""
    writer = subprocess.Popen([program("late_threads", "-pthread"), tmp_path / "d"], env=preload, cwd=tmp_path)
    wait_for(lambda: grown(tmp_path / "d")() and "\nState:\tZ" in pathlib.Path(f"/proc/{writer.pid}/status").read_text())
    done, logs = recover(tmp_path, maps_of(tmp_path))
    assert done.returncode == 0 and not logs
    (tmp_path / "stop").touch()
    assert writer.wait(timeout=60) == 3
    (log,) = (tmp_path / "logs").rglob("*.darshan")
    assert Log(log)[tmp_path / "d", "POSIX_BYTES_WRITTEN"] == (tmp_path / "d").stat().st_size


def test_two_at_once_do_not_collide(program, preload, tmp_path):
    path = killed_map(program, preload, tmp_path)
    both = [subprocess.Popen([TRIKAL, "recover", "-o", tmp_path, path.parent], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(2)]
    said = [one.communicate(timeout=60) for one in both]
    assert [one.returncode for one in both] == [0, 0], said
    assert len(list(tmp_path.glob("*.darshan"))) == 1 and not path.exists()
