"""The benchmark page in a browser: from a number to its run, and runs from the page."""

import sqlite3

import pytest
from playwright.sync_api import expect

from halfmoon.scenario import Scenario
from ssl_core.experiments import PROTOCOLS, TABLES
from tests.browser.serving import start_server, stop_server
from tests.made_store import fill

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

PATIENCE = 60_000
NOT_FOUND = (
    "console: Failed to load resource: the server responded with a status of 404"
)
ERRORS, MOONS = TABLES["csk08-8"], TABLES["csk08-variants"]
PLACE = "2moons, noise 0.05", "cS3VM, all smoothed"
FOCUSED = """() => {
    let focused = document.activeElement;
    while (focused.shadowRoot) focused = focused.shadowRoot.activeElement;
    return focused.ariaPressed;
}"""
ROW_NAMES = """e => [...e.querySelectorAll("tbody th div")]
    .map((name) => name.getBoundingClientRect().left)"""
# Where the decimal points of each column stand, in pixels, seen from both sides.
POINTS = """e => [...e.querySelectorAll("thead th")].map((_, j) =>
    [...e.querySelectorAll(`tbody td:nth-child(${j + 2}) .hm-line`)]
        .flatMap((line) => {
            const before = document.createRange();
            before.selectNodeContents(line.children[0]);
            const behind = line.children[1].getBoundingClientRect();
            return [before.getBoundingClientRect().right, behind.left];
        }))"""
WIDER = """() => {
    const main = document.querySelector("[data-testid=stMain]");
    return main.scrollWidth - main.clientWidth;
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A server with a store of its own: made-up numbers, ten cells missing but one."""
    folder = tmp_path_factory.mktemp("store")
    left = MOONS.entries[PLACE].cells[1:]
    path = fill(folder / "experiments.sqlite", set(ERRORS.cells) | set(MOONS.cells))
    keep_out(path, left)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HALFMOON_STORE", str(path))
        process, address = start_server("app.py")
    yield address
    stop_server(process)


def keep_out(path, cells):
    with sqlite3.connect(path) as db:
        db.executemany(
            "DELETE FROM cells WHERE spec = ?", [(cell.spec,) for cell in cells]
        )
    db.close()


def opened(page, address, query):
    page.goto(f"{address}/benchmarks?{query}")
    page.wait_for_selector(".hm-published button", timeout=PATIENCE)
    # Streamlit looks for its own address by asking below the page's first.
    page.problems[:] = [p for p in page.problems if not p.startswith(NOT_FOUND)]
    return page


def number(page, row, column):
    return page.get_by_role("button", name=f"{row}, {column}: ")


def test_a_number_of_the_table_opens_its_run_with_the_same_labels(new_page, address):
    page = opened(new_page(), address, "table=csk08-8")
    chosen = number(page, "g50c", "CCCP")
    assert "published 6.3 %" in chosen.get_attribute("aria-label")
    chosen.click()
    page.wait_for_function("location.search.includes('row=g50c')", timeout=PATIENCE)
    page.wait_for_selector("[aria-pressed=true]")
    button = page.get_by_role("button", name="Open in the playground")
    either = button.or_(page.get_by_text("The playground needs its data"))
    either.first.wait_for(timeout=PATIENCE)
    if not button.count():
        pytest.skip("the data of g50c are not on this machine")
    button.click()
    page.wait_for_selector(".hm-stage", timeout=PATIENCE)
    page.wait_for_function("!location.pathname.includes('benchmarks')")
    found = page.evaluate("Object.fromEntries(new URLSearchParams(location.search))")
    page.problems[:] = [p for p in page.problems if not p.startswith(NOT_FOUND)]
    scenario, remarks = Scenario.from_url(found)
    cell = ERRORS.entries["g50c", "CCCP"].cells[0]
    posed = PROTOCOLS[cell.protocol].pose(dict(cell.problem))
    assert remarks == []
    assert scenario.algorithm == cell.algorithm
    assert {k: scenario.params[k] for k, _ in cell.params} == dict(cell.params)
    given = {int(row): int(posed.y[row]) for row in posed.split.labeled}
    assert dict(scenario.labels.hand) == given


def test_a_number_is_chosen_by_keys_and_the_focus_stays(new_page, address):
    page = opened(new_page(1280, 720), address, "table=csk08-8")
    number(page, "2moons", "Newton").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("location.search.includes('row=2moons')", timeout=PATIENCE)
    page.get_by_text("mix two draws").wait_for(timeout=PATIENCE)
    assert page.evaluate(FOCUSED) == "true"


def test_what_is_missing_streams_in_and_can_be_stopped(new_page, address):
    page = opened(new_page(), address, "table=csk08-variants")
    assert "1 of 10" in number(page, *PLACE).inner_text()
    page.get_by_role("button", name="Compute what is missing (9 trainings").click()
    # In the page itself: Streamlit's bar has a Stop while a busy machine runs a script.
    stop = page.get_by_test_id("stMain").get_by_role("button", name="Stop", exact=True)
    stop.wait_for(timeout=PATIENCE)
    label = number(page, *PLACE)
    page.wait_for_function(
        "(e) => !e.ariaLabel.includes('; 1 of 10')",
        arg=label.element_handle(),
        timeout=120_000,
    )
    if stop.count():  # a quick machine may have done all nine by now
        stop.click()
    done = page.get_by_text("computed for")
    done.wait_for(timeout=PATIENCE)
    expect(stop).to_have_count(0, timeout=PATIENCE)
    words = done.inner_text()
    assert words.startswith("Stopped: ") or "9 trainings of 9" in words
    page.reload()  # what was finished is in the store
    page.wait_for_selector(".hm-published button", timeout=PATIENCE)
    assert "1 of 10" not in number(page, *PLACE).inner_text()
    page.problems[:] = [p for p in page.problems if not p.startswith(NOT_FOUND)]


def test_on_a_phone_only_the_table_itself_moves_sideways(new_page, address):
    phone = new_page(390, 844, color_scheme="dark", has_touch=True)
    page = opened(phone, address, "table=csk08-8&row=g50c&column=CCCP&split=4")
    page.get_by_text("4 of 10", exact=True).first.wait_for(timeout=PATIENCE)
    assert page.evaluate(WIDER) <= 0
    box = page.locator(".hm-published")
    assert box.evaluate("e => e.scrollWidth > e.clientWidth")
    before = box.evaluate(ROW_NAMES)
    box.evaluate("e => e.scrollTo(150, 0)")
    assert box.evaluate(ROW_NAMES) == before  # stay while the numbers move
    points = box.evaluate(POINTS)
    assert len(points) == len(ERRORS.columns)
    assert all(max(column) - min(column) < 0.6 for column in points)
    font = box.evaluate("e => getComputedStyle(e).fontFamily")
    assert font.startswith('"Source Sans"')
    number(page, "Text", "SVM").tap()
    page.wait_for_function("location.search.includes('column=SVM')", timeout=PATIENCE)
