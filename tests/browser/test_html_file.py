"""Runs as one file of HTML, opened from disk by a browser without a network."""

import numpy as np
import pytest

from halfmoon import hide_labels, load, make
from tests.browser.axe import grave_findings
from tests.browser.conftest import watched
from tests.browser.jupyter import Stage

pytestmark = pytest.mark.browser
FAST_ENOUGH = 1000 / 60  # ms of own drawing for a frame
PHONE, DESK = (390, 844), (1280, 900)
HARM = "window.harm = true"
WORDS = (  # that would mean something to HTML or JavaScript
    f"</script><img src=x onerror='{HARM}'>",
    f'"><svg onload="{HARM}">--><script>{HARM}</script>]]>',
    "&lt;b&gt; &amp; '\"` ${1}",
    "a\u2028b\u2029c",
    "half \ud800",
    "nul \x00 \x1b[31m",
    "\u202egnp.exe \u200f",
    "🌙👩‍🔬 نص",
    "x" * 10_000,
)
MOONS = load("two_moons", n=200, noise=0.08, random_state=0)
Y = hide_labels(MOONS, n_labeled=2, random_state=0)
FEW = slice(0, 200, 5)  # points for what takes long


def moons(name, **settings):
    return make(name, **settings).trace(MOONS.X, Y)


def few(name, **settings):
    X, truth = MOONS.X[FEW], MOONS.y[FEW]
    y = np.full(len(truth), -1)
    for c in (0, 1):
        y[np.flatnonzero(truth == c)[:2]] = c
    return make(name, **settings).trace(X, y)


def three():
    truth = np.arange(60) % 3
    centres = np.array([[0, 0], [2, 0], [1, 2]])[truth]
    X = centres + np.random.default_rng(0).normal(scale=0.3, size=(60, 2))
    y = np.where(np.arange(60) < 6, truth, -1)
    return make("lapsvm_pcg", sigma=0.5).trace(X, y)


def digits():
    data = load("digits")
    y = hide_labels(data.y[:300], per_class=2, random_state=0)
    return make("lapsvm_pcg", sigma="auto", max_iter=5).trace(data.X[:300], y)


KINDS = {  # what a page can hold: a maker of the trace, and how many classes
    "three classes": (three, 3),
    "digits": (digits, 10),
    "graph": (lambda: few("label_propagation", max_iter=30), 2),
    "poisson": (lambda: few("poisson", max_iter=30), 2),
    "tree": (lambda: few("branch_and_bound", max_nodes=60), 2),
    "path": (lambda: few("s3vm_path"), 2),
    "annealing": (lambda: few("da_kernel", max_iter=20), 2),
}


@pytest.fixture(scope="module")
def runs():
    names = ("lapsvm_pcg", "lapsvm_newton", "svm", "lapsvm_dual")
    return [moons(name, sigma=0.35) for name in names]


@pytest.fixture(scope="module")
def written(runs, tmp_path_factory):
    """``written(name)``: the address of a file, written when it is first asked for."""
    folder = tmp_path_factory.mktemp("html")
    known = {"truth": MOONS.y, "data": "Two moons", "axis_names": ("length", "width")}

    def write(name):
        path = folder / f"{name}.html"
        if path.exists():
            return path.as_uri()
        if name in ("1", "2", "4"):
            first, *others = runs[: int(name)]
            first.to_html(path, *others, **known)
        elif name in KINDS:
            KINDS[name][0]().to_html(path)
        else:
            word = WORDS[int(name.removeprefix("word"))]
            shown = {"class_names": (word, "b"), "data": word, "title": word}
            shown |= {"axis_names": (word, word), "names": (word, f"{word}, too")}
            runs[2].to_html(path, runs[2], **shown)
        return path.as_uri()

    return write


@pytest.fixture(scope="module")
def window(browser):
    """One page in a browser that is offline; what goes wrong is in its problems."""
    context = browser.new_context(offline=True, color_scheme="light")
    page = watched(context.new_page())
    page.asked = []
    page.on("request", lambda request: page.asked.append(request.url))
    yield page
    context.close()


@pytest.fixture
def opened(window, written):
    """``opened(name, size, dark)`` opens a file and gives the page and its stages."""

    def show(name, size=DESK, dark=False):
        window.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        window.emulate_media(color_scheme="dark" if dark else "light")
        window.problems.clear()
        window.asked.clear()
        address = written(name)
        window.goto(address)
        found = window.locator(".hm-stage:not(.hm-deck)")
        found.first.wait_for()
        stages = [Stage(found.nth(i)) for i in range(found.count())]
        assert window.asked == [address]
        return window, stages

    yield show
    own = [p for p in window.problems if not p.startswith("request: file:")]
    assert own == []
    kinds = ("file:", "blob:file:", "data:", "blob:null")
    assert all(url.startswith(kinds) for url in window.asked), window.asked


