"""Call sites of MPI-IO: the lines of the program; what the library does beneath is at the same lines, through the library."""

import os
import re
import subprocess

from conftest import HERE, RUNTIME, Log

SOURCE = HERE / "programs" / "call_sites.c"
EXPECTED = {(match[1], number): (int(match[2]), int(match[3])) for number, line in enumerate(SOURCE.read_text().splitlines(), 1)
            if (match := re.search(r"site: (.+) (\d+) (\d+) \*/", line))}


def test_every_rank_has_its_lines(mpi, tmp_path):
    program = mpi.compile("call_sites.c", "-g")
    log, _ = mpi.observe(tmp_path, [*mpi.launch(2), program, str(tmp_path / "shared.dat")], options=["--call-sites"])
    rows = log.rows("sites")
    for rank in ("0", "1"):
        found = {(row["operation"], int(row["line"])): (int(row["count"]), int(row["bytes"])) for row in rows
                 if row["interface"] == "MPI-IO" and row["rank"] == rank}
        assert found == EXPECTED
    beneath = [row for row in rows if row["interface"] == "POSIX" and row["name"].endswith("shared.dat") and row["operation"] == "write"]
    assert beneath and all(row["object"] != RUNTIME and ("libmpi" in row["through"] or "mca_" in row["through"]) for row in beneath)


def test_ranks_that_write_one_log_themselves_keep_their_sites(mpi, tmp_path):
    program = mpi.compile("call_sites.c", "-g")
    log = tmp_path / "own.darshan"
    settings = {"LD_PRELOAD": RUNTIME, "TRIKAL_LOGFILE": str(log), "TRIKAL_CALL_SITES": "1"}
    subprocess.run([*mpi.launch(2), "env", *(f"{name}={value}" for name, value in settings.items()), program,
                    str(tmp_path / "shared.dat")], check=True, capture_output=True, timeout=120, env=os.environ)
    rows = [row for row in Log(log).rows("sites") if row["interface"] == "MPI-IO"]
    assert {row["rank"] for row in rows} == {"0", "1"} and len(rows) == 2 * len(EXPECTED)
