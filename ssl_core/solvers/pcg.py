"""Preconditioned conjugate gradient for LapSVM and LapRLSC, [MB11] Algorithm 1."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from ssl_core.driver import GO_ON
from ssl_core.linalg.conjugate import (
    Direction,
    Gradient,
    Measures,
    Point,
    move,
    polak_ribiere,
)
from ssl_core.quantities import DISTANCE, LINE_SEARCH, gradient, quantity
from ssl_core.settings import shared
from ssl_core.solvers._columns import (
    array_field,
    bias_field,
    scalar_fields,
    start_columns,
)
from ssl_core.solvers._events import exchange
from ssl_core.solvers._line_search import LineSearch, exact_step
from ssl_core.solvers.settings import Solver, Usual
from ssl_core.stopping import mixed_product
from ssl_core.trace import Array, Event, ExpansionState, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class PCGState(ExpansionState):
    """Snapshot of [MB11] Algorithm 1; norms and counts are those at this point.

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


class ConjugateGradient(Solver):
    """Settings of a run by `pcg`, which ends by a rule."""

    tol: float = shared(
        Usual,
        doc="Threshold of the mixed product or of a rule given by name, relative to "
        "the start; 0 runs to ``max_iter``.",
        help="Tolerance relative to the start; 0 runs to the last iteration.",
    )

    def __call__(self, problem, start=None):
        return pcg(problem, start=start)

    def usual_rule(self):
        return mixed_product(self.tol)


def pcg(problem, *, start: ExpansionState | None = None) -> Iterator[PCGState]:
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
    run = _PCGRun(problem, start)
    for t in count():
        orders = (yield run.state(t)) or GO_ON
        if not run.status.running:
            return
        if orders.resting is not None:  # leaves the products
            run.live &= ~orders.resting
        run.advance()


class _PCGRun:
    """The moving quantities of [MB11] Algorithm 1, one column per machine.

    A machine that is not live keeps its alpha, b and F and costs no product.
    """

    def __init__(self, problem, start):
        self.problem = problem
        n, k = problem.n, problem.k
        alpha, b = start_columns(problem, start)
        # alpha = 0 needs no product: F = b, and P^-1 grad is known ([MB11] Alg. 1).
        if alpha.any():
            F = np.asfortranarray(problem.outputs(alpha, b))
        else:
            F = np.tile(b, (n, 1)).copy(order="F")
        LF = np.asfortranarray(problem.L_product(F))

        def zeros():
            return np.zeros((n, k), order="F")

        self.point = Point(alpha, b, F, LF)
        self.direction = Direction(zeros(), np.zeros(k), zeros(), zeros())
        self.gradient = Gradient(zeros(), np.zeros(k), zeros(), zeros())
        self.sums = np.zeros((3, k))
        self.measures = Measures(
            mixed=np.zeros(k),
            norms=np.zeros((3, k)),
            terms=np.zeros((4, k)),
            restarted=np.zeros(k, dtype=bool),
        )
        self.live = np.ones(k, dtype=bool)
        self.stalled = np.zeros(k, dtype=bool)
        self.step, self.crossed = np.zeros(k), np.zeros(k, dtype=int)
        self.searches: list[LineSearch | None] = [None] * k
        self.errors = self.before = problem.error_vectors(F)
        self._move(np.zeros(k))  # nowhere; fills the sums
        self._turn()
        self.measures.restarted[:] = False

    def advance(self):
        """[MB11] Algorithm 1, one iteration: line search, step, gradient, direction."""
        self._move(self._line_search())
        self.before = self.errors
        self.errors = self.problem.error_vectors(self.point.F)
        self._turn()

    def _move(self, step):
        move(self.live, step, self.point, self.direction, self.sums)

    def _turn(self):
        """P^-1 grad first, then grad = P (P^-1 grad): the one product with K."""
        problem, (alpha, _, F, LF) = self.problem, self.point
        G, g_b = problem.preconditioned_gradient(alpha, F, LF)
        if self.live.all():
            KG = problem.K_product(G)
            LFG = problem.L_product(KG + g_b)
        else:
            live = self.live
            KG, LFG = np.zeros_like(G), np.zeros_like(G)
            KG[:, live] = problem.K_product(np.asfortranarray(G[:, live]))
            LFG[:, live] = problem.L_product(KG[:, live] + g_b[live])
        last = self.gradient
        self.gradient = Gradient(G, g_b, KG, np.asfortranarray(LFG))
        polak_ribiere(
            self.live, self.point, self.gradient, last, self.direction, self.measures
        )
        self.stalled |= ~(self.measures.mixed > 0.0)

    def _line_search(self) -> Array:
        problem, L = self.problem, self.problem.labeled
        alpha_Kd, Fd_LF, d_Kd, Fd_LFd = self.measures.terms
        slope = problem.penalty(alpha_Kd, Fd_LF)
        curvature = problem.penalty(d_Kd, Fd_LFd)
        f, f_d = self.point.F[L], self.direction.Kd[L] + self.direction.b
        for j in np.flatnonzero(self.live):
            search, self.crossed[j] = exact_step(
                problem.loss.name,
                f[:, j].copy(),
                f_d[:, j].copy(),
                problem.Y_labeled[:, j],
                problem.cost,
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
            zero = (self.measures.norms[2, self.live] == 0).all()
            return Status.CONVERGED if zero else Status.STALLED
        return Status.RUNNING

    def state(self, t) -> PCGState:
        problem, point = self.problem, self.point
        alpha_F, alpha_sum, F_LF = self.sums
        penalty = problem.penalty(alpha_F - point.b * alpha_sum, F_LF)
        # [MB11] eq. (7); [MB11] section 5 where the loss is the squared one.
        objective = 0.5 * (problem.labeled_loss(point.F) + penalty)
        grad, precond, mixed = self.measures.norms
        fields = scalar_fields(
            PCGState,
            self.live & ~self.stalled,
            objective=objective,
            grad_norm=grad,
            precond_grad_norm=precond,
            mixed_product=mixed,
            step=self.step,
            n_breakpoints=self.crossed,
            n_error_vectors=self.errors.sum(axis=0),
        )
        searches = tuple(self.searches)
        restarted = np.flatnonzero(self.measures.restarted & self.live).tolist()
        return PCGState(
            t=t,
            status=self.status,
            f=array_field(point.F),
            alpha=array_field(point.alpha),
            b=bias_field(point.b),
            restarted=bool(restarted),
            line_search=searches[0] if len(searches) == 1 else searches,
            events=tuple(self._events(restarted)),
            **fields,
        )

    def _events(self, restarted):
        yield from exchange("error vectors", self.before, self.errors)
        if restarted:
            text = "Restart: the search continues along steepest descent."
            yield Event("restart", text, {"classes": restarted})
