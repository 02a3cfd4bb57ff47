"""A parameter acts or is not there.

Every parameter of every algorithm is turned from one extreme to the other, and the two
runs must differ in their states, their number, their status or their events; seconds do
not count.
"""

import warnings
from functools import cache

import numpy as np
import pytest

from ssl_core import ALGORITHMS, make
from ssl_core.settings import settings_of
from tests.small_problems import gaussians, hide, moons

DIGITS = 8  # two runs that agree to so many digits are the same
# Parameter -> its two extremes; by algorithm where it has others there.
EXTREMES = {
    "kernel": ("rbf", "linear"),
    "sigma": (0.2, 5.0),
    "degree": (1, 5),
    "coef0": (0.0, 10.0),
    "gamma_A": (1e-4, 10.0),
    "gamma_I": (0.0, 10.0),
    "bias": (False, True),
    "dtype": ("float64", "float32"),
    "n_neighbors": (2, 12),
    "metric": ("euclidean", "cosine"),
    "join": ("either", "mutual"),
    "weights": ("binary", "heat"),
    "W": (None, lambda X: np.ones((len(X), len(X)))),
    "normalized": (False, True),
    "laplacian_degree": (1, 3),
    "stop": (None, "stability"),
    "tol": (1e-12, 0.5),
    "max_iter": (1, 3),
    "check_every": (1, 3),
    "stop_per_class": (False, True),
    "unlabeled": (-1, 7),
    "class_weight": (None, {1: 5.0}),
    "lam": (1e-4, 10.0),
    "lam_u": (0.0, 10.0),
    "lam_start": (1e-5, 1.0),
    "schedule": ("fast", "svmlin"),
    "S": (1, None),
    "first": (1e-5, 1.0),
    "rate": (1.2, 10.0),
    "r": (0.2, 0.8),
    "T": (1e-3, 100.0),
    "anneal": (False, True),
    "max_temperatures": (1, 60),
    "C": (0.1, 100.0),
    "C_u": (1e-3, 10.0),
    "factor": ("cholesky", "eigen"),
    "rank": (2, None),
    "every": (1, 50),
    ("loss", "cccp"): ("squared", "hinge"),
    ("loss", "newton_s3vm"): ("flat", "quadratic"),
    "steps": (1, 20),
    "balance": ("linear", "fixed"),
    "narrowness": (0.5, 20.0),
    "smooth_labeled": (False, True),
    "order": ("depth", "best"),
    "max_nodes": (1, 50),
    "max_seconds": (1e-9, None),
    "spread": (False, True),
    "chunk": (5, 200),
    "max_unlabeled": (1, 120),
    "method": ("s3vm_light", "cccp"),
    "options": (None, {"rate": 10.0}),
    "centered": (False, True),
    "share": (0.1, 0.99),
    "criterion": ("best", "threshold"),
    "k_best": (1, 5),
    "threshold": (0.0, 2.0),
    ("tol", "poisson"): (1e-12, 10.0),
}
# Settings of all runs, where an algorithm has them: small, and cut short.
SETTING = {"sigma": 0.5, "gamma_I": 1e-2, "max_iter": 8, "chunk": 2, "max_nodes": 20}
# What a parameter needs beside it to have an effect, as its words say.
BRISK = {"sigma": 0.3, "first": 0.01, "lam_start": 0.01, "rate": 10.0}
BESIDE = {
    "degree": {"kernel": "poly"},
    "coef0": {"kernel": "poly"},
    "check_every": {"stop": "stability"},
    "stop_per_class": {"stop": "stability", "check_every": 1},
    "stop": {"check_every": 1},
    "S": BRISK,
    "factor": {"rank": 2},
    ("tol", "s3vm_light"): BRISK,
    ("tol", "cccp"): BRISK,
    ("balance", "lapsvm_s3vm"): {"method": "cccp"},
    "threshold": {"criterion": "threshold"},
}
# Which data; two noisy moons with wrong labels where nothing is said.
DATA = {
    "stop_per_class": "three",
    "spread": "thin",
    "schedule": "wide",
    ("S", "tsvm"): "thin",
    ("S", "s3vm_light"): "long",
    ("tol", "s3vm_light"): "long",
    ("tol", "cccp"): "thin",
    ("order", "branch_and_bound"): "thin",
}


@cache
def problem(kind):
    if kind in ("thin", "long"):  # with one label in each class
        X, truth = moons(60 if kind == "long" else 40, noise=0.1, seed=3)
        return X, hide(truth, 1, seed=1)
    if kind == "wide":
        X, truth = gaussians(24, d=8)
    else:
        X, truth = moons(12 if kind == "few" else 24, noise=0.25, seed=3)
    if kind == "three":
        truth = np.where(X[:, 0] > 1.0, 2, truth)
    return X, hide(truth, 4, seed=1, noise=0.2)


def seen(name, kind, settings):
    """All that a run shows but its seconds."""
    X, y = problem(kind)
    try:
        trace = make(name, **settings).trace(X, y)
    except ValueError as refusal:
        return str(refusal)
    scalars = (trace.column(scalar) for scalar in trace.scalar_names())
    return (
        [[f"{value:.{DIGITS}g}" for value in column] for column in scalars],
        np.round(trace.final.f, DIGITS).tolist(),
        [state.status for state in trace.states],
        [event.kind for _, event in trace.events],
    )


def chosen(table, parameter, name, otherwise):
    return table.get((parameter, name), table.get(parameter, otherwise))


def acts(name, parameter):
    own = settings_of(ALGORITHMS[name].estimator)
    beside = SETTING | chosen(BESIDE, parameter, name, {})
    usual = "few" if name == "convex_relaxation" else "noisy"  # the slowest by far
    kind = chosen(DATA, parameter, name, usual)
    beside = {k: v for k, v in beside.items() if k in own}
    low, high = (
        seen(name, kind, beside | {parameter: value})
        for value in chosen(EXTREMES, parameter, name, ())
    )
    return low != high


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_parameter_acts(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        own = settings_of(ALGORITHMS[name].estimator)
        idle = [parameter for parameter in own if not acts(name, parameter)]
    assert idle == []
