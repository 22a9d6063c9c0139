"""Phases that a program names (annotate.h): in the store while they go on, and as the log has them."""

import csv
import io
import json
import re
import subprocess
import time
import urllib.request

from conftest import ROOT, TRIKAL, sql

# Its step goes on until the file "go" is there.
WAITING = """
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <trikal/annotate.h>
int main(void) {
  const struct timespec pause = {0, 20000000};
  trikal_annotate_begin("read input");
  FILE* out = fopen("out", "w");
  fputs("text", out);
  nanosleep(&pause, NULL);
  trikal_annotate_end();
  trikal_annotate_begin("step");
  while (access("go", F_OK) != 0) nanosleep(&pause, NULL);
  trikal_annotate_end();
  return fclose(out);
}
"""


def test_as_in_the_log(tmp_path, program):
    phases = program("phases", f"-I{ROOT}/include", "-pthread")
    subprocess.run([TRIKAL, "watch", "--no-page", "--log", "w.darshan", "--", phases, tmp_path / "out"], cwd=tmp_path, check=True,
                   capture_output=True)
    found = sql(tmp_path / "w.sqlite", "SELECT name, thread, depth, begin, end FROM phases ORDER BY begin, depth")
    done = subprocess.run([TRIKAL, "export", "w.darshan", "-f", "csv", "-t", "phases", "-o", "-"], cwd=tmp_path, check=True,
                          capture_output=True, text=True)
    logged = sorted(csv.DictReader(io.StringIO(done.stdout)), key=lambda row: (float(row["begin"]), int(row["depth"])))
    assert [(row["name"], row["depth"]) for row in found] == [
        ("outer", 0), ("inner", 1), ("inner", 1), ("other thread", 0), ("never ended", 0)]
    assert [(row["name"], row["thread"], row["depth"]) for row in found] == [
        (row["phase"], int(row["thread"]), int(row["depth"])) for row in logged]
    assert [row["end"] is None for row in found] == [False] * 4 + [True]
    start = sql(tmp_path / "w.sqlite", "SELECT min(start) AS s FROM processes")[0]["s"]
    for row, of_log in zip(found, logged):
        assert abs(row["begin"] - start - float(of_log["begin"])) < 1e-3
        assert row["end"] is None or abs(row["end"] - start - float(of_log["end"])) < 1e-3


def test_while_they_go_on(tmp_path):
    """The page's requests have a phase before it ends; and say how old the newest number is."""
    (tmp_path / "waiting.c").write_text(WAITING)
    subprocess.run(["cc", "-o", "waiting", "waiting.c", f"-I{ROOT}/include"], cwd=tmp_path, check=True)
    watch = subprocess.Popen([TRIKAL, "watch", "--log", "w.darshan", "--", "./waiting"], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    address, token = re.search(r"(http://\S+)\?token=(\S+)", watch.stderr.readline()).groups()

    def ask(path):
        return json.load(urllib.request.urlopen(urllib.request.Request(address + path, headers={"Authorization": f"Bearer {token}"})))
    seen = []
    while watch.poll() is None and not seen:
        time.sleep(0.05)
        data = ask("api/phases?run=1")
        rows = [dict(zip(data["columns"], row)) for row in data["rows"]]
        seen = [row for row in rows if row["name"] == "step" and row["end"] is None]
    assert seen and [row["end"] > row["begin"] for row in rows if row["name"] == "read input"] == [True]
    about = ask("api/about")
    assert about["live"] and 0 <= about["lag"] < 60
    (tmp_path / "go").touch()
    watch.communicate(timeout=60)
    assert watch.returncode == 0
    rows = sql(tmp_path / "w.sqlite", "SELECT name, end - begin AS seconds FROM phases ORDER BY begin")
    assert [row["name"] for row in rows] == ["read input", "step"]
    assert rows[0]["seconds"] > 0.01 and rows[1]["seconds"] > 0.02
