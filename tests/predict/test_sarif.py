"""SARIF 2.1.0: the members that the standard demands, and what editors and code hosts need to show a finding."""

import json
import os
import re
import subprocess

import pytest

from conftest import ROOT, TRIKAL

ANTIPATTERNS = ROOT / "examples" / "antipatterns.c"


def sarif(folder, cache, source, *words, options=()):
    path = folder / "found.sarif"
    done = subprocess.run([TRIKAL, "predict", "--sarif", path, *options, source, "--", *words], capture_output=True, text=True, cwd=folder,
                          timeout=120, env={**os.environ, "TRIKAL_CACHE": str(cache)})
    assert done.returncode == 0, done.stderr
    return path.read_text()


@pytest.fixture(scope="module")
def text(tmp_path_factory, cache):
    folder = tmp_path_factory.mktemp("sarif")
    (folder / "src").mkdir()
    (folder / "src" / "my antipatterns.c").write_text(ANTIPATTERNS.read_text())
    return sarif(folder, cache, folder / "src" / "my antipatterns.c", "sync-per-write", "bad", ".")


def check_message(message):
    assert isinstance(message["text"], str) and message["text"]


def test_what_the_standard_demands(text):
    log = json.loads(text)
    assert log["version"] == "2.1.0" and set(log) <= {"$schema", "version", "runs", "properties"}
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] and re.fullmatch(r"[0-9.]+\S*", driver["version"])
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids) >= 10
    for rule in driver["rules"]:
        assert re.fullmatch(r"[a-z-]+", rule["id"]) and rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
        for part in ("shortDescription", "fullDescription", "help"):
            check_message(rule[part])
        assert rule["help"]["markdown"]
    assert run["results"], "the program has findings"
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"] and result["level"] in ("none", "note", "warning", "error")
        check_message(result["message"])
        for location in result["locations"]:
            physical = location["physicalLocation"]
            uri = physical["artifactLocation"]["uri"]
            assert re.fullmatch(r"([a-z]+:)?[A-Za-z0-9._~!$&'()*+,;=:@/%-]+", uri) and not re.search(r"%(?![0-9A-F]{2})", uri)
            base = physical["artifactLocation"].get("uriBaseId")
            assert (base in run["originalUriBaseIds"]) == (not uri.startswith("file:"))
            assert physical["region"]["startLine"] >= 1 and physical["region"].get("startColumn", 1) >= 1
            assert all(one["name"] and one["kind"] == "function" for one in location["logicalLocations"])
        assert result["partialFingerprints"]
    for invocation in run["invocations"]:
        assert invocation["executionSuccessful"] is True
        for notification in invocation["toolExecutionNotifications"]:
            check_message(notification["message"])
            assert notification["level"] in ("none", "note", "warning", "error")


def test_the_model_of_somebody_else(text):
    """A Python package that was made from the standard reads it, and finds every member where it looks for it."""
    sarif_pydantic = pytest.importorskip("sarif_pydantic", reason="the Python package sarif-pydantic is not installed")
    log = sarif_pydantic.Sarif.model_validate_json(text)
    (run,) = log.runs
    assert [str(rule.id) for rule in run.tool.driver.rules] and run.results[0].rule_id == json.loads(text)["runs"][0]["results"][0]["ruleId"]
    assert run.results[0].locations[0].physical_location.region.start_line > 0
    broken = json.loads(text)
    broken["runs"][0]["results"][0]["level"] = "terrible"
    with pytest.raises(ValueError):
        sarif_pydantic.Sarif.model_validate(broken)


def test_a_finding_says_where_and_what_it_costs(text):
    (run,) = json.loads(text)["runs"]
    found = next(result for result in run["results"] if result["ruleId"] == "sync-in-loop")
    location = found["locations"][0]["physicalLocation"]
    assert location["artifactLocation"] == {"uri": "src/my%20antipatterns.c", "uriBaseId": "SRCROOT"}
    assert "fsync" in ANTIPATTERNS.read_text().splitlines()[location["region"]["startLine"] - 1]
    assert found["properties"]["predictedSeconds"] > 0 and found["properties"]["times"] > 10
    assert found["properties"]["certainty"] in ("exact", "extrapolated", "assumed")


def test_the_same_every_time(tmp_path, cache):
    first = sarif(tmp_path, cache, ANTIPATTERNS, "small-writes", "bad", ".")
    assert first == sarif(tmp_path, cache, ANTIPATTERNS, "small-writes", "bad", ".")


def test_a_program_without_findings(tmp_path, cache):
    source = tmp_path / "quiet.c"
    source.write_text("int other(void); int main(void) { if (other()) return 1; return 0; }\n")
    (run,) = json.loads(sarif(tmp_path, cache, source))["runs"]
    assert run["results"] == [] and run["tool"]["driver"]["rules"]
    said = [one["message"]["text"] for one in run["invocations"][0]["toolExecutionNotifications"]]
    assert any("the result of other" in one and "--assume" in one for one in said)


def test_a_path_that_cannot_be_written(tmp_path, cache):
    done = subprocess.run([TRIKAL, "predict", "--sarif", tmp_path / "absent" / "x.sarif", ANTIPATTERNS, "--", "small-writes", "good", "."],
                          capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "TRIKAL_CACHE": str(cache)})
    assert done.returncode == 3 and "absent/x.sarif" in done.stderr and len(done.stderr.splitlines()) == 1


def test_ranks_have_one_finding_for_a_call_site(tmp_path, cache):
    (run,) = json.loads(sarif(tmp_path, cache, ANTIPATTERNS, "small-writes", "bad", ".", options=["--np", "3"]))["runs"]
    sites = [(one["ruleId"], one["locations"][0]["physicalLocation"]["region"]["startLine"]) for one in run["results"]]
    assert len(sites) == len(set(sites))
