"""Newton's method for the piecewise quadratic problems, [MB11] section 3.1."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from ssl_core.driver import GO_ON
from ssl_core.linalg.conjugate import Point
from ssl_core.quantities import DISTANCE, gradient, quantity
from ssl_core.settings import shared
from ssl_core.solvers._columns import (
    array_field,
    bias_field,
    scalar_fields,
    start_columns,
)
from ssl_core.solvers._events import exchange, ridge_added
from ssl_core.solvers._line_search import exact_step
from ssl_core.solvers.settings import Solver, Usual
from ssl_core.trace import Event, ExpansionState, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class NewtonState(ExpansionState):
    """Snapshot of Newton's method; sums over the machines for k > 2 classes."""

    grad_norm: float = gradient(role=DISTANCE)
    n_error_vectors: int = quantity("error vectors")
    step: float = quantity(merge="mean")  # length of the step that led here


class Newton(Solver):
    """Settings of `newton`."""

    tol: float = shared(
        Usual,
        doc="The run ends when at most this share of the labelled points enters or "
        "leaves the set of error vectors; also the threshold of a rule given by name.",
        help="The run ends when at most this share of the labelled points becomes or "
        "ceases to be an error vector; also the threshold of a rule.",
    )

    def __call__(self, problem, start=None):
        return newton(problem, tol=self.tol, start=start)


def newton(
    problem, *, tol: float = Newton.tol, start: ExpansionState | None = None
) -> Iterator[NewtonState]:
    """Newton's method, [MB11] eq. (8), for every problem with a `reduce()`.

    [MB11] eq. (10) solves an (n + 1) x (n + 1) system for every set of error vectors
    E. Here G = gamma_A I + gamma_I L K is factored once, and each step solves a system
    in the residuals of E and the bias (see `problems.laplacian.Reduction`):

        [ I + Q_EE   -q_E ] [ r_E ]   [ -y_E ]
        [   q_E'      c   ] [  b  ] = [   0  ]

    A bias that does not move has no row and no column, and its outputs move to the
    right: (I + Q_EE) r_E = q_E b - y_E. With costs 1 / c stands in the place of I; the
    system is solved in r / sqrt(c), where it keeps its I.

    The step is 1 where that descends, else found by exact line search: on COIL20(B)
    full steps take 2.5 iterations (the paper's Table 5 has 2.67), line searches 5.7.
    Convergence is declared when the Newton point leaves E unchanged, as in the paper:
    it is then the exact minimiser. The squared loss has a fixed E and converges
    in one step.

    Parameters
    ----------
    problem : LapSVM, LapRLSC, SVM or RLSC
    tol : float
        E also counts as unchanged where at most this share of the labelled points
        enters or leaves it, provided that the Newton point is lower; the paper asks
        for the same E.
    """
    point = _start(problem, start)
    errors = problem.error_vectors(point.F)
    k = problem.k
    step, done, stalled = np.zeros(k), np.zeros(k, dtype=bool), False
    events: list[Event] = []
    system = None
    for t in count():
        state = _state(problem, t, point, errors, step, done, tuple(events))
        if done.all():
            status = Status.STALLED if stalled else Status.CONVERGED
            yield replace(state, status=status)
            return
        orders = (yield state) or GO_ON
        events = []
        if orders.resting is not None:
            done = done | orders.resting
        if system is None:
            system = _NewtonSystem(problem)
            events += system.events
        target = system.targets(errors, point.b)
        # A target with the error vectors it was computed for is the minimiser itself.
        moved = problem.error_vectors(target.F) != errors
        exact = ~moved.any(axis=0)
        near = moved.sum(axis=0) <= tol * len(moved)
        # The full step, as in the paper, wherever it descends; a target depends on its
        # error vectors alone, so that none is met twice and the method is finite.
        lower = problem.objective(*target) < problem.objective(*point)
        step = np.where((exact | lower) & ~done, 1.0, 0.0)
        for j in np.flatnonzero(~exact & ~lower & ~done):
            step[j] = _line_search(problem, j, point, target)
        pairs = zip(point, target, strict=True)
        point = Point._make(now + step * (new - now) for now, new in pairs)
        before, errors = errors, problem.error_vectors(point.F)
        stuck = (step == 0.0) & ~done
        stalled = stalled or bool(stuck.any())
        done = done | exact | (near & lower) | stuck
        events += exchange("error vectors", before, errors)


