"""The page of trikal watch and trikal serve in Chromium: live numbers, zoom, filters in the address, comparison, reconnection."""

import re
import signal
import socket
import sqlite3
import subprocess
import time

import pytest

from pages import BUILD, ROOT
from test_screens import LAPTOP, take

TRIKAL = BUILD / "bin" / "trikal"
PROGRAMS = ROOT / "tests" / "watch" / "programs"


@pytest.fixture(scope="module")
def steady(tmp_path_factory):
    """The program, plain and for MPI."""
    folder = tmp_path_factory.mktemp("steady")
    subprocess.run(["cc", "-O1", "-o", folder / "steady", PROGRAMS / "steady.c"], check=True)
    subprocess.run(["mpicc.mpich", "-O1", "-DWITH_MPI", "-o", folder / "steady-ranks", PROGRAMS / "steady.c"], check=True)
    return folder


@pytest.fixture
def start():
    """start(arguments, cwd): the process and the address of its page."""
    running = []

    def begin(arguments, cwd):
        process = subprocess.Popen([TRIKAL, *arguments], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        running.append(process)
        line = (process.stdout if arguments[0] == "serve" else process.stderr).readline()
        found = re.search(r"http://\S+", line)
        assert found, line
        return process, found[0]
    yield begin
    for process in running:
        process.kill()
        process.communicate()


@pytest.fixture
def live(chromium):
    """live(address): the open page. What it complains of, or asks other servers for, fails the test."""
    opened = []

    def open_page(address, expect_lost=False, **options):
        context = chromium.new_context(**{**LAPTOP, **options})
        page = context.new_page()
        page.set_default_timeout(15_000)
        complaints = []
        page.on("console", lambda message: message.type in ("error", "warning") and complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on("request", lambda request: request.url.startswith((address.split("?")[0], "data:")) or complaints.append(request.url))
        opened.append((context, complaints, expect_lost))
        page.goto(address)
        return page
    yield open_page
    for context, complaints, expect_lost in opened:
        context.close()
        # A browser itself writes to the console that a connection was refused.
        left = [text for text in complaints if not (expect_lost and "net::ERR" in text)]
        assert not left, left


def until(look, seconds=15):
    """Polls from here: the page's own policy forbids what wait_for_function does."""
    deadline = time.monotonic() + seconds
    while not (answer := look()):
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.05)
    return answer


def text(page, selector):
    """Of the first that matches, also while it is drawn anew; empty: there is none."""
    return page.evaluate("selector => document.querySelector(selector)?.textContent ?? ''", selector).replace("\u00a0", " ")


def test_it_is_live_within_two_seconds(start, live, steady, tmp_path):
    process, address = start(["watch", "--log", "w.darshan", "--", steady / "steady", "8"], tmp_path)
    page = live(address)
    began = time.monotonic()
    page.wait_for_selector("#throughput path.line.write")
    until(lambda: "Now:" in text(page, "#throughput .sentence"))
    assert time.monotonic() - began < 5  # the browser's own start included
    assert page.inner_text(".status") == "live" and "token" not in page.url

    def written():
        return re.search(r"So far (\S+ \S+) written", text(page, "#throughput .sentence"))[1]
    first = written()
    until(lambda: written() != first, seconds=2)
    assert page.query_selector("#files table").inner_text().count("steady.0") == 1
    take(page, "live-now")
    until(lambda: "the run has ended" in text(page, ".status"))
    assert process.wait(timeout=30) == 0


def test_the_page_of_an_mpi_job(start, live, steady, tmp_path):
    process, address = start(["watch", "--log", "w.darshan", "--", "mpirun.mpich", "-n", "4", steady / "steady-ranks", "7", "2"], tmp_path)
    page = live(address + "#view=heat")
    page.wait_for_selector("#heat canvas")
    until(lambda: "4 ranks" in text(page, "#heat .sentence"))
    time.sleep(3)
    take(page, "live-heat")
    page.click("text=Stragglers")
    page.wait_for_selector("#stragglers .bar-row")
    until(lambda: "Rank 2 spent" in text(page, "#stragglers .sentence"))
    take(page, "live-stragglers")
    page.click("text=Machine")
    page.wait_for_selector("#machine-1 svg")
    take(page, "live-machine")
    until(lambda: "the run has ended" in text(page, ".status"))
    assert process.wait(timeout=30) == 0


@pytest.fixture(scope="module")
def finished(steady, tmp_path_factory):
    """A store with one run, of a program whose file has a name that is HTML."""
    folder = tmp_path_factory.mktemp("finished")
    name = "<img src=x onerror=alert(1)>"
    subprocess.run([TRIKAL, "watch", "--no-page", "--log", "w.darshan", "--", steady / "steady", "4", "-1", name], cwd=folder, check=True,
                   capture_output=True)
    return folder / "w.sqlite"


def test_zoom_and_filters_live_in_the_address(start, live, finished):
    _, address = start(["serve", finished], finished.parent)
    page = live(address)
    page.wait_for_selector("#throughput svg.chart")
    time.sleep(1)  # what comes with the connection is drawn
    box = until(lambda: page.query_selector("#throughput svg.chart").bounding_box())
    page.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + 50)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + 50, steps=4)
    page.mouse.up()
    page.wait_for_selector(".chip")
    assert re.search(r"from=\d+&to=\d+", page.url)
    other = live(page.url.replace("/#", f"/?{address.split('?')[1]}#"))
    other.wait_for_selector(".chip")
    assert other.inner_text(".chip") == page.inner_text(".chip")
    page.click(".chip")
    until(lambda: text(page, ".chip") == "")
    page.click("#files a")
    page.wait_for_selector(".chip")
    assert "file=" in page.url
    page.go_back()
    until(lambda: text(page, ".chip") == "")


