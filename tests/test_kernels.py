"""Gram matrices against scikit-learn and the definition."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics.pairwise import (
    linear_kernel,
    polynomial_kernel,
    rbf_kernel,
)

from ssl_core import kernels
from ssl_core.kernels import gram, gram_bytes, kernel_width, squared_distances
from ssl_core.linalg.distances import squared_differences

RNG = np.random.default_rng(0)
X, Z = RNG.normal(size=(40, 5)), RNG.normal(size=(23, 5))

REFERENCE = {
    "rbf": lambda X, Z: rbf_kernel(X, Z, gamma=1 / (2 * 0.7**2)),
    "linear": linear_kernel,
    "poly": lambda X, Z: polynomial_kernel(X, Z, degree=4, gamma=1.0, coef0=0.5),
}
KNOBS = {"sigma": 0.7, "degree": 4, "coef0": 0.5}
names = pytest.mark.parametrize("kernel", REFERENCE)


@names
@pytest.mark.parametrize("layout", [np.asarray, sp.csr_array, sp.csr_matrix])
def test_equals_scikit_learns(kernel, layout):
    expected = REFERENCE[kernel](X, Z)
    K = gram(layout(X), layout(Z), kernel=kernel, **KNOBS)
    assert isinstance(K, np.ndarray)
    assert K.dtype == np.float64
    np.testing.assert_allclose(K, expected, rtol=1e-10, atol=1e-12)


def test_rbf_is_the_definition():
    K = gram(X, Z, kernel="rbf", sigma=0.7)
    assert K[3, 4] == pytest.approx(np.exp(-((X[3] - Z[4]) ** 2).sum() / (2 * 0.49)))


@names
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_gram_of_one_set_is_exactly_symmetric(kernel, dtype):
    K = gram(X, kernel=kernel, dtype=dtype, **KNOBS)
    assert K.dtype == dtype
    np.testing.assert_array_equal(K, K.T)


@names
def test_gram_is_positive_semi_definite(kernel):
    K = gram(X, kernel=kernel, **KNOBS)
    assert np.linalg.eigvalsh(K)[0] >= -1e-12 * np.abs(K).sum(axis=1).max()


@pytest.mark.parametrize("layout", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("shift", [1e6, 1e9, 1e12])
def test_rbf_keeps_its_digits_far_from_the_origin(layout, shift):
    """|x|^2 - 2x'z + |z|^2 cancels at 1e8; distances must not."""
    far, other = X + shift, Z + shift
    exact, exact_other = far - shift, other - shift  # what the shift left of them
    K = gram(layout(far), sigma=1.0)
    np.testing.assert_array_equal(np.diag(K), 1)
    np.testing.assert_allclose(K, gram(exact, sigma=1.0), atol=1e-7)
    K = gram(layout(far), layout(other), sigma=1.0)
    np.testing.assert_allclose(K, gram(exact, exact_other, sigma=1.0), atol=1e-7)


def test_an_outlier_costs_the_others_no_digits():
    far = np.vstack([X, np.full((2, 5), 1e12)])
    K = gram(far, sigma=1.0)
    np.testing.assert_allclose(K[:40, :40], gram(X, sigma=1.0), atol=1e-7)
    np.testing.assert_array_equal(K[40:, 40:], 1)
    np.testing.assert_array_equal(K[:40, 40:], 0)


@pytest.mark.parametrize("layout", [np.asarray, sp.csr_array])
def test_squared_differences_are_the_definition(layout):
    A = np.where(RNG.random((12, 9)) < 0.6, 0.0, RNG.normal(size=(12, 9)))
    B = np.where(RNG.random((7, 9)) < 0.6, 0.0, RNG.normal(size=(7, 9)))
    A[3], B[2] = 0.0, 0.0
    expected = ((A[:, None] - B[None]) ** 2).sum(axis=2)
    D = squared_differences(layout(A), layout(B))
    np.testing.assert_allclose(D, expected, rtol=1e-14)


def test_blocks_do_not_show(monkeypatch):
    whole = gram(X, Z, sigma=0.7), gram(X, sigma=0.7)
    monkeypatch.setattr(kernels, "BLOCK_BYTES", 8 * 7 * 23)
    np.testing.assert_allclose(gram(X, Z, sigma=0.7), whole[0], rtol=1e-13)
    pieces = gram(X, sigma=0.7)
    np.testing.assert_allclose(pieces, whole[1], rtol=1e-13)
    np.testing.assert_array_equal(pieces, pieces.T)


def test_single_precision_is_rounded_double():
    single = gram(X, Z, sigma=0.7, dtype="float32")
    double = gram(X, Z, sigma=0.7)
    np.testing.assert_allclose(single, double, rtol=2e-7, atol=1e-30)


def test_callable_kernel_is_called():
    def intersection(X, Z):
        return np.minimum(np.abs(X)[:, None, :], np.abs(Z)[None]).sum(axis=2)

    np.testing.assert_allclose(
        gram(X, Z, kernel=intersection), intersection(X, Z), rtol=1e-14
    )


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_feature_space_distances_come_from_the_gram_matrix(kernel):
    K = gram(X, kernel=kernel, sigma=0.7)
    D = np.empty_like(K)
    for rows, block in squared_distances(K):
        D[rows] = block
    if kernel == "linear":
        expected = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    else:
        expected = 2 - 2 * K
    np.testing.assert_allclose(D, expected, atol=1e-10)


@pytest.mark.parametrize(("dtype", "size"), [("float64", 8), ("float32", 4)])
def test_bytes_of_a_gram_matrix(dtype, size):
    assert gram_bytes(1000, dtype) == size * 10**6


def test_the_width_is_a_multiple_of_the_spacing():
    line = np.arange(400.0)[:, None]  # the tenth neighbour is 5 away, but at the ends
    assert kernel_width(line) == pytest.approx(1.7 * 5)


@pytest.mark.parametrize("layout", [np.asarray, sp.csr_array])
def test_the_width_scales_with_the_points_and_not_with_their_place(layout):
    width = kernel_width(layout(X))
    assert kernel_width(layout(8 * X)) == pytest.approx(8 * width)
    assert kernel_width(X + 1e6) == pytest.approx(width, rel=1e-6)
    assert kernel_width(layout(X[::-1])) == pytest.approx(width)


def test_the_width_of_many_points_is_that_of_all_their_neighbours():
    many = np.random.default_rng(1).uniform(size=(6000, 2))
    assert kernel_width(many) == pytest.approx(kernel_width(many[::4]) / 2, rel=0.1)


def test_copies_of_one_point_have_a_width():
    assert kernel_width(np.ones((30, 2))) == 1.0
    assert kernel_width(np.repeat(X, 20, axis=0)) == 1.0
    assert kernel_width(np.vstack([np.ones((30, 5)), X])) > 0
