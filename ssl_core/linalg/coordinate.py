"""Coordinate ascent on a small dense QP in a box: SMO's twin without equality."""

import numpy as np

from ssl_core.linalg.compiled import compiled

CURVATURE_MIN = 1e-12  # a point that is 0 in the kernel has none; it goes to a bound


@compiled(nogil=True)
def coordinate_sweep(Q, beta, grad, upper, tol, n_updates):
    """Up to ``n_updates`` single updates on  min 1/2 b'Qb - c'b,  0 <= b <= upper.

    Each update moves the one variable that gains most, to its minimum in the box.
    ``beta`` and ``grad`` = Q beta - c are updated in place.

    Returns
    -------
    violation : float
        Largest entry of the projected gradient, in size; <= tol means optimal.
    done : int
        Updates made.
    """
    n = beta.shape[0]
    for done in range(n_updates + 1):
        best, gain, violation, step = -1, -1.0, 0.0, 0.0
        for k in range(n):
            g = grad[k]
            if g == 0.0 or (g > 0 and beta[k] <= 0.0) or (g < 0 and beta[k] >= upper):
                continue
            violation = max(violation, abs(g))
            curvature = max(Q[k, k], CURVATURE_MIN)
            change = min(max(beta[k] - g / curvature, 0.0), upper) - beta[k]
            drop = -change * (g + 0.5 * Q[k, k] * change)
            if drop > gain:
                best, gain, step = k, drop, change
        if best < 0 or violation <= tol or done == n_updates:
            return violation, done
        beta[best] = min(max(beta[best] + step, 0.0), upper)
        for k in range(n):
            grad[k] += Q[k, best] * step
    return np.inf, n_updates  # not reached: the loop returns
