"""The page of trikal watch while a program runs, in Chromium: live numbers, MPI ranks, the end, a server that comes back."""

import fcntl
import html
import os
import pty
import re
import signal
import socket
import struct
import subprocess
import termios
import time

import pytest

from live_pages import TRIKAL, beside, drag, fits, live, start, steady, text, until, url, view, watched  # noqa: F401  fixtures among them
from test_screens import DARK, LAPTOP, PHONE, ROOT, TERMINAL, take


def test_it_is_live_within_two_seconds(start, live, steady, tmp_path):
    process, address = start(["watch", "--log", "w.darshan", "--", beside(steady / "steady", tmp_path), "9"], tmp_path)
    page = live(address)
    began = time.monotonic()
    page.wait_for_selector("#throughput path.line.write")
    assert time.monotonic() - began < 10  # the browser's own start included
    until(lambda: re.match(r"live, [\d.]+ (m?s) behind", text(page, ".status")))
    assert "token" not in url(page)

    def written():
        found = re.search(r"So far (\S+ \S+) written", text(page, "#verdict"))
        return found and found[1]
    first = until(written)
    until(lambda: written() != first, seconds=2)
    tiles = text(page, "#now")
    assert re.search(r"Written[\d.,]+ [KM]?i?B/s", tiles) and "Latency of a call" in tiles and "Active files1" in tiles
    assert page.query_selector("#files table").inner_text().count("steady.0") == 1
    assert "No events were asked for" in text(page, "#accounting")
    time.sleep(2)
    take(page, "live-now")
    # The last numbers are drawn before the server goes.
    until(lambda: "the run has ended" in text(page, ".status"), seconds=30)
    until(lambda: text(page, "#verdict").startswith("In all"))
    assert process.wait(timeout=30) == 0


def test_the_page_of_an_mpi_job(start, live, steady, tmp_path):
    process, address = start(["watch", "--log", "w.darshan", "--", "mpirun.mpich", "-n", "4", beside(steady / "steady-ranks", tmp_path), "12", "2"], tmp_path)
    page = live(address + "#view=heat")
    until(lambda: "4 ranks" in text(page, "#heat .sentence"), seconds=30)
    time.sleep(3)
    take(page, "live-heat")
    page.select_option("#heat select", "seconds")
    until(lambda: "measure=seconds" in url(page) and "I/O time by rank" in text(page, "#heat h2"))
    view(page, "Stragglers")
    until(lambda: "Rank 2 spent" in text(page, "#stragglers .sentence"))
    take(page, "live-stragglers")
    view(page, "Timelines")
    until(lambda: len(page.query_selector_all("#timelines svg")) >= 4)
    until(lambda: "the run has ended" in text(page, ".status"), seconds=40)
    assert process.wait(timeout=30) == 0


def test_the_example_of_the_demo(start, live, tmp_path):
    """The program of the demo: a finding while it runs, a phone, the machine in the dark. With more steps than are looked at."""
    subprocess.run(["cc", "-g", "-O2", "-o", tmp_path / "heat", ROOT / "examples" / "heat" / "heat.c"], check=True)
    (tmp_path / "data").mkdir()
    process, address = start(["watch", "--call-sites", "--log", "w.darshan", "--", "./heat", "6000", "data"], tmp_path)
    page = live(address, expect_lost=True, **PHONE)  # it is interrupted below
    machine = live(address + "#view=machine", expect_lost=True, **DARK)
    until(lambda: "small-writes" in text(page, "#findings") and "small-writes" in text(page, "#verdict"), seconds=40)
    assert "lost so far" in text(page, "#findings")
    assert fits(page)
    take(page, "live-phone")
    until(lambda: len(machine.query_selector_all("#machine svg")) >= 3 and "cpu." in text(machine, "#correlation table"), seconds=20)
    take(machine, "live-machine")
    view(page, "Top")
    until(lambda: "heat.c:33 (save_row)" in text(page, "#sites"), seconds=20)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=60)


@pytest.fixture(scope="module")
def finished(steady, tmp_path_factory):
    """A store with one run, of a program whose file has a name that is HTML."""
    name = "<img src=x onerror=alert(1)>"
    return watched(["--", steady / "steady", "4", "-1", name], tmp_path_factory.mktemp("finished"))


