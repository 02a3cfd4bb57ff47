"""The two loops of L-BFGS over the last few corrections."""

from halfmoon.common.compiled import compiled
from ssl_core.linalg.vectors import dot


@compiled(nogil=True)
def lbfgs_direction(S, Y, rho, first, count, grad, shares, d):
    """d = -H grad for the inverse Hessian that the corrections make; d is written.

    Parameters
    ----------
    S, Y : ndarray of shape (memory, m)
        Steps and changes of the gradient, one pair per row, in a ring.
    rho : ndarray of shape (memory,)
        1 / (s'y) of each pair.
    first, count : int
        Row of the oldest pair, and how many there are.
    grad : ndarray of shape (m,)
    shares : ndarray of shape (memory,)
        Scratch.

    Returns
    -------
    slope : float
        d'grad.
    """
    memory, m = S.shape
    for k in range(m):
        d[k] = -grad[k]
    for back in range(count):
        i = (first + count - 1 - back) % memory
        shares[i] = rho[i] * dot(S[i], d)
        for k in range(m):
            d[k] -= shares[i] * Y[i, k]
    if count > 0:
        i = (first + count - 1) % memory
        scale = 1.0 / (rho[i] * dot(Y[i], Y[i]))
        for k in range(m):
            d[k] *= scale
    for forth in range(count):
        i = (first + forth) % memory
        share = shares[i] - rho[i] * dot(Y[i], d)
        for k in range(m):
            d[k] += share * S[i, k]
    return dot(d, grad)
