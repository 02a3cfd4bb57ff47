"""The playground in a window, with the questions the tests ask."""

import math
import time
from urllib.parse import parse_qsl, urlsplit

from tests.browser.quiet import wait_until_quiet

APP = "app.py"


class Playground:
    """The page, with the questions the tests ask."""

    def __init__(self, page, address=None, scenario=None, query=""):
        """Open the page; without an address it is open already."""
        self.page, self.address = page, address
        query = scenario.to_query() if scenario is not None else query
        if address is not None:
            page.goto(f"{address}/?{query}")

    def ready(self, rest=True):
        self.page.locator(".hm-stage[data-ready='1']").first.wait_for(timeout=60_000)
        self.settle()
        if rest:
            self.rest()
        return self

    def rest(self):
        """A first visit plays by itself; let it stand at its end."""
        self.ask("if (s.player.playing) s.time.seek(s.player.T - 1);")

    @property
    def root(self):
        return self.page.locator(".hm-stage").first

    def settle(self):
        """Wait until the server has all edits and its answer is on the screen."""
        wait_until_quiet(self.root)

    def ask(self, expression):
        """Evaluate JavaScript with ``s``, the stage object."""
        return self.root.evaluate(
            f"root => {{ const s = root.halfmoon; {expression} }}"
        )

    def number(self, name):
        return int(self.root.get_attribute(f"data-{name}"))

    def scenario(self):
        """What the address says: the server's own idea of the screen."""
        # Here, so that a run of the tests without a browser need not load the app.
        from halfmoon.scenario import Scenario

        query = dict(parse_qsl(urlsplit(self.page.url).query))
        scenario, remarks = Scenario.from_url(query)
        assert remarks == []
        return scenario

    def wait_scenario(self, holds, seconds=20):
        end = time.monotonic() + seconds
        while not holds(self.scenario()):
            assert time.monotonic() < end, self.scenario()
            self.page.wait_for_timeout(50)
        return self.scenario()

    def labels(self):
        return dict(self.scenario().labels.hand)

    def pixels(self):
        """Screen position and given class of every point."""
        return self.ask(
            "const b = s.area.getBoundingClientRect(); return s.model.x.map((x, i) => "
            "[b.left + s.axes.px(x), b.top + s.axes.py(s.model.y[i]), "
            "s.model.given[i]]);"
        )

    def lonely(self, count, apart=9):
        """Unlabelled points with no neighbour within `apart` pixels: (index, x, y)."""
        points, found = self.pixels(), []
        for i, (x, y, given) in enumerate(points):
            others = (p for j, p in enumerate(points) if j != i)
            nearest = min(math.hypot(x - p[0], y - p[1]) for p in others)
            if given < 0 and nearest > apart:
                found.append((i, x, y))
        assert len(found) >= count
        return found[:count]

    def empty_place(self):
        left, top, width, height = self.ask(
            "const b = s.area.getBoundingClientRect(), a = s.axes.box; "
            "return [b.left + a.left, b.top + a.top, a.width, a.height];"
        )
        return left + 0.9 * width, top + 0.9 * height

    def run_id(self):
        return self.ask("return s.view.run_id;")

    def wait_new_run(self, old):
        self.page.wait_for_function(
            "([root, old]) => root.halfmoon.view.run_id !== old"
            " && root.dataset.ready === '1'",
            arg=[self.root.element_handle(), old],
            timeout=60_000,
        )
        self.settle()

    def boundary(self):
        """Which cells of the last field lie on the side of class 1."""
        return self.ask(
            "const { data, shape } = s.view.arrays.field; "
            "const size = shape[1] * shape[2]; "
            "return Array.from(data.slice(data.length - size), (v) => v > 127);"
        )

    def tile(self, name):
        self.page.get_by_label("Last iteration").click()
        box = self.page.locator(".hm-tile", has_text=name).first
        return box.locator("b").inner_text()

    def press(self, name):
        self.root.get_by_role("button", name=name, exact=True).first.click()
