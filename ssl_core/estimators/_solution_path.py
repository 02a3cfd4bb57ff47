"""A piecewise linear path in a few numbers per break point, exact everywhere.

Between two break points every dual is linear in C_u, and at a break point all but those
on the margin are 0 or at their cap. So a break point is C_u, the duals on the margin,
and which points changed since the last one; a recording may thin out its states
meanwhile.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ssl_core.problems.s3vm_path import FixedBiasS3VM
from ssl_core.solvers.s3vm_path import PathState
from ssl_core.trace import Array

OWN = 2  # a dual with a value of its own; 0 and +-1 are that many times the cap
BLOCK = 256  # break points whose outputs are computed together


class BreakPoint(NamedTuple):
    C_u: float
    changed: Array  # points whose code is another than at the last break point
    codes: Array
    own: Array  # points with a value of their own
    values: Array
    turned: Array  # unlabelled points, by their number among these, that flipped


@dataclass(frozen=True, slots=True)
class PathPoint:
    """The classifier at some C_u.

    Attributes
    ----------
    t : int
        Number of the break point at or before it.
    beta : ndarray of shape (n,)
        Signed duals.
    y_u : int8 ndarray of shape (u,)
    outside, inside : ndarrays of bool of shape (n,)
        Points whose dual is 0, or at its cap, all the way to the next break point.
    """

    t: int
    C_u: float
    beta: Array
    y_u: Array
    outside: Array
    inside: Array


class SolutionPath:
    """The break points of one binary classifier.

    Parameters
    ----------
    problem : FixedBiasS3VM
        Its Gram matrix is not kept.
    """

    def __init__(self, problem: FixedBiasS3VM):
        space = problem.space and replace(problem.space, K=None)
        self.problem = FixedBiasS3VM(
            None, problem.y, C=problem.C, r=problem.r, space=space
        )
        self.points: list[BreakPoint] = []
        self._codes = np.zeros(problem.n, dtype=np.int8)
        self._y_u = np.ones(len(problem.unlabeled), dtype=np.int8)

    def append(self, state: PathState) -> None:
        cap, size = self.problem.caps(state.C_u), np.abs(state.beta)
        codes = (size == cap).astype(np.int8)
        own = np.flatnonzero((size > 0) & (codes == 0))
        codes *= np.sign(state.beta).astype(np.int8)
        codes[own] = OWN
        changed = np.flatnonzero(codes != self._codes)
        turned = np.flatnonzero(state.y_u != self._y_u)
        self.points.append(
            BreakPoint(
                state.C_u,
                changed.astype(np.int32),
                codes[changed],
                own.astype(np.int32),
                state.beta[own],
                turned.astype(np.int32),
            )
        )
        self._codes, self._y_u = codes, state.y_u

    @property
    def C_u(self) -> Array:
        """All break points; a jump has two of the same value."""
        return np.array([point.C_u for point in self.points])

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for point in self.points for array in point[1:])

    def at(self, C_u: float, before: bool = False) -> PathPoint:
        """The classifier at C_u, after the jump where there is one, or before it."""
        side = "left" if before else "right"
        t = max(0, int(np.searchsorted(self.C_u, C_u, side=side)) - 1)
        left = self._codes_at(t)
        beta, right = self._beta(t, left), left
        if t + 1 < len(self.points):
            right = self._codes_at(t + 1)
            here, there = self.points[t].C_u, self.points[t + 1].C_u
            share = (C_u - here) / (there - here)
            beta = (1 - share) * beta + share * self._beta(t + 1, right)
            if here == 0:  # where 0 is the cap, too
                free = self.problem.unlabeled
                left[free] = np.where(np.abs(right[free]) == 1, right[free], left[free])
        inside = (left == right) & (np.abs(left) == 1)
        beta = np.where(inside, left * self.problem.caps(C_u), beta)
        outside = (left == 0) & (right == 0)
        return PathPoint(t, C_u, beta, self._labels_at(t), outside, inside)

    def expansions(self) -> Iterator[tuple[Array, Array]]:
        """alpha of shape (n, T) and b of shape (T,) of all break points, in blocks."""
        codes = np.zeros(self.problem.n, dtype=np.int8)
        for first in range(0, len(self.points), BLOCK):
            block = range(first, min(first + BLOCK, len(self.points)))
            A, b = np.empty((len(block), len(codes))), np.empty(len(block))
            for row, t in enumerate(block):
                codes[self.points[t].changed] = self.points[t].codes
                A[row], b[row] = self.problem.expansion(self._beta(t, codes))
            yield A.T, b

    def _codes_at(self, t) -> Array:
        codes = np.zeros(self.problem.n, dtype=np.int8)
        for point in self.points[: t + 1]:
            codes[point.changed] = point.codes
        return codes

    def _labels_at(self, t) -> Array:
        y_u = np.ones(len(self._y_u), dtype=np.int8)
        for point in self.points[: t + 1]:
            y_u[point.turned] *= -1
        return y_u

    def _beta(self, t, codes) -> Array:
        point = self.points[t]
        beta = codes * self.problem.caps(point.C_u)
        beta[point.own] = point.values
        return beta
