"""The stage alone, on the page of stage_demo.py, with the questions the tests ask."""

import math
import re

from tests.browser.quiet import wait_until_quiet

DEMO = "tests/browser/stage_demo.py"


class Demo:
    """The demo page, with the questions the tests ask."""

    def __init__(self, page, address=None, query=""):
        self.page = page
        if address is not None:
            page.goto(f"{address}/?{query}")
        self.root = page.locator(".hm-stage").first
        page.locator(".hm-stage[data-ready='1']").first.wait_for(timeout=60_000)
        self.settle()

    def start_over(self):
        """A new stage on the same page; saves what a page takes to load."""
        self.page.mouse.move(1, 1)
        self.root.evaluate("root => { root.dataset.old = 'yes'; }")
        self.page.get_by_role("button", name="Start over").click()
        new = self.page.locator(".hm-stage[data-ready='1']:not([data-old])")
        new.first.wait_for(timeout=60_000)
        self.page.locator(".hm-stage[data-old]").wait_for(state="detached")
        self.settle()
        return self

    def settle(self):
        """Wait until the server has all edits and its answer is on the screen."""
        wait_until_quiet(self.root)

    def data(self, name):
        return self.root.get_attribute(f"data-{name}")

    def number(self, name):
        return int(self.data(name))

    def ask(self, expression):
        """Evaluate JavaScript with ``s``, the stage object."""
        return self.root.evaluate(
            f"root => {{ const s = root.halfmoon; {expression} }}"
        )

    def runs(self):
        return int(self.server(r"runs=(\d+)"))

    def server(self, pattern):
        text = " ".join(self.page.locator("[data-testid=stText]").all_inner_texts())
        return re.search(pattern, text).group(1)

    def wait_server(self, text):
        self.page.get_by_text(text).wait_for(timeout=20_000)

    def pixels(self):
        """Screen position and given class of every point."""
        return self.ask(
            "const b = s.area.getBoundingClientRect(); return s.model.x.map((x, i) => "
            "[b.left + s.axes.px(x), b.top + s.axes.py(s.model.y[i]), "
            "s.model.given[i]]);"
        )

    def lonely(self, count, apart=9):
        """Unlabelled points with no neighbour within `apart` pixels: (index, x, y)."""
        points = self.pixels()
        found = []
        for i, (x, y, given) in enumerate(points):
            others = (p for j, p in enumerate(points) if j != i)
            if (
                given < 0
                and min(math.hypot(x - p[0], y - p[1]) for p in others) > apart
            ):
                found.append((i, x, y))
        assert len(found) >= count
        return found[:count]

    def click_point(self, i):
        x, y, _ = self.pixels()[i]
        self.page.mouse.click(x, y)

    def empty_place(self):
        box = self.ask(
            "const b = s.area.getBoundingClientRect(), a = s.axes.box; "
            "return [b.left + a.left, b.top + a.top, a.width, a.height];"
        )
        return box[0] + 0.93 * box[2], box[1] + 0.1 * box[3]
