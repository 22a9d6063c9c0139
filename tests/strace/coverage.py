#!/usr/bin/env python3
"""Writes docs/coverage.md from a run of every workload under strace and trikal at once.

  coverage.py           writes the page
  coverage.py --print   prints it instead
"""

import pathlib
import sys
import tempfile

from compare import ROOT, observe
from workloads import WORKLOADS, prepare

PAGE = ROOT / "docs" / "coverage.md"
HEAD = "| program | processes | files: descriptors | streams | loader, libc | bytes by strace | in the log | share | agrees |"

INTRO = """# What the runtime sees

Written by `tests/strace/coverage.py`; the figures are those of one run. Each program runs once, under `strace -f` and
`trikal run --exclude none` at the same time, and every file that strace saw read or written is compared:

- used through descriptors only: calls and bytes, read and written, are equal;
- used through streams: bytes written are equal, bytes read are at most strace's, since a stream reads ahead (what lies
  in its buffer may be read again after a seek);
- read by the loader and by libc for themselves (shared libraries, locales, time zones, name service files): no function
  that can be intercepted is called; they are counted in the column "loader, libc" and are all that is missing.

`/proc`, `/sys`, `/dev`, pipes and sockets are no files here, and the runtime's own look at a program that is about to
be started is left out. "share" is the part of all bytes that the log accounts for.
"""

UNSEEN = """
## What is seen, and what is not

The functions of libc that are intercepted are listed in `src/modules/*/symbols.txt` and `src/capture/symbols.txt`.

| | |
|---|---|
| `getc_unlocked`, `putc_unlocked` put into the program by the compiler | a buffer at a time: a lower bound, apart in `stdio_extra` |
| `mmap` | calls and bytes mapped, synced, unmapped; loads and stores are not calls |
| wide characters | bytes as UTF-8; of `fwprintf` the number of characters |
| `scanf` | bytes the buffer moved by; what lies between is missing where one call uses up more than one buffer |
| `fwscanf` and its kin | not seen |
| `popen`, `tmpfile`, `O_TMPFILE` | under the names `<POPEN>` and `<tmpfile>`: they have none of their own |
| libaio | through its functions; not where a program makes the system calls itself |
| io_uring | that there is a ring, which the summary says; not what goes through it |
| descriptors received over a socket | from then on, as inherited ones |
| libraries loaded with `RTLD_DEEPBIND` or by `dlmopen` | not seen; the summary names them |
| libc for itself: `perror`, `getpwnam`, `fts`, `nftw`, `glob`, `scandir`, `dlopen` | not seen |
| system calls without libc (static programs, Go) | not seen |
"""


def row(name):
    with tempfile.TemporaryDirectory(prefix="trikal-coverage-") as folder:
        folder = pathlib.Path(folder).resolve()
        result, done = observe(prepare(name, folder), folder)
    if done.returncode != 0:
        sys.exit(f"{name} failed: {done.stderr.decode()}")
    share = 100 * result.bytes_seen / result.bytes_all
    agrees = "yes" if not result.wrong else f"no: {len(result.wrong)} files"
    cells = [WORKLOADS[name][0], result.processes, result.posix, result.streams, len(result.internal),
             f"{result.bytes_all:,}", f"{result.bytes_seen:,}", f"{share:.1f} %", agrees]
    return "| " + " | ".join(map(str, cells)) + " |", result


def page():
    rows, seen, everything, missing = [], 0, 0, 0
    for name in WORKLOADS:
        text, result = row(name)
        rows.append(text)
        seen, everything = seen + result.bytes_seen, everything + result.bytes_all
        missing += len(result.wrong)
    rule = "|" + "---|" * HEAD.count(" |")
    total = (f"\nTogether: {100 * seen / everything:.1f} % of {everything:,} bytes; {missing} files disagree. "
             "The rest was read by the loader and libc.\n")
    return INTRO + "\n" + "\n".join([HEAD, rule, *rows]) + "\n" + total + UNSEEN


if __name__ == "__main__":
    text = page()
    if sys.argv[1:] == ["--print"]:
        print(text)
    else:
        PAGE.write_text(text)
