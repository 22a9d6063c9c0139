"""The report page as a person meets it. Every test also fails on console errors and on any request (conftest.visit)."""

import csv
import io
import json
import re

import pytest

import sample
from pages import write_page

PHONE = {"viewport": {"width": 390, "height": 844}}
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def said(locator):
    """Text as a person reads it: the space that keeps a unit at its number is a space."""
    return locator.inner_text().replace("\u00a0", " ")


def names(page):
    return page.locator("tr.file .path").all_inner_texts()


def test_findings_come_first(show):
    page = show(sample.checkpoint()).page
    assert page.title() == "a run"
    verdict = said(page.locator("#verdict"))
    assert "4.70 s of 12.4 s (38 %)" in verdict and "small-writes" in verdict and "2.60 s" in verdict
    assert page.locator("section").first.get_attribute("id") == "findings"
    cards = page.locator(".finding")
    assert [cards.nth(at).locator(".severity").inner_text().lower() for at in range(4)] == ["high", "medium", "low", "info"]
    # On the first screen of a laptop: what is wrong, what it costs, what to do.
    assert page.locator(".finding .fix").first.bounding_box()["y"] < 720
    assert not page.get_by_text("calls x (latency").first.is_visible()
    page.locator(".finding summary").last.scroll_into_view_if_needed()
    page.locator(".finding").first.get_by_text("Why, and how").click()
    assert page.get_by_text("calls x (latency").first.is_visible()


def test_warnings_stand_before_the_numbers(show):
    page = show(sample.checkpoint()).page
    assert "the log is partial" in said(page.locator(".notice"))
    order = "document.querySelector('.notice').compareDocumentPosition(document.querySelector('#findings'))"
    assert page.evaluate(order) & 4  # the findings follow


def test_every_chart_has_its_sentence(show):
    page = show(sample.checkpoint()).page
    for chart in page.locator("canvas, .bars").all():
        text = chart.evaluate("e => (e.closest('.card') || e.closest('section')).querySelector('.sentence').textContent")
        assert re.search(r"\d", text) and text.endswith("."), text
    assert "POSIX takes 2.18 s of 12.4 s in each rank on average (8.70 s in all 4)" in said(page.locator("#split .sentence"))
    assert "The slowest is rank 0 with 4.62 s" in said(page.locator("#ranks .sentence"))
    assert "100 % of 1.20 million writes are under 10 KiB" in said(page.locator("#sizes"))
    assert "1 ended with a status other than 0" in said(page.locator("#processes .sentence"))


def test_nothing_is_claimed_that_an_interface_does_not_count(show):
    """STDIO keeps no classes of sizes, MPI-IO no order of calls: 0 there does not mean none."""
    data = sample.checkpoint(files=4)
    silent = {**sample.flow(38, 42, 0.1), "sizes": [0] * 10, "sequential": 0, "consecutive": 0}
    data["layers"][1].update(write=silent, common_sizes=[])
    data["layers"].append(sample.layer("MPI-IO", sample.flow(), {**sample.flow(128, sample.MIB, 1.0, 5), "sequential": 0,
                                                                 "consecutive": 0}))
    del data["version"]
    page = show(data).page
    cards = [said(card) for card in page.locator("#sizes .card").all()]
    assert cards[1] == "STDIO\n\n38 writes of 42 B on average."
    assert "0 % of 128 writes are under 10 KiB." in cards[2]
    assert "undefined" not in said(page.locator("main"))


def test_the_table_sorts(show):
    page = show(sample.checkpoint()).page
    assert names(page)[0] == "/scratch/run/out.dat"
    page.get_by_role("button", name="Opens").click()
    assert names(page)[0] == "/scratch/run/log.txt"
    assert said(page.locator("th[aria-sort=descending]")).startswith("Opens")
    page.get_by_role("button", name="File", exact=True).click()
    found = names(page)
    assert found == sorted(found) and found[0] == "/home/u/mesh.bin"
    page.get_by_role("button", name="File", exact=True).click()
    assert names(page)[0] == "/scratch/run/part-0119.h5"


