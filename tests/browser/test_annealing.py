"""The annealing page in a real browser: questions first, then one cursor for all."""

import numpy as np
import pytest

from halfmoon.pages._parts.annealing import annealed_runs as lesson
from halfmoon.pages._parts.annealing.annealing_questions import QUESTIONS
from halfmoon.pages._parts.running.run_server import RunServer
from tests.browser.quiet import wait_until_quick

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

APP = "app.py"
PATIENCE = 90_000  # milliseconds; software rendering on a busy machine is slow
QUICK = 20  # milliseconds to draw, in the median of the stage's own clock
NOT_FOUND = (
    "console: Failed to load resource: the server responded with a status of 404"
)
SETTLED = """(wanted) => {
    const app = document.querySelector("[data-testid=stApp]");
    const stages = [...(window.halfmoonStages ?? [])];
    const idle = app.dataset.testScriptState === "notRunning";
    return idle && stages.filter((s) => s.root.dataset.ready === "1").length >= wanted;
}"""
LOSS = """([root, frame]) => {
    const panel = root.halfmoon.panels.find((p) => p.curveAt);
    return [panel.reach, ...panel.curveAt(frame)];
}"""


class Page:
    """The annealing page in one window, with what it sends to the server."""

    def __init__(self, page, address, stages=1):
        self.page, self.sent = page, []
        page.on("websocket", self._listen)
        page.goto(address)
        self.settle(stages)
        # Streamlit looks for its own address by asking below the page's first.
        page.problems[:] = [p for p in page.problems if not p.startswith(NOT_FOUND)]

    def _listen(self, socket):
        socket.on("framesent", lambda message: self.sent.append(message))

    def settle(self, stages=1):
        there = self.page.get_by_text("Explanation", exact=True)
        there.wait_for(state="attached", timeout=PATIENCE)
        self.page.wait_for_function(SETTLED, arg=stages, timeout=PATIENCE)

    @property
    def root(self):
        return self.page.locator(".hm-stage").first

    def data(self, name):
        return self.root.evaluate(f"e => e.dataset.{name}")

    def frames(self):
        return self.root.evaluate("e => e.halfmoon.view.T")

    def caption(self):
        return self.page.locator(".hm-caption").first.inner_text()

    def says(self, words):
        self.page.locator(".hm-caption", has_text=words).wait_for(timeout=PATIENCE)

    def press(self, key):
        self.page.locator(".hm-area").first.focus()
        self.page.keyboard.press(key)

    def loss(self, frame):
        handle = self.root.element_handle()
        reach, *curve = self.page.evaluate(LOSS, [handle, frame])
        return np.linspace(-reach, reach, len(curve)), np.array(curve)

    def loss_in_sight(self):
        panel = self.page.locator(".hm-panel canvas").first
        box, height = panel.bounding_box(), self.page.viewport_size["height"]
        return box["y"] >= 0 and box["y"] + box["height"] <= height


@pytest.fixture(scope="module")
def run():
    return RunServer().ask(lesson.scenario_for("clusters")).outcome()


