"""The stage in frames of somebody else's page: `?embed=1`."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import ClassVar
from urllib.parse import urlsplit

import pytest

from halfmoon.scenario import Labels, Scenario, default
from tests.browser.axe import grave_findings
from tests.browser.playground import APP

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

PATIENCE = 90_000
LABELS = Labels("hand", hand=((3, 0), (120, 1), (150, 0)))
QUERY = default().with_labels(LABELS).to_query()
LESSON = "lesson=two_labels&step=remember"
FOUR = Scenario.of("two_moons", "lapsvm_pcg", "svm", "tsvm", "da").to_query()
THREE = Scenario.of("three_arcs", "poisson").to_query()  # classes
SIZES = ((640, 400), (360, 480), (960, 540))
NOT_FOUND = (  # Streamlit looks for its own address by asking below the page's first
    "console: Failed to load resource: the server responded with a status of 404"
)
READY = """() => {
    const stages = [...(window.halfmoonStages ?? [])];
    const app = document.querySelector("[data-testid=stApp]");
    return stages.length && document.documentElement.dataset.hmTheme
        && app?.dataset.testScriptState === "notRunning"
        && stages.every(({ root }) => root.dataset.ready === "1");
}"""
# By how many pixels anything is larger than the frame.
EXCESS = """() => {
    const boxes = [document.documentElement, document.body,
        document.querySelector("[data-testid=stMain]")];
    return boxes.flatMap((box) => [box.scrollWidth - box.clientWidth,
        box.scrollHeight - box.clientHeight]);
}"""
# What is seen in the frame besides its stages and its line.
OTHERS = """() => {
    const seen = { visibilityProperty: true, opacityProperty: true };
    const own = "[class*=st-key-stage-], .hm-frame-line";
    return [...document.querySelectorAll("body *")]
        .filter((e) => !e.children.length && e.checkVisibility(seen))
        .filter((e) => !e.closest(own) && !e.closest("script, style, noscript"))
        .filter((e) => e.getClientRects().length && e.getBoundingClientRect().width > 1)
        .filter((e) => e.textContent.trim() || e.matches("img, svg, input"))
        .map((e) => `${e.tagName} ${e.className} ${e.textContent.trim()}`);
}"""
# Controls of the stages that are not wholly inside what the line leaves of the frame,
# or lie upon each other; and pictures that are too small to see.
CUT = """() => {
    const found = [], line = document.querySelector(".hm-frame-line");
    const end = line.getBoundingClientRect().top;
    const roots = [...document.querySelectorAll("*")].map((e) => e.shadowRoot)
        .flatMap((tree) => [...(tree?.querySelectorAll(".hm-stage") ?? [])]);
    const name = (e) => e.ariaLabel ?? e.textContent.trim();
    for (const root of roots) {
        const controls = [...root.querySelectorAll("button, select, summary, input")]
            .filter((e) => e.checkVisibility() && e.getClientRects().length)
            .filter((e) => !e.closest(".hm-zoom, .hm-menu > :not(summary)"));
        controls.push(root.querySelector(".hm-area") ?? controls[0]);
        for (const control of controls) {
            const { left, right, top, bottom } = control.getBoundingClientRect();
            if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > end + 1)
                found.push(`cut off: ${name(control)}`);
        }
        controls.pop();
        controls.forEach((one, i) => {
            const a = one.getBoundingClientRect();
            for (const other of controls.slice(i + 1)) {
                const b = other.getBoundingClientRect();
                const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
                const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                if (wide > 1 && high > 1)
                    found.push(`overlap: ${name(one)}, ${name(other)}`);
            }
        });
    }
    for (const { axes } of window.halfmoonStages)
        if (axes.box.height < 60) found.push(`a picture of ${axes.box.height} px`);
    return found;
}"""


class Host(BaseHTTPRequestHandler):
    """Pages of somebody else, by their path."""

    pages: ClassVar[dict[str, str]] = {}

    def do_GET(self):
        body = self.pages.get(self.path, "").encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        """Tests are quiet."""


@pytest.fixture(scope="module")
def host():
    """``host(body)`` gives the address of a page of another site than the app's."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Host)
    Thread(target=server.serve_forever, daemon=True).start()

    def page(body):
        path = f"/{len(Host.pages)}"
        head = "<!doctype html><html lang='en'><title>A blog</title>"
        Host.pages[path] = f"{head}<body>{body}</body></html>"
        return f"http://localhost:{server.server_port}{path}"

    yield page
    server.shutdown()
    server.server_close()


