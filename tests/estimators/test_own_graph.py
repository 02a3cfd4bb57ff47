"""Weights W from outside: what is accepted, what is refused, where they go."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import laplacian
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score

from ssl_core import ALGORITHMS, make
from ssl_core.estimators.own_graph import own_weights
from ssl_core.estimators.spaces import Graph
from ssl_core.graph import Laplacian, knn_weights
from tests.small_problems import BY_NAME, MULTICLASS
from tests.test_graph_only import AveragesClassifier

PROBLEM = BY_NAME["two_moons"]
X, Y, N = PROBLEM.X, PROBLEM.y, PROBLEM.n
RNG = np.random.default_rng(5)
BUILT = knn_weights(X, 4, weights="heat")
METHODS = {n: make(n) for n in ALGORITHMS if "W" in make(n).get_params()}
METHODS["harmonic"] = AveragesClassifier(tol=1e-9)


def complete(points):
    """Weights of all pairs."""
    D = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    return np.exp(-D / 0.02)


@pytest.mark.parametrize("name", METHODS)
def test_the_graph_that_would_have_been_built_gives_the_same_run(name):
    built = METHODS[name].set_params(n_neighbors=4, weights="heat", W=None)
    own = clone(built).set_params(W=BUILT, weights="binary", join="mutual")
    a, b = (est.trace(X, Y) for est in (built, own))
    # PCG may stop a step earlier: the order of the sums is another one.
    np.testing.assert_allclose(a.final.f, b.final.f, atol=2e-6)
    new = X[:9] + 0.01  # the kernel's, or from the neighbours among the points
    outputs = (t.decision_function(new)[-1] for t in (a, b))
    np.testing.assert_allclose(*outputs, atol=1e-5)


FORMS = {
    "csr_matrix": sp.csr_matrix,
    "csc_array": sp.csc_array,
    "coo_array": sp.coo_array,
    "lil_matrix": sp.lil_matrix,
    "dok_array": sp.dok_array,
    "dense": lambda A: A,
    "single": lambda A: A.astype(np.float32),
    "frame": pd.DataFrame,
    "lists": lambda A: A.tolist(),
    "function": lambda A: lambda points: A,
    "halves": lambda A: sp.coo_array(  # each entry twice, which stand for their sum
        (np.tile(A[A > 0] / 2, 2), np.tile(np.nonzero(A), 2)), shape=A.shape
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_matrix_is_the_same_graph(form):
    A = np.triu(RNG.random((N, N)) * (RNG.random((N, N)) < 0.1), 1)
    A = np.round((A + A.T) * 64) / 64  # which single precision holds
    given = FORMS[form](A + 3 * np.eye(N))  # the diagonal does not count
    if form == "halves":
        given = FORMS[form](A)
    kept = pickle.dumps(given) if form != "function" else None
    W = own_weights(given, X)
    assert isinstance(W, sp.csr_array)
    assert W.dtype == float
    np.testing.assert_array_equal(W.toarray(), A)
    assert (W.data > 0).all()
    assert kept is None or pickle.dumps(given) == kept  # the caller's stays as it is


def test_integers_and_truth_values_are_weights():
    for kind in (bool, int, np.uint8, np.float16):
        W = own_weights(np.ones((N, N), dtype=kind), X)
        np.testing.assert_array_equal(W.toarray(), 1.0 - np.eye(N))


def test_the_laplacian_is_scipys():
    W = complete(X)  # with ones on its diagonal
    for normalized in (True, False):
        L = Graph(W=W, normalized=normalized).laplacian(X, [])
        expected = laplacian(W, normed=normalized)
        np.testing.assert_allclose(L.toarray(), expected, atol=1e-12)


def test_rounding_between_the_halves_is_evened_out():
    W = complete(X)
    tilted = np.triu(W) * (1 + 1e-13) + np.tril(W, -1)
    made = own_weights(tilted, X).toarray()
    np.testing.assert_array_equal(made, made.T)
    np.testing.assert_allclose(made, W - np.diag(np.diag(W)), rtol=1e-12)


# Refusals ------------------------------------------------------------------------


def changed(value, *places):
    W = complete(X)
    for place in places:
        W[place] = value
    return W


BAD = {
    "NaN": (changed(np.nan, (3, 5), (5, 3)), "W must be finite, got nan for 2 pairs"),
    "infinity": (changed(np.inf, (3, 5), (5, 3)), "W must be finite, got inf"),
    "negative": (changed(-0.5, (3, 5), (5, 3)), r"W must have weights >= 0, got -0\.5"),
    "one-sided": (changed(0.9, (3, 5)), r"W must be symmetric.*\(W \+ W\.T\) / 2"),
    "huge": (1e90 * complete(X), r"W must have weights up to 1e\+15"),
    "small": (complete(X[:-1]), f"each of the {N} training points, got shape"),
    "oblong": (complete(X)[:, 1:], "W must be a square matrix"),
    "flat": (np.ones(N), "W must be a square matrix"),
    "complex": (complete(X) * 1j, "W must hold real numbers"),
    "words": (np.full((N, N), "a"), "W must hold real numbers"),
    "ragged": ([[1.0], [1.0, 2.0]], "W must be a square matrix"),
    "name": ("knn", "W must be a square matrix"),
    "number": (1.0, "W must be a square matrix"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_weights_are_refused_before_any_work(case, monkeypatch):
    def begun(*arguments, **options):
        raise AssertionError("work was begun before the weights were checked")

    monkeypatch.setattr("ssl_core.models.gram", begun)
    W, words = BAD[case]
    forms = [W]
    if isinstance(W, np.ndarray) and W.ndim == 2 and W.dtype.kind in "fc":
        forms.append(sp.csr_array(W))
    for form in forms:
        for name in ("lapsvm_pcg", "lapsvm_s3vm"):
            with pytest.raises(ValueError, match=words) as error:
                make(name, W=form).iterate(X, Y)
            assert "\n" not in str(error.value)
        with pytest.raises(ValueError, match=words):
            AveragesClassifier(W=form).iterate(X, Y)


def test_indices_outside_the_matrix_are_refused():
    W = sp.csr_array(complete(X))
    W.indices[4] = N + 7
    with pytest.raises(ValueError, match="W must be a valid CSR matrix"):
        make("lapsvm_pcg", W=W).iterate(X, Y)


def test_a_matrix_of_numpys_old_kind_is_refused():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        old = np.asmatrix(complete(X))
    with pytest.raises(TypeError, match="W must be an array"):
        make("lapsvm_pcg", W=old).iterate(X, Y)


@pytest.mark.parametrize("made", [None, "knn", np.ones(N), -complete(X)])
def test_a_function_that_makes_no_weights_is_refused(made):
    with pytest.raises(ValueError, match=r"W\(X\) must"):
        make("lapsvm_pcg", W=lambda points: made).fit(X, Y)


def test_a_function_that_takes_no_points_is_refused():
    with pytest.raises(ValueError, match=r"W must be a function of one argument"):
        make("lapsvm_pcg", W=lambda: 1.0).iterate(X, Y)


# As a parameter ------------------------------------------------------------------


def test_it_is_a_parameter_like_any_other():
    est = make("lapsvm_pcg", sigma=0.35, W=BUILT)
    assert est.get_params()["W"] is BUILT
    twin, again = clone(est), pickle.loads(pickle.dumps(est))
    for other in (twin, again):
        assert other.W is not BUILT
        np.testing.assert_array_equal(other.W.toarray(), BUILT.toarray())
        f = other.fit(X, Y).decision_function(X)
        np.testing.assert_array_equal(f, est.fit(X, Y).decision_function(X))
    assert "W=" in repr(est)
    est.set_params(W=None).fit(X, Y)
    assert "W=" not in repr(est)
    assert not np.array_equal(est.decision_function(X), f)
    assert all(knob.name != "W" for a in ALGORITHMS.values() for knob in a.knobs)


def test_a_run_goes_on_from_an_earlier_one_on_the_same_graph():
    settings = {"sigma": 0.35, "W": BUILT, "tol": 1e-10, "max_iter": 2_000}
    first = make("lapsvm_pcg", **settings).fit(X, Y)
    y = Y.copy()
    hidden = np.flatnonzero(y < 0)[:2]
    y[hidden] = PROBLEM.truth[hidden]
    again = make("lapsvm_pcg", **settings).trace(X, y, start=first.state_)
    cold = make("lapsvm_newton", sigma=0.35, W=BUILT).fit(X, y)
    assert again.final.objective == pytest.approx(cold.state_.objective, rel=1e-6)
    begun = next(make("lapsvm_pcg", **settings).iterate(X, y))
    assert again.states[0].objective < 0.99 * begun.objective


@pytest.mark.parametrize("name", ["laprlsc", "lapsvm_pcg"])
def test_several_classes_share_the_graph(name):
    X, y = MULTICLASS.X, MULTICLASS.y
    W = knn_weights(X, 5, join="mutual", weights="local")
    settings = {"sigma": 0.8, "W": W}
    joint = make(name, **settings).fit(X, y).state_.f
    for c in range(MULTICLASS.n_classes):
        rest = np.where(y < 0, -1, (y == c).astype(int))
        alone = make(name, **settings).fit(X, rest).state_.f
        np.testing.assert_allclose(joint[:, c], alone, atol=2e-3)


def test_parts_of_a_graph_without_a_label_are_warned_of():
    W = np.zeros((8, 8))
    W[:3, :3] = W[3:5, 3:5] = W[5:7, 5:7] = 1.0  # three groups and a point alone
    rows = np.arange(8.0)[:, None]
    y = np.array(["a", -1, -1, "b", -1, -1, -1, -1], dtype=object)
    with pytest.warns(UserWarning, match="3 of 8 points .* or join them in W"):
        est = AveragesClassifier(W=W).fit(rows, y)
    first = next(AveragesClassifier(W=W).iterate(rows, y))
    assert "1 of 8 points have no edge" in " ".join(e.text for e in first.events)
    np.testing.assert_array_equal(est.decision_function(rows), est.state_.f)


def test_the_memory_that_a_run_may_take_counts_the_graph():
    full = np.ones((200, 200))
    for est in (make("lapsvm_pcg"), make("lapsvm_s3vm"), AveragesClassifier()):
        task = est._task(X, Y, None, None, None)
        size = task.size.at(200)
        dense, sparse = (
            clone(est).set_params(W=W).peak_bytes(size)
            for W in (full, sp.csr_array(full))
        )
        assert dense == sparse > est.peak_bytes(size) + 40 * full.size


# Cross-validation ----------------------------------------------------------------

FOLDS = StratifiedKFold(3, shuffle=True, random_state=0)
LABELS = np.where(np.arange(N) % 4 == 0, PROBLEM.truth, -1)


def test_folds_refuse_a_matrix_and_name_the_way_out():
    est = make("lapsvm_pcg", sigma=0.35, W=complete(X))
    with pytest.raises(ValueError, match="a function W"):
        cross_val_score(est, X, LABELS, cv=FOLDS, error_score="raise")


def test_folds_take_a_function_which_sees_their_points():
    est = make("laprlsc", sigma=0.35, W=complete)
    found = cross_val_score(est, X, LABELS, cv=FOLDS, error_score="raise")
    by_hand = []
    for train, test in FOLDS.split(X, LABELS):
        fold = make("laprlsc", sigma=0.35, W=complete(X)[np.ix_(train, train)])
        by_hand.append(fold.fit(X[train], LABELS[train]).score(X[test], LABELS[test]))
    np.testing.assert_array_equal(found, by_hand)


def test_nodes_of_a_network_are_searched_over_by_their_numbers():
    """Points without coordinates: X holds row numbers, and W looks them up."""
    network = complete(X)
    rows = np.arange(float(N))[:, None]

    def looked_up(points):
        at = points[:, 0].astype(int)
        return network[np.ix_(at, at)]

    search = GridSearchCV(
        make("laprlsc", kernel=lambda a, b: network[np.ix_(*_numbers(a, b))]),
        {"gamma_I": [1e-3, 1.0], "W": [None, looked_up]},
        cv=FOLDS,
        error_score="raise",
    ).fit(rows, LABELS)
    assert search.best_params_["W"] is looked_up
    assert search.best_score_ > 0.9


def _numbers(a, b):
    return a[:, 0].astype(int), b[:, 0].astype(int)


def test_the_settings_of_a_built_graph_do_nothing_beside_it():
    seen = {
        Laplacian(Graph(W=BUILT, **other).edges(X, [])).toarray().tobytes()
        for other in ({}, {"n_neighbors": 9}, {"metric": "cosine"}, {"join": "mutual"})
    }
    assert len(seen) == 1
