"""The data graph and its Laplacian, against brute force and their definitions."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from ssl_core.graph import (
    Laplacian,
    bridges,
    interpolation_weights,
    knn_weights,
    knn_weights_from_gram,
)
from ssl_core.kernels import gram
from tests import paper
from tests.small_problems import BY_NAME, moons

X = moons(80, noise=0.15)[0]


@pytest.mark.parametrize("k", [1, 6, 20, 79])
@pytest.mark.parametrize("layout", [np.asarray, sp.csr_array])
def test_neighbours_are_those_of_brute_force(k, layout):
    W = knn_weights(layout(X), k)
    np.testing.assert_array_equal(W.toarray(), paper.knn_adjacency(X, k))


@pytest.mark.parametrize("weights", ["binary", "heat"])
def test_weights_are_symmetric_with_an_empty_diagonal(weights):
    W = knn_weights(X, 5, weights=weights).toarray()
    np.testing.assert_array_equal(W, W.T)
    np.testing.assert_array_equal(np.diag(W), 0)
    assert W.max() <= 1
    assert W.min() >= 0
    assert np.all((W > 0).sum(axis=1) >= 5)


def test_heat_weights_fall_with_distance():
    W = knn_weights(X, 5, weights="heat").toarray()
    D2 = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    i, j = np.nonzero(W)
    # One t explains every edge.
    t = np.sqrt(-D2[i[0], j[0]] / (2 * np.log(W[i[0], j[0]])))
    lengths = np.sqrt(D2[i, j])
    assert lengths.min() < t < lengths.max()
    np.testing.assert_allclose(W[i, j], np.exp(-D2[i, j] / (2 * t**2)), rtol=1e-8)


@pytest.mark.parametrize("weights", ["binary", "heat"])
def test_bridges_are_the_edges_between_different_labels(weights):
    X, y = moons(80, noise=0.25)[:2]
    W = knn_weights(X, 6, weights=weights)
    n, dense = len(y), W.toarray()
    pairs = [(i, j) for i in range(n) for j in range(i) if dense[i, j]]
    assert bridges(W, y) == sum(y[i] != y[j] for i, j in pairs) > 0
    assert bridges(W, np.zeros(n)) == 0
    assert bridges(W, np.arange(n)) == len(pairs)


@pytest.mark.parametrize("weights", ["binary", "heat"])
def test_gram_matrix_and_points_give_the_same_graph(weights):
    linear = gram(X, kernel="linear")
    np.testing.assert_allclose(
        knn_weights_from_gram(linear, 6, weights=weights).toarray(),
        knn_weights(X, 6, weights=weights).toarray(),
        atol=1e-9,
    )
    # A Gaussian kernel's distance grows with the plain one: the same neighbours.
    np.testing.assert_array_equal(
        knn_weights_from_gram(gram(X, sigma=0.5), 6).toarray(),
        knn_weights(X, 6).toarray(),
    )


def test_duplicate_points_do_not_crowd_out_the_graph():
    """A point's own copies are neighbours; the point itself never is."""
    doubled = np.vstack([X, X])
    W = knn_weights(doubled, 5).toarray()
    np.testing.assert_array_equal(np.diag(W), 0)
    assert np.all((W > 0).sum(axis=1) >= 5)
    copies = np.arange(len(X))
    assert np.all(W[copies, copies + len(X)] == 1)


def test_all_points_equal_still_gives_a_graph():
    W = knn_weights(np.zeros((12, 2)), 3, weights="heat").toarray()
    assert np.isfinite(W).all()
    np.testing.assert_array_equal(W, W.T)
    assert np.all((W > 0).sum(axis=1) >= 3)


@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("degree", [1, 2, 3, 5])
@pytest.mark.parametrize("weights", ["binary", "heat"])
def test_laplacian_is_the_papers(normalized, degree, weights):
    W = knn_weights(X, 6, weights=weights)
    L = Laplacian(W, normalized=normalized, degree=degree)
    expected = paper.laplacian(W.toarray(), normalized=normalized, degree=degree)
    scale = np.abs(expected).max()
    np.testing.assert_allclose(L.toarray(), expected, atol=1e-12 * scale)
    V = np.random.default_rng(0).normal(size=(len(X), 3))
    np.testing.assert_allclose(L @ V, expected @ V, atol=1e-11 * scale)
    np.testing.assert_allclose(L @ V[:, 0], expected @ V[:, 0], atol=1e-11 * scale)


