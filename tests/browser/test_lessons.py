"""Lessons in a real browser: from the card to the end, phrases, links, reactions."""

import pytest

from halfmoon.pages._parts.lessons.plans import LESSONS

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]

APP = "app.py"
# Milliseconds. Where numba has kept nothing yet, the server's first run waits until all
# algorithms are compiled: 48 s on an idle machine, and the words wait for the run.
PATIENCE = 180_000
NOT_FOUND = (
    "console: Failed to load resource: the server responded with a status of 404"
)
SETTLED = """() => {
    const app = document.querySelector("[data-testid=stApp]");
    return app?.dataset.testScriptState === "notRunning";
}"""
MOMENT = "() => [...window.halfmoonStages][0].time.moment"
SHOWN = "() => [...(window.halfmoonStages ?? [])][0]?.root.dataset.ready === '1'"

POINT_AT = """(i) => {
    const { area, axes, model } = [...window.halfmoonStages][0];
    const box = area.getBoundingClientRect();
    return [box.left + axes.px(model.x[i]), box.top + axes.py(model.y[i])];
}"""


class Lessons:
    """The page in one window, with what it sends to the server."""

    def __init__(self, page, address):
        self.page, self.sent = page, []
        page.on("websocket", self._listen)
        page.goto(address)
        self.settle()

    def _listen(self, socket):
        socket.on("framesent", lambda message: self.sent.append(message))

    def settle(self):
        self.page.wait_for_function(SETTLED, timeout=PATIENCE)
        # Streamlit looks for its own address by asking below the page's first.
        problems = self.page.problems
        problems[:] = [p for p in problems if not p.startswith(NOT_FOUND)]

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).first.click()

    def reads(self, words):
        self.page.locator(".hm-prose", has_text=words).wait_for(timeout=PATIENCE)

    def phrase(self, words):
        return self.page.locator(".hm-phrase", has_text=words).first

    @property
    def reaction(self):
        return self.page.locator(".hm-reaction").inner_text(timeout=PATIENCE)


def test_a_lesson_is_walked_from_its_card_to_its_end(page, serve):
    lessons = Lessons(page, f"{serve(APP)}/lessons")
    first = next(iter(LESSONS))  # its card may be there after others
    card = page.locator(f".st-key-cards_{first}").get_by_role("button", name="Begin")
    card.click(timeout=PATIENCE)
    lessons.reads("Two labelled points")
    assert page.get_by_role("button", name="Next").count() == 0
    assert page.locator(".hm-reaction").count() == 0
    lessons.press("All of them")
    lessons.reads("Two labels were enough, because")
    page.wait_for_function(SHOWN, timeout=PATIENCE)
    # Words and stage stand beside each other.
    prose = page.locator(".hm-prose").bounding_box()
    area = page.locator(".hm-area").bounding_box()
    assert prose["x"] + prose["width"] <= area["x"]
    assert area["y"] + area["height"] <= 900
    lessons.press("Next")
    lessons.reads("Where will it draw the boundary")
    lessons.press("Through the gap between the moons")
    lessons.reads("It cannot know that there is a gap")
    lessons.phrase("with them").click()  # another setting: the server is asked
    page.wait_for_function("() => new URLSearchParams(location.search).has('set')")
    lessons.press("Next")
    lessons.reads("cluster assumption")
    lessons.phrase("the graph").click()
    legend = page.locator(".hm-legend")
    assert "732 edges of the graph; 0 between" in legend.get_attribute("aria-label")
    lessons.press("Next")
    lessons.reads("What to remember")
    lessons.press("Open this in the playground")
    page.locator(".hm-brush").first.wait_for(timeout=PATIENCE)
    assert "/lessons" not in page.url


def test_a_phrase_moves_the_cursor_and_the_link_reopens_the_step(page, serve):
    lessons = Lessons(
        page, f"{serve(APP)}/lessons?lesson=two_labels&step=guess&a=guess.half"
    )
    page.wait_for_function(SHOWN, timeout=PATIENCE)
    assert "More than that" in lessons.reaction  # the answer was kept
    assert page.get_by_role("button", name="About half").count() == 0
    page.locator(".hm-play").click()  # it plays by itself; a click lets it rest
    page.wait_for_timeout(300)
    lessons.settle()
    before = len(lessons.sent)
    for words, wanted in (("At the start", 0), ("After one step", 1), ("after 6", 6)):
        lessons.phrase(words).click()
        assert page.evaluate(MOMENT) == wanted
    page.wait_for_timeout(500)
    assert len(lessons.sent) == before
    marked = page.locator(".hm-phrase[aria-current=true]")
    assert marked.inner_text() == "after 6"


def test_right_and_wrong_predictions_get_reactions_of_their_own(page, serve):
    address = f"{serve(APP)}/lessons?lesson=two_labels&step=alone"
    lessons = Lessons(page, address)
    lessons.press("Around one of the moons")
    lessons.reads("For that it would need")
    wrong = lessons.reaction
    assert "35 predictions are wrong" in wrong
    page.goto(address)
    lessons.settle()
    lessons.press("Halfway between the two labels")
    lessons.reads("Yes. It uses only two points")
    assert "35 of 198 predictions are wrong" in lessons.reaction
    assert (
        page.locator(".hm-options .hm-mine")
        .inner_text()
        .endswith("(right, your answer)")
    )


def test_on_a_phone_words_stand_above_the_stage_and_fit(new_page, serve):
    page = new_page(390, 844, color_scheme="dark")
    Lessons(page, f"{serve(APP)}/lessons?lesson=two_labels&step=why")
    page.wait_for_function(SHOWN, timeout=PATIENCE)
    prose = page.locator(".hm-prose").bounding_box()
    area = page.locator(".hm-area").bounding_box()
    assert prose["y"] + prose["height"] <= area["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_label_of_the_students_own_is_answered_and_kept_in_the_link(page, serve):
    lessons = Lessons(page, f"{serve(APP)}/lessons?lesson=one_more_label&step=try")
    page.wait_for_function(SHOWN, timeout=PATIENCE)
    at = page.evaluate(POINT_AT, 99)  # one that is predicted wrong
    page.evaluate("() => [...window.halfmoonStages][0].hand.setBrush(1)")
    page.mouse.click(*at)
    page.get_by_text("Errors: 27 before, 0 now.").wait_for(timeout=PATIENCE)
    page.wait_for_function("() => location.search.includes('99.1')")
    page.reload()
    lessons.settle()
    page.get_by_text("Errors: 27 before, 0 now.").wait_for(timeout=PATIENCE)
    lessons.press("Clear my labels")
    page.wait_for_function("() => !location.search.includes('99.1')")
    page.get_by_text("Errors:").wait_for(state="detached", timeout=PATIENCE)
