"""Every function the runtime knows, called by programs that say themselves what they did."""

import collections
import subprocess

import pytest

from conftest import Log, sections


def truth_of(output):
    for line in output.decode().splitlines():
        name, counter, value = line.split("\t")
        yield name, counter, int(value)


def expected_name(folder, name):
    return name if name.startswith(("<", "/")) else str(folder / name) if name else ""


def extras_of(path, names):
    """(file, counter) -> value of the trailer's counters; errors under their words, "STDIO " in front of a stream's."""
    found = collections.Counter()
    tables = sections(path)
    for table in ("posix_extra", "stdio_extra"):
        for row in tables.get(table, []):
            for counter, value in row.items():
                if counter not in ("id", "rank"):
                    found[names.get(row["id"], ""), counter] += value
    for row in tables.get("errors", []):
        word = row["error"] if row["module"] == "POSIX" else f"{row['module']} {row['error']}"
        found[names.get(row["id"], ""), word] += row["count"]
    return found


PROGRAMS = ["posix_data", "posix_names", "copies", "raw_calls", "async", "stdio_all", "inlined", "inlined_fork"]


@pytest.mark.parametrize("flags", [["-O0"], ["-O2", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2"]], ids=["plain", "fortified"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_counted_as_the_program_says(program, run, tmp_path, name, flags):
    if name.startswith("inlined") and flags == ["-O0"]:
        flags = ["-O1"]  # without optimisation nothing is put into the program
    done, log = run(program(name, *flags), options=["--quiet"])
    assert done.returncode == 0, done.stderr.decode()
    extras = extras_of(log.path, log.names)
    wrong = []
    for given, counter, value in truth_of(done.stdout.replace(b"piped\n", b"")):
        file = expected_name(tmp_path, given)
        seen = log[file, counter] if (file, counter) in log.values else extras[file, counter]
        if seen != value:
            wrong.append(f"{given}: {counter} is {seen}, the program says {value}")
    assert not wrong, "\n".join(wrong)


def test_files_are_as_long_as_the_log_says(program, run, tmp_path):
    done, log = run(program("posix_data"))
    assert done.returncode == 0
    for name in ("data.bin", "append.bin", "creat.bin", "open64.bin", "ftruncated.bin", "truncated.bin", "opened_anew.bin",
                 "created_anew.bin", "cut_before.bin"):
        assert log[tmp_path / name, "POSIX_MAX_BYTE_WRITTEN"] + 1 == (tmp_path / name).stat().st_size, name
    done, log = run(program("stdio_all"))
    for name in ("wide.txt", "second.txt", "fd.txt", "in.txt"):
        assert log[tmp_path / name, "STDIO_BYTES_WRITTEN"] == (tmp_path / name).stat().st_size, name


def test_an_own_log_has_the_same_trailer(program, preload, tmp_path):
    """Without trikal run the process writes its log itself."""
    env = {**preload, "TRIKAL_LOGFILE": str(tmp_path / "own.darshan")}
    subprocess.run([program("posix_names")], env=env, cwd=tmp_path, check=True, capture_output=True)
    log = Log(tmp_path / "own.darshan")
    extras = extras_of(log.path, log.names)
    assert extras[str(tmp_path / "d"), "POSIX_MKDIRS"] == 1
    assert extras[str(tmp_path / "space.bin"), "POSIX_BYTES_MAPPED"] == 65536
    assert extras["", "ENOENT"] == 3
