"""Lines on the field: drawn where f changes sign, and nowhere else.

The stage's own JavaScript draws from the bytes it would be sent; numpy knows the truth
on a grid as fine as the picture.
"""

import base64
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.ndimage import maximum_filter
from scipy.spatial import cKDTree

from halfmoon import stage
from halfmoon.pages._parts.pictures import stage_views
from halfmoon.pages._parts.playground.presets import PRESETS
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.views.stage_view import GRID
from ssl_core.viz.fields import field_frames, grid
from tests.javascript import FIELD, evaluate

FINE = 4  # the stage puts three values between neighbours on a grid of 64 x 48
EXTENT = (-4.0, 4.0, -3.0, 3.0)
LINES = """async ([block, frame]) => {
  const view = await unpack(Uint8Array.from(atob(block), (c) => c.charCodeAt(0)));
  const field = new Field(view);
  const black = "#000000";
  const theme = { background: black, classes: Array(10).fill("#ff0000"), strength: 1 };
  field.setTheme(theme);
  field.prepare(frame);
  const chains = { zero: field.zero, plus: field.plus, minus: field.minus };
  chains.ghost = field.ghostLines.map((line) => line.xy);
  chains.borders = field.borders;
  const { margins, pixels } = field, parts = [];
  for (const [opacity, lines] of field.byOpacity()) parts.push([opacity, lines.flat()]);
  const said = { margins, parts, pixels: [...pixels] };
  return { said, w: field.w2, h: field.h2, s: field.s, ...chains };
}"""


def draw(view, frame):
    """Places on the fine grid where the stage draws its lines, by name."""
    block = base64.b64encode(stage.payload(view)).decode()
    drawn = evaluate(FIELD, f"({LINES})(data)", [block, frame])
    said = drawn.pop("said")
    shape = drawn.pop("w"), drawn.pop("h"), drawn.pop("s")
    borders = np.reshape(drawn.pop("borders", None) or [], (-1, 2))
    lines = {
        name: np.unique(
            np.concatenate([np.reshape(xy, (-1, 2)) for xy in chains]), axis=0
        )
        if chains
        else np.empty((0, 2))
        for name, chains in drawn.items()
    }
    return shape, lines | {"borders": borders, **said}


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
        columns, rows = GRID
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
        columns, rows = GRID
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
def test_the_boundary_is_drawn_where_f_changes_sign_and_nowhere_else(field):
    view, truth = field.view_and_truth()
    frame = field.frame % view.n_frames if isinstance(field, Run) else 0
    (w, h, s), lines = draw(view, frame)
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
def test_settled_boundaries_are_true_to_a_thirtieth_of_a_cell(field):
    view, truth = field.view_and_truth()
    _, lines = draw(view, view.n_frames - 1)
    off = distance(lines["zero"], crossings(truth))
    assert off.mean() < 1 / 30  # through the packed levels it would be a ninth


def test_the_margins_are_drawn_where_f_is_plus_and_minus_one():
    field = Formula("slope", lambda x, y: np.sin(x) + 0.7 * y)
    view, truth = field.view_and_truth()
    _, lines = draw(view, 0)
    for name, level in (("plus", 1.0), ("minus", -1.0)):
        true = crossings(truth, level)
        assert len(lines[name]) == pytest.approx(len(true), rel=0.06)
        assert distance(lines[name], true).max() < 0.05  # f in steps of 1e-4 near 1


def test_the_earlier_run_has_no_false_boundary_either():
    lonely, half = (FIELDS[6], Formula("half", lambda x, y: x - 0.1))
    for ghost in (lonely, half):
        field = ghost.on(GRID)
        view, truth = half.view_and_truth(ghost=stage.Ghost("Before", field))
        _, lines = draw(view, 0)
        true = crossings(ghost.on((truth.shape[1], truth.shape[0])))
        assert len(lines["ghost"]) == pytest.approx(len(true), rel=0.06)


