"""Deterministic annealing by gradient descent in (w, b) alone, [CSK08] section 3.3."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ssl_core.driver import GO_ON
from ssl_core.numerals import number
from ssl_core.problems.s3vm import S3VM
from ssl_core.quantities import DISTANCE, PROBABILITY, SCHEDULE, gradient, quantity
from ssl_core.settings import shared
from ssl_core.solvers._gradient import TOL, Descent
from ssl_core.solvers._s3vm import S3VMState, idle
from ssl_core.solvers.settings import COOLING, GRADIENT, Solver, Usual
from ssl_core.trace import Array, Event, ExpansionState, Status

EPS = 1e-6  # entropy per point


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnealingState(S3VMState):
    """Snapshot of deterministic annealing; `objective` is [CSK08] eq. (9) at T.

    Attributes
    ----------
    T : float
    p : ndarray of shape (u,)
        Probability of the positive class for the unlabelled points, in the order of
        their row numbers; mean(p) = r.
    entropy : float
        H(p) per unlabelled point, in nats.
    """

    objective: float = quantity("objective at T")
    T: float = quantity("T", symbol="T", role=SCHEDULE, merge="mean")
    p: Array | None = quantity(role=PROBABILITY)
    entropy: float
    grad_norm: float = gradient(role=DISTANCE)


class GradientAnnealing(Solver):
    """Settings of `nabla_da`."""

    T: float = shared(Usual)
    rate: float = shared(Usual, **COOLING)
    max_temperatures: int = shared(Usual)
    every: int = shared(Usual)
    tol: float = shared(Usual, default=TOL, **GRADIENT)

    def __call__(self, problem: S3VM, start=None):
        return nabla_da(problem, **self.values, start=start)


def nabla_da(
    problem: S3VM,
    *,
    T: float = GradientAnnealing.T,
    rate: float = GradientAnnealing.rate,
    eps: float = EPS,
    max_temperatures: int = GradientAnnealing.max_temperatures,
    every: int = GradientAnnealing.every,
    tol: float = GradientAnnealing.tol,
    start: ExpansionState | None = None,
) -> Iterator[AnnealingState]:
    """Minimise [CSK08] eq. (9), where p follows (w, b), and cool down.

    The last state is an epilogue: the point of the path with the lowest S3VM objective,
    [CSK08] eq. (5), with p and objective at the last temperature. [CSK08] Algorithm 2
    has no epilogue and returns the last machine.

    Parameters
    ----------
    problem : S3VM
        With a free bias.
    T, rate, max_temperatures, every, tol
        As in `GradientAnnealing`.
    eps : float
        Entropy per point, above what the class ratio leaves, that ends the cooling.
    """
    descent = Descent(problem, start, tol)
    if idle(problem):
        yield from _supervised(problem, descent)
        return
    T = min(T * problem.C_u, getattr(start, "T", np.inf))
    state = _look(problem, descent, T, 0)
    # A seed is a point of the path; f = b for all, where the run begins, is none.
    best, least = (state, descent.here), np.inf
    if start is not None:
        least = state.transductive_objective
    orders = (yield state) or GO_ON
    for stage in range(max_temperatures):
        T /= rate if stage else 1.0
        objective = problem.annealed(T)
        events = (_cooled(T),)
        for done in descent.minimise(objective, every=every):
            objective.losses(descent.f)  # p at this very point
            state = _state(problem, descent, objective, state.t + 1, events)
            if state.transductive_objective < least:
                best, least = (state, descent.here), state.transductive_objective
            orders = (yield state) or GO_ON
            events = ()
            if orders.last or done:
                break
        least_entropy = problem.least_entropy(state.f[problem.unlabeled])
        if orders.last or state.entropy - least_entropy < eps:
            break
    best, descent.here = best
    last = _look(problem, descent, T, state.t + 1, (_returned(best),))
    yield replace(last, status=Status.RUNNING if orders.last else Status.FINISHED)


def _supervised(problem, descent) -> Iterator[AnnealingState]:
    """Nothing unlabelled, or no weight on it: the labelled points' own machine."""
    objective = problem.annealed(1.0)
    yield _state(problem, descent, objective, 0)
    descent.supervised()
    yield replace(_state(problem, descent, objective, 1), status=Status.FINISHED)


def _look(problem, descent, T, t, events=()) -> AnnealingState:
    """Where the descent stands, at this temperature."""
    objective = problem.annealed(T)
    descent.look(objective)
    return _state(problem, descent, objective, t, events)


def _state(problem, descent, objective, t, events=()) -> AnnealingState:
    return AnnealingState(
        t=t,
        T=objective.T,
        p=objective.p,
        entropy=problem.mean_entropy(objective.p),
        events=events,
        **descent.fields(objective),
    )


def _cooled(T) -> Event:
    text = f"The temperature is T = {number(T)}."
    return Event("temperature", text, {"T": T})


def _returned(best) -> Event:
    text = (
        f"The annealing has ended. Iteration {best.t:,} (T = {number(best.T)}) had the "
        f"lowest S3VM objective, {number(best.transductive_objective, 4)}, and is "
        "returned."
    )
    return Event("best", text, {"t": best.t, "T": best.T})
