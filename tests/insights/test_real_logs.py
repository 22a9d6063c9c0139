"""What is said of real logs is what an expert says of them (real_logs.py); docs/real-logs.md shows it."""

import json
import pathlib
import sys


from real_logs import JUDGEMENTS
from test_insights import ROOT, trikal

sys.path.append(str(ROOT / "tests" / "support"))
from log_files import REAL, each, needs_shared, reads_logs  # noqa: E402  behind the path

PAGE = ROOT / "docs" / "real-logs.md"
HEAD = """# What is said of real logs

Made by `tests/insights/test_real_logs.py` of `tests/insights/real_logs.py`; not a page to edit. The logs are not part of this
repository. Of each: the part of the run that is I/O and the findings that cost most, as a person judged after reading the
counters; a test holds `trikal insights` to it. [Beside drishti-io](drishti.md) compares the findings with what another program says of these logs.

| log | in I/O | what costs most | why |
|---|---|---|---|
"""


def table():
    rows = []
    for name, judgement in sorted(JUDGEMENTS.items()):
        low, high = judgement.share
        share = f"{low} to {high} %" if low != high else f"{low} %"
        rows.append(f"| {name} | {share} | {', '.join(judgement.top) or 'nothing'} | {judgement.why} |")
    return HEAD + "\n".join(rows) + "\n"


def test_the_page_is_the_table():
    assert PAGE.read_text() == table(), "run: python3 tests/insights/test_real_logs.py"


@reads_logs
@needs_shared("tests/insights has logs of our own with each finding")
def test_every_real_log_is_judged():
    assert {log.stem for log in REAL} == set(JUDGEMENTS)


@each(REAL, "tests/insights has logs of our own with each finding")
def test_judgement(log):
    wanted = JUDGEMENTS[log.stem]
    answer = json.loads(trikal("insights", "--json", log).stdout)
    share = 100 * answer["io_seconds"] / answer["run_seconds"] if answer["run_seconds"] else 0
    assert wanted.share[0] <= round(share) <= wanted.share[1]
    priced = [finding for finding in answer["findings"] if finding["seconds"] > 0]
    assert tuple(finding["code"] for finding in priced[:len(wanted.top)]) == wanted.top, priced
    if not wanted.top:  # nothing that anybody would act upon
        assert all(finding["severity"] in ("info", "low") for finding in answer["findings"]), answer["findings"]
    for finding in answer["findings"]:
        assert finding["least"] <= finding["seconds"] <= finding["most"], finding


if __name__ == "__main__":
    pathlib.Path(PAGE).write_text(table())

