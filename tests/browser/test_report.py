"""trikal report on logs: what the verb writes is what the page understands."""

import subprocess
import sys

from pages import ROOT, written_by_the_verb
from log_files import OWN, REAL, by_name, each  # behind the path that pages extends

OURS = [by_name(name) for name in ("job-3.5.0-le", "job-3.1.3-be", "job-nothing")]
LARGEST = sorted(REAL, key=lambda log: -log.stat().st_size)[:5]
NO_VALUE = ("undefined", "NaN", "Infinity", "[object")


def check(opened):
    page = opened.page
    assert page.locator("section").first.get_attribute("id") == "findings"
    if page.locator(".opener").count():
        page.locator(".opener").first.click()
    text = page.locator("main").inner_text()
    assert not [word for word in NO_VALUE if word in text], text
    return text


def test_the_log_of_an_example(visit, tmp_path):
    log = tmp_path / "example.darshan"
    subprocess.run([sys.executable, ROOT / "examples" / "checkpoint_log.py", log], check=True, capture_output=True)
    opened = visit(written_by_the_verb(log, tmp_path / "page.html"))
    text = check(opened)
    assert "example.darshan" in text and "POSIX" in text
    command = opened.page.locator("header .command").inner_text()
    assert "Drawn from the trace." in opened.page.locator("#heat .sentence").inner_text()  # the log has no heatmap
    assert command and opened.page.title().endswith(f" · {command}")


@each(OWN + OURS + LARGEST)
def test_a_log(visit, tmp_path, log):
    check(visit(written_by_the_verb(log, tmp_path / "page.html"), viewport={"width": 390, "height": 844}))
