"""The policy file of a site, from option, variable and all verbs that show findings; docs/rules.md."""

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TRIKAL_BUILD", ROOT / "build" / "release")).absolute()
TRIKAL = BUILD / "bin" / "trikal"


def trikal(*words, policy=None):
    environment = {name: value for name, value in os.environ.items() if name != "TRIKAL_POLICY"}
    if policy is not None:
        environment["TRIKAL_POLICY"] = str(policy)
    return subprocess.run([TRIKAL, *map(str, words)], capture_output=True, text=True, timeout=120, env=environment)


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """A run that opened one file 3000 times."""
    folder = tmp_path_factory.mktemp("run")
    script = "import sys\nfor i in range(3000): open(sys.argv[1], 'a').write('x')"
    done = trikal("run", "--quiet", "--log", folder / "l.darshan", "--", "python3", "-c", script, folder / "log")
    assert done.returncode == 0, done.stderr
    return folder / "l.darshan"


def written(path, text):
    path.write_text(text)
    return path


def codes(*words, **options):
    done = trikal("insights", "--json", *words, **options)
    assert done.returncode == 0, done.stderr
    return [finding["code"] for finding in json.loads(done.stdout)["findings"]]


def test_mute_by_option_and_by_variable(log, tmp_path):
    assert "reopen" in codes(log)
    mute = written(tmp_path / "mute", "[reopen]\nmute = yes\n")
    keep = written(tmp_path / "keep", "[reopen]\nopens = 200\n")
    assert "reopen" not in codes("--policy", mute, log)
    assert "reopen" not in codes(log, policy=mute)
    assert "reopen" in codes("--policy", keep, log, policy=mute)  # the option comes first
    assert "reopen" in codes(log, policy="")


def test_other_limits(log, tmp_path):
    assert "reopen" in codes("--policy", written(tmp_path / "p", "[reopen]\nopens = 3000\n"), log)
    assert "reopen" not in codes("--policy", written(tmp_path / "p", "[reopen]\nopens = 4K\n"), log)
    assert "reopen" not in codes("--policy", written(tmp_path / "p", "[all]\nleast-seconds = 60\n"), log)


def test_summary_report_and_run_obey(log, tmp_path):
    mute = written(tmp_path / "mute", "[all]\nmute = yes\n")
    assert "reopen" in trikal("summary", log).stdout
    assert "reopen" not in trikal("summary", "--policy", mute, log).stdout
    page = tmp_path / "page.html"
    assert trikal("report", "--policy", mute, log, "-o", page).returncode == 0
    assert '"code":"reopen"' not in page.read_text().replace(" ", "")
    assert trikal("report", "-f", log, "-o", page).returncode == 0
    assert '"code":"reopen"' in page.read_text().replace(" ", "")
    script = "for i in $(seq 5000); do echo x >> \"$0\"; done"
    words = ("--force", "--log", tmp_path / "l.darshan", "--", "sh", "-c", script, tmp_path / "log")
    assert "reopen" in trikal("run", *words).stderr
    assert "reopen" not in trikal("run", "--policy", mute, *words).stderr


@pytest.mark.parametrize("text, line, words", [
    ("# ours\n[smal-writes]\n", 2, "no rule 'smal-writes'"),
    ("[small-writes]\ncals = 3\n", 2, "no limit 'cals'"),
    ("[small-writes]\ncalls = lots\n", 2, "'lots'"),
    ("[small-writes]\n\nmute = perhaps\n", 3, "yes or no"),
    ("calls = 3\n", 1, "must come first"),
])
@pytest.mark.parametrize("verb", ["insights", "summary", "report"])
def test_a_mistake_is_one_line(log, tmp_path, verb, text, line, words):
    policy = written(tmp_path / "policy", text)
    rest = ("-o", tmp_path / "page.html") if verb == "report" else ()
    done = trikal(verb, "--policy", policy, log, *rest)
    assert done.returncode == 2 and done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert f"{policy}:{line}: " in done.stderr and words in done.stderr


def test_a_policy_that_is_not_there(log, tmp_path):
    done = trikal("insights", "--policy", tmp_path / "none", log)
    assert done.returncode == 3 and str(tmp_path / "none") in done.stderr and len(done.stderr.splitlines()) == 1


def test_run_goes_on_without_a_broken_policy_of_the_site(tmp_path):
    broken = written(tmp_path / "broken", "[no-such-rule]\n")
    words = ("--log", tmp_path / "l.darshan", "--", "sh", "-c", "exit 7")
    done = trikal("run", *words, policy=broken)
    assert done.returncode == 7 and f"{broken}:1: " in done.stderr
    (tmp_path / "l.darshan").unlink()
    done = trikal("run", "--policy", broken, *words)
    assert done.returncode == 2 and not (tmp_path / "l.darshan").exists()


def test_the_table_of_rules_is_up_to_date():
    done = trikal("generate", "rules")
    assert done.returncode == 0
    assert (ROOT / "docs" / "rules.md").read_text() == done.stdout, "run: trikal generate rules -o docs"
    listed = [line.split()[0] for line in trikal("insights", "--list").stdout.splitlines()]
    assert all(f"\n## {code}\n" in done.stdout for code in listed)


def test_explain_tells_the_limits():
    assert "limit calls = 1000: " in trikal("explain", "small-writes").stdout
