"""Settings: TRIKAL_* variables, Darshan's names for them, and the configuration file."""

import subprocess

import pytest

from conftest import Log, TRIKAL

WRITTEN = "POSIX_BYTES_WRITTEN"


@pytest.fixture
def observed(program, preload, tmp_path):
    """Runs a program that writes 6,400 bytes under given settings; the log, or None."""
    def observe(config=None, name="TRIKAL_CONFIG", **settings):
        log = tmp_path / "own.darshan"
        log.unlink(missing_ok=True)
        env = {**preload, "TRIKAL_LOGFILE": str(log), **settings}
        if config is not None:
            (tmp_path / "config").write_text(config)
            env[name] = str(tmp_path / "config")
        observe.done = subprocess.run([program("endings"), tmp_path / "data.so", "return"], env=env, capture_output=True)
        assert observe.done.returncode == 0
        return Log(log) if log.exists() else None
    return observe


def test_by_default(observed, tmp_path):
    assert observed()[tmp_path / "data.so", WRITTEN] == 6400
    assert observed.done.stderr == b""


@pytest.mark.parametrize("settings", [
    {"TRIKAL_MODULES": "stdio"}, {"DARSHAN_MOD_DISABLE": "*"}, {"DARSHAN_MOD_DISABLE": "POSIX,STDIO"},
    {"DARSHAN_APP_EXCLUDE": "none,/endings$"}, {"DARSHAN_RANK_EXCLUDE": "1:3", "RANK": "2"},
    {"DARSHAN_RANK_EXCLUDE": "*", "SLURM_PROCID": "0"}])
def test_switched_off_by_a_variable(observed, settings):
    assert observed(**settings) is None


@pytest.mark.parametrize("settings", [
    {"TRIKAL_MODULES": "posix"}, {"DARSHAN_MOD_DISABLE": "*", "DARSHAN_MOD_ENABLE": "POSIX"},
    {"DARSHAN_APP_EXCLUDE": "endings", "DARSHAN_APP_INCLUDE": "end"}, {"DARSHAN_RANK_EXCLUDE": "1:3", "RANK": "4"}])
def test_not_switched_off(observed, tmp_path, settings):
    assert observed(**settings)[tmp_path / "data.so", WRITTEN] == 6400


@pytest.mark.parametrize("directives", [
    "MOD_DISABLE POSIX,HEATMAP\n", "# why\n\n  DISABLE", "NAME_EXCLUDE \\.so$ *\n", "NAME_EXCLUDE \\.(so|py)$ *\n",
    "NAME_EXCLUDE ^/(x|[^/]+)(/[^/]*)+\\.so{1}$ *\n", "APP_EXCLUDE (end|x)ings\n", "APP_EXCLUDE\tendings  \n",
    "EXCLUDE /\n", "MODULES stdio\n"])
@pytest.mark.parametrize("name", ["TRIKAL_CONFIG", "DARSHAN_CONFIG_PATH"])
def test_switched_off_by_the_file(observed, directives, name):
    assert observed(config=directives, name=name) is None
    assert observed.done.stderr == b""


@pytest.mark.parametrize("directives", [
    "NAME_EXCLUDE \\.so$ *\nNAME_INCLUDE ^/ *\n", "NAME_EXCLUDE ^/nowhere,x{9} POSIX\n", "NAME_EXCLUDE \\.(py|h5)$,(so *\n", "MODMEM 8\nMAX_RECORDS 5 POSIX\n"])
def test_the_file_lets_it_be(observed, tmp_path, directives):
    assert observed(config=directives)[tmp_path / "data.so", WRITTEN] == 6400


def test_variables_come_before_the_file(observed, tmp_path):
    assert observed(config="MODULES stdio\n", TRIKAL_MODULES="posix")[tmp_path / "data.so", WRITTEN] == 6400


def test_unknown_directives_are_told(observed, tmp_path):
    assert observed(config="MODMEM 4\nNO_SUCH_THING 1\n")[tmp_path / "data.so", WRITTEN] == 6400
    assert observed.done.stderr.count(b"\n") == 1 and b"NO_SUCH_THING" in observed.done.stderr


def test_a_file_that_is_not_there_changes_nothing(observed, tmp_path):
    assert observed(TRIKAL_CONFIG=str(tmp_path / "none"))[tmp_path / "data.so", WRITTEN] == 6400


def test_modules_of_a_run(run, program, tmp_path):
    _, log = run(program("endings"), tmp_path / "data", "return", options=["--modules", "posix"])
    assert log[tmp_path / "data", WRITTEN] == 6400
    listed = subprocess.run([TRIKAL, "info", tmp_path / "job.darshan"], capture_output=True, text=True).stdout
    assert "POSIX module" in listed and "HEATMAP" not in listed


def test_one_name_for_several_processes(program, preload, tmp_path):
    """No process loses its log because another took the name."""
    command = f"{program('endings')} a return; {program('endings')} b return; echo x > c"
    done = subprocess.run(["sh", "-c", command], env={**preload, "TRIKAL_LOGFILE": str(tmp_path / "mine.darshan")},
                          cwd=tmp_path, capture_output=True)
    assert done.stderr == b""
    logs = [Log(path) for path in tmp_path.glob("mine*.darshan")]
    assert (tmp_path / "mine.darshan").exists() and len(logs) == 3
    assert sum(log[tmp_path / name, WRITTEN] for log in logs for name in "abc") == 6400 + 6400 + 2
