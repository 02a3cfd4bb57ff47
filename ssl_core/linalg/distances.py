"""Squared distances by differences, for points that are far from the origin.

|x|^2 + |z|^2 - 2 x'z is one matrix product, but its rounding is that of |x|^2: for
points 1e8 from the origin it is as large as 1. A sum of squared differences has no such
loss; it took 1.4 x as long with 20 features and 8 x with 800 (n = 1500, one thread).
"""

import numpy as np
import scipy.sparse as sp
from scipy.spatial.distance import cdist

from halfmoon.common.compiled import compiled


def squared_differences(X, Z):
    """sum_j (x_j - z_j)^2 for all rows of X and of Z.

    Parameters
    ----------
    X, Z : {ndarray, CSR matrix} of shape (n, d) and (m, d)
        Sparse rows need sorted indices without duplicates.

    Returns
    -------
    D : ndarray of shape (n, m)
    """
    if not sp.issparse(X) and not sp.issparse(Z):
        return cdist(np.asarray(X, float), np.asarray(Z, float), "sqeuclidean")
    X, Z = sp.csr_array(X), sp.csr_array(Z)
    D = np.empty((X.shape[0], Z.shape[0]))
    _sparse(X.indptr, X.indices, X.data, Z.indptr, Z.indices, Z.data, D)
    return D


@compiled(nogil=True)
def _sparse(x_ptr, x_at, x, z_ptr, z_at, z, D):
    """Both rows are walked together, column by column."""
    n, m = D.shape
    for i in range(n):
        for j in range(m):
            a, b, total = x_ptr[i], z_ptr[j], 0.0
            while a < x_ptr[i + 1] or b < z_ptr[j + 1]:
                if b >= z_ptr[j + 1]:
                    step = x[a]
                    a += 1
                elif a >= x_ptr[i + 1]:
                    step = z[b]
                    b += 1
                elif x_at[a] < z_at[b]:
                    step = x[a]
                    a += 1
                elif x_at[a] > z_at[b]:
                    step = z[b]
                    b += 1
                else:
                    step = x[a] - z[b]
                    a += 1
                    b += 1
                total += step * step
            D[i, j] = total
