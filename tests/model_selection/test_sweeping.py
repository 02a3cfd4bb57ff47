"""A sweep over a grid gives what separate fits give, from shared work."""

from itertools import pairwise, product

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from halfmoon import load, make
from halfmoon.model_selection import Sweep, sweep
from ssl_core import ALGORITHMS, models
from ssl_core.estimators import spaces
from ssl_core.estimators.prepared import Prepared
from ssl_core.graph import knn_weights
from ssl_core.model_selection.sweeping import _walk
from tests.model_selection.moons import few_labels

X, Y, TRUTH = few_labels(60, per_class=6, noise=0.2)
# A run to the end where a tolerance is asked for; Newton's and direct ends are exact.
CONVEX = {
    "svm": {"gamma_A": [1e-3, 1e-2, 0.1], "sigma": [0.3, 0.6]},
    "rlsc": {"gamma_A": [1e-3, 1e-2, 0.1]},
    "lapsvm_newton": {"gamma_A": [1e-3, 1e-2], "gamma_I": [0.0, 0.1, 1.0]},
    "laprlsc": {"gamma_I": [0.1, 1.0], "n_neighbors": [4, 8]},
    "lapsvm_pcg": {"gamma_A": [1e-2, 0.1], "gamma_I": [0.1, 1.0], "sigma": [0.3, 0.6]},
    "laprlsc_pcg": {"gamma_A": [1e-2, 0.1], "gamma_I": [0.1, 1.0]},
    "lapsvm_dual": {"gamma_A": [1e-2, 0.1], "gamma_I": [0.1, 1.0]},
    "l2svm_mfn": {"lam": [1e-4, 1e-3, 1e-2]},
}
STRICT = {"tol": 1e-12, "max_iter": 5_000}
SLOW = {"branch_and_bound": {"max_iter": 30}, "convex_relaxation": {"max_iter": 2}}
GRIDS = {"lam": [1e-3, 1e-2], "C": [1.0, 10.0], "gamma_A": [1e-2, 0.1]}


def strict(name):
    est = make(name)
    known = est.get_params()
    wanted = {k: v for k, v in STRICT.items() if k in known}
    if name in ("svm", "lapsvm_newton", "l2svm_mfn"):
        wanted = {"tol": 0.0} if name != "l2svm_mfn" else {"tol": 1e-12}
    return est.set_params(**wanted)


@pytest.mark.parametrize("name", CONVEX)
def test_seeded_fits_of_convex_methods_are_the_separate_fits(name):
    est = strict(name)
    found = sweep(est, X, Y, CONVEX[name])
    assert {seed is None for seed in found.seeds} == {True, False}
    for params, ours, f in zip(found.params, found.estimators, found.f, strict=True):
        alone = clone(est).set_params(**params).fit(X, Y)
        assert ours.state_.objective == pytest.approx(alone.state_.objective, rel=1e-8)
        np.testing.assert_allclose(f, alone.state_.f, atol=2e-5)


def test_graphs_from_outside_and_weights_of_classes_can_be_swept():
    dense, heavy = knn_weights(X, 4).toarray(), knn_weights(X, 6)
    grid = {"W": [dense, heavy, None], "class_weight": [None, {0: 1.0, 1: 3.0}]}
    est = strict("lapsvm_newton")
    for params, ours in zip(
        product_of(grid), sweep(est, X, Y, grid).estimators, strict=True
    ):
        alone = clone(est).set_params(**params).fit(X, Y)
        assert ours.state_.objective == pytest.approx(alone.state_.objective, rel=1e-8)


def product_of(grid):
    return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_without_seeds_every_method_gives_the_separate_fits_to_the_last_bit(name):
    est = make(name, **SLOW.get(name, {}))
    known = est.get_params()
    grid = {knob: values for knob, values in GRIDS.items() if knob in known}
    for knob, values in (("sigma", [0.3, 0.6]), ("n_neighbors", [4, 8])):
        grid |= {knob: values} if knob in known and len(grid) < 2 else {}
    found = sweep(est, X, Y, grid, warm_start=False)
    assert found.seeds == (None,) * len(found)
    for params, ours in zip(found.params, found.estimators, strict=True):
        alone = clone(est).set_params(**params).fit(X, Y)
        np.testing.assert_array_equal(ours.state_.f, alone.state_.f)
        assert ours.state_.t == alone.state_.t
        assert ours.get_params() == alone.get_params()


