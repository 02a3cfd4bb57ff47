"""Probabilities by calibration on held-out labels, judged by points never seen."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from halfmoon import load, make
from halfmoon.model_selection import (
    SemiSupervisedCalibratedClassifierCV,
    SemiSupervisedKFold,
    SemiSupervisedShuffleSplit,
)
from tests.model_selection.moons import few_labels

X, Y, _ = few_labels(400, per_class=25, noise=0.3)
NEW = load("two_moons", n=1000, noise=0.3, random_state=7)
EST = make("lapsvm_newton", sigma=0.5, gamma_I=0.01)
CV = SemiSupervisedKFold(5, shuffle=True, random_state=0)


def calibrated(**how):
    return SemiSupervisedCalibratedClassifierCV(EST, **{"cv": CV, **how}).fit(X, Y)


def platt(f, positive):
    """Maximum likelihood of p = 1 / (1 + exp(A f + B)) on Platt's softened targets."""
    up, down = positive.sum(), (~positive).sum()
    t = np.where(positive, (up + 1) / (up + 2), 1 / (down + 2))

    def loss(v):
        z = v[0] * f + v[1]
        return np.sum(t * np.logaddexp(0, z) + (1 - t) * np.logaddexp(0, -z))

    A, B = minimize(loss, [-1.0, 0.0], tol=1e-12).x
    return lambda f: 1 / (1 + np.exp(A * f + B))


def held_out_outputs():
    f = np.zeros(len(Y))
    for train, test in CV.split(X, Y):
        f[test] = clone(EST).fit(X[train], Y[train]).decision_function(X[test])
    return f


def test_probabilities_are_platt_s_on_the_outputs_of_all_folds():
    known = Y >= 0
    p = platt(held_out_outputs()[known], Y[known] == 1)
    whole = clone(EST).fit(X, Y)
    expected = p(whole.decision_function(NEW.X))
    found = calibrated().predict_proba(NEW.X)
    np.testing.assert_allclose(found[:, 1], expected, atol=1e-4)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)


def test_an_ensemble_is_the_mean_of_a_pair_for_each_fold():
    found = np.zeros(NEW.n)
    for train, test in CV.split(X, Y):
        machine = clone(EST).fit(X[train], Y[train])
        p = platt(machine.decision_function(X[test]), Y[test] == 1)
        found += p(machine.decision_function(NEW.X)) / CV.n_splits
    ours = calibrated(ensemble=True).predict_proba(NEW.X)[:, 1]
    np.testing.assert_allclose(ours, found, atol=1e-4)


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_probabilities_are_those_of_points_never_seen(method):
    """Where it says 80 percent, about 80 percent are of that class."""
    p = calibrated(method=method).predict_proba(NEW.X)[:, 1]
    edges = np.digitize(p, [0.2, 0.4, 0.6, 0.8])
    gaps = [abs(p[edges == k].mean() - NEW.y[edges == k].mean()) for k in range(5)]
    shares = [np.mean(edges == k) for k in range(5)]
    assert np.dot(gaps, shares) < 0.06
    assert np.mean((p - NEW.y) ** 2) < 0.09  # 0.25 where nothing is known


def test_three_classes():
    blobs = load("blobs", n=150, random_state=0)
    y = np.where(np.arange(150) < 45, blobs.y, -1)
    found = SemiSupervisedCalibratedClassifierCV(make("laprlsc")).fit(blobs.X, y)
    P = found.predict_proba(blobs.X)
    assert found.classes_.tolist() == sorted(set(blobs.y))
    assert P.shape == (150, len(found.classes_))
    np.testing.assert_allclose(P.sum(axis=1), 1.0)
    assert np.mean(found.predict(blobs.X) == blobs.y) > 0.9
    assert found.score(blobs.X, y) > 0.9


@pytest.mark.parametrize("mark", [-1, "?", np.nan, None])
def test_any_mark_and_any_container(mark):
    words = np.where(Y < 0, mark, np.array(["down", "up"], dtype=object)[Y])
    pipeline = make_pipeline(StandardScaler(), make("svm", sigma=0.5, unlabeled=mark))
    cv = SemiSupervisedKFold(5, unlabeled=mark)
    found = SemiSupervisedCalibratedClassifierCV(pipeline, cv=cv, unlabeled=mark)
    found.fit(X.tolist(), words.tolist())
    assert found.classes_.tolist() == ["down", "up"]
    assert np.mean((found.predict(NEW.X) == "up") == NEW.y) > 0.8


def test_a_precomputed_kernel():
    def kernel(A):
        return np.exp(-((A[:, None] - X[None]) ** 2).sum(axis=2) / (2 * 0.5**2))

    ours = [
        SemiSupervisedCalibratedClassifierCV(make("svm", **how), cv=CV).fit(A, Y)
        for how, A in (({"sigma": 0.5}, X), ({"kernel": "precomputed"}, kernel(X)))
    ]
    few = NEW.X[:50]
    plain, precomputed = ours[0].predict_proba(few), ours[1].predict_proba(kernel(few))
    np.testing.assert_allclose(plain, precomputed, atol=1e-6)


def test_other_splitters_and_a_search_over_the_calibrated():
    halves = SemiSupervisedShuffleSplit(3, test_size=0.5, random_state=0)
    P = calibrated(cv=halves, ensemble=True).predict_proba(NEW.X)
    assert np.mean((P[:, 1] - NEW.y) ** 2) < 0.12
    est = SemiSupervisedCalibratedClassifierCV(make("rlsc"), cv=3)
    grid = {"estimator__sigma": [0.5, 50.0]}
    found = GridSearchCV(est, grid, cv=CV, scoring="neg_log_loss").fit(X, Y)
    assert found.best_params_ == {"estimator__sigma": 0.5}


@pytest.mark.parametrize(
    ("est", "y", "said"),
    [
        (None, Y, "estimator must be a classifier with a decision_function"),
        (EST, np.r_[0, 1, 1, 1, 1, 1, [-1] * 394], "5 folds needs 5 labels.*class 0"),
        (EST, np.full(400, -1), "no labelled points"),
    ],
)
def test_what_cannot_be_calibrated_is_refused(est, y, said):
    with pytest.raises(ValueError, match=said):
        SemiSupervisedCalibratedClassifierCV(est).fit(X, y)


def test_any_labelled_points_can_be_scored():
    est = calibrated()
    one_class = NEW.y == 1
    found = est.score(NEW.X[one_class], NEW.y[one_class])
    assert found == np.mean(est.predict(NEW.X[one_class]) == 1)
    weight = np.arange(NEW.n)
    y = np.where(weight % 3, NEW.y, -1)
    hits = (est.predict(NEW.X) == NEW.y)[y >= 0]
    expected = np.average(hits, weights=weight[y >= 0])
    assert est.score(NEW.X, y, weight) == pytest.approx(expected)
    with pytest.raises(ValueError, match="sample_weight must be a 1D array"):
        est.score(NEW.X, y, [1.0])
