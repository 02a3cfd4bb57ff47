"""Path and jumps in a real browser: stepping over a jump, scrubbing, sharing."""

import re

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

APP = "app.py"
SHOWN = "at.guess=3"  # without the question
PATIENCE = 90_000  # milliseconds; software rendering on a busy machine is slow
NOT_FOUND = (
    "console: Failed to load resource: the server responded with a status of 404"
)
BEFORE = "Before the jump: point 11 has reached f = 0"
AFTER = "After the jump: the labels of points 2, 6, 11, 13 flipped"
RINGS = """() => {
    const stage = [...window.halfmoonStages][0], { view, player } = stage;
    const { data, shape } = view.arrays.struck, row = shape[1] * player.frame;
    const ringed = (i) => data[row + (i >> 3)] >> (i & 7) & 1;
    return Array.from({ length: view.n }, (_, i) => i).filter(ringed);
}"""
SETTLED = """() => {
    const app = document.querySelector("[data-testid=stApp]");
    const stage = [...(window.halfmoonStages ?? [])][0];
    const idle = app.dataset.testScriptState === "notRunning";
    return idle && stage?.root.dataset.ready === "1";
}"""


class Page:
    """The page in one window, with what it sends to the server."""

    def __init__(self, page, address):
        self.page, self.sent = page, []
        page.on("websocket", self._listen)
        page.goto(address)
        page.get_by_text("Explanation", exact=True).wait_for(timeout=PATIENCE)
        page.wait_for_function(SETTLED, timeout=PATIENCE)
        # Streamlit looks for its own address by asking below the page's first.
        page.problems[:] = [p for p in page.problems if not p.startswith(NOT_FOUND)]

    def _listen(self, socket):
        socket.on("framesent", lambda message: self.sent.append(message))

    @property
    def place(self):
        return self.page.locator(".hm-count").inner_text()

    @property
    def position(self):
        return int(self.page.locator(".hm-scrub input").input_value())

    def says(self, words):
        self.page.locator(".hm-caption", has_text=words).wait_for(timeout=PATIENCE)

    def stands(self, words):
        exactly = re.compile(f"^{re.escape(words)}$")
        self.page.locator(".hm-count", has_text=exactly).wait_for(timeout=PATIENCE)

    def step(self, key):
        self.page.locator(".hm-area").focus()
        self.page.keyboard.press(key)


@pytest.fixture
def path(page, serve):
    return Page(page, f"{serve(APP)}/path?{SHOWN}")


def test_a_jump_is_stepped_over_in_both_directions(path):
    path.says(BEFORE)
    assert path.place == "C* = 0.0755"
    assert path.page.evaluate(RINGS) == [11]
    at = path.position
    path.step("ArrowRight")
    path.says(AFTER)
    assert (path.place, path.position) == ("C* = 0.0755", at)
    assert path.page.evaluate(RINGS) == [2, 6, 11, 13]
    path.says("Objective 1.04869 before, 0.851112 now")
    path.step("ArrowLeft")
    path.says(BEFORE)
    assert path.page.evaluate(RINGS) == [11]


def test_scrubbing_playing_and_rows_ask_the_server_nothing(path):
    page = path.page
    asked = len(path.sent)
    path.step("Home")
    path.says("The supervised SVM")
    path.stands("C* = 0")
    page.locator(".hm-scrub input").scroll_into_view_if_needed()
    box = page.locator(".hm-scrub input").bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + box["height"] / 2)
    page.mouse.down()
    for share in (0.3, 0.5, 0.7, 0.99):
        y = box["y"] + box["height"] / 2
        page.mouse.move(box["x"] + share * box["width"], y)
    page.mouse.up()
    path.says("The end")
    assert path.place == "C* = 1"
    page.locator(".hm-panel canvas").nth(3).click(position={"x": 200, "y": 120})
    row = page.locator(".hm-moments tbody tr").first
    row.click()
    path.says(BEFORE)
    page.locator(".hm-moments tr[aria-current=true]").wait_for(timeout=PATIENCE)
    page.locator("[data-role=play]").click()
    path.says(AFTER)  # the player rests before the jump, then goes over it
    page.locator("[data-role=play]").click()
    assert len(path.sent) == asked


def test_a_shared_link_opens_at_the_same_place(path, new_page):
    page = path.page
    path.step("ArrowRight")
    for _ in range(5):
        path.step("ArrowRight")
    page.get_by_role("button", name="Share", exact=True).click()
    code = page.locator(".hm-link code")
    code.wait_for(timeout=PATIENCE)
    # Read only now: a busy browser shows the last of six keys a little later.
    place, position = path.place, path.position
    assert place != "C* = 0.0755"
    other = Page(new_page(color_scheme="dark"), code.inner_text())
    assert (other.place, other.position) == (place, position)


def test_a_phone_shows_the_page_without_scrolling_sideways(new_page, serve):
    path = Page(new_page(width=390, height=844), f"{serve(APP)}/path?{SHOWN}")
    main = path.page.locator("[data-testid=stMain]")
    assert main.evaluate("e => e.scrollWidth <= e.clientWidth + 1")
    path.step("ArrowRight")
    path.says(AFTER)