def test_a_seeded_s3vm_follows_one_minimum():
    """It stays at labels of its neighbour; separate fits may do better or worse."""
    grid = {"C_u": [0.1, 0.3, 1.0, 3.0, 10.0]}
    est = make("nabla_s3vm", sigma=0.5)
    seeded, cold = (sweep(est, X, Y, grid, warm_start=w) for w in (True, False))
    assert seeded.n_iter[1:].sum() < cold.n_iter[1:].sum()
    moved = [np.mean(a * b < 0) for a, b in pairwise(seeded.f)]
    assert max(moved) <= 0.1


def test_kernel_graph_and_width_are_made_once_for_each_that_differs(monkeypatch):
    calls = []

    def counted(place, name):
        function = getattr(place, name)

        def counting(*values, **named):
            calls.append(name)
            return function(*values, **named)

        monkeypatch.setattr(place, name, counting)

    counted(models, "gram")
    counted(spaces, "knn_weights")
    counted(spaces, "kernel_width")
    grid = {"gamma_I": [0.1, 1.0], "n_neighbors": [4, 8], "gamma_A": [1e-2, 0.1]}
    assert len(sweep(make("lapsvm_pcg"), X, Y, grid)) == 8
    assert sorted(calls) == ["gram", "kernel_width", "knn_weights", "knn_weights"]
    calls.clear()
    sweep(make("lapsvm_pcg"), X, Y, {"gamma_I": [0.1, 1.0], "sigma": [0.3, 0.6]})
    assert sorted(calls) == ["gram", "gram", "knn_weights"]
    calls.clear()
    sweep(make("nabla_s3vm"), X, Y, {"C": [1.0, 10.0], "C_u": [0.1, 1.0]})
    assert sorted(calls) == ["gram", "kernel_width"]


SAVED = {  # largest share of the iterations of separate fits
    "lapsvm_pcg": ("gamma_A", np.geomspace(1e-3, 1, 8), 0.8),
    "nabla_s3vm": ("C_u", np.geomspace(0.01, 10, 8), 0.5),
    "cccp": ("C_u", np.geomspace(0.01, 10, 8), 0.5),
    "tsvm": ("lam", np.geomspace(1e-4, 1, 8), 0.5),
}


@pytest.mark.parametrize("name", SAVED)
def test_seeds_save_iterations(name):
    knob, values, share = SAVED[name]
    seeded, cold = (
        sweep(make(name), X, Y, {knob: values}, warm_start=w) for w in (True, False)
    )
    assert seeded.n_iter.sum() < share * cold.n_iter.sum()


def test_a_seed_that_is_the_solution_already_needs_no_iteration():
    """Its norm is judged against the start without it, as that of a separate fit."""
    for name in ("lapsvm_pcg", "laprlsc_pcg"):
        found = sweep(make(name), X, Y, {"gamma_A": [0.1, 0.1]})
        assert found.n_iter[0] > 5
        assert found.n_iter[1] == 0
        np.testing.assert_allclose(found.f[1], found.f[0], rtol=1e-12)


def test_the_result_is_in_the_order_of_the_grid():
    grid = {"gamma_I": [0.1, 1.0], "sigma": [0.3, 0.6, 0.9]}
    est = make("lapsvm_newton")
    found = sweep(est, X, Y, grid)
    assert isinstance(found, Sweep)
    assert [tuple(p.values()) for p in found.params] == [
        (a, s) for a in grid["gamma_I"] for s in grid["sigma"]
    ]
    assert found.seeds == (None, 4, 1, 0, 3, 2)  # sigma changes least
    new = load("two_moons", n=50, noise=0.2, random_state=3)
    F = found.decision_function(new.X)
    for row, machine, share in zip(
        F, found.estimators, found.scores(new.X, new.y), strict=True
    ):
        np.testing.assert_allclose(row, machine.decision_function(new.X), atol=1e-12)
        assert share == np.mean(machine.predict(new.X) == new.y)
    frame = found.to_frame()
    columns = ["gamma_I", "sigma", "objective", "n_iter", "status", "seed", "seconds"]
    assert list(frame.columns) == columns
    assert frame["seed"].isna().sum() == 1
    assert (frame["seconds"] > 0).all()
    assert set(frame["status"]) == {"converged"}
    assert not hasattr(est, "state_")


