"""Whatever the timing between two actions, what a visitor did is there at the end.

Clicks come 20 to 1000 ms apart, as a person's do: faster than a run, slower than the
batching of edits, and in between. Here a visitor acts 10 or 12 times; in `make attack`
one visitor, and then eight at once, act 230 times each.
"""

import math
import random
import time
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.browser.moving import visit
from tests.browser.playground import APP, Playground

pytestmark = pytest.mark.browser
PAUSES = (0.02, 1.0)  # seconds between two actions
ARRIVES = 60.0  # seconds after the last action by which all must be there
APART = 3.0  # pixels: nearer points cannot be told apart by a click
# A download button asks for its file when it is drawn. Where the next screen is on its
# way by then, the server holds that one's files only; the new button asks again.
STALE = "console: Client Error: Download Button source error - 404"
GONE = "console: Failed to load resource: the server responded with a status of 404"


class Visitor:
    """Somebody who labels points and moves sliders, and remembers what they did."""

    def __init__(self, page, address, seed):
        self.rng = random.Random(seed)
        self.playground = Playground(page, address).ready()
        self.page = page
        self.labels = self.given()
        self.turns = 0
        self.next = time.monotonic()

    def given(self):
        given = self.playground.ask("return s.model.given;")
        return {i: c for i, c in enumerate(given) if c >= 0}

    def click(self):
        """Label a point, or change its label, at the place where it is now."""
        points = self.playground.pixels()
        while True:
            i = self.rng.randrange(len(points))
            x, y, _ = points[i]
            others = (p for j, p in enumerate(points) if j != i)
            if min(math.hypot(x - p[0], y - p[1]) for p in others) > APART:
                break
        c = self.rng.randrange(2)
        self.playground.ask(f"s.hand.setBrush({c});")
        self.page.mouse.click(x, y)
        self.labels[i] = c
        # Else the hand was beside the point, and nothing was there to be lost.
        assert self.playground.ask(f"return s.model.given[{i}];") == c

    def turn(self):
        """Move a slider by one step, up and down so that it stays in its range."""
        slider = self.page.get_by_role("slider", name="Kernel width σ").first
        slider.press("ArrowRight" if self.turns % 2 == 0 else "ArrowLeft")
        self.turns += 1

    def act(self, every):
        """The next thing to do: a slider now and then, else a label."""
        if self.rng.random() < 1 / every:
            self.turn()
        else:
            self.click()
        self.next = time.monotonic() + self.rng.uniform(*PAUSES)

    def lost(self):
        """Labels that are not where they were put, a minute later.

        On the stage, or in the address, which the server writes at the end of a run
        and which follows the stage by seconds on a busy machine.
        """
        slider = self.page.get_by_role("slider", name="Kernel width σ").first
        shown = float(slider.get_attribute("aria-valuetext"))
        end = time.monotonic() + ARRIVES
        while True:
            scenario, stage = self.playground.scenario(), self.given()
            server = dict(scenario.labels.hand)
            lost = {
                i: (c, server.get(i), stage.get(i))
                for i, c in self.labels.items()
                if not server.get(i) == stage.get(i) == c
            }
            if scenario.params["sigma"] != shown:
                lost["sigma"] = shown, scenario.params["sigma"]
            if not lost or time.monotonic() > end:
                return lost
            self.page.wait_for_timeout(200)


def crowd(new_page, address, visitors, actions):
    """Let visitors act at once, each with pauses of their own; what each lost."""
    people = [Visitor(new_page(), address, seed) for seed in range(visitors)]
    for _ in range(actions * visitors):
        person = min(people, key=lambda v: v.next)
        person.page.wait_for_timeout(1000 * max(0.0, person.next - time.monotonic()))
        person.act(every=8)
    assert any(person.turns for person in people)
    return {seed: lost for seed, person in enumerate(people) if (lost := person.lost())}


def test_every_label_arrives_with_sliders_moved_in_between(new_page, serve):
    assert crowd(new_page, serve(APP), visitors=1, actions=10) == {}


@pytest.mark.slow
def test_every_label_of_three_visitors_at_once_arrives(new_page, serve):
    assert crowd(new_page, serve(APP), visitors=3, actions=10) == {}


