"""Every page of the navigation, light and dark, on screens from a projector to a phone.

A page is loaded once for each kind of colours and resized in place. The table of pages
is the navigation's own: a new page is looked at from the day it is there.
"""

import pytest

from halfmoon.pages._parts.shell import navigation
from halfmoon.scenario import Scenario
from tests.browser import tabbing
from tests.browser.axe import grave_findings

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

APP = "app.py"
SCREENS = ((1440, 900), (2560, 1440), (1280, 720), (768, 900), (390, 844))
WALKED = 1280, 390  # widths at which Tab goes through a page
NAMES = [entry.name for entry in navigation.entries()]
NOT_FOUND = (  # Streamlit looks for its own address by asking below the page's first
    "console: Failed to load resource: the server responded with a status of 404"
)
QUIET = """() => {
    const app = document.querySelector("[data-testid=stApp]");
    const main = document.querySelector("[data-testid=stMainBlockContainer]");
    const stages = [...(window.halfmoonStages ?? [])];
    const filled = stages.length || main?.innerText.length > 40;
    return app?.dataset.testScriptState === "notRunning" && filled
        && !document.querySelector("[data-testid=stSkeleton]")
        && document.documentElement.dataset.hmTheme
        && stages.every((stage) => stage.root.dataset.ready === "1");
}"""
SIDEWAYS = """() => {
    const main = document.querySelector("[data-testid=stMain]"), html = document.body;
    return Math.max(main.scrollWidth - main.clientWidth, html.scrollWidth - innerWidth);
}"""
# Words of the stage that do not fit their boxes, and controls that lie upon each other.
CROWDED = """() => {
    const found = [], seen = (e) => e.checkVisibility() && e.getClientRects().length;
    for (const { root } of window.halfmoonStages ?? []) {
        const boxes = "button, select, summary, .hm-tile b, .hm-tile span, .hm-title,"
            + ".hm-caption, .hm-count, .hm-brush span";
        for (const box of root.querySelectorAll(boxes)) {
            if (!seen(box) || box.closest(".hm-hidden")) continue;
            if (box.scrollWidth > box.clientWidth + 1 && box.clientWidth) {
                found.push(`cut off: ${box.textContent.trim()}`);
            }
        }
        const controls = [...root.querySelectorAll("button, select, summary, input")]
            .filter((e) => seen(e) && !e.closest(".hm-zoom, .hm-menu > :not(summary)"));
        controls.forEach((one, i) => {
            const a = one.getBoundingClientRect();
            for (const other of controls.slice(i + 1)) {
                if (one.contains(other) || other.contains(one)) continue;
                const b = other.getBoundingClientRect();
                const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
                const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                if (wide > 1 && high > 1) {
                    const name = (e) => e.ariaLabel ?? e.textContent.trim();
                    found.push(`overlap: ${name(one)}, ${name(other)}`);
                }
            }
        });
    }
    return found;
}"""
# Boxes of the sidebar whose chosen words are longer than the box.
CUT_CHOICES = """() => {
    const boxes = document.querySelectorAll("[data-testid=stSelectbox] input");
    const menus = [...document.querySelectorAll(".st-key-stage-choices *")]
        .map((e) => e.shadowRoot?.querySelector(".hm-menu button b"));
    return [...boxes, ...menus.filter(Boolean)]
        .filter((e) => e.getBoundingClientRect().right > 0 && e.clientWidth > 9)
        .filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1)
        .map((e) => e.value ?? e.textContent);
}"""
# What stands in the bar and is covered, leaves the one row, or has words that are cut.
COVERED = """() => {
    const names = "[data-testid=stTopNav] > *, [data-testid=stExpandSidebarButton],"
        + "[data-testid=stHeaderLogo],"
        + ".st-key-actions button, .st-key-more, .st-key-shell_bar";
    const found = [...document.querySelectorAll(names)].filter((e) => {
        const seen = { visibilityProperty: true, opacityProperty: true };
        if (!e.checkVisibility(seen)) return false;
        const { left, right, top, bottom, width } = e.getBoundingClientRect();
        const there = (x) => document.elementFromPoint(x, (top + bottom) / 2);
        const own = (at) => at && (e.contains(at) || at.contains(e));
        if (width < 2) return false;
        return bottom > 60 || [left + 3, right - 3].some((x) => !own(there(x)));
    });
    const cut = [...document.querySelectorAll(".st-key-actions button p")]
        .filter((e) => e.scrollWidth > e.clientWidth + 1);
    return [...found, ...cut].map((e) => `covered or cut: ${e.textContent}`);
}"""
# How much of the screen moved by itself since the page began to load.
WATCH_SHIFTS = """window.shifted = [];
new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
        const names = sources.map(({ node }) => node?.className ?? "?");
        if (!hadRecentInput) window.shifted.push([value, names]);
    }
}).observe({ type: "layout-shift", buffered: true });"""
MOST_SHIFT = 0.1
# The stage's share of the window's height, where it has figures beside it that do not
# need as much room as itself.
SHARES = """() => [...(window.halfmoonStages ?? [])]
    .filter(({ parts }) => parts.title.parentElement === parts.evidence)
    .filter(({ parts }) => !parts.grid.classList.contains("hm-even"))
    .map(({ area }) => area.clientHeight / innerHeight)"""
LEAST_SHARE = 0.6
FONT = """(all) => all.map((e) => getComputedStyle(e).fontFamily)
    .map((fonts) => fonts.split(",")[0].replace(/["']/g, ""))"""


def settle(page):
    page.wait_for_function(QUIET, timeout=90_000)
    page.wait_for_timeout(150)  # a frame to draw what came last


DARK = pytest.param("dark", marks=pytest.mark.slow)  # of `make attack`


