"""What is answered to each trigger of drishti-io: the findings that say the same, or why it is wrong or beside the point.

Written by hand after reading the counters. A reason is for logs of certain names and for what their totals say;
test_drishti.py tries both, and every trigger of every log needs one or the other.
"""

import dataclasses
import pathlib
import typing

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "drishti.md"

# They describe a run and judge nothing: more reads than writes, sequential or collective accesses. `trikal summary` shows the same.
DESCRIPTIONS = ("P01", "P02", "P03", "P04", "P12", "P14", "M04", "M05", "M08", "M10")


@dataclasses.dataclass(frozen=True)
class Reason:
    logs: tuple  # patterns
    why: str
    holds: typing.Callable = lambda totals: True


@dataclasses.dataclass(frozen=True)
class Answer:
    same: tuple = ()  # codes of ours
    reasons: tuple = ()


def moved(totals, module="POSIX"):
    return totals.get(f"{module}_BYTES_READ", 0) + totals.get(f"{module}_BYTES_WRITTEN", 0)


def small_reads(totals):
    return sum(totals.get(f"POSIX_SIZE_READ_{size}", 0) for size in ("0_100", "100_1K", "1K_10K", "10K_100K"))


def rank_difference(totals):
    return totals.get("POSIX_F_SLOWEST_RANK_TIME", 0) - totals.get("POSIX_F_FASTEST_RANK_TIME", 0)


TESTS = ("mpi-io-test-*", "apmpi_*", "ior_pnetcdf*", "mpi_io_test_with_dxt*")
PYTHON = ("dlio-*", "hdf5_*")
OWN = ("run-*", "preload-*")

ANSWERS = {
    "S01": Answer(("bulk-through-streams", "small-writes", "small-reads"), (
        Reason(("ior_daos*", "stdio_no_posix*", "run-*"), "A few bytes of text through streams, which is what they are for; the share of "
               "what POSIX moves is high because that is next to nothing, or because the data go through DFS.",
               lambda totals: moved(totals, "STDIO") < 1 << 20),
        Reason(("predicted",), "A prediction: streams that move blocks as large as their buffer cost what write costs."),
    )),
    "M01": Answer(("no-collectives",), (
        Reason(("dlio-*", "stdio_no_posix*", "empty_log*", "predicted", "run-*"), "A program of single processes: collective calls have "
               "nothing to bring together.", lambda totals: moved(totals) < 16 << 30),
        Reason(("hdf5_*", "runtime_and_dxt*", "ior_daos*"), "Ranks that move a few bytes or megabytes in all: no interface makes "
               "that faster.", lambda totals: moved(totals) < 64 << 20),
    )),
    "M02": Answer(("no-collectives",), (
        Reason(("partial_data*",), "Each of a million reads is of the same byte: larger reads are what helps (small-reads), there is "
               "nothing to gather.", lambda totals: totals["POSIX_MAX_BYTE_READ"] == 0),
    )),
    **{code: Answer(("no-nonblocking", "no-overlap"), (
        Reason(TESTS, "A test that does nothing but I/O: there is no computing that a nonblocking call could overlap with.",
               lambda totals: moved(totals, "MPIIO") <= 4 << 30),
        Reason(("partial_data*",), "Calls of a single byte: one large read takes no time that would be worth hiding (small-reads)."),
    )) for code in ("M06", "M07")},
    "P05": Answer(("small-reads",), (
        Reason(("skew_io*",), "All of its reads are of 1 MiB: the class of the histogram that drishti takes for small includes that size.",
               lambda totals: small_reads(totals) == 0),
    )),
    "P06": Answer(("small-writes",)),
    "P07": Answer(("misaligned-memory",), (
        Reason((*PYTHON, *OWN), "Buffers that are no multiple of eight bytes matter for large or direct transfers; these are reads of a few "
               "KiB through the page cache, which copies them either way.",
               lambda totals: moved(totals) / max(1, totals["POSIX_READS"] + totals["POSIX_WRITES"]) < 64 << 10
               or totals["POSIX_MEM_NOT_ALIGNED"] < 1000),
    )),
    "P08": Answer(("misaligned",), (
        Reason((*PYTHON, *OWN, "ior_pnetcdf*"), "Fewer than a thousand accesses that begin within a block, most of them reads of small files or "
               "of headers one after the other: no block is fetched or locked twice for that.",
               lambda totals: totals["POSIX_FILE_NOT_ALIGNED"] < 1000 or small_reads(totals) > 0.9 * totals["POSIX_READS"]),
    )),
    **{code: Answer((repeated,), (
        Reason(("run-*", "ior_pnetcdf*"), "drishti compares the wrong way round: it complains where fewer bytes were moved than lie "
               "before the highest offset, and then nothing can have been moved twice."),
    )) for code, repeated in (("P09", "reread"), ("P10", "rewrite"))},
    "P11": Answer(("random-reads",), (
        Reason(("partial_data*",), "The same byte again and again is no jump: no read begins anywhere else.",
               lambda totals: totals["POSIX_MAX_BYTE_READ"] == 0),
    )),
    "P13": Answer(("random-writes",)),
    "P15": Answer(("small-reads",), (
        Reason(("skew_io*",), "As P05: reads of 1 MiB.", lambda totals: small_reads(totals) == 0),
    )),
    "P16": Answer(("small-writes",)),
    "P17": Answer(("metadata-heavy", "stat-storm", "reopen"), (
        Reason(("skew_io*",), "The time of 2,048 ranks added up: each of them is a tenth of a second in opens, of 659 s.",
               lambda totals: totals["POSIX_F_META_TIME"] / totals["nprocs"] < 0.2),
    )),
    **{code: Answer(("imbalance", "straggler", "serial-rank", "uneven-shared-file"), (
        Reason(("mpi-io-test-*", "preload-*", "run-*"), "Ranks differ by tenths of a second at most, which is noise of a test that short.",
               lambda totals: rank_difference(totals) < 0.3),
    )) for code in ("P18", "P19")},
    **{code: Answer(("imbalance", "serial-rank"), (
        Reason(("run-*",), "Processes that do different work, not ranks: a shell and what it starts need not move as many bytes as each "
               "other.", lambda totals: moved(totals) < 64 << 20),
    )) for code in ("P21", "P22")},
}

