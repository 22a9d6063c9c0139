"""The page of a run with events: from the heat map down to single calls, threads, filters, distributions, what was dropped."""

import json
import re
import sqlite3
import urllib.request

import pytest

from live_pages import beside, drag, fits, live, start, steady, text, until, url, view, watched  # noqa: F401  fixtures among them
from test_screens import PHONE, take


@pytest.fixture(scope="module")
def traced(steady, tmp_path_factory):
    """A job of four ranks with every call; rank 2 is slow."""
    folder = tmp_path_factory.mktemp("traced")
    return watched(["--events", "--", "mpirun.mpich", "-n", "4", beside(steady / "steady-ranks", folder), "4", "2"], folder)


def test_the_heat_map_leads_to_single_calls(start, live, traced):
    _, address = start(["serve", traced], traced.parent)
    page = live(address + "#view=heat")
    drag(page, "#heat canvas", 0.4, 0.7, down=0.4, down_end=0.95)
    until(lambda: "made of single events" in text(page, "#heat .sentence"))
    assert re.search(r"from=\d+&to=\d+", url(page))
    drag(page, "#heat canvas", 0.50, 0.55, down=0.4, down_end=0.95)
    until(lambda: re.search(r"begin=\d+&end=\d+", url(page)))
    until(lambda: page.query_selector("#single svg"))
    assert {name for name in ("rank 0", "rank 1", "rank 2", "rank 3") if name in text(page, "#single svg")} == {"rank 0", "rank 1", "rank 2", "rank 3"}
    bars = len(page.query_selector_all("#single rect.event"))
    assert bars == int(re.match(r"([\d,]+) calls?", text(page, "#single .sentence"))[1].replace(",", ""))
    take(page, "live-zoom")
    # The same calls as a table: those that the server has in this time.
    page.click("#single >> text=Table of these calls")
    until(lambda: page.query_selector("#events table"))
    run, begin, end = (re.search(rf"{name}=(\d+)", url(page))[1] for name in ("from", "begin", "end"))
    with sqlite3.connect(traced) as database:
        start_of_run = database.execute("SELECT start / 1000000000 FROM run").fetchone()[0]
    request = urllib.request.Request(f"{address.split('?')[0]}api/events?run=1&since={start_of_run}&begin={begin}&end={end}&most=100000",
                                     headers={"Authorization": "Bearer " + address.split("token=")[1]})
    assert len(json.load(urllib.request.urlopen(request))["rows"]) == bars
    until(lambda: len(page.query_selector_all("#events rect.event")) == bars)


def test_single_events(start, live, steady, tmp_path):
    store = watched(["--events", "--", beside(steady / "steady", tmp_path), "3"], tmp_path)
    _, address = start(["serve", store], tmp_path)
    page = live(address + "#view=events")
    page.wait_for_selector("#events svg.chart")
    said = until(lambda: re.search(r"Events: ([\d,]+) emitted = ([\d,]+) stored \+ ([\d,]+) dropped\.", text(page, "#accounting")))
    emitted, stored, dropped = said.groups()
    assert emitted == stored and dropped == "0" and text(page, ".notice") == ""
    rows = page.query_selector_all("#events tbody tr")
    assert "POSIX open" in rows[0].inner_text() and "4096" in rows[1].inner_text() and len(rows) == 200
    first = text(page, "#events tbody tr td")
    drag(page, "#events svg.chart", 0.5, 0.53)
    until(lambda: "begin=" in url(page) and text(page, "#events tbody tr td") != first)
    shown = until(lambda: page.query_selector_all("#events rect.event"))
    assert len(shown) < int(emitted.replace(",", "")) / 8
    page.click(".chip >> text=calls")
    page.select_option("#events label:has-text('Call') select", "read")
    until(lambda: set(column(page, 6)) == {"POSIX read"})
    page.select_option("#events label:has-text('Table by') select", "duration")
    until(lambda: "order=duration" in url(page) and column(page, 2) == sorted(column(page, 2), key=seconds, reverse=True))
    take(page, "live-events")
    with page.expect_download() as download:
        page.click("#events >> text=CSV")
    lines = open(download.value.path()).read().splitlines()
    assert lines[0].startswith("time,duration,rank,") and len(lines) > 100 and all(",POSIX,read," in line for line in lines[1:])
    with page.expect_download() as download:
        page.click("#events >> text=JSON")
    with open(download.value.path()) as file:
        answer = json.load(file)
    assert download.value.suggested_filename == "events.json"
    assert answer["columns"] == lines[0].split(",") and len(answer["rows"]) == len(lines) - 1
    assert {row[6] for row in answer["rows"]} == {"read"}
    view(page, "Distribution")
    page.wait_for_selector("#durations table")
    assert {row.inner_text().split("\t")[0] for row in page.query_selector_all("#durations tbody tr")} == {"read", "all calls"}


def column(page, number):
    """Of the table of events, read at once: it is drawn anew at any time."""
    return page.evaluate("number => [...document.querySelectorAll(`#events tbody td:nth-child(${number})`)].map(cell => cell.textContent)", number)


def seconds(words):
    """Of `1.25 ms`, and of `under 1 µs`, which is less than all others."""
    value, unit = words.replace("\u00a0", " ").replace("under 1 µs", "0 µs").split()
    return float(value.replace(",", "")) * {"µs": 1e-6, "ms": 1e-3, "s": 1}[unit]


def test_threads_latencies_and_distributions(start, live, traced):
    _, address = start(["serve", traced], traced.parent)
    page = live(address)
    until(lambda: re.search(r"Latency of a call[\d.]+ .?s?median; 90 %", text(page, "#now").replace("\u00a0", " ")) or
          "median; 90 %" in text(page, "#now"))
    assert re.search(r"Dropped events0of [\d,]+ emitted", text(page, "#now"))
    view(page, "Timelines")
    page.select_option("#timelines select", "thread")
    until(lambda: len(page.query_selector_all("#timelines svg")) >= 4 and "process/thread" in text(page, "#timelines h3"))
    assert len(page.query_selector_all("#timelines path.line.write")) >= 4
    view(page, "Distribution")
    page.wait_for_selector("#sizes .bar-row")
    assert "from 4 KiB" in text(page, "#sizes")
    take(page, "live-distribution")
    phone = live(address + "#view=events", **PHONE)
    phone.wait_for_selector("#events svg")
    assert fits(phone)


def test_what_was_dropped_is_said_first(start, live, traced, tmp_path):
    store = tmp_path / "dropped.sqlite"
    store.write_bytes(traced.read_bytes())
    with sqlite3.connect(store) as database:
        process, thread = database.execute("SELECT process, thread FROM event_count").fetchone()
        database.execute("UPDATE event_count SET ring_full = 7 WHERE process = ? AND thread = ?", (process, thread))
        database.execute("INSERT INTO drop_count VALUES ((SELECT min(id) FROM process), 'kept', 3)")
    database.close()
    _, address = start(["serve", store], tmp_path)
    page = live(address)
    page.wait_for_selector(".notice")
    said = text(page, ".notice")
    assert said.startswith("Not exact: ") and "3 numbers changed while they were read" in said and re.search(r"7 of [\d,]+ events were dropped", said)
    emitted, stored, dropped = (int(number.replace(",", "")) for number in
                                re.search(r"([\d,]+) emitted = ([\d,]+) stored \+ ([\d,]+) dropped", text(page, "#accounting")).groups())
    assert emitted == stored + dropped and dropped == 7
