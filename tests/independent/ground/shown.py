"""What the original's tools print of a log, less the comments, as the specification has it: the truth for our tools.

    base.tsv    every counter of every record, eight columns
    dxt.tsv     every segment of a trace, eleven columns
    head.txt    the lines about the job and the regions
    total.txt   the lines of --total
    perf.txt    the lines with numbers of --perf --file
"""

import gzip
import time

from . import container, derived, folds, text
from .model import header_size
from .tables import MODULE_NAMES

CODECS = [b"ZLIB", b"BZIP2", b"NONE"]


def _job(log):
    """(label, value) of the job's lines."""
    job = log.job
    for label, field in (("uid", "uid"), ("jobid", "jobid")):
        yield label, job[field]
    for label in ("start", "end"):
        seconds = job[f"{label}_sec"]
        yield f"{label}_time", seconds
        yield f"{label}_time_asci", time.asctime(time.gmtime(seconds))
    yield "nprocs", job["nprocs"]
    yield "run time", f"{log.runtime:.4f}"


def _regions(data, header):
    yield f"# header: {header_size(41)} bytes (uncompressed)"  # in memory, whatever the log's own is
    yield f"# job data: {container.job_extent(header, len(data))[1]} bytes (compressed)"
    yield f"# record table: {header.name_map[1]} bytes (compressed)"


def head_lines(log, data):
    header = container.parse_header(data)
    lines = [b"# darshan log version: " + log.version.encode(), b"# compression method: " + CODECS[log.codec],
             b"# exe: " + log.exe]
    lines += [f"# {label}: {value}".encode() for label, value in _job(log)]
    lines += [b"# metadata: %s = %s" % pair for pair in log.meta_pairs()]
    lines += [line.encode() for line in _regions(data, header)]
    return lines + [f"# {MODULE_NAMES[i]} module: {header.mod_map[i][1]} bytes (compressed), ver={header.mod_ver[i]}".encode()
                    for i in sorted(header.mod_map) if header.mod_map[i][1]]


def perf_lines(log, data):
    lines = [f"# darshan log version: {log.version}"]
    lines += [f"# {label}: {value}" for label, value in _job(log)]
    lines += _regions(data, container.parse_header(data))
    for ident, module in sorted(log.modules.items()):
        name = MODULE_NAMES[ident]
        if name in derived.PREFIX:
            lines += [f"# {name} module data", *derived.lines(name, module.records)]
    if not log.modules:
        lines.append("# no module data available.")
    return [line.encode() for line in lines]


def tables(log, data):
    """{kind: lines}; `log` as the decoder has it or as its source says, `data` what it is stored as."""
    found = {"base.tsv": list(text.base_lines(log, mounts=True)), "dxt.tsv": list(text.dxt_lines(log)),
             "head.txt": head_lines(log, data), "total.txt": list(folds.total_lines(log)),
             "perf.txt": perf_lines(log, data)}
    return {kind: lines for kind, lines in found.items() if lines or kind != "dxt.tsv"}


def write(folder, stem, log, data):
    for kind, lines in tables(log, data).items():
        packed = gzip.compress(b"".join(line + b"\n" for line in lines), mtime=0)
        (folder / f"{stem}.{kind}.gz").write_bytes(packed)
