"""Complete labellings for [CSK08] section 3: made, checked, improved and trained."""

from dataclasses import dataclass

import numpy as np

from ssl_core.linalg.pivots import train_from_zero
from ssl_core.problems.probabilities import balanced_labels
from ssl_core.trace import Array

ROUNDINGS = 16  # of the largest value of K; a smaller ridge would be lost beside it
SWITCH_TOL = 1e-10  # pairs whose losses differ by rounding only are left alone


@dataclass(frozen=True, slots=True)
class TrainedLabeling:
    """A machine trained on complete labels y (n,), and its [CSK08] eq. (1)."""

    value: float
    y: Array
    y_u: Array
    alpha: Array
    b: float
    f: Array


class Labelings:
    """Labels of all points, and the machines that belong to them.

    Attributes
    ----------
    A : ndarray of shape (n + 1, n + 1)
        The dual's matrix, see `linalg.pivots`.
    ridge : ndarray of shape (n,)
        1 / (2 c_i), with C for labelled and C_u for other points.
    """

    def __init__(self, problem):
        _check(problem)
        self.problem = problem
        y, n = problem.y, len(problem.y)
        self.given = y.astype(np.int8)
        # Beside huge values of K a small ridge is lost, and the pivots divide by what
        # it leaves of points that lie together.
        least = ROUNDINGS * np.spacing(np.abs(np.diagonal(problem.K)).max())
        ridge = np.where(y != 0, 0.5 / problem.C, 0.5 / problem.C_u)
        self.ridge = np.maximum(ridge, least)
        self.A = np.ones((n + 1, n + 1))
        self.A[:n, :n] = problem.K
        self.A[n, n] = 0.0
        self.A.flat[: n * (n + 1) : n + 2] += self.ridge
        self._tried = set()

    def first(self, labels, start) -> Array:
        """The caller's labels, or by the outputs of a state or the labelled points."""
        if labels is not None:
            return _checked(labels, self.problem)
        f = np.zeros(len(self.given))
        if start is not None:
            f = start.f
        elif self.given.any():
            train_from_zero(self.A, self.given, self.ridge, np.empty(len(f) + 1), f)
        return completed(self.given, f, self.problem.n_positive)

    def spread(self) -> Array:
        """Labels that spread from neighbour to neighbour, as many as the balance asks.

        Again and again the free point nearest to a labelled one takes its label, until
        its class is full: single linkage, in the distances of the kernel.
        """
        y, K = self.given.copy(), self.problem.K
        squares = np.diagonal(K)
        free = y == 0
        left = {1: self.problem.n_positive}
        left[-1] = np.count_nonzero(free) - left[1]
        nearest = {label: np.full(len(y), np.inf) for label in left}  # squared
        newest = np.flatnonzero(y).tolist()
        while True:
            for i in newest:
                distances = squares + squares[i] - 2.0 * K[i]
                np.minimum(nearest[y[i]], distances, out=nearest[y[i]])
            if not free.any():
                return y
            rows = np.flatnonzero(free)
            label = min(
                (label for label in left if left[label]),
                key=lambda label: nearest[label][rows].min(),
            )
            i = rows[nearest[label][rows].argmin()]
            y[i], free[i], newest = label, False, [i]
            left[label] -= 1

    def machine(self, y, beta) -> TrainedLabeling:
        """The machine with these coefficients, and [CSK08] eq. (1) at its labels."""
        alpha, b = beta[:-1].copy(), float(beta[-1])
        f = self.problem.K @ alpha + b
        losses = np.maximum(0.0, 1.0 - y * f) ** 2 @ (0.5 / self.ridge)
        value = float(0.5 * alpha @ (f - b) + losses)
        return TrainedLabeling(value, y.copy(), y[self.problem.unlabeled], alpha, b, f)

    def switched(self, y) -> TrainedLabeling | None:
        """Train and exchange all pairs of [CSK08] eq. (6) until none is left.

        Every switch lowers the objective. None where the way leads over labels that
        were tried before: it ends where it ended then.
        """
        unlabeled = self.problem.unlabeled
        beta, f = np.empty(len(y) + 1), np.empty(len(y))
        y, best, found = y.copy(), np.inf, None
        while y.tobytes() not in self._tried:
            self._tried.add(y.tobytes())
            value = train_from_zero(self.A, y, self.ridge, beta, f)
            if value >= best:
                break
            best, found = value, (y.copy(), beta.copy())
            loss = np.maximum(0.0, 1.0 - f) ** 2 - np.maximum(0.0, 1.0 + f) ** 2
            i, j = (unlabeled[y[unlabeled] == label] for label in (1, -1))
            i, j = i[np.argsort(-loss[i])], j[np.argsort(loss[j])]
            m = min(len(i), len(j))
            m = np.count_nonzero(loss[i[:m]] > loss[j[:m]] + SWITCH_TOL)
            y[i[:m]], y[j[:m]] = -1, 1
        return None if found is None else self.machine(*found)


def completed(y, f, n_positive) -> Array:
    """Labels y with the free ones by the balance: +1 for the largest outputs."""
    y = y.copy()
    free = np.flatnonzero(y == 0)
    y[free] = balanced_labels(f[free], n_positive)
    return y


def _check(problem):
    u = len(problem.unlabeled)
    if not 0 <= problem.n_positive <= u:
        raise ValueError(
            f"n_positive must be between 0 and the number of unlabelled points, {u}, "
            f"got {problem.n_positive}."
        )
    for name in ("C", "C_u"):
        if not getattr(problem, name) > 0:
            raise ValueError(f"{name} must be > 0, got {getattr(problem, name)}.")


def _checked(labels, problem) -> Array:
    """All labels, of shape (n,), from the caller's for the unlabelled points."""
    labels, u = np.asarray(labels), len(problem.unlabeled)
    if labels.shape != (u,) or not np.isin(labels, (-1, 1)).all():
        raise ValueError(
            f"incumbent must hold a label -1 or +1 for each of the {u} unlabelled "
            f"points, got an array of shape {labels.shape} with the values "
            f"{np.unique(labels)[:5].tolist()}."
        )
    found = int((labels == 1).sum())
    if found != problem.n_positive:
        raise ValueError(
            f"incumbent must have n_positive = {problem.n_positive} positive labels, "
            f"got {found}."
        )
    y = problem.y.astype(np.int8)
    y[problem.unlabeled] = labels
    return y
