"""trikal diff --html as a person meets it: what changed, first of all what it means."""

import re
import subprocess

import pytest

from pages import BUILD, ROOT
from test_page import OVERFLOW, PHONE, poor_contrast, said

RUNS = 4  # of a side: the fewest that can be sure


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """The same bytes in 262,144 writes and in 16, each several times."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "files").mkdir()
    subprocess.run(["cc", "-O1", ROOT / "examples" / "antipatterns.c", "-o", folder / "antipatterns"], check=True)
    for how in ("bad", "good"):
        for number in range(RUNS):
            subprocess.run([BUILD / "bin" / "trikal", "run", "--quiet", "--log", folder / f"{how}{number}.darshan", "--",
                            folder / "antipatterns", "small-writes", how, folder / "files"], check=True)
    return folder


def compared(logs, page, runs=RUNS):
    sides = [[logs / f"{how}{number}.darshan" for number in range(runs)] for how in ("bad", "good")]
    done = subprocess.run([BUILD / "bin" / "trikal", "diff", "--html", page, *sides[0], "--against", *sides[1]],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    return page.as_uri()


@pytest.fixture
def diff(visit, logs, tmp_path):
    return lambda runs=RUNS, **options: visit(compared(logs, tmp_path / "diff.html", runs), **options).page


def cells(page, table, name):
    row = page.locator(f"#{table} tbody tr").filter(has=page.get_by_role("cell", name=name, exact=True))
    return [said(cell) for cell in row.locator("td").all()]


def test_what_it_comes_to_is_said_first(diff):
    page = diff()
    assert page.title() == "trikal diff" and said(page.locator("h1")) == "What changed: antipatterns"
    verdict = said(page.locator(".verdict"))
    assert re.fullmatch(r"B took [\d.]+ m?s less than A: [\d.]+ m?s instead of [\d.]+ m?s\.", verdict), verdict
    assert page.locator("section").first.get_attribute("id") == "findings"
    assert page.locator("#findings tbody tr").first.bounding_box()["y"] < 720
    finding = cells(page, "findings", "small-writes")
    assert finding[2] == "–" and finding[3].endswith("(-100 %)") and finding[5].startswith("sure (p = 0.0")


def test_the_numbers_are_those_of_the_runs(diff):
    page = diff()
    assert cells(page, "layer-POSIX", "writes")[:4] == ["writes", "262,144", "16", "-262,128 (-100 %)"]
    same = cells(page, "run", "bytes written")
    assert same[1:4] == ["16.0 MiB", "16.0 MiB", ""] and same[5] == "the same"
    assert not cells(page, "layer-POSIX", "reads")  # none on either side
    assert cells(page, "files", re.compile("files.out$"))
    before, after = page.locator("#layer-POSIX tr", has_text="writes").last.locator(".fill").evaluate_all(
        "fills => fills.map(fill => fill.getBoundingClientRect().width)")
    assert before > 80 and after < 5
    for section in page.locator("section").all():
        assert said(section.locator(".sentence")).endswith(".")


def test_one_run_of_a_kind_is_not_sure(diff):
    page = diff(runs=1)
    assert "One run of a kind" in said(page.locator("main"))
    assert cells(page, "layer-POSIX", "writes")[5] == "one run"
    assert "bad0.darshan" in said(page.locator("main")) and page.locator("details").count() == 0


def test_it_works_by_keyboard(diff):
    page = diff()
    assert not page.get_by_text("bad3.darshan").is_visible()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "A: 4 runs"
    page.keyboard.press("Enter")
    assert page.get_by_text("bad3.darshan").is_visible()
    labels = set()
    for _ in range(8):
        page.keyboard.press("Tab")
        labels.add(page.evaluate("document.getElementById(document.activeElement.getAttribute('aria-labelledby'))?.textContent"))
    assert {"Findings", "The run", "Files", "POSIX"} <= labels  # tables that may be wider than the screen


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast(diff, scheme):
    page = diff(color_scheme=scheme)
    page.locator("summary").first.click()
    assert not poor_contrast(page, scheme)


def test_a_phone_shows_the_change_without_scrolling(diff):
    page = diff(**PHONE)
    assert page.evaluate(OVERFLOW) == 0
    for table in page.locator(".scroll").all():
        hidden = table.evaluate("e => e.scrollWidth - e.clientWidth")
        change = table.locator(".change").first.bounding_box()
        assert change["x"] + change["width"] <= PHONE["viewport"]["width"], hidden


def test_pictures(diff, tmp_path):
    page = diff()
    page.pdf(path=tmp_path / "diff.pdf")
    assert (tmp_path / "diff.pdf").read_bytes().startswith(b"%PDF")