def play_through(page, stage):
    page.get_by_label("First iteration").click()
    page.get_by_role("button", name="Play", exact=True).click()
    last = stage.tell("return String(s.player.T - 1);")
    page.wait_for_function(
        "([root, last]) => root.dataset.frame === last && root.dataset.playing === '0'",
        arg=[stage.root.element_handle(), last],
        timeout=60_000,
    )
    return float(stage.root.get_attribute("data-draw-ms"))


def test_it_plays_to_its_end_as_quickly_as_in_the_app(opened):
    page, (stage,) = opened("1")
    stage.root.locator("select").select_option("2")
    times = [play_through(page, stage)]
    while len(times) < 3 and min(times) > FAST_ENOUGH:
        times.append(play_through(page, stage))
    assert stage.tell("return s.renderer.stats.draws;") > 40
    assert min(times) <= FAST_ENOUGH, times


def test_keys_and_switches_do_what_they_do_in_the_app(opened):
    page, (stage,) = opened("1")
    stage.root.locator(".hm-area").focus()
    frames = []
    for key in ("Home", "ArrowRight", "Shift+ArrowRight", "ArrowLeft", "End"):
        page.keyboard.press(key)
        frames.append(stage.tell("return s.player.frame;"))
    assert frames[:4] == [0, 1, 11, 10]
    assert frames[4] == stage.tell("return s.player.T - 1;")
    for key, name in (("p", "predictions"), ("m", "mistakes"), ("g", "graph")):
        page.keyboard.press(key)
        assert stage.tell(f"return s.ui.{name};") is True
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    assert stage.tell("return s.player.playing;")


def test_nothing_in_it_can_be_edited(opened):
    page, (stage,) = opened("1")
    stage.click(int(np.flatnonzero(Y < 0)[0]))
    stage.root.locator(".hm-area").focus()
    for key in ("1", "n", "Enter", "z", "Delete"):
        page.keyboard.press(key)
    given = stage.tell("return [...s.model.given];")
    assert [c for c in given if c >= 0] == sorted(Y[Y >= 0].tolist(), key=given.index)
    assert not stage.root.locator(".hm-tools [data-mode]:visible").count()


@pytest.mark.parametrize("count", ["2", "4"])
def test_several_runs_move_in_step(opened, count):
    page, stages = opened(count)
    assert len(stages) == int(count)
    deck = page.locator(".hm-deck")
    for step, frame in (("first", 0), ("1", 1)):
        deck.locator(f"[data-step='{step}']").click()
        assert {stage.tell("return s.player.frame;") for stage in stages} == {frame}
    stages[1].root.locator(".hm-area").focus()
    page.keyboard.press("End")
    times = [stage.tell("return s.player.frame;") for stage in stages]
    assert times[0] > 1


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_run_opens_without_an_error(opened, kind):
    page, (stage,) = opened(kind)
    stage.tell("s.time.seek(0); s.time.seek(s.player.T - 1);")
    page.wait_for_timeout(100)  # it is drawn
    assert stage.tell("return s.view.classes.length;") == KINDS[kind][1]
    panels = stage.tell("return s.view.panels.map((panel) => panel.kind);")
    assert ("tree" in panels) == (kind == "tree")
    if kind == "digits":
        assert stage.tell("return s.view.axis_names;") == ["PC 1", "PC 2"]
        assert stage.tell("return s.view.arrays.field === undefined;")


@pytest.mark.parametrize("word", range(len(WORDS)))
def test_hostile_words_are_shown_as_they_are(opened, word):
    page, stages = opened(f"word{word}")
    assert page.evaluate("window.harm") is None
    told = page.locator("h1").inner_text()
    plain = WORDS[word].replace("\ud800", "\ufffd").replace("\x00", "\ufffd")
    plain = plain.replace("\x1b", "\ufffd")
    assert " ".join(told.split()) == " ".join(plain.split())
    assert page.locator("img, svg[onload]").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= DESK[0]
    names = stages[0].tell("return s.view.classes;")
    assert names[0] == WORDS[word].replace("\ud800", "?")
    stages[0].root.locator(".hm-area").focus()
    page.keyboard.press("n")  # the card of a point says its class
    page.keyboard.press("Home")
    assert page.evaluate("window.harm") is None


