"""Help: complete, the same wherever it is asked for, and its examples work."""

import contextlib
import os
import random
import re
import shutil
import signal
import subprocess
import time

import pytest

import encoder
from ground.synth import Maker
from ground.tables import CURRENT, MODULE_IDS, MODULE_NAMES
from tool import BIN, run

RELEASED = {name: CURRENT[name] for name in MODULE_NAMES if name not in ("NULL", "AUTOPERF")}
PROGRAM = BIN / "trikal"
ONE_FILE = 15471093128405409614  # the record id that an example of convert names


def listed_verbs():
    """The verbs of `trikal help`; asked at collection, so that a new one is tested without being named here."""
    if not PROGRAM.exists():
        return ["parse"]
    text = run("help").stdout.decode()
    return re.findall(r"^  ([a-z]+)  ", text, re.MULTILINE)


VERBS = listed_verbs()


def sections(text):
    """The parts of a help text by their titles; the synopsis and description under ''."""
    parts, title = {"": []}, ""
    for line in text.splitlines():
        if re.fullmatch(r"[A-Z][^.]*:", line):
            title = line[:-1]
            parts[title] = []
        else:
            parts[title].append(line)
    return parts


def examples(verb):
    return [line[2:] for line in sections(run("help", verb).stdout.decode())["Examples"] if re.match(r"  \S", line)]


def test_alone_it_lists_its_verbs_and_is_not_content():
    done = run()
    assert done.returncode == 2 and not done.stdout
    assert run("--help").stdout == run("help").stdout == run("-h").stdout == done.stderr
    assert {"info", "parse", "dxt", "diff", "convert", "merge", "export", "explain", "help"} <= set(VERBS)
    assert "generate" not in VERBS


def test_version():
    done = run("--version")
    assert done.returncode == 0 and re.fullmatch(rb"trikal \d+\.\d+\.\d+\n", done.stdout)


@pytest.mark.parametrize("verb", VERBS + ["generate"])
def test_help_of_a_verb_has_all_its_parts(verb):
    done = run(verb, "--help")
    assert done.returncode == 0 and not done.stderr
    assert run("help", verb).stdout == done.stdout == run(verb, "-h").stdout
    parts = sections(done.stdout.decode())
    assert parts[""][0].startswith(f"Usage: trikal {verb} [options]") and len(parts[""]) > 2
    assert len(examples(verb)) >= 2
    assert re.match(r"  0  ", parts["Exit codes"][0])
    assert any(line.startswith("  -h, --help") for line in parts["Other options"])


@pytest.mark.parametrize("verb", VERBS + ["generate"])
def test_every_option_in_help_is_taken(verb, tmp_path):
    """With a value where help shows one; what then is wrong is never the option itself."""
    text = run("help", verb).stdout.decode()
    options = re.findall(r"^  (?:-\w, )?(--[a-z0-9-]+)(?: (\S+))?", text, re.MULTILINE)
    assert options
    for option, value in options:
        if option == "--help":
            continue
        words = [option] + ([value.split("|")[0].replace("0-9", "5")] if value and value != value.lower()
                            or value and "|" in value else [])
        done = run(verb, *words, tmp_path / "missing", tmp_path / "missing")
        assert b"no option is called" not in done.stderr, (option, done.stderr)


@pytest.mark.parametrize("words, said", [
    (["pasre"], b"no verb is called pasre; did you mean parse?"),
    (["exprot"], b"did you mean export?"), (["help", "merg"], b"did you mean merge?"),
    (["qwertz"], b"trikal help lists the verbs"), (["--verson"], b"did you mean --version?"),
    (["parse", "--totl", "x"], b"no option is called --totl; did you mean --total"),
    (["parse", "--totl"], b"did you mean --total"),
    (["export", "--formt=csv", "x"], b"no option is called --formt; did you mean --format"),
    (["convert", "--obfuscate_names", "a", "b"], b"did you mean --obfuscate-names"),
    (["explain", "POSIX_SEKS"], b"did you mean POSIX_SEEKS"),
    (["parse"], b"LOG is required"), (["parse", "a", "b"], b"b"), (["info", "--limit", "much", "a"], b"much"),
])
def test_what_is_misspelt_is_answered_with_what_is_near(words, said):
    done = run(*words)
    assert done.returncode == 2 and not done.stdout
    assert said in done.stderr, done.stderr


