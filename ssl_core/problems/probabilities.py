"""Labels and label probabilities under a class ratio, and their entropy."""

import numpy as np
from numpy.typing import ArrayLike

from ssl_core.linalg.balance import balance_root, settle_mean

LOG_FLOOR = 2.0**-53  # logarithms are taken of no less than this


def balanced_labels(f: ArrayLike, n_positive: int) -> np.ndarray:
    """Labels +-1 that put exactly ``n_positive`` of the outputs on the positive side.

    The largest outputs are positive: how [SK07] section 1.3 and [CSK08] Algorithm 1
    assign labels, and how [CSK08] evaluates methods that keep the ratio only nearly.
    """
    f = np.asarray(f)
    labels = np.full(len(f), -1, dtype=np.int8)
    labels[np.argsort(-f, kind="stable")[:n_positive]] = 1
    return labels


def balanced_probabilities(g, T, r, share=None):
    """p_j = 1 / (1 + exp((g_j - 2 nu) / T)) with nu such that mean(p) = r.

    [SK07] eq. (1.9) under [SK07] eq. (1.7), and [CSK08] eq. (8) with 2 nu for its nu.

    The multiplier is sought as 2 nu = g_(k) + T s, with g_(k) the value that splits g
    in the ratio r: at T -> 0 the differences g_j - g_(k) stay exact and s stays of
    order 1, so that the ratio is kept at any temperature and through ties.

    Parameters
    ----------
    g : ndarray of shape (u,)
    T : float, > 0
    r : float in (0, 1)
    share : ndarray of shape (u,) or None
        Weights of the points in the mean, whose own mean is 1; None means 1 each.

    Returns
    -------
    p : ndarray of shape (u,)
    nu : float
    """
    u = len(g)
    if share is None:
        k = min(int(r * u), u - 1)
        pivot = float(np.partition(g, k)[k])
    else:
        order = np.argsort(g)
        k = min(int(np.searchsorted(np.cumsum(share[order]), r * u)), u - 1)
        pivot = float(g[order[k]])
    h = (g - pivot) / T
    p = np.empty(u)
    s = balance_root(h, r, p, share)
    settle_mean(p, r, share)
    return p, 0.5 * (pivot + T * s)


def entropy(p, share=None):
    """-sum_j p_j log p_j + (1 - p_j) log (1 - p_j), in nats; each times its share."""
    q = np.clip(p, LOG_FLOOR, 1.0 - LOG_FLOOR)
    terms = p * np.log(q) + (1.0 - p) * np.log1p(-q)
    return float(-(terms if share is None else share * terms).sum())


def divergence(p, q, share=None):
    """Kullback-Leibler sum_j KL(p_j, q_j) of Bernoulli probabilities, in nats."""
    a = np.clip(p, LOG_FLOOR, 1.0 - LOG_FLOOR)
    b = np.clip(q, LOG_FLOOR, 1.0 - LOG_FLOOR)
    terms = p * np.log(a / b) + (1.0 - p) * (np.log1p(-a) - np.log1p(-b))
    return float((terms if share is None else share * terms).sum())
