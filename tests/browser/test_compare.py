"""Compare in a real browser: several stages, one set of labels, one transport."""

import math
import random
import time
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from pages._parts.compare import session as comparison
from pages._parts.scenario import Scenario

pytestmark = pytest.mark.browser
APP = "app.py"
THREE = Scenario.of("two_moons", "lapsvm_pcg", "svm", "tsvm")
PROBING = "the server responded with a status of 404"
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
        # Streamlit looks for itself below a page's address first; those answers are
        # its own, and nothing else may be missing.
        self.missing = missing

    def ready(self, count=None):
        self.count = count or self.count
        self.page.wait_for_function(
            "n => { const all = [...(window.halfmoonStages ?? [])]; "
            "return all.length === n && all.every((s) => s.view && !s.view.pending); }",
            arg=self.count,
            timeout=60_000,
        )
        assert all("/_stcore/" in url for url in self.missing), self.missing
        self.page.problems[:] = [p for p in self.page.problems if PROBING not in p]
        return self.settle()

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
            self.ask(f"all[{stage}].setBrush({label});")
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
        "() => [...halfmoonStages].some((s) => Number(s.root.dataset.drawMs))",
        timeout=30_000,
    )
    clocks = compare.ask("return all.map((s) => s.root.dataset.drawMs);")
    assert max(float(ms) for ms in clocks if ms) <= DRAW_MS
    assert compare.ask("return all[0].log.requests;") == sent


def test_a_label_is_on_all_stages_at_once_and_undone_where_it_was_made(page, serve):
    compare = Comparison(page, serve(APP)).ready()
    before = compare.labels()
    assert before[0] == before[1]
    runs = compare.ask("return all.map((s) => s.view.run_id);")
    i = next(i for i in compare.lonely(1) if i not in before[0])
    compare.click(1, i, 0)
    assert [shown.get(i) for shown in compare.labels()] == [0, 0]  # before the server
    compare.settle()
    new = compare.ask("return all.map((s) => s.view.run_id);")
    assert not set(new) & set(runs)
    assert dict(compare.scenario().labels.hand)[i] == 0
    compare.ask("all[1].area.focus();")
    page.keyboard.press("z")
    compare.settle()
    assert compare.labels() == before


def test_labels_clicked_in_turns_on_all_stages_all_arrive(page, serve):
    """20 clicks, 20 to 700 ms apart; the last word on a point counts."""
    compare, rng = Comparison(page, serve(APP), THREE).ready(), random.Random(3)
    wanted = compare.labels()[0]
    free = compare.lonely(0)[:40]
    for _ in range(20):
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
