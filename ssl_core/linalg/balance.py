"""The shift that gives sigmoids a wanted mean."""

import numpy as np

from halfmoon.common.compiled import compiled
from ssl_core.linalg.roots import MAX_ROOT_STEPS, next_trial
from ssl_core.linalg.vectors import SUMS

BALANCED = 1e-12  # of r, or 1 - r: the next Newton step would be rounding


@compiled(nogil=True, fastmath=SUMS)
def settle_mean(p, r, share=None):
    """Make mean(p) = r, in place, by a shift where p can still move.

    ``share`` of shape (u,) has weights of the points in the mean, of mean 1.

    What rounding left of the mean is spread in proportion to p (1 - p), twice, since
    the sums round as well.
    """
    for _ in range(2):
        total, room = 0.0, 0.0
        for j in range(len(p)):
            weight = 1.0 if share is None else share[j]
            total += weight * p[j]
            room += weight * p[j] * (1.0 - p[j])
        if room == 0.0:
            break
        shift = (r * len(p) - total) / room
        for j in range(len(p)):
            moved = p[j] + shift * p[j] * (1.0 - p[j])
            p[j] = min(max(moved, 0.0), 1.0)


@compiled(nogil=True)
def balance_root(h, r, p, share=None):
    """s with mean(sigmoid(s - h)) = r, by `next_trial`; fills p.

    ``share`` as of `settle_mean`.
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
            weight = 1.0 if share is None else share[j]
            total += weight * p[j]
            rate += weight * e * q * q
        error = total / u - r
        if abs(error) <= BALANCED * min(r, 1.0 - r):
            break
        new, low, high, reach = next_trial(trial, s, error * u, rate, low, high, reach)
        if new in (low, high):
            break
        s = new
    return s
