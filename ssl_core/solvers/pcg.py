"""Preconditioned conjugate gradient for LapSVM and LapRLSC, [MB11] Algorithm 1."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from ssl_core.linalg.line_search import squared_hinge_line_search
from ssl_core.solvers._columns import (
    array_field,
    bias_field,
    scalar_fields,
    start_columns,
)
from ssl_core.stopping import NOT_YET, Verdict
from ssl_core.trace import Array, Event, ExpansionState, State, Status

BREAK_POINTS_SHOWN = 4  # beyond the crossing, enough to see psi bend
Watch = Callable[[State], Verdict]


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

    grad_norm: float
    precond_grad_norm: float
    mixed_product: float
    step: float  # length of the step that led here
    n_breakpoints: int  # passed in the line search that led here
    n_error_vectors: int
    restarted: bool  # the direction from here is steepest descent again
    line_search: LineSearch | tuple[LineSearch, ...] | None


def pcg(
    problem,
    *,
    watch: Watch | Sequence[Watch],
    max_iter: int = 500,
    start: ExpansionState | None = None,
) -> Iterator[PCGState]:
    """Minimise a `LaplacianProblem` by nonlinear conjugate gradient.

    The preconditioner P = diag(1, K) is a factor of the gradient, so that the
    preconditioned gradient comes first and the gradient is its product with K: one
    product with K and one with L per iteration, for all classes together. Outputs,
    K d and L f follow by recurrence.

    Parameters
    ----------
    problem : LapSVM or LapRLSC
    watch : callable, or one callable per class
        The stopping rule at work. With one per class each machine stops by itself
        and leaves the products; else the joint decision is watched.
    start : ExpansionState or None
        Seed: continue from this state's alpha and b (the paper's "hot" start).
    """
    walk = _Walk(problem, start)
    watches = list(watch) if isinstance(watch, Sequence) else None
    for t in count():
        state = walk.state(t)
        verdict = watch(state) if watches is None else _watch_classes(walk, watches, t)
        status, events = walk.status(verdict), state.events
        if status.running and t >= max_iter:
            status = Status.MAX_ITER
        if verdict.event is not None:
            events = (*events, verdict.event)
        yield replace(state, status=status, events=events)
        if not status.running:
            return
        walk.advance()


def _watch_classes(walk: "_Walk", watches: Sequence[Watch], t: int) -> Verdict:
    """Ask each machine's own rule; a machine that stops leaves the products."""
    events, last = [], NOT_YET
    stopped = []
    for j in walk.live:
        verdict = watches[j](walk.machine_state(t, j))
        if verdict.stop:
            last = verdict
            stopped.append(j)
            events.append(f"Class {j}: {verdict.event.text}")
    if not stopped:
        return NOT_YET
    walk.retire(stopped)
    event = Event("check", " ".join(events), {"classes": stopped})
    return Verdict(len(walk.live) == 0, event, last.status)