def test_zoom_and_filters_live_in_the_address(start, live, finished):
    _, address = start(["serve", finished], finished.parent)
    page = live(address)
    drag(page, "#throughput svg.chart", 0.4, 0.75)
    page.wait_for_selector(".chip")
    assert re.search(r"from=\d+&to=\d+", url(page))
    other = live(url(page).replace("/#", f"/?{address.split('?')[1]}#"))
    other.wait_for_selector(".chip")
    assert other.inner_text(".chip") == page.inner_text(".chip")
    page.click(".chip")
    until(lambda: text(page, ".chip") == "")
    page.click("#files a")
    page.wait_for_selector(".chip")
    assert "file=" in url(page)
    page.go_back()
    until(lambda: text(page, ".chip") == "")


def test_names_are_text(start, live, finished):
    _, address = start(["serve", finished], finished.parent)
    page = live(address + "#view=top")
    page.wait_for_selector("#files table")
    assert "<img src=x onerror=alert(1)>.0" in page.inner_text("#files table")
    assert page.query_selector("main img") is None
    view(page, "Timelines")
    page.wait_for_selector("#timelines select")
    page.select_option("#timelines select", "file")
    until(lambda: "<img src=x" in text(page, "#timelines h3"))
    # What an address says is text as well, and what makes no sense in it is told.
    page.goto(address.split("?")[0] + "#view=events&file=<img src=x onerror=alert(1)>")
    until(lambda: "<img src=x onerror=alert(1)>" in text(page, ".chip"))
    until(lambda: "trikal watch --events" in text(page, "#events"))


def test_it_comes_back_when_the_server_does(start, live, finished):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = ["serve", finished, "--port", str(port), "--token"]
    process, address = start([*command, "a-token-that-stays"], finished.parent)
    page = live(address, expect_lost=True)
    page.wait_for_selector("#throughput path.line.write")
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=20) == 0
    page.wait_for_selector(".status.lost")
    assert page.query_selector("#throughput path.line.write"), "what was drawn stays"
    process, _ = start([*command, "a-token-that-stays"], finished.parent)
    page.wait_for_selector(".status.live")
    view(page, "Top")
    page.wait_for_selector("#processes table")
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=20)
    page.wait_for_selector(".status.lost")
    start([*command, "another-token"], finished.parent)
    page.wait_for_selector(".status.refused")
    assert "another token" in text(page, ".status")


def test_the_screen_in_a_terminal(visit, tmp_path):
    """trikal watch --text, photographed as a terminal would show its last frame."""
    subprocess.run(["cc", "-g", "-O2", "-o", tmp_path / "heat", ROOT / "examples" / "heat" / "heat.c"], check=True)
    (tmp_path / "data").mkdir()
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 34, 110, 0, 0))
    command = ["trikal", "watch", "--text", "--no-page", "--log", "w.darshan", "--", "./heat", "6000", "data"]
    process = subprocess.Popen([TRIKAL, *command[1:]], cwd=tmp_path, stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
    os.close(slave)
    frame, output = "", ""
    deadline = time.monotonic() + 60
    while "small-writes" not in frame or frame.count("data/state") < 3:
        assert time.monotonic() < deadline and process.poll() is None, output
        output += os.read(master, 65536).decode(errors="replace")
        frame = next((one for one in reversed(re.split(r"\x1b\[\d+A\r", output)) if one.endswith("\x1b[J")), "")
    process.terminate()
    os.close(master)
    process.wait(timeout=60)
    shown = re.sub(r"\x1b\[[KJ]", "", frame).replace("\r", "").rstrip()
    assert re.search(r"write +[\d.]+ [KM]iB/s +[\d,]+ calls/s", shown) and "machine  cores busy" in shown and max(map(len, shown.splitlines())) < 110
    (tmp_path / "terminal.html").write_text(TERMINAL.format(html.escape(f"$ {' '.join(command)}\n{shown}\n")))
    take(visit((tmp_path / "terminal.html").as_uri(), **LAPTOP).page.locator("section"), "live-text")
