"""Ends of a spectrum against numpy's."""

import numpy as np
import pytest

from ssl_core.kernels import gram
from ssl_core.linalg import spectrum
from ssl_core.linalg.spectrum import none_below, smallest_eigenvalue
from tests.pairs import pairwise


@pairwise(
    n=[1, 5, 150, 320],
    smallest=[-1.0, -1e-3, 0.0, 0.5],
    dtype=["float64", "float32"],
)
def test_finds_the_smallest_eigenvalue(n, smallest, dtype):
    rng = np.random.default_rng(n)
    Q = np.linalg.qr(rng.normal(size=(n, n)))[0]
    values = np.append(smallest, np.linspace(max(smallest, 0), 10, n - 1))
    K = (Q * values) @ Q.T
    K = np.ascontiguousarray((K + K.T) / 2, dtype=dtype)
    tolerance = 1e-6 if dtype == "float64" else 1e-5
    norm = float(np.abs(K).sum(axis=1).max())
    assert smallest_eigenvalue(K) == pytest.approx(smallest, abs=tolerance * norm)


def test_a_cluster_at_zero_is_no_endless_task(monkeypatch):
    """A Gaussian Gram matrix: hundreds of eigenvalues that are 0 to rounding."""
    K = gram(np.random.default_rng(0).normal(size=(600, 5)), sigma=2.0)
    products = []
    plain = spectrum.symmetric_product
    monkeypatch.setattr(
        spectrum, "symmetric_product", lambda K, v: products.append(1) or plain(K, v)
    )
    assert abs(smallest_eigenvalue(K)) <= 1e-6 * np.abs(K).sum(axis=1).max()
    assert len(products) < 5000


def test_zero_matrix_has_eigenvalue_zero():
    assert smallest_eigenvalue(np.zeros((300, 300))) == 0


@pytest.mark.parametrize("n", [1, 5, 320])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_factor_proves_a_lower_bound_and_no_more(n, dtype):
    rng = np.random.default_rng(n)
    Q = np.linalg.qr(rng.normal(size=(n, n)))[0]
    values = np.append(-1e-3, np.linspace(0, 10, n - 1))
    K = ((Q * values) @ Q.T).astype(dtype)
    before = K.copy()
    assert none_below(K, -1.1e-3)
    assert not none_below(K, -0.9e-3)
    np.testing.assert_array_equal(K, before)


def test_no_factor_is_made_of_a_matrix_too_large_to_copy(monkeypatch):
    monkeypatch.setattr(spectrum, "PROOF_SIZE", 4)
    assert not none_below(np.eye(5), -1.0)
    assert none_below(np.eye(4), -1.0)
