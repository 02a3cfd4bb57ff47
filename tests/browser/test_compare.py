"""Compare in a real browser: several stages, one set of labels, one transport."""

import math
import random
import statistics
import time
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from halfmoon.pages._parts.compare import comparison
from halfmoon.scenario import Scenario
from tests.browser.moving import visit
from tests.browser.playground import Playground
from tests.browser.test_playground import NOTE_ANSWERS, judge

pytestmark = pytest.mark.browser
APP = "app.py"
THREE = Scenario.of("two_moons", "lapsvm_pcg", "svm", "tsvm")
PROBING = "the server responded with a status of 404"
REDRAWN = (
    1.0  # seconds from the server's first answer until all stages show the new runs
)
LONG = (  # one that never reaches its tolerance beside one that is done at once
    Scenario.of("two_moons", "lapsvm_pcg", "svm")
    .with_data_knob("n", 2500)
    .with_parameters({"gamma_A": 1e-8, "tol": 0.0, "max_iter": 2000}, 0)
)
DRAW_MS = 20.0  # median of a stage's own clock while all of them play


class Comparison:
    """The page, with the questions the tests ask."""

    def __init__(self, page, address, scenario=None, query=""):
        self.page = page
        if scenario is not None:
            query = urlencode(comparison.query_of(scenario), safe=",")
            self.count = len(scenario.methods)
        else:
            self.count = len(comparison.FIRST.methods)
        missing = []
        page.on("response", lambda r: r.status == 404 and missing.append(r.url))
        page.goto(f"{address}/compare?{query}")
        self.missing = missing

    def ready(self, count=None):
        self.count = count or self.count
        self.page.wait_for_function(
            "n => { const all = [...(window.halfmoonStages ?? [])]; "
            "return all.length === n && all.every((s) => s.view && !s.view.pending); }",
            arg=self.count,
            timeout=60_000,
        )
        self.looked()
        return self.settle()

    def looked(self):
        """Streamlit first looks for itself below a page's address; no more may miss."""
        assert all("/_stcore/" in url for url in self.missing), self.missing
        self.page.problems[:] = [p for p in self.page.problems if PROBING not in p]

    def settle(self):
        """All edits are confirmed on all stages, and no script runs."""
        self.page.wait_for_function(
            "() => [...halfmoonStages].every((s) => !s.log.waiting && !s.view.pending)"
            " && document.querySelector('[data-testid=stApp]').dataset.testScriptState"
            " === 'notRunning'",
            timeout=60_000,
        )
        return self

    def ask(self, expression):
        """Evaluate JavaScript with ``all``, the stages in their order on the page."""
        return self.page.evaluate(
            "() => { const all = [...halfmoonStages].sort((a, b) => "
            "a.view.key.localeCompare(b.view.key)), deck = all[0].group.deck; "
            f"{expression} }}"
        )

    @property
    def deck(self):
        return self.page.locator(".hm-deck")

    def pixels(self, stage):
        """Where the points of a stage are on the screen, scrolled into sight."""
        self.ask(f"all[{stage}].area.scrollIntoView({{ block: 'center' }});")
        return self.ask(
            f"const s = all[{stage}], b = s.area.getBoundingClientRect(); return "
            "s.model.x.map((x, i) => "
            "[b.left + s.axes.px(x), b.top + s.axes.py(s.model.y[i])]);"
        )

    def click(self, stage, i, label=None):
        if label is not None:
            self.ask(f"all[{stage}].hand.setBrush({label});")
        x, y = self.pixels(stage)[i]
        self.page.mouse.click(x, y)

    def lonely(self, stage, apart=7):
        """Points that a click on this stage cannot confuse with others."""
        points = self.pixels(stage)
        return [
            i
            for i, p in enumerate(points)
            if min(math.dist(p, q) for j, q in enumerate(points) if j != i) > apart
        ]

    def labels(self):
        """What each stage shows as labelled."""
        found = self.ask("return all.map((s) => s.model.given);")
        return [{i: c for i, c in enumerate(given) if c >= 0} for given in found]

    def scenario(self):
        query = dict(parse_qsl(urlsplit(self.page.url).query))
        scenario, remarks = comparison.from_link(query)
        assert remarks == []
        return scenario

    def frames(self):
        return self.ask("return all.map((s) => s.player.frame);")


