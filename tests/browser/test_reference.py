"""The reference in a browser: words that open, formulas, and the way to a run."""

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

PATIENCE = 60_000
NOT_FOUND = (
    "console: Failed to load resource: the server responded with a status of 404"
)
CARD = ".hm-meaning:popover-open"
COLOURS = """(card) => {
    const of = (element) => getComputedStyle(element).backgroundColor;
    return [of(card), of(document.querySelector("[data-testid=stApp]"))];
}"""
# Whether anything of the reference is wider than the window.
TOO_WIDE = """() => [...document.querySelectorAll(
    ".st-key-reference h2, .st-key-reference p, .st-key-reference table")]
    .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
    .map((e) => e.textContent.slice(0, 40))"""


def opened(page, address, query):
    page.goto(f"{address}/reference?{query}")
    page.wait_for_selector(".hm-term", timeout=PATIENCE)
    page.wait_for_selector(".katex", timeout=PATIENCE)
    # Streamlit looks for its own address by asking below the page's first.
    page.problems[:] = [p for p in page.problems if not p.startswith(NOT_FOUND)]
    return page


def test_a_word_is_explained_under_the_pointer_by_keys_and_in_its_own_colours(
    serve, new_page
):
    page = opened(new_page(), serve("app.py"), "algorithm=lapsvm_pcg")
    assert page.locator("h2").first.inner_text() == "Laplacian SVM, PCG"
    word = page.get_by_role("button", name="data graph").first
    card = word.locator("+ .hm-meaning")
    assert not card.is_visible()
    word.hover()
    card.wait_for(state="visible")
    assert "nearest neighbours" in card.inner_text()
    page.mouse.move(2, 300)
    card.wait_for(state="hidden")
    word.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(CARD)
    assert word.evaluate("e => e === document.activeElement")
    box, line = page.locator(CARD).bounding_box(), word.bounding_box()
    assert 0 <= box["y"] - (line["y"] + line["height"]) < 20
    own, around = page.locator(CARD).evaluate(COLOURS)
    assert own == around
    page.keyboard.press("Escape")
    page.wait_for_selector(CARD, state="detached")


def test_the_list_leads_to_an_algorithm_and_from_there_into_the_playground(
    serve, new_page
):
    page = opened(new_page(1280, 720), serve("app.py"), "algorithm=cccp")
    page.get_by_role("button", name="Open in the playground").click()
    page.wait_for_selector(".hm-stage", timeout=PATIENCE)
    assert "cccp" in page.url
    assert "/reference" not in page.url
    page.problems[:] = [p for p in page.problems if not p.startswith(NOT_FOUND)]


def test_on_a_phone_in_the_dark_a_tap_explains_and_nothing_is_too_wide(serve, new_page):
    phone = new_page(390, 844, color_scheme="dark", has_touch=True)
    page = opened(phone, serve("app.py"), "algorithm=da")
    page.locator(".hm-term").nth(3).tap()
    card = page.locator(CARD)
    card.wait_for()
    box = card.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    own, around = card.evaluate(COLOURS)
    assert own == around
    assert page.evaluate(TOO_WIDE) == []
