"""Pictures of reports, for docs/screens.md: of real logs, of an example observed here, on a laptop, a phone, in the dark.

They lie in build/test-logs/screens; TRIKAL_SCREENS=docs/screens writes those of the documentation anew.
"""

import html
import os
import pathlib
import re
import struct
import subprocess
import tempfile

import pytest
from PIL import Image

from pages import BUILD, ROOT, written_by_the_verb
from log_files import SHARED, rows_about_shared  # behind the path that pages extends

FOLDER = pathlib.Path(os.environ.get("TRIKAL_SCREENS", ROOT / "build" / "test-logs" / "screens"))
LAPTOP = {"viewport": {"width": 1200, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}}
DARK = {**LAPTOP, "color_scheme": "dark"}
REAL = {
    "dlio": ("dlio-3116902-2110366.darshan", LAPTOP),
    "skew": ("skew_io--skew-autobench-ior.darshan", DARK),
    "pnetcdf": ("ior_pnetcdf_hdf5--shane_ior-PNETCDF_id438100-438100.darshan", PHONE),
    "diagonal": ("runtime_and_dxt_heatmaps_diagonal_write_only--runtime_and_dxt_heatmaps_diagonal_write_only.darshan", LAPTOP),
}
PREDICTED = ("predict", "predict-blocks", "predict-graph", "predict-phone", "predict-dark")  # taken by test_predict.py
LIVE = ("now", "heat", "zoom", "events", "distribution", "stragglers", "compare", "panels", "phone", "machine", "text")  # by test_live*.py, for docs/live.md
SHOWN = ("small-writes", "no-collectives", "small-chunks")  # of the anti-patterns
SMALL = {"viewport": {"width": 800, "height": 600}}

def antipatterns_of(program):
    return re.findall(r'\{"([a-z0-9-]+)", ', (ROOT / "examples" / program).read_text())


ALL_ANTIPATTERNS = antipatterns_of("antipatterns.c")
# Built by the compiler of an MPI, run by its launcher.
JOBS = {"mpi_antipatterns.c": ["mpicc.mpich"], "hdf5_antipatterns.c": ["h5pcc.mpich", "-shlib"]}
ALL_JOBS = [(program, antipattern) for program in JOBS for antipattern in antipatterns_of(program)]
# All of them in long runs; those of the documentation show that it works.
EVERY = os.environ.get("TRIKAL_FULL") == "1"
ANTIPATTERNS = [name for name in ALL_ANTIPATTERNS if EVERY or name in SHOWN]
SOME_JOBS = [job for job in ALL_JOBS if EVERY or job[1] in SHOWN]


