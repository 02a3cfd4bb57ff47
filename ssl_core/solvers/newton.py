"""Newton's method for the piecewise quadratic problems, [MB11] section 3.1."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from ssl_core.driver import GO_ON
from ssl_core.quantities import DISTANCE, gradient, quantity
from ssl_core.solvers._columns import (
    array_field,
    bias_field,
    scalar_fields,
    start_columns,
)
from ssl_core.solvers._events import exchange, ridge_added
from ssl_core.solvers._line_search import exact_step
from ssl_core.trace import Event, ExpansionState, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class NewtonState(ExpansionState):
    """Snapshot of Newton's method; sums over the machines for k > 2 classes."""

    grad_norm: float = gradient(role=DISTANCE)
    n_error_vectors: int = quantity("error vectors")
    step: float = quantity(merge="mean")  # length of the step that led here


def newton(
    problem,
    *,
    start: ExpansionState | None = None,
) -> Iterator[NewtonState]:
    """Newton's method for every problem with a `reduce()`.

    [MB11] eq. (10) solves an (n + 1) x (n + 1) system for every set of error vectors
    E. Here G = gamma_A I + gamma_I L K is factored once, and each step solves a system
    in the residuals of E and the bias (see `problems.laplacian.Reduction`):

        [ I + Q_EE   -q_E ] [ r_E ]   [ -y_E ]
        [   q_E'      c   ] [  b  ] = [   0  ]

    A bias that does not move has no row and no column, and its outputs move to the
    right: (I + Q_EE) r_E = q_E b - y_E.

    The step is 1 where that descends, else found by exact line search: on COIL20(B)
    full steps take 2.5 iterations (the paper's Table 5 has 2.67), line searches 5.7.
    Convergence is declared when the Newton point leaves E unchanged, as in the paper:
    it is then the exact minimiser. The squared loss has a fixed E and converges
    in one step.

    Parameters
    ----------
    problem : LapSVM, LapRLSC, SVM or RLSC
    """
    alpha, b = start_columns(problem, start)
    F = problem.outputs(alpha, b)
    LF = problem.L_product(F)
    errors = problem.error_vectors(F)
    k = problem.k
    step, done, stalled = np.zeros(k), np.zeros(k, dtype=bool), False
    events: list[Event] = []
    reduction = None
    for t in count():
        state = _state(problem, t, alpha, b, F, LF, errors, step, done, tuple(events))
        if done.all():
            status = Status.STALLED if stalled else Status.CONVERGED
            yield replace(state, status=status)
            return
        orders = (yield state) or GO_ON
        if orders.resting is not None:
            done = done | orders.resting
        events = []
        if reduction is None:
            reduction = problem.reduce()
            Q, q = reduction.Q, reduction.q
            if reduction.ridge:
                events.append(ridge_added(reduction.ridge))
        alpha_new, b_new, F_new = _targets(problem, reduction, Q, q, errors, b)
        LF_new = problem.L_product(F_new)
        # A target with the error vectors it was computed for is the minimiser itself.
        exact = (problem.error_vectors(F_new) == errors).all(axis=0)
        # The full step, as in the paper, wherever it descends; a target depends on its
        # error vectors alone, so that none is met twice and the method is finite.
        now = problem.objective(alpha, b, F, LF)
        lower = problem.objective(alpha_new, b_new, F_new, LF_new) < now
        step = np.where((exact | lower) & ~done, 1.0, 0.0)
        for j in np.flatnonzero(~exact & ~lower & ~done):
            step[j] = _line_search(
                problem, j, alpha, b, F, LF, alpha_new, b_new, F_new, LF_new
            )
        alpha = alpha + step * (alpha_new - alpha)
        b = b + step * (b_new - b)
        F = F + step * (F_new - F)
        LF = LF + step * (LF_new - LF)
        before, errors = errors, problem.error_vectors(F)
        stuck = (step == 0.0) & ~done
        stalled = stalled or bool(stuck.any())
        done = done | exact | stuck
        entered = int((errors & ~before).sum())
        left = int((before & ~errors).sum())
        if entered or left:
            events.append(exchange("error vectors", entered, left))


def _targets(problem, reduction, Q, q, errors, b):
    """Minimiser of the quadratic piece of every machine, [MB11] eq. (10)."""
    n_labeled, k = errors.shape
    R, b_new = np.zeros((n_labeled, k)), b.copy()
    for j in range(k):
        E = np.flatnonzero(errors[:, j])
        if not problem.bias.moves:
            system = Q[np.ix_(E, E)] + np.eye(len(E))
            R[E, j] = np.linalg.solve(system, q[E] * b[j] - problem.Y_labeled[E, j])
            continue
        system = np.empty((len(E) + 1, len(E) + 1))
        system[:-1, :-1] = Q[np.ix_(E, E)]
        system[np.arange(len(E)), np.arange(len(E))] += 1.0
        system[:-1, -1] = -q[E]
        system[-1, :-1] = q[E]
        system[-1, -1] = reduction.curvature_b
        if len(E) == 0 and reduction.curvature_b <= 0:
            continue  # nothing holds the bias: it stays
        right = np.append(-problem.Y_labeled[E, j], 0.0)
        solution = np.linalg.solve(system, right)
        R[E, j], b_new[j] = solution[:-1], solution[-1]
    alpha, F = reduction.expand(R, b_new)
    return alpha, b_new, F


def _line_search(problem, j, alpha, b, F, LF, alpha_new, b_new, F_new, LF_new):
    """Exact step from the current point of machine j towards its target."""
    Fd, d = F_new[:, j] - F[:, j], alpha_new[:, j] - alpha[:, j]
    Kd = Fd - (b_new[j] - b[j])
    LFd = LF_new[:, j] - LF[:, j]
    slope = problem.penalty(alpha[:, j] @ Kd, Fd @ LF[:, j])
    curvature = problem.penalty(d @ Kd, Fd @ LFd)
    L = problem.labeled
    search, _ = exact_step(
        problem.loss.name,
        F[L, j].copy(),
        Fd[L].copy(),
        problem.Y_labeled[:, j].copy(),
        np.ones(len(L)),
        slope,
        curvature,
    )
    return search.step if np.isfinite(search.step) else 0.0


def _state(problem, t, alpha, b, F, LF, errors, step, done, events) -> NewtonState:
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
