"""Chromium of the system, driven by Playwright, and pages made by the built product."""

import shutil

import pytest

from pages import write_page


@pytest.fixture(scope="session")
def chromium():
    """Without a browser nothing here is tested, so its absence is a failure and no skip."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.fail("the Python package playwright is missing: run scripts/install-deps")
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if not program:
        pytest.fail("no chromium on this machine: run scripts/install-deps")
    with sync_playwright() as playwright:
        # Containers seldom allow the browser's sandbox; the pages are our own.
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


class Opened:
    """A page in its own profile, with what it complained of and what it asked the network for."""

    def __init__(self, browser, address, **options):
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)  # a loaded machine takes ten seconds for a picture of a long page
        self.complaints, self.requests = [], []
        self.page.on("console", lambda message: message.type in ("error", "warning")
                     and self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(address)
        self.page.wait_for_selector("main section")

    def evaluate(self, code):
        return self.page.evaluate(code)


@pytest.fixture
def visit(chromium):
    """visit(address, options of a Playwright context): the open page. Whatever it complains of fails the test."""
    opened = []

    def open_page(address, **options):
        opened.append(Opened(chromium, address, **options))
        return opened[-1]

    yield open_page
    for one in opened:
        one.context.close()
        assert not one.complaints, one.complaints
        outside = [url for url in one.requests if not url.startswith(("file:", "data:", "blob:"))]
        assert not outside, outside


@pytest.fixture
def show(visit, tmp_path):
    """show(data, options): the page of a document of the test's."""
    return lambda data, **options: visit(write_page(data, tmp_path / "page.html"), **options)
