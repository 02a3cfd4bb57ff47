"""Weights of points and classes, in every method that takes them."""

import inspect
import re
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.estimator_checks import (
    check_sample_weight_equivalence_on_dense_data,
    check_sample_weight_equivalence_on_sparse_data,
)

from ssl_core import ALGORITHMS, make
from ssl_core.estimators.groups import LARGEST
from ssl_core.graph import Laplacian, knn_weights
from ssl_core.problems.laplacian import LapRLSC, LapSVM
from ssl_core.problems.supervised import RLSC, SVM
from tests.small_problems import hide, moons

LINEAR = ("l2svm_mfn", "tsvm", "da")
KERNEL = ("svm", "rlsc", "lapsvm_newton", "lapsvm_pcg", "lapsvm_dual", "laprlsc")
KERNEL += ("laprlsc_pcg",)
WEIGHTED = KERNEL + LINEAR
SHARP = {"sigma": 0.5, "gamma_I": 0.5, "gamma_A": 1e-2, "max_iter": 10_000}
RNG = np.random.default_rng(5)  # of the data; tests make their own
X, TRUTH = moons(40, noise=0.25, seed=3)
Y = hide(TRUTH, 7, seed=1, noise=0.2)
KNOWN = Y >= 0
WEIGHT = RNG.choice([0.0, 1.0, 2.0, 3.0], len(Y), p=[0.1, 0.4, 0.3, 0.2])
THREE = np.where(X[:, 0] > 1.0, 2, TRUTH)
Y3 = hide(THREE, 4, seed=1, noise=0.2)


def build(name, **changes):
    """An estimator solved sharply, with those of the settings that it has."""
    known = make(name).get_params()
    tol = {"tol": 1e-9 if name == "lapsvm_dual" else 1e-11}
    knobs = {k: v for k, v in (SHARP | tol | changes).items() if k in known}
    return make(name, **knobs)


def end(name, X, y, weight=None, **changes):
    est = build(name, **changes)
    *_, last = est.iterate(X, y, sample_weight=weight)
    return est, last


# Oracles: repeated points, other solvers, formulas ----------------------------------


@pytest.mark.parametrize("name", WEIGHTED)
def test_integer_weights_are_repeated_points(name):
    """Weight 0 is a point that is not there; a graph counts points, so none here."""
    weight = WEIGHT.copy()
    if name == "tsvm":  # copies of one unlabelled point may get different labels
        weight[~KNOWN] = 1.0
    times = weight.astype(int)
    # "fast" ends the trainings on the way early, by a norm that counts copies.
    settings = {"gamma_I": 0.0, "schedule": "svmlin"}
    est, last = end(name, X, Y, weight, **settings)
    twin, repeated = end(name, X.repeat(times, 0), Y.repeat(times), **settings)
    new = X[:15] + 0.1
    # The dual ends at a violation of 1e-9, which leaves more in its outputs.
    np.testing.assert_allclose(
        est.decision_function(new), twin.decision_function(new), atol=2e-6
    )
    field = "transductive_objective" if name == "da" else "objective"  # at T = 0
    value = getattr(repeated, field)
    assert getattr(last, field) == pytest.approx(value, rel=1e-8)
    plain, _ = end(name, X, Y, **settings)
    assert np.abs(est.decision_function(new) - plain.decision_function(new)).max() > 0.1


@pytest.mark.parametrize("name", KERNEL)
@pytest.mark.parametrize(
    "check",
    [
        check_sample_weight_equivalence_on_dense_data,
        check_sample_weight_equivalence_on_sparse_data,
    ],
    ids=["dense", "sparse"],
)
def test_scikit_learns_check_passes_where_width_and_graph_are_given(name, check):
    """In test_common.py, with the default settings, it is an expected failure."""
    known = make(name).get_params()
    settings = {"sigma": 1.0, "gamma_I": 0.0}
    if name == "lapsvm_dual":
        settings["tol"] = 1e-12
    check(name, make(name, **{k: v for k, v in settings.items() if k in known}))


