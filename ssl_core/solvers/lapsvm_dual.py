"""LapSVM in the dual: hinge loss, a QP on the l labelled variables, [MB11] 2.1."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from ssl_core.driver import GO_ON
from ssl_core.linalg.box import box_sweep
from ssl_core.linalg.smo import smo_sweep
from ssl_core.losses import Hinge
from ssl_core.quantities import DISTANCE, MARKS, quantity
from ssl_core.settings import shared
from ssl_core.solvers._columns import array_field, bias_field, scalar_fields
from ssl_core.solvers._events import ridge_added
from ssl_core.solvers.settings import Solver, Usual
from ssl_core.trace import Array, ExpansionState, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class DualState(ExpansionState):
    """Snapshot after a sweep of pair updates; `objective` is [MB11] eq. (4)."""

    # (n,) or (n, k) dual variables from 0 to the cost, 0 where unlabelled
    beta: Array | None = quantity(role=MARKS)
    dual_objective: float
    gap: float  # primal - dual, 0 at the optimum
    violation: float = quantity(  # of the optimality conditions
        merge="max",
        role=DISTANCE,
        sentence="The optimality conditions are violated by {value}.",
    )
    n_support: int = quantity("support vectors")


class DualAscent(Solver):
    """Settings of `lapsvm_dual`."""

    tol: float = shared(
        Usual,
        doc="Largest violation of the optimality conditions.",
        slider=(1e-12, 1e-1),
        extra=(),
    )

    def __call__(self, problem, start=None):
        return lapsvm_dual(problem, tol=self.tol, start=start)


def lapsvm_dual(
    problem, *, tol: float = DualAscent.tol, start: DualState | None = None
) -> Iterator[DualState]:
    """Solve [MB11] eq. (4) through its dual, [MB11] eq. (5) and (6), by SMO.

        min_alpha,b  sum_labeled max(0, 1 - y f) + gamma_A a'Ka + gamma_I a'KLKa

    The paper prints (2 gamma_A I + 2 gamma_I K L)^-1 there; cancelling K from the line
    above it leaves L K, which is what is used here (and in [BNS06]). As in the paper
    the intrinsic norm of the dual does not see the bias, whether it moves or not.

    Where the bias does not move, the equality constraint y'beta = 0 goes and c replaces
    1 in the dual:

        max_beta  c'beta - 1/2 beta'Q beta,   0 <= beta <= 1,   c = 1 - y b

    The cost of a point, where it is not 1, is the upper limit of its beta.

    Each state is one sweep of l pair updates; ``tol`` bounds the violation of the
    optimality conditions. Where no support vector is free, b is the midpoint of the
    interval that the conditions allow.
    """
    reduction = problem.reduce()
    events = (ridge_added(reduction.ridge),) if reduction.ridge else ()
    dual = _Dual(problem, reduction.Q / 2, _start_beta(problem, start))
    moving = dual.violation > tol
    for t in count():
        state = _state(problem, reduction, t, dual, moving, events)
        if not moving.any():
            yield replace(state, status=Status.CONVERGED)
            return
        orders = (yield state) or GO_ON
        if orders.resting is not None:
            moving &= ~orders.resting
        events = ()
        for j in np.flatnonzero(moving):
            dual.sweep(j, tol, len(problem.labeled))
        moving &= dual.violation > tol


class _Dual:
    """The QP of each machine, [MB11] eq. (6), and where its variables stand.

    Attributes
    ----------
    beta : ndarray of shape (l, k)
    grads : list of ndarray of shape (l,)
        Q beta - c of each machine, Q = Y J K Z Y / 2.
    violation : ndarray of shape (k,)
        Of the optimality conditions.
    """

    def __init__(self, problem, S, beta):
        Y, c = problem.Y_labeled, _linear_term(problem)
        columns = range(problem.k)
        self.beta, self.Y, self.tied = beta, Y, problem.bias.moves
        self.upper = problem.cost
        self.quadratics = [Y[:, j, None] * S * Y[None, :, j] for j in columns]
        self.grads = [self.quadratics[j] @ beta[:, j] - c[:, j] for j in columns]
        self.violation = np.full(problem.k, np.inf)
        for j in columns:
            self.sweep(j, np.inf, 1)  # measures alone: everything is below tol

    def sweep(self, j, tol, n_updates):
        """Up to ``n_updates`` of machine j; in pairs where y'beta = 0 ties them."""
        Q, column, grad = self.quadratics[j], self.beta[:, j].copy(), self.grads[j]
        if self.tied:
            y = self.Y[:, j].copy()
            found = smo_sweep(Q, y, column, grad, self.upper, tol, n_updates)
        else:
            found = box_sweep(Q, column, grad, self.upper, tol, n_updates)
        self.violation[j], _ = found
        self.beta[:, j] = column


