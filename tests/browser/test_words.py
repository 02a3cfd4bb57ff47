"""A stranger's words are words: no link, no bold type, no picture, in any channel."""

import pytest

from tests.hostile import HOSTILE

pytestmark = pytest.mark.browser

DEMO = "tests/browser/words_demo.py"
READ = """el => ({
  words: el.innerText,
  marks: [...el.querySelectorAll(
    "a, strong, em, b, i, u, img, code, del, s, sup, h1, h2, h3, h4, h5, h6, li, hr, " +
    "br, table, blockquote, pre, script, .katex, [style*=color], " +
    "[data-testid=stIconMaterial], [class*=stMarkdownColored], [class*=stMarkdownBadge]"
  )].map((e) => e.outerHTML.slice(0, 80)),
  spans: el.querySelectorAll("[data-testid=stMarkdownContainer] span").length,
})"""
CHANNELS = ("warning", "info", "error", "caption", "markdown", "label")
SHOWN = (*CHANNELS, "selectbox", "multiselect")  # each loads when it is first needed


def as_read(text):
    return " ".join(text.replace("\u2060", "").split())


def expected(text):
    return " ".join(text.replace("\u202e", "").split())


@pytest.fixture(scope="module")
def shown(serve, browser):
    """What was found in each box, by its name; the page is read once for all tests."""
    page = browser.new_context().new_page()
    page.goto(serve(DEMO))
    page.wait_for_selector(".st-key-end", timeout=60_000)
    boxes = [f"{name}_{i}" for name in SHOWN for i in range(len(HOSTILE))]
    find = "(box) => document.querySelector(`.st-key-${box}`)"
    page.wait_for_function(
        f"(boxes) => boxes.map({find}).every((el) => el.innerText.trim())",
        arg=boxes,
        timeout=60_000,
    )
    found = page.evaluate(f"(boxes) => boxes.map({find}).map({READ})", boxes)
    page.context.close()
    return dict(zip(boxes, found, strict=True))


@pytest.mark.parametrize("number", range(len(HOSTILE)), ids=map(repr, HOSTILE))
def test_markdown_finds_nothing_to_do_in_a_strangers_words(shown, number):
    for channel in CHANNELS:
        found = shown[f"{channel}_{number}"]
        assert found["marks"] == [], channel
        assert found["spans"] == 0, channel
        assert as_read(found["words"]) == expected(HOSTILE[number]), channel


@pytest.mark.parametrize("number", range(len(HOSTILE)), ids=map(repr, HOSTILE))
def test_options_of_select_boxes_are_no_markdown(shown, number):
    for channel in ("selectbox", "multiselect"):
        found = shown[f"{channel}_{number}"]
        assert found["marks"] == [], channel
        assert found["spans"] == 0, channel
