"""The trace in the report's page: timelines of each rank and file."""

import collections
import csv
import io
import json
import re
import subprocess

import pytest

import sample
from pages import BUILD, ROOT, written_by_the_verb
from test_page import said
from test_screens import LAPTOP, take
from log_files import ALL, GOLDEN  # behind the path that pages extends

TRIKAL = BUILD / "bin" / "trikal"


def test_the_timelines_zoom_by_brush_and_by_keys(show):
    page = show({**sample.checkpoint(files=4), **sample.trace()}).page
    block = page.locator("#trace")
    assert "9,204 calls were traced" in said(block.locator(".sentence")) and "drawn as one" in said(block.locator(".sentence"))
    canvas, readout = block.locator("canvas"), block.locator(".readout")
    assert said(readout) == "Shown: 0 s to 7.000 s, 8 rows."
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    left, width = box["x"] + 150, box["width"] - 150  # behind the labels
    page.mouse.move(left + width * 0.302 / 7, box["y"] + 6 + 9)
    assert said(readout) == "rank 0 wrote 1 MiB at 3,145,728, 0.300 s for 50.0 ms: /scratch/run/part.0"
    page.mouse.move(left + width * 6.5 / 7, box["y"] + 6 + 18 + 9)
    assert said(readout) == "rank 0 read 5 MiB at 0, 6.000 s for 1 s: /scratch/run/part.0"
    page.mouse.move(left + width * 3 / 7, box["y"] + 6 + 9)
    page.mouse.down()
    page.mouse.move(left + width * 4 / 7, box["y"] + 6 + 18 * 2.5, steps=4)
    page.mouse.up()
    assert re.fullmatch(r"Shown: (2\.99|3\.00|3\.01)\d* s to (3\.99|4\.00|4\.01)\d* s, 3 rows\.", said(readout)), said(readout)
    block.get_by_role("button", name="Show all").click()
    assert said(readout) == "Shown: 0 s to 7.000 s, 8 rows."
    canvas.focus()
    page.keyboard.press("+")
    page.keyboard.press("ArrowLeft")
    assert said(readout) == "Shown: 0.875 s to 4.375 s, 8 rows."
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert said(readout).startswith("rank 0, /scratch/run/part.0: 1 read, 1 s in them")
    page.keyboard.press("Escape")
    assert said(readout) == "Shown: 0 s to 7.000 s, 8 rows."
    block.get_by_label("Interface").select_option("MPI-IO")
    assert said(readout) == "Shown: 1.000 s to 4.000 s, 1 row."
    page.mouse.move(left + width / 2, box["y"] + 6 + 9)
    assert said(readout) == "rank 0 wrote 563 KiB in 9,000 calls, 1.000 s for 3 s: /scratch/run/shared"


def test_without_a_trace_there_is_no_section(show):
    assert show(sample.checkpoint()).page.locator("#trace").count() == 0


def document(log, page):
    written_by_the_verb(log, page)
    return json.loads(re.search(r'id="trikal-data"[^>]*>(?:\s*<!--)?(.*?)(?:-->)?\s*</script>', page.read_text(), re.DOTALL)[1])


def exported(log):
    """{(interface, rank, file, direction): [[begin, end, 1, bytes, offset]]}"""
    found = collections.defaultdict(list)
    for table, interface in (("dxt_posix_segments", "POSIX"), ("dxt_mpiio_segments", "MPI-IO")):
        done = subprocess.run([TRIKAL, "export", log, "-f", "csv", "-t", table, "-o", "-"], capture_output=True, text=True)
        for row in csv.DictReader(io.StringIO(done.stdout)):
            found[interface, int(row["rank"]), row["name"], row["direction"]].append(
                [float(row["start_time"]), float(row["end_time"]), 1, int(row["length"]), int(row["offset"])])
    return found


def trace_of(folder, program, *arguments):
    built, log = folder / program, folder / "run.darshan"
    subprocess.run(["cc", "-O1", "-pthread", ROOT / "tests" / "capture" / "programs" / f"{program}.c", "-o", built], check=True)
    subprocess.run([TRIKAL, "run", "--quiet", "--trace", "--log", log, "--", built, *arguments], check=True)
    return log


@pytest.fixture
def traced(tmp_path):
    (tmp_path / "data").mkdir()
    return trace_of(tmp_path, "trace", tmp_path / "data")


def test_every_call_of_a_small_trace_is_in_the_page(traced, tmp_path):
    data, segments = document(traced, tmp_path / "page.html"), exported(traced)
    assert data["trace_total"] == len(data["trace"]) == len(segments) == 9  # two files are read as well, five only written
    assert data["trace_calls"] == sum(map(len, segments.values()))
    for lane in data["trace"]:
        expected = sorted(segments[lane["interface"], lane["rank"], lane["file"], lane["direction"]])
        assert lane["calls"] == len(expected) == len(lane["spans"])
        for span, wanted in zip(sorted(lane["spans"]), expected):
            assert span[2:] == wanted[2:] and span[:2] == pytest.approx(wanted[:2], abs=2e-9)


def test_the_page_of_a_traced_run(visit, traced, tmp_path):
    page = visit(written_by_the_verb(traced, tmp_path / "page.html"), **LAPTOP).page
    block = page.locator("#trace")
    assert block.locator(".readout").inner_text().startswith("Shown: ")
    page.evaluate("document.querySelector('#trace').scrollIntoView()")
    take(page, "trace")


def check_sums(log, page):
    data, segments = document(log, page), exported(log)
    assert data["trace_total"] == len(segments) and sum(len(lane["spans"]) for lane in data["trace"]) <= 26000
    for lane in data["trace"]:
        expected = segments[lane["interface"], lane["rank"], lane["file"], lane["direction"]]
        assert sum(span[2] for span in lane["spans"]) == lane["calls"] == len(expected)
        assert sum(span[3] for span in lane["spans"]) == sum(call[3] for call in expected)
        assert min(span[0] for span in lane["spans"]) == pytest.approx(min(call[0] for call in expected), abs=1e-8)
        assert max(span[1] for span in lane["spans"]) == pytest.approx(max(call[1] for call in expected), abs=1e-8)
    return data


def test_large_traces_lose_no_call(tmp_path):
    """Spans of a row stand for all its calls and bytes."""
    data = check_sums(trace_of(tmp_path, "many_writes", tmp_path / "file", "50000", tmp_path / "other"), tmp_path / "page.html")
    assert data["trace_calls"] > 50000 > 2 * sum(len(lane["spans"]) for lane in data["trace"])
    of_others = [log for log in ALL + GOLDEN if "dxt" in log.name.lower()]
    for log in sorted(of_others, key=lambda log: log.stat().st_size)[-1:]:
        check_sums(log, tmp_path / "other.html")