AUDITS = [(n, size, dark) for n in "14" for size in (PHONE, DESK) for dark in (0, 1)]


@pytest.mark.parametrize(("count", "size", "dark"), AUDITS)
def test_everybody_can_use_it_and_nothing_scrolls_sideways(opened, count, size, dark):
    page, stages = opened(count, size, bool(dark))
    assert stages[0].tell("return s.theme.dark;") == bool(dark)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert grave_findings(page) == []


def test_light_and_dark_are_the_readers_choice(opened):
    page, (stage,) = opened("1")
    page.get_by_role("button", name="Dark colours").click()
    assert stage.tell("return s.theme.dark;")
    dark = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(dark) == "rgb(15, 19, 26)"
    page.get_by_role("button", name="Light colours").click()
    assert not stage.tell("return s.theme.dark;")


def test_words_and_stage_follow_the_system_together(opened):
    page, (stage,) = opened("1")
    seen = "getComputedStyle(document.documentElement).backgroundColor"
    for scheme, colour in (
        ("dark", "rgb(15, 19, 26)"),
        ("light", "rgb(255, 255, 255)"),
    ):
        page.emulate_media(color_scheme=scheme)
        assert stage.tell("return s.theme.dark;") == (scheme == "dark")
        assert page.evaluate(seen) == colour
    assert page.get_by_role("button", name="Dark colours").is_visible()


def test_on_paper_it_is_a_still_in_light_colours(opened):
    """Also where the reader has chosen dark ones, which come back."""
    page, (stage,) = opened("1", dark=True)
    page.get_by_role("button", name="Light colours").click()
    page.get_by_role("button", name="Dark colours").click()
    page.get_by_label("First iteration").click()
    page.get_by_role("button", name="Play", exact=True).click()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print", color_scheme="light")
    assert not stage.tell("return s.theme.dark || s.player.playing;")
    frame = stage.tell("return s.player.frame;")
    page.wait_for_timeout(200)
    assert stage.tell("return s.player.frame;") == frame
    corner = stage.tell(
        "const c = s.parts.scene.getContext('2d');"
        "return Array.from(c.getImageData(3, 3, 1, 1).data);"
    )
    assert corner[3] == 0 or sum(corner[:3]) > 600
    for name in (".hm-scrub", ".hm-play", ".hm-tools", "[data-role=colours]"):
        assert not page.locator(name).first.is_visible(), name
    assert "t = " in page.locator(".hm-count").inner_text()
    page.emulate_media(media="screen", color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert stage.tell("return s.theme.dark;")
    assert page.locator(".hm-play").first.is_visible()


def test_a_printed_file_has_the_picture_on_its_first_page(opened):
    page, (stage,) = opened("1")
    pdf = page.pdf(format="A4")
    assert pdf[:5] == b"%PDF-"
    assert pdf.count(b"/Subtype /Image") >= 1  # canvases
    assert not stage.tell("return s.theme.dark;")


def test_without_javascript_a_sentence_says_so(browser, written):
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(written("1"))
    assert "This page needs JavaScript" in page.locator("noscript").inner_html()
    assert page.locator("noscript").bounding_box()["height"] > 20
    assert page.locator("h1").inner_text() == "Laplacian SVM, PCG: Two moons"
    context.close()


HARMS = (
    f"<script>{HARM}</script>",
    f"<script type=module>{HARM}</script>",
    f"<img src=x onerror='{HARM}'>",
    "<iframe srcdoc='<script>parent.harm = true</script>'></iframe>",
    "<script src='data:text/javascript,window.harm = true'></script>",
    "<img src='http://127.0.0.1:9/x.png'>",
)


def test_the_policy_stops_any_other_script_and_any_request(browser, written, tmp_path):
    """What would get through the escaping, or a file that was tampered with."""
    with open(written("1").removeprefix("file://"), encoding="utf-8") as file:
        whole = file.read()
    spoilt = tmp_path / "spoilt.html"
    context = browser.new_context(offline=True)
    page, blocked = context.new_page(), []
    page.on("console", lambda message: blocked.append(message.text))
    for harm in HARMS:
        spoilt.write_text(whole.replace("<main", f"{harm}<main"), encoding="utf-8")
        blocked.clear()
        page.goto(spoilt.as_uri())
        Stage(page.locator(".hm-stage"))  # our own code runs
        assert page.evaluate("window.harm") is None, harm
        assert any("Content Security Policy" in text for text in blocked), harm
    context.close()