def test_neighbours_differ_by_one_step_and_costly_parameters_change_least():
    grid = {"sigma": [1, 2], "C": [1, 2, 3], "n_neighbors": [5, 6]}
    walk = list(_walk(grid))
    assert sorted(walk) == sorted(set(walk))
    assert len(walk) == 12
    steps = [np.abs(np.subtract(a, b)) for a, b in pairwise(walk)]
    assert all(step.sum() == 1 for step in steps)
    assert np.sum(steps, axis=0).tolist() == [1, 8, 2]


def test_several_classes_are_seeded_machine_by_machine():
    wine = load("wine")
    X = ((wine.X - wine.X.mean(axis=0)) / wine.X.std(axis=0))[::3]
    y = np.where(np.arange(len(X)) % 3 == 0, wine.y[::3], -1)
    for per_class in (False, True):
        est = make("lapsvm_pcg", tol=1e-9, max_iter=5_000, stop_per_class=per_class)
        found = sweep(est, X, y, {"gamma_A": [0.1, 1.0]})
        assert found.f.shape == (2, len(X), 3)
        for params, f in zip(found.params, found.f, strict=True):
            alone = clone(est).set_params(**params).fit(X, y)
            np.testing.assert_allclose(f, alone.state_.f, atol=1e-5)


@pytest.mark.parametrize("name", ["lapsvm_pcg", "nabla_s3vm", "lapsvm_s3vm"])
def test_what_is_odd_about_a_shared_kernel_is_said_by_every_fit(name):
    K = X @ X.T
    K[0, 0] -= 5.0  # not positive semi-definite: it gets a ridge
    est = make(name, kernel="precomputed")
    grid = {"gamma_A" if name == "lapsvm_pcg" else "C": [0.1, 1.0, 10.0]}
    told = []
    prepared = Prepared(keep=True)
    for value in next(iter(grid.values())):
        machine = clone(est).set_params(**{next(iter(grid)): value})
        task = machine._task(K, Y, None, None, None, prepared=prepared)
        first = next(machine._states(task))
        told.append([e.kind for e in first.events].count("ridge"))
    assert told == [1, 1, 1]


@pytest.mark.parametrize(
    ("est", "grid", "how", "said"),
    [
        (make("svm"), {}, {}, "grid must be a dict"),
        (make("svm"), {"gamma_I": [1.0]}, {}, "got 'gamma_I'; there are: .*gamma_A"),
        (make("svm"), {"gamma_A": 1.0}, {}, r"grid\['gamma_A'\] must be a list"),
        (make("svm"), {"gamma_A": []}, {}, "must be a list of values, got"),
        (make("svm"), {"gamma_A": [-1.0]}, {}, "gamma_A must be a number > 0"),
        (make("svm"), {"gamma_A": [1.0]}, {"warm_start": 1}, "True or False"),
        (make("svm"), {"unlabeled": [-1, 0]}, {}, "got .unlabeled.; there are"),
        (make("s3vm_path"), {"C": [1.0]}, {}, "warm_start must be False for s3vm_path"),
    ],
)
def test_what_cannot_be_swept_is_refused_in_one_sentence(est, grid, how, said):
    with pytest.raises(ValueError, match=said):
        sweep(est, X, Y, grid, **how)


def test_a_pipeline_is_refused():
    with pytest.raises(TypeError, match="classifier of Halfmoon, got Pipeline"):
        sweep(make_pipeline(make("svm")), X, Y, {"gamma_A": [1.0]})