TITLES = {
    "S01": "streams carry more than a tenth of the bytes", "M01": "no MPI-IO", "M02": "no collective reads", "M06": "no nonblocking reads",
    "M07": "no nonblocking writes", "P05": "small reads", "P06": "small writes", "P07": "misaligned in memory", "P08": "misaligned in the file",
    "P09": "redundant reads", "P10": "redundant writes", "P11": "random reads", "P13": "random writes", "P15": "small reads of a shared file",
    "P16": "small writes to a shared file", "P17": "long metadata time", "P18": "ranks move unlike bytes in a shared file",
    "P19": "ranks take unlike times in a shared file", "P21": "ranks write unlike bytes", "P22": "ranks read unlike bytes",
}
HEAD = """# Beside drishti-io

Made by `tests/insights/drishti_answers.py`; not a page to edit. The program drishti-io 0.8 looks at
counters of a log and reports what is beyond a limit. `tests/insights/test_drishti.py` runs it on every real log and on logs of our own: each of its
triggers is one of our findings, or there is a reason why it is wrong or beside the point, tried against the counters. What it only
describes (more reads than writes, sequential accesses) is in `trikal summary`.

| trigger | it says | findings that say the same | where it is wrong or beside the point |
|---|---|---|---|
"""


def table():
    rows = []
    for code, answer in sorted(ANSWERS.items()):
        why = " ".join(f"{', '.join(f'`{log}`' for log in reason.logs)}: {reason.why}" for reason in answer.reasons)
        rows.append(f"| {code} | {TITLES[code]} | {', '.join(f'`{one}`' for one in answer.same)} | {why} |")
    return HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(table())
