"""The first visit in a real browser: it plays once, prompts go, a card opens."""

import pytest

from halfmoon.pages._parts.lessons.plans import LESSONS
from tests.browser.playground import APP, Playground

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
PATIENCE = 60_000  # milliseconds; software rendering on a busy machine is slow
PLAYS = "return s.player.playing;"
FRAME = "return s.player.frame;"
OVER_THE_PICTURE = """
    const [box, area] = [s.parts.prompts, s.area].map((e) => e.getBoundingClientRect());
    return box.left < area.right && box.top < area.bottom;
"""


def prompts(page):
    return page.locator(".hm-prompt:visible").all_inner_texts()


def test_a_new_visitor_sees_it_play_once_and_prompts_go_when_done(page, serve):
    playground = Playground(page, serve(APP)).ready(rest=False)
    assert page.get_by_text("Watch a classifier learn from a few").count() == 1
    assert playground.ask(PLAYS)
    assert prompts(page) == ["Click a point", "Drag a label", "Try without the graph"]
    assert not playground.ask(OVER_THE_PICTURE)
    playground.ask("s.player.speed = 4;")  # seen enough
    page.wait_for_function(
        "root => !root.halfmoon.player.playing",
        arg=playground.root.element_handle(),
        timeout=PATIENCE,
    )
    end = playground.ask(FRAME)
    assert end > 20

    first = playground.run_id()
    top = playground.root.bounding_box()["y"]
    _, x, y = playground.lonely(1)[0]
    page.mouse.click(x, y)
    assert prompts(page) == ["Drag a label", "Try without the graph"]
    playground.wait_new_run(first)
    assert not playground.ask(PLAYS)

    page.get_by_role("button", name="Drag a label").click()
    _, x, y = playground.lonely(2)[1]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 12, y + 8, steps=3)
    page.mouse.up()
    assert prompts(page) == ["Try without the graph"]
    playground.settle()

    before = playground.run_id()
    page.get_by_role("button", name="Try without the graph").click()
    playground.wait_scenario(lambda s: s.algorithm == "svm")
    playground.wait_new_run(before)
    assert prompts(page) == []
    assert playground.root.bounding_box()["y"] == top

    # Back to the first run, and back from another page: it does not play again.
    playground.root.locator(".hm-area").focus()
    page.get_by_role("button", name=f"All {len(LESSONS)} lessons").click()
    page.get_by_role("heading", name="Start here").wait_for(timeout=PATIENCE)
    page.go_back()
    playground.ready(rest=False)
    assert not playground.ask(PLAYS)
    assert prompts(page) == []


def test_prompts_are_dismissed_and_a_card_opens_its_lesson(new_page, serve):
    page = new_page(reduced_motion="reduce")
    playground = Playground(page, serve(APP)).ready(rest=False)
    assert not playground.ask(PLAYS)  # less motion: the run stands at its end
    assert playground.ask(FRAME) == playground.ask("return s.player.T - 1;")
    page.get_by_role("button", name="Not now").click()
    assert prompts(page) == []
    page.locator(".st-key-welcome_neighbours button").first.click()
    page.locator(".hm-prose", has_text="spread along edges").wait_for(timeout=PATIENCE)


def test_who_brings_a_link_is_no_new_visitor(page, serve):
    playground = Playground(page, serve(APP), query="data=two_circles").ready()
    assert not playground.ask(PLAYS)
    assert prompts(page) == []
    assert page.get_by_text("Watch a classifier learn from a few").count() == 0


SIZES = ((390, 844), (768, 900), (1280, 720), (1440, 900))
AREA = """() => {
    const [stage] = window.halfmoonStages;
    const { x, y, width } = stage.area.getBoundingClientRect();
    return [x, y, width].map(Math.round);
}"""
# Drawn at its new size, and not moving: the sidebar leaves by and by.
SIZED = """(width) => {
    const [{ area, root, width: drawn }] = window.halfmoonStages;
    const { x, y } = area.getBoundingClientRect();
    const place = [x, y, innerWidth, drawn].join(), now = performance.now();
    if (window.stillAt?.place !== place) window.stillAt = { place, since: now };
    return innerWidth === width && drawn === root.clientWidth
        && now - window.stillAt.since >= 300;
}"""
EARLY = "() => [...window.halfmoonStages ?? []][0]?.root.dataset.ready === 'early'"


def places(page):
    """Where the picture is on screens of several sizes, presented and not."""
    found = []
    for present in ("1", ""):
        for width, height in SIZES:
            page.evaluate(
                "(on) => { on ? document.documentElement.dataset.hmPresent = on"
                " : delete document.documentElement.dataset.hmPresent;"
                " document.dispatchEvent(new CustomEvent('halfmoon-present')); }",
                present,
            )
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_function(SIZED, arg=width)
            found.append((present, width, *page.evaluate(AREA)))
    return found


def test_a_page_brings_its_stage_along_which_is_used_before_streamlit_comes(
    new_page, serve
):
    Playground(new_page(), serve(APP)).ready()  # the run is at hand from now on
    page, held = new_page(), []
    page.route("**/static/js/index.*.js", lambda route: held.append(route))
    page.goto(serve(APP), wait_until="commit")
    early = Playground(page)
    page.wait_for_function(EARLY, timeout=PATIENCE)
    assert page.locator("[data-testid=stApp]").count() == 0
    before = places(page)
    number, x, y = early.lonely(1)[0]
    page.mouse.click(x, y)
    page.wait_for_function("() => [...halfmoonStages][0].log.waiting")
    early.press("First iteration")
    run = early.run_id()

    for route in held:
        route.continue_()
    scenario = early.wait_scenario(lambda s: s.labels.hand, seconds=60)
    assert dict(scenario.labels.hand)[number] == 0
    early.ready(rest=False).wait_new_run(run)
    assert not early.ask(PLAYS)  # somebody is at it
    assert early.ask(FRAME) == 0
    assert page.locator(".hm-stage").count() == 1
    assert places(page) == before


def test_a_stage_that_a_page_brings_leaves_with_its_page(new_page, serve):
    Playground(new_page(), serve(APP)).ready()
    page = new_page()
    page.goto(serve(APP))
    page.wait_for_function(EARLY, timeout=PATIENCE)
    page.evaluate("history.pushState({}, '', '/reference')")
    page.locator("#halfmoon-stage").wait_for(state="detached", timeout=PATIENCE)
