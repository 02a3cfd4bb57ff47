"""Losses of the margin m = y f: value, slope and curvature.

Each is a function phi of the margin; phi' and phi'' are taken with respect to m.
Where phi'' does not exist (m = 1) it is set to 0, as [MB11] section 3.1 does.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np


class Loss(Protocol):
    """What a problem asks of its loss."""

    name: str

    def value(self, m): ...
    def slope(self, m): ...
    def curvature(self, m): ...
    def active(self, m): ...


@dataclass(frozen=True, slots=True)
class Hinge:
    """phi(m) = max(0, 1 - m)."""

    name: str = "hinge"

    def value(self, m):
        return np.maximum(0.0, 1.0 - m)

    def slope(self, m):
        return -(m < 1.0).astype(float)

    def curvature(self, m):
        return np.zeros_like(m)

    def active(self, m):
        return m < 1.0


@dataclass(frozen=True, slots=True)
class SquaredHinge:
    """phi(m) = max(0, 1 - m)^2; the points with m < 1 are the error vectors."""

    name: str = "squared_hinge"

    def value(self, m):
        return np.maximum(0.0, 1.0 - m) ** 2

    def slope(self, m):
        return -2.0 * np.maximum(0.0, 1.0 - m)

    def curvature(self, m):
        return 2.0 * (m < 1.0)

    def active(self, m):
        return m < 1.0


@dataclass(frozen=True, slots=True)
class Squared:
    """phi(m) = (1 - m)^2, which is (y - f)^2 for y = +-1; every point is active."""

    name: str = "squared"

    def value(self, m):
        return (1.0 - m) ** 2

    def slope(self, m):
        return -2.0 * (1.0 - m)

    def curvature(self, m):
        return np.full_like(m, 2.0)

    def active(self, m):
        return np.ones(np.shape(m), dtype=bool)
