"""Drawing on the stage: strokes that grow, go out on their way and end as one step."""

import math
import random

import pytest

from halfmoon.scenario import DRAWN, default
from tests.browser.demo import DEMO, Demo
from tests.browser.playground import APP, Playground

pytestmark = pytest.mark.browser
REACH = 30  # pixels around the pointer that a spray reaches
STROKES = 3
PATIENCE = 60_000  # milliseconds
LIVE = 0.25  # seconds at least from one step of a stroke to the next


@pytest.fixture
def demo(page, serve):
    """A page of its own: what a stroke does depends on how fast the page draws."""
    return Demo(page, serve(DEMO))


def frame(demo):
    """Left, top, width and height of the picture on the screen."""
    return demo.ask(
        "const b = s.area.getBoundingClientRect(), a = s.axes.box; "
        "return [b.left + a.left, b.top + a.top, a.width, a.height];"
    )


def choose(demo, name):
    demo.page.get_by_role("button", name=name, exact=True).click()


def added(demo, n):
    """Places on the screen and classes of the points after the first n."""
    return demo.pixels()[n:]


def test_a_spray_scatters_points_along_its_way_and_is_one_step(demo):
    page, n = demo.page, demo.number("points")
    left, top, width, height = frame(demo)
    choose(demo, "Spray")
    page.keyboard.press("u")
    start = left + 0.5 * width, top + 0.1 * height
    page.mouse.move(*start)
    page.mouse.down()
    for i in range(20):
        page.mouse.move(start[0] + 8 * i, start[1])
        page.wait_for_timeout(25)
    page.mouse.up()
    points = added(demo, n)
    assert len(points) >= 10
    assert all(given == -1 for *_, given in points)
    assert all(abs(y - start[1]) <= REACH + 1 for _, y, _ in points)
    assert max(x for x, *_ in points) - min(x for x, *_ in points) > 80
    demo.settle()
    demo.wait_server(f"points={n + len(points)} ")
    assert demo.ask("return s.log.done.length;") == 1
    page.keyboard.press("z")
    assert demo.number("points") == n
    demo.settle()
    demo.wait_server(f"points={n} ")
    page.keyboard.press("Shift+Z")
    demo.settle()
    demo.wait_server(f"points={n + len(points)} ")

    # The eraser as a spray takes points away, and one undo brings all back.
    page.keyboard.press("0")
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 160, start[1], steps=30)
    page.mouse.up()
    demo.settle()
    left_over = demo.number("points")
    assert left_over < n + len(points) - 3
    demo.wait_server(f"points={left_over} ")
    page.keyboard.press("z")
    demo.settle()
    demo.wait_server(f"points={n + len(points)} ")


def test_beyond_the_frame_nothing_sticks_and_undo_ends_a_stroke(demo):
    page, n = demo.page, demo.number("points")
    left, top, width, height = frame(demo)
    choose(demo, "Spray")
    page.mouse.move(left + width - 4, top + 0.5 * height)
    page.mouse.down()
    page.mouse.move(left + width + 15, top + 0.5 * height, steps=3)
    page.wait_for_timeout(400)
    page.mouse.move(left + width + 200, top + 0.5 * height, steps=3)
    page.wait_for_timeout(100)
    count = demo.number("points")
    page.wait_for_timeout(250)
    assert demo.ask("return s.model.n;") == count  # far outside
    assert all(x <= left + width + 0.5 for x, *_ in added(demo, n))
    page.mouse.move(left + 0.9 * width, top + 0.1 * height)
    page.wait_for_function(
        "([root, n]) => root.halfmoon.model.n > n",
        arg=[demo.root.element_handle(), count],
        timeout=PATIENCE,
    )
    page.keyboard.press("z")  # with the button still down
    assert demo.ask("return s.model.n;") == n
    page.wait_for_timeout(200)
    page.mouse.move(left + 0.8 * width, top + 0.1 * height, steps=3)
    page.mouse.up()
    demo.settle()
    assert demo.number("points") == n
    demo.wait_server(f"points={n} ")
    page.keyboard.press("Shift+Z")
    assert demo.ask("return s.model.n;") > n
    page.keyboard.press("z")
    demo.settle()


