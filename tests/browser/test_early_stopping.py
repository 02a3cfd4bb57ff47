"""The early-stopping page in a real browser: predict, drag, follow, share."""

import re

import pytest
from playwright.sync_api import expect

from halfmoon.pages._parts.early_stopping import stopping_runs as lesson
from halfmoon.pages._parts.running.run_server import RunServer
from ssl_core.stopping import judge
from tests.browser.quiet import wait_until_quick

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

APP = "app.py"
PATIENCE = 90_000  # milliseconds; software rendering on a busy machine is slow
QUICK = 20  # milliseconds that a moment may take to draw
NOT_FOUND = (
    "console: Failed to load resource: the server responded with a status of 404"
)
SETTLED = """() => {
    const app = document.querySelector("[data-testid=stApp]");
    const stage = [...(window.halfmoonStages ?? [])][0];
    const idle = app.dataset.testScriptState === "notRunning";
    return idle && stage?.root.dataset.ready === "1";
}"""
# Time from moving a line to the end of the drawing that shows it, not left to the next
# frame; every rule is judged on the way.
DRAG_MS = """() => {
    const stage = [...window.halfmoonStages][0], { renderer } = stage, times = [];
    for (let k = 0; k < 30; k++) {
        const start = performance.now();
        stage.panels[0].put("gradient", -3 - k / 10);
        const drawn = renderer.dirty.has("moment");
        renderer.stop();
        renderer.draw(start);
        if (drawn) times.push(performance.now() - start);
    }
    return [times.length, times.sort((a, b) => a - b)[times.length >> 1]];
}"""


class Page:
    """The page in one window, with what it sends to the server."""

    def __init__(self, page, address):
        self.page, self.sent = page, []
        page.on("websocket", self._listen)
        page.goto(address)
        page.get_by_text("Explanation", exact=True).wait_for(timeout=PATIENCE)
        self.settle()
        # Streamlit looks for its own address by asking below the page's first.
        page.problems[:] = [p for p in page.problems if not p.startswith(NOT_FOUND)]

    def _listen(self, socket):
        socket.on("framesent", lambda message: self.sent.append(message))

    def settle(self):
        self.page.wait_for_function(SETTLED, timeout=PATIENCE)

    @property
    def t(self):
        return int(re.match(r"t = (\d+)", self.page.inner_text(".hm-count"))[1])

    def at(self, t):
        self.page.locator(".hm-count", has_text=f"t = {t} of").wait_for(
            timeout=PATIENCE
        )

    def row(self, rule):
        return self.page.locator(f".hm-rules tr[data-rule={rule}]")

    def stop_of(self, rule):
        return int(
            re.match(r"t = (\d+)", self.row(rule).locator("td").first.inner_text())[1]
        )

    def handle(self, rule):
        return self.page.get_by_role("slider", name=f"Threshold of the {rule}")

    def drag(self, element, dy, drop=True):
        element.scroll_into_view_if_needed()
        box = element.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        for k in range(1, 6):
            self.page.mouse.move(x, y + dy * k / 5)
        if drop:
            self.page.mouse.up()

    def answer(self):
        self.page.get_by_role("button", name="I would stop at").click()
        self.page.locator(".hm-rules").wait_for(timeout=PATIENCE)

    def in_address(self, words):
        self.page.wait_for_function(
            "words => location.search.includes(words)", arg=words, timeout=PATIENCE
        )


@pytest.fixture(scope="module")
def trace():
    return RunServer().ask(lesson.scenario_for("two_moons")).outcome().trace


def test_the_reader_predicts_first_and_then_sees_the_answers(page, serve, trace):
    early = Page(page, f"{serve(APP)}/early_stopping")
    visible = page.locator(".hm-panel").all_inner_texts()
    assert len(visible) == 1  # the norms alone
    assert "Where would you stop?" in visible[0]
    assert page.locator(".hm-caption").is_hidden()
    drawn = "() => { const { view } = [...window.halfmoonStages][0];"
    drawn += " return ['field', 'f', 'truth'].filter((name) => view.arrays[name]); }"
    assert page.evaluate(drawn) == []
    page.locator(".hm-area").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="I would stop at t = 3").wait_for(timeout=PATIENCE)
    assert page.locator(".hm-rules").count() == 0
    early.answer()
    assert page.evaluate(drawn) == ["field", "f", "truth"]
    assert early.stop_of("guess") == early.t == 3
    free = trace.y == 0
    late = (trace.labels[3:] != trace.labels[3])[:, free].any(axis=0).sum()
    said = page.locator(".hm-ask p").inner_text()
    assert f"Too early for {late} unlabelled points" in said
    assert page.locator(".hm-rules tbody tr").count() == len(lesson.RULE_ORDER)
    early.in_address("at.guess=3.0")
    assert "at.hide" not in page.url
    # Late enough, and asked again.
    early.page.get_by_role("slider", name="Your prediction").press("PageUp")
    assert "Late enough" in page.locator(".hm-ask p").inner_text()
    page.get_by_role("button", name="Predict again").click()
    page.get_by_role("button", name="I would stop at t = 0").wait_for(timeout=PATIENCE)
    assert page.locator(".hm-panel").count() == 1
    early.in_address("at.hide=1.0")


LINK = "?v=1&data=two_moons&data.n=400&seed=2&labels=telling&draw=2&val=50&test=150"
LINK += "&algorithm=lapsvm_pcg&sigma=0.35"


