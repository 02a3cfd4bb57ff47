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
    Members,
    Motion,
    Points,
)
from ssl_core.trace import Array

# Pivots after which outputs and factor are computed again. Not at every jump as well:
# the first ones come as early as C* = 1e-19 and move outputs by as little, which are
# exact to 1e-17 once computed again; and at n = 1600 it was most of the time.
FRESH_EVERY = 100
# More pivots in one place than this, per point, are a circle and no progress. On
# doubled and symmetric data a place has up to about 3.
STUCK_PER_POINT = 50


class StuckError(RuntimeError):
    """Pivots without progress; duals and outputs are still those of a machine."""

    def __init__(self):
        super().__init__(
            "events coincide and undo each other; change the points slightly."
        )


class LineStep(NamedTuple):
    """What `Line.look` sees: how far, and who goes where at its end."""

    length: float
    point: int
    place: int

    @property
    def at_end(self) -> bool:
        return self.point == END


class Line:
    """min 1/2 alpha'K alpha + sum_i cap_i max(0, 1 - s_i f_i), f = K alpha + b.

    Subject to s_i f_i >= 0 for the points that are ``sided``: [OITS13] eq. (5), the
    conditionally optimal solution in the polytope of the labels s.

    Stays at the optimum while caps move at the rates given to `drive`; see
    `ssl_core.linalg.parametric`.

    Attributes
    ----------
    where : int8 ndarray of shape (n,)
    signs : ndarray of shape (n,)
        The labels s.
    alpha, f, cap : ndarrays of shape (n,)
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
        self.cap, self.f = np.zeros(n), np.full(n, b)
        self.sided, self._passed = np.zeros((2, n), dtype=bool)
        self._points = Points(
            K,
            self.where,
            self.signs,
            self.alpha,
            self.f,
            self.cap,
            self.sided,
            self._passed,
        )
        self._motion = Motion(*np.zeros((4, n)), drive=0.0)
        room = min(n, 32) + 1
        self._members = Members(np.zeros(n, dtype=np.int64), np.zeros((room, room)))
        self._size = self.pivots = self.still = 0
        self._any_passed = self._stale = False
        self._eps = float(np.finfo(K.dtype).eps)
        self._scale = float(np.diagonal(K).max(initial=0.0))
        self._last_fresh = 0

    @property
    def members(self) -> Array:
        return self._members.rows[: self._size]

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
        self._motion.dcap[:] = dcap
        drive = float(np.abs(self._motion.dcap).max(initial=0.0))
        self._motion, self._stale = self._motion._replace(drive=drive), True

    def look(self, end: float) -> LineStep:
        """The next event, at most ``end`` away: a piece of [OITS13] Algorithm 2."""
        if self._stale:
            self._product()
        return LineStep(*parametric.look_along(*self._arrays(), self._scale, end))

    def _arrays(self):
        """What a pivot looks at, as `parametric.named` takes it."""
        *moving, drive = self._motion
        return (*self._points, *moving, *self._members), drive, self._size

    def advance(self, length: float) -> None:
        """Go that far along the line."""
        if length > 0:
            self.still = 0
        parametric.advance_along(*self._arrays(), length)

    def relocate(self, i: int, place: int) -> bool:
        """Put point i in another place; False where it must `trade` to get there."""
        if self._size + 1 >= len(self._members.L):
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
            self._points, self._members, self._size, i, place
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
        return parametric.relocate_along(*self._arrays(), i, place, self._eps)

    def go(self, length: float) -> None:
        """The whole way, through all its events."""
        left, most = length, STUCK_PER_POINT * len(self.f)
        if self._stale:
            self._product()
        while True:
            left, point, place, self._size, pivots = parametric.go(
                self._points,
                self._motion,
                self._members,
                self._size,
                self._scale,
                left,
                self._eps,
                most,
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
        """Flip labels, [OITS13] eq. (10), and move to the optimum of the new ones.

        The points take the duals that belong to their outputs under the new label. A
        tilt of all outputs makes up for the change, so that duals and outputs are
        optimal as they stand; then it is taken away.
        """
        old, saved, stale = self.alpha[points], self._motion, self._stale
        moving = self._moving()
        self._motion = saved._replace(dcap=np.zeros(len(self.f)))
        self.signs[points] *= -1
        for i in np.intersect1d(points, self.members):
            self.relocate(i, INSIDE)
        self.place(points, self.cap[points])
        change = self.alpha[points] - old
        self._motion = self._motion._replace(
            g=change @ self.K[points], drive=float(np.abs(change).max(initial=0.0))
        )
        self._stale = False
        self.go(1.0)
        self._motion, self._stale = saved, stale
        change = self._moving() - moving
        changed = np.flatnonzero(change)
        self._motion.g[:] = saved.g + change[changed] @ self.K[changed]

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
        self._last_fresh = self.pivots
        self.f[:] = self._product() + self.b
        for k, i in enumerate(self.members):
            parametric.append_row(self.K, self._members, k, i)
        if self._size:
            self._correct()

    def _moving(self) -> Array:
        """Rates of the duals that follow their caps."""
        return np.where(self.where == INSIDE, self.signs * self._motion.dcap, 0.0)

    def _product(self) -> Array:
        """K alpha; g, of the duals that follow their caps, comes with it."""
        product, g = parametric.two_products(self.K, self.alpha, self._moving())
        self._motion.g[:], self._stale = g, False
        return product

    def _correct(self) -> None:
        """Bring the members' outputs back to where they are held."""
        members = self.members
        held = np.where(self.where[members] == MARGIN, self.signs[members], 0.0)
        change = held - self.f[members]
        parametric.solve_factor(self._members.L, self._size, change)
        new = self.signs[members] * (self.alpha[members] + change)
        boundary = self.where[members] == BOUNDARY
        low = np.where(boundary, self.cap[members], 0.0)
        high = np.where(boundary, np.inf, self.cap[members])
        if ((new >= low) & (new <= high)).all():
            self.alpha[members] += change
            self.f += change @ self.K[members]

    def _grow(self) -> None:
        old = self._members.L
        room = min(2 * len(old), len(self.f) + 1)
        L = np.zeros((room, room))
        L[: len(old), : len(old)] = old
        self._members = self._members._replace(L=L)
