"""Products with a symmetric dense matrix, reading each entry once where it pays.

Measured at n = 6000 on two cores (K @ v in double precision = 1): ``dsymv`` 0.47,
``ssymv`` 0.23; a thin product with ten columns 2.8 by ``dgemm`` against 3.9 by
``dsymm``. Hence: one or two columns by symv, more by gemm.
"""

import numpy as np
from scipy.linalg.blas import dgemm, dsymv, ssymv

SYMV_COLUMNS = 2  # K @ V costs 3 x one product already for two columns
SYMV_SIZE = 1000  # a smaller K sits in the cache: fewer bytes gain nothing there


def symmetric_product(K, V):
    """K @ V for symmetric K.

    Parameters
    ----------
    K : ndarray of shape (n, n), C-ordered, float64 or float32
    V : ndarray of shape (n,) or (n, k)

    Returns
    -------
    KV : float64 ndarray of the shape of V; Fortran-ordered when 2-D.
    """
    if len(K) < SYMV_SIZE:
        return np.asfortranarray(K @ V.astype(K.dtype, copy=False), dtype=float)
    symv = ssymv if K.dtype == np.float32 else dsymv
    # K.T is Fortran-ordered and equal to K, so nothing is copied; its lower triangle
    # is the faster one in OpenBLAS.
    if V.ndim == 1:
        return symv(1.0, K.T, V, lower=1).astype(float, copy=False)
    if V.shape[1] <= SYMV_COLUMNS:
        KV = np.empty(V.shape, order="F")
        for column in range(V.shape[1]):
            KV[:, column] = symv(1.0, K.T, V[:, column], lower=1)
        return KV
    if K.dtype == np.float32:  # numpy's sgemm was 1.5 x faster than SciPy's here
        return np.asfortranarray(K @ V.astype(K.dtype), dtype=float)
    return dgemm(1.0, K.T, V)  # straight into the order wanted
