"""Sequential minimal optimisation on a small dense QP."""

import numpy as np

from halfmoon.common.compiled import compiled

CURVATURE_MIN = 1e-12  # a pair of equal rows has none; any positive value works


@compiled(nogil=True)
def _movable(y, beta, upper):
    """Whether y beta may rise, and whether it may fall."""
    if y > 0:
        return beta < upper, beta > 0
    return beta > 0, beta < upper


@compiled(nogil=True)
def _violators(y, beta, grad, upper):
    """Who wants to rise most, the value -y grad there, and the least who may fall."""
    i, best, worst = -1, -np.inf, np.inf
    for k in range(y.shape[0]):
        value = -y[k] * grad[k]
        up, low = _movable(y[k], beta[k], upper[k])
        if up and value > best:
            best, i = value, k
        if low and value < worst:
            worst = value
    return i, best, worst


@compiled(nogil=True)
def _curvature(Q, y, i, j):
    """Of the objective along the pair."""
    return max(Q[i, i] + Q[j, j] - 2.0 * y[i] * y[j] * Q[i, j], CURVATURE_MIN)


@compiled(nogil=True)
def _partner(Q, y, beta, grad, upper, i, best):
    """The point whose pair with i promises the largest drop; -1 where none does."""
    j, gain = -1, 0.0
    for k in range(y.shape[0]):
        value = -y[k] * grad[k]
        _, low = _movable(y[k], beta[k], upper[k])
        if low and value < best:
            drop = (best - value) ** 2 / _curvature(Q, y, i, k)
            if drop > gain:
                gain, j = drop, k
    return j


@compiled(nogil=True)
def smo_sweep(Q, y, beta, grad, upper, tol, n_updates):
    """Up to ``n_updates`` pair updates on  min 1/2 b'Qb - 1'b,  y'b = 0, 0 <= b <= u.

    ``upper`` of shape (n,) has a limit u for each variable.

    Pairs are chosen by maximal violation and second-order gain [FCL05]. ``beta`` and
    ``grad`` = Q beta - 1 are updated in place.

    Returns
    -------
    violation : float
        max - min of -y grad over the movable points; <= tol means optimal.
    done : int
        Updates made.
    """
    for done in range(n_updates):
        i, best, worst = _violators(y, beta, grad, upper)
        if i < 0 or best - worst <= tol:
            return max(best - worst, 0.0), done
        j = _partner(Q, y, beta, grad, upper, i, best)
        if j < 0:
            return max(best - worst, 0.0), done
        step = (best + y[j] * grad[j]) / _curvature(Q, y, i, j)
        # beta_i moves by y_i step, beta_j by -y_j step: both stay in the box.
        step = min(step, upper[i] - beta[i] if y[i] > 0 else beta[i])
        step = min(step, beta[j] if y[j] > 0 else upper[j] - beta[j])
        change_i, change_j = y[i] * step, -y[j] * step
        beta[i] = min(max(beta[i] + change_i, 0.0), upper[i])
        beta[j] = min(max(beta[j] + change_j, 0.0), upper[j])
        for k in range(y.shape[0]):
            grad[k] += Q[k, i] * change_i + Q[k, j] * change_j
    _, best, worst = _violators(y, beta, grad, upper)
    return max(best - worst, 0.0), n_updates
