"""Symmetric products against numpy's."""

import numpy as np
import pytest

from ssl_core.linalg.products import symmetric_product
from tests.pairs import pairwise


def symmetric(n, dtype=float, seed=0):
    A = np.random.default_rng(seed).normal(size=(n, n))
    return np.ascontiguousarray((A + A.T).astype(dtype))


@pairwise(n=[1, 2, 37, 200], k=[None, 1, 2, 3, 10], dtype=["float64", "float32"])
def test_equals_numpys_product(n, k, dtype):
    K = symmetric(n, dtype)
    shape = (n,) if k is None else (n, k)
    V = np.random.default_rng(1).normal(size=shape)
    KV = symmetric_product(K, V)
    expected = K.astype(float) @ V
    assert KV.dtype == np.float64
    assert KV.shape == shape
    eps = np.finfo(dtype).eps
    size = np.abs(K).astype(float) @ np.abs(V)
    assert np.all(np.abs(KV - expected) <= 4 * n * eps * size)


@pytest.mark.parametrize("order", ["C", "F", "strided"])
def test_layout_of_the_columns_does_not_matter(order):
    K = symmetric(50)
    V = np.random.default_rng(0).normal(size=(50, 6))
    V = V[:, ::2] if order == "strided" else np.array(V[:, :3], order=order)
    np.testing.assert_allclose(symmetric_product(K, V), K @ V, atol=1e-12)


def test_arguments_are_left_alone():
    K, V = symmetric(20), np.ones((20, 2))
    K_copy, V_copy = K.copy(), V.copy()
    KV = symmetric_product(K, V)
    KV += 1
    np.testing.assert_array_equal(K, K_copy)
    np.testing.assert_array_equal(V, V_copy)


def test_no_columns_give_no_columns():
    assert symmetric_product(symmetric(5), np.empty((5, 0))).shape == (5, 0)