@pytest.mark.slow
@pytest.mark.timeout(1800)  # eight browsers on two cores: 12 minutes
@pytest.mark.parametrize("visitors", [1, 8])
def test_every_one_of_two_hundred_labels_arrives(new_page, serve, visitors):
    assert crowd(new_page, serve(APP), visitors, actions=230) == {}


def test_back_and_forward_walk_through_the_labels(page, serve):
    playground = Playground(page, serve(APP)).ready()
    seen = [playground.scenario()]
    for _, x, y in playground.lonely(2):
        page.mouse.click(x, y)
        playground.wait_scenario(lambda s: s != seen[-1])
        playground.settle()
        seen.append(playground.scenario())
    counts = [sum(c >= 0 for _, c in s.labels.hand) or 2 for s in seen]
    assert counts == [2, 3, 4]
    for step, count in (("back", 3), ("back", 2), ("forward", 3), ("forward", 4)):
        page.go_back() if step == "back" else page.go_forward()
        page.wait_for_function(
            "([root, n]) => root.dataset.labels === String(n)",
            arg=[playground.root.element_handle(), count],
            timeout=20_000,
        )
    playground.settle()
    assert playground.scenario() == seen[-1]


def press_until_seen(page, slider, key):
    """Press a key until the slider moves, as one does who looks at it; did it move?

    A browser that is too busy may pass over a key; what it has shown must arrive.
    """
    before = slider.get_attribute("aria-valuetext")
    for look in range(60):
        if look % 20 == 0:
            slider.press(key)
        if slider.get_attribute("aria-valuetext") != before:
            return True
        page.wait_for_timeout(20)
    return False


def forgive_replaced_buttons(page):
    """Take the questions of download buttons of replaced screens off its problems."""
    for _ in range(page.problems.count(STALE)):
        page.problems.remove(STALE)
        gone = next(p for p in page.problems if p.startswith(GONE))
        page.problems.remove(gone)


@pytest.mark.parametrize("count", [12, pytest.param(48, marks=pytest.mark.slow)])
def test_quick_moves_of_many_thresholds_of_a_lesson_all_arrive(page, serve, count):
    """Moves 20 to 400 ms apart, two runs under way; thresholds stand as put."""
    Playground(page, serve(APP)).ready()
    visit(page, "Early stopping")
    page.get_by_role("button", name="I would stop at t").click(timeout=60_000)
    lines = page.get_by_role("slider", name="Threshold of the")
    lines.nth(3).wait_for(timeout=60_000)
    names = ("gradient", "preconditioned", "mixed_product", "objective")
    neighbours = page.get_by_role("slider", name="Neighbours")
    rng, moves = random.Random(1), dict.fromkeys(names, 0)
    for turn in range(count):
        name = rng.choice(names)
        key, step = rng.choice((("ArrowUp", 1), ("ArrowDown", -1)))
        if press_until_seen(page, lines.nth(names.index(name)), key):
            moves[name] += step
        if turn in (
            count // 3,
            2 * count // 3,
        ):  # another run: the stage is given a new view meanwhile
            neighbours.press("ArrowRight")
        page.wait_for_timeout(1000 * rng.uniform(0.02, 0.4))
    assert sum(map(abs, moves.values())) > 3
    # A step is a tenth of a decade; the usual threshold is 10^-6. A busy browser may
    # act on a key that was pressed again as well: what counts is what it shows.
    shown = [float(line.get_attribute("aria-valuenow")) for line in lines.all()]
    exponents = dict(zip(names, shown, strict=False))
    wanted = {n: pytest.approx(v) for n, v in exponents.items() if abs(v + 6) > 0.01}
    end = time.monotonic() + 30
    while True:
        query = dict(parse_qsl(urlsplit(page.url).query))
        found = {k[3:]: float(v) for k, v in query.items() if k.startswith("at.")}
        found = {name: value for name, value in found.items() if name in names}
        if found == wanted or time.monotonic() > end:
            break
        page.wait_for_timeout(100)
    assert found == wanted
    forgive_replaced_buttons(page)
