"""Parts of a symmetric matrix, read where they stand.

Copies of rows cost more than the work on them: at n = 2007 and 600 points the weighted
sum of rows takes 0.14 ms here and 0.66 by a copy, the block 0.22 against 1.04.
"""

import numpy as np

from halfmoon.common.compiled import compiled
from ssl_core.linalg.vectors import SUMS


@compiled(nogil=True, fastmath=SUMS)
def product_of_rows(K, rows, v):
    """K[:, rows] @ v[rows] for symmetric K, of shape (n,)."""
    out = np.zeros(K.shape[0])
    whole = len(rows) - len(rows) % 4
    for i in range(0, whole, 4):  # four at once: out is read and written less often
        a, b, c, d = rows[i], rows[i + 1], rows[i + 2], rows[i + 3]
        va, vb, vc, vd = v[a], v[b], v[c], v[d]
        for j in range(len(out)):
            out[j] += va * K[a, j] + vb * K[b, j] + vc * K[c, j] + vd * K[d, j]
    for i in range(whole, len(rows)):
        a = rows[i]
        for j in range(len(out)):
            out[j] += v[a] * K[a, j]
    return out


@compiled(nogil=True)
def lifted_block(K, rows, lift):
    """K[rows, rows] + diag(lift) for symmetric K, as `linalg.definite.factor` reads it.

    Of shape (m, m); what is below the diagonal is left open.
    """
    m = len(rows)
    A = np.empty((m, m))
    for i in range(m):
        row = K[rows[i]]
        for j in range(i, m):
            A[i, j] = row[rows[j]]
        A[i, i] += lift[i]
    return A
