"""Asks the program `trikal` for what it computes: findings and summaries, as JSON (docs/formats/run-json.md)."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from . import _find
from .errors import LogError, ToolError

LOG_CODES = {3, 4, 5}  # exit codes that are about the file
DAMAGED = 4


def complaint(stderr: bytes) -> str:
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "no reason given"


def ask(verb: str, path: str, log: str, salvage: bool) -> dict[str, Any]:
    """The object that `trikal VERB --json` prints for the file `log`, which the user calls `path`."""
    return _checked(run([verb, "--json"], path, log, salvage), f"trikal-{verb} 1", _find.tool_path())


def run(arguments: list[str], path: str, log: str, salvage: bool) -> bytes:
    """What `trikal ARGUMENTS LOG` prints."""
    tool, verb = _find.tool_path(), arguments[0]
    command = [tool, *arguments, *(["--salvage"] if salvage else []), log]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        raise ToolError(f"cannot run {tool}: {error}") from error
    salvaged = salvage and done.returncode == DAMAGED
    if done.returncode != 0 and not salvaged:
        reason = complaint(done.stderr)
        if done.returncode in LOG_CODES:
            raise LogError.from_text(path, reason.split(f"{log}: ", 1)[-1])
        raise ToolError(f"{tool} {verb} ended with status {done.returncode}: {reason}")
    return done.stdout


def _checked(text: bytes, schema: str, tool: str) -> dict[str, Any]:
    try:
        answer = json.loads(text)
    except ValueError as error:
        raise ToolError(f"{tool} did not print JSON: {error}") from error
    found = answer.get("schema") if isinstance(answer, dict) else None
    if found != schema:
        raise ToolError(f"{tool} prints '{found}', this package reads '{schema}'")
    return dict(answer)
