"""Ends of a spectrum."""

import numpy as np
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from ssl_core.linalg.definite import factor_or_none
from ssl_core.linalg.products import symmetric_product

DENSE_SIZE = 200  # below it a full decomposition is quicker than Lanczos
LANCZOS_TOL = 1e-6  # relative to the norm of K
PROOF_SIZE = 4000  # above it the copy that a factor takes is more than 128 MB


def none_below(K, low) -> bool:
    """Whether a factor proves that no eigenvalue of K is below ``low``.

    False where K is too large to try.

    At n = 2000 this takes 0.07 s, where the smallest eigenvalue itself takes Lanczos
    2,000 products and 1.2 s.

    Parameters
    ----------
    K : ndarray of shape (n, n)
    low : float
        Below 0.
    """
    if len(K) > PROOF_SIZE:
        return False
    lifted = K.astype(float)
    lifted.flat[:: len(K) + 1] -= low
    return factor_or_none(lifted) is not None


def smallest_eigenvalue(K) -> float:
    """Smallest eigenvalue of a symmetric matrix, to 1e-6 of its norm.

    Lanczos is asked for the largest eigenvalue of c I - K, c >= |K|: its tolerance is
    relative to the value it seeks, and near 0, where a Gram matrix has a cluster
    of eigenvalues, it would work on for ever (184 s against 0.4 s at n = 1000).

    Parameters
    ----------
    K : ndarray of shape (n, n)
    """
    n = len(K)
    if n <= DENSE_SIZE:
        return float(np.linalg.eigvalsh(K.astype(float))[0])
    c = float(np.linalg.norm(K, ord=np.inf))
    if c == 0:
        return 0.0
    shifted = LinearOperator(
        (n, n), matvec=lambda v: c * v - symmetric_product(K, v), dtype=float
    )
    start = np.random.default_rng(0).standard_normal(n)  # repeatable
    try:
        values = eigsh(
            shifted,
            k=1,
            which="LA",
            tol=LANCZOS_TOL,
            v0=start,
            return_eigenvectors=False,
        )
    except ArpackNoConvergence:
        return float(np.linalg.eigvalsh(K.astype(float))[0])
    return c - float(values[0])
