"""Parts of a symmetric matrix against numpy's copies of them."""

import numpy as np
import pytest

from ssl_core.linalg.blocks import lifted_block, product_of_rows

RNG = np.random.default_rng(0)
K = RNG.normal(size=(23, 23))
K = K + K.T


@pytest.mark.parametrize("m", [0, 1, 3, 4, 6, 11, 23])
def test_product_of_some_rows(m):
    rows, v = np.sort(RNG.choice(23, m, replace=False)), RNG.normal(size=23)
    expected = K[:, rows] @ v[rows]
    np.testing.assert_allclose(product_of_rows(K, rows, v), expected, atol=1e-13)


@pytest.mark.parametrize("m", [0, 1, 9, 23])
def test_block_of_some_rows_with_a_lifted_diagonal(m):
    rows, lift = RNG.permutation(23)[:m], RNG.uniform(1.0, 2.0, size=m)
    expected = K[np.ix_(rows, rows)] + np.diag(lift)
    block = lifted_block(K, rows, lift)
    np.testing.assert_array_equal(np.triu(block), np.triu(expected))
