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
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.extmath import row_norms, safe_sparse_dot

from ssl_core.linalg.distances import squared_differences

KERNELS = ("rbf", "linear", "poly", "precomputed")
BLOCK_BYTES = 32 * 2**20  # stays near the last-level cache; larger gains nothing
EPS = float(np.finfo(float).eps)
KERNEL_ROUNDING = 1e-8  # relative, that the expanded distance may leave in an entry
WIDTH_NEIGHBOR = 10  # whose distance is the spacing of the points
WIDTH_SPACINGS = 1.7  # widths chosen by hand for the known data sets are about as many
WIDTH_ROWS = 1000  # points that are asked: the median of more is the same


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
        return _as_numbers(kernel(X, X if symmetric else Z), dtype)
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


def kernel_width(X) -> float:
    """A width sigma of the Gaussian kernel that suits the points.

        sigma = 1.7 median_i |x_i - x_i's tenth nearest neighbour|

    A kernel much narrower than the spacing of the points cannot tell what lies between
    them, and one as wide as the whole set cannot follow its shape. So the width is a
    multiple of the spacing: it scales with X, and it falls slowly as points come in
    between. Exact copies of a point are no neighbours of it.

    Parameters
    ----------
    X : {ndarray, CSR matrix} of shape (n, d)

    Returns
    -------
    sigma : float
        1.0 where all points are the same.
    """
    X, _ = centred(canonical(X))
    n = X.shape[0]
    asked = X[np.linspace(0, n - 1, min(n, WIDTH_ROWS)).astype(int)]
    found = NearestNeighbors(n_neighbors=min(WIDTH_NEIGHBOR + 1, n)).fit(X)
    distances = found.kneighbors(asked)[0][:, -1]  # each point is its own first
    distances = distances[distances > 0]
    return WIDTH_SPACINGS * float(np.median(distances)) if len(distances) else 1.0


def _as_numbers(K, dtype):
    """What a callable kernel gives, as an array."""
    K = K.toarray() if sp.issparse(K) else np.asarray(K)
    try:
        if K.dtype.kind != "c":
            return np.ascontiguousarray(K, dtype=dtype)
    except (TypeError, ValueError, OverflowError):
        pass
    raise ValueError(
        f"a callable kernel must give a matrix of real numbers, got {K.dtype} of shape "
        f"{K.shape}."
    )


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
    """X itself, or for CSR and CSC with unsorted or repeated entries a copy without.

    A repeated entry stands for its sum, but norms add up the squares of its parts. The
    matrix's own flag is not asked: whoever fills in the arrays may leave it wrong.
    """
    if not sp.issparse(X) or _is_canonical(X):
        return X
    X = X.copy()
    X.has_sorted_indices = X.has_canonical_format = False
    X.sum_duplicates()
    return X


def _is_canonical(X) -> bool:
    """Whether the indices of every row (column of CSC) rise."""
    count = X.indptr[-1]
    falls = np.flatnonzero(X.indices[1:count] <= X.indices[: max(count - 1, 0)]) + 1
    return bool(np.isin(falls, X.indptr).all())  # from one row to the next they may


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
