"""Scores of blocks: the system profile, the parameters of the published model, the three models."""

import json
import os
import subprocess

import pytest

from conftest import HERE, TRIKAL

LOOP = """#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static double work(int n) {
  double sum = 0;
  for (int i = 1; i < n; ++i) sum += 1.0 / i;
  return sum;
}
static void save(int iterations) {
  int f = open("out", O_CREAT | O_WRONLY, 0600);
  for (int i = 0; i < iterations; ++i) {
    write(f, "0123456789", 10);
    if (i % 10 == 0) fsync(f);
  }
  close(f);
}
int main(int argc, char** argv) {
  double x = work(atoi(argv[1]));
  save(atoi(argv[2]));
  return x > 100;
}
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("calibration")


@pytest.fixture(scope="module")
def profile(home):
    done = subprocess.run([TRIKAL, "predict", "--system", "--json"], capture_output=True, text=True, cwd=home, check=True,
                          env={**os.environ, "TRIKAL_CALIBRATION": str(home), "TRIKAL_QUICK": "1"})
    return json.loads(done.stdout)


def run(folder, cache, home, *words):
    return subprocess.run([TRIKAL, "predict", *map(str, words)], capture_output=True, text=True, cwd=folder, timeout=120,
                          env={**os.environ, "TRIKAL_CACHE": str(cache), "TRIKAL_CALIBRATION": str(home)})


def predicted(folder, cache, home, *words):
    done = run(folder, cache, home, "--json", *words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["predictions"][0]


def uncalibrated(folder, profile):
    """A folder with this profile and a model of another machine: then the profile counts."""
    (folder / "models").mkdir(parents=True)
    (folder / "system.json").write_text(json.dumps(profile))
    (folder / "models" / "physical.json").write_text(json.dumps(
        {"schema": "trikal-model 1", "name": "physical", "kind": "physical", "training": "x", "machine": "elsewhere"}))
    return folder


@pytest.fixture
def loop(tmp_path):
    (tmp_path / "loop.c").write_text(LOOP)
    return tmp_path / "loop.c"


def test_the_profile_has_what_was_asked_for(profile, home):
    assert json.loads((home / "system.json").read_text()) == profile
    assert profile["cores"] == os.cpu_count() and profile["memory"] > 0 and profile["instructions_per_second"] > 1e7
    for mount in profile["mounts"]:
        assert mount["write_bandwidth"] > 0 and mount["latency"] > 0 and mount["concurrency"] >= 1
        assert len(mount["prices"]) >= 29 and all(each > 0 for each, _ in mount["prices"].values())
    assert any(mount["prices"]["write"][1] > 0 for mount in profile["mounts"])


def test_a_folder_that_is_none_is_refused(home, tmp_path):
    done = subprocess.run([TRIKAL, "predict", "--system", "absent"], capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "TRIKAL_CALIBRATION": str(home)})
    assert done.returncode == 2 and "absent: not a folder" in done.stderr


def test_without_a_profile_it_says_so_and_with_one_uses_it(loop, cache, profile, home, tmp_path):
    before = predicted(tmp_path, cache, tmp_path / "empty", loop, "--", "10", "1000")
    assert "no system profile" in before["basis"]
    costly = {**profile, "mounts": [{**mount, "prices": {**mount["prices"], "write": [0.5, 0]}} for mount in profile["mounts"]]}
    uncalibrated(tmp_path / "costly", costly)
    told = predicted(tmp_path, cache, tmp_path / "costly", loop, "--", "10", "1000")
    assert "uncalibrated, by the costs of the system profile" in told["basis"] and "no system profile" not in told["basis"]
    assert told["blocks"][0]["seconds_io"] > 500  # a thousand writes of half a second
    (tmp_path / "costly" / "system.json").write_text(json.dumps({**costly, "machine": "elsewhere"}))
    assert "another machine" in predicted(tmp_path, cache, tmp_path / "costly", loop, "--", "10", "1000")["basis"]


def test_parameters_of_every_block(loop, cache, home, profile, tmp_path):
    told = predicted(tmp_path, cache, home, loop, "--", "10", "1000")
    blocks = told["blocks"]
    root, save = blocks[0], next(block for block in blocks if block["name"] == "save")
    p = save["parameters"]
    #       iterations  ops   bytes  sync  branch binary flushes size  files
    assert p[:9] == [1000, 1102, 10000, 1102, 100, 1000, 100, 10000, 1]
    assert p[10:14] == [2, 0, 1000, 1]  # calls deep, random, small, ranks
    assert root["parameters"][:9] == p[:9]
    assert all(len(block["parameters"]) == 15 and len(block["variables"]) == 16 for block in blocks)
    assert all(0 <= x <= 1 for block in blocks for x in block["variables"])
    writes = next(block for block in blocks if block["kind"] == "line" and block["line"] == 13)
    assert writes["variables"][1] == pytest.approx(1000 / 1102) and writes["variables"][2] == 1
    work = next(block for block in blocks if block["name"] == "work")
    assert work["score"] == 0 and work["class"] == "compute" and not work["io"]
    text = run(tmp_path, cache, home, "--parameters", loop, "--", "10", "1000").stdout
    assert "P2=1102" in text and "function save: I/O-intensive" in text and text.count("P15=") == len(blocks)


def test_callers_have_the_work_of_what_they_call(loop, cache, tmp_path):
    """By the model that is shipped: what other tests have measured of this machine does not count."""
    few, many = (predicted(tmp_path, cache, tmp_path / "none", loop, "--", n, "10")["blocks"] for n in ("1000", "100000000"))
    for blocks, iterations in ((few, 1e3), (many, 1e8)):
        main = next(block for block in blocks if block["name"] == "main")
        work = next(block for block in blocks if block["name"] == "work")
        assert main["instructions"] >= work["instructions"] >= iterations
    assert few[0]["score"] > 0.9 > 0.3 > many[0]["score"] > 0


def test_a_choice_that_mostly_goes_one_way_costs_little(cache, profile, tmp_path):
    folder = uncalibrated(tmp_path / "folder", profile)
    (tmp_path / "coins.c").write_text("""#include <stdio.h>
