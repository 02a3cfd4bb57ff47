"""Kernel S3VMs at speed: CPU seconds beside a plain prototype's and other programs'.

CPU seconds of one thread, since they are compared with numbers of another run. The
prototype is plain numpy with scipy's L-BFGS, timed on a machine like ours.
"""

import time

import numpy as np
import pytest

from halfmoon.datasets import load, original_split
from ssl_core import balanced_labels, make, retrained_objective
from ssl_core.threads import capped
from tests.benchmarks.measure import Report, in_turns
from tests.benchmarks.results import at_least, at_most

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(3600)]

PROTOTYPE = {  # CPU seconds of a whole g50c run
    "nabla_s3vm": 1.8,
    "cs3vm": 3.7,
    "cccp": 4.1,
    "s3vm_light": 1.5,
    "nabla_da": 0.8,
    "da_kernel": 2.4,
    "newton_s3vm": 6.3,
}
REPEATS, FEW = 5, 3  # odd; few of what takes half a minute
# On the labels of `digits`: SVM-light 6.02 (-t 2 -g 0.125 -c 10 -p r) built with -O3,
# seconds as the issue that asked for this has them, the objective of its labels
# retrained. UniverSVM could not be had: only its seconds are known.
SVM_LIGHT_SECONDS, UNIVERSVM_SECONDS = 55.0, 3.3
SVM_LIGHT_OBJECTIVE = 314.861
SIZES = (250, 500, 1000, 2000)


@pytest.fixture(scope="module")
def report():
    return Report("Kernel S3VMs")


def cpu_seconds(runs, repeats):
    """Median CPU seconds of runs on one thread, by name, and their last states."""
    states = {}

    def last_state(name, est, X, y):
        for state in est.iterate(X, y):
            states[name] = state

    with capped(blas=1, loops=1):
        seconds = in_turns(
            *(lambda item=item: last_state(item[0], *item[1]) for item in runs.items()),
            repeats=repeats,
            clock=time.process_time,
        )
    return dict(zip(runs, seconds, strict=True)), states


def g50c(split=0):
    data = load("g50c_original")
    rows = original_split(data, split).labeled
    y = np.full(data.n, -1)
    y[rows] = data.y[rows]
    return data.X, y, float(data.y[y < 0].mean())


def method(name, C, r, **parameters):
    if "balance" in make(name).get_params():
        parameters |= {"balance": "exact"}
    return make(name, C=C, C_u=C, r=r, **parameters)


@pytest.fixture(scope="module")
def g50c_seconds():
    X, y, r = g50c()
    runs = {name: (method(name, 19.0, r, sigma=38.0), X, y) for name in PROTOTYPE}
    return cpu_seconds(runs, REPEATS)[0]


@pytest.mark.parametrize("name", PROTOTYPE)
def test_at_most_half_the_prototype_s_time_on_g50c(name, g50c_seconds, report):
    row = report.add(
        f"{name}, g50c, split 0",
        g50c_seconds[name],
        "CPU s",
        repeats=REPEATS,
        goal=at_most(PROTOTYPE[name] / 2),
        against=f"half of a prototype's {PROTOTYPE[name]} s",
    )
    assert row.met, row


@pytest.mark.xfail(
    reason="2.9 times (2.7 and 7.7 CPU s), over all digits and splits 3.4 (Table 3 in "
    "docs/tables/s3vm_review.md): of 311 factors of the flat loss 196 follow from a "
    "change of the ridge, which the quadratic loss never asks for",
    strict=False,
)
def test_the_flat_loss_is_five_times_faster_on_uspst(report):
    """[CSK08] Table 3: one digit against the rest, annealing and search included."""
    data = load("uspst")
    rows = original_split(data, 0).labeled
    truth = (data.y == 3).astype(int)
    y = np.full(data.n, -1)
    y[rows] = truth[rows]
    r = float(truth[y < 0].mean())
    runs = {
        loss: (method("newton_s3vm", 38.0, r, loss=loss, sigma=7.4), data.X, y)
        for loss in ("flat", "quadratic")
    }
    seconds, _ = cpu_seconds(runs, FEW)
    row = report.add(
        "newton_s3vm on uspst, flat loss",
        seconds["quadratic"] / seconds["flat"],
        "x faster",
        repeats=FEW,
        goal=at_least(5),
        against="the quadratic loss",
        also={f"CPU s, {loss}": spent for loss, spent in seconds.items()},
    )
    assert row.met, row


@pytest.mark.parametrize("name", PROTOTYPE)
def test_growth_with_n(name, report):
    """[CSK08] section 6 expects exponents up to 3; all of K alone is 2."""
    runs = {}
    for n in SIZES:
        data = load("g50c", n=n, random_state=0)
        y = np.where(np.arange(n) < 50, data.y, -1)
        runs[n] = make(name, sigma=38.0, C=19.0, C_u=19.0, r=0.5), data.X, y
    seconds, _ = cpu_seconds(runs, FEW)
    row = report.add(
        f"{name}, growth from n = {SIZES[0]} to {SIZES[-1]}",
        np.polyfit(np.log(SIZES), np.log(list(seconds.values())), 1)[0],
        "exponent of n",
        repeats=FEW,
        goal=at_most(3.3),
        also={f"CPU s at n = {n}": spent for n, spent in seconds.items()},
    )
    assert row.met, row


def digits():
    """0-4 against 5-9, 25 labels of each."""
    data = load("digits")
    X, truth = data.X / data.X.max(), (data.y >= 5).astype(int)
    rng = np.random.default_rng(0)
    rows = [rng.choice(np.flatnonzero(truth == c), 25, replace=False) for c in (0, 1)]
    rows = np.concatenate(rows)
    y = np.full(len(truth), -1)
    y[rows] = truth[rows]
    return X, y, truth


def test_faster_than_svm_light_and_universvm_on_digits_and_no_worse(report):
    X, y, truth = digits()
    hidden = y < 0
    r = float(truth[hidden].mean())
    runs = {
        name: (make(name, sigma=2.0, C=10.0, C_u=10.0, r=r), X, y) for name in PROTOTYPE
    }
    seconds, states = cpu_seconds(runs, FEW)
    values = {}
    for name in PROTOTYPE:
        n_positive = round(r * hidden.sum())
        labels = y.copy()
        labels[hidden] = balanced_labels(states[name].f[hidden], n_positive) > 0
        values[name] = retrained_objective(X, y, labels, C=10.0, C_u=10.0, sigma=2.0)
        error = 100 * np.mean(labels[hidden] != truth[hidden])
        report.add(
            f"{name}, digits 0-4 / 5-9, n = 1797",
            seconds[name],
            "CPU s",
            repeats=FEW,
            also={"objective": values[name], "% error": error},
        )
    in_time = [v for name, v in values.items() if seconds[name] <= UNIVERSVM_SECONDS]
    row = report.add(
        f"least objective within {UNIVERSVM_SECONDS} s, digits 0-4 / 5-9, n = 1797",
        min(in_time, default=np.inf),
        "",
        repeats=FEW,
        goal=at_most(SVM_LIGHT_OBJECTIVE),
        against="UniverSVM's seconds, SVM-light's objective",
    )
    assert row.met, row
