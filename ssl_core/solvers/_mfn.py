"""The modified finite Newton method on arrays, [SK07] section 1.2.

`l2svm_mfn` shows its steps as states; `tsvm` and `da` retrain with it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from ssl_core.linalg.vectors import add, advance, conjugate_direction, dot
from ssl_core.problems.linear import LinearSVM, Terms
from ssl_core.settings import OWN, Settings, choice, shared
from ssl_core.solvers.settings import Usual
from ssl_core.trace import Array

FULL_STEP = 1e-9  # a step this near to 1 is the full Newton step, up to rounding
ENOUGH = 0.5  # a step that halves the gradient is progress where J shows none
TRUSTED = 1e-4  # the gradient by recurrence may end a training no finer than this
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
SCHEDULES = ("fast", "svmlin")


class Training(Settings):
    """How exactly linear machines are trained."""

    schedule: str = choice(
        "fast",
        SCHEDULES,
        "How exactly the intermediate classifiers are trained: only as far as "
        "useful, or to ``tol`` as the SVMlin program does.",
        title="Intermediate accuracy",
        **OWN,
        order=1,
        help=(
            "Train intermediate classifiers only as far as useful, or always to "
            "convergence as SVMlin does."
        ),
    )
    tol: float = shared(
        Usual,
        doc="eps and tau of the paper: the gradient relative to the residuals, and how "
        "far a margin may be on the wrong side of 1; also the threshold of a rule "
        "given by name.",
        slider=(1e-12, 1e-1),
        help="How exactly each classifier is trained, and when it counts as converged.",
        up="less exact trainings, a shorter run",
    )

    @property
    def last(self) -> Schedule:
        """Of the machine that is returned."""
        base = SVMLIN if self.schedule == "svmlin" else DEFAULT
        return replace(base, eps=self.tol, tau=self.tol)

    def eps_path(self, eps: float) -> float:
        """What the path is solved to: SVMlin solves it as well as its end."""
        return self.tol if self.schedule == "svmlin" else eps


@dataclass(frozen=True, slots=True)
class MFNIterate:
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


@dataclass(frozen=True, slots=True)
class Move:
    """A direction, and what is known about its end."""

    d: Array  # (d + 1,)
    f: Array  # (n,), X d
    rest: Array | None  # gradient of the quadratic piece at v + d; None: not known
    cg_iterations: int


def evaluate(problem: LinearSVM, v, f) -> MFNIterate:
    terms = problem.terms(f)
    return _step(problem, v, f, terms, problem.gradient(v, terms))


def _step(problem, v, f, terms, grad) -> MFNIterate:
    return MFNIterate(v, f, terms, grad, problem.norm(v) + terms.loss, norm(grad))


def follow(problem: LinearSVM, here: MFNIterate, move: Move, step) -> MFNIterate:
    """The update of [SK07] eq. (1.3), at the price of the rows that crossed 1.

    Along d the gradient of the piece goes from ``grad`` to ``rest`` in a straight line;
    points whose loss is on another piece at the end add what that makes of their slope.
    """
    v, f = here.v + step * move.d, here.f + step * move.f
    if move.rest is None:
        return evaluate(problem, v, f)
    terms = problem.terms(f)
    excess = problem.excess(here.f, f)
    rows = np.flatnonzero(excess)
    if len(rows) >= len(terms.rows):
        return evaluate(problem, v, f)
    grad = (1.0 - step) * here.grad + step * move.rest
    grad += problem.share(excess, rows)
    return _step(problem, v, f, terms, grad)


def reweighed(problem: LinearSVM, here: MFNIterate, rows, ratio=1.0) -> MFNIterate:
    """The same point in a machine with other costs, at the price of a few rows.

    Outside ``rows`` all costs are ``ratio`` times those of the machine ``here`` is of.
    """
    if problem.direct:  # as exact as its steps
        return evaluate(problem, here.v, here.f)
    terms = problem.terms(here.f)
    change = terms.slope - ratio * here.terms.slope
    held = problem.held(here.v)
    grad = ratio * (here.grad - held) + held + problem.share(change, rows)
    return _step(problem, here.v, here.f, terms, grad)


def newton_steps(
    problem: LinearSVM, here: MFNIterate, *, schedule=DEFAULT, crude=False
) -> Iterator[MFNIterate]:
    """Newton steps from a point on, the start first.

    The last step is converged, stalled, or the caller stops asking. ``crude`` says
    that the start is a crude guess: CGLS stays loose until the active set is stable
    under it ([SK07] section 1.2).
    """
    loose = crude
    here = replace(here, converged=_optimal(here, schedule.eps))
    while True:
        yield here
        if here.converged or here.stalled:
            return
        move = _direction(problem, here, schedule, loose)
        if move.cg_iterations == 0:  # as good as a loose solution already
            loose = False
            move = _direction(problem, here, schedule, loose)
        # Stable under an exact solution is optimal; under a rough one, go on finer.
        exact = problem.direct or (not loose and schedule.forcing == 0.0)
        stable = (exact or loose) and problem.same_side(
            here.f, here.f + move.f, schedule.tau
        )
        step = problem.exact_step(here.v, move.d, here.f, move.f)
        if abs(step - 1.0) <= FULL_STEP:
            step = 1.0
        before, here = here, follow(problem, here, move, step)
        if schedule.eps < TRUSTED and _optimal(here, schedule.eps):
            here = evaluate(problem, here.v, here.f)
        here = replace(
            here,
            cg_iterations=move.cg_iterations,
            step=step,
            converged=_optimal(here, schedule.eps) or (stable and exact),
            stalled=step == 0.0 or _stuck(before, here),
        )
        loose = loose and not stable


def _direction(problem, here: MFNIterate, schedule, loose) -> Move:
    """To the minimiser of the quadratic piece at ``here``."""
    if problem.direct:
        d = problem.newton_direction(here)
        return Move(d, problem.outputs(d), None, 1)
    return cgls(problem, here, schedule, loose)


def _stuck(before: MFNIterate, here: MFNIterate) -> bool:
    """Neither value falls any more: near the optimum J rounds before its gradient."""
    return (
        here.objective >= before.objective
        and here.grad_norm > ENOUGH * before.grad_norm
    )


def _optimal(here: MFNIterate, eps) -> bool:
    return here.grad_norm <= eps * norm(here.terms.slope)


def cgls(problem: LinearSVM, here: MFNIterate, schedule: Schedule, loose: bool) -> Move:
    """Direction to the solution of [SK07] eq. (1.4) by conjugate gradients.

    The paper's CGLS multiplies by X and by X' in turn and forms the gradient of the
    least squares problem from its residual. Here X' C X p is one pass over the
    active rows, and the gradient follows by recurrence. So do the outputs of the
    direction at these rows; the others are multiplied once, at the end. The solution
    is exact to ``schedule.eps``, or to the share ``schedule.forcing`` of the gradient
    at the start where that is reached first: a tenth by default, 0 in `SVMLIN`.
    """
    terms = here.terms
    eps = schedule.eps_loose if loose else schedule.eps
    most = schedule.cg_loose if loose else schedule.max_cg
    residual = norm(terms.slope)
    goal = max(
        eps * residual, schedule.forcing * here.grad_norm, ROUNDING * here.grad_norm
    )
    d, r = np.zeros_like(here.v), -here.grad
    f, f_p = np.zeros_like(here.f), np.zeros_like(here.f)
    p = r.copy()
    square = dot(r, r)
    for k in count():
        if k >= most or square <= goal * goal:
            break
        q = problem.hessian_product(p, terms, f_p)
        curvature = dot(p, q)
        if not curvature > 0.0:  # p'(lam I + X'CX)p underflowed: p is rounding
            break
        before = square
        square = advance(before / curvature, p, q, d, r)
        add(before / curvature, f_p, f)
        conjugate_direction(square / before, r, p)
    if k > 0:
        problem.design.fill(d, np.flatnonzero(terms.weight == 0.0), f)
    return Move(d, f, -r, k)


def norm(a) -> float:
    return float(np.sqrt(dot(a, a)))


def train(problem: LinearSVM, v, f, *, schedule=DEFAULT):
    """The last Newton step from (v, f = X v) on, and how many passes CGLS took."""
    return train_from(problem, evaluate(problem, v, f), schedule=schedule)


def train_from(problem: LinearSVM, here: MFNIterate, *, schedule=DEFAULT, crude=False):
    """As `train`, from a point that is evaluated already."""
    total = 0
    steps = newton_steps(problem, here, schedule=schedule, crude=crude)
    for k, here in enumerate(steps):
        total += here.cg_iterations
        if k >= schedule.max_iter:
            break
    return here, total
