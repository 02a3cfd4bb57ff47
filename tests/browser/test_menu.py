"""The menus of data and algorithms: keys, touch, and runs that come meanwhile."""

import pytest

from tests.browser.playground import APP, Playground

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

ACTIVE = """() => {
    let at = document.activeElement;
    while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    const id = at.getAttribute("aria-activedescendant");
    const meant = id && at.getRootNode().getElementById(id);
    return [at.getAttribute("role") ?? at.getAttribute("aria-label"),
            meant && meant.querySelector("b").innerText];
}"""
LIST = ".hm-list:popover-open"
OPTIONS = f"{LIST} [role=option]:not([hidden])"


def wait_active(page, expected):
    """The browser moves the focus into an open list a moment after it was opened."""
    same = f"(wanted) => ({ACTIVE})().join() === wanted.join()"
    page.wait_for_function(same, arg=expected)


def test_keys_alone_find_and_choose_an_algorithm(new_page, serve):
    page = new_page()
    playground = Playground(page, serve(APP)).ready()
    box = page.get_by_role("button", name="Algorithm:")
    height = box.bounding_box()["height"]
    box.focus()
    page.keyboard.type("anneal")
    assert page.evaluate(ACTIVE) == ["combobox", "Annealing in turns"]
    assert page.locator(OPTIONS).count() == 3
    page.keyboard.press("ArrowDown")
    assert page.evaluate(ACTIVE) == ["combobox", "Annealing by gradient"]
    page.keyboard.press("Escape")  # nothing is chosen, the focus is where it was
    assert page.evaluate(ACTIVE) == ["Algorithm: Laplacian SVM, PCG", None]
    assert not page.locator(LIST).count()

    run = playground.run_id()
    page.keyboard.press("ArrowDown")
    assert page.evaluate(ACTIVE)[1] == "Laplacian SVM, PCG"
    page.keyboard.press("PageUp")
    page.keyboard.press("Enter")
    playground.wait_new_run(run)
    assert page.evaluate(ACTIVE) == ["Algorithm: Supervised SVM", None]
    assert page.get_by_role("button", name="Algorithm:").bounding_box()["height"] == (
        height
    )
    page.wait_for_url("**algorithm=svm**")


def test_an_open_list_outlives_a_run_and_words_that_nothing_has(new_page, serve):
    page = new_page()
    playground = Playground(page, serve(APP)).ready()
    page.get_by_role("button", name="Data:").click()
    wait_active(page, ["combobox", "Two moons"])
    page.keyboard.type("circ")
    run = playground.run_id()
    playground.ask("s.hand.setBrush(0); s.hand.labelPoint(7);")
    playground.wait_new_run(run)
    assert page.evaluate(ACTIVE) == ["combobox", "Two circles"]
    page.keyboard.type("xyz")
    assert page.locator(LIST).get_by_text("Nothing has these words.").is_visible()
    page.keyboard.press("Enter")
    assert page.locator(LIST).count()
    page.mouse.click(5, 5)
    assert not page.locator(LIST).count()


def test_on_a_phone_the_list_fits_and_no_keyboard_comes(new_page, serve):
    page = new_page(390, 844, has_touch=True, is_mobile=True)
    playground = Playground(page, serve(APP)).ready()
    page.get_by_role("button", name="Data:").tap()
    wait_active(page, ["listbox", "Two moons"])
    for box in page.locator(OPTIONS).all():
        assert box.bounding_box()["height"] >= 44
    place = page.locator(LIST).bounding_box()
    assert place["x"] >= 0
    assert place["x"] + place["width"] <= 390
    assert place["y"] + place["height"] <= 844
    run = playground.run_id()
    page.get_by_role("option", name="Two stripes").tap()
    playground.wait_new_run(run)
    assert page.get_by_role("button", name="Data: Two stripes").is_visible()


def test_keys_that_are_quicker_than_the_list_opens_mean_what_they_say(new_page, serve):
    page = new_page()
    playground = Playground(page, serve(APP)).ready()
    run = playground.run_id()
    page.get_by_role("button", name="Algorithm:").evaluate(
        """button => {
            const key = (at, name) => at.dispatchEvent(new KeyboardEvent(
                "keydown", { key: name, bubbles: true, cancelable: true }));
            const field = button.getRootNode().querySelector("input");
            key(button, "ArrowDown");  // the browser tells of the open list later
            key(field, "PageUp");
            window.halfmoonEnter = () => key(field, "Enter");
        }"""
    )
    page.wait_for_timeout(100)
    page.evaluate("halfmoonEnter()")
    playground.wait_new_run(run)
    assert page.evaluate(ACTIVE) == ["Algorithm: Supervised SVM", None]