@pytest.mark.parametrize("colours", ["light", DARK])
@pytest.mark.parametrize("name", NAMES)
def test_a_page_fits_every_screen_and_passes_the_audit(new_page, serve, name, colours):
    page = new_page(*SCREENS[0], color_scheme=colours)
    page.add_init_script(WATCH_SHIFTS)
    page.goto(f"{serve(APP)}/{'' if name == navigation.FIRST else name}")
    settle(page)
    shifts = page.evaluate("window.shifted")
    assert sum(value for value, _ in shifts) < MOST_SHIFT, shifts
    assert page.title() == navigation.entry(name).tab
    faults = {}
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        looks = CROWDED, CUT_CHOICES, COVERED, tabbing.SMALL
        found = [fault for look in looks for fault in page.evaluate(look)]
        shares = page.evaluate(SHARES)
        found += [f"stage has {x:.0%} of the height" for x in shares if x < LEAST_SHARE]
        if width in WALKED:
            found += tabbing.faults(tabbing.walk(page))
        if (excess := page.evaluate(SIDEWAYS)) > 0:
            found.append(f"{excess} px too wide")
        if found:
            faults[width] = found
        if width == SCREENS[0][0]:
            audit = grave_findings(page)
            assert page.evaluate("document.documentElement.dataset.hmTheme") == colours
    page.problems[:] = [p for p in page.problems if not p.startswith(NOT_FOUND)]
    assert not faults
    assert not audit
    pictures = page.locator(".hm-stage, .hm-chart, .hm-landscape")
    assert set(pictures.evaluate_all(FONT)) <= {"Source Sans"}


def test_on_a_phone_two_buttons_leave_the_logo_free_and_hand_out_the_trace(
    new_page, serve
):
    page = new_page(390, 844)
    page.goto(f"{serve(APP)}/lessons?lesson=two_labels&step=remember")
    page.locator(".st-key-menu_save").wait_for(state="attached", timeout=90_000)
    settle(page)
    assert page.evaluate(COVERED) == []
    page.get_by_role("button", name="More actions").click()
    page.locator(".st-key-menu_save button").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Trace (CSV)").click()
    assert download.value.suggested_filename == "halfmoon_lessons_trace.csv"
    rows = download.value.path().read_text().splitlines()
    assert rows[0].startswith("t,")
    assert len(rows) > 40
    page.problems[:] = [p for p in page.problems if not p.startswith(NOT_FOUND)]


def test_on_a_phone_other_buttons_are_in_a_menu_and_a_choice_closes_the_sidebar(
    new_page, serve
):
    page = new_page(390, 844)
    page.goto(serve(APP))
    settle(page)
    bottom = "[...window.halfmoonStages][0].area.getBoundingClientRect().bottom"
    assert page.evaluate(bottom) < 844  # the stage is on the first screen
    share = page.get_by_role("button", name="Share", exact=True)
    more = page.get_by_role("button", name="More actions")
    assert not share.is_visible()
    more.click()
    share.click()
    page.get_by_text("This link brings others to the same screen.").wait_for()
    page.keyboard.press("Escape")
    page.mouse.click(10, 830)
    assert not share.is_visible()
    assert more.get_attribute("aria-expanded") == "false"

    page.get_by_test_id("stExpandSidebarButton").click()
    close = page.get_by_test_id("stSidebarCollapseButton")
    seed = page.get_by_role("spinbutton", name="Random seed")
    seed.fill("3")
    seed.press("Enter")
    settle(page)
    assert close.count()  # a number is tried out
    page.get_by_role("radio", name="Two stripes").click()
    close.wait_for(state="detached")
    page.get_by_role("button", name="Data: Two stripes").wait_for()
    page.problems[:] = [p for p in page.problems if not p.startswith(NOT_FOUND)]


def test_four_presented_methods_are_in_sight_with_a_legend_that_is_read_from_afar(
    new_page, serve
):
    page = new_page(1366, 768)
    four = Scenario.of("two_moons", "lapsvm_pcg", "svm", "tsvm", "da").to_query()
    page.goto(f"{serve(APP)}/compare?present=1&{four}")
    settle(page)
    boxes = page.evaluate(
        "[...window.halfmoonStages].map(({ area }) => area.getBoundingClientRect())"
        ".map(({ top, bottom, left, right }) => [top, bottom, left, right])"
    )
    assert len(boxes) == 4
    for top, bottom, left, right in boxes:
        assert bottom - top >= 200
        assert right - left >= 600
        assert 0 <= top < bottom <= 768
    legend = page.locator(".hm-deck .hm-legend")
    assert legend.bounding_box()["height"] >= 30  # a line of 22 px
    assert page.locator(".hm-deck [data-role=undo]").is_visible()
    assert not page.evaluate(CROWDED)
    page.problems[:] = [p for p in page.problems if not p.startswith(NOT_FOUND)]


@pytest.mark.parametrize("name", ["playground", "annealing"])
def test_in_front_of_a_room_the_stage_has_most_of_the_screen_at_once(
    new_page, serve, name
):
    page = new_page(1366, 768)
    page.add_init_script(WATCH_SHIFTS)
    path = "" if name == navigation.FIRST else name
    page.goto(f"{serve(APP)}/{path}?present=1")
    settle(page)
    shifts = page.evaluate("window.shifted")
    assert sum(value for value, _ in shifts) < MOST_SHIFT, shifts
    (share,) = page.evaluate(
        "[...window.halfmoonStages].map(({ area }) =>"
        " area.clientWidth * area.clientHeight / innerWidth / innerHeight)"
    )
    question = page.locator(".st-key-stage-question").count()  # stands above it
    assert share >= (0.45 if question else LEAST_SHARE)
    assert not page.evaluate(CROWDED)
    page.problems[:] = [p for p in page.problems if not p.startswith(NOT_FOUND)]