def take(page, name):
    """A picture of what a person sees without scrolling."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}.png"
    picture = page.screenshot(path=path)
    width, height = struct.unpack(">II", picture[16:24])
    # An empty page compresses to next to nothing.
    assert len(picture) > width * height / 50, path
    if "TRIKAL_SCREENS" in os.environ:  # in the repository every picture counts
        Image.open(path).convert("RGB").quantize(96, dither=Image.Dither.NONE).save(path, optimize=True)


@rows_about_shared("name", [(name,) for name in REAL], "other pictures of docs/screens.md are of runs made here")
def test_a_real_log(visit, tmp_path, name):
    log, options = REAL[name]
    take(visit(written_by_the_verb(SHARED / "logs" / log, tmp_path / "page.html"), **options).page, name)


@pytest.fixture
def folder():
    """A short name, because it is in the picture."""
    with tempfile.TemporaryDirectory(prefix="run-") as made:
        yield made


def observed(tmp_path, program, *words, compiler=("cc",), launcher=()):
    built, log = tmp_path / pathlib.Path(program).stem, tmp_path / "run.darshan"
    subprocess.run([*compiler, "-O1", "-g", "-pthread", "-I", ROOT / "include", ROOT / "examples" / program, "-o", built], check=True,
                   cwd=tmp_path)
    subprocess.run([BUILD / "bin" / "trikal", "run", "--quiet", "--call-sites", "--log", log, "--", *launcher, built, *words],
                   cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    return written_by_the_verb(log, tmp_path / "page.html")


TERMINAL = """<!doctype html><title>terminal</title><style>body {{ margin: 0; background: #16191d; color: #d8dee4 }}
pre {{ margin: 0; padding: 20px 24px; font: 14px/1.45 "DejaVu Sans Mono", monospace; width: max-content }}</style><main><section><pre>{}</pre></section></main>"""


def test_the_front_page(visit, tmp_path):
    """What README.md begins with: the program of the demo, in a terminal and as a page."""
    command = ["trikal", "run", "--call-sites", "--log", "before.darshan", "--", "./heat", "40", "data"]
    subprocess.run(["cc", "-g", "-O2", "-o", tmp_path / "heat", ROOT / "examples" / "heat" / "heat.c"], check=True)
    (tmp_path / "data").mkdir()
    done = subprocess.run([BUILD / "bin" / command[0], *command[1:]], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert "heat.c:33 (save_row)" in done.stderr
    (tmp_path / "terminal.html").write_text(TERMINAL.format(html.escape(f"$ {' '.join(command)}\n{done.stdout}{done.stderr}")))
    opened = visit((tmp_path / "terminal.html").as_uri(), **LAPTOP)
    take(opened.page.locator("section"), "terminal")
    take(visit(written_by_the_verb(tmp_path / "before.darshan", tmp_path / "page.html"), **LAPTOP).page, "heat")


def test_the_checkpoint_example(visit, tmp_path, folder):
    page = visit(observed(tmp_path, "checkpoint.c", "50", folder), **LAPTOP).page
    take(page, "checkpoint")
    page.locator(".opener").first.click()
    page.evaluate("document.querySelector('#files').scrollIntoView()")
    take(page, "checkpoint-file")


def test_before_and_after(visit, tmp_path, folder):
    """trikal diff: an antipattern four times, and as often the same work done well."""
    pages = []
    for how in ("bad", "good"):
        for number in range(4):
            (tmp_path / f"{how}{number}").mkdir()
            observed(tmp_path / f"{how}{number}", "antipatterns.c", "small-writes", how, folder)
            pages.append(tmp_path / f"{how}{number}" / "run.darshan")
    page = tmp_path / "diff.html"
    subprocess.run([BUILD / "bin" / "trikal", "diff", "--html", page, *pages[:4], "--against", *pages[4:]], check=False)
    take(visit(page.as_uri(), **LAPTOP).page, "diff")
    take(visit(page.as_uri(), **PHONE).page, "diff-phone")


@pytest.mark.parametrize("antipattern", ANTIPATTERNS)
def test_an_example_with_an_antipattern(visit, tmp_path, folder, antipattern):
    take(visit(observed(tmp_path, "antipatterns.c", antipattern, "bad", folder), **SMALL).page, antipattern)


@pytest.mark.parametrize("program, antipattern", SOME_JOBS)
def test_a_job_with_an_antipattern(visit, tmp_path, folder, program, antipattern):
    page = observed(tmp_path, program, antipattern, "bad", folder, compiler=JOBS[program], launcher=("mpirun.mpich", "-n", "4"))
    take(visit(page, **SMALL).page, antipattern)


def test_the_documentation_shows_them_all():
    text = (ROOT / "docs" / "screens.md").read_text()
    for name in (*REAL, "checkpoint", "checkpoint-file", "diff", "diff-phone", *PREDICTED, *SHOWN):
        assert f"screens/{name}.png" in text and (ROOT / "docs" / "screens" / f"{name}.png").exists(), name
    live = (ROOT / "docs" / "live.md").read_text()
    for name in LIVE:
        assert f"screens/live-{name}.png" in live and (ROOT / "docs" / "screens" / f"live-{name}.png").exists(), name