def test_one_transport_moves_all_stages_by_iterations_or_by_seconds(page, serve):
    compare = Comparison(page, serve(APP), THREE).ready()
    sent = compare.ask("return all[0].log.requests;")
    lasts = compare.ask("return all.map((s) => s.view.T - 1);")
    assert compare.frames() == lasts  # at first all stand at their end
    compare.ask("all[0].area.focus();")
    page.keyboard.press("Home")
    assert compare.frames() == [0, 0, 0]
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    t = compare.ask("return all.map((s) => s.view.frame_t[s.player.frame]);")
    ends = compare.ask("return all.map((s) => s.view.frame_t[s.view.T - 1]);")
    assert t == [min(3, end) for end in ends]  # who has ended stays at the end
    compare.deck.get_by_role("radio", name="Seconds").click()
    state = "all.map((s) => [...s.view.arrays.seconds.data])"
    seconds = compare.ask(f"return {state};")
    half = max(s[-1] for s in seconds) / 2
    compare.ask(f"deck.seek({half});")
    reached = [max(0, sum(v <= half for v in s) - 1) for s in seconds]
    assert compare.frames() == reached
    assert min(f / n for f, n in zip(reached, lasts, strict=True)) < 1
    compare.deck.get_by_role("button", name="Play").click()
    page.wait_for_function(
        """(most) => {
          const all = [...halfmoonStages].map((s) => Number(s.root.dataset.drawMs));
          return all.some(Boolean) && all.every((ms) => !ms || ms <= most);
        }""",
        arg=DRAW_MS,
        timeout=30_000,
    )
    assert compare.ask("return all[0].log.requests;") == sent


def test_a_label_is_on_all_stages_at_once_and_undone_where_it_was_made(page, serve):
    compare = Comparison(page, serve(APP)).ready()
    before = compare.labels()
    assert before[0] == before[1]
    runs = compare.ask("return all.map((s) => s.view.run_id);")
    i = next(i for i in compare.lonely(1) if i not in before[0])
    compare.deck.locator("[data-brush='1']").click()
    assert compare.ask("return all.map((s) => s.ui.brush);") == [1, 1]
    compare.click(1, i)
    assert [shown.get(i) for shown in compare.labels()] == [1, 1]  # before the server
    page.wait_for_function(
        "(old) => [...halfmoonStages].every((s) => !old.includes(s.view.run_id))",
        arg=runs,
        timeout=60_000,
    )
    compare.settle()
    assert dict(compare.scenario().labels.hand)[i] == 1
    compare.ask("all[1].area.focus();")
    page.keyboard.press("z")
    compare.settle()
    assert compare.labels() == before


@pytest.mark.slow
def test_labels_clicked_in_turns_on_all_stages_all_arrive(page, serve):
    """14 clicks, 20 to 700 ms apart; the last word on a point counts."""
    compare, rng = Comparison(page, serve(APP), THREE).ready(), random.Random(3)
    wanted = compare.labels()[0]
    free = compare.lonely(0)[:40]
    for _ in range(14):
        stage, i, c = rng.randrange(3), rng.choice(free), rng.randrange(2)
        compare.click(stage, i, c)
        wanted[i] = c
        page.wait_for_timeout(rng.uniform(20, 700))
    end = time.monotonic() + 60
    while time.monotonic() < end:
        compare.settle()
        shown, kept = compare.labels(), dict(compare.scenario().labels.hand)
        if shown == [wanted] * 3 and kept == wanted:
            break
        page.wait_for_timeout(200)
    assert shown == [wanted] * 3
    assert kept == wanted


