"""Ends of a spectrum."""

import numpy as np
from scipy.sparse.linalg import ArpackNoConvergence, eigsh

DENSE_SIZE = 200  # below it a full decomposition is quicker than Lanczos


def smallest_eigenvalue(K) -> float:
    """Smallest eigenvalue of a symmetric matrix, to a few digits.

    Parameters
    ----------
    K : ndarray of shape (n, n)
    """
    if len(K) <= DENSE_SIZE:
        return float(np.linalg.eigvalsh(K.astype(float))[0])
    start = np.random.default_rng(0).standard_normal(len(K))  # repeatable
    try:
        values = eigsh(
            K, k=1, which="SA", tol=1e-3, v0=start, return_eigenvectors=False
        )
    except ArpackNoConvergence:
        # A cluster of tiny eigenvalues (the usual PSD case) can exhaust Lanczos.
        return float(np.linalg.eigvalsh(K.astype(float))[0])
    return float(values[0])
