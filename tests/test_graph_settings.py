"""Metrics, mutual neighbours, self-tuning weights: brute force and the formulas."""

from itertools import product

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import laplacian
from sklearn.neighbors import kneighbors_graph

from ssl_core import ALGORITHMS, make
from ssl_core.estimators import GraphClassifier
from ssl_core.estimators.spaces import Graph
from ssl_core.graph import (
    JOINS,
    METRICS,
    WEIGHTS,
    Laplacian,
    interpolation_weights,
    knn_weights,
    knn_weights_from_gram,
)
from ssl_core.kernels import gram, kernel_width
from ssl_core.problems.graph import GraphProblem
from ssl_core.settings import settings_of
from tests.small_problems import BY_NAME
from tests.test_graph_only import AveragesClassifier

RNG = np.random.default_rng(4)
X = RNG.normal(size=(60, 3)) + np.array([1.0, 0.0, -1.0])
K = 5
GRAPH = [n for n in ALGORITHMS if "metric" in make(n).get_params()]
ALONE = [name for name in GRAPH if isinstance(make(name), GraphClassifier)]
CHOICES = list(product(METRICS, JOINS, WEIGHTS))


def distance(x, z, metric):
    if metric == "euclidean":
        return np.sqrt(sum((a - b) ** 2 for a, b in zip(x, z, strict=True)))
    if metric == "manhattan":
        return sum(abs(a - b) for a, b in zip(x, z, strict=True))
    return 1 - x @ z / np.sqrt((x @ x) * (z @ z))


def brute_force(X, k, metric, join, weights):
    """The weights, point by point, and nothing of the library."""
    n = len(X)
    D = np.array([[distance(x, z, metric) for z in X] for x in X])
    near = [[j for j in np.argsort(D[i]) if j != i][:k] for i in range(n)]
    scale = [D[i, near[i][-1]] for i in range(n)]
    width = np.mean([D[i, j] for i in range(n) for j in near[i]])
    W = np.zeros((n, n))
    for i, j in product(range(n), repeat=2):
        sides = (j in near[i]) + (i in near[j])
        if i == j or sides < (1 if join == "either" else 2):
            continue
        W[i, j] = {
            "binary": 1.0,
            "heat": np.exp(-(D[i, j] ** 2) / (2 * width**2)),
            "local": np.exp(-(D[i, j] ** 2) / (scale[i] * scale[j])),
        }[weights]
    return W


@pytest.mark.parametrize("layout", [np.asarray, sp.csr_array])
def test_every_graph_is_that_of_brute_force(layout):
    given = layout(X)
    for metric, join, weights in CHOICES:
        W = knn_weights(given, K, metric=metric, join=join, weights=weights)
        expected = brute_force(X, K, metric, join, weights)
        said = f"{metric} {join} {weights}"
        np.testing.assert_allclose(W.toarray(), expected, rtol=1e-7, err_msg=said)
        np.testing.assert_array_equal(W.toarray(), W.toarray().T, err_msg=said)
        assert (W.data > 0).all(), said


@pytest.mark.parametrize("metric", METRICS)
def test_neighbours_are_scikit_learns(metric):
    many = RNG.normal(size=(150, 40))  # beyond what trees search
    A = kneighbors_graph(many, K, metric=metric).toarray()
    union = knn_weights(many, K, metric=metric).toarray()
    mutual = knn_weights(many, K, metric=metric, join="mutual").toarray()
    np.testing.assert_array_equal(union, np.maximum(A, A.T))
    np.testing.assert_array_equal(mutual, np.minimum(A, A.T))
    assert 0 < mutual.sum() < union.sum()


def test_a_precomputed_kernel_has_the_graph_of_its_points():
    linear = gram(X, kernel="linear")
    for join, weights in product(JOINS, WEIGHTS):
        np.testing.assert_allclose(
            knn_weights_from_gram(linear, K, join=join, weights=weights).toarray(),
            knn_weights(X, K, join=join, weights=weights).toarray(),
            rtol=1e-9,
        )


@pytest.mark.parametrize("join", JOINS)
def test_normalised_laplacian_is_scipys(join):
    for metric, weights in product(METRICS, WEIGHTS):
        W = knn_weights(X, 2, metric=metric, join=join, weights=weights)
        L = Laplacian(W).toarray()
        np.testing.assert_allclose(L, laplacian(W, normed=True).toarray(), atol=1e-12)
        np.testing.assert_array_equal(L, L.T)
        assert np.linalg.eigvalsh(L)[0] > -1e-12


