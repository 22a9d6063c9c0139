"""What the machine did during a run is in its log, and in what is made of it."""

import csv
import io
import json
import os
import re
import subprocess

from conftest import TRIKAL, sql

SCRIPT = "head -c 8000000 /dev/zero > f; sync f; sleep 2.3"


def watched(tmp_path):
    subprocess.run([TRIKAL, "watch", "--no-page", "--log", tmp_path / "w.darshan", "--", "sh", "-c", SCRIPT], cwd=tmp_path,
                   capture_output=True, check=True, timeout=60)
    return tmp_path / "w.darshan"


def test_the_log_has_the_machine(tmp_path):
    log = watched(tmp_path)
    text = subprocess.run([TRIKAL, "export", "-f", "csv", "-t", "machine", "-o", "-", log], capture_output=True, check=True, text=True).stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    found = {(row["metric"], row["device"]): row for row in rows}
    stored = sql(tmp_path / "w.sqlite", "SELECT metric, device, count(*) AS n, min(value) AS least, max(value) AS most FROM system GROUP BY 1, 2")
    assert len(stored) == len(rows) and ("memory.total", "") in found and ("cpu.user", "") in found
    for row in stored:
        have = found[row["metric"], row["device"]]
        assert int(have["samples"]) == row["n"] and have["host"] == os.uname().nodename
        assert float(have["least"]) == row["least"] <= float(have["mean"]) <= float(have["most"]) == row["most"]
    assert {row["unit"] for row in rows} >= {"processors", "bytes"}
    wanted = {"cpu.user", "memory.available"} | ({"pressure.io.some"} if os.path.exists("/proc/pressure/io") else set())
    assert wanted <= {row["metric"] for row in rows}
    assert any(row["metric"].startswith("network.") for row in rows)


def test_summary_and_report_show_it(tmp_path):
    log = watched(tmp_path)
    summary = json.loads(subprocess.run([TRIKAL, "summary", "--json", log], capture_output=True, check=True).stdout)
    memory = next(row for row in summary["machine"] if row["metric"] == "memory.total")
    assert memory["unit"] == "bytes" and memory["least"] == memory["mean"] == memory["most"] > 1e6 and memory["samples"] >= 3
    subprocess.run([TRIKAL, "report", "-o", tmp_path / "r.html", log], capture_output=True, check=True)
    assert re.search(r'"metric":"memory\.total"', (tmp_path / "r.html").read_text())


def test_a_run_that_nobody_watched_has_none(tmp_path):
    subprocess.run([TRIKAL, "run", "--quiet", "--log", tmp_path / "r.darshan", "--", "cat", "/etc/passwd"], capture_output=True, check=True)
    summary = json.loads(subprocess.run([TRIKAL, "summary", "--json", tmp_path / "r.darshan"], capture_output=True, check=True).stdout)
    assert "machine" not in summary
