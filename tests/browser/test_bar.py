"""The buttons at the top right: present mode, light and dark."""

from itertools import pairwise

import pytest

from halfmoon.scenario import Labels, Scenario, default
from tests.browser.playground import APP, Playground

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

READABLE = 20  # px; the least size of type on the stage while presenting
FOCUS = """() => {
    let at = document.activeElement;
    while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at.className;
}"""
# Sizes of all words in sight on the stage, canvases included: these say what they draw.
SMALLEST = """(root) => {
    const stage = root.halfmoon, sizes = [];
    for (const element of root.querySelectorAll("*")) {
        const isText = (node) => node.nodeType === 3 && node.data.trim();
        const own = [...element.childNodes].some(isText);
        if (own && element.checkVisibility() && element.getClientRects().length
            && !element.closest(".hm-hidden, option")) {
            sizes.push(parseFloat(getComputedStyle(element).fontSize));
        }
    }
    const draw = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (...words) {
        const { canvas } = this, { a } = this.getTransform();
        const shown = a * canvas.clientWidth / canvas.width;
        const size = Number(/([\\d.]+)px/.exec(this.font)[1]);
        if (canvas.clientWidth) sizes.push(size * shown);
        draw.apply(this, words);
    };
    stage.retheme();
    return new Promise((done) => setTimeout(() => {
        CanvasRenderingContext2D.prototype.fillText = draw;
        done(Math.min(...sizes));
    }, 300));
}"""
SCROLLS = """() => {
    const main = document.querySelector("[data-testid=stMain]");
    return [main.scrollWidth - main.clientWidth, main.scrollHeight - main.clientHeight];
}"""


def labelled():
    """Labels by hand: what a page must not lose."""
    return default().with_labels(Labels("hand", hand=((3, 0), (120, 1), (150, 0))))


def test_presented_tools_in_two_rows_leave_room_beside_the_picture(new_page, serve):
    """The menu of data covered buttons, and curves were drawn upside down."""
    page = new_page(width=1280, height=720)
    query = f"{Scenario.of('three_arcs', 'poisson').to_query()}&present=1"
    playground = Playground(page, serve(APP), query=query).ready()
    data = page.locator(".st-key-stage-choices").bounding_box()
    for name in ("Predictions", "Mistakes", "Graph"):
        button = playground.root.get_by_role("button", name=name, exact=True)
        box = button.bounding_box()
        right, low = box["x"] + box["width"], box["y"] + box["height"]
        assert right <= data["x"] or low <= data["y"], name
    heights = playground.ask(
        "const panel = s.panels.find(p => p.box.classList.contains('hm-chosen')),"
        " drawn = [], draw = CanvasRenderingContext2D.prototype.fillText;"
        "CanvasRenderingContext2D.prototype.fillText = (text, x, y) =>"
        " /%$/.test(text) && drawn.push([parseFloat(text), y]);"
        "panel.draw(document.createElement('canvas').getContext('2d'),"
        " panel.width, panel.height, s.theme, 0);"
        "CanvasRenderingContext2D.prototype.fillText = draw;"
        "return drawn.filter(([value]) => value % 50 === 0);"
    )
    values, places = zip(*sorted(heights), strict=True)
    assert len(values) > 1
    gaps = [a - b for a, b in pairwise(places)]
    assert min(gaps) >= 12, heights  # larger values stand higher, a line apart


