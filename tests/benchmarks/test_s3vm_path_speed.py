"""Speed of the S3VM path (``make bench``).

The figures go to docs/tables/speed_s3vm_path.md. On a loaded machine they move.

A cold training is the machine with the path's own labels at one C*, from zero duals: by
coordinate ascent in pairs (`box_sweep`) to a given violation, and by the path's own
pivots, which are exact.
"""

from collections import deque

import numpy as np
import pytest

from datasets import load, two_moons
from ssl_core import make
from ssl_core.kernels import gram
from ssl_core.linalg.box import box_sweep
from ssl_core.problems.s3vm_path import FixedBiasS3VM
from ssl_core.solvers.s3vm_path import s3vm_path
from tests.benchmarks.measure import Report, in_turns, timed

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(3600)]
SIZES = (100, 200, 400, 800, 1600)


@pytest.fixture(scope="module")
def report():
    return Report("speed_s3vm_path", "S3VM path: speed in one run")


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
    seconds, jumps = [], []
    for n in SIZES:
        data = two_moons(n=n, rng=np.random.default_rng(0))
        rng = np.random.default_rng(1)
        problem = problem_of(data.X, data.y, 10, sigma=sigma, C=C, rng=rng)
        jumps.append(sum(s.step_kind == "DJ" for s in s3vm_path(problem)))
        seconds += in_turns(lambda problem=problem: run(problem), repeats=3)
    exponent = np.polyfit(np.log(SIZES), np.log(seconds), 1)[0]
    measured = f"n^{exponent:.2f}, {seconds[-1]:.2f} s at n = 1600, jumps {jumps}"
    what = f"two moons, n = 100 to 1600, sigma {sigma}, C {C:g}"
    report.add(what, measured, "<= n^1.8, <= 5 s")
    assert exponent <= 1.8
    assert seconds[-1] <= 5


def cold(problem, state, tol):
    """A function that trains the machine of a state's labels at its C_u."""
    s, cap = problem.signs(state.y_u), problem.caps(state.C_u)
    Q = np.ascontiguousarray((s * cap)[:, None] * problem.K * (s * cap)[None, :])
    c = (1 - s * problem.b) * cap

    def train():
        dual, grad, violation = np.zeros(len(c)), -c, np.inf
        while violation > tol * state.C_u:
            violation, _ = box_sweep(Q, dual, grad, 1.0, tol * state.C_u, 1000)

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
    path, *ours = in_turns(
        lambda: run(problem),
        lambda: [next(s3vm_path(problem, start=state)) for state in at],
        repeats=3,
    )
    pairs = [
        sum(timed(cold(problem, state, tol))[0] for state in at)
        for tol in (1e-3, 1e-6, 1e-9)
    ]
    jumps = sum(s.step_kind == "DJ" for s in states)
    measured = (
        f"path {path:.2f} s ({len(states)} states, {jumps} jumps); ten trainings "
        f"{ours[0]:.2f} s by its own pivots, {pairs[0]:.2f}, {pairs[1]:.2f} and "
        f"{pairs[2]:.2f} s by pairs to 1e-3, 1e-6 and 1e-9"
    )
    report.add(f"digits, 1000 unlabelled, C {C:g}", measured, "<= ten trainings")
    assert path <= ours[0]


def test_two_moons_of_the_playground(report):
    data = load("two_moons", n=200)
    y = np.where(np.arange(200) < 6, data.y, -1)
    (seconds,) = in_turns(lambda: make("s3vm_path", sigma=0.35).trace(data.X, y))
    report.add("playground, n = 200, recorded", f"{seconds:.3f} s", "<= 3 s")
    assert seconds <= 3
