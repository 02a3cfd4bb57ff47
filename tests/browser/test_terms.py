"""Words of the glossary on the stage: asked for by pointer, keys and finger."""

import pytest

from tests.browser.quiet import wait_until_quick

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

PATIENCE = 60_000
READY = '.hm-stage[data-ready="1"]'
CARD = ".hm-meaning:popover-open"
DRAW_MS = 20


def opened(page, address, query=""):
    page.goto(f"{address}/{query}")
    page.wait_for_selector(READY, timeout=PATIENCE)
    return page


def terms(page):
    return page.locator(".hm-caption .hm-term")


def test_words_of_the_sentence_open_a_card_and_the_sentence_stays_plain(
    standing,
):
    page = standing.page
    page.locator(".hm-area").focus()
    page.keyboard.press("End")
    caption = page.locator(".hm-caption", has_text="Converged")
    caption.wait_for(timeout=PATIENCE)
    assert "mixed product" in caption.text_content()
    assert caption.get_attribute("aria-live") == "polite"
    word = terms(page).filter(has_text="mixed product")
    assert caption.text_content().count("mixed product") == 1
    word.hover()
    card = page.locator(CARD)
    card.wait_for()
    assert "preconditioned gradient" in card.inner_text()
    above, line = card.bounding_box(), word.bounding_box()
    assert above["y"] + above["height"] <= line["y"]
    page.mouse.move(5, 5)
    card.wait_for(state="hidden")
    word.focus()
    page.keyboard.press("Enter")
    card.wait_for()
    page.keyboard.press("Escape")
    card.wait_for(state="hidden")
    assert word.evaluate("e => e.getRootNode().activeElement === e")

    # The help beside the transport lists every word of the stage, its curves' too.
    page.get_by_label("Keys and words").first.click()
    words = page.locator("[data-role=words] dt").all_inner_texts()
    assert {"mixed product", "error vector", "gradient"} <= {
        w.rstrip("s") for w in words
    }
    page.keyboard.press("Escape")


def test_while_the_stage_plays_its_sentence_is_plain_and_it_draws_in_time(standing):
    page = standing.page
    page.locator(".hm-area").focus()
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    root = page.locator(".hm-stage")
    page.wait_for_timeout(1200)
    assert root.get_attribute("data-playing") == "1"
    assert terms(page).count() == 0
    assert page.locator(".hm-caption").get_attribute("aria-live") == "off"
    wait_until_quick(page, DRAW_MS)
    page.keyboard.press(" ")
    terms(page).first.wait_for(timeout=PATIENCE)


def test_on_a_phone_a_tap_opens_the_card_inside_the_window(serve, new_page):
    phone = new_page(390, 844, color_scheme="dark", has_touch=True)
    page = opened(phone, serve("app.py"), "?alg=da")
    word = terms(page).first
    word.scroll_into_view_if_needed()
    word.tap()
    card = page.locator(CARD)
    card.wait_for()
    box = card.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.touchscreen.tap(20, 20)
    card.wait_for(state="hidden")


def test_words_of_a_lesson_open_a_card_beside_its_phrases(serve, new_page):
    page = new_page(1280, 720)
    page.goto(f"{serve('app.py')}/lessons?lesson=clock")
    word = page.locator(".hm-prose .hm-term", has_text="margin").first
    word.wait_for(timeout=PATIENCE)
    # Streamlit looks for its own address by asking below the page's first.
    page.problems[:] = [p for p in page.problems if "404" not in p]
    word.click()
    page.mouse.move(5, 5)
    page.wait_for_timeout(400)  # a card that only the pointer had opened would be gone
    card = page.locator(f".hm-prose {CARD}")
    card.wait_for()
    assert "strip around the boundary" in card.inner_text()
    page.keyboard.press("Escape")
    card.wait_for(state="hidden")