def test_a_drag_is_solved_on_its_way_a_few_times_a_second_and_is_one_step(demo):
    page = demo.page
    i, x, y = demo.lonely(1)[0]
    from_x, from_y = demo.ask(f"return [s.model.x[{i}], s.model.y[{i}]];")
    choose(demo, "Drag")
    page.mouse.move(x, y)
    page.mouse.down()
    views, runs, begun = demo.number("views"), demo.runs(), demo.ask("return +new Date")
    seen = demo.ask("return s.view.arrays.points.data[2 * " + str(i) + "];")
    for step in range(50):
        page.mouse.move(x + 1.5 * step, y - step)
        page.wait_for_timeout(30)
    page.wait_for_function(
        "([root, views]) => Number(root.dataset.views) > views + 1",
        arg=[demo.root.element_handle(), views],
        timeout=20_000,
    )
    spent = (demo.ask("return +new Date") - begun) / 1000
    assert demo.ask("return s.log.stroke !== null;")
    on_its_way = demo.ask("return s.view.arrays.points.data[2 * " + str(i) + "];")
    assert on_its_way != seen  # the server's own idea of where it is, while dragging
    assert 2 <= demo.number("requests") <= 2 + spent / LIVE
    page.mouse.move(x + 90, y - 60)
    page.mouse.up()
    demo.settle()
    assert demo.runs() > runs
    px, py, _ = demo.pixels()[i]
    assert math.hypot(px - x - 90, py - y + 60) < 2  # the last place is what counts
    assert demo.ask("return s.log.done.length;") == 1
    page.keyboard.press("z")
    demo.settle()
    back = demo.ask(f"return [s.model.x[{i}], s.model.y[{i}]];")
    assert back == pytest.approx([from_x, from_y], abs=1e-5)


