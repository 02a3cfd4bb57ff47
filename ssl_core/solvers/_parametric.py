"""Duals and outputs of a box-constrained machine along a line in its parameters."""

from typing import NamedTuple

import numpy as np

from ssl_core.linalg import parametric
from ssl_core.linalg.parametric import (
    ABSENT,
    BOUNDARY,
    END,
    INSIDE,
    MARGIN,
    OUT,
)
from ssl_core.trace import Array

# Pivots after which outputs and factor are computed anew. Not at every jump as well:
# the first ones come as early as C* = 1e-19 and move outputs by as little, which are
# exact to 1e-17 when they are computed anew; and at n = 1600 it was most of the time.
FRESH_EVERY = 100
# More pivots in one place than this, per point, are a circle and no progress. On
# doubled and symmetric data a place has up to about 3.
STUCK_PER_POINT = 50


class StuckError(RuntimeError):
    """Pivots without progress; duals and outputs are still those of a machine."""

    def __init__(self):
        super().__init__("events fall together and undo each other; move the points.")


class Step(NamedTuple):
    """What `Line.look` sees: how far, and who goes where at its end."""

    length: float
    point: int
    place: int

    @property
    def at_end(self) -> bool:
        return self.point == END


class Line:
    """min 1/2 alpha'K alpha + sum_i cap_i max(0, 1 - s_i f_i), f = K alpha + b.

    Stays at the optimum while caps move by ``dcap`` per unit of a parameter; see
    `ssl_core.linalg.parametric`.

    Attributes
    ----------
    where : int8 ndarray of shape (n,)
    signs : ndarray of shape (n,)
        The labels s.
    alpha, f, cap, dcap : ndarrays of shape (n,)
    sided : ndarray of bool of shape (n,)
        Points that must not change the sign of their output.
    pivots : int
        Places changed so far.
    """

    def __init__(self, K: Array, b: float):
        n = len(K)
        self.K, self.b = K, b
        self.where = np.full(n, ABSENT, dtype=np.int8)
        self.signs, self.alpha = np.zeros(n), np.zeros(n)
        self.cap, self.dcap = np.zeros(n), np.zeros(n)
        self.f, self.g = np.full(n, b), np.zeros(n)
        self.sided = np.zeros(n, dtype=bool)
        self.pivots = self.still = 0
        self._passed = np.zeros(n, dtype=bool)
        self._any_passed = False
        self._eps = float(np.finfo(K.dtype).eps)
        self._scale = float(np.diagonal(K).max(initial=0.0))
        self._members, self._size = np.zeros(n, dtype=np.int64), 0
        self._room = min(n, 32) + 1
        self._L = np.zeros((self._room, self._room))
        self._dalpha, self._df = np.zeros(n), np.zeros(n)
        self._drive, self._last_fresh, self._stale = 0.0, 0, False

    @property
    def members(self) -> Array:
        return self._members[: self._size]

    def place(self, points: Array, cap) -> None:
        """Let points take part, at the duals that belong to their outputs."""
        self.cap[points] = cap
        outside = self.signs[points] * self.f[points] > 1
        self.where[points] = np.where(outside, OUT, INSIDE)
        self.alpha[points] = np.where(outside, 0.0, self.signs[points] * cap)

    def set_caps(self, caps) -> None:
        """Caps as they are meant, and not up to rounding."""
        self.cap[:] = caps
        inside = self.where == INSIDE
        self.alpha[inside] = self.signs[inside] * self.cap[inside]

    def drive(self, dcap) -> None:
        """Let the caps move at these rates from now on."""
        self.dcap[:] = dcap
        self._drive = float(np.abs(self.dcap).max(initial=0.0))
        self._stale = True

    def look(self, end: float) -> Step:
        """The next event, at most ``end`` away: a piece of [OITS13] Algorithm 2."""
        if self._stale:
            self._product()
        return Step(*parametric.look(*self._arrays(), end))

    def _arrays(self):
        """What a pivot looks at."""
        return (
            self.K,
            self.where,
            self.signs,
            self.alpha,
            self.f,
            self.cap,
            self.dcap,
            self.sided,
            self._passed,
            self.g,
            self._members,
            self._size,
            self._L,
            self._dalpha,
            self._df,
            self._drive,
            self._scale,
        )

    def advance(self, length: float) -> None:
        """Go that far along the line."""
        if length > 0:
            self.still = 0
        parametric.advance(
            length,
            self.where,
            self.signs,
            self.alpha,
            self.f,
            self.cap,
            self.dcap,
            self._members,
            self._size,
            self._dalpha,
            self._df,
        )

    def relocate(self, i: int, place: int) -> bool:
        """Put point i in another place; False where it must `trade` to get there."""
        if self._size + 1 >= self._room:
            self._grow()
        size = self._relocated(i, place)
        if size == END:
            return False
        self._moved(size)
        return True

    def trade(self, i: int, place: int) -> None:
        """A member makes room for a point that differs from it by rounding only.

        Their duals change at once, no output does. A point that finds no partner is
        passed over until the members change.
        """
        point, goes = parametric.trade(
            self.K,
            self.where,
            self.signs,
            self.alpha,
            self.f,
            self.cap,
            self._members,
            self._size,
            self._L,
            i,
            place,
        )
        size = END if point == END else self._relocated(point, goes)
        if size != END:
            self._moved(size)
        if size == END or (point != i and not self.relocate(i, place)):
            self._passed[i] = self._any_passed = True

    def stay(self) -> None:
        """Count what happens in one place; too much of it is a circle."""
        self.still += 1
        if self.still > STUCK_PER_POINT * len(self.f):
            raise StuckError

    def _moved(self, size) -> None:
        self._size = size
        self.pivots += 1
        self.stay()
        if self._any_passed:
            self._passed[:] = self._any_passed = False

    def _relocated(self, i, place) -> int:
        return parametric.relocate(
            self.K,
            self.where,
            self.signs,
            self.alpha,
            self.cap,
            self.dcap,
            self.g,
            self._members,
            self._size,
            self._L,
            i,
            place,
            self._eps,
        )

    def go(self, length: float) -> None:
        """The whole way, through all its events."""
        left, most = length, STUCK_PER_POINT * len(self.f)
        if self._stale:
            self._product()
        while True:
            left, point, place, self._size, pivots = parametric.go(
                *self._arrays(), left, self._eps, most
            )
            self.pivots += pivots
            most -= pivots
            if point == END:
                return
            if most <= 0:
                raise StuckError
            if not self.relocate(point, place):
                self.trade(point, place)
                most -= 1

    def flip(self, points: Array) -> None:
        """Turn the labels of some points, and move to the optimum of the new ones.

        The points take the duals that belong to their outputs under the new label. A
        tilt of all outputs makes up for the change, so that duals and outputs are
        optimal as they stand; then it is taken away.
        """
        old, saved = self.alpha[points], (self.dcap, self._drive, self.g, self._stale)
        moving = self._moving()
        self.dcap = np.zeros(len(self.f))
        self.signs[points] *= -1
        for i in np.intersect1d(points, self.members):
            self.relocate(i, INSIDE)
        self.place(points, self.cap[points])
        change = self.alpha[points] - old
        self.g, self._stale = change @ self.K[points], False
        self._drive = float(np.abs(change).max(initial=0.0))
        self.go(1.0)
        self.dcap, self._drive, self.g, self._stale = saved
        change = self._moving() - moving
        changed = np.flatnonzero(change)
        self.g = self.g + change[changed] @ self.K[changed]

    def keep_fresh(self) -> bool:
        """`refresh` now and then; True where it was.

        At the beginning of a piece: the members' duals change by rounding times the
        condition of K_AA, and at its end one of them may be none on the way there.
        """
        if self.pivots - self._last_fresh < FRESH_EVERY:
            return False
        self.refresh()
        return True

    def refresh(self) -> None:
        """Outputs, their rates and the factor from the duals alone."""
        K = self.K
        self._last_fresh = self.pivots
        self.f = self._product() + self.b
        members, size = self._members, self._size
        for k in range(size):
            parametric.append_row(K, members, k, self._L, members[k])
        if size:
            self._correct()

    def _moving(self) -> Array:
        """Rates of the duals that follow their caps."""
        return np.where(self.where == INSIDE, self.signs * self.dcap, 0.0)

    def _product(self) -> Array:
        """K alpha; g, of the duals that follow their caps, comes with it."""
        product, self.g = parametric.two_products(self.K, self.alpha, self._moving())
        self._stale = False
        return product

    def _correct(self) -> None:
        """Bring the members' outputs back to where they are held."""
        members = self.members
        held = np.where(self.where[members] == MARGIN, self.signs[members], 0.0)
        change = held - self.f[members]
        parametric.solve_factor(self._L, self._size, change)
        new = self.signs[members] * (self.alpha[members] + change)
        boundary = self.where[members] == BOUNDARY
        low = np.where(boundary, self.cap[members], 0.0)
        high = np.where(boundary, np.inf, self.cap[members])
        if ((new >= low) & (new <= high)).all():
            self.alpha[members] += change
            self.f += change @ self.K[members]

    def _grow(self) -> None:
        room = min(2 * self._room, len(self.f) + 1)
        L = np.zeros((room, room))
        L[: self._room, : self._room] = self._L
        self._L, self._room = L, room
