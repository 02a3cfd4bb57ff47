"""The annealing page in a real browser: the cursor moves, the pictures follow."""

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

APP = "app.py"
PATIENCE = 90_000  # milliseconds; software rendering on a busy machine is slow
SETTLED = """(figures) => {
    const app = document.querySelector("[data-testid=stApp]");
    const drawn = document.querySelectorAll(".js-plotly-plot .main-svg .xy");
    return app.dataset.testScriptState === "notRunning" && drawn.length >= figures;
}"""
NOT_FOUND = (
    "console: Failed to load resource: the server responded with a status of 404"
)


class Page:
    """The annealing page in one window."""

    def __init__(self, page, address, query="", figures=4):
        self.page = page
        missing = []
        page.on("response", lambda r: r.status == 404 and missing.append(r.url))
        page.goto(f"{address}/annealing{query}")
        page.get_by_text("What is going on here?").wait_for(timeout=PATIENCE)
        self.settle(figures)
        # Streamlit looks for its own address by asking below the page's first.
        assert all("/annealing/_stcore/" in url for url in missing), missing
        page.problems[:] = [p for p in page.problems if not p.startswith(NOT_FOUND)]

    def settle(self, figures):
        self.page.wait_for_function(SETTLED, arg=figures, timeout=PATIENCE)

    def wait_for(self, text):
        self.page.get_by_text(text).first.wait_for(timeout=PATIENCE)


@pytest.fixture
def annealing(page, serve):
    return Page(page, serve(APP))


def test_a_link_straight_to_the_page_has_navigation_and_figures(annealing):
    annealing.wait_for("Playground")
    assert annealing.page.locator(".js-plotly-plot").count() == 4


def test_the_cursor_moves_pictures_sentence_and_link(annealing):
    page = annealing.page
    heading = page.get_by_text("What the points believe at t = ").first
    t = int(heading.inner_text().split("= ")[1])
    page.get_by_role("slider", name="Iteration t").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    annealing.wait_for(f"What the points believe at t = {t + 3}")
    annealing.wait_for(f"Iteration {t + 3}, T = ")
    page.wait_for_url(f"**t={t + 3}*", timeout=PATIENCE)


def test_the_views_can_be_visited(annealing):
    page = annealing.page
    page.get_by_text("Switching labels").click()
    annealing.wait_for("The loss, and the points on it")
    page.get_by_text("Annealed or not").click()
    page.wait_for_selector("table", timeout=PATIENCE)
    assert page.locator("table tbody tr").count() == 6


def test_a_phone_shows_the_page_without_scrolling_sideways(new_page, serve):
    annealing = Page(new_page(width=390, height=844), serve(APP))
    main = annealing.page.locator("[data-testid=stMain]")
    assert main.evaluate("e => e.scrollWidth <= e.clientWidth + 1")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_figures_take_the_colours_of_the_page(new_page, serve, scheme):
    annealing = Page(new_page(color_scheme=scheme), serve(APP))
    ink = {"light": "rgb(28, 35, 48)", "dark": "rgb(232, 236, 243)"}[scheme]
    # A figure may be drawn anew while it is asked: the colour it ends with counts.
    annealing.page.wait_for_function(
        """(ink) => {
            const title = document.querySelector(".js-plotly-plot .annotation-text");
            return title !== null && getComputedStyle(title).fill === ink;
        }""",
        arg=ink,
        timeout=PATIENCE,
    )
