"""What a knob says that "up" means is what happens when it is turned up."""

from dataclasses import dataclass

import numpy as np
import pytest

from halfmoon.datasets import hide_labels, load
from ssl_core import ALGORITHMS, make
from ssl_core.graph import Laplacian, knn_weights
from ssl_core.losses import Bell, Hat, SquaredHinge

MOONS = load("two_moons", n=80, noise=0.1)


@dataclass
class Run:
    est: object
    trace: object
    X: np.ndarray

    @property
    def final(self):
        return self.trace.final

    @property
    def o(self):
        return self.final.f[self.trace.y == 0]

    @property
    def margins(self):
        known = self.trace.y != 0
        return self.trace.y[known] * self.final.f[known]


def run(name, n_labeled=8, **params):
    est = make(name, **params)
    y = hide_labels(MOONS, n_labeled=n_labeled, random_state=1)
    return Run(est, est.trace(MOONS.X, y), MOONS.X)


# Measures: what the words speak of.


def length(r):
    return len(r.trace)


def size(r):
    return np.abs(r.final.f).max()


def misfit(r):
    return SquaredHinge().value(r.margins).sum()


def in_the_way(r):
    return Hat().value(r.o).sum()


def positive(r):
    return (r.o > 0).sum()


def rough_along_the_graph(r):
    L = Laplacian(knn_weights(r.X, 6), normalized=False)
    return float(r.final.f @ (L @ r.final.f))


def detail(r):
    """Changes of side along the lines of a fine grid."""
    x = np.linspace(-2, 3, 60)
    grid = np.stack(np.meshgrid(x, x), axis=-1).reshape(-1, 2)
    side = (r.est.decision_function(grid) > 0).reshape(60, 60)
    return int((side[1:] != side[:-1]).sum() + (side[:, 1:] != side[:, :-1]).sum())


def edges(r):
    return knn_weights(r.X, r.est.n_neighbors).nnz


def last_temperature(r):
    return r.final.T


def gap(r):
    return r.final.upper - r.final.lower


def first_to_beat(r):
    return r.trace.states[0].upper


def off_balance(r):
    share = (r.trace.y > 0).sum() / (r.trace.y != 0).sum()
    return abs(r.o.mean() - (2 * share - 1))


def shifted(r):
    return abs(r.final.b)


def felt_at_half(r):
    return Bell(r.est.narrowness).value(0.5)


def left_out(r):
    return max(
        [e.data["error"] for e in r.trace.states[0].events if e.kind == "rank"],
        default=0.0,
    )


def overruled(r):
    """How far outputs at labelled points are from their labels."""
    return np.abs(1.0 - r.margins).sum()


def guessed(r):
    return r.final.n_guessed


def doubt(r):
    return r.final.entropy


