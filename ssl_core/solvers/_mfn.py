"""The modified finite Newton method on arrays, [SK07] section 1.2.

`l2svm_mfn` shows its steps as states; `tsvm` and `da` retrain with it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from ssl_core.linalg.vectors import advance, conjugate_direction, dot
from ssl_core.problems.linear import LinearSVM, Terms
from ssl_core.trace import Array

FULL_STEP = 1e-9  # a step this near to 1 is the full Newton step, up to rounding
ENOUGH = 0.5  # a step that halves the gradient is progress where J shows none
ROUNDING = 1e-15  # of the gradient at the start: no CG can do better


@dataclass(frozen=True, slots=True)
class Schedule:
    """How exactly each linear system is solved, and when the method stops.

    Attributes
    ----------
    eps : float
        CGLS stops when |gradient| <= eps |C (y - f)|; so does the whole method.
    tau : float
        The active set is stable when no margin is on the wrong side of 1 by more.
    forcing : float
        CGLS also stops at this share of the gradient it started from; 0 never does.
        What it leaves over is the next step's, on a smaller active set.
    eps_loose, cg_loose : float, int
        CGLS from a crude start such as w = 0: the paper's early termination.
    max_cg : int
    max_iter : int
        Newton steps of one training.
    """

    eps: float = 1e-6
    tau: float = 1e-6
    forcing: float = 0.1
    eps_loose: float = 1e-2
    cg_loose: int = 10
    max_cg: int = 10_000
    max_iter: int = 50


DEFAULT = Schedule()
# The SVMlin program's own: each system solved to eps.
SVMLIN = Schedule(forcing=0.0)


@dataclass(frozen=True, slots=True)
class Step:
    """Where a training stands; the arrays are fresh and never written again."""

    v: Array  # (d + 1,), (w, b)
    f: Array  # (n,)
    terms: Terms
    grad: Array  # (d + 1,)
    objective: float
    grad_norm: float
    cg_iterations: int = 0  # of the step that led here
    step: float = 0.0
    converged: bool = False
    stalled: bool = False


def evaluate(problem: LinearSVM, v, f) -> Step:
    terms = problem.terms(f)
    grad = problem.gradient(v, terms)
    objective = problem.norm(v) + terms.loss
    return Step(v, f, terms, grad, objective, norm(grad))


def newton_steps(
    problem: LinearSVM, v, f, *, schedule=DEFAULT, crude=False
) -> Iterator[Step]:
    """Newton steps from (v, f = X v) on, the start first.

    The last step is converged, stalled, or the caller stops asking. ``crude`` says
    that the start is a crude guess: CGLS stays loose until the active set is stable
    under it ([SK07] section 1.2).
    """
    loose = crude
    here = evaluate(problem, v, f)
    here = replace(here, converged=_optimal(here, schedule.eps))
    while True:
        yield here
        if here.converged or here.stalled:
            return
        d, n_cg = _direction(problem, here, schedule, loose)
        if n_cg == 0:  # as good as a loose solution already
            loose = False
            d, n_cg = _direction(problem, here, schedule, loose)
        f_d = problem.outputs(d)
        stable = problem.same_side(here.f, here.f + f_d, schedule.tau)
        step = problem.exact_step(here.v, d, here.f, f_d)
        if abs(step - 1.0) <= FULL_STEP:
            step = 1.0
        before = here
        here = evaluate(problem, before.v + step * d, before.f + step * f_d)
        # Stable under an exact solution is optimal; under a rough one, go on finer.
        exact = problem.direct or (not loose and schedule.forcing == 0.0)
        here = replace(
            here,
            cg_iterations=n_cg,
            step=step,
            converged=_optimal(here, schedule.eps) or (stable and exact),
            stalled=step == 0.0 or _stuck(before, here),
        )
        loose = loose and not stable


def _direction(problem, here: Step, schedule, loose):
    """To the minimiser of the quadratic piece at ``here``; and the passes it took."""
    if problem.direct:
        return problem.newton_direction(here), 1
    return cgls(problem, here, schedule, loose)


def _stuck(before: Step, here: Step) -> bool:
    """Neither value falls any more: near the optimum J rounds before its gradient."""
    return (
        here.objective >= before.objective
        and here.grad_norm > ENOUGH * before.grad_norm
    )


def _optimal(here: Step, eps) -> bool:
    return here.grad_norm <= eps * norm(here.terms.slope)


def cgls(problem: LinearSVM, here: Step, schedule: Schedule, loose: bool):
    """Direction to the solution of eq. (1.4) by conjugate gradients.

    The paper's CGLS multiplies by X and by X' in turn and forms the gradient of the
    least squares problem from its residual. Here X' C X p is one pass over the
    active rows, and the gradient follows by recurrence; the outer method forms it
    afresh before every call, so that no error builds up.

    Returns
    -------
    d : ndarray of shape (d + 1,)
    n_cg : int
    """
    terms = here.terms
    eps = schedule.eps_loose if loose else schedule.eps
    most = schedule.cg_loose if loose else schedule.max_cg
    residual = norm(terms.slope)
    goal = max(
        eps * residual, schedule.forcing * here.grad_norm, ROUNDING * here.grad_norm
    )
    d, r = np.zeros_like(here.v), -here.grad
    p = r.copy()
    square = dot(r, r)
    for k in count():
        if k >= most or square <= goal * goal:
            return d, k
        q = problem.hessian_product(p, terms)
        curvature = dot(p, q)
        if not curvature > 0.0:  # p'(lam I + X'CX)p underflowed: p is rounding
            return d, k
        before = square
        square = advance(before / curvature, p, q, d, r)
        conjugate_direction(square / before, r, p)


def norm(a) -> float:
    return float(np.sqrt(dot(a, a)))


def train(problem: LinearSVM, v, f, *, schedule=DEFAULT, crude=False):
    """The last Newton step, and how many passes CGLS took in all."""
    total = 0
    steps = newton_steps(problem, v, f, schedule=schedule, crude=crude)
    for k, here in enumerate(steps):
        total += here.cg_iterations
        if k >= schedule.max_iter:
            break
    return here, total