class _Walk:
    """The moving quantities of Algorithm 1, one column per live machine.

    alpha, b, F = K alpha + b and LF are kept for all machines; the direction and the
    gradient only for the live ones.
    """

    def __init__(self, problem, start):
        self.problem = problem
        self.alpha, self.b = start_columns(problem, start)
        # alpha = 0 needs no product: F = b and P^-1 grad are known ([MB11] Alg. 1).
        if self.alpha.any():
            self.F = np.asfortranarray(problem.outputs(self.alpha, self.b))
        else:
            self.F = np.asfortranarray(np.broadcast_to(self.b, problem.Y.shape))
        self.LF = np.asfortranarray(problem.L_product(self.F))
        k = problem.k
        self.live = np.arange(k)
        self.step = np.zeros(k)
        self.crossed = np.zeros(k, dtype=int)
        self.searches: list[LineSearch | None] = [None] * k
        self.norms = np.zeros((3, k))  # gradient, preconditioned, mixed product
        self.stalled = np.zeros(k, dtype=bool)
        self.errors = problem.error_vectors(self.F)
        self.moved = (0, 0)
        self._gradient()
        self._steepest(np.ones(k, dtype=bool))
        self.restarted = np.zeros(k, dtype=bool)

    @property
    def columns(self):
        """The live machines as an index; a slice, hence no copy, while all live."""
        return slice(None) if len(self.live) == self.problem.k else self.live

    def _gradient(self):
        """P^-1 grad first, then grad = P (P^-1 grad): the one product with K."""
        problem, live = self.problem, self.columns
        self.G, self.g_b = problem.preconditioned_gradient(
            self.alpha[:, live], self.F[:, live], self.LF[:, live], live
        )
        G = self.G
        self.KG = problem.K_product(G)
        self.LFG = problem.L_product(self.KG + self.g_b)
        squares = self.g_b**2
        mixed = _dot(G, self.KG) + squares
        self.mixed_squared = mixed
        self.norms[0, live] = np.sqrt(_dot(self.KG, self.KG) + squares)
        self.norms[1, live] = np.sqrt(_dot(G, G) + squares)
        self.norms[2, live] = np.sqrt(np.maximum(mixed, 0.0))
        self.stalled[live] = ~(mixed > 0.0)

    def _steepest(self, restart):
        """d = -P^-1 grad where asked, at the start and at every restart."""
        if restart.all():
            self.d, self.d_b = -self.G, -self.g_b
            self.Kd, self.LFd = -self.KG, -self.LFG
        elif restart.any():
            self.d[:, restart] = -self.G[:, restart]
            self.d_b[restart] = -self.g_b[restart]
            self.Kd[:, restart] = -self.KG[:, restart]
            self.LFd[:, restart] = -self.LFG[:, restart]

    def advance(self):
        """One iteration: line search, step, gradient, Polak-Ribiere direction."""
        live = self.columns
        step = self._line_search()
        self.alpha[:, live] += step * self.d
        self.b[live] += step * self.d_b
        self.F[:, live] += step * (self.Kd + self.d_b)
        self.LF[:, live] += step * self.LFd
        errors = self.problem.error_vectors(self.F)
        entered, left = errors & ~self.errors, self.errors & ~errors
        self.moved = int(entered.sum()), int(left.sum())
        self.errors = errors
        G_old, g_b_old, mixed_old = self.G, self.g_b, self.mixed_squared
        self._gradient()
        change = _dot(self.KG, self.G - G_old) + self.g_b * (self.g_b - g_b_old)
        rho = np.maximum(change / np.where(mixed_old > 0, mixed_old, 1.0), 0.0)
        self.d = rho * self.d - self.G
        self.d_b = rho * self.d_b - self.g_b
        self.Kd = rho * self.Kd - self.KG
        self.LFd = rho * self.LFd - self.LFG
        # Rounding can cost the descent property near the optimum: restart there too.
        uphill = _dot(self.KG, self.d) + self.g_b * self.d_b >= 0
        self._steepest(uphill)
        restarted = (rho == 0) | uphill
        self.restarted = np.zeros(self.problem.k, dtype=bool)
        self.restarted[self.live] = restarted

    def _line_search(self) -> Array:
        problem, live = self.problem, self.live
        Fd = self.Kd + self.d_b
        alpha, LF = self.alpha[:, self.columns], self.LF[:, self.columns]
        slope = problem.gamma_A * _dot(alpha, self.Kd) + problem.gamma_I * _dot(Fd, LF)
        curvature = problem.gamma_A * _dot(self.d, self.Kd) + problem.gamma_I * _dot(
            Fd, self.LFd
        )
        f, f_d = self.F[np.ix_(problem.labeled, live)], Fd[problem.labeled]
        cost = np.ones(len(problem.labeled))
        for column, j in enumerate(live):
            search, crossed = exact_step(
                problem.loss.name,
                np.ascontiguousarray(f[:, column]),
                np.ascontiguousarray(f_d[:, column]),
                np.ascontiguousarray(problem.Y_labeled[:, j]),
                cost,
                slope[column],
                curvature[column],
            )
            self.stalled[j] |= not (0.0 < search.step < np.inf)
            self.step[j] = 0.0 if self.stalled[j] else search.step
            self.crossed[j] = crossed
            self.searches[j] = search
        return self.step[self.columns]

    def retire(self, machines):
        """Take machines out of the products; their alpha stays as it is."""
        keep = ~np.isin(self.live, machines)
        self.live = self.live[keep]
        for name in ("G", "KG", "LFG", "d", "Kd", "LFd"):
            setattr(self, name, np.asfortranarray(getattr(self, name)[:, keep]))
        for name in ("g_b", "d_b", "mixed_squared"):
            setattr(self, name, getattr(self, name)[keep])

    def status(self, verdict: Verdict) -> Status:
        if verdict.stop:
            return verdict.status
        if self.stalled[self.live].all():
            zero = (self.norms[2, self.live] == 0).all()
            return Status.CONVERGED if zero else Status.STALLED
        return Status.RUNNING

    def _fields(self, machines) -> dict:
        problem = self.problem
        pick = slice(None) if len(machines) == problem.k else machines
        objective = problem.objective(self.alpha, self.b, self.F, self.LF)[pick]
        fields = scalar_fields(
            objective=objective,
            grad_norm=self.norms[0, pick],
            precond_grad_norm=self.norms[1, pick],
            mixed_product=self.norms[2, pick],
            step=self.step[pick],
            n_breakpoints=self.crossed[pick],
            n_error_vectors=self.errors.sum(axis=0)[pick],
        )
        fields["step"] /= len(objective)
        searches = tuple(self.searches[j] for j in machines)
        return {
            **fields,
            "f": array_field(self.F[:, pick]),
            "alpha": array_field(self.alpha[:, pick]),
            "b": bias_field(self.b[pick]),
            "restarted": bool(self.restarted[pick].any()),
            "line_search": searches[0] if len(searches) == 1 else searches,
        }

    def machine_state(self, t, j) -> PCGState:
        """The state of machine j alone, as a binary run would show it."""
        return PCGState(t=t, **self._fields(np.array([j])))

    def state(self, t) -> PCGState:
        return PCGState(
            t=t,
            events=tuple(self._events(t)),
            **self._fields(np.arange(self.problem.k)),
        )

    def _events(self, t):
        entered, left = self.moved
        if entered or left:
            text = f"{_points(entered)} became error vectors, {_points(left)} left."
            yield Event("error_vectors", text, {"entered": entered, "left": left})
        if t > 0 and self.restarted.any():
            text = (
                "The conjugate direction would be of no use here: "
                "the search restarts along steepest descent."
            )
            classes = np.flatnonzero(self.restarted).tolist()
            yield Event("restart", text, {"classes": classes})


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


def _dot(A, B):
    """Column-wise dot products of two (n, k) arrays."""
    return np.einsum("ij,ij->j", A, B)


def _points(n):
    return "1 point" if n == 1 else f"{n} points"