def test_borders_of_many_classes_lie_between_different_winners():
    """Tiny outputs, three classes: each border stands in a cell with two winners."""

    def scores(x, y):
        bumps = [bump(x, y, *at) for at in ((-2, 0), (1, 1.5), (1.2, -1.5))]
        return 1e-3 * np.stack(bumps, axis=-1)

    columns, rows = GRID
    x, y = grid(EXTENT, GRID).T.reshape(2, rows, columns)
    view, _ = FIELDS[6].view_and_truth(
        field=scores(x, y)[None], class_names=("a", "b", "c")
    )
    _, lines = draw(view, 0)
    size = FINE * (columns - 1) + 1, FINE * (rows - 1) + 1
    x, y = grid(EXTENT, size).T.reshape(2, size[1], size[0])
    winner = scores(x, y).argmax(axis=-1)
    mixed = np.zeros((size[1] - 1, size[0] - 1), dtype=bool)
    corners = [winner[:-1, :-1], winner[:-1, 1:], winner[1:, :-1], winner[1:, 1:]]
    for corner in corners:
        mixed |= corner != corners[0]
    middles = lines["borders"].reshape(-1, 2, 2).mean(axis=1)
    assert len(middles) > 0
    inside = np.minimum(np.floor(middles).astype(int), (size[0] - 2, size[1] - 2))
    near = maximum_filter(mixed, 3)  # a border may lie on the side of a cell
    assert near[inside[:, 1], inside[:, 0]].all()


def test_a_boundary_among_negligible_outputs_is_faint():
    """Two bumps side by side: between them a line; far away it means nothing."""
    field = Formula("two", lambda x, y: bump(x, y, -1, 0) - bump(x, y, 1, 0))
    view, _ = field.view_and_truth()
    _, lines = draw(view, 0)
    opacity = {  # height above the bumps, in widths of theirs
        tuple(xy): part
        for part, flat in lines["parts"]
        for xy in np.reshape(flat, (-1, 2))
    }
    middle = FINE * (GRID[1] - 1) / 2
    cell = (EXTENT[3] - EXTENT[2]) / (2 * middle)
    far = [part for (_, y), part in opacity.items() if abs(y - middle) * cell > 1.9]
    near = [part for (_, y), part in opacity.items() if abs(y - middle) * cell < 0.9]
    assert near
    assert min(near) == 1
    assert far
    assert max(far) < 0.3


def test_a_boundary_around_an_island_without_points_is_faint():
    """A slope with a hole at the right, where only a point at the left would count."""
    field = Formula("hole", lambda x, y: x / 4 - 2 * bump(x, y, 2.5, 1, 0.6))
    for point, opacity in (((2.5, -2.0), 0.2), ((2.5, 1.0), 1.0)):
        points = np.array([[-3.0, 0.0], [3.0, -1.0], point])
        view, _ = field.view_and_truth(points=points, given=np.full(3, -1))
        _, lines = draw(view, 0)
        ring = {  # right of the middle there is only the hole
            part
            for part, flat in lines["parts"]
            for x, _ in np.reshape(flat, (-1, 2))
            if x > 0.6 * FINE * GRID[0]
        }
        assert ring == {opacity}


@pytest.mark.parametrize(
    ("f", "margins"),
    [
        (lambda x, y: 0.2 * x, []),
        (lambda x, y: 0.25 * x + 0.2, [1]),
        (lambda x, y: 0.25 * x - 0.2, [-1]),
        (lambda x, y: x, [1, -1]),
        (lambda x, y: 2 + 0 * x, []),
    ],
    ids=["none", "plus", "minus", "both", "all beyond"],
)
def test_the_legend_knows_the_margins_that_are_drawn(f, margins):
    view, _ = Formula("field", f).view_and_truth()
    _, lines = draw(view, 0)
    assert lines["margins"] == margins
    assert margins == [m for m, n in ((1, "plus"), (-1, "minus")) if len(lines[n])]


def test_a_field_may_have_no_margins():
    view, _ = Formula("field", lambda x, y: x).view_and_truth(margins=False)
    _, lines = draw(view, 0)
    assert [len(lines[n]) for n in ("margins", "plus", "minus")] == [0, 0, 0]
    assert len(lines["zero"])


def test_a_class_without_a_lead_shows_no_colour():
    """Leads of 0.02 and of 1: black shows through the first and not the second."""

    def scores(x, y):
        lead = np.where(x < 0, 0.02, 1.0)
        return np.stack([lead, 0 * x, 0 * x], axis=-1)

    columns, rows = GRID
    x, y = grid(EXTENT, GRID).T.reshape(2, rows, columns)
    view, _ = FIELDS[6].view_and_truth(
        field=scores(x, y)[None], class_names=("a", "b", "c")
    )
    (w, h, _), lines = draw(view, 0)
    red = np.reshape(lines["pixels"], (h, w)) & 255
    faint, full = red[:, : w // 3], red[:, -w // 3 :]
    assert faint.max() < 0.2 * full.min()
