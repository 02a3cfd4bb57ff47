"""Colours of the decision field: how strong the colour of a class is at an output.

``stage/js/field.js`` has the same formulas; a test compares the two.
"""

import numpy as np

from ssl_core.trace import Array
from ssl_core.viz.theme import Theme, rgb

STRONGEST = 2.5  # |f|, or the lead, from which colours are as strong as they get
SURE = 0.1  # lead from which a class of several shows its colour


def strength(size: Array, *, several: bool) -> Array:
    """Share of the strongest colour, in [0, 1).

    With several classes regions differ already where the lead is small, but not at
    once.

    Parameters
    ----------
    size : ndarray
        |f| of two classes; of several by how much the largest output leads.
    """
    size = np.minimum(size, STRONGEST)
    if several:
        return 0.35 * np.minimum(1, size / SURE) + 0.65 * np.tanh(1.2 * size)
    return np.tanh(0.7 * size)


def class_shades(j: int, size: Array, theme: Theme, *, several: bool) -> Array:
    """(..., 3) uint8: the colour of class j where the size is as given."""
    share = theme.strength * strength(np.asarray(size, dtype=float), several=several)
    start = np.array(rgb(theme.background), dtype=float)
    way = np.array(rgb(theme.class_colour(j))) - start
    return np.floor(start + share[..., None] * way + 0.5).astype(np.uint8)


def shades(f: Array, theme: Theme) -> Array:
    """Colours at outputs of two classes, (...) to (..., 3) uint8; 0 is class 1's."""
    f = np.asarray(f, dtype=float)
    sides = [class_shades(j, np.abs(f), theme, several=False) for j in (0, 1)]
    return np.where((f >= 0)[..., None], sides[1], sides[0])


def region_shades(F: Array, theme: Theme) -> Array:
    """Colours at outputs of several classes, (..., k) to (..., 3) uint8."""
    best, size = winners(F)
    made = np.zeros((*best.shape, 3), dtype=np.uint8)
    for j in np.unique(best):
        won = best == j
        made[won] = class_shades(int(j), size[won], theme, several=True)
    return made


def winners(F: Array) -> tuple[Array, Array]:
    """Which of several classes has the largest output, and by how much it leads."""
    top = np.partition(F, -2, axis=-1)
    return F.argmax(axis=-1), top[..., -1] - top[..., -2]


def lead(F: Array, j: int) -> Array:
    """By how much the output of a class exceeds the best of the others."""
    return F[..., j] - np.delete(F, j, axis=-1).max(axis=-1)
