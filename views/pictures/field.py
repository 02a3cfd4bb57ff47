"""The decision field of one frame, as ``stage/js/field.js`` draws it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import label, maximum_filter

from halfmoon.stage.levels import field_levels, field_outputs
from ssl_core.viz.shading import region_shades, shades, winners
from ssl_core.viz.theme import Theme

FINE = 240  # nodes a side after refinement
MANY = 6  # classes that are refined so far; more of them half as far
FAINT, BUCKETS = 0.2, 5  # opacity of a line that separates next to nothing; steps
NOTABLE = 0.05  # part of the largest output that makes a line fully drawn
AROUND = 5  # nodes that say how large the outputs are around a line
DOUBT = 0.05  # how far the two polynomials of `refined` may differ
STEEP = 1.5  # ratio over two nodes from which an exponential is divided out
NODES = 6


@dataclass(frozen=True, eq=False)
class FineField:
    """A field on its fine grid, first row lowest.

    Parameters
    ----------
    outputs : ndarray of shape (h, w), or (k, h, w) for k > 2 classes
    step : int
        Nodes of the fine grid from one of the field's nodes to the next.
    """

    outputs: np.ndarray
    step: int

    @property
    def many(self) -> bool:
        return self.outputs.ndim == 3

    @property
    def winner(self) -> np.ndarray:
        """Class at each node."""
        return self.outputs.argmax(axis=0) if self.many else (self.outputs >= 0) + 0

    @property
    def size(self) -> np.ndarray:
        """|f|, or the lead of the winner."""
        if not self.many:
            return np.abs(self.outputs)
        return winners(np.moveaxis(self.outputs, 0, -1))[1]


def fine_field(field: np.ndarray) -> FineField:
    """The field of one frame, (H, W) or (H, W, k), with the levels that travel."""
    F = np.asarray(field, dtype=float)
    k = F.shape[2] if F.ndim == 3 else 1
    if k > 1:
        F = np.moveaxis(F - F.mean(axis=-1, keepdims=True), -1, 0)
    step = max(1, round(FINE / max(F.shape[-2:]) / (2 if k > MANY else 1)))
    F = refined(field_outputs(field_levels(F)), step)
    return FineField(refined(F.swapaxes(-1, -2), step).swapaxes(-1, -2), step)


def colours(field: FineField, theme: Theme) -> np.ndarray:
    """(h, w, 3) colours in 8 bits, the first row on top."""
    if field.many:
        return region_shades(np.moveaxis(field.outputs, 0, -1), theme)[::-1]
    return shades(field.outputs, theme)[::-1]


# -- how clearly lines are drawn -----------------------------------------------


def opacity_of(field: FineField, at: np.ndarray, parts: np.ndarray) -> np.ndarray:
    """Of lines at places (m, 2) of the fine grid, in steps.

    Fully where the outputs around a place reach a twentieth of the largest, ever
    fainter down to a hundredth of that, and faintly where ``parts`` is False.
    """
    size = field.size[:: field.step, :: field.step]
    around = maximum_filter(size, AROUND, mode="nearest")
    column, row = np.floor(at / field.step + 0.5).astype(int).T
    if not size.max():
        clear = np.ones(len(at))
    else:
        clear = np.log10(around[row, column] / size.max() / NOTABLE) / 2 + 1
    clear = np.where(parts, clear.clip(FAINT, 1), FAINT)
    return np.floor(clear * BUCKETS + 0.5) / BUCKETS


def regions(field: FineField, share: np.ndarray) -> np.ndarray:
    """Of each node, the connected region of one class it lies in; 0 without points.

    Parameters
    ----------
    share : ndarray of shape (n, 2)
        Places of the points in [0, 1], from the lower left corner.
    """
    winner = field.winner
    h, w = winner.shape
    found, count = np.zeros((h, w), dtype=int), 0
    for c in np.unique(winner):
        own, more = label(winner == c)
        found += np.where(own, own + count, 0)
        count += more
    last = np.array([w - 1, h - 1])
    column, row = np.floor(share * last + 0.5).astype(int).clip(0, last).T
    return np.where(np.isin(found, found[row, column]), found, 0)


def parted(found: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Whether lines at places (m, 2) part `regions` that both hold points."""
    low = np.maximum(np.ceil(at).astype(int) - 1, 0)
    high = np.floor(at).astype(int) + 2
    sides = (
        found[y0:y1, x0:x1]
        for (x0, y0), (x1, y1) in zip(low.tolist(), high.tolist(), strict=True)
    )
    return np.array([len(set(near[near > 0].tolist())) > 1 for near in sides], bool)


