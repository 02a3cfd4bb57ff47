"""Peers that pip can install, beside ours: the same problems, turns and threads.

A row is the seconds from points to the labels of the hidden ones, with their error. No
goal: where a peer is faster or better, the table says so. Everybody has one thread.
"""

import warnings

import numpy as np
import pytest

from halfmoon.datasets import DATASETS
from ssl_core import make
from ssl_core.threads import capped
from tests.benchmarks.measure import Report, in_turns, timed
from tests.benchmarks.peers import (
    DATA,
    KERNEL_METHODS,
    KERNEL_PROBLEMS,
    LAM,
    LINEAR_METHODS,
    LINEAR_PROBLEMS,
    linear_svc,
    text,
)

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(3600)]

REPEATS = 5
METHODS = dict.fromkeys(KERNEL_PROBLEMS, KERNEL_METHODS) | dict.fromkeys(
    LINEAR_PROBLEMS, LINEAR_METHODS
)
CASES = [(name, method) for name, methods in METHODS.items() for method in methods]
# Ours beside which a peer stands: the semi-supervised one, or the supervised one.
BESIDE = dict.fromkeys(("SVC",), "`svm`") | {"LinearSVC": "`l2svm_mfn`"}


@pytest.fixture(scope="module")
def report():
    return Report("Peers")


@pytest.fixture(scope="module")
def measured():
    """Problem, seconds and labels by method, of one problem after the other."""
    done = {}

    def of(name):
        if name not in done:
            done.clear()  # points and labels of the problem before
            done[name] = measure(name)
        return done[name]

    return of


def measure(name):
    problem = (KERNEL_PROBLEMS | LINEAR_PROBLEMS)[name]()
    labels, seconds = {}, {}

    def function(method):
        def run():
            labels[method] = METHODS[name][method].run(problem)

        return run

    able = {
        key: method
        for key, method in METHODS[name].items()
        if not (method.missing() or method.refuses(problem))
    }
    several = [key for key, method in able.items() if name not in method.once]
    with capped(blas=1, loops=1), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of peers: no convergence, old numpy
        medians = in_turns(*map(function, several), repeats=REPEATS)
        seconds |= zip(several, medians, strict=True)
        for key in able.keys() - seconds.keys():
            seconds[key], _ = timed(function(key))
    return problem, seconds, labels


@pytest.mark.parametrize(("name", "method"), CASES)
def test_peers_label_the_hidden_points(report, measured, name, method):
    if name in DATA and not DATASETS[DATA[name]].available():
        pytest.skip(f"{DATA[name]} is not in the local data folder")
    peer = METHODS[name][method]
    if why := peer.missing():
        pytest.skip(why)
    problem, seconds, labels = measured(name)
    if why := peer.refuses(problem):
        pytest.skip(f"{method} on {problem.title}: {why}")
    beside = BESIDE.get(method, "`tsvm`" if name == "text" else "`lapsvm_pcg`")
    ours = peer.package == "ssl_core"
    versus = {} if ours else {f"x {beside}": seconds[method] / seconds[beside]}
    truth = problem.truth[problem.hidden]
    report.add(
        f"{problem.title}: {method}",
        seconds[method],
        "s",
        repeats=1 if name in peer.once else REPEATS,
        against="" if ours else beside,
        also={"% error": 100 * np.mean(labels[method] != truth), **versus},
    )
    assert np.isin(labels[method], problem.truth).all()  # none is left without a label


@pytest.mark.parametrize("n_labeled", [50, 20_000])
def test_linear_svc_at_the_same_objective(report, n_labeled):
    """LinearSVC's C such that it minimises what `l2svm_mfn` does, bias included."""
    problem = text()
    known = ~problem.hidden if n_labeled == 50 else np.ones(len(problem.y), dtype=bool)
    X, y = problem.X[known], problem.truth[known]
    ours = make("l2svm_mfn", lam=LAM)
    theirs = linear_svc(problem).set_params(C=0.5 / (len(y) * LAM))
    primal = linear_svc(problem).set_params(C=theirs.C, dual=False)
    with capped(blas=1, loops=1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seconds = in_turns(
            lambda: ours.fit(X, y),
            lambda: theirs.fit(X, y),
            lambda: primal.fit(X, y),
            repeats=REPEATS,
        )

    def objective(est):
        w, b = est.coef_.ravel(), float(np.ravel(est.intercept_)[0])
        slack = np.maximum(0, 1 - (2 * y - 1) * (X @ w + b))
        return LAM / 2 * (w @ w + b * b) + 0.5 * np.mean(slack**2)

    machines = {"`l2svm_mfn`": ours, "LinearSVC": theirs, "LinearSVC, primal": primal}
    values = {name: objective(est) for name, est in machines.items()}
    for (name, value), spent in zip(values.items(), seconds, strict=True):
        peer = name != "`l2svm_mfn`"
        report.add(
            f"{n_labeled:,} labelled documents: {name}",
            spent,
            "s",
            repeats=REPEATS,
            against="`l2svm_mfn`" if peer else "",
            also={"x the least objective": value / min(values.values())}
            | ({"x `l2svm_mfn`": spent / seconds[0]} if peer else {}),
        )
    assert values["`l2svm_mfn`"] <= 1.001 * min(values.values())
