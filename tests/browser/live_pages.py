"""What tests of the live page share: programs that do I/O, running servers, pages that may not complain."""

import re
import subprocess
import time

import pytest

from pages import BUILD, ROOT
from test_screens import LAPTOP

TRIKAL = BUILD / "bin" / "trikal"
PROGRAMS = ROOT / "tests" / "watch" / "programs"


@pytest.fixture(scope="session")
def steady(tmp_path_factory):
    """The program, plain and for MPI."""
    folder = tmp_path_factory.mktemp("steady")
    subprocess.run(["cc", "-O1", "-g", "-o", folder / "steady", PROGRAMS / "steady.c"], check=True)
    subprocess.run(["mpicc.mpich", "-O1", "-g", "-DWITH_MPI", "-o", folder / "steady-ranks", PROGRAMS / "steady.c"], check=True)
    return folder


def beside(program, folder):
    """A short name for it: pictures show it."""
    link = folder / program.name
    if not link.exists():
        link.symlink_to(program)
    return f"./{program.name}"


def watched(arguments, cwd):
    """A run that nobody looked at while it ran: its store is w.sqlite, its log w.darshan."""
    subprocess.run([TRIKAL, "watch", "--no-page", "--log", "w.darshan", *arguments], cwd=cwd, check=True, capture_output=True)
    return cwd / "w.sqlite"


@pytest.fixture
def start():
    """start(arguments, cwd): the process and the address of its page."""
    running = []

    def begin(arguments, cwd, **options):
        process = subprocess.Popen([TRIKAL, *arguments], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
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
        page.on("request", lambda request: request.url.startswith((address.split("?")[0].split("#")[0], "data:")) or complaints.append(request.url))
        opened.append((context, complaints, expect_lost))
        page.goto(address)
        return page
    yield open_page
    for context, complaints, expect_lost in opened:
        context.close()
        # A browser itself writes to the console that a connection was refused.
        left = [text for text in complaints if not (expect_lost and ("net::ERR" in text or "401" in text))]
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


def url(page):
    """Playwright's own idea of it is that of the last event that it was told of."""
    return page.evaluate("location.href")


def view(page, name):
    """Opens a view by its tab."""
    page.click(f"nav >> text={name}")


def drag(page, selector, begin, end, down=0.5, down_end=None):
    """Over a picture, from one share of its width to another."""
    page.wait_for_selector(selector)
    page.evaluate("selector => document.querySelector(selector).scrollIntoView({block: 'center'})", selector)
    box = until(lambda: page.query_selector(selector).bounding_box())
    page.mouse.move(box["x"] + box["width"] * begin, box["y"] + box["height"] * down)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * end, box["y"] + box["height"] * (down if down_end is None else down_end), steps=4)
    page.mouse.up()


def fits(page):
    """Nothing but what scrolls in a frame of its own is wider than the screen."""
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
