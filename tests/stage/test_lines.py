"""Every line on the stage lies within a pixel of the exact one.

The stage's own JavaScript draws from the bytes it would be sent; the machine itself
says on which side of a level every place within a pixel of the line lies.
"""

import base64
from dataclasses import replace

import numpy as np
import pytest
from scipy.ndimage import maximum_filter
from scipy.spatial import cKDTree

from halfmoon import stage
from halfmoon.pages._parts.pictures import stage_views
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.scenario import default
from ssl_core import ALGORITHMS
from tests.javascript import FIELD, evaluate

WIDTH, HEIGHT = 560, 420  # pixels of the stage
PIXEL, SHARE = 1.0, 0.99  # within a pixel at the 99th percentile
SAMPLE = 250  # places on a line that are asked for
NEGLIGIBLE = 1e-4  # of the largest output: lines among smaller ones are faint
# A method of a graph alone interpolates: outputs jump where a neighbour is another.
SMOOTH = [name for name, entry in ALGORITHMS.items() if entry.inputs != "graph"]
FEW = {"branch_and_bound": 40, "convex_relaxation": 40}  # points where more take long
# A hill that just reaches a level, as at a support vector, may get a loop of this size
# or none: outputs travel in steps of 1e-4.
DOT = 4
HALVINGS = 5  # from 3.3 pixels to a tenth
LABELS = 6  # enough for both classes among few points
LEVELS = {"zero": 0.0, "plus": 1.0, "minus": -1.0}
NODES = np.stack(
    np.meshgrid(np.linspace(0, WIDTH, 169), np.linspace(0, HEIGHT, 127)), axis=-1
)
CIRCLE = np.linspace(0, 2 * np.pi, 12, endpoint=False)
DISC = np.vstack(
    [[0, 0], *(r * np.c_[np.cos(CIRCLE), np.sin(CIRCLE)] for r in (0.5, 1))]
)
DRAW = """async (jobs) => {
  const theme = { background: "#000000", classes: Array(10).fill("#000000") };
  const out = [];
  for (const [block, frames] of jobs) {
    const view = await unpack(Uint8Array.from(atob(block), (c) => c.charCodeAt(0)));
    const field = new Field(view);
    field.setTheme(theme);
    for (const frame of frames) {
      field.prepare(frame);
      const { zero, plus, minus, borders, w2: w, h2: h } = field;
      const lines = borders ? { borders: [] } : { zero, plus, minus };
      for (let i = 0; i < borders?.length; i += 4) {
        lines.borders.push(borders.slice(i, i + 4));
      }
      out.push({ w, h, lines });
    }
  }
  return out;
}"""


@pytest.fixture(scope="module")
def server():
    return RunServer()


def shown(server, data, algorithm):
    """Trace and view of what a visitor sees who changes nothing else."""
    scenario = default().with_data(data).with_algorithm(algorithm)
    if algorithm in FEW:
        scenario = scenario.with_data_knob("n", FEW[algorithm])
        scenario = scenario.with_labels(replace(scenario.labels, count=LABELS))
    job = server.ask(scenario)
    assert job.wait(120)
    solved = job.outcome()
    view = stage_views.run_view(solved, scenario, server.picture(scenario))
    return solved.trace, view


def drawn(views):
    """What the stage draws of each view, by frame: the first and the last."""
    frames = [(0, view.n_frames - 1) for view in views]
    blocks = [base64.b64encode(stage.payload(view)).decode() for view in views]
    jobs = list(zip(blocks, frames, strict=True))
    found = iter(evaluate(FIELD, f"({DRAW})(data)", jobs))
    return [{frame: next(found) for frame in pair} for pair in frames]


def machine(trace, view, frame):
    """Function from places in pixels to the exact outputs there."""
    (state,) = (s for s in trace.states if s.t == view.frame_t[frame])
    x0, x1, y0, y1 = view.extent

    def outputs(places):
        share = places / (WIDTH, HEIGHT)
        return trace.model.outputs([state], share * (x1 - x0, y1 - y0) + (x0, y0))[0]

    return outputs


def thinned(places):
    if len(places) <= SAMPLE:
        return places
    return places[np.linspace(0, len(places) - 1, SAMPLE).astype(int)]


def share_near(sides, places):
    """Part of the places that have both sides of a line within a pixel."""
    if not len(places):
        return 1.0
    around = sides((places[:, None] + DISC).reshape(-1, 2)).reshape(len(places), -1)
    return np.mean((around != around[:, :1]).any(axis=1))