def test_self_tuning_weights_know_no_scale():
    """A region that is spread out has the weights of a dense one."""
    both = np.vstack([X, 1e4 * X + 1e6])
    W = knn_weights(both, K, weights="local").toarray()
    np.testing.assert_allclose(W[:60, :60], W[60:, 60:], rtol=1e-6)
    assert np.ptp(W[W > 0]) > 0.5
    heat = knn_weights(both, K, weights="heat").toarray()[:60, :60]
    assert heat[heat > 0].min() > 0.99  # with one width for both, all are alike


def test_cosine_ignores_lengths_and_keeps_the_digits_of_small_angles():
    lengths = 10.0 ** RNG.uniform(-200, 200, size=(60, 1))
    expected = knn_weights(X, K, metric="cosine", weights="heat").toarray()
    found = knn_weights(lengths * X, K, metric="cosine", weights="heat").toarray()
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    angles = np.sort(RNG.uniform(0, 1e-6, size=60))  # 1 - cos is below 1e-12
    thin = np.column_stack([np.cos(angles), np.sin(angles)])
    W = knn_weights(thin, K, metric="cosine").toarray()
    np.testing.assert_array_equal(W, knn_weights(angles[:, None], K).toarray())


# Hostile points ------------------------------------------------------------------


@pytest.mark.parametrize("join", JOINS)
@pytest.mark.parametrize("weights", WEIGHTS)
def test_copies_of_points_give_finite_symmetric_weights(weights, join):
    copies = np.vstack([np.zeros((12, 2)), RNG.normal(size=(20, 2))]) + 1.0
    for points in (copies, np.ones((12, 2)), np.vstack([copies, copies])):
        for metric in METRICS:
            W = knn_weights(points, 4, weights=weights, metric=metric, join=join)
            assert np.isfinite(W.data).all()
            assert (W.data > 0).all()
            assert (W.data <= 1).all()
            np.testing.assert_array_equal(W.toarray(), W.toarray().T)
            assert np.isfinite(Laplacian(W).matrix.data).all()


def test_a_local_distance_of_0_is_replaced_by_the_mean_of_the_others():
    points = np.concatenate([np.zeros(4), [1.0, 3.0, 7.0]])[:, None]
    W = knn_weights(points, 3, weights="local").toarray()
    scales = np.array([1.0, 3.0, 7.0])  # to 0; to the third of 1 and two copies
    np.testing.assert_array_equal(W[:4, :4], 1 - np.eye(4))
    d = points[4:, 0][:, None] - points[:, 0]
    joined = W[4:] > 0
    full = np.concatenate([np.full(4, scales.mean()), scales])
    expected = np.exp(-(d**2) / (scales[:, None] * full))
    np.testing.assert_allclose(W[4:][joined], expected[joined], rtol=1e-12)
    assert joined[:, :4].any()


def test_distances_whose_squares_underflow_still_count():
    W = knn_weights(X * 1e-200, K, weights="local", metric="manhattan").toarray()
    plain = knn_weights(X, K, weights="local", metric="manhattan").toarray()
    np.testing.assert_allclose(W, plain, rtol=1e-9)


@pytest.mark.parametrize("layout", [np.asarray, sp.csr_array])
def test_a_row_of_zeros_has_no_cosine(layout):
    points = X.copy()
    points[[7, 9]] = 0.0
    with pytest.raises(ValueError, match=r"no rows of zeros .* got 2 \(first: row 7\)"):
        knn_weights(layout(points), K, metric="cosine")
    for name in GRAPH:
        y = np.where(np.arange(60) < 6, np.arange(60) % 2, -1)
        with pytest.raises(ValueError, match="no rows of zeros"):
            make(name, metric="cosine").iterate(layout(points), y)


def test_names_that_are_none_are_refused():
    for wrong in ({"metric": "angle"}, {"join": "union"}, {"weights": "x"}):
        with pytest.raises(ValueError, match=f"{next(iter(wrong))} must be one of"):
            knn_weights(X, K, **wrong)


def test_a_precomputed_kernel_takes_its_own_distances_only():
    y = np.where(np.arange(60) < 6, np.arange(60) % 2, -1)
    for name in set(GRAPH) - set(ALONE):
        est = make(name, kernel="precomputed", metric="cosine")
        with pytest.raises(ValueError, match="metric must be 'euclidean' with a pre"):
            est.iterate(gram(X), y)


