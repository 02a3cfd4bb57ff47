"""Two moons of which few labels are known."""

import numpy as np

from halfmoon import load


def few_labels(n=200, per_class=10, noise=0.08, mark=-1):
    """Points, labels with a mark where they are hidden, and all labels."""
    moons = load("two_moons", n=n, noise=noise)
    rng = np.random.default_rng(0)
    y = np.full(n, mark)
    for c in (0, 1):
        rows = rng.choice(np.flatnonzero(moons.y == c), per_class, replace=False)
        y[rows] = c
    return moons.X, y, moons.y
