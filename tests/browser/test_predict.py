"""The page of trikal predict as a person meets it. Every test also fails on console errors and on any request."""

import json
import os
import re
import subprocess
import tempfile

import pytest

from pages import BUILD, ROOT, write_page
from test_page import OVERFLOW, PHONE, said
from test_screens import DARK, LAPTOP, take

FIGURE = ROOT / "examples" / "figure3.c"
ANTIPATTERNS = ROOT / "examples" / "antipatterns.c"
PROGRAM = """#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int sensor(void);
int main(int argc, char** argv) {
  FILE* f = fopen("<b>out</b>", "w");
  for (int i = 0; i < atoi(argv[1]); ++i) {
    fprintf(f, "%d </script><img src=x onerror=window.hurt=1>\\n", i);
    fflush(f);
  }
  if (sensor() > 3) fputs("high", f);
  fclose(f);
  return 0;
}
"""


@pytest.fixture(scope="session")
def bitcode(tmp_path_factory):
    return tmp_path_factory.mktemp("bitcode")


@pytest.fixture
def predicted(visit, tmp_path, bitcode):
    def make(source, *arguments, options=(), folder=tmp_path, **looks):
        page = tmp_path / "page.html"
        done = subprocess.run([BUILD / "bin" / "trikal", "predict", "--html", page, *options, source, "--", *arguments], cwd=folder,
                              capture_output=True, text=True, env={**os.environ, "TRIKAL_CACHE": str(bitcode)})
        assert done.returncode == 0, done.stderr
        return visit(page.as_uri(), **looks).page
    return make


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    """The shipped one with a flush of 1 us, whatever it takes on the machine that was calibrated."""
    told = json.loads((BUILD / "share" / "trikal" / "models" / "physical.json").read_text())
    told["prices"]["flush"] = [1e-6, 0]
    path = tmp_path_factory.mktemp("model") / "model.json"
    path.write_text(json.dumps(told))
    return path


@pytest.fixture
def program(predicted, model, tmp_path):
    (tmp_path / "program.c").write_text(PROGRAM)
    return predicted(tmp_path / "program.c", "5000", options=["--model", model], **LAPTOP)


def test_findings_come_first(program):
    assert program.locator("section").first.get_attribute("id") == "findings"
    assert "flush-in-loop at program.c:9" in said(program.locator("#verdict"))
    card = program.locator(".finding").first
    assert "5,000 times in main() at program.c:9" in said(card) and "Do this:" in said(card)
    assert card.locator(".fix").bounding_box()["y"] < 720
    assert program.title() == "trikal predict program.c"


def test_a_finding_leads_to_its_line(program):
    program.get_by_role("button", name="Show program.c:9").first.click()
    chosen = program.locator(".code-line.chosen")
    assert chosen.count() == 1 and "fflush(f);" in said(chosen) and chosen.is_visible()
    assert program.evaluate("document.activeElement.classList.contains('chosen')")


def test_source_lines_are_coloured_by_their_seconds(program):
    lines = program.locator(".code-line")
    assert lines.count() == len(PROGRAM.split("\n"))
    costs = {at + 1: said(lines.nth(at).locator(".line-time")) for at in range(lines.count())}
    assert costs[9] == "5 ms" and costs[1] == "" and re.search("heat[34]", lines.nth(8).get_attribute("class"))
    assert "heat0" in lines.nth(0).get_attribute("class")


def test_the_tree_folds_by_keyboard(program):
    loop = program.locator(".block-tree summary").filter(has_text="loop 7").first
    inner = program.locator(".block-tree .leaf").filter(has_text="line 9").first
    assert inner.is_visible() and "5,000 iterations" in said(loop)
    loop.focus()
    program.keyboard.press("Enter")
    assert not inner.is_visible()
    program.keyboard.press("Enter")
    inner.get_by_role("button").focus()
    program.keyboard.press("Enter")
    assert "fflush" in said(program.locator(".code-line.chosen"))