@pytest.mark.parametrize("name", ALONE)
def test_points_without_an_edge_harm_no_method_of_the_graph(name):
    """Also where labelled points have none, or no point has one."""
    y = np.where(np.arange(60) < 6, np.arange(60) % 2, -1)
    for settings in ({"n_neighbors": 1, "join": "mutual"}, {"W": np.zeros((60, 60))}):
        est = make(name, **settings)
        trace = est.trace(X, y)
        assert all(np.isfinite(state.f).all() for state in trace.states)
        alone = np.asarray(Graph.of(est).edges(X, []).sum(axis=1)).ravel() == 0
        assert not trace.final.f[alone & (y < 0)].any()


# In estimators -------------------------------------------------------------------


@pytest.mark.parametrize("name", GRAPH)
def test_every_method_trains_on_the_graph_that_its_settings_name(name, monkeypatch):
    """What the solver gets, a Laplacian or the graph, is of the brute-force graph."""
    seen = []

    class Watched(Laplacian):
        def __init__(self, W, **options):
            seen.append(W.toarray())
            super().__init__(W, **options)

    class Looked(GraphProblem):
        def __init__(self, W, y):
            seen.append(W.toarray())
            super().__init__(W, y)

    monkeypatch.setattr("ssl_core.estimators.spaces.Laplacian", Watched)
    monkeypatch.setattr("ssl_core.estimators.bases.GraphProblem", Looked)
    y = np.where(np.arange(60) < 6, np.arange(60) % 2, -1)
    chosen = {"metric": "cosine", "join": "mutual", "weights": "local"}
    next(make(name, n_neighbors=K, **chosen).iterate(X, y))
    (W,) = seen
    expected = brute_force(X, K, "cosine", "mutual", "local")
    np.testing.assert_allclose(W, expected, rtol=1e-7)


def test_the_automatic_width_is_that_of_the_kernel_under_every_metric():
    """The kernel's distance is Euclidean, so its width does not know the graph's."""
    D = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))
    expected = 1.7 * np.median(np.sort(D, axis=1)[:, 10])
    assert kernel_width(X) == pytest.approx(expected)
    y = np.where(np.arange(60) < 6, np.arange(60) % 2, -1)
    for metric in METRICS:
        assert make("lapsvm_newton", metric=metric).fit(X, y).sigma_ == pytest.approx(
            expected
        )
    assert "Euclidean" in settings_of(ALGORITHMS["lapsvm_pcg"].estimator)["sigma"].doc


def test_points_without_an_edge_are_reported_once():
    far = np.vstack([X, [[500.0, 0.0, 0.0]]])
    y = np.where(np.arange(61) < 6, np.arange(61) % 2, -1)
    for join in JOINS:
        W = brute_force(far, 6, "euclidean", join, "binary")
        alone = int((W.sum(axis=1) == 0).sum())
        assert (alone > 0) == (join == "mutual")
        states = make("lapsvm_pcg", join=join).iterate(far, y)
        found = [e for e in next(states).events if e.data.get("what") == "no_edge"]
        assert [e.data["count"] for e in found] == [alone] * (alone > 0)
        assert all(f"{alone} of 61 points have no edge" in e.text for e in found)


@pytest.mark.parametrize("metric", METRICS)
def test_new_points_are_compared_by_the_metric(metric):
    new = X[:20] + 0.1
    P = interpolation_weights(new, X, 3, metric=metric).toarray()
    for row, x in zip(P, new, strict=True):
        d = np.array([distance(x, z, metric) for z in X])
        near = np.argsort(d)[:3]
        expected = np.zeros(60)
        expected[near] = 1 / d[near] / (1 / d[near]).sum()
        np.testing.assert_allclose(row, expected, rtol=1e-6, atol=1e-12)
    exact = interpolation_weights(X, X, 3, metric=metric).toarray()
    np.testing.assert_array_equal(exact, np.eye(60))


def test_a_method_of_the_graph_alone_predicts_by_its_metric():
    y = np.where(np.arange(60) < 6, np.arange(60) % 2, -1)
    for metric, same in (("cosine", True), ("euclidean", False)):
        est = AveragesClassifier(metric=metric).fit(X, y)
        far = est.decision_function(50.0 * X)  # other lengths, the same directions
        assert np.allclose(far, est.state_.f, atol=1e-6) == same
        np.testing.assert_allclose(est.decision_function(X), est.state_.f, atol=1e-6)
    with pytest.raises(ValueError, match="no rows of zeros"):
        AveragesClassifier(metric="cosine").fit(X, y).predict(np.zeros((1, 3)))


def test_the_defaults_are_what_they_were():
    problem = BY_NAME["two_moons"]
    W = Graph().edges(problem.X, [])
    expected = brute_force(problem.X, 6, "euclidean", "either", "binary")
    np.testing.assert_array_equal(W.toarray(), expected)