def test_a_second_finger_takes_a_stroke_back_and_redo_brings_it_again(new_page, serve):
    page = new_page(width=390, height=844, has_touch=True)
    demo = Demo(page, serve(DEMO))
    n = demo.number("points")
    choose(demo, "Spray")
    demo.root.locator(".hm-area").scroll_into_view_if_needed()
    left, top, width, height = frame(demo)
    x, y = left + 0.9 * width, top + 0.12 * height
    touch = page.context.new_cdp_session(page)

    def send(kind, *places):
        points = [{"x": u, "y": v, "id": k} for k, (u, v) in enumerate(places)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", (x, y))
    send("touchMove", (x - 20, y))
    page.wait_for_timeout(200)
    assert demo.ask("return s.model.n;") > n  # a finger sprays, too
    send("touchStart", (x - 20, y), (x - 90, y + 60))
    send("touchMove", (x, y), (x - 120, y + 90))
    send("touchEnd")
    assert demo.ask("return s.model.n;") == n
    assert demo.ask("return s.axes.zoom;") > 1
    demo.settle()
    demo.wait_server(f"points={n} ")
    assert demo.ask("s.hand.redo(); return s.model.n;") > n
    demo.settle()


def test_digits_have_their_own_keys_and_every_key_is_on_its_brush(page, serve):
    demo = Demo(page, serve(DEMO), "classes=10&digits=1")
    brushes = demo.root.get_by_role("radio")
    assert [b.inner_text().split() for b in brushes.all() if b.is_visible()] == [
        *([str(d)] for d in range(10)),
        ["Unlabelled", "u"],
        ["Erase", "x"],
    ]
    demo.root.locator(".hm-area").focus()
    for key, brush in (("7", 7), ("0", 0), ("9", 9), ("x", -2), ("u", -1)):
        page.keyboard.press(key)
        assert demo.ask("return s.ui.brush;") == brush
    words = demo.root.locator("[data-role=keys]").text_content()
    assert "0 … 9class brush" in words
    assert "xerase brush" in words


class Draughtsman:
    """Somebody who drags, sprays and takes back at odd times, and remembers."""

    def __init__(self, page, address, seed):
        self.rng, self.page = random.Random(seed), page
        self.playground = Playground(page, address).ready()
        self.n = self.playground.number("points")

    def pause(self):
        self.page.wait_for_timeout(self.rng.uniform(5, 250))

    def anywhere(self):
        left, top, width, height = frame(self.playground)
        u, v = self.rng.uniform(-0.1, 1.1), self.rng.uniform(-0.1, 1.1)
        return left + u * width, top + v * height

    def stroke(self):
        """Drag a point or spray, with pauses; in one of four it is undone midway."""
        mode = self.rng.choice(["Spray", "Drag"])
        page, playground = self.page, self.playground
        playground.ask(f"s.hand.setMode('{mode.lower()}');")
        playground.ask(f"s.hand.setBrush({self.rng.choice([-2, -1, 0, 1])});")
        x, y, _ = self.rng.choice(playground.pixels())
        page.mouse.move(x, y)
        page.mouse.down()
        for _ in range(self.rng.randrange(1, 5)):
            page.mouse.move(*self.anywhere(), steps=3)
            self.pause()
        if self.rng.random() < 0.25:
            playground.ask("s.hand.undo();")
            self.pause()
        page.mouse.up()
        self.pause()

    def shown(self):
        """What the stage shows and what the server holds, point by point."""
        rows = self.playground.ask(
            "return s.model.number.map((i, j) => [i, s.model.x[j], s.model.y[j], "
            "s.model.given[j]]);"
        )
        held = self.playground.ask(
            "const a = s.view.arrays; return Array.from(a.number.data, (i, j) => "
            "[i, a.points.data[2 * j], a.points.data[2 * j + 1], a.given.data[j]]);"
        )
        return rows, held


@pytest.mark.slow
def test_strokes_at_odd_times_by_two_visitors_end_as_they_were_seen(new_page, serve):
    people = [Draughtsman(new_page(), serve(APP), seed) for seed in (1, 2)]
    history = people[0].page.evaluate("history.length")
    for _ in range(STROKES):
        for person in people:
            person.stroke()
    for person in people:
        before, _ = person.shown()
        person.playground.settle()
        after, held = person.shown()
        # Places travel with five digits.
        for rows in (after, held):
            assert len(rows) == len(before)
            for row, seen in zip(rows, before, strict=True):
                assert row == pytest.approx(seen, abs=2e-4)
        assert person.page.get_by_test_id("stException").count() == 0
    # A stroke is one step back in the browser as well, whatever it passed on its way.
    assert people[0].page.evaluate("history.length") - history <= 2 * STROKES + 1


def test_an_empty_stage_says_what_to_do_and_other_data_are_labelled(page, serve):
    playground = Playground(page, serve(APP), default().with_data(DRAWN)).ready()
    assert playground.ask("return s.ui.mode;") == "add"
    playground.root.locator(".hm-area").focus()
    page.keyboard.press("0")
    status = playground.root.locator(".hm-status", has_text="no points to erase")
    status.wait_for(timeout=PATIENCE)  # drawn with the next frame
    place = playground.empty_place()
    for n in (1, 0):  # a point more, and it is erased: then there is none to erase
        page.mouse.click(*place)
        assert playground.ask("return s.model.n;") == n
        page.keyboard.press("0")
    assert playground.ask("return s.ui.brush;") == 0
    assert not playground.root.get_by_role("radio", name="Erase").is_visible()
    playground.settle()
    playground.ask("s.view.max_number = s.model.next + 2;")
    page.keyboard.press("u")
    playground.press("Spray")
    page.mouse.move(*playground.empty_place())
    page.mouse.down()
    page.wait_for_timeout(300)
    assert playground.ask("return s.model.n;") == 2  # as many as fit, and a sentence
    page.mouse.up()
    told = playground.ask("s.showStatus(); return s.parts.live.textContent;")
    playground.settle()
    assert "No more points" in told
    # Other data: nothing that was said of these is left for a reader of the page.
    playground.ask("s.show({ ...s.full, data_id: 'others' });")
    assert playground.ask("return s.parts.live.textContent;") == ""
    playground.ask("s.say('a point'); s.remove();")
    assert playground.root.locator("[data-role=live]").text_content() == ""
