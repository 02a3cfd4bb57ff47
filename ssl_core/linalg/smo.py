"""Sequential minimal optimisation on a small dense QP."""

import numpy as np

from ssl_core.linalg.compiled import compiled

CURVATURE_MIN = 1e-12  # a pair of equal rows has none; any positive value works


@compiled(nogil=True)
def smo_sweep(Q, y, beta, grad, upper, tol, n_updates):
    """Up to ``n_updates`` pair updates on  min 1/2 b'Qb - 1'b,  y'b = 0, 0 <= b <= u.

    Pairs are chosen by maximal violation and second-order gain [FCL05]. ``beta`` and
    ``grad`` = Q beta - 1 are updated in place.

    Returns
    -------
    violation : float
        max - min of -y grad over the movable points; <= tol means optimal.
    done : int
        Updates made.
    """
    n = y.shape[0]
    for done in range(n_updates):
        i, best = -1, -np.inf
        worst = np.inf
        for k in range(n):
            value = -y[k] * grad[k]
            up = (y[k] > 0 and beta[k] < upper) or (y[k] < 0 and beta[k] > 0)
            low = (y[k] > 0 and beta[k] > 0) or (y[k] < 0 and beta[k] < upper)
            if up and value > best:
                best, i = value, k
            if low and value < worst:
                worst = value
        if i < 0 or best - worst <= tol:
            return max(best - worst, 0.0), done
        j, gain = -1, 0.0
        for k in range(n):
            value = -y[k] * grad[k]
            low = (y[k] > 0 and beta[k] > 0) or (y[k] < 0 and beta[k] < upper)
            if low and value < best:
                curvature = Q[i, i] + Q[k, k] - 2.0 * y[i] * y[k] * Q[i, k]
                drop = (best - value) ** 2 / max(curvature, CURVATURE_MIN)
                if drop > gain:
                    gain, j = drop, k
        if j < 0:
            return max(best - worst, 0.0), done
        curvature = max(Q[i, i] + Q[j, j] - 2.0 * y[i] * y[j] * Q[i, j], CURVATURE_MIN)
        step = (best + y[j] * grad[j]) / curvature
        # beta_i moves by y_i step, beta_j by -y_j step: both stay in the box.
        step = min(step, upper - beta[i] if y[i] > 0 else beta[i])
        step = min(step, beta[j] if y[j] > 0 else upper - beta[j])
        change_i, change_j = y[i] * step, -y[j] * step
        beta[i] = min(max(beta[i] + change_i, 0.0), upper)
        beta[j] = min(max(beta[j] + change_j, 0.0), upper)
        for k in range(n):
            grad[k] += Q[k, i] * change_i + Q[k, j] * change_j
    best, worst = -np.inf, np.inf
    for k in range(n):
        value = -y[k] * grad[k]
        if (y[k] > 0 and beta[k] < upper) or (y[k] < 0 and beta[k] > 0):
            best = max(best, value)
        if (y[k] > 0 and beta[k] > 0) or (y[k] < 0 and beta[k] < upper):
            worst = min(worst, value)
    return max(best - worst, 0.0), n_updates
