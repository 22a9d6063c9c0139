"""HTML for notebooks. What comes from a log passes through `cell` and is escaped there: names are hostile."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Iterable, Sequence

if TYPE_CHECKING:
    from .log import Log
    from .model import Finding

MOST_FINDINGS = 10


def bytes_text(count: float) -> str:
    """1.50 MiB"""
    value, units = float(count), ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    while abs(value) >= 1024 and len(units) > 1:
        value /= 1024
        units.pop(0)
    exact = units[0] == "B" or value >= 1000  # three digits would make 1020 of 1023
    return f"{value:.0f} {units[0]}" if exact else f"{value:.3g} {units[0]}"


def cell(value: object) -> str:
    return html.escape(str(value), quote=True)


def table(caption: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The first cell of a row is its heading, for readers that speak."""
    head = "".join(f'<th scope="col">{cell(name)}</th>' for name in header)
    body = "".join(
        f'<tr><th scope="row" style="text-align:left">{cell(row[0])}</th>'
        + "".join(f'<td style="text-align:left">{cell(value)}</td>' for value in row[1:]) + "</tr>"
        for row in rows)
    thead = f"<thead><tr>{head}</tr></thead>" if header else ""
    title = f'<caption style="text-align:left">{cell(caption)}</caption>'
    return f"<table>{title}{thead}<tbody>{body}</tbody></table>"


def findings(found: Iterable[Finding]) -> str:
    everything = list(found)
    if not everything:
        return "<p>No findings: nothing in this log looks slow or wrong.</p>"
    rows = [(one.code, one.severity, f"{one.seconds:.3g} s", one.title, one.fix) for one in everything[:MOST_FINDINGS]]
    more = len(everything) - len(rows)
    rest = f"<p>{more} more.</p>" if more > 0 else ""
    return table("Findings", ["finding", "severity", "costs about", "what was seen", "what to do"], rows) + rest


def _findings_of(log: Log) -> str:
    """A notebook shows the rest of a log also where the program is missing or the log damaged."""
    from .errors import TrikalError
    try:
        return findings(log.findings)
    except (TrikalError, OSError) as error:
        return f"<p>No findings: {cell(error)}</p>"


def log(one: Log) -> str:
    job = one.job
    facts: list[tuple[Any, ...]] = [
        ("command", job.exe), ("job", job.job_id), ("processes", job.nprocs), ("run time", f"{job.run_time:.6g} s"),
        ("log", f"{one.path}, {bytes_text(job.file_bytes)}, version {job.log_version}, {job.compression}")]
    modules = [(module.name or f"module {module.id}", bytes_text(module.compressed_bytes),
                "incomplete" if module.partial else "complete" if module.readable else "unknown to this library")
               for module in one.modules.values()]
    damage = [(item.part, item.what, "lost data" if item.loss else "nothing lost") for item in one.damage]
    parts = [table("Job", [], facts), table("Modules", ["module", "compressed", "state"], modules)]
    if damage:
        parts.append(table("Damage", ["part", "what", "consequence"], damage))
    return "<div>" + "".join(parts) + _findings_of(one) + "</div>"