# -- refinement, the twin of ``contour.js`` ------------------------------------


def refined(F: np.ndarray, s: int) -> np.ndarray:
    """``s`` - 1 new values between neighbours along the last axis, old ones kept.

    Where six nodes in a line resolve the function, the polynomial of degree five
    through them, with an exponential divided out of steep tails; elsewhere a monotone
    cubic.
    """
    n, t = F.shape[-1], np.arange(s) / s
    rise = np.diff(F, axis=-1)
    here, next_ = F[..., :-1], F[..., 1:]
    start = np.concatenate([rise[..., :1], _slopes(rise)], axis=-1)
    end = np.concatenate([_slopes(rise), rise[..., -1:]], axis=-1)
    hermite = [2 * t**3 - 3 * t**2 + 1, t**3 - 2 * t**2 + t]
    hermite += [3 * t**2 - 2 * t**3, t**3 - t**2]
    parts = zip((here, start, next_, end), hermite, strict=True)
    values = sum(part[..., None] * weights for part, weights in parts)
    if n >= NODES and s > 1:
        values[..., 1:] = _by_polynomials(F, s, values[..., 1:])
    flat = values.reshape(*F.shape[:-1], (n - 1) * s)
    return np.concatenate([flat, F[..., -1:]], axis=-1)


def _slopes(rise):
    """Of the monotone cubic at the inner nodes."""
    before, after = rise[..., :-1], rise[..., 1:]
    most = 3 * np.minimum(np.abs(before), np.abs(after))
    mean = np.clip((before + after) / 2, -most, most)
    return np.where(before * after > 0, mean, 0.0)


def _by_polynomials(F, s, cubic):
    """New values of each interval, (..., n - 1, s - 1); `cubic` where in doubt."""
    n = F.shape[-1]
    interval = np.arange(n - 1)
    first = np.clip(interval - 2, 0, n - NODES)
    place = interval - first
    six = F[..., first[:, None] + np.arange(NODES)]
    padded = np.abs(np.concatenate([F[..., :1], F, F[..., -1:]], axis=-1))
    before = padded[..., 1:-2] + padded[..., :-3]
    after = padded[..., 2:-1] + padded[..., 3:]
    steep = (after > STEEP * before) | (before > STEEP * after)
    steep &= (before > 0) & (after > 0)
    ratio = np.sqrt(np.where(steep, after / np.where(steep, before, 1), 1))
    ratio = ratio.clip(1e-3, 1e3)
    six = six * ratio[..., None] ** (place[:, None] - np.arange(NODES))
    t = place[:, None] + np.arange(1, s) / s
    value, inner = (_lagrange(six, t, *ends) for ends in _ends(place))
    here, next_ = F[..., :-1, None], F[..., 1:, None]
    size = np.maximum(np.abs(here), np.abs(next_ / ratio[..., None]))
    doubt = np.abs(value - inner)
    crossed = ((here >= 0) == (next_ >= 0)) & ((value >= 0) != (here >= 0))
    wrong = (doubt > DOUBT * size) | (crossed & (doubt > 0.2 * np.abs(value)))
    trusted = ~wrong.any(axis=-1, keepdims=True)
    grown = ratio[..., None] ** (np.arange(1, s) / s)
    return np.where(trusted, value * grown, cubic)


def _ends(place):
    """First and last of the nodes of each polynomial: all six, the inner four."""
    inner = np.clip(place - 1, 0, NODES - 4)
    return (0 * place, 0 * place + NODES), (inner, inner + 4)


def _lagrange(six, t, first, last):
    """Polynomials through the nodes first to last of each interval, at places t."""
    k = np.arange(NODES)
    used = (k >= first[:, None]) & (k < last[:, None])
    total = 0.0
    for i in k:
        weight = np.where(used[:, i, None], 1.0, 0.0)
        for q in k[k != i]:
            factor = (t - q) / (i - q)
            weight = weight * np.where(used[:, q, None], factor, 1.0)
        total = total + six[..., i, None] * weight
    return total
