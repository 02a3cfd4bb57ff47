"""The S3VM path as a scikit-learn classifier: every C* on it is a model."""

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ssl_core.estimators._solution_path import SolutionPath
from ssl_core.estimators.base import SemiSupervisedClassifier
from ssl_core.estimators.groups import ClassRatio, Stopping, Weights
from ssl_core.estimators.linear import linear_instead
from ssl_core.estimators.spaces import Kernel
from ssl_core.features import Space
from ssl_core.kernels import BLOCK_BYTES
from ssl_core.problems.s3vm_path import FixedBiasS3VM
from ssl_core.settings import check_number, shared, switch
from ssl_core.solvers.one_vs_rest import one_vs_rest, side_by_side
from ssl_core.solvers.s3vm_path import CONTINUOUS, PathState, s3vm_path
from ssl_core.trace import Array, Status, decide_stack

KEPT_BYTES = 2**28  # of a Gram matrix that `at` keeps for its next call


@dataclass(frozen=True, slots=True)
class BestInterval:
    """Where on the path the validation error is least.

    Attributes
    ----------
    error : float
    intervals : tuple of (low, high)
        All C_u with that error: from ``low`` up to, but not at, ``high``, unless the
        path ends there.
    C_u : float
        The middle of the widest of them.
    """

    error: float
    intervals: tuple[tuple[float, float], ...]
    C_u: float