def frame_code(src, width, height, more=""):
    size = f"width={width} height={height}"
    return f'<iframe title="A stage" src="{src}" {size} {more}></iframe>'


def frames_of(page):
    """The frames of a page, in order, when their stages are there."""
    boxes = page.locator("iframe").element_handles()
    found = [box.content_frame() for box in boxes]
    for frame in found:  # out of sight a frame has no animation frames to look at
        frame.wait_for_function(READY, timeout=PATIENCE, polling=100)
        frame.wait_for_timeout(150)  # to draw what came last
    return found


def forgive_streamlit(page):
    page.problems[:] = [p for p in page.problems if not p.startswith(NOT_FOUND)]


def ask(frame, expression):
    """Evaluate JavaScript with ``s``, the first stage of a frame."""
    return frame.evaluate(f"() => {{ const [s] = halfmoonStages; {expression} }}")


POINT = (
    "const i = s.model.given.findIndex((c) => c < 0);"
    "return [i, s.axes.px(s.model.x[i]), s.axes.py(s.model.y[i])];"
)
LEFT_ALONE = (
    "[document.activeElement.tagName, scrollX, scrollY, document.hasFocus(),"
    " history.length]"
)


def test_three_frames_show_their_stages_and_leave_the_page_alone(new_page, serve, host):
    app, page = serve(APP), new_page(1100, 700)
    queries = f"?{QUERY}", f"compare?{FOUR}", f"lessons?{LESSON}"
    paths = [f"{query}&embed=1" for query in queries]
    frames = "<p>Words.</p>".join(
        frame_code(f"{app}/{path}".replace("&", "&amp;"), *size)
        for path, size in zip(paths, SIZES, strict=True)
    )
    page.goto(host(frames))
    history = page.evaluate("history.length")
    shown = frames_of(page)
    assert len(shown) == 3
    assert [len(frame.evaluate("[...halfmoonStages]")) for frame in shown] == [1, 4, 1]
    for frame in shown:
        assert max(frame.evaluate(EXCESS)) <= 0
        assert frame.evaluate(OTHERS) == []
        assert frame.evaluate(CUT) == []
        assert grave_findings(frame) == []
        words = frame.locator(".hm-frame-line p")
        assert "Two moons" in words.inner_text()
        assert ask(frame, "return s.player.playing;") is False
    assert "Laplacian SVM" in shown[0].locator(".hm-frame-line").inner_text()
    assert page.evaluate(LEFT_ALONE) == ["BODY", 0, 0, True, history]

    # The wheel scrolls the page around the frame.
    page.mouse.move(300, 150)
    page.mouse.wheel(0, 200)
    page.wait_for_function("() => scrollY > 100")
    assert ask(shown[0], "return s.axes.zoom;") == 1
    forgive_streamlit(page)


