"""Lines on the field: drawn where f changes sign, and nowhere else.

The stage's own JavaScript draws from the bytes it would be sent; numpy knows the truth
on a grid as fine as the picture.
"""

import base64
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.spatial import cKDTree

from pages._parts import stage
from pages._parts.pictures import stage_views
from pages._parts.playground.presets import PRESETS
from pages._parts.running.run_server import RunServer
from ssl_core.viz.fields import field_frames, grid

pytestmark = pytest.mark.browser
FINE = 3  # the stage puts two values between neighbours on a grid of 64 x 48
EXTENT = (-4.0, 4.0, -3.0, 3.0)
LINES = """async ([source, block, frame]) => {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const { Field, unpack } = await import(url);
  const view = await unpack(Uint8Array.from(atob(block), (c) => c.charCodeAt(0)));
  const field = new Field(view);
  const black = "#000000";
  const theme = { background: black, classes: Array(10).fill(black) };
  field.setTheme(theme);
  field.prepare(frame);
  const chains = { zero: field.zero, plus: field.plus, minus: field.minus };
  chains.ghost = field.ghostLines.map((line) => line.xy);
  chains.borders = field.borders;
  return { w: field.w2, h: field.h2, s: field.s, ...chains };
}"""


def draw(page, view, frame):
    """Places on the fine grid where the stage draws its lines, by name."""
    source = stage.bundle() + "\nexport { Field, unpack };\n"
    block = base64.b64encode(stage.payload(view)).decode()
    page.goto("about:blank")
    drawn = page.evaluate(LINES, [source, block, frame])
    shape = drawn.pop("w"), drawn.pop("h"), drawn.pop("s")
    borders = np.reshape(drawn.pop("borders") or [], (-1, 2))
    lines = {
        name: np.unique(
            np.concatenate([np.reshape(xy, (-1, 2)) for xy in chains]), axis=0
        )
        if chains
        else np.empty((0, 2))
        for name, chains in drawn.items()
    }
    return shape, lines | {"borders": borders}


def crossings(F, level=0.0):
    """Places between neighbours of a grid where F crosses a level."""
    over = level <= F
    y, x = np.nonzero(over[:, 1:] != over[:, :-1])
    across = (level - F[y, x]) / (F[y, x + 1] - F[y, x])
    rows = np.column_stack([x + across, y])
    y, x = np.nonzero(over[1:] != over[:-1])
    across = (level - F[y, x]) / (F[y + 1, x] - F[y, x])
    return np.vstack([rows, np.column_stack([x, y + across])])


def distance(places, others):
    """From each place to the nearest of the others, in cells of the sent grid."""
    if not len(places):
        return np.zeros(1)
    if not len(others):
        return np.full(1, np.inf)
    return cKDTree(others).query(places)[0] / FINE


@dataclass(frozen=True)
class Run:
    """State ``frame`` of a preset's run."""

    preset: str
    frame: int

    def view_and_truth(self):
        server, scenario = RunServer(), PRESETS[self.preset].scenario
        job = server.ask(scenario)
        assert job.wait(60)
        solved = job.outcome()
        view = stage_views.run_view(solved, scenario, server.picture(scenario))
        states = [s.t for s in solved.trace.states]
        state = states.index(view.frame_t[self.frame])
        columns, rows = stage_views.GRID
        size = FINE * (columns - 1) + 1, FINE * (rows - 1) + 1
        return view, field_frames(solved.trace, view.extent, size, [state])[0]

    def __str__(self):
        return f"{self.preset}, frame {self.frame}"


@dataclass(frozen=True)
class Formula:
    """A field by formula, with its name."""

    name: str
    f: object

    def on(self, size):
        x, y = grid(EXTENT, size).T.reshape(2, size[1], size[0])
        return self.f(x, y)

    def view_and_truth(self, **changes):
        columns, rows = stage_views.GRID
        settings = {
            "points": np.zeros((1, 2)),
            "given": np.array([-1]),
            "class_names": ("a", "b"),
            "extent": EXTENT,
            "frame_t": np.array([0]),
            "field": self.on((columns, rows))[None],
        }
        size = FINE * (columns - 1) + 1, FINE * (rows - 1) + 1
        return stage.StageView(**settings | changes), self.on(size)

    def __str__(self):
        return self.name


def bump(x, y, x0, y0, sigma=0.35):
    return np.exp(-((x - x0) ** 2 + (y - y0) ** 2) / (2 * sigma**2))


