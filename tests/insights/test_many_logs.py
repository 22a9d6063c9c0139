"""`trikal summary LOG...` ranks runs, `trikal files LOG...` ranks files; what makes numbers doubtful is said first."""

import json
import sys

from test_insights import ROOT, trikal

sys.path.append(str(ROOT / "tests" / "support"))
from log_files import OWN, by_name, reads_logs, needs_shared  # noqa: E402  behind the path

PARTIAL = "partial_data_dxt--partial_data_dxt"


def answer(*words):
    done = trikal(*words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def single(log):
    return answer("summary", "--json", log)


def test_runs_are_ranked():
    logs = OWN[:3]
    assert len(logs) > 1
    found = answer("summary", "--json", *logs)
    assert found["schema"] == "trikal-runs 1"
    told = {run["log"]: run for run in found["runs"]}
    assert set(told) == {str(log) for log in logs}
    for log in logs:
        io = single(log)["io"]
        assert (told[str(log)]["io_seconds"], told[str(log)]["files"]) == (io["seconds"], io["files"])
    for order, key in (("io", "io_seconds"), ("files", "files"), ("finding", "worst_finding_seconds")):
        values = [run[key] for run in answer("summary", "--json", "--by", order, *logs)["runs"]]
        assert values == sorted(values, reverse=True), order
    text = trikal("summary", "--top", "1", *logs).stdout
    assert f"and {len(logs) - 1} more logs" in text and len(text.splitlines()) == 3


def test_a_log_that_is_none_is_left_out(tmp_path):
    wrong = tmp_path / "wrong.darshan"
    wrong.write_text("no log")
    done = trikal("summary", "--json", OWN[0], wrong)
    assert done.returncode == 4 and "wrong.darshan" in done.stderr
    assert [run["log"] for run in json.loads(done.stdout)["runs"]] == [str(OWN[0])]
    assert trikal("summary", OWN[0], tmp_path / "nothing.darshan").returncode != 0
    assert trikal("summary", "--by", "colour", OWN[0], OWN[0]).returncode == 2
    assert trikal("files", wrong).returncode == 4


def test_files_are_added_up_by_name():
    once, twice = answer("files", "--json", OWN[0])["files"], answer("files", "--json", OWN[0], OWN[0])["files"]
    assert once and [file["name"] for file in once] == [file["name"] for file in twice]
    for one, two in zip(once, twice):
        assert one["runs"] == 1 and two["runs"] == 2
        assert all(2 * one[key] == two[key] for key in ("opens", "reads", "writes", "bytes_read", "bytes_written"))
    values = [file["bytes_read"] + file["bytes_written"] for file in answer("files", "--json", "--by", "bytes", OWN[0])["files"]]
    assert values == sorted(values, reverse=True)
    io = single(OWN[0])["io"]
    assert sum(file["bytes_written"] for file in once) == io["bytes_written"]
    assert trikal("files", OWN[0]).stdout.splitlines()[0].split()[-1] == "file"


@reads_logs
@needs_shared("no log of our own is incomplete")
def test_an_incomplete_log_says_so_first():
    log = by_name(PARTIAL)
    assert single(log)["warnings"][0].startswith("incomplete: ")
    lines = trikal("summary", log).stdout.splitlines()
    assert lines[2].startswith("warning: incomplete: ")
    assert answer("summary", "--json", log, log)["runs"][0]["incomplete"]
