"""scripts/test itself: what it counts, what it prints last and how it exits, on stages made up here."""

import os
import pathlib
import shutil
import subprocess
import sys
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

PASSING = '<testsuite><testcase classname="a" name="one"/><testcase classname="a" name="two"/></testsuite>'
MIXED = """<testsuites><testsuite>
<testcase classname="a" name="good"/>
<testcase classname="a" name="bad"><failure message="AssertionError:&#10;  1 is not 2">trace</failure></testcase>
<testcase classname="a" name="left"><skipped message="no network"/></testcase>
</testsuite></testsuites>"""
CTEST = """<testsuite>
<testcase name="S.ok" classname="S.ok" status="run"><system-out/></testcase>
<testcase name="S.no" classname="S.no" status="fail"><failure message=""/>
<system-out>x_test.cpp:3: Failure
Expected equality</system-out></testcase>
<testcase name="S.skip" classname="S.skip" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
<system-out>x_test.cpp:9: Skipped
needs the shared folder</system-out></testcase>
</testsuite>"""


@pytest.fixture
def house(tmp_path):
    """A copy of the runner in a tree of its own, with no stage yet and no shared folder beside it."""
    root = tmp_path / "clone" / "tree"
    (root / "scripts" / "stages").mkdir(parents=True)
    shutil.copytree(ROOT / "scripts" / "lib", root / "scripts" / "lib", ignore=shutil.ignore_patterns("__pycache__"))
    return root


def add_shared_logs(root):
    (root.parent / "shared" / "logs").mkdir(parents=True)
    (root.parent / "shared" / "logs" / "a.darshan").touch()


def add(root, name, body, when="fast", skips="forbidden"):
    path = root / "scripts" / "stages" / name
    path.write_text(f"#!/bin/sh\n# about: {name}\n# when: {when}\n# skips: {skips}\n{body}\n")
    path.chmod(0o755)


def report(root, name, xml, code=0):
    add(root, name, f"cat > $TRIKAL_JUNIT/{name}.xml <<'EOF'\n{xml}\nEOF\nexit {code}")


def run(root, *args, **env):
    clean = {key: value for key, value in os.environ.items() if not key.startswith("TRIKAL_")}
    done = subprocess.run([sys.executable, str(root / "scripts/lib/run_stages.py"), *args],
                          env=dict(clean, **env), capture_output=True, text=True)
    return done.returncode, done.stdout.rstrip().splitlines()[-1] if done.stdout else "", done.stdout + done.stderr


def test_all_good(house):
    report(house, "tests", PASSING)
    add(house, "plain", "true")
    assert run(house)[:2] == (0, "3 passed, 0 failed, 0 skipped")


def test_failures_and_skips_are_counted_and_named(house):
    report(house, "mixed", MIXED, code=1)
    code, last, text = run(house)
    assert (code, last) == (1, "1 passed, 1 failed, 1 skipped")
    assert "mixed: a::left: no network" in text
    assert "mixed: a::bad: AssertionError: 1 is not 2" in text


def test_what_ctest_writes(house):
    report(house, "unit", CTEST, code=8)
    code, last, text = run(house)
    assert (code, last) == (1, "1 passed, 1 failed, 1 skipped")
    assert "unit: S.skip: needs the shared folder" in text
    assert "unit: S.no: Expected equality" in text


def test_a_failing_stage_without_counts(house):
    add(house, "broken", "echo reason; exit 3")
    code, last, text = run(house)
    assert (code, last) == (1, "0 passed, 1 failed, 0 skipped")
    assert "| reason" in text


def test_a_runner_that_dies_after_good_tests_is_a_failure(house):
    report(house, "dies", PASSING, code=139)
    assert run(house)[:2] == (1, "2 passed, 1 failed, 0 skipped")


@pytest.mark.parametrize("xml", ["<testsuite>", "<testsuite></testsuite>", ""])
def test_a_result_file_without_results_is_a_failure(house, xml):
    report(house, "empty", xml)
    assert run(house)[:2] == (1, "0 passed, 1 failed, 0 skipped")


