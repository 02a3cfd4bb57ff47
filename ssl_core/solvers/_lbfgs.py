"""L-BFGS on losses of linear outputs, step by step.

scipy's hides its iterations behind a callback and asks for a whole gradient at every
trial step. Outputs are linear in w: f + s f_d costs no product, so that a line search
is free and an iteration takes exactly one product with Z and one with Z'.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ssl_core.linalg.lbfgs import lbfgs_direction
from ssl_core.problems.s3vm import SmoothS3VM
from ssl_core.trace import Array

MEMORY = 20  # corrections
ARMIJO, WOLFE = 1e-4, 0.9  # as in every textbook: enough descent, enough flattening
MAX_TRIALS = 40
ROUNDING = 1e-14  # share of J, below which a gain is none
PATIENCE = 4  # steps without a gain: J rounds before its gradient does
CURVATURE_MIN = 1e-14  # of |s| |y|: a pair below it would spoil the inverse Hessian


@dataclass(frozen=True, slots=True)
class LBFGSIterate:
    """Where a minimisation stands; the arrays are fresh and never written again."""

    v: Array  # (m + 1,), (w, b)
    f: Array  # (n,)
    objective: float
    grad_norm: float
    iterations: int
    converged: bool = False
    stalled: bool = False

    @property
    def ended(self) -> bool:
        return self.converged or self.stalled


def lbfgs(problem: SmoothS3VM, v, f, *, tol) -> Iterator[LBFGSIterate]:
    """Minimise from (v, f = Z w + b) on, the start first.

    Parameters
    ----------
    tol : float
        The last step has |grad J| <= tol, or the last few gained no more than rounding.
    """
    memory = _Corrections(len(v))
    losses, slope = problem.losses(f)
    grad = problem.gradient(v, slope)
    objective = 0.5 * float(v[:-1] @ v[:-1]) + losses
    iterations, stalled, level = 0, False, 0
    while True:
        norm = float(np.linalg.norm(grad))
        converged = norm <= tol or level >= PATIENCE
        yield LBFGSIterate(v, f, objective, norm, iterations, converged, stalled)
        if converged or stalled:
            return
        d, descent = memory.direction(grad)
        if not descent < 0.0:
            memory.count = 0
            d, descent = -grad, -norm * norm
        f_d = problem.features.outputs(d)
        first_try = 1.0 if memory.count else min(1.0, 1.0 / norm)
        found = _wolfe(problem, v, d, f, f_d, objective, descent, first_try)
        if found is None and memory.count:  # it misleads: once more without
            memory.count = 0
            iterations += 1
            continue
        if found is None:
            stalled = True
            continue
        step, after, slope = found
        v_new, f = v + step * d, f + step * f_d
        grad_new = problem.gradient(v_new, slope)
        memory.add(step * d, grad_new - grad)
        gained = objective - after > ROUNDING * max(abs(after), abs(objective))
        level = 0 if gained else level + 1
        v, grad, objective = v_new, grad_new, after
        iterations += 1


class _Corrections:
    """The last pairs (s, y) of steps and changes of the gradient, in a ring."""

    def __init__(self, m: int):
        self.S, self.Y = np.empty((MEMORY, m)), np.empty((MEMORY, m))
        self.rho, self.shares = np.empty(MEMORY), np.empty(MEMORY)
        self.first = self.count = 0

    def direction(self, grad) -> tuple[Array, float]:
        """d = -H grad for the inverse Hessian that the pairs make, and d'grad."""
        d = np.empty_like(grad)
        slope = lbfgs_direction(
            self.S, self.Y, self.rho, self.first, self.count, grad, self.shares, d
        )
        return d, slope

    def add(self, s: Array, y: Array) -> None:
        inner = float(s @ y)
        if not inner > CURVATURE_MIN * np.linalg.norm(s) * np.linalg.norm(y):
            return
        if self.count == MEMORY:
            self.first = (self.first + 1) % MEMORY
        else:
            self.count += 1
        row = (self.first + self.count - 1) % MEMORY
        self.S[row], self.Y[row], self.rho[row] = s, y, 1.0 / inner


def _wolfe(problem, v, d, f, f_d, start, descent, step):
    """A step with enough descent and a flatter slope; None where there is none.

    Along d the norm is a parabola and the losses need no product: only sums over n.
    """
    w, dw = v[:-1], d[:-1]
    norm, mixed, square = 0.5 * float(w @ w), float(w @ dw), float(dw @ dw)
    low, high = 0.0, np.inf
    at_low, slope_low = start, descent
    for _ in range(MAX_TRIALS):
        losses, slope = problem.losses(f + step * f_d)
        value = norm + step * mixed + 0.5 * step * step * square + losses
        rate = mixed + step * square + float(slope @ f_d)
        if not value <= start + ARMIJO * step * descent or value >= at_low > start:
            high = step
        elif rate < WOLFE * descent:
            low, at_low, slope_low = step, value, rate
        else:
            return step, value, slope
        if high == np.inf:
            step *= 4.0 if rate < 0.0 else 2.0
            continue
        width = high - low
        # The parabola through the low end with its slope and the trial's value.
        bend = value - at_low - slope_low * (step - low)
        new = low - 0.5 * slope_low * (step - low) ** 2 / bend if bend > 0.0 else np.nan
        if not low + 0.1 * width <= new <= high - 0.1 * width:
            new = 0.5 * (low + high)
        if width <= 1e-15 * max(high, 1.0):
            break
        step = new
    # Rounding hides the slope's own flattening near a minimum: descent is enough.
    if low > 0.0 and at_low < start:
        _, slope = problem.losses(f + low * f_d)
        return low, at_low, slope
    return None