@pytest.fixture
def early(page, serve):
    """As a link of before opens it: with the answers in sight."""
    page.set_viewport_size({"width": 1280, "height": 720})
    return Page(page, f"{serve(APP)}/early_stopping{LINK}")


def test_cursor_and_lines_ask_the_server_nothing_until_one_is_let_go(early, trace):
    page = early.page
    assert early.t == early.stop_of("stability") == 14
    asked = len(early.sent)
    page.locator(".hm-area").focus()
    page.keyboard.press("Home")
    early.at(0)
    page.locator(".hm-panel canvas").first.click(position={"x": 300, "y": 75})
    early.row("gradient").click()
    early.at(early.stop_of("gradient"))
    page.locator("[data-role=play]").click()
    wait_until_quick(page, QUICK, timeout=PATIENCE)
    page.locator("[data-role=play]").click()
    drags = [page.evaluate(DRAG_MS) for _ in range(3)]
    assert min(moves for moves, _ in drags) >= 29
    assert min(median for _, median in drags) < QUICK, drags
    # A line under way: rows, cursor and verdict move, the server hears nothing.
    before = early.stop_of("gradient")
    early.drag(early.handle("gradient norm"), -40, drop=False)
    exponent = float(early.handle("gradient norm").get_attribute("aria-valuenow"))
    stop = judge(
        lesson.rules_of(lesson.Thresholds(gradient=exponent), trace)["gradient"], trace
    )
    assert early.stop_of("gradient") == stop < before
    early.at(stop)
    assert f"stops at t = {stop} of" in page.locator(".hm-verdict").inner_text()
    assert len(early.sent) == asked
    page.mouse.up()
    early.in_address(f"at.gradient={exponent}")
    assert len(early.sent) == asked + 1
    early.settle()
    assert early.stop_of("gradient") == stop
    # The answer of the server moves nothing, and what it offers has the threshold.
    early.at(stop)


def test_keys_move_a_threshold_and_the_checks(early, trace):
    page, asked = early.page, len(early.sent)
    handle = early.handle("gradient norm")
    handle.focus()
    for _ in range(20):
        page.keyboard.press("ArrowUp")
    rule = lesson.rules_of(lesson.Thresholds(gradient=-4.0), trace)["gradient"]
    assert early.stop_of("gradient") == judge(rule, trace)
    expect(handle).to_have_attribute("aria-valuetext", re.compile("^10⁻⁴"))
    early.in_address("at.gradient=-4.0")
    assert len(early.sent) == asked + 1  # one message for all keys
    theta = page.get_by_role("slider", name="θ: check every")
    theta.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    at = lesson.Thresholds(theta=10)
    assert early.stop_of("stability") == judge(
        lesson.rules_of(at, trace)["stability"], trace
    )
    early.in_address("at.theta=10.0")
    page.keyboard.press("Tab")
    eta = page.get_by_role("slider", name="η: changes below")
    assert eta.evaluate("e => e.getRootNode().activeElement === e")
    page.keyboard.press("Home")
    assert "never" in early.row("stability").inner_text()
    early.in_address("at.eta=0.0")


def test_a_shared_link_opens_with_thresholds_and_cursor(early, new_page):
    page = early.page
    early.drag(early.handle("mixed product"), -30)
    stop = early.stop_of("mixed_product")
    page.locator(".hm-area").focus()
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    early.at(stop - 2)
    page.get_by_test_id("stPopoverButton").filter(has_text="Share").click()
    code = page.locator(".hm-link code", has_text=f"&t={stop - 2}")
    code.wait_for(timeout=PATIENCE)
    link = code.inner_text()
    assert "at.mixed_product=" in link
    other = Page(new_page(width=768, height=1024, color_scheme="dark"), link)
    assert other.stop_of("mixed_product") == stop
    assert other.t == stop - 2
    assert other.row("mixed_product").get_attribute("aria-current") is None
    # A finger on a handle drags it, and the page does not scroll.
    before = other.stop_of("gradient")
    touch(other.page, other.handle("gradient norm"), -25)
    assert other.stop_of("gradient") < before


def touch(page, element, dy):
    """Drag by a finger, as the browser itself tells of one."""
    element.scroll_into_view_if_needed()
    box = element.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = page.context.new_cdp_session(page)
    for kind, shift in (
        ("touchStart", 0),
        *(("touchMove", dy * k / 5) for k in range(1, 6)),
        ("touchEnd", None),
    ):
        points = [] if shift is None else [{"x": x, "y": y + shift}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    moved = element.bounding_box()["y"] - box["y"]
    assert abs(moved - dy) < 5


def test_a_phone_shows_the_page_without_scrolling_sideways(new_page, serve):
    phone = new_page(width=390, height=844)
    early = Page(phone, f"{serve(APP)}/early_stopping{LINK}")
    main = phone.locator("[data-testid=stMain]")
    assert main.evaluate("e => e.scrollWidth <= e.clientWidth + 1")
    table = phone.locator(".hm-rules")
    assert table.evaluate("e => e.scrollWidth <= e.clientWidth + 1")
    slow = table.locator("tbody tr:first-child td:last-child")
    told = slow.inner_text()
    slow.evaluate("e => { e.textContent = '1.25 s more, 0.8 times as long'; }")
    assert table.evaluate("e => e.scrollWidth <= e.clientWidth + 1")
    slow.evaluate("(e, told) => { e.textContent = told; }", told)
    names = phone.locator(".hm-rules tbody button").all_inner_texts()
    assert names == [lesson.TITLES[name] for name in lesson.RULE_ORDER]
    early.row("objective").click()
    early.at(early.stop_of("objective"))