def test_the_table_is_searched_and_shows_more(show):
    page = show(sample.checkpoint()).page
    assert len(names(page)) == 50 and "50 of 120 files shown" in said(page.locator("#files"))
    page.get_by_role("button", name="Show more").click()
    assert len(names(page)) == 100
    page.get_by_label("Search").fill("PART-001")
    assert names(page) == [f"/scratch/run/part-{number:04}.h5" for number in range(10, 20)]
    page.get_by_label("Search").fill("no such file")
    assert names(page) == [] and "0 of 0 files" in said(page.locator("#files"))


def test_a_row_opens_what_is_known_about_the_file(show):
    page = show(sample.checkpoint()).page
    page.locator("tr.file").first.locator("td").nth(1).click()
    detail = page.locator(".detail")
    text = said(detail)
    assert "small-writes" in text and "lustre" in text and "7 of" in text and "STDIO" in text
    assert "Most common sizes: 64 B (900 times), 1 MiB (4 times)." in text
    assert detail.locator(".bars").count() == 3
    page.locator("tr.file").first.locator(".opener").click()
    assert detail.count() == 0


def test_the_page_works_by_keyboard(show):
    page = show(sample.checkpoint()).page
    opener = page.locator(".opener").first
    opener.focus()
    page.keyboard.press("Enter")
    assert opener.get_attribute("aria-expanded") == "true" and page.locator(".detail").count() == 1
    page.keyboard.press("Enter")
    assert page.locator(".detail").count() == 0
    page.get_by_role("button", name="Written").focus()
    page.keyboard.press("Space")
    assert said(page.locator("th[aria-sort=descending]")).startswith("Written")
    reached = set()
    page.evaluate("document.activeElement.blur(); document.querySelector('#verdict').scrollIntoView()")
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.tagName"))
    assert {"SUMMARY", "A", "CANVAS", "SELECT", "INPUT", "BUTTON"} <= reached, reached


def test_the_heat_map_zooms_by_brush_and_by_keys(show):
    page = show(sample.checkpoint()).page
    canvas, readout = page.locator("canvas"), page.locator(".readout")
    assert said(readout) == "Shown: 0 s to 12.4 s, 8 rows."
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    left, width = box["x"] + 64, box["width"] - 64  # behind the labels
    page.mouse.move(left + width * 0.5005, box["y"] + 75)
    assert said(readout).startswith("rank 0, 6.20 s to 6.32 s, in steps: read 0 B, wrote ")
    page.mouse.move(left + width * 0.2505, box["y"] + 75)
    page.mouse.down()
    page.mouse.move(left + width * 0.495, box["y"] + 135, steps=4)
    page.mouse.up()
    assert said(readout).startswith("Shown: 3.10 s to 6.20 s, ")
    page.locator("#heat").get_by_role("button", name="Show all").click()
    assert said(readout) == "Shown: 0 s to 12.4 s, 8 rows."
    canvas.focus()
    page.keyboard.press("ArrowDown")
    assert said(readout).startswith("rank 1, 0 s to 124 ms, in setup: read ")
    page.keyboard.press("+")
    assert said(readout) == "Shown: 0 s to 6.20 s, 8 rows."
    page.keyboard.press("Escape")
    assert said(readout) == "Shown: 0 s to 12.4 s, 8 rows."


def test_the_heat_map_without_phases_has_no_band(show):
    data = sample.checkpoint()
    with_band = show(data).page.locator("canvas").bounding_box()["height"]
    data["phases"] = []
    page = show(data).page
    assert page.locator("canvas").bounding_box()["height"] == with_band - 18
    assert "phases" not in said(page.locator("#heat-keys"))


def test_the_heat_map_is_drawn(show):
    page = show(sample.checkpoint()).page
    colours = page.evaluate("""() => { const c = document.querySelector('canvas');
        const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
        const seen = new Set(); for (let i = 0; i < d.length; i += 4) seen.add(d[i] << 16 | d[i+1] << 8 | d[i+2]);
        return seen.size; }""")
    assert colours > 20


