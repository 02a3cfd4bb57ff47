"""Newton's method for S3VMs with a ridge that follows, [CSK08] 4.4, Algorithm 6."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ssl_core.linalg.definite import factor, factor_or_none, solve
from ssl_core.losses import Flat, Hat, SquaredHinge
from ssl_core.problems.lens import Lens
from ssl_core.problems.s3vm import S3VM
from ssl_core.quantities import DISTANCE, gradient, quantity
from ssl_core.solvers._s3vm import WeightedState, doubling, idle, raised
from ssl_core.trace import ExpansionState, Status

LOSSES = {"flat": Flat(), "quadratic": Hat()}
HINGE = SquaredHinge()
STEPS = 10
RAISE, LOWER = 4.0, 2.0  # of the ridge, [CSK08] Algorithm 6
POOR, GOOD = 0.25, 0.75  # actual over predicted decrease
MAX_RIDGE = 1e12  # above it the step is rounding
MAX_STEPS = 200  # at one C_u
TOL = 1e-4  # of the gradient at beta = 0
FLAT = 1e-9  # share of the objective: less gain than this ends a step of the schedule


@dataclass(frozen=True, slots=True, kw_only=True)
class NewtonS3VMState(WeightedState):
    """Snapshot after a step; `objective` is eq. (15) at the C_u of the moment.

    Attributes
    ----------
    ridge : float
        lambda of the step that led here: 1 is Newton's own.
    n_sv : int
        Points with curvature, which the step's cost depends on.
    grad_norm : float
        |g| of eq. (16).
    """

    ridge: float = quantity("ridge", symbol="λ", merge="max")
    n_sv: int = quantity("points with curvature")
    grad_norm: float = gradient(role=DISTANCE)


def newton_s3vm(
    problem: S3VM,
    *,
    loss: str = "flat",
    steps: int = STEPS,
    tol: float = TOL,
    start: ExpansionState | None = None,
) -> Iterator[NewtonS3VMState]:
    """Levenberg-Marquardt in beta, w = sum beta_i phi(x_i), while C_u doubles.

        1/2 beta' K beta + C sum_labeled max(0, 1 - y o)^2 + C_u sum_unlabeled psi(o)

    Parameters
    ----------
    problem : S3VM
        With a bias that is fixed: eq. (12) in a centred kernel.
    loss : {"flat", "quadratic"}
        psi: flat in the middle, where most points then have no curvature, or the hat.
    steps : int
        Values of C_u; 1 does without annealing.
    tol : float
        Size of g that ends a step of the schedule, relative to beta = 0.
    """
    walk = _Walk(problem, LOSSES[loss], start)
    ladder = [0.0] if idle(problem) else doubling(problem, steps, start)
    goal = tol * walk.scale()
    t, events, status = 0, (), Status.RUNNING
    walk.weigh(0.0 if start is None else ladder[0])
    yield walk.state(t, status, events)
    for C_u in ladder:
        walk.weigh(C_u)
        events = (raised(C_u),)
        for _ in range(MAX_STEPS):
            moved = walk.advance()
            t += 1
            ended = walk.grad_norm <= goal or not moved
            if ended and C_u == ladder[-1]:
                status = Status.FINISHED
            yield walk.state(t, status, events)
            events = ()
            if ended:
                break
        else:
            if C_u == ladder[-1]:
                yield walk.state(t + 1, Status.STALLED, ())


class _Walk:
    """beta, f and the ridge as they move."""

    def __init__(self, problem: S3VM, loss, start):
        self.problem, self.loss = problem, loss
        self.K, self.b = problem.K, problem.bias.value
        self.beta = np.zeros(problem.n)
        if start is not None:
            self.beta = problem.features.space.contract(start.alpha)
        self.Kbeta = self.K @ self.beta
        self.ridge, self.used, self.inner = 1.0, 1.0, 0

    @property
    def f(self):
        return self.Kbeta + self.b

    def scale(self) -> float:
        return 2.0 * self.problem.C * np.sqrt(len(self.problem.labeled))

    def weigh(self, C_u):
        self.C_u = C_u
        self.objective = self._value(self.beta, self.Kbeta)
        self._differentiate()

    def _value(self, beta, Kbeta):
        problem, f = self.problem, Kbeta + self.b
        L, U = problem.labeled, problem.unlabeled
        losses = problem.C * HINGE.value(problem.y[L] * f[L]).sum()
        losses += self.C_u * self.loss.value(f[U]).sum()
        return 0.5 * float(beta @ Kbeta) + float(losses)

    def _differentiate(self):
        """g of eq. (16) and the diagonal D of eq. (17)."""
        problem, f = self.problem, self.f
        L, U = problem.labeled, problem.unlabeled
        y, m = problem.y[L], problem.y[L] * f[L]
        g, D = self.beta.copy(), np.empty(problem.n)
        g[L] += problem.C * y * HINGE.slope(m)
        g[U] += self.C_u * self.loss.slope(f[U])
        D[L] = problem.C * HINGE.curvature(m)
        D[U] = self.C_u * self.loss.curvature(f[U])
        self.g, self.D = g, D
        self.grad_norm = float(np.linalg.norm(g))

    def advance(self) -> bool:
        """One step of Algorithm 6 that descends; False where no ridge finds one."""
        self.inner = 0
        while self.ridge <= MAX_RIDGE:
            self.inner += 1
            step = self._step()
            if step is None:  # not positive definite
                self.ridge *= RAISE
                continue
            Kstep = self.K @ step
            predicted = float(self.g @ Kstep) + 0.5 * float(
                step @ Kstep + Kstep @ (self.D * Kstep)
            )
            beta, Kbeta = self.beta + step, self.Kbeta + Kstep
            after = self._value(beta, Kbeta)
            ratio = (after - self.objective) / predicted if predicted < 0 else -1.0
            used = self.ridge
            if ratio < POOR:
                self.ridge *= RAISE
            elif ratio > GOOD:
                self.ridge = max(1.0, self.ridge / LOWER)
            if after < self.objective and ratio > 0.0:
                gained = self.objective - after
                self.beta, self.Kbeta, self.objective = beta, Kbeta, after
                self._differentiate()
                self.used = used
                return gained > FLAT * abs(after)
        self.ridge = 1.0
        return False

    def _step(self):
        """Eq. (18): the solution s of  ridge s + D K s + g = 0; None if not convex.

        The paper factors K on the points with curvature, and then a second matrix.
        Here A = ridge D^-1 + K is factored, which needs no invertible K: where D is
        above 0 it is positive definite, and the whole system is convex just when the
        Schur complement of the few other points is negative definite.
        """
        step = -self.g / self.ridge
        up, down = np.flatnonzero(self.D > 0.0), np.flatnonzero(self.D < 0.0)
        step[up] = step[down] = 0.0
        rest = self.K @ step
        right = -self.g[up] / self.D[up] - rest[up]
        L = factor(self._block(up))
        if len(down) == 0:
            step[up] = solve(L, right)
            return step
        border = self.K[np.ix_(up, down)]
        unit = solve(L, border)
        complement = factor_or_none(border.T @ unit - self._block(down))
        if complement is None:
            return None
        x = solve(L, right)
        target = -self.g[down] / self.D[down] - rest[down]
        step[down] = -solve(complement, target - border.T @ x)
        step[up] = x - unit @ step[down]
        return step

    def _block(self, rows):
        A = self.K[np.ix_(rows, rows)]
        A.flat[:: len(A) + 1] += self.ridge / self.D[rows]
        return A

    def state(self, t, status, events) -> NewtonS3VMState:
        problem, f = self.problem, self.f
        alpha, b = problem.features.express(self.beta, self.b)
        norm = 0.5 * float(self.beta @ self.Kbeta)
        return NewtonS3VMState(
            t=t,
            objective=self.objective,
            f=f,
            alpha=alpha,
            b=b,
            C_u=self.C_u,
            ridge=self.used,
            n_sv=int(np.count_nonzero(self.D)),
            grad_norm=self.grad_norm,
            transductive_objective=norm + problem.hard_losses(f),
            inner=self.inner,
            lens=Lens(self.loss, self.C_u),
            status=status,
            events=events,
        )
