"""Symmetric systems by LAPACK itself: scipy's wrappers cost more than small solves."""

import numpy as np
from scipy.linalg import lapack
from scipy.linalg.blas import dtrsv

RIDGE = 1e-13  # of the diagonal, where rounding made a semi-definite matrix indefinite


def factor(A):
    """Cholesky factor of a positive definite matrix, up to a ridge for rounding.

    A itself may be changed.
    """
    if len(A) == 0:
        return A
    ridge = RIDGE * float(np.diagonal(A).max(initial=0.0))
    for _ in range(12):
        L, info = lapack.dpotrf(_by_columns(A), lower=1, clean=0, overwrite_a=0)
        if info == 0:
            return L
        A.flat[:: len(A) + 1] += ridge
        ridge *= 10.0
    raise np.linalg.LinAlgError(
        f"a matrix of shape {A.shape} must be positive definite, got one that is not."
    )


def factor_or_none(A):
    """Cholesky factor of a symmetric matrix; None where it is not positive definite."""
    L, info = lapack.dpotrf(_by_columns(A), lower=1, clean=0)
    return L if info == 0 else None


def _by_columns(A):
    """A symmetric matrix as LAPACK stores it: turning it round would cost a copy."""
    return A if A.flags.f_contiguous else A.T


def solve(L, right):
    """A^-1 right from the Cholesky factor of A."""
    if len(L) == 0:
        return right
    if right.size == len(L):  # a single side: potrs is made for many
        x = dtrsv(L, dtrsv(L, right.ravel(), lower=1), lower=1, trans=1)
        return x.reshape(right.shape)
    x, _ = lapack.dpotrs(L, right, lower=1)
    return x