MORE, LESS = 1, -1
NOISY = {"n_labeled": 40}
BRISK = {"n_labeled": 2, "sigma": 0.3, "first": 0.01, "rate": 10.0}
# Knob -> algorithm, low, high, what changes how; other settings.
CLAIMS = [
    ("sigma", "svm", 0.1, 2.0, detail, LESS, {**NOISY, "gamma_A": 1e-3}),
    ("degree", "svm", 1, 9, detail, MORE, {"kernel": "poly", "gamma_A": 1e-3}),
    ("gamma_A", "svm", 1e-2, 10.0, size, LESS, NOISY),
    ("gamma_A", "svm", 1e-2, 10.0, misfit, MORE, NOISY),
    ("bias", "svm", False, True, shifted, MORE, NOISY),
    ("gamma_I", "lapsvm_newton", 1e-3, 10.0, rough_along_the_graph, LESS, {}),
    ("n_neighbors", "lapsvm_newton", 4, 20, edges, MORE, {}),
    ("tol", "lapsvm_pcg", 1e-8, 1e-2, length, LESS, {}),
    ("tol", "lapsvm_dual", 1e-8, 1e-1, length, LESS, {**NOISY, "gamma_A": 1e-5}),
    ("max_iter", "lapsvm_pcg", 3, 30, length, MORE, {}),
    ("check_every", "lapsvm_pcg", 2, 20, length, MORE, {"stop": "stability"}),
    ("lam", "l2svm_mfn", 1e-3, 10.0, size, LESS, NOISY),
    ("lam", "l2svm_mfn", 1e-3, 10.0, misfit, MORE, NOISY),
    ("lam_u", "da", 0.1, 10.0, in_the_way, LESS, {"lam": 1e-2}),
    ("r", "tsvm", 0.2, 0.8, positive, MORE, {}),
    ("S", "s3vm_light", 1, 50, length, LESS, BRISK),
    ("lam_start", "tsvm", 1e-5, 1e-1, length, LESS, {}),
    ("rate", "tsvm", 1.2, 5.0, length, LESS, {}),
    ("T", "da", 1e-2, 1e2, length, MORE, {}),
    ("rate", "da", 1.2, 5.0, length, LESS, {}),
    ("anneal", "da", False, True, doubt, LESS, {}),
    ("max_temperatures", "da", 3, 30, last_temperature, LESS, {}),
    ("C", "nabla_s3vm", 0.1, 100.0, misfit, LESS, {}),
    ("C_u", "nabla_s3vm", 1e-2, 10.0, in_the_way, LESS, {}),
    ("rank", "nabla_s3vm", 3, 30, left_out, LESS, {}),
    ("narrowness", "nabla_s3vm", 2.0, 10.0, felt_at_half, LESS, {}),
    ("every", "nabla_s3vm", 1, 20, length, LESS, {}),
    ("steps", "nabla_s3vm", 2, 20, length, MORE, {}),
    ("steps", "cs3vm", 2, 20, length, MORE, {}),
    ("first", "s3vm_light", 1e-5, 0.5, length, LESS, {}),
    ("T", "da_kernel", 1e-1, 1e2, length, MORE, {}),
    ("max_nodes", "branch_and_bound", 2, 200, gap, LESS, {"n_labeled": 2}),
    (
        "spread",
        "branch_and_bound",
        False,
        True,
        first_to_beat,
        LESS,
        {"n_labeled": 2, "sigma": 1.0},
    ),
    (
        "chunk",
        "convex_relaxation",
        5,
        100,
        length,
        LESS,
        {"n_labeled": 76, "tol": 0.01},
    ),
    ("C", "s3vm_path", 0.1, 10.0, misfit, LESS, {}),
    ("share", "label_spreading", 0.1, 0.999, overruled, MORE, NOISY),
    ("k_best", "self_training", 2, 20, length, LESS, {}),
    (
        "threshold",
        "self_training",
        0.1,
        0.9,
        guessed,
        LESS,
        {"criterion": "threshold"},
    ),
    ("centered", "s3vm_path", False, True, off_balance, LESS, {}),
]


@pytest.mark.parametrize(
    ("knob", "name", "low", "high", "measure", "way", "more"),
    CLAIMS,
    ids=lambda value: getattr(value, "__name__", None) or str(value)[:24],
)
def test_up_means_what_it_says(knob, name, low, high, measure, way, more):
    before = measure(run(name, **{knob: low}, **more))
    after = measure(run(name, **{knob: high}, **more))
    assert (after - before) * way > 0, (before, after)


def test_more_steps_per_frame_make_the_same_run():
    fine, coarse = (run("nabla_s3vm", every=n).final.objective for n in (1, 20))
    assert coarse == pytest.approx(fine, rel=1e-9)


def test_most_knobs_are_tried():
    """All but those of limits in seconds, of several classes and of second order."""
    untried = {
        "coef0",
        "normalized",
        "laplacian_degree",
        "stop_per_class",
        "smooth_labeled",
        "max_seconds",
    }
    named = {k.name for e in ALGORITHMS.values() for k in e.knobs if k.up}
    assert named - {claim[0] for claim in CLAIMS} == untried
