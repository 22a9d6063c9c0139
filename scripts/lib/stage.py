"""A stage of scripts/test: a file in scripts/stages whose first comment lines describe it."""

import os
import pathlib
import re
import subprocess
import time
from dataclasses import dataclass, field

import junit

SKIP_EXIT = 77  # a stage that exits with this was skipped; its last line of output is the reason


@dataclass
class Stage:
    name: str
    path: pathlib.Path
    about: str = ""
    when: str = "fast"  # fast: in every run; full: only with --full
    needs: tuple = ()  # presets to build before it
    order: int = 50
    skips: str = "forbidden"  # allowed: what it skips is listed and never fails a run

    @classmethod
    def load(cls, path):
        stage = cls(path.name, path)
        for line in path.read_text().splitlines():
            found = re.match(r"# (about|when|needs|order|skips): *(.*)", line)
            if found:
                key, value = found.groups()
                convert = {"needs": lambda text: tuple(text.split()), "order": int}.get(key, str)
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
    log: pathlib.Path = None
    may_skip: bool = False


def one_test(name, code, log):
    """The suite of a stage that counts no tests itself: one test, named after the stage."""
    suite = junit.Suite("")
    suite.run = 1
    if code == SKIP_EXIT:
        lines = log.read_text(errors="replace").strip().splitlines() or ["no reason given"]
        suite.skips.append((name, lines[-1]))
    elif code != 0:
        suite.failures.append((name, f"exit status {code}"))
    return suite


def run_command(name, command, log, env=None):
    """Runs one command as one test."""
    begin = time.monotonic()
    with log.open("wb") as out:
        code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=env).returncode
    return Outcome(name, [one_test(name, code, log)], time.monotonic() - begin, log), code


def run(stage, root, logs, full):
    results = logs / stage.name
    results.mkdir()
    env = dict(
        os.environ,
        TRIKAL_JUNIT=str(results),
        TRIKAL_FULL="1" if full else "0",
        TRIKAL_PYTHON=str(root / "build" / "venv" / "bin" / "python"),
        TRIKAL_BUILD=os.environ.get("TRIKAL_BUILD", str(root / "build" / "release")),
        CTEST_OUTPUT_ON_FAILURE="1",
    )
    outcome, code = run_command(stage.name, [str(stage.path)], logs / f"{stage.name}.log", env)
    outcome.may_skip = stage.skips == "allowed"
    suites = [junit.read(path) for path in sorted(results.glob("*.xml"))]
    if suites:
        outcome.suites = suites
        # A runner that died without reporting a failed test must not look like success.
        if code != 0 and not any(suite.failures for suite in suites):
            suites[-1].run += 1
            suites[-1].failures.append((stage.name, f"exit status {code} without a failed test"))
    return outcome