#include <stdlib.h>
static int coins[4096], last[4096];
static void toss(int every) {
  for (int i = 0; i < 4096; ++i) coins[i] = i % every == 0;
}
static void count(int iterations) {
  for (int iteration = 0; iteration < iterations; ++iteration)
    for (int i = 0; i < 4096; ++i)
      if (coins[i]) last[i] += iteration;
}
int main(int argc, char** argv) {
  toss(atoi(argv[1]));
  count(100);
  printf("%d\\n", last[0]);
  return 0;
}
""")
    even, rare, never = (next(block for block in predicted(tmp_path, cache, folder, "coins.c", "--", every)["blocks"]
                              if block["name"] == "count") for every in ("2", "64", "5000"))
    each = profile["work"]["choice"]
    # Half, a 64th and one of 4,096 times: beside the choice itself that is the work of the side that is taken.
    assert even["seconds_compute"] - rare["seconds_compute"] > 0.9 * each * 4096 * 100
    assert rare["seconds_compute"] > never["seconds_compute"] + 0.9 * each * 2 * 63 / 4096 * 100


@pytest.mark.parametrize("model", ["physical", "vidya-2019", "vidya-refit"])
def test_models_give_scores_between_nothing_and_one(loop, cache, home, profile, tmp_path, model):
    told = predicted(tmp_path, cache, home, "--model", model, loop, "--", "100000000", "1000")
    assert told["model"] == model
    for block in told["blocks"]:
        assert 0 <= block["score"] <= 1
        assert block["io"] or block["score"] == 0
        expected = "I/O-intensive" if block["score"] > 0.5 else "balanced" if block["score"] > 0.2 else "compute"
        assert block["class"] == expected


def test_the_published_model_is_what_was_published(loop, cache, home, profile, tmp_path):
    told = predicted(tmp_path, cache, home, "--model", "vidya-2019", loop, "--", "10", "1000")
    assert "uncalibrated" in told["basis"]
    line = next(block for block in told["blocks"] if block["kind"] == "line" and block["line"] == 11)  # the open
    x = line["variables"]
    y = (-1.99 + 0.17 * x[0] + 278.8 * x[1] + 3706.47 * x[2] - 42612.3 * x[3] - 10487.8 * x[6] + 809.04 * x[8] + 183996 * x[9]
         + 227.98 * x[11] + 6456.39 * x[12] + 0.78 * x[13])
    assert line["score"] == pytest.approx(0 if y < -700 else 1 / (1 + 2.718281828459045 ** -y), rel=1e-6, abs=1e-12)


def test_models_of_ones_own(loop, cache, home, profile, tmp_path):
    (tmp_path / "mine.json").write_text(json.dumps({"schema": "trikal-model 1", "name": "mine", "kind": "linear", "link": "logit",
                                                    "coefficients": {"const": 0}, "training": "x", "machine": "y"}))
    told = predicted(tmp_path, cache, home, "--model", "mine.json", loop, "--", "10", "1000")
    assert told["model"] == "mine" and told["blocks"][0]["score"] == 0.5
    for wrong in ("absent", HERE / "conftest.py"):
        done = run(tmp_path, cache, home, "--model", wrong, loop)
        assert done.returncode == 2 and len(done.stderr.splitlines()) == 1


def test_a_stream_reads_what_another_of_the_same_file_wrote(cache, home, tmp_path):
    """Both streams lie at one address of the stack; the first writes its buffer whenever that is full."""
    (tmp_path / "pair.cpp").write_text("""#include <fstream>
#include <cstdlib>
static char piece[64], back[100000];
static void save(int n) { std::ofstream file("pair.bin", std::ios::binary); for (int i = 0; i < n; ++i) file.write(piece, 64); }
static void load(long n) { std::ifstream file("pair.bin", std::ios::binary); file.read(back, n); }
int main(int, char** argv) { save(atoi(argv[1])); load(64 * atol(argv[1])); }
""")
    told = predicted(tmp_path, cache, home, tmp_path / "pair.cpp", "--", "1000")
    moved = {name: [row for row in told["accesses"] if row["operation"] == name] for name in ("read", "write")}
    assert sum(row["bytes"] for row in moved["write"]) == sum(row["bytes"] for row in moved["read"]) == 64000
    subprocess.run(["g++", "-O1", "-o", tmp_path / "pair", tmp_path / "pair.cpp"], check=True)
    done = subprocess.run(["strace", "-e", "trace=write,writev,read", "-o", tmp_path / "calls", tmp_path / "pair", "1000"], cwd=tmp_path)
    assert done.returncode == 0
    writes = [line for line in (tmp_path / "calls").read_text().splitlines() if line.startswith("write")]
    assert sum(row["count"] for row in moved["write"]) == len(writes)
