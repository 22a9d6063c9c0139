"""Every rule has a log on which it speaks: of an example that is run here, or of a machine with Lustre."""

import re

import test_hdf5_antipatterns
import test_insights
import test_made_jobs
import test_mpi_antipatterns
from test_insights import ROOT, findings, trikal

MADE = {code for code, *_ in test_made_jobs.CASES}  # need a file system that is not at hand
OTHERWISE = {"slower-than-history", "unseen-programs"}  # tests of their own, here and in test_history.py


def tried():
    return {*test_insights.ANTIPATTERNS, *test_mpi_antipatterns.ANTIPATTERNS, *test_hdf5_antipatterns.ANTIPATTERNS, *MADE, *OTHERWISE}


def test_every_rule_is_tried():
    sections = re.split(r"^## ", (ROOT / "docs" / "rules.md").read_text(), flags=re.MULTILINE)[1:]
    codes = {line.split()[0] for line in trikal("insights", "--list").stdout.splitlines()}
    assert codes == {text.split()[0] for text in sections}
    assert codes <= tried(), codes - tried()


def test_programs_that_are_not_seen(tmp_path):
    source = tmp_path / "static.c"
    source.write_text("int main(void) { return 0; }\n")
    for name, option in (("static", "-static"), ("dynamic", "-pie")):
        test_insights.subprocess.run(["gcc", option, source, "-o", tmp_path / name], check=True)
        log = tmp_path / f"{name}.darshan"
        assert trikal("run", "--quiet", "--log", log, "--", "sh", "-c", f"{tmp_path / name}; true").returncode == 0
        found = {finding["code"]: finding for finding in findings(log)["findings"]}
        assert ("unseen-programs" in found) == (name == "static"), found
        if name == "static":
            assert str(tmp_path / name) in found["unseen-programs"]["evidence"][0]
