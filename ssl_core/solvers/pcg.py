"""Preconditioned conjugate gradient for LapSVM and LapRLSC, [MB11] Algorithm 1."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from ssl_core.driver import GO_ON
from ssl_core.linalg.conjugate import move, turn
from ssl_core.linalg.line_search import squared_hinge_line_search
from ssl_core.quantities import DISTANCE, LINE_SEARCH, gradient, quantity
from ssl_core.solvers._columns import (
    array_field,
    bias_field,
    scalar_fields,
    start_columns,
)
from ssl_core.solvers._events import exchange
from ssl_core.trace import (
    Array,
    Event,
    ExpansionState,
    Status,
)

BREAK_POINTS_SHOWN = 4  # beyond the crossing, enough to see psi bend


@dataclass(frozen=True, slots=True)
class LineSearch:
    """psi(s) of one line search as a polyline, with its zero ([MB11] Figure 2)."""

    s: Array
    psi: Array
    step: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PCGState(ExpansionState):
    """Snapshot of Algorithm 1; norms and counts are those at this point.

    For k > 2 classes the scalars are sums over the machines, `step` their mean.
    """

    grad_norm: float = gradient()
    precond_grad_norm: float = quantity("preconditioned", symbol="‖P⁻¹∇‖")
    mixed_product: float = quantity(symbol="√(∇ᵀP⁻¹∇)", role=DISTANCE)
    step: float = quantity(merge="mean")  # length of the step that led here
    n_breakpoints: int = quantity("break points")  # passed in the line search
    n_error_vectors: int = quantity("error vectors")
    restarted: bool  # the direction from here is steepest descent again
    line_search: LineSearch | tuple[LineSearch, ...] | None = quantity(role=LINE_SEARCH)


def pcg(
    problem,
    *,
    start: ExpansionState | None = None,
) -> Iterator[PCGState]:
    """Minimise a `LaplacianProblem` by nonlinear conjugate gradient.

    The preconditioner P = diag(1, K) is a factor of the gradient, so that the
    preconditioned gradient comes first and the gradient is its product with K: one
    product with K and one with L per iteration, for all classes together. Outputs,
    K d and L f follow by recurrence. A bias that does not move has a gradient of 0, so
    that no direction has a part in it and P is K alone.

    Parameters
    ----------
    problem : LapSVM or LapRLSC
    start : ExpansionState or None
        Seed: continue from this state's alpha and b (the paper's "hot" start).
    """
    walk = _Walk(problem, start)
    for t in count():
        orders = (yield walk.state(t)) or GO_ON
        if not walk.status.running:
            return
        if orders.resting is not None:  # leaves the products
            walk.live &= ~orders.resting
        walk.advance()


class _Walk:
    """The moving quantities of Algorithm 1, one column per machine.

    A machine that is not live keeps its alpha, b and F and costs no product.
    """

    def __init__(self, problem, start):
        self.problem = problem
        n, k = problem.n, problem.k
        self.alpha, self.b = start_columns(problem, start)
        # alpha = 0 needs no product: F = b, and P^-1 grad is known ([MB11] Alg. 1).
        if self.alpha.any():
            self.F = np.asfortranarray(problem.outputs(self.alpha, self.b))
        else:
            self.F = np.tile(self.b, (n, 1)).copy(order="F")
        self.LF = np.asfortranarray(problem.L_product(self.F))
        self.live = np.ones(k, dtype=bool)
        self.stalled = np.zeros(k, dtype=bool)
        self.step, self.crossed = np.zeros(k), np.zeros(k, dtype=int)
        self.searches: list[LineSearch | None] = [None] * k
        self.errors, self.moved = problem.error_vectors(self.F), (0, 0)
        self.d, self.Kd, self.LFd = (np.zeros((n, k), order="F") for _ in range(3))
        self.d_b, self.mixed = np.zeros(k), np.zeros(k)
        self.sums, self.norms = np.zeros((3, k)), np.zeros((3, k))
        self.terms = np.zeros((4, k))  # of the next line search; see `turn`
        self.restarted = np.zeros(k, dtype=bool)
        self.G, self.g_b = np.zeros((n, k), order="F"), np.zeros(k)
        self._move(np.zeros(k))  # nowhere; fills the sums
        self._turn(steepest=True)
        self.restarted[:] = False

    def advance(self):
        """One iteration: line search, step, gradient, Polak-Ribiere direction."""
        self._move(self._line_search())
        errors = self.problem.error_vectors(self.F)
        if (errors != self.errors).any():
            entered, left = errors & ~self.errors, self.errors & ~errors
            self.moved = int(entered.sum()), int(left.sum())
        else:
            self.moved = 0, 0
        self.errors = errors
        self._turn(steepest=False)

    def _move(self, step):
        move(
            self.live,
            step,
            self.alpha,
            self.b,
            self.F,
            self.LF,
            self.d,
            self.d_b,
            self.Kd,
            self.LFd,
            self.sums,
        )

    def _turn(self, *, steepest):
        """P^-1 grad first, then grad = P (P^-1 grad): the one product with K."""
        problem = self.problem
        G_old, g_b_old = self.G, self.g_b
        G, g_b = problem.preconditioned_gradient(self.alpha, self.F, self.LF)
        if self.live.all():
            KG = problem.K_product(G)
            LFG = problem.L_product(KG + g_b)
        else:
            live = self.live
            KG, LFG = np.zeros_like(G), np.zeros_like(G)
            KG[:, live] = problem.K_product(np.asfortranarray(G[:, live]))
            LFG[:, live] = problem.L_product(KG[:, live] + g_b[live])
        turn(
            self.live,
            np.full(problem.k, steepest),
            self.alpha,
            self.LF,
            G,
            g_b,
            KG,
            np.asfortranarray(LFG),
            G_old,
            g_b_old,
            self.mixed,
            self.d,
            self.d_b,
            self.Kd,
            self.LFd,
            self.norms,
            self.terms,
            self.restarted,
        )
        self.G, self.g_b = G, g_b
        self.stalled |= ~(self.mixed > 0.0)

    def _line_search(self) -> Array:
        problem, L = self.problem, self.problem.labeled
        slope = problem.penalty(self.terms[0], self.terms[1])
        curvature = problem.penalty(self.terms[2], self.terms[3])
        f, f_d = self.F[L], self.Kd[L] + self.d_b
        cost = np.ones(len(L))
        for j in np.flatnonzero(self.live):
            search, self.crossed[j] = exact_step(
                problem.loss.name,
                f[:, j].copy(),
                f_d[:, j].copy(),
                problem.Y_labeled[:, j],
                cost,
                slope[j],
                curvature[j],
            )
            if self.stalled[j] or not 0.0 < search.step < np.inf:
                self.stalled[j] = True
                search = replace(search, step=0.0)
            self.step[j] = search.step
            self.searches[j] = search
        return self.step

    @property
    def status(self) -> Status:
        if self.stalled[self.live].all():
            zero = (self.norms[2, self.live] == 0).all()
            return Status.CONVERGED if zero else Status.STALLED
        return Status.RUNNING

    def state(self, t) -> PCGState:
        problem = self.problem
        alpha_F, alpha_sum, F_LF = self.sums
        penalty = problem.penalty(alpha_F - self.b * alpha_sum, F_LF)
        objective = 0.5 * (problem.labeled_loss(self.F) + penalty)
        fields = scalar_fields(
            PCGState,
            self.live & ~self.stalled,
            objective=objective,
            grad_norm=self.norms[0],
            precond_grad_norm=self.norms[1],
            mixed_product=self.norms[2],
            step=self.step,
            n_breakpoints=self.crossed,
            n_error_vectors=self.errors.sum(axis=0),
        )
        searches = tuple(self.searches)
        return PCGState(
            t=t,
            status=self.status,
            f=array_field(self.F),
            alpha=array_field(self.alpha),
            b=bias_field(self.b),
            restarted=bool(self.restarted.any()),
            line_search=searches[0] if len(searches) == 1 else searches,
            events=tuple(self._events()),
            **fields,
        )

    def _events(self):
        entered, left = self.moved
        if entered or left:
            yield exchange("error vectors", entered, left)
        if self.restarted.any():
            text = (
                "The conjugate direction would be of no use here: "
                "the search restarts along steepest descent."
            )
            classes = np.flatnonzero(self.restarted).tolist()
            yield Event("restart", text, {"classes": classes}, tone="warn")


def exact_step(loss, f, f_d, y, cost, slope, curvature) -> tuple[LineSearch, int]:
    """The exact line search of [MB11] 3.2.1, closed-form for the squared loss (5)."""
    if loss == "squared_hinge":
        step, s, psi, crossed = squared_hinge_line_search(
            f, f_d, y, cost, slope, curvature, BREAK_POINTS_SHOWN
        )
        return LineSearch(s, psi, step), crossed
    slope += float(cost @ ((f - y) * f_d))
    curvature += float(cost @ f_d**2)
    step = max(-slope / curvature, 0.0) if curvature > 0 else np.inf
    end = 2 * step if 0 < step < np.inf else 1.0
    s = np.array([0.0, end])
    return LineSearch(s, slope + s * curvature, step), 0
