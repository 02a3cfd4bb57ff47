"""Gram matrices K = k(X, Z), made block by block in the precision they are kept in.

A block holds at most ``BLOCK_BYTES`` of temporaries, so that the peak memory of a
Gram matrix is the matrix itself and little more, also in single precision.

Squared distances are |x|^2 + |z|^2 - 2 x'z, whose rounding grows with the distance from
the origin. So the points are centred first, both arguments by the same centre (which
changes no distance); pairs that are still far out are computed by differences.
"""

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp
from sklearn.utils.extmath import row_norms, safe_sparse_dot

from ssl_core.linalg.distances import squared_differences

KERNELS = ("rbf", "linear", "poly", "precomputed")
BLOCK_BYTES = 32 * 2**20  # stays near the last-level cache; larger gains nothing
EPS = float(np.finfo(float).eps)
KERNEL_ROUNDING = 1e-8  # relative, that the expanded distance may leave in an entry


def gram(X, Z=None, *, kernel="rbf", sigma=1.0, degree=3, coef0=1.0, dtype=float):
    """Gram matrix between the rows of X and of Z.

    - ``rbf``: exp(-|x - z|^2 / (2 sigma^2))
    - ``linear``: x'z
    - ``poly``: (x'z + coef0)^degree
    - a callable ``kernel(X, Z) -> (n, m)`` array

    Parameters
    ----------
    X : {ndarray, CSR matrix} of shape (n, d)
    Z : {ndarray, CSR matrix} of shape (m, d) or None
        None means Z = X; the result is then exactly symmetric.
    dtype : numpy dtype, default=float
        Precision in which K is stored. Entries are computed in double.

    Returns
    -------
    K : ndarray of shape (n, m)
    """
    symmetric = Z is None
    if callable(kernel):
        return np.ascontiguousarray(kernel(X, X if symmetric else Z), dtype=dtype)
    X = canonical(X)
    Z = X if symmetric else canonical(Z)
    entries = _entries(kernel, X, Z, sigma, degree, coef0)
    n, m = X.shape[0], Z.shape[0]
    K = np.empty((n, m), dtype=dtype)
    step = max(16, BLOCK_BYTES // (8 * max(m, 1)))
    for start in range(0, n, step):
        rows = slice(start, min(start + step, n))
        if symmetric:
            # Upper blocks only, mirrored: half the work and exact symmetry.
            block = entries(rows, slice(start, n))
            size = block.shape[0]
            corner = block[:, :size]
            block[:, :size] = (corner + corner.T) / 2
            K[rows, start:] = block
            K[start + size :, rows] = block[:, size:].T
        else:
            K[rows] = entries(rows, slice(0, m))
    if symmetric and kernel == "rbf":
        np.fill_diagonal(K, 1.0)
    return K


def _entries(kernel, X, Z, sigma, degree, coef0) -> Callable:
    """Function from two row slices to the dense block of kernel values."""

    def products(rows, columns):
        return np.asarray(
            safe_sparse_dot(X[rows], Z[columns].T, dense_output=True), dtype=float
        )

    if kernel == "linear":
        return products
    if kernel == "poly":

        def polynomial(rows, columns):
            block = products(rows, columns)
            block += coef0
            return np.power(block, degree, out=block)

        return polynomial
    if kernel == "rbf":
        given = X, Z
        X, Z = centred(X, Z)
        x_norms = row_norms(X, squared=True)
        z_norms = x_norms if Z is X else row_norms(Z, squared=True)
        scale = -0.5 / sigma**2
        far = KERNEL_ROUNDING * 2 * sigma**2 / EPS

        def gaussian(rows, columns):
            block = products(rows, columns)
            block *= -2.0
            block += x_norms[rows, None]
            block += z_norms[None, columns]
            np.maximum(block, 0.0, out=block)
            # Where only one point is far out their distance is so large that the
            # entry is 0 in any case.
            i = np.flatnonzero(x_norms[rows] > far)
            j = np.flatnonzero(z_norms[columns] > far)
            if len(i) and len(j):
                x, z = given[0][rows][i], given[1][columns][j]
                block[np.ix_(i, j)] = squared_differences(x, z)
            block *= scale
            return np.exp(block, out=block)

        return gaussian
    raise ValueError(
        f"kernel must be one of {', '.join(KERNELS)} or a callable, got {kernel!r}."
    )


def canonical(X):
    """X itself, or for CSR with unsorted or repeated entries a copy without them.

    A repeated entry stands for its sum, but norms add up the squares of its parts.
    """
    if not sp.issparse(X) or X.has_canonical_format:
        return X
    X = X.tocsr(copy=True)
    X.sum_duplicates()
    return X


def centred(X, Z=None):
    """X and Z less the mean of Z, so that distances keep their digits.

    Z = None means Z = X. Sparse points stay as they are: a centre would fill them.
    """
    Z = X if Z is None else Z
    if sp.issparse(X) or sp.issparse(Z) or len(Z) == 0:
        return X, Z
    center = np.mean(Z, axis=0, dtype=float)
    moved = Z - center
    return (moved if X is Z else X - center), moved


def squared_distances(K):
    """|phi(x_i) - phi(x_j)|^2 of the feature map behind a Gram matrix, row by row.

    Yields
    ------
    rows : slice
    D : ndarray of shape (len(rows), n)
    """
    diagonal = np.diagonal(K).astype(float)
    step = max(16, BLOCK_BYTES // (8 * max(K.shape[1], 1)))
    for start in range(0, K.shape[0], step):
        rows = slice(start, min(start + step, K.shape[0]))
        D = diagonal[rows, None] + diagonal[None, :] - 2.0 * K[rows]
        yield rows, np.maximum(D, 0.0, out=D)


def gram_bytes(n, dtype) -> int:
    """Bytes of an n x n Gram matrix."""
    return n * n * np.dtype(dtype).itemsize