def test_a_log_may_have_the_name_of_a_verb(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    log = Maker(random.Random(1)).log("3.41", {"POSIX": 4})
    (tmp_path / "info").write_bytes(encoder.encode(log))
    assert run("parse", "info").returncode == 0


@pytest.fixture(scope="module")
def example_files(tmp_path_factory):
    """The logs and programs that examples speak of."""
    folder = tmp_path_factory.mktemp("examples")
    log = Maker(random.Random(8)).log("3.41", RELEASED)
    record = log.modules[MODULE_IDS["POSIX"]].records[0]
    log.names = [entry for entry in log.names if entry[0] != record["id"]] + [(ONE_FILE, b"/scratch/one")]
    record["id"] = ONE_FILE
    data = encoder.encode(log)
    for name in ("job", "old", "in", "a", "b", "before", "after", "run1", "run2", "rank-0", "process-0", "predicted", "measured"):
        (folder / f"{name}.darshan").write_bytes(data)
    (folder / "logs").mkdir()
    (folder / "logs" / "job.darshan").write_bytes(data)
    (folder / "broken.darshan").write_bytes(data[:-30])
    (folder / "simulate").write_text("#!/bin/sh\ncat input.nml > output.dat\n: > done\n[ ! -p stay ] || read line < stay\n")
    (folder / "simulate").chmod(0o755)
    (folder / "input.nml").write_text("&run steps = 3 /\n")
    (folder / "stencil.c").write_text('#include <stdio.h>\nint main(void) { return puts("done") < 0; }\n')
    (folder / "mine.py").write_text("import trikal\n\n\n@trikal.panel('Totals')\ndef totals(rows):\n    return rows\n")
    (folder / "Makefile").write_text("all:\n\tcp input.nml copied.nml\n")
    subprocess.run([PROGRAM, "watch", "--quiet", "--log", "watched.darshan", "--store", "job.sqlite", "--", "cat", "input.nml"],
                   cwd=folder, check=True, capture_output=True)
    subprocess.run([PROGRAM, "run", "--quiet", "--log", "events.darshan", "--events=all,details", "--events-file", "job.events.jsonl",
                    "--", "cat", "input.nml"], cwd=folder, check=True, capture_output=True)
    return folder


@contextlib.contextmanager
def simulating(folder, env):
    """While ./simulate is being observed, which has no child by then that is called like it. Tests beside this one have programs of
    that name: pgrep finds the one of this session."""
    log = folder / "running.darshan"
    os.mkfifo(folder / "stay")
    running = subprocess.Popen([PROGRAM, "run", "--quiet", "--log", log, "--", "./simulate"], cwd=folder,
                               env=env, start_new_session=True)
    (folder / "pgrep").write_text(f'#!/bin/sh\nexec /usr/bin/pgrep -s {running.pid} "$@"\n')
    (folder / "pgrep").chmod(0o755)
    try:
        for _ in range(5000):
            if (folder / "done").exists():
                break
            time.sleep(0.002)
        yield
    finally:
        os.killpg(running.pid, signal.SIGTERM)  # not SIGKILL: trikal run would leave its directory behind
        running.wait()


def alone(command):
    """`recover --all` takes what programs left on the whole machine: it gets a /dev/shm of its own, others' maps are theirs."""
    if "recover --all" not in command:
        return []
    namespace = ["unshare", "-m" if os.geteuid() == 0 else "-rm"]
    inside = [*namespace, "sh", "-c", 'mount -t tmpfs none /dev/shm && exec "$@"', "-"]
    probe = subprocess.run([*inside, "true"], capture_output=True, text=True)
    if probe.returncode != 0:
        pytest.skip(f"no /dev/shm of its own can be made here: {probe.stderr.strip()}")
    return inside


def serve_and_stop(command, folder, env):
    """It serves until somebody ends it."""
    serving = subprocess.Popen(["bash", "-c", f"exec {command}"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=env, stdin=subprocess.DEVNULL)
    try:
        said = serving.stdout.readline()
        assert b"http://127.0.0.1:" in said, (command, said)
        serving.send_signal(signal.SIGINT)
        _, complaints = serving.communicate(timeout=60)
        assert serving.returncode == 0 and not complaints, (command, complaints.decode())
    finally:
        serving.kill()
        serving.wait()


@pytest.mark.parametrize("verb, command", [(verb, command) for verb in VERBS + ["generate"]
                                           for command in (examples(verb) if PROGRAM.exists() else [])])
def test_examples_work(example_files, tmp_path, verb, command):
    shutil.copytree(example_files, tmp_path, dirs_exist_ok=True)
    if verb in ("merge", "run"):
        (tmp_path / "job.darshan").unlink()  # it is written in these
    # Open MPI's mpirun wants to be told twice by root, and to have a processor for each rank.
    env = {"PATH": f"{tmp_path}:{BIN}:/usr/bin:/bin", "TZ": "UTC", "TRIKAL_MAP_DIRECTORY": str(tmp_path),
           "TRIKAL_CALIBRATION": str(tmp_path), "TRIKAL_QUICK": "1",
           "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
           "OMPI_MCA_rmaps_base_oversubscribe": "1"}
    if verb == "serve":
        return serve_and_stop(command, tmp_path, env)
    with simulating(tmp_path, env) if "pgrep" in command else contextlib.nullcontext():
        done = subprocess.run([*alone(command), "bash", "-c", command], cwd=tmp_path, capture_output=True, check=False, timeout=60,
                              env=env, stdin=subprocess.DEVNULL)
    expected = 4 if "broken" in command else 0
    assert done.returncode == expected, (command, done.stderr.decode())


def test_exit_codes_are_the_documented_ones(example_files, tmp_path):
    job = example_files / "job.darshan"
    (tmp_path / "text").write_text("no log " * 400)
    other = Maker(random.Random(9)).log("3.41", {"POSIX": 4})
    (tmp_path / "other").write_bytes(encoder.encode(other))
    cases = [(["explain", "POSIX_OPENS"], 0), (["explain", "NOBODY"], 2), (["help", "nothing"], 2),
             (["diff", job, job], 0), (["diff", job, tmp_path / "other"], 1), (["diff", job, tmp_path / "none"], 3)]
    for verb in ("info", "parse", "dxt", "diff", "convert", "merge", "export"):
        more = {"diff": [job], "convert": [tmp_path / f"{verb}.out"], "merge": ["-o", tmp_path / f"{verb}.out"],
                "export": ["-f", "json"]}.get(verb, [])
        cases += [([verb, tmp_path / "none", *more], 3), ([verb, tmp_path / "text", *more], 4),
                  ([verb, "--nonsense", job, *more], 2),
                  ([verb, "--salvage", example_files / "broken.darshan", *more], 4)]
    cases += [(["parse", "--limit", "1K", job], 5), (["export", "-f", "json", "--limit", "1K", job], 5)]
    for words, code in cases:
        done = run(*words)
        documented = {int(line.split()[0]) for line in sections(run("help", words[0]).stdout.decode())["Exit codes"]}
        assert done.returncode in documented, (words, done.returncode)
        assert done.returncode == code, (words, done.returncode, done.stderr)
