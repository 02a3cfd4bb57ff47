"""Newton's method for S3VMs with a ridge that follows, [CSK08] 4.4, Algorithm 6."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ssl_core.linalg.blocks import product_of_rows
from ssl_core.linalg.definite import factor_or_none, solve
from ssl_core.losses import Flat, Hat, SquaredHinge
from ssl_core.problems.lens import Lens
from ssl_core.problems.s3vm import S3VM, KernelBlock, sum_of_losses
from ssl_core.quantities import DISTANCE, gradient, quantity
from ssl_core.settings import OWN, choice, shared
from ssl_core.solvers._s3vm import WeightedState, doubling, idle, raised
from ssl_core.solvers.settings import GRADIENT, Solver, Usual
from ssl_core.trace import ExpansionState, Status

LOSSES = {"flat": Flat(), "quadratic": Hat()}
HINGE = SquaredHinge()
RAISE, LOWER = 4.0, 2.0  # of the ridge, [CSK08] Algorithm 6
POOR, GOOD = 0.25, 0.75  # actual over predicted decrease
MAX_RIDGE = 1e12  # above it the step is rounding
MAX_STEPS = 200  # at one C_u
SHALLOW = 0.1  # of the slope at the start of a step: small enough for its end
MAX_LOOKS = 10  # along a step
LOOSE = 30.0  # times the tolerance before the last C_u
SHIFT = 1e-9  # of outputs, less than which is rounding
FLAT = 1e-9  # share of the objective: less gain than this ends a step of the schedule


@dataclass(frozen=True, slots=True, kw_only=True)
class NewtonS3VMState(WeightedState):
    """Snapshot after a step; `objective` is [CSK08] eq. (15) at the C_u of the moment.

    Attributes
    ----------
    ridge : float
        lambda of the step that led here: 1 is Newton's own.
    n_sv : int
        Points with curvature, which the step's cost depends on.
    grad_norm : float
        |g| of [CSK08] eq. (16).
    """

    ridge: float = quantity("ridge", symbol="λ", merge="max")
    n_sv: int = quantity("points with curvature")
    grad_norm: float = gradient(role=DISTANCE)


class NewtonSteps(Solver):
    """Settings of `newton_s3vm`."""

    loss: str = choice(
        "flat",
        tuple(LOSSES),
        "Of unlabelled points: flat for |f| < 0.5, or quadratic.",
        title="Unlabelled loss",
        words=("Flat in the middle", "Quadratic"),
        **OWN,
        help="Loss of unlabelled points: flat where they are undecided, or quadratic.",
    )
    steps: int = shared(Usual)
    tol: float = shared(Usual, default=1e-4, **GRADIENT)

    @property
    def near(self) -> float:
        """Distance in b within which a solution serves as the start of the next.

        The hat holds every point on its side of 0: there the search would hardly move
        from a solution.
        """
        return {"flat": 0.05, "quadratic": 0.0}[self.loss]

    def __call__(self, problem: S3VM, start=None):
        return newton_s3vm(problem, **self.values, start=start)


def newton_s3vm(
    problem: S3VM,
    *,
    loss: str = NewtonSteps.loss,
    steps: int = NewtonSteps.steps,
    tol: float = NewtonSteps.tol,
    start: ExpansionState | None = None,
) -> Iterator[NewtonS3VMState]:
    """Levenberg-Marquardt in beta, w = sum beta_i phi(x_i), while C_u doubles.

        1/2 beta' K beta + C sum_labeled max(0, 1 - y o)^2 + C_u sum_unlabeled psi(o)

    Parameters
    ----------
    problem : S3VM
        With a bias that is fixed: [CSK08] eq. (12) in a centred kernel.
    loss : {"flat", "quadratic"}
        psi: flat in the middle, where most points then have no curvature, or the hat.
    steps, tol
        As in `NewtonSteps`.
    """
    run = _NewtonRun(problem, LOSSES[loss], start)
    ladder = [0.0] if idle(problem) else doubling(problem, steps, start)
    goal = tol * run.scale()
    t, events, status = 0, (), Status.RUNNING
    run.weigh(0.0 if start is None else ladder[0])
    if start is not None:
        run.follow(start.f)
    yield run.state(t, status, events)
    for C_u in ladder:
        run.weigh(C_u)
        events = (raised(C_u),)
        for _ in range(MAX_STEPS):
            moved = run.advance()
            t += 1
            last = C_u == ladder[-1]
            ended = run.grad_norm <= (goal if last else LOOSE * goal) or not moved
            if ended and last:
                status = Status.FINISHED
            yield run.state(t, status, events)
            events = ()
            if ended:
                break
        else:
            if C_u == ladder[-1]:
                yield run.state(t + 1, Status.STALLED, ())


class _NewtonRun:
    """beta, f and the ridge as they move."""

    def __init__(self, problem: S3VM, loss, start):
        self.problem, self.loss = problem, loss
        self.K, self.b = problem.K, problem.bias.value
        self.beta = np.zeros(problem.n)
        if start is not None:
            self.beta = problem.features.space.contract(start.alpha)
        self.Kbeta = self.K @ self.beta
        self.ridge, self.used, self.inner = 1.0, 1.0, 0
        self._block = None

    @property
    def f(self):
        return self.Kbeta + self.b

    def scale(self) -> float:
        return 2.0 * self.problem.C * np.sqrt(len(self.problem.labeled))

    def weigh(self, C_u):
        self.C_u = C_u
        self.objective = self._value(self.beta, self.Kbeta)
        self._differentiate(self.f)

    def _value(self, beta, Kbeta):
        """[CSK08] eq. (15) at the C_u of the moment."""
        f = Kbeta + self.b
        losses = sum_of_losses(self.problem, f, self.C_u, HINGE, self.loss)
        return 0.5 * float(beta @ Kbeta) + float(losses)

    def follow(self, f):
        """Move beta to where the outputs f were under another b.

        A Newton step on the pieces of the losses that f is on: a shift by b alone would
        push most points off their piece.
        """
        shift = self.f - f
        if np.abs(shift).max(initial=0.0) <= SHIFT:
            return
        self._differentiate(f)
        self.g += np.maximum(self.D, 0.0) * shift
        self.beta = self.beta + self._step()[0]
        self.Kbeta = self.K @ self.beta
        self.weigh(self.C_u)

    def _slopes(self, f):
        """Of the weighted losses in every output."""
        problem, slopes = self.problem, np.empty(self.problem.n)
        L, U = problem.labeled, problem.unlabeled
        y = problem.y[L]
        slopes[L] = problem.C * y * HINGE.slope(y * f[L])
        slopes[U] = self.C_u * self.loss.slope(f[U])
        return slopes

    def _differentiate(self, f):
        """g of [CSK08] eq. (16) and the diagonal D of [CSK08] eq. (17)."""
        problem, D = self.problem, np.empty(self.problem.n)
        L, U = problem.labeled, problem.unlabeled
        D[L] = problem.C * HINGE.curvature(problem.y[L] * f[L])
        D[U] = self.C_u * self.loss.curvature(f[U])
        self.g, self.D = self.beta + self._slopes(f), D
        self.grad_norm = float(np.linalg.norm(self.g))

    def advance(self) -> bool:
        """One step of [CSK08] Algorithm 6 that descends; False where none is found.

        Departures from [CSK08] Algorithm 6: after a good step it prints
        lambda <- min(1, lambda / 2), which drops any larger ridge to 1 at once and lets
        it fall below 1, where the step is longer than Newton's own. Here the ridge is
        halved and never below 1, max(1, lambda / 2), as the halving suggests was meant.
        And the paper raises the ridge where the system is not convex; here the step of
        a convex bound is taken there, at a length that is looked for along it.
        """
        self.inner = 0
        while self.ridge <= MAX_RIDGE:
            self.inner += 1
            step, Kstep, D = self._step()
            t = 1.0 if D is self.D else self._length(step, Kstep)
            step, Kstep = t * step, t * Kstep
            predicted = float(self.g @ Kstep) + 0.5 * float(
                step @ Kstep + Kstep @ (D * Kstep)
            )
            beta, Kbeta = self.beta + step, self.Kbeta + Kstep
            after = self._value(beta, Kbeta)
            gained, used = self.objective - after, self.ridge
            # Far along a line the bound predicts no decrease, and there may be one.
            ratio = -gained / predicted if predicted < 0 else np.sign(gained)
            if ratio < POOR:
                self.ridge *= RAISE
            elif ratio > GOOD:
                self.ridge = max(1.0, self.ridge / LOWER)
            if gained > 0.0:
                self.beta, self.Kbeta, self.objective = beta, Kbeta, after
                self._differentiate(self.f)
                self.used = used
                return gained > FLAT * abs(after)
        self.ridge = 1.0
        return False

    def _length(self, step, Kstep) -> float:
        """Length at which the slope along the step is small: 1 if it is there.

            beta' K s + t s' K s + sum_i (loss_i)' (K s)_i

        To look along a line costs no factor.
        """
        fixed, rising = float(self.beta @ Kstep), float(step @ Kstep)
        small = SHALLOW * abs(float(self.g @ Kstep))
        low, high, t = 0.0, np.inf, 1.0
        for _ in range(MAX_LOOKS):
            slope = fixed + t * rising
            slope += float(self._slopes(self.f + t * Kstep) @ Kstep)
            if abs(slope) <= small:
                break
            low, high = (t, high) if slope < 0.0 else (low, t)
            t = 2.0 * t if high == np.inf else 0.5 * (low + high)
        return t

    def _step(self):
        """[CSK08] eq. (18): s of  ridge s + D K s + g = 0, K s, and its D.

        The paper factors K on the points with curvature, and then a second matrix.
        Here A = ridge D^-1 + K is factored, which needs no invertible K: where D is
        above 0 it is positive definite, and the whole system is convex just when the
        Schur complement of the few other points is negative definite. If it is not,
        the paper raises the ridge for all points; here these few count as straight,
        D = 0, which bounds their loss from above and takes the same factor.
        """
        g, D, ridge = self.g, self.D, self.ridge
        up, down = np.flatnonzero(D > 0.0), np.flatnonzero(D < 0.0)
        step = -g / ridge
        step[up] = step[down] = 0.0
        rest = product_of_rows(self.K, np.flatnonzero(step), step)
        border = self.K[np.ix_(up, down)]
        right = -g[up] / D[up] - rest[up]
        solved = self._solve(up, np.column_stack([right, border]))
        x, unit = solved[:, 0], solved[:, 1:]
        if len(down):
            corner = -self.K[np.ix_(down, down)]
            corner.flat[:: len(down) + 1] -= ridge / D[down]
            complement = factor_or_none(border.T @ unit + corner)
            if complement is None:
                D = np.maximum(D, 0.0)
                step[down] = -g[down] / ridge
            else:
                target = -g[down] / D[down] - rest[down]
                step[down] = -solve(complement, target - border.T @ x)
        step[up] = x - unit @ step[down]
        return step, rest + product_of_rows(self.K, np.flatnonzero(self.D), step), D

    def _solve(self, up, sides):
        weight = np.maximum(self.D, 0.0) / self.ridge
        if self._block is None or not self._block.serves(up, weight):
            self._block = None  # two factors at once would be a matrix more
            self._block = KernelBlock(self.K, up, weight)
        return self._block.solve(up, weight, sides)

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