def _linear_term(problem):
    """c of the dual, (l, k): 1 for a free bias, which y'beta = 0 removes."""
    return 1.0 - problem.Y_labeled * problem.bias.impose(np.zeros(problem.k))


def _start_beta(problem, start):
    """Zeros, or a seed's beta made feasible for these labels, of shape (l, k)."""
    if start is None:
        return np.zeros(problem.Y_labeled.shape)
    seed = getattr(start, "beta", None)
    if seed is None or np.size(seed) != problem.n * problem.k:
        raise ValueError(
            f"start must be a state of lapsvm_dual on the same {problem.n} points and "
            f"{problem.k} machine(s) with its arrays kept, got {type(start).__name__}."
        )
    beta = np.array(seed, dtype=float).reshape(problem.n, -1)[problem.labeled]
    beta = np.minimum(beta, problem.cost[:, None])
    if not problem.bias.moves:
        return beta
    # A changed label breaks y'beta = 0; shrinking the heavier side restores it.
    positive = np.where(problem.Y_labeled > 0, beta, 0.0).sum(axis=0)
    negative = beta.sum(axis=0) - positive
    lighter = np.minimum(positive, negative)
    for side, weight in ((1, positive), (-1, negative)):
        scale = lighter / np.where(weight > 0, weight, 1.0)
        beta *= np.where(problem.Y_labeled == side, scale, 1.0)
    return beta


def _bias(y, grad, beta, upper):
    """b with the optimality conditions: from the free variables, else a midpoint."""
    value = -y * grad  # y_i - f0_i, f0 without bias
    free = (beta > 0) & (beta < upper)
    if free.any():
        return float(value[free].mean())
    up = ((y > 0) & (beta < upper)) | ((y < 0) & (beta > 0))
    low = ((y > 0) & (beta > 0)) | ((y < 0) & (beta < upper))
    bounds = [value[up].max()] if up.any() else []
    bounds += [value[low].min()] if low.any() else []
    return float(np.mean(bounds))


def _state(problem, reduction, t, dual: _Dual, moving, events) -> DualState:
    Y, k, beta, grads = problem.Y_labeled, problem.k, dual.beta, dual.grads
    b = problem.bias.impose(np.zeros(k))
    if problem.bias.moves:
        upper = dual.upper
        b[:] = [_bias(Y[:, j], grads[j], beta[:, j], upper) for j in range(k)]
    alpha = reduction.Z[:, :-1] @ (Y * beta) / 2  # [MB11] eq. (5)
    F = reduction.KZ[:, :-1] @ (Y * beta) / 2 + b
    loss = problem.weigh(Hinge().value(problem.margins(F))).sum(axis=0)
    # grad = Q beta - c, so beta'Q beta = beta'(grad + c).
    c = _linear_term(problem)
    quadratic = np.array([beta[:, j] @ (grads[j] + c[:, j]) for j in range(k)])
    primal = loss + quadratic / 2  # [MB11] eq. (4)
    dual_objective = (c * beta).sum(axis=0) - quadratic / 2
    fields = scalar_fields(
        DualState,
        moving,
        objective=primal,
        dual_objective=dual_objective,
        gap=primal - dual_objective,
        violation=dual.violation,
        n_support=(beta > 0).sum(axis=0),
    )
    on_all_points = np.zeros((problem.n, k))
    on_all_points[problem.labeled] = beta
    return DualState(
        t=t,
        f=array_field(F),
        alpha=array_field(alpha),
        b=bias_field(b),
        beta=array_field(on_all_points),
        events=events,
        **fields,
    )