def poor_contrast(page, scheme):
    """Texts that are hard to read; that the page took the scheme is a condition."""
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    light = sum(map(int, re.findall(r"\d+", ground)[:3])) / 3
    assert light > 200 if scheme == "light" else light < 60
    return page.evaluate("""() => {
        const channel = v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
        const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(Number);
          return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); };
        const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
          if (!/, 0\\)$/.test(c)) return c; } return 'rgb(255,255,255)'; };
        const poor = new Set();
        for (const e of document.querySelectorAll('main *:not(:disabled)')) {
          if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
          const [a, b] = [light(getComputedStyle(e).color), light(ground(e))].sort((x, y) => y - x);
          if ((a + 0.05) / (b + 0.05) < 4.5) poor.add(`${e.tagName}.${e.className}: ${e.textContent.slice(0, 30)}`);
        }
        return [...poor]; }""")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast(show, scheme):
    page = show(sample.checkpoint(), color_scheme=scheme).page
    page.locator(".opener").first.click()
    assert not poor_contrast(page, scheme)


@pytest.mark.parametrize("data", [sample.checkpoint, sample.hostile, sample.empty])
def test_a_phone_never_scrolls_sideways(show, data):
    page = show(data(), **PHONE).page
    if page.locator(".opener").count():
        page.locator(".opener").first.click()
    assert page.evaluate(OVERFLOW) == 0


def test_hostile_names_are_shown_as_text(show):
    opened = show(sample.hostile())
    page = opened.page
    for opener in page.locator(".opener").all():
        opener.click()
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.evaluate("window.hurt") is None
    shown = said(page.locator("main"))
    for name in ("<img src=x onerror=window.hurt=1>", "</script><script>window.hurt=1</script>", "<!--<script>",
                 "\\xff\\x80bytes", "line\\x0abreak", "\\u202etxt.exe"):
        assert name in shown, name
    assert page.evaluate("document.querySelectorAll('main img, main script, main iframe').length") == 0
    assert page.evaluate("[...document.querySelectorAll('main a')].every(a => a.getAttribute('href').startsWith('#'))")
    assert page.locator("#processes tbody tr").count() == 3  # a circle of parents loses nobody


def test_a_log_without_io_is_a_page_too(show):
    page = show(sample.empty()).page
    assert "no I/O" in said(page.locator("#verdict"))
    assert "NaN" not in said(page.locator("main")) and "undefined" not in said(page.locator("main"))


def test_data_can_be_taken_along(show):
    data = sample.hostile()
    page = show(data).page
    with page.expect_download() as download:
        page.get_by_role("button", name="JSON").click()
    assert json.loads(download.value.path().read_text()) == data
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text(), newline="")))
    assert len(rows) == len(sample.HOSTILE) and rows[0]["name"] == sample.HOSTILE[0]
    assert not [row for row in rows if row["name"].startswith("=")]


def test_a_document_of_another_version_is_refused_in_words(chromium, tmp_path):
    page = chromium.new_page()
    page.goto(write_page({**sample.empty(), "schema": "trikal-report 99"}, tmp_path / "page.html"))
    assert "trikal-report 99" in page.get_by_role("alert").inner_text()
    page.close()


def test_a_large_page_costs_little(chromium, tmp_path):
    """As many files, ranks and slices as a page may hold. Processor time, because a busy machine says nothing of us."""
    data = sample.checkpoint(files=2000)
    data["heat"] = [sample.heat(ranks=256, slices=200)]
    data.update(sample.trace(ranks=100, calls=240))
    page = chromium.new_page()
    meter = page.context.new_cdp_session(page)
    meter.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(write_page(data, tmp_path / "page.html"))
    page.wait_for_function("document.querySelector('.readout')?.textContent")
    spent = {metric["name"]: metric["value"] for metric in meter.send("Performance.getMetrics")["metrics"]}
    assert 0 < spent["TaskDuration"] < 2, spent
    assert (tmp_path / "page.html").stat().st_size < 15 * sample.MIB
    page.get_by_label("Search").fill("part-1999")
    assert names(page) == ["/scratch/run/part-1999.h5"]
    page.close()


