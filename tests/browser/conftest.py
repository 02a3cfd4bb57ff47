"""Fixtures for tests that drive the app in a real Chromium.

`serve(script)` starts Streamlit and gives an address, `page` opens a window on it.
When a test ends, its pages must have logged no error and asked no other machine.

A page in a new process takes 3.4 s of CPU until the stage stands, nearly all of it for
compiling Streamlit's JavaScript; in a process that has done so before, 1.7 s. Hence the
contexts (cookies, storage, colours) are kept from test to test and hold on to their
processes, while every page is a new one. Two pages of one test never share a context:
they are two visitors. `kept_page` gives tests that can do so one page in turns.
"""

import os
from itertools import chain
from urllib.parse import urlsplit

import pytest

from tests.browser.demo import DEMO, Demo
from tests.browser.playground import APP, Playground
from tests.browser.serving import FLAGS, find_chromium, start_server, stop_server
from tests.conftest import NO_BROWSER

NO_SITE = "http://127.0.0.1/"  # the same site as every server here, never asked for


def give_up(reason):
    """Skip the test, which the last lines of the run tell; in CI, fail it."""
    reason = f"{NO_BROWSER}: {reason}"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium; without one the test is skipped, in CI it fails."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        give_up("install playwright, or all of tests/requirements.txt.")
    with sync_playwright() as playwright:
        path = find_chromium(playwright)
        if path is None:
            give_up(
                "install the system's chromium package or run "
                "`playwright install chromium`."
            )
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def serve():
    """``serve(script)`` starts Streamlit once for each script; returns its address."""
    running = {}

    def start(script):
        if script not in running:
            running[script] = start_server(script)
        return running[script][1]

    yield start
    for process, _ in running.values():
        stop_server(process)


class Windows:
    """Contexts that are kept, each with a blank page that keeps its process alive."""

    def __init__(self, browser):
        self.browser, self.kept = browser, {}

    def context(self, number, **options):
        """The context of a test's visitor ``number``; the same again in every test."""
        options = {"color_scheme": "light"} | options
        key = number, *sorted(options.items())
        if key not in self.kept:
            self.kept[key] = context = self.browser.new_context(**options)
            blank = context.new_page()
            blank.route("**/*", lambda route: route.fulfill(body=""))
            blank.goto(NO_SITE)
        return self.kept[key]

    def close(self):
        for context in self.kept.values():
            context.close()


@pytest.fixture(scope="session")
def windows(browser):
    windows = Windows(browser)
    yield windows
    windows.close()


def leave(page):
    """Close a page and what it leaves in its context."""
    if page.is_closed():
        return
    if page.url.startswith("http"):
        page.evaluate("localStorage.clear()")
    page.context.clear_cookies()
    page.close()


SHOWN = 600  # characters of a page that a failure quotes
PAGES = pytest.StashKey()
FAILED = pytest.StashKey()


def pytest_runtest_makereport(item, call):
    """A failure says what its pages showed, in the summary too."""
    if call.when != "call" or call.excinfo is None:
        return
    item.stash[FAILED] = True
    for page in chain.from_iterable(item.stash.get(PAGES, ())):
        if not page.is_closed():
            text = " / ".join(page.locator("body").inner_text().split("\n"))
            call.excinfo.value.add_note(f"{page.url} showed: {text[:SHOWN]}")


def is_local(url):
    parts = urlsplit(url)
    return parts.scheme in ("data", "blob") or parts.hostname in (
        "127.0.0.1",
        "localhost",
    )


def watched(page):
    """Keep what goes wrong in ``page.problems``, messages to servers in ``page.sent``.

    Wrong are console errors, exceptions and requests to other machines.
    """
    page.problems, page.sent = problems, sent = [], []

    def on_console(message):
        if message.type == "error":
            problems.append(f"console: {message.text}")

    def on_request(request):
        if not is_local(request.url):
            problems.append(f"request: {request.url}")

    def keep(message):
        sent.append(message)

    page.on("console", on_console)
    page.on("pageerror", lambda error: problems.append(f"exception: {error}"))
    page.on("request", on_request)
    page.on("websocket", lambda socket: socket.on("framesent", keep))
    return page


@pytest.fixture
def new_page(windows, request):
    """``new_page(width=, height=, **context_options)`` opens a window that is watched.

    Console errors, uncaught exceptions and requests to other machines are kept in
    ``page.problems``, and the test fails at its end if there are any. With
    ``cold=True`` the browser has never seen the app.
    """
    opened, cold_contexts = [], []
    request.node.stash.setdefault(PAGES, []).append(opened)

    def start(width=1440, height=900, cold=False, **options):
        if cold:
            context = windows.browser.new_context(**options)
            cold_contexts.append(context)
        else:
            context = windows.context(len(opened), **options)
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        opened.append(watched(page))
        return page

    yield start
    found = [problem for page in opened for problem in page.problems]
    for page in opened:
        leave(page)
    for context in cold_contexts:
        context.close()
    assert not found, found


@pytest.fixture
def page(new_page):
    """A watched desktop window of 1440 x 900, light."""
    return new_page()


@pytest.fixture(scope="session")
def kept_pages():
    """Pages that tests use in turns, by their address."""
    return {}


@pytest.fixture
def kept_page(windows, kept_pages, request):
    """``kept_page(address)`` gives the page that is open there, a new one at first.

    For tests that leave the page as they found it, or begin by setting it back. The
    page is watched as any other; after a test that fails, the next one gets a new page.

    Returns
    -------
    page, is_new
    """
    used = {}
    request.node.stash.setdefault(PAGES, []).append(used.values())

    def give(address):
        is_new = address not in kept_pages
        if is_new:
            page = windows.context("kept").new_page()
            page.set_viewport_size({"width": 1440, "height": 900})
            kept_pages[address] = watched(page)
            page.goto(address)
        used[address] = page = kept_pages[address]
        page.bring_to_front()
        return page, is_new

    yield give
    found = [problem for page in used.values() for problem in page.problems]
    for address in used:
        if found or request.node.stash.get(FAILED, False):
            kept_pages.pop(address).close()
    assert not found, found


@pytest.fixture
def open_demo(kept_page, serve):
    """``open_demo(query)`` gives a stage that nobody has touched."""

    def start(query=""):
        page, is_new = kept_page(f"{serve(DEMO)}/?{query}")
        return Demo(page) if is_new else Demo(page).start_over()

    return start


@pytest.fixture
def demo(open_demo):
    return open_demo()


@pytest.fixture
def used_demo(kept_page, serve):
    """A stage with whatever the tests before did, for claims that hold of any."""
    page, _ = kept_page(f"{serve(DEMO)}/?")
    page.mouse.move(1, 1)
    return Demo(page)


@pytest.fixture
def standing(kept_page, serve):
    """The playground's first screen at its end, for tests that edit nothing."""
    page, _ = kept_page(f"{serve(APP)}/")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.mouse.move(1, 1)
    playground = Playground(page).ready()
    playground.ask("s.player.speed = 1; s.time.seek(s.player.T - 1);")
    return playground