def test_names_are_text(start, live, finished):
    _, address = start(["serve", finished], finished.parent)
    page = live(address + "#view=top")
    page.wait_for_selector("#files table")
    assert "<img src=x onerror=alert(1)>.0" in page.inner_text("#files table")
    assert page.query_selector("main img") is None
    page.click("text=Timelines")
    page.wait_for_selector("#timelines select")
    page.select_option("#timelines select", "file")
    until(lambda: "<img src=x" in text(page, "#timelines h3"))


def test_it_comes_back_when_the_server_does(start, live, finished):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = ["serve", finished, "--port", str(port), "--token", "a-token-that-stays"]
    process, address = start(command, finished.parent)
    page = live(address, expect_lost=True)
    page.wait_for_selector("#throughput path.line.write")
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=20) == 0
    page.wait_for_selector(".status.lost")
    start(command, finished.parent)
    page.wait_for_selector(".status.live")
    page.click("text=Top")
    page.wait_for_selector("#processes table")


def test_single_events(start, live, steady, tmp_path):
    subprocess.run([TRIKAL, "watch", "--no-page", "--events", "--log", "w.darshan", "--", steady / "steady", "3"], cwd=tmp_path, check=True,
                   capture_output=True)
    _, address = start(["serve", "w.sqlite"], tmp_path)
    page = live(address + "#view=events")
    page.wait_for_selector("#events svg.chart")
    said = until(lambda: re.match(r"([\d,]+) emitted = ([\d,]+) stored \+ ([\d,]+) dropped", text(page, "#events .sentence")))
    emitted, stored, dropped = said.groups()
    assert emitted == stored and dropped == "0"
    rows = page.query_selector_all("#events tbody tr")
    assert "POSIX open" in rows[0].inner_text() and "4096" in rows[1].inner_text() and len(rows) == 200
    first = text(page, "#events tbody tr td")
    take(page, "live-events")
    box = until(lambda: page.query_selector("#events svg.chart").bounding_box())
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.53, box["y"] + 8, steps=4)
    page.mouse.up()
    until(lambda: "begin=" in page.url and text(page, "#events tbody tr td") != first)
    assert 0 < len(page.query_selector_all("#events rect.event")) < int(emitted.replace(",", "")) / 8
    page.click("text=Distribution")
    page.wait_for_selector("#durations table")
    assert {row.inner_text().split("\t")[0] for row in page.query_selector_all("#durations tbody tr")} >= {"read", "write"}


def add_run(database, number, start, slow_rank=None, factor=1.0):
    """A run of four ranks, as docs/formats/store.md describes the tables."""
    database.execute("INSERT INTO run VALUES (?, ?, ?, './simulate in.nml', 'node')", (number, number, start * 10**9))
    for rank in range(4):
        process = number * 10 + rank
        database.execute("INSERT INTO process VALUES (?, ?, ?, ?, 1, ?, 0, 1, ?, 'node', './simulate')",
                         (process, process, number, 1000 + rank, rank, start * 10**9))
        for second in range(20):
            steps = int((1 << 20) * 0.2 * factor * (4 if rank == slow_rank else 1) * (1 + 0.01 * (number % 3)))
            row = (number, process, start + second, 1, 1, 1, 10, 40960, steps)
            for width in (1, 10, 60):
                database.execute(f"INSERT INTO rollup_{width} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET calls = calls "
                                 "+ excluded.calls, bytes = bytes + excluded.bytes, steps = steps + excluded.steps",
                                 (*row[:2], row[2] // width * width, *row[3:]))
            database.execute("INSERT INTO total VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET calls = calls + "
                             "excluded.calls, bytes = bytes + excluded.bytes, steps = steps + excluded.steps", (*row[:2], *row[3:]))


def test_a_slow_rank_and_a_slow_hour_are_named(start, live, finished, tmp_path):
    store = tmp_path / "many.sqlite"
    store.write_bytes(finished.read_bytes())
    day = 1_790_000_000 // 86400 * 86400
    with sqlite3.connect(store) as database:
        for number in range(2, 12):
            add_run(database, number, day + number * 86400 + 3 * 3600, slow_rank=2 if number == 7 else None)
        for number in range(12, 15):
            add_run(database, number, day + number * 86400 + 14 * 3600, factor=2.0)
    database.close()
    _, address = start(["serve", store], tmp_path)
    page = live(address + "#view=compare&run=7")
    table = page.wait_for_selector("#deviations table").inner_text()
    assert "rank 2, in run 7" in table and "run 7" in table
    assert "runs that began at 14:00 UTC" in table
    assert not re.search(r"rank [013],? in run 7", table)
    take(page, "live-compare")
    assert page.inner_text("#runs table").count("./simulate in.nml") == 13