def test_linear_machines_are_those_of_scikit_learn():
    rng = np.random.default_rng(1)
    weight = rng.uniform(0.1, 4.0, len(Y3))
    known, lam = Y3 >= 0, 0.02
    est, _ = end("l2svm_mfn", X, Y3, weight, lam=lam)
    C = 1.0 / (2.0 * lam * weight[known].sum())
    twin = LinearSVC(C=C, tol=1e-12, max_iter=100_000, dual=False)
    twin.fit(X[known], Y3[known], sample_weight=weight[known])
    np.testing.assert_allclose(est.coef_, twin.coef_, atol=1e-5)
    np.testing.assert_allclose(est.intercept_, twin.intercept_, atol=1e-5)

    settings = {"kernel": "linear", "bias": False, "gamma_A": 0.3}
    est, _ = end("svm", X, Y3, weight, **settings)
    twin = LinearSVC(C=1 / 0.6, tol=1e-12, fit_intercept=False, dual=False)
    twin.fit(X[known], Y3[known], sample_weight=weight[known])
    np.testing.assert_allclose(
        est.decision_function(X), twin.decision_function(X), atol=1e-6
    )


def test_kernel_machines_are_those_of_scikit_learn():
    rng = np.random.default_rng(2)
    weight = rng.uniform(0.1, 4.0, KNOWN.sum())
    everywhere = np.ones(len(Y))
    everywhere[KNOWN] = weight
    K = rbf_kernel(X, X[KNOWN], gamma=1 / (2 * 0.5**2))
    signs = 2.0 * Y[KNOWN] - 1.0
    gamma_A = 0.05
    rlsc, _ = end("rlsc", X, Y, everywhere, bias=False, gamma_A=gamma_A)
    ridge = KernelRidge(alpha=gamma_A, kernel="precomputed")
    ridge.fit(K[KNOWN], signs, sample_weight=weight)
    np.testing.assert_allclose(rlsc.decision_function(X), ridge.predict(K), atol=1e-8)

    for gamma_A in (0.05, 2.0):  # few and many points at their upper limit
        settings = {"gamma_A": gamma_A, "gamma_I": 0.0}
        dual, last = end("lapsvm_dual", X, Y, everywhere, **settings)
        svc = SVC(C=1 / (2 * gamma_A), kernel="precomputed", tol=1e-9)
        svc.fit(K[KNOWN], signs, sample_weight=weight)
        np.testing.assert_allclose(
            dual.decision_function(X), svc.decision_function(K), atol=1e-6
        )
        assert (last.beta <= everywhere).all()
        assert last.gap == pytest.approx(0.0, abs=1e-6)


def formula(name, est, state, y, cost):
    """J of a kernel machine, written anew, as a function of (alpha, b)."""
    K = rbf_kernel(X, gamma=1 / (2 * 0.5**2))
    W = knn_weights(X, est.n_neighbors, weights=est.weights)
    L = Laplacian(W, normalized=False).toarray()
    known = y != 0
    half = 1.0 if name == "lapsvm_dual" else 0.5

    def J(v):
        alpha, b = v[:-1], v[-1]
        f = K @ alpha + b
        m = 1.0 - y[known] * f[known]
        kind = "hinge" if name == "lapsvm_dual" else "squared"
        loss = {"hinge": np.maximum(m, 0.0), "squared": np.maximum(m, 0.0) ** 2}[kind]
        if name.startswith("laprlsc"):
            loss = m**2
        g = f - b if name == "lapsvm_dual" else f
        norms = est.gamma_A * alpha @ K @ alpha + est.gamma_I * g @ L @ g
        return half * ((cost[known] * loss).sum() + norms)

    return J, np.append(state.alpha, state.b)