def test_skips_pass_only_without_the_shared_folder(house):
    add(house, "absent", "echo no such thing here; exit 77")
    code, last, text = run(house)
    assert (code, last) == (0, "0 passed, 0 failed, 1 skipped")
    assert "absent: absent: no such thing here" in text
    (house.parent / "shared").mkdir()  # of something else
    assert run(house)[:2] == (0, "0 passed, 0 failed, 1 skipped")
    add_shared_logs(house)
    assert run(house)[:2] == (1, "0 passed, 0 failed, 1 skipped")
    assert run(house, TRIKAL_SHARED="/nonexistent")[:2] == (0, "0 passed, 0 failed, 1 skipped")


def test_a_stage_may_be_allowed_to_skip(house):
    add_shared_logs(house)
    add(house, "lenient", "echo no such thing here; exit 77", skips="allowed")
    code, last, text = run(house)
    assert (code, last) == (0, "0 passed, 0 failed, 1 skipped")
    assert "lenient: lenient: no such thing here" in text and "nothing may be skipped" not in text
    add(house, "strict", "echo nor there; exit 77")
    assert run(house)[:2] == (1, "0 passed, 0 failed, 2 skipped")
    add(house, "lenient", "exit 1", skips="allowed")
    assert run(house, "lenient")[:2] == (1, "0 passed, 1 failed, 0 skipped")
    add(house, "lenient", "true", skips="sometimes")
    assert "skips" in run(house, "lenient")[2] and run(house, "lenient")[0] == 1


def test_which_stages_run(house):
    add(house, "quick", "true")
    add(house, "slow", 'test "$TRIKAL_FULL" = 1', when="full")
    assert run(house)[1] == "1 passed, 0 failed, 0 skipped"
    assert run(house, "--full")[:2] == (0, "2 passed, 0 failed, 0 skipped")
    assert run(house, "quick")[1] == "1 passed, 0 failed, 0 skipped"
    code, _, text = run(house, "unknown")
    assert code == 1 and "no such stage: unknown" in text
    assert "slow" in run(house, "--list")[2]


def test_a_stage_that_does_not_end_is_ended(house):
    """With what it started, even in a session of its own."""
    add(house, "hangs", "# limit: 0.03\nsetsid sh -c 'echo $$ >alone; sleep 1000' & wait")
    code, last, text = run(house)
    assert (code, last) == (1, "0 passed, 1 failed, 0 skipped")
    assert "hangs: hangs: did not end by itself" in text and "within 0.03 minutes" in text
    with pytest.raises(ProcessLookupError):
        for _ in range(100):  # the last of it may still be going
            os.kill(int((house / "alone").read_text()), 0)
            time.sleep(0.1)


def test_what_needs_another_build_runs_beside_the_rest(house):
    """Each of the two waits for the other."""
    tools = house / "tools"
    tools.mkdir()
    (tools / "cmake").write_text("#!/bin/sh\n")
    (tools / "cmake").chmod(0o755)
    for name, needs, other in (("tests", "ci", "aside"), ("aside", "asan", "tests")):
        add(house, name, f"# needs: {needs}\ntouch {name}.here\nfor i in $(seq 600); do [ -e {other}.here ] && exit 0; sleep 0.1; done; exit 1")
    code, last, text = run(house, PATH=f"{tools}:{os.environ['PATH']}")
    assert (code, last) == (0, "4 passed, 0 failed, 0 skipped")
    assert "build-asan" in text and "of processor" in text


def test_the_slowest_tests_are_named(house):
    report(house, "tests", '<testsuite><testcase classname="a" name="one" time="7.5"/><testcase classname="a" name="two"/></testsuite>')
    assert "7.5  a::one" in run(house)[2]


def test_a_stage_whose_build_fails_fails(house):
    path = house / "scripts" / "stages" / "needy"
    path.write_text("#!/bin/sh\n# about: needy\n# when: fast\n# needs: ci\ntrue\n")
    path.chmod(0o755)
    assert run(house)[:2] == (1, "0 passed, 2 failed, 0 skipped")