@st.composite
def point_sets(draw):
    n = draw(st.integers(5, 40))
    d = draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    points = rng.normal(size=(n, d))
    copies = draw(st.integers(0, n - 1))  # some points twice
    points[:copies] = points[rng.integers(0, n, copies)]
    return points, draw(st.integers(1, n - 1))


@given(point_sets(), st.sampled_from(["binary", "heat"]), st.integers(1, 4))
def test_plain_laplacian_kills_constants(points_and_k, weights, degree):
    points, k = points_and_k
    L = Laplacian(
        knn_weights(points, k, weights=weights), normalized=False, degree=degree
    )
    scale = (2.0 * len(points)) ** degree
    assert np.abs(L @ np.ones(len(points))).max() <= 1e-13 * scale


@given(point_sets(), st.booleans(), st.integers(1, 4))
def test_laplacian_is_symmetric_and_positive_semi_definite(
    points_and_k, normalized, degree
):
    points, k = points_and_k
    L = Laplacian(knn_weights(points, k), normalized=normalized, degree=degree)
    dense = L.toarray()
    scale = max(1.0, np.abs(dense).max())
    np.testing.assert_allclose(dense, dense.T, atol=1e-12 * scale)
    eigenvalues = np.linalg.eigvalsh((dense + dense.T) / 2)
    assert eigenvalues[0] >= -1e-11 * scale * len(points)
    if normalized:
        assert eigenvalues[-1] <= 2**degree + 1e-9


def test_normalised_laplacian_kills_the_square_roots_of_the_degrees():
    W = knn_weights(X, 6)
    L = Laplacian(W, normalized=True)
    degrees = np.asarray(W.sum(axis=1)).ravel()
    assert np.abs(L @ np.sqrt(degrees)).max() < 1e-12
    assert np.abs(L @ np.ones(len(X))).max() > 1e-3


def test_quadratic_form_is_the_sum_over_edges():
    """Eq. (1): f'Lf = sum over i < j of w_ij (f_i - f_j)^2."""
    problem = BY_NAME["plain_laplacian"]
    W = knn_weights(problem.X, 6, weights="heat").toarray()
    L = Laplacian(sp.csr_array(W), normalized=False)
    f = np.random.default_rng(0).normal(size=problem.n)
    edges = (W * (f[:, None] - f[None]) ** 2).sum() / 2
    assert f @ (L @ f) == pytest.approx(edges, rel=1e-12)


def test_isolated_points_get_a_zero_row():
    W = sp.csr_array(np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0.0]]))
    for normalized in (True, False):
        L = Laplacian(W, normalized=normalized).toarray()
        np.testing.assert_array_equal(L[2], 0)
        assert np.isfinite(L).all()


@pytest.mark.parametrize("layout", [np.asarray, sp.csr_array])
def test_values_are_carried_over_by_inverse_distances(layout):
    Z, new = X[:60], X[60:]
    P = interpolation_weights(layout(new), layout(Z), 4).toarray()
    D = np.sqrt(((new[:, None] - Z) ** 2).sum(axis=2))
    nearest = np.sort(D, axis=1)[:, [3]] >= D
    weights = np.where(nearest, 1 / D, 0.0)
    np.testing.assert_allclose(P, weights / weights.sum(axis=1, keepdims=True))
    np.testing.assert_array_equal(interpolation_weights(Z, Z, 4).toarray(), np.eye(60))


def test_points_far_from_the_origin_know_themselves():
    """Of few points brute force finds the neighbours, with the rounding of |x|^2."""
    far = X[:15] + 1e4
    P = interpolation_weights(far, far, 10).toarray()
    np.testing.assert_allclose(P, np.eye(15), atol=1e-6)


def test_points_at_one_place_share_their_values():
    Z = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0]])
    P = interpolation_weights(Z, Z, 2).toarray()
    np.testing.assert_allclose(P, [[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 0, 1]])


@pytest.mark.parametrize("size", [1e-200, 1e-80, 1e-17, 1e200])
def test_values_are_carried_over_in_any_unit(size):
    """Only ratios of distances count, so the unit changes no more than rounding."""
    X = np.random.default_rng(0).normal(size=(30, 3))
    for Z in (X, sp.csr_array(X)):
        expected = interpolation_weights(Z[:9], Z[5:]).toarray()
        found = interpolation_weights(Z[:9] * size, Z[5:] * size).toarray()
        np.testing.assert_allclose(found, expected, atol=1e-9)