def test_what_is_not_known_can_be_told(program):
    text = said(program.locator("#unknown"))
    assert "the result of sensor (program.c:11)" in text and "--assume sensor=NUMBER" in text


def test_text_of_the_program_stays_text(program):
    assert program.evaluate("window.hurt") is None and program.locator("section img").count() == 0
    assert "<b>out</b>" in said(program.locator("#files"))
    assert "</script><img" in said(program.locator(".code-line").nth(7))


def test_every_picture_has_its_sentence(program):
    for section in program.locator("section").all():
        sentence = said(section.locator(".sentence"))
        assert sentence.endswith("."), sentence
    assert re.search(r"\d+ blocks", said(program.locator("#graph .sentence")))
    boxes = program.locator("#graph .graph-box").count()
    assert boxes == int(re.search(r"(\d+) blocks", said(program.locator("#graph .sentence")))[1])
    text = said(program.locator("main"))
    assert not [word for word in ("undefined", "NaN", "Infinity", "[object") if word in text], text


def test_ranks_can_be_chosen(predicted):
    page = predicted(ANTIPATTERNS, "small-writes", "bad", ".", options=["--np", "3"], **LAPTOP)
    page.locator("#rank").select_option("2")
    assert "rank 2 of 3" in said(page.locator("header"))
    assert page.evaluate("document.activeElement.id") == "rank" and page.locator("#findings").count() == 1


@pytest.mark.parametrize("looks", [PHONE, LAPTOP, {"viewport": {"width": 320, "height": 600}}])
def test_nothing_scrolls_sideways(predicted, looks):
    page = predicted(ANTIPATTERNS, "sync-per-write", "bad", ".", **looks)
    assert page.evaluate(OVERFLOW) <= 0


def test_a_program_without_io(predicted, tmp_path):
    (tmp_path / "quiet.c").write_text("int main(void) { return 0; }\n")
    page = predicted(tmp_path / "quiet.c", **LAPTOP)
    assert said(page.locator("#verdict")) == "No I/O was found on the way through the program."
    assert "No rule fired" in said(page.locator("#findings")) and "No file would be touched" in said(page.locator("#files"))


def test_a_document_without_a_prediction(chromium, tmp_path):
    context = chromium.new_context()
    page = context.new_page()
    page.goto(write_page({"schema": "trikal-prediction-page 1", "version": "1", "predictions": [], "sources": []}, tmp_path / "page.html"))
    assert "cannot be shown: Error: the document holds no prediction" in page.get_by_role("alert").inner_text()
    context.close()


def test_a_path_that_cannot_be_written(tmp_path, bitcode):
    done = subprocess.run([BUILD / "bin" / "trikal", "predict", "--html", tmp_path / "absent" / "x.html", FIGURE], cwd=tmp_path,
                          capture_output=True, text=True, env={**os.environ, "TRIKAL_CACHE": str(bitcode)})
    assert done.returncode == 3 and "absent/x.html" in done.stderr and len(done.stderr.splitlines()) == 1


def test_pictures_for_the_documentation(predicted):
    with tempfile.TemporaryDirectory(prefix="run-") as folder:  # a short name, because it is in the picture
        take(predicted(ANTIPATTERNS, "sync-per-write", "bad", ".", folder=folder, **LAPTOP), "predict")
        take(predicted(ANTIPATTERNS, "sync-per-write", "bad", ".", folder=folder, **PHONE), "predict-phone")
        page = predicted(FIGURE, "2", folder=folder, **LAPTOP)
        for part in ("blocks", "graph"):
            page.evaluate(f"document.querySelector('#{part}').scrollIntoView()")
            take(page, f"predict-{part}")
        page = predicted(FIGURE, "2", folder=folder, **DARK)
        page.evaluate("document.querySelector('#blocks').scrollIntoView()")
        take(page, "predict-dark")