def _start(problem, start) -> Point:
    alpha, b = start_columns(problem, start)
    F = problem.outputs(alpha, b)
    return Point(alpha, b, F, problem.L_product(F))


class _NewtonSystem:
    """[MB11] eq. (10) reduced to the labelled points: factored once, for every E."""

    def __init__(self, problem):
        self.problem, self.reduction = problem, problem.reduce()
        self.Q, self.q = self.reduction.Q, self.reduction.q
        self.root = np.sqrt(problem.cost)

    @property
    def events(self) -> list[Event]:
        ridge = self.reduction.ridge
        return [ridge_added(ridge)] if ridge else []

    def targets(self, errors, b) -> Point:
        """Minimiser of each machine's quadratic piece, [MB11] eq. (10) and (14)."""
        problem = self.problem
        R, b_new = np.zeros(errors.shape), b.copy()
        for j in range(problem.k):
            E = np.flatnonzero(errors[:, j])
            Q, q, y = self._piece(E, problem.Y_labeled[E, j])
            if problem.bias.moves:
                R[E, j], b_new[j] = self._with_bias(Q, q, y, b[j])
            else:
                R[E, j] = _solution(Q + np.eye(len(E)), q * b[j] - y)
            if problem.weighted:
                R[E, j] *= self.root[E]
        alpha, F = self.reduction.expand(R, b_new)
        return Point(alpha, b_new, F, problem.L_product(F))

    def _piece(self, E, y):
        """Q_EE, q_E and y_E times the roots of the costs."""
        Q, q = self.Q[np.ix_(E, E)], self.q[E]
        if not self.problem.weighted:
            return Q, q, y
        root = self.root[E]
        return root[:, None] * Q * root, root * q, root * y

    def _with_bias(self, Q, q, y, b):
        """Residuals r_E and the bias; b where nothing holds it."""
        if len(y) == 0 and self.reduction.curvature_b <= 0:
            return np.zeros(0), b
        system = np.empty((len(y) + 1, len(y) + 1))
        system[:-1, :-1] = Q
        system[np.arange(len(y)), np.arange(len(y))] += 1.0
        system[:-1, -1] = -q
        system[-1, :-1] = q
        system[-1, -1] = self.reduction.curvature_b
        solution = _solution(system, np.append(-y, 0.0))
        return solution[:-1], solution[-1]


def _solution(system, right):
    """Of a system that rounding may have made singular, the one of least size."""
    try:
        return np.linalg.solve(system, right)
    except np.linalg.LinAlgError:
        return np.linalg.lstsq(system, right)[0]


def _line_search(problem, j, point: Point, target: Point) -> float:
    """Exact step from the current point of machine j towards its target."""
    alpha, b, F, LF = point
    Fd, d = target.F[:, j] - F[:, j], target.alpha[:, j] - alpha[:, j]
    Kd = Fd - (target.b[j] - b[j])
    LFd = target.LF[:, j] - LF[:, j]
    slope = problem.penalty(alpha[:, j] @ Kd, Fd @ LF[:, j])
    curvature = problem.penalty(d @ Kd, Fd @ LFd)
    L = problem.labeled
    search, _ = exact_step(
        problem.loss.name,
        F[L, j].copy(),
        Fd[L].copy(),
        problem.Y_labeled[:, j].copy(),
        problem.cost,
        slope,
        curvature,
    )
    return search.step if np.isfinite(search.step) else 0.0


def _state(problem, t, point, errors, step, done, events) -> NewtonState:
    alpha, b, F, LF = point
    fields = scalar_fields(
        NewtonState,
        ~done,
        objective=problem.objective(alpha, b, F, LF),
        grad_norm=problem.gradient_norm(alpha, F, LF),
        n_error_vectors=errors.sum(axis=0),
        step=step,
    )
    return NewtonState(
        t=t,
        f=array_field(F),
        alpha=array_field(alpha),
        b=bias_field(b),
        events=events,
        **fields,
    )
