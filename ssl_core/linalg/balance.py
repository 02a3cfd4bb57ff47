"""The shift that gives sigmoids a wanted mean."""

import numpy as np

from ssl_core.linalg.compiled import compiled
from ssl_core.linalg.vectors import SUMS

MAX_ROOT_STEPS = 200  # bisection alone ends long before
BALANCED = 1e-12  # of r, or 1 - r: the next Newton step would be rounding


@compiled(nogil=True, fastmath=SUMS)
def settle_mean(p, r):
    """Make mean(p) = r, in place, by a shift where p can still move.

    What rounding left of the mean is spread in proportion to p (1 - p), twice, since
    the sums round as well.
    """
    for _ in range(2):
        total, room = 0.0, 0.0
        for j in range(len(p)):
            total += p[j]
            room += p[j] * (1.0 - p[j])
        if room == 0.0:
            break
        shift = (r * len(p) - total) / room
        for j in range(len(p)):
            moved = p[j] + shift * p[j] * (1.0 - p[j])
            p[j] = min(max(moved, 0.0), 1.0)


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
        if abs(error) <= BALANCED * min(r, 1.0 - r):
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
