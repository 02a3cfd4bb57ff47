"""Label probabilities under a class ratio, [SK07] eq. (1.9)."""

import numpy as np

from ssl_core.linalg.compiled import compiled

MAX_ROOT_STEPS = 200  # bisection alone ends long before
LOG_FLOOR = 2.0**-53  # logarithms are taken of no less than this


def balanced_probabilities(g, T, r):
    """p_j = 1 / (1 + exp((g_j - 2 nu) / T)) with nu such that mean(p) = r.

    The multiplier is sought as 2 nu = g_(k) + T s, with g_(k) the value that splits g
    in the ratio r: at T -> 0 the differences g_j - g_(k) stay exact and s stays of
    order 1, so that the ratio is kept at any temperature and through ties.

    Parameters
    ----------
    g : ndarray of shape (u,)
    T : float, > 0
    r : float in (0, 1)

    Returns
    -------
    p : ndarray of shape (u,)
    nu : float
    """
    u = len(g)
    k = min(int(r * u), u - 1)
    pivot = float(np.partition(g, k)[k])
    h = (g - pivot) / T
    p = np.empty(u)
    s = balance_root(h, r, p)
    # What rounding left of the residual goes where p can still move.
    for _ in range(2):
        room = p * (1.0 - p)
        total = room.sum()
        if total > 0.0:
            np.clip(p + (r - p.mean()) * u / total * room, 0.0, 1.0, out=p)
    return p, 0.5 * (pivot + T * s)


@compiled(nogil=True)
def balance_root(h, r, p):
    """s with mean(sigmoid(s - h)) = r, by Newton inside a bracket; fills p.

    A Newton step that leaves the bracket, or that a flat stretch makes useless, is
    replaced by its middle, or by a doubled step while one end is still open.
    """
    u = len(h)
    low, high = -np.inf, np.inf
    s, reach = 0.0, 1.0
    for trial in range(MAX_ROOT_STEPS):
        total, rate = 0.0, 0.0
        for j in range(u):
            z = s - h[j]
            e = np.exp(-abs(z))
            q = 1.0 / (1.0 + e)
            p[j] = q if z >= 0.0 else e * q
            total += p[j]
            rate += e * q * q
        error = total / u - r
        if error == 0.0:
            break
        if error < 0.0:
            low = s
        else:
            high = s
        new = s - error * u / rate if rate > 0.0 else np.nan
        if not low < new < high or (trial % 4 == 3 and high - low < np.inf):
            if high - low < np.inf:
                new = 0.5 * (low + high)
            else:
                new = s - np.copysign(reach, error)
                reach *= 2.0
        if new in (low, high) or abs(new - s) <= 1e-16 * abs(s):
            break
        s = new
    return s


def entropy(p):
    """-sum_j p_j log p_j + (1 - p_j) log (1 - p_j), in nats."""
    q = np.clip(p, LOG_FLOOR, 1.0 - LOG_FLOOR)
    return float(-(p * np.log(q) + (1.0 - p) * np.log1p(-q)).sum())


def divergence(p, q):
    """Kullback-Leibler sum_j KL(p_j, q_j) of Bernoulli probabilities, in nats."""
    a = np.clip(p, LOG_FLOOR, 1.0 - LOG_FLOOR)
    b = np.clip(q, LOG_FLOOR, 1.0 - LOG_FLOOR)
    terms = p * np.log(a / b) + (1.0 - p) * (np.log1p(-a) - np.log1p(-b))
    return float(terms.sum())
