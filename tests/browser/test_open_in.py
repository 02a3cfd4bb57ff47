"""From one page to another with the run in hand."""

from urllib.parse import parse_qsl, urlsplit

from halfmoon.scenario import default
from tests.browser.moving import visit
from tests.browser.playground import APP, Playground


def opened(page, title):
    """Open the menu, and give the link of a page."""
    menu = page.get_by_role("button", name="Open in")
    if menu.get_attribute("aria-expanded") != "true":
        menu.click()
    link = page.get_by_role("list").get_by_role("link", name=title)
    link.wait_for()
    return link


def test_a_run_is_opened_on_another_page_and_again_after_a_change(page, serve):
    playground = Playground(page, serve(APP), default().with_seed(3))
    playground.ready()
    link = opened(page, "Path and jumps")
    address = link.evaluate("a => a.href")  # what a middle click opens in a new tab
    words = dict(parse_qsl(urlsplit(address).query))
    assert urlsplit(address).path == "/path"
    assert words["data"] == "two_moons"
    assert words["seed"] == "3"
    link.click()
    page.get_by_role("heading", name="Following the S3VM path").first.wait_for()
    # The sidebar of this page: the playground's has a seed too and goes later.
    page.get_by_role("spinbutton", name="Share of class 2, r").wait_for()
    draw = page.get_by_role("spinbutton", name="Random seed")
    assert draw.input_value() == "3"
    home = opened(page, "Playground").evaluate("a => a.href")
    assert urlsplit(home).path in ("/", "/playground")
    page.keyboard.press("Escape")
    draw.fill("5")
    draw.press("Enter")
    page.wait_for_url("**seed=5**")
    visit(page, "Playground")
    playground.ready()
    opened(page, "Path and jumps").click()
    page.wait_for_url("**/path?**seed=3**")
    page.wait_for_function(
        "() => document.querySelector('[aria-label=\"Random seed\"]')?.value === '3'"
    )
