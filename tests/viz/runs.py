"""Real runs for the tests of figures and sentences, each solved once."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from halfmoon.datasets import load, telling_points
from ssl_core import ALGORITHMS, Trace, make

SETTINGS = {"sigma": 0.35, "gamma_A": 1e-2, "gamma_I": 1.0}


@dataclass(frozen=True)
class Example:
    """A run with what the figures need beside it."""

    X: np.ndarray
    given: np.ndarray  # class indices, -1 = unlabelled
    truth: np.ndarray  # in the core's convention
    trace: Trace


@cache
def moons(algorithm="lapsvm_pcg", **settings) -> Example:
    """200 points of two moons, one label in the middle of each, V and T beside."""
    n = 60 if ALGORITHMS[algorithm].max_n < 200 else 200
    data, more = load("two_moons", n=n), load("two_moons", n=100, random_state=1)
    return _run(algorithm, data, more, 2, **settings)


@cache
def arcs(algorithm="lapsvm_pcg", **settings) -> Example:
    """Three classes."""
    data, more = load("three_arcs"), load("three_arcs", n=90, random_state=1)
    return _run(algorithm, data, more, 9, **settings)


def _run(algorithm, data, more, n_labels, **settings):
    known = make(algorithm).get_params()
    shared = {k: v for k, v in SETTINGS.items() if k in known}
    est = make(algorithm, **(shared | settings))
    given = np.full(data.n, -1)
    chosen = telling_points(data.X, n_labels)
    given[chosen] = data.y[chosen]
    half = more.n // 2
    trace = est.trace(
        data.X,
        given,
        X_val=more.X[:half],
        y_val=more.y[:half],
        X_test=more.X[half:],
        y_test=more.y[half:],
    )
    return Example(data.X, given, est.encode(data.y), trace)
