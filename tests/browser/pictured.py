"""Views that a browser shows and that are drawn into files, to be compared."""

from dataclasses import replace
from functools import cache

import numpy as np

from halfmoon import hide_labels, load, make, stage
from halfmoon.stage.view import TOGGLES
from halfmoon.views import trace_view

RUNS = {  # data, labels, algorithm and settings
    "moons": ({"n": 120, "noise": 0.1}, 6, "svm", 0.35),  # margins, rings
    "pcg": ({"n": 200, "noise": 0.08}, 2, "lapsvm_pcg", 0.35),  # pale lines
    "circles": ({"n": 150}, 4, "lapsvm_newton", 0.4),
    "clock": ({}, 4, "lapsvm_pcg", 0.3),
    "beliefs": ({"n": 100, "noise": 0.12}, 4, "da_kernel", 0.4),
}
DATA = {"moons": "two_moons", "pcg": "two_moons", "circles": "two_circles"}
DATA |= {"beliefs": "two_moons"}


@cache
def view_of(name):
    """Without a title: the plane then begins where its size alone says."""
    if name == "beliefs":
        view = switched_on(trace_view(run(name)))
    else:
        view = trace_view(three() if name == "three" else run(name))
    return replace(view, title="", data_id=name)


def switched_on(view):
    """Predictions, mistakes, edges, an earlier run, and points that are struck."""
    rng = np.random.default_rng(0)
    n, T = view.n_points, view.n_frames
    pairs = rng.integers(n, size=(20, 2))
    return replace(
        view,
        toggles=TOGGLES,
        truth=rng.integers(2, size=n),
        edges=pairs,
        ghost=stage.Ghost("earlier run", view.field[-1] + 0.2),
        struck_per_frame=rng.random((T, n)) < 0.1,
        guess_per_frame=rng.random((T, n)) < 0.5,
        marks_per_frame=rng.random((T, n)) < 0.1,
    )


def run(name):
    knobs, labels, algorithm, sigma = RUNS[name]
    data = load(DATA.get(name, name), random_state=0, **knobs)
    y = hide_labels(data, n_labeled=labels, random_state=0)
    return make(algorithm, sigma=sigma).trace(data.X, y)


def three():
    """Three classes whose borders meet."""
    rng, truth = np.random.default_rng(0), np.arange(90) % 3
    centres = np.array([[0, 0], [2, 0], [1, 1.7]])
    X = centres[truth] + rng.normal(size=(90, 2), scale=0.35)
    y = np.where(np.arange(90) < 6, truth, -1)
    return make("lapsvm_pcg", sigma=0.5).trace(X, y)
