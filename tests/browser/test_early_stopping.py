"""The early-stopping page in a real browser: sliders move, the table answers."""

import re
import time

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

APP = "app.py"
PATIENCE = 90_000  # milliseconds; software rendering on a busy machine is slow
SETTLED = """() => {
    const app = document.querySelector("[data-testid=stApp]");
    const drawn = document.querySelectorAll(".js-plotly-plot .subplot");
    return app.dataset.testScriptState === "notRunning" && drawn.length >= 6;
}"""
NOT_FOUND = (
    "console: Failed to load resource: the server responded with a status of 404"
)


class Page:
    """The early-stopping page in one window."""

    def __init__(self, page, address, query=""):
        self.page = page
        missing = []
        page.on("response", lambda r: r.status == 404 and missing.append(r.url))
        page.goto(f"{address}/early_stopping{query}")
        page.wait_for_selector("table", timeout=PATIENCE)
        self.settle()
        # Streamlit looks for its own address by asking below the page's first.
        assert all("/early_stopping/_stcore/" in url for url in missing), missing
        page.problems[:] = [p for p in page.problems if not p.startswith(NOT_FOUND)]

    def settle(self):
        """Wait until the script has ended and the figures stand still."""
        self.page.wait_for_function(SETTLED, timeout=PATIENCE)
        self.page.wait_for_timeout(500)

    def stop_of(self, rule):
        """The "Stops at" cell of a rule."""
        row = self.page.locator("table tbody tr").filter(has_text=rule).first
        return row.locator("td").nth(1).inner_text()

    def slider(self, label):
        return self.page.get_by_role("slider", name=label)

    def press(self, label, key, times=1):
        """Move a slider by keys, as someone who cannot use a mouse does."""
        slider = self.slider(label)
        slider.wait_for(state="attached", timeout=PATIENCE)
        self.settle()
        slider.focus()
        for _ in range(times):
            self.page.keyboard.press(key)

    def wait_for_stop(self, rule, differs_from):
        end = time.monotonic() + PATIENCE / 1000
        while self.stop_of(rule) == differs_from:
            assert time.monotonic() < end, f"{rule} still stops at {differs_from}"
            self.page.wait_for_timeout(100)
        return self.stop_of(rule)


def iteration(cell):
    return int(re.fullmatch(r"t = (\d+)", cell).group(1))


@pytest.fixture
def early(page, serve):
    return Page(page, serve(APP))


def test_a_link_straight_to_the_page_has_navigation_and_table(early):
    early.page.get_by_text("Playground").first.wait_for(timeout=PATIENCE)
    assert early.page.locator("table tbody tr").count() == 8
    assert early.page.locator(".js-plotly-plot").count() == 4


def test_a_looser_threshold_stops_earlier(early):
    before = early.stop_of("Gradient norm")
    early.press("Gradient norm below", "ArrowLeft", 4)
    early.page.wait_for_function(
        "() => location.search.includes('at.gradient=-4.0')", timeout=PATIENCE
    )
    after = early.wait_for_stop("Gradient norm", before)
    assert iteration(after) < iteration(before)


def test_the_cursor_moves_picture_and_sentence(early):
    early.page.get_by_text("The classifier at t = 14").wait_for(timeout=PATIENCE)
    early.page.get_by_text("an iteration I choose").click()
    early.press("Iteration t", "ArrowLeft", 3)
    early.page.get_by_text("The classifier at t = 11").wait_for(timeout=PATIENCE)
    assert "Iteration 11." in early.page.inner_text("body")


def test_a_phone_shows_the_page_without_scrolling_sideways(new_page, serve):
    early = Page(new_page(width=390, height=844), serve(APP))
    page = early.page
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("e => e.scrollWidth <= e.clientWidth + 1")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_figures_take_the_colours_of_the_page(new_page, serve, scheme):
    early = Page(new_page(color_scheme=scheme), serve(APP))
    title = early.page.locator(".js-plotly-plot .annotation-text").first
    fill = title.evaluate("e => getComputedStyle(e).fill")
    ink = {"light": "rgb(28, 35, 48)", "dark": "rgb(232, 236, 243)"}[scheme]
    assert fill == ink