def test_a_label_with_three_methods_is_redrawn_on_all_stages_at_once(new_page, serve):
    page = new_page()
    page.add_init_script(NOTE_ANSWERS.replace("50000", "15000"))
    compare = Comparison(page, serve(APP), THREE).ready()
    free, times, answers = compare.lonely(0), [], []
    for i in free[:5]:
        compare.ask(
            "window.answers.length = 0; window.redrawn = 0; const old = "
            "new Set(all.map((s) => s.view.run_id)); const look = () => { "
            "if (all.every((s) => !s.view.pending && !old.has(s.view.run_id))) { "
            "requestAnimationFrame(() => { window.redrawn = Date.now() / 1000; }); "
            "return; } requestAnimationFrame(look); }; look();"
        )
        clicked = page.evaluate("Date.now() / 1000")
        compare.click(0, i, i % 2)
        page.wait_for_function("() => window.redrawn > 0", timeout=30_000)
        redrawn, answered = page.evaluate("[window.redrawn, window.answers[0]]")
        answers.append(answered - clicked)
        times.append(redrawn - answered)
        compare.settle()
    told = ", ".join(f"{t:.2f}" for t in answers)
    print(f"\nclick to the server's first answer, three methods: {told} s")
    judge("answer to new runs on three stages", times, REDRAWN, statistics.median)


@pytest.mark.slow
def test_a_slow_method_waits_in_its_place_and_can_be_removed(page, serve):
    compare = Comparison(page, serve(APP), LONG)
    stop = page.locator(".st-key-progress_0").get_by_role("button", name="Stop")
    stop.wait_for(timeout=60_000)
    page.locator(".hm-compact[data-ready='1']").wait_for(timeout=60_000)
    page.locator(".hm-compact[data-ready=points]").wait_for(timeout=60_000)
    compare.looked()
    ended = compare.ask("return all.map((s) => [s.view.pending, s.view.T > 1]);")
    assert ended == [[True, False], [False, True]]
    page.get_by_text("Still running.").wait_for(timeout=30_000)
    i = next(i for i in compare.lonely(1, 4) if i not in compare.labels()[1])
    compare.click(1, i, 0)  # labels can be given meanwhile
    page.get_by_role("button", name="Remove").first.click()
    compare.ready(count=1)
    assert [m.algorithm for m in compare.scenario().methods] == ["svm"]
    assert dict(compare.scenario().labels.hand)[i] == 0
    assert not stop.count()


@pytest.mark.slow
def test_two_visitors_compare_without_knowing_of_each_other(new_page, serve):
    people = [Comparison(new_page(), serve(APP)).ready() for _ in range(2)]
    wanted, rng = [p.labels()[0] for p in people], random.Random(5)
    free = people[0].lonely(0)[:20]
    for _ in range(4):
        for person, labels in zip(people, wanted, strict=True):
            i, c = rng.choice(free), rng.randrange(2)
            person.click(rng.randrange(2), i, c)
            labels[i] = c
    for person, labels in zip(people, wanted, strict=True):
        person.settle()
        assert person.labels() == [labels] * 2


def test_a_run_of_the_playground_is_pinned_and_found_in_compare(page, serve):
    playground = Playground(page, serve(APP)).ready()
    page.get_by_role("button", name="Pin").click()
    page.get_by_text("is the first method in Compare now").wait_for(timeout=20_000)
    visit(page, "Compare")
    page.locator(".hm-compact[data-ready='1']").wait_for(timeout=60_000)
    names = page.evaluate("[...halfmoonStages].map((s) => s.view.name)")
    assert names == ["Laplacian SVM, PCG"]
    assert playground.page.locator(".hm-deck").is_visible()


SIZES = [(1440, 900), (1280, 720), (768, 1024), (390, 844)]


def test_stages_stand_side_by_side_or_below_each_other_and_nothing_sticks_out(
    page, serve
):
    compare = Comparison(page, serve(APP)).ready()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(300)
        boxes = compare.ask(
            "return all.map((s) => { const b = s.root.getBoundingClientRect(); "
            "return [b.left, b.top, b.right]; });"
        )
        assert (boxes[0][1] == boxes[1][1]) == (width >= 1280)  # in one row
        assert all(0 <= left < right <= width for left, _, right in boxes)
        deck = compare.deck.bounding_box()
        assert deck["x"] >= 0
        assert deck["x"] + deck["width"] <= width
        wide = compare.deck.evaluate("deck => deck.scrollWidth - deck.clientWidth")
        assert wide <= 1
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        "() => [...halfmoonStages].every((s) => s.theme.dark) && "
        "[...halfmoonStages][0].group.deck.theme.dark",
        timeout=20_000,
    )
