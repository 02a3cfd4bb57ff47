"""The shift that gives sigmoids a wanted mean."""

import numpy as np

from ssl_core.linalg.compiled import compiled

MAX_ROOT_STEPS = 200  # bisection alone ends long before


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
