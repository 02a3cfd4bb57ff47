"""Symmetric systems by LAPACK itself: scipy's wrappers cost more than small solves."""

import numpy as np
from scipy.linalg import lapack

RIDGE = 1e-13  # of the diagonal, where rounding made a semi-definite matrix indefinite


def factor(A):
    """Cholesky factor of a symmetric positive definite matrix, which is overwritten."""
    ridge = RIDGE * float(np.diagonal(A).max(initial=0.0))
    for _ in range(12):
        L, info = lapack.dpotrf(A, lower=1, clean=0, overwrite_a=0)
        if info == 0:
            return L
        A.flat[:: len(A) + 1] += ridge
        ridge *= 10.0
    raise np.linalg.LinAlgError(
        f"a matrix of shape {A.shape} must be positive definite, got one that is not."
    )


def solve(L, right):
    """A^-1 right from the Cholesky factor of A."""
    x, _ = lapack.dpotrs(L, right, lower=1)
    return x


def factor_indefinite(A):
    """Bunch-Kaufman factor of a symmetric matrix, and how many eigenvalues are < 0.

    A 2 x 2 block of the factor has one eigenvalue of either sign.
    """
    size, _ = lapack.dsytrf_lwork(len(A), lower=1)
    factored, pivots, _ = lapack.dsytrf(A, lower=1, lwork=int(size))
    single = pivots > 0
    negative = int((np.diagonal(factored)[single] < 0.0).sum())
    return (factored, pivots), negative + int((~single).sum()) // 2


def solve_indefinite(factors, right):
    """A^-1 right from `factor_indefinite`."""
    x, _ = lapack.dsytrs(*factors, right, lower=1)
    return x
