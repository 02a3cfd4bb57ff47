"""Newton's method for the zero of an increasing function, kept inside a bracket."""

import numpy as np

from halfmoon.common.compiled import compiled

MAX_ROOT_STEPS = 200  # bisection alone ends long before


@compiled(nogil=True)
def next_trial(trial, s, value, rate, low, high, reach):
    """Where to look for the zero next: Newton's point, if it is inside the bracket.

    The last trial becomes an end of the bracket. A Newton step that leaves it, or that
    a flat stretch makes useless, is replaced by the middle, or by a step of ``reach``
    while one end is still open. Every fourth trial halves the bracket, so that the
    search cannot go round in circles. A new trial at an end of the bracket is rounding:
    the search is over.

    Parameters
    ----------
    trial : int
        Trials before this one.
    s, value, rate : float
        The last trial, the function there and its derivative.
    low, high : float
        The bracket before it.

    Returns
    -------
    new, low, high : float
    reach : float
        Twice as far where it was needed.
    """
    if value < 0.0:
        low = s
    else:
        high = s
    new = s - value / rate if rate > 0.0 else np.nan
    closed = high - low < np.inf
    if not low < new < high or (trial % 4 == 3 and closed):
        if closed:
            new = 0.5 * (low + high)
        else:
            new = s - np.copysign(reach, value)
            reach *= 2.0
    return new, low, high, reach
