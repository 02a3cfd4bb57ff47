"""Kernel S3VMs at speed: CPU seconds beside a plain prototype's and other programs'.

CPU seconds of one thread, since they are compared with numbers of another run. The
prototype is plain numpy with scipy's L-BFGS, timed on a machine like ours.
"""

import time

import numpy as np
import pytest

from datasets import load, original_split
from ssl_core import balanced_labels, make, retrained_objective
from ssl_core.threads import capped
from tests.benchmarks.measure import Report

pytestmark = pytest.mark.benchmark

PROTOTYPE = {  # CPU seconds of a whole g50c run
    "nabla_s3vm": 1.8,
    "cs3vm": 3.7,
    "cccp": 4.1,
    "s3vm_light": 1.5,
    "nabla_da": 0.8,
    "da_kernel": 2.4,
    "newton_s3vm": 6.3,
}
REPEATS = 5
# On the labels of `digits`: SVM-light 6.02 (-t 2 -g 0.125 -c 10 -p r) built with -O3,
# seconds as the issue that asked for this has them, the objective of its labels
# retrained. UniverSVM could not be had: only its seconds are known.
SVM_LIGHT_SECONDS, UNIVERSVM_SECONDS = 55.0, 3.3
SVM_LIGHT_OBJECTIVE = 314.861
SIZES = (250, 500, 1000, 2000)


@pytest.fixture(scope="module")
def report():
    return Report("speed_s3vm", "Kernel S3VMs: CPU seconds")


def cpu_seconds(est, X, y):
    """CPU seconds of a run on one thread, and its last state."""
    with capped(blas=1, loops=1):
        start = time.process_time()
        for state in est.iterate(X, y):  # noqa: B007 - the last one is wanted
            pass
        return time.process_time() - start, state


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


@pytest.mark.parametrize("name", PROTOTYPE)
def test_at_most_half_the_prototype_s_time_on_g50c(name, report):
    X, y, r = g50c()
    est = method(name, 19.0, r, sigma=38.0)
    cpu_seconds(est, X, y)  # compile
    seconds = np.median([cpu_seconds(est, X, y)[0] for _ in range(REPEATS)])
    goal = PROTOTYPE[name] / 2
    report.add(f"{name}, g50c, split 0", f"{seconds:.2f} s", f"<= {goal:.2f} s")
    assert seconds <= goal


@pytest.mark.xfail(
    reason="about 2 times: a step of the flat loss is cheaper, but one b takes 70 "
    "where the quadratic loss takes 25, and both solve for several b",
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
    seconds = {
        loss: cpu_seconds(
            method("newton_s3vm", 38.0, r, loss=loss, sigma=7.4), data.X, y
        )[0]
        for loss in ("flat", "quadratic")
    }
    ratio = seconds["quadratic"] / seconds["flat"]
    texts = f"{seconds['quadratic']:.1f} s / {seconds['flat']:.1f} s = {ratio:.1f}"
    report.add("newton_s3vm on uspst, quadratic / flat", texts, ">= 5")
    assert ratio >= 5


@pytest.mark.parametrize("name", PROTOTYPE)
def test_growth_with_n(name, report):
    """[CSK08] section 6 expects exponents up to 3; all of K alone is 2."""
    seconds = []
    for n in SIZES:
        data = load("g50c", n=n, random_state=0)
        y = np.where(np.arange(n) < 50, data.y, -1)
        est = make(name, sigma=38.0, C=19.0, C_u=19.0, r=0.5)
        if n == SIZES[0]:
            cpu_seconds(est, data.X, y)
        seconds.append(cpu_seconds(est, data.X, y)[0])
    exponent = np.polyfit(np.log(SIZES), np.log(seconds), 1)[0]
    texts = ", ".join(f"{s:.2f}" for s in seconds)
    sizes = ", ".join(map(str, SIZES))
    report.add(f"{name}, n = {sizes}", f"{texts} s: n^{exponent:.2f}", "fitted")
    assert exponent < 3.3


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
    good = []
    for name in PROTOTYPE:
        est = make(name, sigma=2.0, C=10.0, C_u=10.0, r=r)
        seconds, state = cpu_seconds(est, X, y)
        n_positive = round(r * hidden.sum())
        labels = y.copy()
        labels[hidden] = balanced_labels(state.f[hidden], n_positive) > 0
        value = retrained_objective(X, y, labels, C=10.0, C_u=10.0, sigma=2.0)
        error = 100 * np.mean(labels[hidden] != truth[hidden])
        report.add(
            f"{name}, digits 0-4 / 5-9, n = 1797",
            f"{seconds:.2f} s, objective {value:.1f}, error {error:.1f} %",
            f"<= {UNIVERSVM_SECONDS} s and <= {SVM_LIGHT_OBJECTIVE:.1f} by one method",
        )
        if seconds <= UNIVERSVM_SECONDS and value <= SVM_LIGHT_OBJECTIVE:
            good.append(name)
    assert good