@pytest.mark.parametrize("name", [n for n in KERNEL if n.startswith("lap")])
def test_the_weighted_objective_with_a_graph_is_at_its_minimum(name):
    rng = np.random.default_rng(3)
    y = np.where(KNOWN, 2.0 * Y - 1.0, 0.0)
    weight = rng.uniform(0.0, 4.0, len(Y))
    est = build(name, normalized=False)
    states = list(est.iterate(X, Y, sample_weight=weight))
    for state in (states[0], states[len(states) // 2], states[-1]):
        J, v = formula(name, est, state, y, weight)
        assert state.objective == pytest.approx(J(v), rel=1e-9)
    slack = 1e-9 if name != "lapsvm_dual" else 1e-7
    for _ in range(40):  # convex: no direction goes down
        step = 1e-3 * rng.normal(size=len(v))
        assert J(v + step) >= J(v) - slack
        assert J(v - step) >= J(v) - slack


@pytest.mark.parametrize("kind", [LapSVM, LapRLSC, SVM, RLSC])
def test_the_gradient_with_costs_is_that_of_finite_differences(kind):
    rng = np.random.default_rng(4)
    signs = np.where(Y3[:, None] == np.arange(3), 1.0, -1.0)
    signs[Y3 < 0] = 0.0
    cost = rng.choice([0.0, 0.3, 1.0, 7.0], len(Y3))
    K = rbf_kernel(X, gamma=2.0)
    if kind in (SVM, RLSC):
        problem = kind(K[:, Y3 >= 0], signs, gamma_A=0.1, cost=cost)
    else:
        L = Laplacian(knn_weights(X, 6))
        problem = kind(K, L, signs, gamma_A=0.1, gamma_I=0.5, cost=cost)
    alpha = 0.3 * rng.normal(size=signs.shape)
    alpha[(Y3 < 0) & (not problem.all_points)] = 0.0
    b = rng.normal(size=3)
    grad, grad_b = problem.gradient(alpha, b)
    h = 1e-6
    for i in np.flatnonzero(Y3 >= 0):
        step = np.zeros_like(alpha)
        step[i] = h
        slope = problem.value(alpha + step, b) - problem.value(alpha - step, b)
        np.testing.assert_allclose(grad[i], slope / (2 * h), atol=1e-6)
    slope = problem.value(alpha, b + h) - problem.value(alpha, b - h)
    np.testing.assert_allclose(grad_b, slope / (2 * h), atol=1e-6)


@pytest.mark.parametrize("name", ["lapsvm_newton", "laprlsc_pcg", "lapsvm_dual"])
def test_a_label_of_weight_zero_is_as_good_as_none(name):
    first = np.flatnonzero(KNOWN)[:3]
    weight, y = np.ones(len(Y)), Y.copy()
    weight[first], y[first] = 0.0, -1
    _, last = end(name, X, Y, weight)
    _, hidden = end(name, X, y)
    np.testing.assert_allclose(last.f, hidden.f, atol=1e-6)


# Transductive machines: unlabelled points have weights too --------------------------


def transductive(w, b, y, weight, lam, lam_u):
    """The objective of [SK07] section 1.3 with its means weighted, written anew."""
    f = X @ w + b
    known = y != 0
    loss = np.maximum(0.0, 1.0 - np.where(known, y * f, np.abs(f))) ** 2
    mean = [np.average(loss[part], weights=weight[part]) for part in (known, ~known)]
    return 0.5 * (lam * (w @ w + b * b) + mean[0] + lam_u * mean[1])


def test_switched_labels_lower_the_weighted_objective():
    points, truth = moons(60, noise=0.1, seed=3)
    labels = hide(truth, 1, seed=1)
    known, y = labels >= 0, np.where(labels < 0, 0.0, 2.0 * labels - 1.0)
    weight = np.random.default_rng(1).uniform(0.1, 5.0, len(y))
    est = build("tsvm", lam=0.01, lam_u=2.0)
    states = list(est.iterate(points, labels, sample_weight=weight))
    events = [e for s in states for e in s.events if e.kind == "switch"]
    assert len(events) > 2
    assert all(e.data["after"] < e.data["before"] for e in events)
    last = states[-1]
    r = np.average(y[known] > 0, weights=weight[known])
    assert (last.y_u > 0).sum() == round(r * (~known).sum())

    def part(signs, where):
        loss = np.maximum(0.0, 1.0 - signs[where] * last.f[where]) ** 2
        return 0.5 * np.average(loss, weights=weight[where])

    norm = 0.5 * 0.01 * (last.w @ last.w + last.b**2)
    signs = y.copy()
    signs[~known] = last.y_u
    least = 2.0 * part(signs, ~known)
    assert last.lens.total(last.f[~known]) == pytest.approx(least, rel=1e-9)
    whole = norm + part(signs, known) + least
    assert last.objective == pytest.approx(whole, rel=1e-9)
    # No pair with a loss on both sides is worth switching.
    positive = np.flatnonzero((signs > 0) & (y == 0) & (last.f < 1))
    negative = np.flatnonzero((signs < 0) & (y == 0) & (last.f > -1))
    assert len(positive) * len(negative) > 0
    for i in positive:
        for j in negative:
            other = signs.copy()
            other[i], other[j] = -1, 1
            assert 2.0 * part(other, ~known) >= least - 1e-12


def test_annealed_probabilities_keep_a_weighted_ratio_and_objective():
    rng = np.random.default_rng(6)
    weight = rng.uniform(0.1, 5.0, len(Y))
    weight[np.flatnonzero(~KNOWN)[:2]] = 0.0
    y = np.where(KNOWN, 2.0 * Y - 1.0, 0.0)
    est = build("da", lam=0.01, lam_u=2.0, max_iter=10_000, max_temperatures=60)
    states = list(est.iterate(X, Y, sample_weight=weight))
    assert len(states) > 20
    w_u = weight[~KNOWN]
    r = np.average(y[KNOWN] > 0, weights=weight[KNOWN])
    for state in states:
        p = state.p
        assert np.average(p, weights=w_u) == pytest.approx(r, abs=1e-9)
        value = transductive(state.w, state.b, y, weight, 0.01, 2.0)
        assert state.transductive_objective == pytest.approx(value, rel=1e-9)
        q = np.clip(p, 1e-15, 1 - 1e-15)
        entropy = -(q * np.log(q) + (1 - q) * np.log1p(-q))
        mean = np.average(entropy, weights=w_u)
        assert state.entropy == pytest.approx(mean, abs=1e-9)
        # Its lens and the labelled part make up the objective at T.
        known = np.maximum(0.0, 1.0 - y[KNOWN] * state.f[KNOWN]) ** 2
        rest = 0.5 * 0.01 * (state.w @ state.w + state.b**2)
        rest += 0.5 * np.average(known, weights=weight[KNOWN])
        if state.t not in (0, states[-1].t):
            total = rest + state.lens.total(state.f[~KNOWN])
            assert state.objective == pytest.approx(total, rel=1e-7, abs=1e-9)
    # It ends because p is as certain as the ratio allows, before T runs out.
    temperatures = [e for s in states for e in s.events if e.kind == "temperature"]
    assert len(temperatures) < 60


# Classes ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", WEIGHTED)
@pytest.mark.parametrize("kind", ["balanced", "dict"])
def test_class_weights_are_weights_of_points(name, kind):
    """A point has the weight of its own class in each of the binary machines."""
    given = "balanced" if kind == "balanced" else {0: 3.0, 2: 0.2}
    class_weight = given if kind == "balanced" else given | {1: 1.0}
    y = Y3.copy()
    y[np.flatnonzero(y == 0)[:2]] = -1  # as many labels in each class would be balanced
    known = y >= 0
    weight = np.ones(len(y))
    weight[known] = compute_sample_weight(class_weight, y[known])
    settings = {"class_weight": given, "r": [0.5, 0.2, 0.3]}
    _, last = end(name, X, y, **settings)
    _, explicit = end(name, X, y, weight, r=settings["r"])
    np.testing.assert_allclose(last.f, explicit.f, atol=1e-7)
    assert last.objective == pytest.approx(explicit.objective, rel=1e-9)
    _, plain = end(name, X, y, r=settings["r"])
    assert np.abs(plain.f - last.f).max() > 1e-3


def test_balanced_counts_weights_and_multiplies_them():
    weight = np.where(KNOWN, WEIGHT + 0.5, 1.0)
    _, last = end("svm", X, Y, weight, class_weight="balanced")
    sums = np.bincount(Y[KNOWN], weights=weight[KNOWN])
    both = weight.copy()
    both[KNOWN] *= (sums.sum() / (2 * sums))[Y[KNOWN]]
    _, explicit = end("svm", X, Y, both)
    np.testing.assert_allclose(last.f, explicit.f, atol=1e-10)
    assert both[Y == 0].sum() == pytest.approx(both[Y == 1].sum())


def test_balanced_classes_of_hardly_any_weight_do_not_overflow():
    weight = np.where(Y == 1, 1e-320, 1.0)
    _, last = end("svm", X, Y, weight, class_weight="balanced")
    few, many = (Y == 1).sum(), (Y == 0).sum()  # half of all weight is in each
    _, even = end("svm", X, Y, np.where(Y == 1, many / (2 * few), 0.5))
    np.testing.assert_allclose(last.f, even.f, rtol=1e-3)


def test_class_weights_leave_the_class_ratio_as_the_labels_have_it():
    y = Y.copy()
    y[np.flatnonzero(y == 0)[:4]] = -1  # 3 of class 0 and 7 of class 1
    share = np.mean(y[y >= 0] == 1)
    _, last = end("da", X, y, class_weight="balanced")
    assert last.p.mean() == pytest.approx(share)
    weight = np.where(y == 0, 3.0, 1.0)
    _, last = end("da", X, y, weight)
    assert last.p.mean() == pytest.approx(np.average(y[y >= 0], weights=weight[y >= 0]))


@pytest.mark.parametrize("name", WEIGHTED[:-2])
def test_a_seed_of_other_weights_leads_to_the_same_machine(name):
    """Of convex problems: a dual seed must be made feasible for smaller costs."""
    weight = np.where(KNOWN, WEIGHT / 3 + 0.05, 1.0)
    est, last = end(name, X, Y, weight)
    _, heavy = end(name, X, Y, np.full(len(Y), 5.0))
    *_, again = est.iterate(X, Y, start=heavy, sample_weight=weight)
    np.testing.assert_allclose(again.f, last.f, atol=1e-5)


# Weight 1, signatures, refusals -----------------------------------------------------


@pytest.mark.parametrize("name", WEIGHTED)
def test_weights_of_one_change_no_digit(name):
    _, last = end(name, X, Y)
    for settings, weight in (({}, np.ones(len(Y))), ({"class_weight": {0: 1.0}}, None)):
        _, same = end(name, X, Y, weight, **settings)
        np.testing.assert_array_equal(same.f, last.f)
        assert same.objective == last.objective


def test_the_documentation_names_those_that_take_weights():
    takes = [
        name
        for name, entry in ALGORITHMS.items()
        if "sample_weight" in inspect.signature(entry.estimator.fit).parameters
    ]
    assert sorted(takes) == sorted(WEIGHTED)
    for name in ALGORITHMS:
        assert ("class_weight" in make(name).get_params()) == (name in takes)
        if name not in takes:
            with pytest.raises(ValueError, match="no costs of points; leave it out"):
                make(name).trace(X, Y, sample_weight=np.ones(len(Y)))
    text = (Path(__file__).parents[2] / "README.md").read_text()
    (paragraph,) = (p for p in text.split("\n\n") if "`sample_weight`" in p)
    named = {name for name in re.findall(r"`(\w+)`", paragraph) if name in ALGORITHMS}
    assert named == set(takes)


REFUSED = {
    "negative": (lambda w: np.append(w[1:], -1.0), "numbers >= 0"),
    "nan": (lambda w: np.append(w[1:], np.nan), "got nan"),
    "infinite": (lambda w: np.append(w[1:], np.inf), "got inf"),
    "huge": (lambda w: np.append(w[1:], 10 * LARGEST), "<= 1e\\+12"),
    "short": (lambda w: w[1:], "one number for each of the 40"),
    "columns": (lambda w: w[:, None], "got shape \\(40, 1\\)"),
    "one number": (lambda w: 2.0, "got shape \\(\\)"),
    "text": (lambda w: ["much"] * len(w), "hold numbers"),
    "ragged": (lambda w: [[1.0], [1.0, 2.0]] * (len(w) // 2), "hold numbers"),
    "zeros": (lambda w: 0.0 * w, "all weights zero"),
    "a class without": (lambda w: np.where(Y == 1, 0.0, w), "for class 1"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_hostile_weights_are_refused_in_a_sentence(case):
    make_weight, words = REFUSED[case]
    weight = make_weight(np.ones(len(Y)))
    for name in ("svm", "lapsvm_pcg", "tsvm"):
        est = build(name)
        with pytest.raises(ValueError, match=words) as refusal:
            est.iterate(X, Y, sample_weight=weight)
        assert "sample_weight" in str(refusal.value)
        assert "\n" not in str(refusal.value)
        assert not hasattr(est, "classes_")
    if case != "a class without":
        with pytest.raises(ValueError, match="sample_weight must have|" + words):
            build("rlsc").fit(X, Y).score(X, Y, weight)


def test_other_refusals_and_what_is_no_refusal():
    with pytest.raises(TypeError, match="must be a dense array"):
        build("svm").fit(X, Y, sample_weight=sp.csr_array(np.ones((1, len(Y)))))
    nothing = np.where(KNOWN, 1.0, 0.0)
    for name in ("tsvm", "da"):
        with pytest.raises(ValueError, match="pass lam_u=0"):
            build(name).fit(X, Y, sample_weight=nothing)
        est, last = end(name, X, Y, nothing, lam_u=0.0)
        *_, again = est.iterate(X, Y, start=last, sample_weight=nothing)
        for state in (last, again):  # the way out is one
            plain = end("l2svm_mfn", X, Y)[1].f
            np.testing.assert_allclose(state.f, plain, atol=1e-6)
    # Where unlabelled points have no loss, their weights have nothing to multiply.
    for name in ("l2svm_mfn", "svm", "lapsvm_newton"):
        _, last = end(name, X, Y, nothing)
        _, plain = end(name, X, Y)
        np.testing.assert_allclose(last.f, plain.f, atol=1e-12)
    for value, words in (
        ("even", "'balanced', None or a dict"),
        ([1.0, 2.0], "'balanced', None or a dict"),
        ({0: -1.0}, r"class_weight\[0\] must be a number > 0"),
        ({0: np.nan}, r"class_weight\[0\]"),
        ({0: 1e300}, r"class_weight\[0\]"),
        ({0: 1.0, 7: 2.0}, "among \\[0, 1\\], got 7"),
    ):
        with pytest.raises(ValueError, match=words):
            build("svm", class_weight=value).fit(X, Y)


def test_weights_far_apart_and_in_any_unit():
    """Only the linear machines are means, for which the unit is no matter."""
    rng = np.random.default_rng(7)
    weight = 10.0 ** rng.uniform(-6, 3, len(Y))
    for name in ("lapsvm_newton", "lapsvm_pcg", "svm", "rlsc"):
        f = end(name, X, Y, weight, max_iter=3000, tol=1e-6)[1].f
        assert np.isfinite(f).all()
    for name in LINEAR:
        f = end(name, X, Y, weight)[1].f
        again = end(name, X, Y, 1e5 * weight)[1].f
        np.testing.assert_allclose(again, f, atol=1e-5)


# The house of scikit-learn ----------------------------------------------------------


def test_pipelines_pass_weights_on():
    weight = np.where(KNOWN, WEIGHT + 0.5, 1.0)
    flow = make_pipeline(StandardScaler(), build("svm"))
    flow.fit(X, Y, svmclassifier__sample_weight=weight)
    scaled = StandardScaler().fit_transform(X)
    alone = build("svm").fit(scaled, Y, sample_weight=weight)
    np.testing.assert_array_equal(
        flow.decision_function(X), alone.decision_function(scaled)
    )


def test_metadata_routing_reaches_fit_and_score():
    weight = np.where(KNOWN, WEIGHT + 0.5, 1.0)
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    with sklearn.config_context(enable_metadata_routing=True):
        est = build("svm").set_fit_request(sample_weight=True)
        est.set_score_request(sample_weight=True)
        search = GridSearchCV(est, {"gamma_A": [1e-2, 1.0]}, cv=folds)
        search.fit(X, Y, sample_weight=weight)
        assert not hasattr(make("s3vm_light").set_fit_request, "sample_weight")
        with pytest.raises(TypeError, match="sample_weight"):
            make("s3vm_light").set_fit_request(sample_weight=True)
    for place, gamma_A in enumerate((1e-2, 1.0)):
        scores = []
        for train, test in folds.split(X, Y):
            one = build("svm", gamma_A=gamma_A)
            one.fit(X[train], Y[train], sample_weight=weight[train])
            scores.append(one.score(X[test], Y[test], sample_weight=weight[test]))
        found = search.cv_results_["mean_test_score"][place]
        assert found == pytest.approx(np.mean(scores))
