#!/usr/bin/env python3
"""Writes the logs of jobs that make sense (ground/jobs.py), as every release wrote them, in both byte orders.

  job_logs.py OUTDIR

OUTDIR/NAME.darshan, and OUTDIR/expected/NAME.KIND.gz with what the original's tools print of each (ground/shown.py).
Always the same bytes.  Expectations come from the source structures, never from decoding what was written.
"""

import pathlib
import sys

from encoder import encode
from ground import expect, jobs, shown
from ground.model import BZIP2, NONE, ZLIB, Log

ORDERS = {"le": "<", "be": ">"}


def logs():
    """(name, source Log)."""
    for word, order in ORDERS.items():
        for number, release in enumerate(jobs.RELEASES):
            # PyDarshan's own library reads no bzip2 and its package no MDHIM: those are in logs that it is not given.
            # AutoPerf has hundreds of counters: some logs are enough.
            left = {"MDHIM"} if release in ("3.3.0", "3.5.0", "next") else {"MDHIM", "APMPI", "APXC"}
            modules = [name for name in jobs.RELEASES[release][1] if name not in left]
            codec = BZIP2 if release == "next" else (ZLIB, NONE)[number % 2]
            yield f"job-{release}-{word}", jobs.job(release, order, codec, modules)
        yield f"job-mdhim-{word}", jobs.job("3.3.0", order, BZIP2, ["POSIX", "MDHIM"])
    for release, module in (("3.5.0", 10), ("3.1.7", 1)):
        incomplete = jobs.job(release, "<", modules=["POSIX", "STDIO", "DXT_POSIX"])
        incomplete.partial = 1 << module
        yield f"job-incomplete-{release}", incomplete
    yield "job-untraced", jobs.job("3.5.0", ">", modules=["POSIX", "MPI-IO", "STDIO", "HEATMAP"])
    bare = jobs.job("3.5.0", "<", modules=["STDIO"])
    yield "job-streams-alone", bare
    yield "job-nothing", Log(job=bare.job, metadata=bare.metadata, text=bare.text)


def write(out):
    (out / "expected").mkdir(parents=True, exist_ok=True)
    for name, log in logs():
        data = encode(log)
        (out / f"{name}.darshan").write_bytes(data)
        shown.write(out / "expected", name, expect.current(log), data)


def main(argv):
    if len(argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    write(pathlib.Path(argv[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
