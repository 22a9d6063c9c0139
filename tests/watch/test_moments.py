"""What is told of a moment of a run is what a log of that moment says, and the last moment is the log."""

import json
import os
import re
import subprocess
import time

from conftest import TRIKAL
from test_page_server import Served

# Reads and writes in small pieces, then does nothing for a while: that moment lasts. In the end it does more.
PAUSING = ("import os, time\n"
           "f = os.open('small', os.O_RDWR | os.O_CREAT)\n"
           "for i in range(60000): os.write(f, b'x')\n"
           "for i in range(30000): os.pread(f, 1, i)\n"
           "open('quiet', 'w').close()\n"
           "open('go').close()\n"  # a pipe: until somebody opens the other end
           "for i in range(100): os.write(f, b'y' * 100)\n")


def insights(log):
    return json.loads(subprocess.run([TRIKAL, "insights", "--json", log], capture_output=True, check=True).stdout)["findings"]


def totals(log):
    text = subprocess.run([TRIKAL, "parse", "--total", log], capture_output=True, check=True, text=True).stdout
    return dict(re.findall(r"^total_(\w+): (\S+)$", text, re.MULTILINE))


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.1)
    return found


def go(tmp_path):
    """The pause is over; nobody may be waiting any more."""
    try:
        os.close(os.open(tmp_path / "go", os.O_WRONLY | os.O_NONBLOCK))
    except OSError:
        pass


def test_findings_and_snapshot_of_a_moment(tmp_path):
    os.mkfifo(tmp_path / "go")
    page = Served(["watch", "--log", "w.darshan", "--", "python3", "-c", PAUSING], tmp_path)
    try:
        wait_for((tmp_path / "quiet").exists)
        time.sleep(1)  # all has been sampled
        shown = wait_for(lambda: [row for row in page.rows("/api/findings?run=1") if row["code"] == "small-writes"]
                         and page.rows("/api/findings?run=1"))
        status, log, _ = page.get("/api/snapshot")
        assert status == 200
        (tmp_path / "now.darshan").write_bytes(log)
        told = insights(tmp_path / "now.darshan")
        assert "small-writes" in {one["code"] for one in told}
        # Wherever seconds do not depend on how long the run has lasted they are the same, digit for digit.
        assert {(row["code"], row["title"]) for row in shown} == {(one["code"], one["title"]) for one in told}
        assert {row["code"]: row["seconds"] for row in shown} == {one["code"]: one["seconds"] for one in told}
        sums = {row["operation"]: row for row in page.rows("/api/sums?run=1&by=operation&interface=POSIX&file=" + str(tmp_path / "small"))}
        snapshot = totals(tmp_path / "now.darshan")
        assert sums["write"]["calls"] == 60000 and sums["read"]["calls"] == 30000
        go(tmp_path)
        page.process.communicate(timeout=60)
        assert page.process.returncode == 0
        end = totals(tmp_path / "w.darshan")
        assert int(end["POSIX_BYTES_WRITTEN"]) - int(snapshot["POSIX_BYTES_WRITTEN"]) == 100 * 100
        assert int(end["POSIX_READS"]) == int(snapshot["POSIX_READS"])
    finally:
        go(tmp_path)
        page.process.kill()
        page.process.communicate()


def test_last_snapshot_is_the_log(tmp_path):
    """A snapshot taken when the program does nothing any more has the counters of the final log, record by record."""
    script = PAUSING.replace("for i in range(100): os.write(f, b'y' * 100)\n", "")
    os.mkfifo(tmp_path / "go")
    page = Served(["watch", "--log", "w.darshan", "--", "python3", "-c", script], tmp_path)
    try:
        wait_for((tmp_path / "quiet").exists)
        [child] = subprocess.run(["pgrep", "-P", str(page.process.pid)], capture_output=True, check=True, text=True).stdout.split()
        status, log, _ = page.get("/api/snapshot")
        assert status == 200
        (tmp_path / "page.darshan").write_bytes(log)
        for name, of in (("verb", child), ("run", page.process.pid)):
            subprocess.run([TRIKAL, "snapshot", "-o", tmp_path / f"{name}.darshan", str(of)], cwd=tmp_path, check=True, capture_output=True)
        go(tmp_path)
        page.process.communicate(timeout=60)
    finally:
        go(tmp_path)
        page.process.kill()
        page.process.communicate()

    def of_file(name):
        text = subprocess.run([TRIKAL, "parse", "--base", tmp_path / name], capture_output=True, check=True, text=True).stdout
        return [line.split("\t")[:5] for line in text.splitlines() if line.startswith("POSIX\t") and f"\t{tmp_path}/small\t" in line]
    end = of_file("w.darshan")
    assert len(end) > 60
    # The file is closed by the end of the process alone, which counts nothing.
    assert of_file("page.darshan") == of_file("run.darshan") == end
    # The verb's log begins with the process, the others with the run: moments differ, nothing else.
    without = [[line for line in of_file(name) if "TIMESTAMP" not in line[3]] for name in ("verb.darshan", "w.darshan")]
    assert without[0] == without[1] and len(without[0]) > 50