def test_present_mode_shows_the_stage_alone_and_comes_with_the_link(new_page, serve):
    page = new_page(width=1280, height=720)
    query = f"{labelled().to_query()}&present=1"
    playground = Playground(page, serve(APP), query=query).ready()
    assert "present=1" in page.url
    for part in ("stSidebar", "stHeader", "stExpander"):
        assert not page.get_by_test_id(part).first.is_visible(), part
    assert page.evaluate(SCROLLS) == [0, 0]  # all of it on a projector of 1280 x 720
    assert playground.root.evaluate(SMALLEST) >= READABLE
    box = playground.root.locator(".hm-area").bounding_box()
    assert box["height"] > 300
    shown = [p for p in playground.root.locator(".hm-panel").all() if p.is_visible()]
    assert len(shown) == 1

    # Keys work at once; a click hits the point under it; the address keeps the mode.
    assert page.evaluate(FOCUS) == "hm-area"
    title = "return s.panels.find(p => p.box.classList.contains('hm-chosen')).title;"
    assert playground.ask(title) == "Errors"
    page.keyboard.press("c")
    assert playground.ask(title) not in (None, "Errors")
    page.keyboard.press("Home")
    page.wait_for_function("() => [...halfmoonStages][0]?.player.frame === 0")
    run = playground.run_id()
    x, y = playground.ask(
        "const i = 40, box = s.area.getBoundingClientRect();"
        "return [box.left + s.axes.px(s.model.x[i]) * s.type,"
        " box.top + s.axes.py(s.model.y[i]) * s.type];"
    )
    page.mouse.click(x, y)
    playground.wait_new_run(run)
    assert playground.number("labels") == 4
    page.wait_for_url("**present=1**")

    page.keyboard.press("Escape")
    page.wait_for_url(lambda url: "present" not in url)
    assert page.get_by_test_id("stSidebar").is_visible()
    assert playground.number("labels") == 4
    page.get_by_role("button", name="Present:").click()
    page.wait_for_url("**present=1**")
    assert not page.get_by_test_id("stSidebar").is_visible()
    page.get_by_role("button", name="Leave present mode").click()
    page.wait_for_url(lambda url: "present" not in url)
    assert page.get_by_test_id("stSidebar").is_visible()


THEME = "() => [...window.halfmoonStages][0].root.dataset.theme"


def test_colours_are_switched_in_place_and_stay_for_the_next_visit(page, serve):
    playground = Playground(page, serve(APP), labelled()).ready()
    playground.ask("s.time.seek(3); s.toggle('mistakes');")
    assert page.evaluate(THEME) == "light"
    page.evaluate("window.sameDocument = true")
    page.get_by_role("button", name="Dark colours").click()
    page.wait_for_function(f"({THEME})() === 'dark'")
    playground.settle()
    assert page.evaluate("window.sameDocument")  # nothing was loaded again
    assert playground.ask("return [s.player.frame, s.ui.mistakes];") == [3, True]
    assert not page.get_by_test_id("stMainMenuPopover").count()
    playground.page.goto(f"{playground.address}/path")  # another page, another visit
    page.wait_for_function("() => window.halfmoonStages?.size === 1")
    page.wait_for_function(f"({THEME})() === 'dark'")
    page.problems.clear()  # Streamlit looks for its own address below the page's first

    # Were Streamlit's menu gone, the page is loaded anew, and the link brings all back.
    Playground(page, playground.address, labelled()).ready()
    page.evaluate("document.querySelector('[data-testid=stMainMenu]').remove()")
    page.evaluate("window.sameDocument = true")
    page.get_by_role("button", name="Light colours").click()
    page.wait_for_function("() => !window.sameDocument && window.halfmoonStages?.size")
    page.wait_for_function(f"({THEME})() === 'light'")
    playground.ready()
    assert playground.number("labels") == 3


