"""No log replaces another, and what cannot become a log is told before anything runs."""

import os
import subprocess
import time

import pytest

from conftest import Log, TRIKAL

WRITTEN = "POSIX_BYTES_WRITTEN"


def written(folder, pattern, files):
    """The bytes that all logs have of these files together, and how many logs there are."""
    logs = [Log(path) for path in folder.glob(pattern)]
    return [sum(log[folder / name, WRITTEN] for log in logs) for name in files], len(logs)


@pytest.mark.parametrize("options", [[], ["--log", "mine.darshan"]], ids=["default", "the same"])
def test_eight_runs_at_once(tmp_path, options):
    """All wait for one pipe, so that they end together."""
    files = [f"out{i}" for i in range(8)]
    os.mkfifo(tmp_path / "go")
    runs = [subprocess.Popen([TRIKAL, "run", *options, "--", "sh", "-c", f": < go; echo x > {name}"], cwd=tmp_path,
                             stderr=subprocess.PIPE, text=True) for name in files]
    time.sleep(0.5)  # late ones only make it easier
    with open(tmp_path / "go", "w"):
        told = [run.communicate(timeout=60)[1] for run in runs]
    assert [run.returncode for run in runs] == [0] * 8, told
    assert written(tmp_path, "*.darshan", files) == ([2] * 8, 8), told
    if options:
        assert sum("was there already; the log is mine-" in text for text in told) == 7, told


def test_a_log_is_replaced_only_if_asked(tmp_path):
    log = tmp_path / "job.darshan"
    log.write_text("somebody's")
    command = [TRIKAL, "run", "--log", log, "--", "touch", "ran"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2 and "exists already; --force replaces it" in done.stderr
    assert log.read_text() == "somebody's" and not (tmp_path / "ran").exists()
    subprocess.run([*command[:2], "--force", *command[2:]], cwd=tmp_path, capture_output=True, check=True)
    assert (tmp_path / "ran").exists() and "touch ran" in subprocess.run(
        [TRIKAL, "info", log], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("variable", ["OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_STEP_ID", "FLUX_TASK_RANK",
                                      "PALS_RANKID", "JSM_NAMESPACE_RANK"])
@pytest.mark.parametrize("options", [[], ["--force"]])
def test_a_launched_rank_is_not_stopped(tmp_path, variable, options):
    """Nor does it take what may be another rank's."""
    (tmp_path / "job.darshan").write_text("another rank's")
    done = subprocess.run([TRIKAL, "run", *options, "--log", "job.darshan", "--", "sh", "-c", "echo x > out"],
                          cwd=tmp_path, env={**os.environ, variable: "1"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "job.darshan").read_text() == "another rank's"
    assert Log(tmp_path / "job-2.darshan")[tmp_path / "out", WRITTEN] == 2


@pytest.mark.parametrize("path, code, words", [
    ("none/job.darshan", 3, "No such file or directory"), ("/proc/job.darshan", 3, "cannot create the log"),
    (".", 2, "is a directory"), ("file/job.darshan", 3, "Not a directory"), ("a" * 250 + ".darshan", 3, "too long"),
    ("/dev/null", 2, "exists already")])
def test_what_cannot_become_a_log_is_told_before(tmp_path, path, code, words):
    (tmp_path / "file").touch()
    done = subprocess.run([TRIKAL, "run", "--log", path, "--", "touch", "ran"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == code and words in done.stderr, done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"], "nothing has run, nothing is left"


def test_a_closed_directory(tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir()
    closed.chmod(0o555)
    if os.geteuid() == 0:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", closed], capture_output=True)
        if mounted.returncode != 0:
            pytest.skip("no file system can be mounted here")
    try:
        done = subprocess.run([TRIKAL, "run", "--log", closed / "job.darshan", "--", "touch", "ran"], cwd=tmp_path,
                              capture_output=True, text=True)
    finally:
        if os.geteuid() == 0:
            subprocess.run(["umount", closed], check=True)
    assert done.returncode == 3 and not (tmp_path / "ran").exists(), done.stderr


def test_programs_of_one_name_end_at_once(preload, tmp_path):
    """TRIKAL_LOGFILE goes to one of them, others put their process id into it."""
    files = [f"out{i}" for i in range(8)]
    os.mkfifo(tmp_path / "go")
    env = {**preload, "TRIKAL_LOGFILE": str(tmp_path / "mine.darshan")}
    programs = [subprocess.Popen(["sh", "-c", f": < go; echo x > {name}"], cwd=tmp_path, env=env, stderr=subprocess.PIPE)
                for name in files]
    time.sleep(0.5)
    with open(tmp_path / "go", "w"):
        assert [program.communicate(timeout=60)[1] for program in programs] == [b""] * 8
    assert written(tmp_path, "mine*.darshan", files) == ([2] * 8, 8)
    assert not list(tmp_path.glob("*partial*"))