FIELDS = (
    Run("figure1_supervised", -1),
    Run("moons", 1),
    Run("moons", -1),
    Run("spirals", 1),
    Run("spirals", -1),
    Run("hard", 2),
    Formula("one sharp bump, positive", lambda x, y: bump(x, y, 0.3, -0.4)),
    Formula("tails of 1e-30", lambda x, y: bump(x, y, 1, 1, 0.2) + 1e-30),
    Formula("flat at zero", lambda x, y: (x - 0.4 * y - 0.23) ** 3 / 30),
    Formula("waves of 1e-6", lambda x, y: 1e-6 * np.sin(2 * x) * np.cos(1.5 * y)),
)


@pytest.mark.parametrize("field", FIELDS, ids=str)
def test_the_boundary_is_drawn_where_f_changes_sign_and_nowhere_else(new_page, field):
    view, truth = field.view_and_truth()
    frame = field.frame % view.n_frames if isinstance(field, Run) else 0
    (w, h, s), lines = draw(new_page(), view, frame)
    assert (h, w, s) == (*truth.shape, FINE)
    true, drawn = crossings(truth), lines["zero"]
    assert distance(drawn, true).max() < 1  # no line within reach of no sign change
    assert distance(true, drawn).max() < 1  # and none left out
    assert len(drawn) == pytest.approx(len(true), rel=0.06)
    signs = truth[::FINE, ::FINE] >= 0
    cells = np.floor(drawn / FINE).astype(int)
    x, y = np.minimum(cells, [signs.shape[1] - 2, signs.shape[0] - 2]).T
    around = np.stack([signs[y, x], signs[y, x + 1], signs[y + 1, x]])
    agree = (around == signs[y + 1, x + 1]).all(axis=0)
    on_side = (drawn % FINE == 0).any(axis=1)  # between two cells: either may differ
    assert not (agree & ~on_side).any()


@pytest.mark.parametrize("field", [Run("moons", -1), Run("spirals", -1)], ids=str)
def test_settled_boundaries_are_true_to_a_thirtieth_of_a_cell(new_page, field):
    view, truth = field.view_and_truth()
    _, lines = draw(new_page(), view, view.n_frames - 1)
    off = distance(lines["zero"], crossings(truth))
    assert off.mean() < 1 / 30  # through the packed levels it would be a ninth


def test_the_margins_are_drawn_where_f_is_plus_and_minus_one(new_page):
    field = Formula("slope", lambda x, y: np.sin(x) + 0.7 * y)
    view, truth = field.view_and_truth()
    _, lines = draw(new_page(), view, 0)
    for name, level in (("plus", 1.0), ("minus", -1.0)):
        true = crossings(truth, level)
        assert len(lines[name]) == pytest.approx(len(true), rel=0.06)
        assert distance(lines[name], true).mean() < 0.1  # f in steps of 0.04 near 1


def test_the_earlier_run_has_no_false_boundary_either(new_page):
    lonely, half = (FIELDS[6], Formula("half", lambda x, y: x - 0.1))
    for ghost in (lonely, half):
        field = ghost.on(stage_views.GRID)
        view, truth = half.view_and_truth(ghost=stage.Ghost("Before", field))
        _, lines = draw(new_page(), view, 0)
        true = crossings(ghost.on((truth.shape[1], truth.shape[0])))
        assert len(lines["ghost"]) == pytest.approx(len(true), rel=0.06)


def test_borders_of_many_classes_lie_between_different_winners(new_page):
    """Tiny outputs, three classes: each border stands in a cell with two winners."""

    def scores(x, y):
        bumps = [bump(x, y, *at) for at in ((-2, 0), (1, 1.5), (1.2, -1.5))]
        return 1e-3 * np.stack(bumps, axis=-1)

    columns, rows = stage_views.GRID
    x, y = grid(EXTENT, stage_views.GRID).T.reshape(2, rows, columns)
    view, _ = FIELDS[6].view_and_truth(
        field=scores(x, y)[None], class_names=("a", "b", "c")
    )
    _, lines = draw(new_page(), view, 0)
    winner = scores(x, y).argmax(axis=-1)
    mixed = np.zeros((rows - 1, columns - 1), dtype=bool)
    corners = [winner[:-1, :-1], winner[:-1, 1:], winner[1:, :-1], winner[1:, 1:]]
    for corner in corners:
        mixed |= corner != corners[0]
    middles = lines["borders"].reshape(-1, 2, 2).mean(axis=1)
    assert len(middles) > 0
    cells = np.floor(middles).astype(int)
    assert mixed[cells[:, 1], cells[:, 0]].all()
