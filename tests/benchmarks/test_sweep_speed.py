"""A sweep over a grid against separate fits: shared kernel and graph, seeded solvers.

The statistic: in every round the separate fits, the sweep without seeds and the sweep
run one after the other, their CPU seconds of one thread are divided, and the median of
these ratios over the rounds is the row. No goal: what a seed saves depends on method
and grid.
"""

import time

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid

from halfmoon.datasets import load
from halfmoon.model_selection import sweep
from ssl_core import make
from ssl_core.threads import capped
from tests.benchmarks.measure import Report, timed

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(3600)]

ROUNDS = 3
GRIDS = {  # as the papers' seeding: along C, lambda or gamma
    "lapsvm_pcg": {"gamma_A": np.geomspace(1e-3, 1.0, 8)},
    "lapsvm_newton": {"gamma_I": np.geomspace(1e-2, 10.0, 8)},
    "nabla_s3vm": {"C_u": np.geomspace(1e-2, 10.0, 8)},
    "cccp": {"C_u": np.geomspace(1e-2, 10.0, 8)},
    "tsvm": {"lam": np.geomspace(1e-4, 1.0, 8)},
}


@pytest.fixture(scope="module")
def report():
    return Report("Sweeps over a grid")


def two_moons():
    data = load("two_moons", n=400, noise=0.15)
    return data.X, hidden(data.y, 10)


def digits():
    """0-4 against 5-9."""
    data = load("digits")
    return data.X / data.X.max(), hidden((data.y >= 5).astype(int), 50)


def hidden(truth, per_class):
    rng = np.random.default_rng(0)
    y = np.full(len(truth), -1)
    for c in (0, 1):
        rows = rng.choice(np.flatnonzero(truth == c), per_class, replace=False)
        y[rows] = c
    return y


SETS = {"two moons, n = 400": two_moons, "digits 0-4 / 5-9, n = 1797": digits}


@pytest.mark.parametrize("name", GRIDS)
@pytest.mark.parametrize("where", SETS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_sweep_against_separate_fits(where, name, report):
    X, y = SETS[where]()
    est, grid = make(name), GRIDS[name]

    def apart():
        return [clone(est).set_params(**p).fit(X, y) for p in ParameterGrid(grid)]

    ways = (
        apart,
        lambda: sweep(est, X, y, grid, warm_start=False),
        lambda: sweep(est, X, y, grid),
    )
    clock = time.process_time
    with capped(blas=1, loops=1):
        cold, _, seeded = (way() for way in ways)  # compile, fill caches
        rounds = np.array([[timed(w, clock)[0] for w in ways] for _ in range(ROUNDS)])
    iterations = sum(machine.state_.t for machine in cold)
    row = report.add(
        f"sweep of {name}, 8 values of {next(iter(grid))}, {where}",
        float(np.median(rounds[:, 0] / rounds[:, 2])),
        "x faster",
        repeats=ROUNDS,
        against="separate fits",
        also={
            "x without seeds": float(np.median(rounds[:, 0] / rounds[:, 1])),
            "x fewer iterations": iterations / max(1, int(seeded.n_iter.sum())),
            "CPU s of separate fits": float(np.median(rounds[:, 0])),
        },
    )
    assert row.value > 0