def share_drawn(sides, side, chains, counts):
    """Part of the places where the side changes that have a drawn line near.

    ``side`` is that of every node.
    """
    one, other = [], []
    for a, b in ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1], np.s_[1:])):
        differ = (side[a] != side[b]) & counts(*np.moveaxis(NODES[a], -1, 0))
        one.append(NODES[a][differ])
        other.append(NODES[b][differ])
    one, other = thinned(np.vstack(one)), thinned(np.vstack(other))
    if not len(one):
        return 1.0
    if not chains:
        return 0.0
    first = sides(one)
    for _ in range(HALVINGS):
        middle = (one + other) / 2
        same = (sides(middle) == first)[:, None]
        one, other = np.where(same, middle, one), np.where(same, other, middle)
    dense = np.vstack([along(chain) for chain in chains])
    return np.mean(cKDTree(dense).query(one)[0] <= PIXEL + 0.25)


def along(chain):
    """Places on a chain of points, a quarter of a pixel apart or less."""
    steps = np.r_[0, np.cumsum(np.hypot(*np.diff(chain, axis=0).T))]
    at = np.linspace(0, steps[-1], int(4 * steps[-1]) + 2)
    return np.c_[np.interp(at, steps, chain[:, 0]), np.interp(at, steps, chain[:, 1])]


def in_pixels(picture, name):
    scale = np.array([WIDTH, HEIGHT]) / (picture["w"] - 1, picture["h"] - 1)
    return [scale * np.reshape(xy, (-1, 2)) for xy in picture["lines"][name]]


def around(view, frame):
    """Function: are the outputs around a place, in pixels, large enough to matter?"""
    F = view.field[frame]
    if F.ndim == 3:
        second, first = np.moveaxis(np.sort(F, axis=-1)[..., -2:], -1, 0)
        F = first - second
    size = maximum_filter(np.abs(F), 5)
    matters = size > 2 * NEGLIGIBLE * size.max()
    rows, columns = size.shape

    def counts(x, y):
        i = np.rint(y / HEIGHT * (rows - 1)).astype(int)
        return matters[i, np.rint(x / WIDTH * (columns - 1)).astype(int)]

    return counts


def everywhere(x, y):
    return np.ones(x.shape, dtype=bool)


def shortfalls(trace, view, pictures):
    """Lines of which less than 99 % are right, or drawn: (frame, line, shares)."""
    for frame, picture in pictures.items():
        exact = machine(trace, view, frame)
        at_nodes = exact(NODES.reshape(-1, 2))
        for name in picture["lines"]:
            counts = everywhere if name in ("plus", "minus") else around(view, frame)
            chains = in_pixels(picture, name)
            lines = [
                c for c in chains if name == "borders" or np.ptp(c, axis=0).max() > DOT
            ]
            places = np.vstack([np.empty((0, 2)), *lines])
            places = places[counts(*places.T)]

            def side(f, name=name):
                return f.argmax(axis=1) if name == "borders" else LEVELS[name] <= f

            def sides(at, side=side, exact=exact):
                return side(exact(at))

            near = share_near(sides, thinned(places))
            grid = side(at_nodes).reshape(NODES.shape[:2])
            there = share_drawn(sides, grid, chains, counts)
            if min(near, there) < SHARE:
                yield frame, name, len(places), round(near, 3), round(there, 3)


@pytest.mark.parametrize("data", ["two_moons", "clock", "two_circles", "stripes"])
def test_lines_of_every_algorithm_lie_within_a_pixel(server, data):
    runs = {name: shown(server, data, name) for name in SMOOTH}
    pictures = drawn([view for _, view in runs.values()])
    wrong = {
        name: found
        for (name, (trace, view)), picture in zip(runs.items(), pictures, strict=True)
        if (found := list(shortfalls(trace, view, picture)))
    }
    assert not wrong


@pytest.mark.parametrize("data", ["three_arcs", "blobs"])
def test_borders_of_several_classes_lie_within_a_pixel(server, data):
    names = ("svm", "lapsvm_newton", "l2svm_mfn", "nabla_s3vm")
    runs = {name: shown(server, data, name) for name in names}
    pictures = drawn([view for _, view in runs.values()])
    for (trace, view), picture in zip(runs.values(), pictures, strict=True):
        assert not list(shortfalls(trace, view, picture))
