"""`trikal export --format openmetrics`, read by another implementation of the format."""

import json
import os
import pathlib
import re
import subprocess

import pytest
from log_files import ALL, each
from prometheus_client.openmetrics.parser import text_string_to_metric_families

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()
TRIKAL = BUILD / "bin" / "trikal"


def trikal(*words, **options):
    return subprocess.run([TRIKAL, *map(str, words)], capture_output=True, text=True, timeout=120, **options)


def families(log):
    done = trikal("export", log, "-f", "openmetrics")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("\n# EOF\n")
    return {family.name: family for family in text_string_to_metric_families(done.stdout)}


def value(family, **labels):
    [sample] = [one for one in family.samples if labels.items() <= one.labels.items()]
    return sample.value


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """A run whose command has everything that must be escaped."""
    folder = tmp_path_factory.mktemp("run")
    script = 'for i in 1 2 3; do head -c 1000 /dev/zero >> "$0"; done # \\ "quoted"\nexit 0'
    path = folder / "l.darshan"
    done = trikal("run", "--quiet", "--log", path, "--", "sh", "-c", script, folder / "out")
    assert done.returncode == 0, done.stderr
    return path


def test_families_have_types_and_units(log):
    found = families(log)
    assert found["trikal_run"].type == "info"
    for name, kind, unit in (("trikal_run_seconds", "gauge", "seconds"), ("trikal_layer_bytes", "gauge", "bytes"),
                             ("trikal_access_size_bytes", "histogram", "bytes"), ("trikal_counter", "unknown", ""),
                             ("trikal_finding_seconds", "gauge", "seconds")):
        assert (found[name].type, found[name].unit) == (kind, unit)
        assert found[name].documentation


def test_labels_come_back(log):
    [info] = families(log)["trikal_run"].samples
    command = json.loads(trikal("summary", "--json", log).stdout)["job"]["command"]
    assert info.labels["command"] == command
    assert '"' in command or "\\" in command or "\n" in command


@each(ALL, argument="path")
def test_numbers_are_those_of_summary_and_parse(path):
    found = families(path)
    summary = json.loads(trikal("summary", "--json", path).stdout)
    assert value(found["trikal_run_seconds"]) == summary["job"]["seconds"]
    assert value(found["trikal_run_io_seconds"]) == summary["io"]["seconds"]
    for layer in summary["layers"]:
        for direction in ("read", "write"):
            labels = {"layer": layer["name"], "direction": direction}
            assert value(found["trikal_layer_bytes"], **labels) == layer[direction]["bytes"]
            counts = [one.value for one in found["trikal_access_size_bytes"].samples
                      if one.name.endswith("_count") and labels.items() <= one.labels.items()]
            assert counts == [sum(layer[direction]["sizes"])]
    seconds = {}
    for finding in summary["findings"]:
        seconds[finding["code"]] = seconds.get(finding["code"], 0) + finding["seconds"]
    samples = found["trikal_finding_seconds"].samples
    assert {one.labels["code"]: one.value for one in samples} == pytest.approx(seconds)
    totals = dict(re.findall(r"^total_(\w+): (\S+)$", trikal("parse", "--total", path).stdout, re.MULTILINE))
    counters = {one.labels["counter"]: one.value for one in found["trikal_counter"].samples}
    for name, text in totals.items():
        assert counters[name] == pytest.approx(float(text), abs=1e-6), name
