"""Losses of the margin m = y f, or of an unlabelled output o: value, slope, curvature.

Each is a function phi of one number; phi' and phi'' are taken with respect to it.
Where phi'' does not exist (m = 1) it is set to 0, as [MB11] section 3.1 does. A loss of
unlabelled points is symmetric: it asks for a decision, and not for which one.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import entr, expit, ndtr


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


# Unlabelled points, [CSK08].


@dataclass(frozen=True, slots=True)
class Hat:
    """max(0, 1 - |o|)^p, [CSK08] Figure 2: the hinge with the better label.

    Squared for p = 2, plain for p = 1. Its kink at 0 has no slope; there it is taken on
    the side of +1.
    """

    p: int = 2
    name: str = "hat"

    def value(self, o):
        return np.maximum(0.0, 1.0 - np.abs(o)) ** self.p

    def slope(self, o):
        inside = (np.abs(o) < 1.0).astype(float)
        steep = 2.0 * (1.0 - np.abs(o)) if self.p == 2 else 1.0
        return -steep * inside * _sign(o)

    def curvature(self, o):
        return 2.0 * (np.abs(o) < 1.0) * (self.p == 2)


@dataclass(frozen=True, slots=True)
class Bell:
    """exp(-s o^2), [CSK08] eq. (14): the hat without its kinks."""

    s: float = 5.0
    name: str = "bell"

    def value(self, o):
        """The unlabelled loss of [CSK08] eq. (14)."""
        return np.exp(-self.s * o**2)

    def slope(self, o):
        return -2.0 * self.s * o * self.value(o)

    def curvature(self, o):
        return (4.0 * self.s**2 * o**2 - 2.0 * self.s) * self.value(o)


@dataclass(frozen=True, slots=True)
class Flat:
    """1 up to |o| = 0.5, 0 from 1 on, [CSK08] Figure 7: most points have no curvature.

    Between them a line, joined to both ends by parabolas of width 0.1. The paper shows
    the figure only; these numbers reproduce it.
    """

    knee: float = 0.5
    width: float = 0.1
    name: str = "flat"

    @property
    def steepness(self) -> float:
        return 1.0 / (1.0 - self.knee - self.width)

    def value(self, o):
        """The curve of [CSK08] Figure 7."""
        k, a = self.steepness, np.abs(o)
        bend, end = a - self.knee, 1.0 - a
        value = k * (end - self.width / 2)
        value = np.where(bend < self.width, 1.0 - k * bend**2 / (2 * self.width), value)
        value = np.where(end < self.width, k * end**2 / (2 * self.width), value)
        return np.where(bend <= 0.0, 1.0, np.where(end <= 0.0, 0.0, value))

    def slope(self, o):
        a = np.abs(o)
        rise = np.minimum(a - self.knee, 1.0 - a) / self.width
        return -self.steepness * np.clip(rise, 0.0, 1.0) * _sign(o)

    def curvature(self, o):
        a = np.abs(o)
        bend = (a > self.knee) & (a < self.knee + self.width)
        foot = (a > 1.0 - self.width) & (a < 1.0)
        return self.steepness / self.width * (foot.astype(float) - bend)


@dataclass(frozen=True, slots=True)
class Tangent:
    """What CCCP puts in place of the hat, as a function of the margin m = y o.

    [CSK08] section 4.1: max(0, 1 - |o|)^p + 2 |o| is convex, -2 |o| is replaced by
    its tangent at a point of label y. For p = 2:

        0 for m >= 1,   (1 - m)^2 for |m| < 1,   -4 m for m <= -1

    For p = 1, where |o| itself makes the hat convex: 0, 1 - m and -2 m.
    """

    p: int = 2
    name: str = "tangent"

    def value(self, m):
        """The effective loss of [CSK08] section 4.1."""
        inside = np.maximum(0.0, 1.0 - m) ** self.p
        beyond = np.maximum(0.0, -1.0 - m) ** self.p
        return inside - beyond if self.p == 2 else inside + beyond

    def slope(self, m):
        if self.p == 1:
            return -(m < 1.0).astype(float) - (m < -1.0)
        return -2.0 * np.clip(1.0 - m, 0.0, 2.0)

    def curvature(self, m):
        return 2.0 * (np.abs(m) < 1.0) * (self.p == 2)


@dataclass(frozen=True, slots=True)
class SmoothedSquaredHinge:
    """The squared hinge seen through a Gaussian of a given variance, [CSK08] 4.3.

    With x = 1 - m, Phi and phi of x / sd:  (x^2 + v) Phi + x sd phi.

    Attributes
    ----------
    variance : float or ndarray
        One per point: a Gaussian in w is one in each output.
    """

    variance: float | np.ndarray
    name: str = "smoothed_squared_hinge"

    def _parts(self, m):
        x, sd = 1.0 - m, np.sqrt(self.variance)
        z = x / sd
        return x, sd, ndtr(z), np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi)

    def value(self, m):
        x, sd, below, density = self._parts(m)
        return (x * x + self.variance) * below + x * sd * density

    def slope(self, m):
        x, sd, below, density = self._parts(m)
        return -2.0 * (x * below + sd * density)

    def curvature(self, m):
        return 2.0 * self._parts(m)[2]


@dataclass(frozen=True, slots=True)
class SmoothedBell:
    """exp(-s o^2) seen through a Gaussian: a wider and lower bell, [CSK08] 4.3."""

    variance: float | np.ndarray
    s: float = 5.0
    name: str = "smoothed_bell"

    @property
    def _width(self):
        return 1.0 + 2.0 * self.s * self.variance

    def typical(self) -> "SmoothedBell":
        """The loss of the point with the median variance."""
        return SmoothedBell(float(np.median(self.variance)), self.s)

    def value(self, o):
        """The convolution of [CSK08] section 4.3 in closed form."""
        return Bell(self.s / self._width).value(o) / np.sqrt(self._width)

    def slope(self, o):
        return Bell(self.s / self._width).slope(o) / np.sqrt(self._width)

    def curvature(self, o):
        return Bell(self.s / self._width).curvature(o) / np.sqrt(self._width)


@dataclass(frozen=True, slots=True)
class Annealed:
    """Expected squared hinge less T times the entropy, least over p: [CSK08] Figure 4.

        min_p  p V(1, o) + (1 - p) V(-1, o) - T H(p) + nu (r - p)

    Attributes
    ----------
    T : float
        Temperature, in units of the weight C* of the loss.
    nu : float
        Multiplier of the class ratio; above 0 it favours the positive class.
    r : float
        The class ratio: the mean that p is to have.
    """

    T: float
    nu: float = 0.0
    r: float = 0.5
    name: str = "annealed"

    @property
    def level(self) -> float:
        """-T H(r): what a point without an opinion gains by its doubt, p = r."""
        return -self.T * float(entr(self.r) + entr(1.0 - self.r))

    def probability(self, o):
        """p of the positive class that is best at o."""
        hinge = SquaredHinge()
        return expit((hinge.value(-o) - hinge.value(o) + self.nu) / self.T)

    def value(self, o):
        hinge = SquaredHinge()
        sides = self.nu - hinge.value(o), -hinge.value(-o)
        best = -self.T * np.logaddexp(sides[0] / self.T, sides[1] / self.T)
        return best + self.nu * self.r

    def slope(self, o):
        p, hinge = self.probability(o), SquaredHinge()
        return p * hinge.slope(o) - (1.0 - p) * hinge.slope(-o)

    def curvature(self, o):
        p, hinge = self.probability(o), SquaredHinge()
        spread = (hinge.slope(o) + hinge.slope(-o)) ** 2 * p * (1.0 - p) / self.T
        return p * hinge.curvature(o) + (1.0 - p) * hinge.curvature(-o) - spread


def _sign(o):
    return np.where(o < 0.0, -1.0, 1.0)