def test_lists_without_bound_are_drawn(show):
    """As many ranks and processes as a large machine has, every process the child of the one before."""
    data = sample.checkpoint(files=4)
    data["ranks"] = [sample.rank(number) for number in range(150_000)]
    data["processes"] = [sample.process(number, number - 1, "/bin/sh", number, number + 1) for number in range(1, 20_000)]
    data["processes_total"] = data["process_count"] = 19_999
    data["programs"] = [sample.program("/bin/sh", 19_999, 19_999.0)]
    page = show(data).page
    assert said(page.locator("#processes")).endswith("19,699 more processes: trikal export -t processes.")
    assert "149,976 faster ranks not drawn" in said(page.locator("#ranks"))


@pytest.mark.parametrize("name, options", [
    ("laptop", {"viewport": {"width": 1280, "height": 800}}), ("dark", {"color_scheme": "dark"}), ("phone", PHONE)])
def test_pictures(show, tmp_path, name, options):
    """For people: what the page looks like, left in the folder of the test; and that it prints."""
    page = show(sample.checkpoint(), **options).page
    page.locator(".opener").first.click()
    page.wait_for_timeout(100)
    page.screenshot(path=tmp_path / f"{name}.png", full_page=True)
    page.pdf(path=tmp_path / f"{name}.pdf")
    assert (tmp_path / f"{name}.png").stat().st_size > 20_000
    assert (tmp_path / f"{name}.pdf").read_bytes().startswith(b"%PDF")


def test_a_file_tells_when_it_was_used_and_where_it_lies(show):
    page = show(sample.checkpoint()).page
    page.locator(".opener").first.click()
    detail = said(page.locator(".detail").first)
    assert "Data moved between 500 ms and 13.5 s of 12.4 s." in detail
    assert "POSIX written" in detail and "calls took 6.50 s" in detail
    assert "Lustre: 2 stripes of 1 MiB, on OSTs 3, 17." in detail
    begin, end = page.locator(".detail .bar-row .track").first.evaluate(
        "track => [...track.children].map(part => part.getBoundingClientRect().width / track.getBoundingClientRect().width)")
    assert begin == pytest.approx(0.5 / 12.4, abs=0.01) and end > 0.9


def test_storage_targets_show_who_is_overloaded(show):
    page = show(sample.checkpoint()).page
    text = said(page.locator("#targets"))
    assert "2 storage targets" in text and "The load is even" in text and "OST 17" in text
    data = sample.checkpoint()
    data["targets"] = [{"id": at, "files": 1, "bytes_read": 0, "bytes_written": 100 if at else 900} for at in range(8)]
    assert "OST 0 serves 4.5 times its even share" in said(show(data).page.locator("#targets .sentence"))
    assert not show(sample.empty()).page.locator("#targets").count()


def test_counters_are_there_in_full(show):
    page = show(sample.checkpoint()).page
    assert not page.get_by_text("POSIX_F_READ_TIME").is_visible()
    page.get_by_text("POSIX: 3 counters, 2 not zero").click()
    rows = [row.split() for row in page.locator("#counters tbody tr").all_inner_texts()]
    assert rows == [["POSIX_OPENS", "4012"], ["POSIX_MMAPS", "0"], ["POSIX_F_READ_TIME", "0.4"]]


def test_a_killed_run_took_at_least_so_long(show):
    data = sample.checkpoint()
    data["job"]["seconds_at_least"] = True
    page = show(data).page
    assert "4.70 s of at least 12.4 s (at most 38 %)" in said(page.locator("#verdict"))
    assert " · at least 12.4 s · " in said(page.locator("header"))