class S3VMPathClassifier(SemiSupervisedClassifier):
    """Semi-supervised SVM along the whole path of C_u from 0 to C, [OITS13].

        1/2 |w|^2 + C sum_labeled max(0, 1 - y f) + C_u sum_unlabeled max(0, 1 - |f|)

    with b fixed at 2r - 1. The path of local minima is piecewise linear in C_u and
    jumps where an unlabelled point reaches f = 0. `fit` ends with C_u = C; `at` gives
    the machine at any C_u, and `best` finds where the validation error is least. Both
    are exact, however few states a recording keeps.

    Attributes
    ----------
    path_ : list of SolutionPath
        The break points of every binary classifier, one for two classes.
    """

    _space_kind = Kernel
    _state = PathState
    _matrix: ClassVar[Array | None] = None
    _max_iter_advice = "raise max_iter"

    kernel: str | Callable = shared(Kernel)
    sigma: float | str = shared(Kernel)
    degree: int = shared(Kernel)
    coef0: float = shared(Kernel)
    C: float = shared(
        Weights,
        default=1.0,
        doc="Weight of the labelled points, and where the path ends.",
        at_least=None,
        at_most=None,
        above=0,
        title="Weight C",
        help="Weight C of the labelled points, and the last C* of the others.",
        up="labels fitted more exactly, and a path to a larger C*",
    )
    r: Any = shared(ClassRatio)
    centered: bool = switch(
        False,
        "Centre the kernel on the unlabelled points, so that their mean output is "
        "2r - 1; the paper does not.",
        title="Keep the class ratio",
        help="Centre the kernel, so that the share r holds for the outputs.",
        up="a mean output of 2r - 1 on the unlabelled points",
    )
    stop: Any = shared(Stopping)
    max_iter: int = shared(
        Stopping,
        default=100_000,
        doc="Maximum number of break points.",
        slider=(1, 100_000),
    )
    check_every: int | None = shared(Stopping)
    stop_per_class: bool = shared(Stopping)

    def at(self, C_u: float, *, before: bool = False) -> Self:
        """The classifier at any C_u, exactly and without training.

        Parameters
        ----------
        C_u : float
            Between 0 and C, or where the run began and ended.
        before : bool, default=False
            Where a jump stands at C_u: the classifier that leads up to it, not the one
            that it leads to.

        Returns
        -------
        est : S3VMPathClassifier
            Fitted: it predicts with ``state_``, the `PathState` at C_u, whose ``t`` is
            the number of the break point at or before it. It has the whole path, too.
        """
        check_is_fitted(self, "path_")
        check_number("C_u", C_u, at_least=0)
        start, end = self._ends()
        if not start <= C_u <= end:
            side, word = ("most", "ends") if C_u > end else ("least", "begins")
            place = end if C_u > end else start
            raise ValueError(
                f"C_u must be at {side} {place:g}, where this path {word}, got {C_u:g}."
            )
        states = [self._state_at(path, float(C_u), before) for path in self.path_]
        found = copy(self)
        found.state_ = states[0]
        if len(states) > 1:
            merged = next(side_by_side([iter([state]) for state in states]))
            found.state_ = replace(merged, t=max(state.t for state in states))
        return found

    def best(self, X_val, y_val) -> BestInterval:
        """All C_u of least error on validation points, exactly.

        Outputs are linear between break points, hence decisions change at the roots of
        linear functions and nowhere else.

        Parameters
        ----------
        X_val : {array-like, sparse matrix} of shape (m, d)
        y_val : array-like of shape (m,)
            Points that are none of the classes (unlabelled ones) are left out.
        """
        check_is_fitted(self, "path_")
        X, y = self._watched(X_val, y_val, "val")
        several = len(self.path_) > 1
        known = y != (-1 if several else 0)
        if not known.any():
            raise ValueError(
                "y_val must have a point of one of the classes, got none of them."
            )
        X, y = X[known], y[known]
        count = wrong_of_several if several else wrong_of_two
        breaks = sum(len(path.points) for path in self.path_)
        step = max(16, 8 * BLOCK_BYTES // (8 * (self.model_.X.shape[0] + 8 * breaks)))
        places, changes = [], []
        for first in range(0, len(y), step):
            rows = slice(first, first + step)
            C_u, left, right = self._pieces(self.model_.matrix(X[rows]))
            for kept, found in zip(
                (places, changes), count(C_u, left, right, y[rows]), strict=True
            ):
                kept.append(found)
        found = np.concatenate(places), np.concatenate(changes)
        return _least(*found, C_u[-1], len(y))

    def lighter(self):
        return linear_instead(self)

    def _check_task(self, task):
        super()._check_task(task)
        ClassRatio.of(self).check_machines(task.Y.shape[1])

    def _beside(self, size):
        return 0.5 * size.machines  # the points on the margin, and their inverse

    def _solve(self, task) -> Iterator[PathState]:
        K = self._space().matrix(task, self.model_, task.notes)
        space, unlabeled = Space(K), np.flatnonzero(task.unlabeled)
        if self.centered and len(unlabeled):
            space = space.centred(unlabeled)
        self._ridge = sum(e.data["ridge"] for e in task.notes if e.kind == "ridge")
        self._matrix = None
        self.path_ = []

        def make(j, y, start):
            r = ClassRatio.of(self).of_machine(j)
            problem = FixedBiasS3VM(space.K, y, C=self.C, r=r, space=space)
            self.path_.append(SolutionPath(problem))
            return _kept(s3vm_path(problem, start=start), self.path_[-1])

        return one_vs_rest(task.Y, task.start, make)

    def _ends(self) -> tuple[float, float]:
        """What all machines have: a seeded path begins at its seed."""
        starts = [path.points[0].C_u for path in self.path_]
        return max(starts), min(path.points[-1].C_u for path in self.path_)

    def _state_at(self, path, C_u, before) -> PathState:
        place, problem = path.at(C_u, before), path.problem
        alpha, b = problem.expansion(place.beta)
        free = problem.unlabeled
        inside_u = int(place.inside[free].sum())
        on_margin = ~(place.inside | place.outside)
        state = PathState(
            t=place.t,
            objective=0.0,
            f=None,
            alpha=alpha,
            b=b,
            C_u=C_u,
            y_u=place.y_u,
            beta=place.beta,
            step_kind=CONTINUOUS,
            flipped=(),
            n_O=int(place.outside.sum()),
            n_M=int(on_margin.sum()),
            n_I_l=int(place.inside.sum()) - inside_u,
            n_I_u=inside_u,
            on_margin=on_margin,
            lens=problem.lens(place.y_u, C_u),
            status=Status.FINISHED if C_u == problem.C else Status.RUNNING,
        )
        f = self._training_outputs(state) + self._ridge * alpha
        objective = problem.objective(place.beta, f, place.y_u, C_u)
        return replace(state, f=f, objective=objective)

    def _training_outputs(self, state) -> Array:
        """Outputs on the training points; a small Gram matrix is kept from now on."""
        if self._matrix is None and 8 * len(state.alpha) ** 2 > KEPT_BYTES:
            return self.model_.outputs([state], self.model_.X)[0]
        if self._matrix is None:
            self._matrix = self.model_.matrix(self.model_.X)
        return self._matrix @ state.alpha + state.b

    def __getstate__(self):
        state = super().__getstate__()
        return {**state, "_matrix": None} if "_matrix" in state else state

    def _pieces(self, K) -> tuple[Array, Array, Array]:
        """Outputs at both ends of every piece on which all machines are linear.

        Parameters
        ----------
        K : ndarray of shape (m, n)
            Kernel values between the points asked about and the training points.

        Returns
        -------
        C_u : ndarray of shape (T + 1,)
        left, right : ndarrays of shape (T, m, k)
            At C_u[t], after the jump where there is one, and at C_u[t + 1] before it.
        """
        known = [path.C_u for path in self.path_]
        C_u = np.unique(np.concatenate(known))
        start, end = self._ends()
        C_u = C_u[(C_u >= start) & (C_u <= end)]
        if len(C_u) == 1:  # stopped at its start
            C_u = np.repeat(C_u, 2)
        left = np.empty((len(C_u) - 1, len(K), len(known)))
        right = np.empty_like(left)
        for j, path in enumerate(self.path_):
            F = np.concatenate([(K @ alpha + b).T for alpha, b in path.expansions()])
            here = np.searchsorted(known[j], C_u[:-1], side="right") - 1
            there = np.minimum(here + 1, len(F) - 1)
            width = known[j][there] - known[j][here]
            for ends, at in ((left, C_u[:-1]), (right, C_u[1:])):
                share = (at - known[j][here]) / np.where(width > 0, width, 1.0)
                share = share[:, None]
                ends[:, :, j] = (1 - share) * F[here] + share * F[there]
        return C_u, left, right


def _kept(states, path: SolutionPath) -> Iterator[PathState]:
    """The states of a run, each put down in its path."""
    for state in states:
        path.append(state)
        yield state


def wrong_of_two(C_u, left, right, y) -> tuple[Array, Array]:
    """Where on the path, and by how much, the number of wrong decisions changes."""
    left, right = left[..., 0], right[..., 0]
    before, after = (decide_stack(F, multiclass=False) for F in (left, right))
    t, i = np.nonzero(before != after)
    share = left[t, i] / (left[t, i] - right[t, i])
    at_roots = C_u[t] + share * (C_u[t + 1] - C_u[t])
    changes = np.where(after[t, i] == y[i], -1, 1)
    return _with_starts(C_u, before != y, after != y, at_roots, changes)


def wrong_of_several(C_u, left, right, y) -> tuple[Array, Array]:
    """The same for the largest of several outputs."""
    before, after = (decide_stack(F, multiclass=True) for F in (left, right))
    at_roots, changes = [], []
    for t, i in np.argwhere(before != after):
        low, slope = left[t, i], right[t, i] - left[t, i]
        j, last, share = before[t, i], after[t, i], 0.0
        while j != last:  # along the upper envelope of k lines
            j_before = j
            faster = np.flatnonzero(slope > slope[j])
            meets = (low[j] - low[faster]) / (slope[faster] - slope[j])
            # Of lines that meet it at once the steepest goes on. Rounding can hide
            # where the last one comes in: at the end of the piece it is the largest.
            order = np.lexsort((-slope[faster], meets))
            if order.size and meets[order[0]] < 1:
                j, share = faster[order[0]], max(share, meets[order[0]])
            else:
                j, share = last, 1.0
            at_roots.append(C_u[t] + share * (C_u[t + 1] - C_u[t]))
            changes.append(int(j_before == y[i]) - int(j == y[i]))
    roots, changes = np.array(at_roots), np.array(changes, dtype=int)
    return _with_starts(C_u, before != y, after != y, roots, changes)


def _with_starts(C_u, wrong_before, wrong_after, at_roots, changes):
    """Changes at the starts of pieces, where jumps are, together with the roots."""
    at_start, at_end = wrong_before.sum(axis=1), wrong_after.sum(axis=1)
    at_start[1:] -= at_end[:-1]
    return np.append(C_u[:-1], at_roots), np.append(at_start, changes)


def _least(C_u, changes, end, n_points) -> BestInterval:
    """The intervals on which a sum of steps is least."""
    order = np.argsort(C_u, kind="stable")
    low, counts = C_u[order], np.cumsum(changes[order])
    high = np.append(low[1:], end)
    real = high > low if end > low[0] else np.arange(len(low)) == len(low) - 1
    least = counts[real].min()
    intervals: list[tuple[float, float]] = []
    for k in np.flatnonzero(real & (counts == least)):
        start = float(low[k])
        if intervals and intervals[-1][1] == start:
            start, _ = intervals.pop()
        intervals.append((start, float(high[k])))
    widest = max(intervals, key=lambda interval: interval[1] - interval[0])
    return BestInterval(float(least / n_points), tuple(intervals), sum(widest) / 2)
