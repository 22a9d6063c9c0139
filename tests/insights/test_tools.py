"""What is concluded of tools as every system has them: no finding that somebody who knows the tool would laugh at."""

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()
TRIKAL = BUILD / "bin" / "trikal"


@pytest.fixture
def observe(tmp_path):
    """Runs a command in a folder of its own: what `trikal run` said of it, what is found, and the summary as JSON."""
    log = tmp_path / "log.darshan"

    def run(*command, options=()):
        (tmp_path / "work").mkdir(exist_ok=True)
        done = subprocess.run([TRIKAL, "run", "--force", *options, "--log", log, "--", *map(str, command)], cwd=tmp_path / "work",
                              capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, done.stderr
        answers = [json.loads(subprocess.run([TRIKAL, *verb, log], check=True, capture_output=True).stdout)
                   for verb in (("insights", "--json"), ("summary", "--json"))]
        return done.stderr, {one["code"]: one for one in answers[0]["findings"]}, answers[1]

    return run


def has_pipe(log):
    """The table of files says so, too."""
    return "pipe:<STDOUT>" in subprocess.run([TRIKAL, "summary", log], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def modules(tmp_path):
    """A tree with more files of Python than an import storm has."""
    folder = tmp_path / "work" / "tree"
    folder.mkdir(parents=True)
    for number in range(400):
        (folder / f"module{number}.py").write_text("value = 1\n" * 20)
        (folder / f"data{number}.txt").write_text("1 2 3\n" * 20)
    return folder


@pytest.mark.parametrize("command", [["tar", "cf", "tree.tar", "tree"], ["cp", "-r", "tree", "copy"], ["grep", "-rc", "value", "tree"]],
                         ids=lambda command: command[0])
def test_files_of_code_that_are_only_moved(observe, modules, command):
    found = observe(*command)[1]
    assert "import-storm" not in found


def test_a_pipe_between_two_programs_is_no_file(observe, tmp_path):
    """The first waits until the second has sorted: no buffer is too small, and nothing is in I/O for so long."""
    slow = "import sys, time\ntime.sleep(1)\nprint(sum(len(line) for line in sys.stdin))"
    said, found, summary = observe("sh", "-c", f"seq 2000000 | python3 -c '{slow}' > total")
    assert not {"bulk-through-streams", "tiny-stream-buffer", "rewrite"} & set(found), found
    assert has_pipe(tmp_path / "log.darshan")
    assert summary["io"]["seconds"] < 0.5, said


def test_a_stream_to_a_file_is_judged_as_one(observe, tmp_path):
    """The same output without a buffer, into a file: that is a finding still."""
    found = observe("sh", "-c", "seq 50000 > text; sed -u p text > out")[1]
    assert {"tiny-stream-buffer", "flush-per-write"} & set(found), found
    assert not has_pipe(tmp_path / "log.darshan")


LINKS = """
import os
for i in range(100):
  with open(f"tmp{i}", "wb") as file: file.write(bytes(20000))
  if KEEP: os.link(f"tmp{i}", f"object{i}")
  os.unlink(f"tmp{i}")
"""


@pytest.mark.parametrize("keeps", [True, False])
def test_what_is_linked_before_is_not_thrown_away(observe, keeps):
    found = observe("python3", "-c", LINKS.replace("KEEP", str(keeps)))[1]
    assert ("temporary-churn" in found) is not keeps


def test_removing_is_io(observe):
    """Records of files have no time for it: it is in what the run spends beside them."""
    summary = observe("sh", "-c", "mkdir d; cd d; seq 3000 | xargs touch; exec rm -r ../d")[2]
    io, layers = summary["io"], sum(layer["meta_seconds"] for layer in summary["layers"])
    assert io["meta_seconds"] > layers > 0
    assert io["seconds"] > 0


def test_failed_calls_have_no_lines_of_calls_that_worked(observe, tmp_path):
    tries = "import os\nfor i in range(300):\n  try: os.stat('x')\n  except OSError: pass\nopen('x', 'w').write('1')\nfor i in range(9): os.stat('x')"
    found = observe("python3", "-c", tries, options=("--call-sites",))[1]
    assert found["errors"]["files"] and all(not file.get("sites") for file in found["errors"]["files"]), found["errors"]