def test_the_answer_shows_the_run_and_the_cursor_asks_nothing(page, serve, run):
    annealing = Page(page, f"{serve(APP)}/annealing")
    page.get_by_text("What happens to such a point?").wait_for(timeout=PATIENCE)
    hidden = annealing.frames()
    assert hidden < 6
    assert page.get_by_text("in this run").count() == 0
    page.get_by_text("It stays undecided").click()
    page.get_by_text(
        "Not in this run: it gets the class of the nearer cluster."
    ).wait_for(timeout=PATIENCE)
    annealing.settle()
    assert annealing.frames() == len(run.trace) > 10 * hidden
    asked = len(annealing.sent)
    # It plays at once, from the start.
    page.wait_for_function(
        "(e) => e.dataset.playing === '1'",
        arg=annealing.root.element_handle(),
        timeout=PATIENCE,
    )
    wait_until_quick(page, QUICK)
    annealing.press("Space")
    annealing.press("Home")
    annealing.says("Start, T = 10.")
    annealing.press("End")
    annealing.says("Final training, of the best classifier")
    for _ in range(4):
        annealing.press("ArrowLeft")
    heat = page.locator(".hm-panel canvas").nth(1)
    box = heat.bounding_box()
    heat.click(position={"x": 0.4 * box["width"], "y": 0.6 * box["height"]})
    frame = int(annealing.data("frame"))
    assert 0.3 < frame / len(run.trace) < 0.5
    assert len(annealing.sent) == asked
    # What is drawn is the loss that the core minimises, at every moment.
    for i in (0, frame, len(run.trace) - 1):
        o, curve = annealing.loss(i)
        ours = run.trace.states[i].lens.curve(o)
        seen = ours < 2.4
        np.testing.assert_allclose(curve[seen], ours[seen], atol=2e-3)
    hot, cold = annealing.loss(0)[1], annealing.loss(len(run.trace) - 1)[1]
    middle = len(hot) // 2
    assert hot.argmin() == middle
    assert cold[middle] > 0.5 > cold[-1]
    label = page.locator(".hm-panel canvas").first.get_attribute("aria-label")
    assert "unlabelled points" in label
    assert annealing.loss_in_sight()


def test_a_shared_link_opens_the_same_view_at_the_same_moment(page, new_page, serve):
    address = f"{serve(APP)}/annealing"
    annealing = Page(page, f"{address}?at.view=1&at.pairs=1")
    for _ in range(3):
        annealing.press("ArrowRight")
    page.get_by_role("button", name="Share", exact=True).click()
    # A busy browser shows the link, and the last of the keys, a little later.
    link = page.locator(".hm-link code", has_text="at.view=1").inner_text()
    said = annealing.caption()
    again = Page(new_page(width=1280, height=720), link)
    assert again.caption() == said
    assert again.data("frame") == annealing.data("frame")
    assert again.page.get_by_text(QUESTIONS[1].text).count() == 0
    assert again.loss_in_sight()


def test_annealed_and_cold_are_played_in_step(page, serve):
    annealing = Page(page, f"{serve(APP)}/annealing?at.view=2&at.cold=1", stages=2)
    page.wait_for_selector("table", timeout=PATIENCE)
    assert page.locator("table tbody tr").count() == 6
    asked = len(annealing.sent)
    annealing.press("Home")
    annealing.press("ArrowRight")
    annealing.press("ArrowRight")
    at = page.locator(".hm-stage").evaluate_all(
        "all => all.map((e) => e.halfmoon.time.moment)"
    )
    assert at == [2, 2]
    assert len(annealing.sent) == asked


def test_present_mode_asks_first_as_well(new_page, serve):
    annealing = Page(new_page(1280, 720), f"{serve(APP)}/annealing?present=1")
    assert annealing.page.get_by_text(QUESTIONS[0].text).is_visible()
    hidden = annealing.frames()
    annealing.page.get_by_text("Show without predicting").click()
    annealing.says("Iteration 31, T = 1.32.")
    assert annealing.frames() > 10 * hidden
    assert annealing.loss_in_sight()


@pytest.mark.parametrize(
    ("width", "scheme", "view"), [(390, "dark", 0), (768, "light", 1)]
)
def test_a_narrow_screen_does_not_scroll_sideways(new_page, serve, width, scheme, view):
    field = QUESTIONS[view].field
    window = new_page(width=width, height=844, color_scheme=scheme)
    link = f"{serve(APP)}/annealing?at.view={view}&at.{field}=0"
    annealing = Page(window, link)
    main = annealing.page.locator("[data-testid=stMain]")
    assert main.evaluate("e => e.scrollWidth <= e.clientWidth + 1")
    assert annealing.data("theme") == scheme
