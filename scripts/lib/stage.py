"""A stage of scripts/test: a file in scripts/stages whose first comment lines describe it."""

import os
import pathlib
import re
import signal
import subprocess
import threading
import time
from dataclasses import dataclass, field

import junit

LIMIT = 40  # minutes a stage may take, unless it says otherwise; with --full six times as long
TIMEOUT_EXIT = 124
SKIP_EXIT = 77  # a stage that exits with this was skipped; its last line of output is the reason


@dataclass
class Stage:
    name: str
    path: pathlib.Path
    about: str = ""
    when: str = "fast"  # fast: in every run; full: only with --full
    needs: tuple = ()  # presets to build before it
    order: int = 50
    limit: float = LIMIT  # minutes
    skips: str = "forbidden"  # allowed: what it skips is listed and never fails a run

    @classmethod
    def load(cls, path):
        stage = cls(path.name, path)
        for line in path.read_text().splitlines():
            found = re.match(r"# (about|when|needs|order|limit|skips): *(.*)", line)
            if found:
                key, value = found.groups()
                convert = {"needs": lambda text: tuple(text.split()), "order": int, "limit": float}.get(key, str)
                setattr(stage, key, convert(value))
        if not stage.about or stage.when not in ("fast", "full"):
            raise SystemExit(f"{path}: needs '# about:' and '# when: fast' or '# when: full'")
        if stage.skips not in ("forbidden", "allowed"):
            raise SystemExit(f"{path}: '# skips:' is forbidden or allowed")
        return stage


def load_all(root):
    folder = root / "scripts" / "stages"
    paths = [path for path in folder.iterdir() if os.access(path, os.X_OK) and path.is_file()]
    return sorted(map(Stage.load, paths), key=lambda stage: (stage.order, stage.name))


@dataclass
class Outcome:
    name: str
    suites: list = field(default_factory=list)
    seconds: float = 0.0
    processor: float = 0.0  # seconds, of all it started and waited for
    log: pathlib.Path = None
    may_skip: bool = False


def one_test(name, code, log):
    """The suite of a stage that counts no tests itself: one test, named after the stage."""
    suite = junit.Suite("")
    suite.run = 1
    if code == SKIP_EXIT:
        lines = log.read_text(errors="replace").strip().splitlines() or ["no reason given"]
        suite.skips.append((name, lines[-1]))
    elif code == TIMEOUT_EXIT:
        suite.failures.append((name, "did not end by itself and was ended"))
    elif code != 0:
        suite.failures.append((name, f"exit status {code}"))
    return suite


def family(pid):
    """A process and all that came from it, even in sessions of their own."""
    children = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(path.parent.name))
        except OSError:
            continue  # it has ended
    found = [pid]
    for one in found:
        found += children.get(one, [])
    return found


def end_family(pid):
    for one in family(pid):
        try:
            os.kill(one, signal.SIGKILL)
        except ProcessLookupError:
            pass


def wait(process, minutes):
    """(exit status, processor seconds); a process that takes longer is ended with all that it started."""
    hung = threading.Event()

    def end():
        hung.set()
        end_family(process.pid)

    late = threading.Timer(60 * minutes, end)
    late.start()
    _, status, used = os.wait4(process.pid, 0)
    late.cancel()
    late.join()
    process.returncode = os.waitstatus_to_exitcode(status)
    return TIMEOUT_EXIT if hung.is_set() else process.returncode, used.ru_utime + used.ru_stime


def run_command(name, command, log, env=None, minutes=LIMIT, niceness=0):
    """Runs one command as one test."""
    begin = time.monotonic()
    with log.open("wb") as out:
        process = subprocess.Popen(["nice", "-n", str(niceness), *command], stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=env)
        code, processor = wait(process, minutes)
        if code == TIMEOUT_EXIT:
            out.write(f"\nended: it did not end by itself within {minutes:g} minutes\n".encode())
    return Outcome(name, [one_test(name, code, log)], time.monotonic() - begin, processor, log), code


def run(stage, root, logs, full, niceness=0):
    results = logs / stage.name
    results.mkdir()
    env = dict(
        os.environ,
        TRIKAL_JUNIT=str(results),
        TRIKAL_FULL="1" if full else "0",
        TRIKAL_PYTHON=str(root / "build" / "venv" / "bin" / "python"),
        TRIKAL_BUILD=os.environ.get("TRIKAL_BUILD", str(root / "build" / "ci")),
        CTEST_OUTPUT_ON_FAILURE="1",
    )
    env.pop("COLUMNS", None)  # documents have text as it wraps without it
    outcome, code = run_command(stage.name, [str(stage.path)], logs / f"{stage.name}.log", env, stage.limit * (6 if full else 1), niceness)
    outcome.may_skip = stage.skips == "allowed"
    suites = [junit.read(path) for path in sorted(results.glob("*.xml"))]
    if suites:
        outcome.suites = suites
        # A runner that died without reporting a failed test must not look like success.
        if code != 0 and not any(suite.failures for suite in suites):
            suites[-1].run += 1
            suites[-1].failures.append((stage.name, "did not end by itself and was ended" if code == TIMEOUT_EXIT else
                                        f"exit status {code} without a failed test"))
    return outcome