def test_one_labels_and_plays_in_a_frame_and_opens_the_screen_in_full(
    new_page, serve, host
):
    app, page = serve(APP), new_page(1100, 700)
    page.goto(host(frame_code(f"{app}/?{QUERY}&embed=1", 640, 400)))
    history = page.evaluate("history.length")
    (frame,) = frames_of(page)
    run, (number, x, y) = ask(frame, "return s.view.run_id;"), ask(frame, POINT)
    area = frame.locator(".hm-area")
    area.click(position={"x": x, "y": y})
    changed = "run => [...halfmoonStages][0].view.run_id !== run"
    frame.wait_for_function(changed, arg=run, timeout=PATIENCE)
    frame.wait_for_function(READY, timeout=PATIENCE)
    assert ask(frame, "return s.model.given.filter((c) => c >= 0).length;") == 4
    frame.wait_for_function("() => location.search.includes('s=')")
    assert "embed=1" in frame.evaluate("location.search")
    assert page.evaluate("history.length") == history

    frame.get_by_role("button", name="First iteration").click()
    assert ask(frame, "return s.player.frame;") == 0
    frame.get_by_role("button", name="Play", exact=True).click()
    frame.wait_for_function("() => [...halfmoonStages][0].player.frame > 2")
    page.keyboard.press("Space")  # the frame has the focus now
    frame.wait_for_function("() => ![...halfmoonStages][0].player.playing")
    t = ask(frame, "return s.view.frame_t[s.player.frame];")

    link = frame.get_by_role("link", name="Open in Halfmoon")
    assert link.get_attribute("target") == "_blank"
    assert link.get_attribute("rel") == "noopener"
    with page.context.expect_page() as opened:
        link.click()
    whole = opened.value
    whole.wait_for_function(READY, timeout=PATIENCE)
    assert "embed" not in whole.url
    assert whole.get_by_test_id("stSidebar").is_visible()
    assert ask(whole, "return s.view.frame_t[s.player.frame];") == t
    assert ask(whole, f"return s.model.given[{number}];") >= 0
    whole.close()
    forgive_streamlit(page)


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("", QUERY),
        pytest.param("", THREE, marks=pytest.mark.slow),  # make attack
        pytest.param("compare", "", marks=pytest.mark.slow),
        ("compare", FOUR),
        ("early_stopping", ""),
        pytest.param("annealing", "", marks=pytest.mark.slow),
        ("annealing", "at.view=2"),
        ("path", ""),
        ("lessons", "lesson=lower_objective"),
    ],
)
def test_a_page_with_stages_fits_every_frame(new_page, serve, name, query):
    page = new_page(*SIZES[0])
    page.goto(f"{serve(APP)}/{name}?{query}&embed=1")
    faults = {}
    for width, height in (*SIZES, (390, 844), (1200, 700)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(READY, timeout=PATIENCE)
        page.wait_for_timeout(200)
        found = [*page.evaluate(OTHERS), *page.evaluate(CUT)]
        found += [f"{px} px too large" for px in page.evaluate(EXCESS) if px > 0]
        if found:
            faults[width] = found
    forgive_streamlit(page)
    assert not faults
    assert not page.locator(".st-key-stage-question").count()


def test_share_has_the_code_of_a_frame_with_the_place_of_the_cursor(
    new_page, serve, host
):
    app, page = serve(APP), new_page()
    page.goto(f"{app}/?{QUERY}")
    page.wait_for_function(READY, timeout=PATIENCE)
    ask(page, "s.time.seek(4);")
    page.get_by_role("button", name="Share", exact=True).click()
    code = page.locator(".hm-frame code", has_text="t=4&amp;embed=1")
    text = code.inner_text()
    assert text.startswith('<iframe title="Halfmoon: Two moons')
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy code").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == text

    other = new_page(1100, 700)
    other.goto(host(text))
    (frame,) = frames_of(other)
    assert ask(frame, "return s.player.frame;") == 4
    assert urlsplit(frame.url).query.endswith("embed=1")
    assert frame.evaluate("[innerWidth, innerHeight]") == [720, 480]


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_streamlits_own_word_does_the_same_and_a_link_can_fix_the_colours(
    new_page, serve, colours
):
    other = {"light": "dark", "dark": "light"}[colours]
    page = new_page(*SIZES[0], color_scheme=other)
    options = f"embed=true&embed_options={colours}_theme"
    page.goto(f"{serve(APP)}/?{QUERY}&{options}")
    page.wait_for_function(READY, timeout=PATIENCE)
    page.wait_for_function(
        "colours => [...halfmoonStages][0].root.dataset.theme === colours", arg=colours
    )
    assert max(page.evaluate(EXCESS)) <= 0
    assert page.evaluate(OTHERS) == []
    assert page.evaluate(CUT) == []
    assert grave_findings(page) == []
    href = page.get_by_role("link", name="Open in Halfmoon").get_attribute("href")
    assert "embed" not in href
