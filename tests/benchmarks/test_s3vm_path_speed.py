"""Speed of the S3VM path (``make bench``).

On a loaded machine the figures move.

A cold training is the machine with the path's own labels at one C*, from zero duals: by
coordinate ascent in pairs (`box_sweep`) to a given violation, and by the path's own
pivots, which are exact.
"""

from collections import deque

import numpy as np
import pytest

from halfmoon.datasets import load, two_moons
from ssl_core import make
from ssl_core.kernels import gram
from ssl_core.linalg.box import box_sweep
from ssl_core.problems.s3vm_path import FixedBiasS3VM
from ssl_core.solvers.s3vm_path import s3vm_path
from tests.benchmarks.measure import REPEATS, Report, in_turns
from tests.benchmarks.results import at_most

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(3600)]
SIZES = (100, 200, 400, 800, 1600)


@pytest.fixture(scope="module")
def report():
    return Report("S3VM path")


def problem_of(X, truth, n_labeled, *, sigma, C, rng):
    y = np.zeros(len(truth))
    for c in (0, 1):
        rows = rng.permutation(np.flatnonzero(truth == c))[: n_labeled // 2]
        y[rows] = 2 * c - 1
    return FixedBiasS3VM(gram(X, sigma=sigma), y, C=C)


def run(problem):
    """The last state of a path, nothing kept."""
    return deque(s3vm_path(problem), maxlen=1)[0]


@pytest.mark.parametrize(("sigma", "C"), [(0.3, 1.0), (0.5, 10.0), (1.0, 10.0)])
def test_growth_with_n(report, sigma, C):
    paths = []
    for n in SIZES:
        data = two_moons(n=n, rng=np.random.default_rng(0))
        rng = np.random.default_rng(1)
        problem = problem_of(data.X, data.y, 10, sigma=sigma, C=C, rng=rng)
        paths.append(lambda problem=problem: run(problem))
    jumps = sum(s.step_kind == "DJ" for s in s3vm_path(problem))
    seconds = in_turns(*paths, repeats=REPEATS)
    setting = f"two moons, sigma {sigma}, C {C:g}"
    growth = report.add(
        f"{setting}, growth from n = 100 to 1600",
        np.polyfit(np.log(SIZES), np.log(seconds), 1)[0],
        "exponent of n",
        repeats=REPEATS,
        goal=at_most(1.8),
    )
    largest = report.add(
        f"{setting}, n = 1600",
        seconds[-1],
        "s",
        repeats=REPEATS,
        goal=at_most(5),
        also={"jumps": jumps},
    )
    assert growth.met, growth
    assert largest.met, largest


def cold(problem, state, tol):
    """A function that trains the machine of a state's labels at its C_u."""
    s, cap = problem.signs(state.y_u), problem.caps(state.C_u)
    Q = np.ascontiguousarray((s * cap)[:, None] * problem.K * (s * cap)[None, :])
    c = (1 - s * problem.b) * cap

    def train():
        dual, grad, violation = np.zeros(len(c)), -c, np.inf
        upper = np.ones(len(c))
        while violation > tol * state.C_u:
            violation, _ = box_sweep(Q, dual, grad, upper, tol * state.C_u, 1000)

    return train


@pytest.mark.parametrize("C", [1.0, 10.0, 100.0])
def test_the_path_against_ten_cold_trainings(report, C):
    data = load("digits")
    rng = np.random.default_rng(0)
    rows = rng.permutation(len(data.y))[:1030]
    X, truth = data.X[rows], (data.y[rows] >= 5).astype(int)
    X = X / np.abs(X).max()
    problem = problem_of(X, truth, 30, sigma=2.0, C=C, rng=rng)
    states = list(s3vm_path(problem))
    places = np.array([s.C_u for s in states])
    at = [states[np.searchsorted(places, C * k / 10) - 1] for k in range(1, 11)]
    trainings = {
        tol: [cold(problem, state, tol) for state in at] for tol in (1e-3, 1e-6, 1e-9)
    }
    path, pivots, *pairs = in_turns(
        lambda: run(problem),
        lambda: [next(s3vm_path(problem, start=state)) for state in at],
        *(lambda ten=ten: [train() for train in ten] for ten in trainings.values()),
        repeats=REPEATS,
    )
    named = zip(trainings, pairs, strict=True)
    by_pairs = {f"s by pairs to {tol:g}": seconds for tol, seconds in named}
    row = report.add(
        f"digits, 1000 unlabelled, C {C:g}",
        path / pivots,
        "x",
        repeats=REPEATS,
        goal=at_most(1),
        against="ten trainings by its own pivots",
        also={"s": path, "s for ten trainings": pivots, **by_pairs}
        | {"states": len(states), "jumps": sum(s.step_kind == "DJ" for s in states)},
    )
    assert row.met, row


def test_two_moons_of_the_playground(report):
    data = load("two_moons", n=200)
    y = np.where(np.arange(200) < 6, data.y, -1)
    (seconds,) = in_turns(lambda: make("s3vm_path", sigma=0.35).trace(data.X, y))
    row = report.add(
        "playground, n = 200, recorded", seconds, "s", repeats=REPEATS, goal=at_most(3)
    )
    assert row.met, row