def test_the_scrubber_is_as_wide_as_the_stage(standing):
    playground, page = standing, standing.page
    for width, height in ((1440, 900), (1280, 720), (768, 900), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        playground.settle()
        page.wait_for_function(
            "root => Math.abs(root.querySelector('.hm-area').offsetWidth - "
            "root.querySelector('.hm-scrub input').offsetWidth) <= 1",
            arg=playground.root.element_handle(),
        )


# Counts what a screen reader would be told: changes in regions that are live.
WATCH = """(root) => {
    window.told = 0;
    const live = [...root.querySelectorAll("[aria-live], [role=status], output")];
    const loud = (e) => e.getAttribute("aria-live") !== "off";
    for (const region of live) {
        const observer = new MutationObserver(() => { window.told += loud(region); });
        observer.observe(region, { childList: true, characterData: true });
    }
    return live.length;
}"""
DASHES = """(root) => new Promise((done) => {
    const own = OffscreenCanvasRenderingContext2D.prototype, set = own.setLineDash;
    const seen = new Set(), stage = root.halfmoon;
    own.setLineDash = function (dash) { seen.add(dash.join()); set.call(this, dash); };
    stage.retheme();
    setTimeout(() => { own.setLineDash = set; done(seen.size); }, 300);
})"""


def test_the_stage_is_for_keys_and_ears_as_well(standing):
    """Arrows move through the brushes, playing says nothing, lines differ in dash."""
    playground, page = standing, standing.page
    brushes = playground.root.get_by_role("radio")
    stops = brushes.evaluate_all("all => all.map((e) => e.tabIndex)")
    assert sorted(stops) == [-1] * (len(stops) - 1) + [0]
    brushes.first.focus()
    frame = playground.ask("return s.player.frame;")
    page.keyboard.press("ArrowRight")
    assert brushes.nth(1).get_attribute("aria-checked") == "true"
    assert page.evaluate(FOCUS) == "hm-brush"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")  # from the first one to the last
    assert brushes.last.get_attribute("aria-checked") == "true"
    assert playground.ask("return s.player.frame;") == frame

    assert playground.root.evaluate(WATCH) >= 4
    playground.ask("s.player.speed = 0.25; s.time.seek(0);")
    page.wait_for_timeout(100)
    page.evaluate("window.told = 0")
    playground.ask("s.time.togglePlay();")
    page.wait_for_function("() => [...halfmoonStages][0]?.player.frame > 3")
    assert page.evaluate("window.told") == 0
    playground.ask("s.time.togglePlay();")

    curves = playground.ask("return s.panels[0].series.length;")
    assert playground.root.evaluate(DASHES) >= curves > 2


def test_tabs_reach_pages_first_and_other_algorithms_and_colours_are_no_mistake(
    page, serve
):
    """The bar comes before the sidebar in the order of tabs, and what skips it comes
    first. A browser sends the words of all its boxes, also of those that are gone."""
    playground = Playground(page, serve(APP)).ready()
    bar, sidebar, width = page.evaluate(
        """() => {
            const at = (id) => document.querySelector(`[data-testid=${id}]`);
            const [bar, sidebar] = [at("stTopNav"), at("stSidebar")];
            const before = bar.compareDocumentPosition(sidebar);
            return [before & Node.DOCUMENT_POSITION_FOLLOWING,
                sidebar.getBoundingClientRect().left, sidebar.clientWidth];
        }"""
    )
    assert bar
    assert sidebar == 0  # to the eye it stands at the left as ever
    assert width > 200
    for _ in range(4):  # past three links that skip
        page.keyboard.press("Tab")
    place = "document.activeElement.closest('[data-testid=stTopNav]') !== null"
    assert page.evaluate(place)

    run = playground.run_id()
    page.get_by_role("button", name="Algorithm:").click()
    page.get_by_role("option", name="Supervised SVM").first.click()
    playground.wait_new_run(run)
    page.get_by_role("button", name="Dark").click()
    page.wait_for_function(f"() => ({THEME})() === 'dark'", timeout=30_000)
    page.wait_for_timeout(1500)  # a message on its way would be answered by then
    assert page.get_by_test_id("stAlert").all_inner_texts() == []
    assert page.get_by_test_id("stToast").all_inner_texts() == []

    page.get_by_role("link", name="Skip to the stage").focus()
    page.keyboard.press("Enter")
    assert page.evaluate(FOCUS) == "hm-area"
    settings = page.get_by_role("link", name="Skip to the settings")
    page.get_by_test_id("stSidebar").hover()
    page.get_by_role("button", name="Collapse sidebar").click()
    page.get_by_role("button", name="Expand sidebar").wait_for()
    settings.focus()
    page.keyboard.press("Enter")  # opens them, too
    inside = "() => document.activeElement?.closest('[data-testid=stSidebar]')"
    page.wait_for_function(inside)
    page.keyboard.press("Tab")
    assert page.evaluate(f"({inside})() !== null")
