"""Outputs in few bits and never with the wrong sign: every level lies on one side of 0.

Fields go on the scale of `FieldScale`, from which lines can be drawn to a fraction of a
pixel, outputs of points through a cube root.
"""

from dataclasses import dataclass

import numpy as np

HALF = 32768  # levels on each side of zero
ROUNDING = 1e-6  # of a level: f = 1 stays above the gap


@dataclass(frozen=True)
class FieldScale:
    """Sizes of outputs in 32,768 levels, for drawing the lines f = 0 and f = +-1.

    The zero line is placed by the ratio of two outputs, however small both are, so the
    levels from `least` to `knee` have a constant ratio (1 %). The margins are placed by
    the difference to 1, so the levels from `knee` to `top` have a constant distance
    (10^-4). Beyond `top` only colours and slopes matter, and the ratio is constant
    again. ``unpack.js`` holds the same numbers, taken from the header.

    Parameters
    ----------
    least, knee, top, most : float
        Ends of the three zones; smaller and larger sizes are clipped.
    low, middle : int
        Levels of the first and the second zone; the third has the rest.
    """

    least: float = 1e-36  # single precision ends at 1e-38
    knee: float = 0.01
    top: float = 2.01  # f = 1 lies between two levels
    most: float = 1e9
    low: int = 8192
    middle: int = 20000

    def level(self, size):
        """Level, a whole number in [0, 32768), of each size >= 0."""
        size = np.clip(np.atleast_1d(size), self.least, self.most)
        level = self.low + self.middle * (size - self.knee) / (self.top - self.knee)
        below, above = size < self.knee, size >= self.top  # few: logarithms are slow
        ratio = np.log(size[below] / self.least) / np.log(self.knee / self.least)
        level[below] = self.low * ratio
        ratio = np.log(size[above] / self.top) / np.log(self.most / self.top)
        level[above] = self.low + self.middle + self._high * ratio
        return np.minimum(np.floor(level + ROUNDING), HALF - 1)

    def size(self, level):
        """The middle of each level; the twin of ``decodeTable`` in ``unpack.js``."""
        at = np.asarray(level) + 0.5
        share = (at - self.low - self.middle) / self._high
        return np.select(
            [at < self.low, at < self.low + self.middle],
            [
                self.least * (self.knee / self.least) ** (at / self.low),
                self.knee + (at - self.low) / self.middle * (self.top - self.knee),
            ],
            self.top * (self.most / self.top) ** np.clip(share, 0, 1),
        )

    @property
    def _high(self):
        return HALF - self.low - self.middle


FIELD_SCALE = FieldScale()


def field_levels(f):
    """Outputs of a field in 16 bits; NaN counts as 0, which counts as positive."""
    f = np.nan_to_num(np.asarray(f, dtype=float))
    level = FIELD_SCALE.level(np.abs(f))
    return np.where(f < 0, -1 - level, level).astype(np.int16)


def field_outputs(q):
    """Outputs back from `field_levels`."""
    q = np.asarray(q, dtype=int)
    return np.where(q < 0, -FIELD_SCALE.size(-1 - q), FIELD_SCALE.size(q))


def quantise(f, limit):
    """Store outputs of points in 16 bits, finest near zero and never across it.

    Parameters
    ----------
    f : ndarray
        NaN counts as 0.
    limit : float
        Outputs are clipped to [-limit, limit].

    Returns
    -------
    q : int16 ndarray
        ``s = (f / limit)^(1/3)`` in equal steps; zero lies between two steps.
    """
    f = np.nan_to_num(np.asarray(f, dtype=float))
    size = np.cbrt(np.minimum(np.abs(f) / limit, 1))
    step = np.minimum(np.floor(HALF * size), HALF - 1)
    # The sign of f itself survives underflow.
    return np.where(f < 0, -1 - step, step).astype(np.int16)


def dequantise(q, limit):
    """Outputs back from `quantise`, each at the middle of its step."""
    return limit * ((np.asarray(q, dtype=float) + 0.5) / HALF) ** 3


def winner_and_margin(scores, limit):
    """Class with the largest score, and its lead over the second in 8 bits.

    Parameters
    ----------
    scores : ndarray of shape (..., k), k >= 2
    limit : float
        Leads beyond it are clipped.

    Returns
    -------
    winner : uint8 ndarray of shape (...)
    margin : uint8 ndarray of shape (...)
        ``(lead / limit)^(1/3)`` in 256 equal steps.
    """
    scores = np.nan_to_num(np.asarray(scores, dtype=float))
    second, first = np.moveaxis(np.partition(scores, -2, axis=-1)[..., -2:], -1, 0)
    s = np.cbrt(np.clip((first - second) / limit, 0, 1))
    margin = np.minimum(np.floor(256 * s), 255).astype(np.uint8)
    return scores.argmax(axis=-1).astype(np.uint8), margin
