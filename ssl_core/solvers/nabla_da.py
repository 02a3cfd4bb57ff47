"""Deterministic annealing by gradient descent in (w, b) alone, [CSK08] section 3.3."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ssl_core.driver import GO_ON
from ssl_core.problems.s3vm import S3VM
from ssl_core.quantities import DISTANCE, PROBABILITY, SCHEDULE, gradient, quantity
from ssl_core.solvers._gradient import EVERY, TOL, Descent
from ssl_core.solvers._s3vm import S3VMState, at, idle
from ssl_core.trace import Array, Event, ExpansionState, Status

T_START = 10.0  # times C_u, [CSK08] Algorithm 2
RATE = 1.5
EPS = 1e-6  # entropy per point
MAX_TEMPERATURES = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnealingState(S3VMState):
    """Snapshot of deterministic annealing; `objective` is eq. (9) at T.

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


def nabla_da(
    problem: S3VM,
    *,
    T: float = T_START,
    rate: float = RATE,
    eps: float = EPS,
    max_temperatures: int = MAX_TEMPERATURES,
    every: int = EVERY,
    tol: float = TOL,
    start: ExpansionState | None = None,
) -> Iterator[AnnealingState]:
    """Minimise S(w, b), eq. (9), where p follows (w, b), and cool down.

    The last state is an epilogue: the point of the path with the lowest objective (5),
    with p and objective at the last temperature.

    Parameters
    ----------
    problem : S3VM
        With a free bias.
    T, rate : float
        First temperature in units of C_u, and the factor it is divided by.
    eps : float
        Entropy per point, above what the class ratio leaves, that ends the cooling.
    every : int
        Gradient steps from one state to the next; a temperature ends with one.
    """
    walk = Descent(problem, start, tol)
    if idle(problem):
        yield from _supervised(problem, walk)
        return
    T = min(T * problem.C_u, getattr(start, "T", np.inf))
    objective = problem.annealed(T)
    walk.look(objective)
    state = _state(problem, walk, objective, 0)
    # A seed is a point of the path; f = b for all, where the run begins, is none.
    best, least = (state, walk.here), np.inf
    if start is not None:
        least = state.transductive_objective
    orders = (yield state) or GO_ON
    for stage in range(max_temperatures):
        T /= rate if stage else 1.0
        objective = problem.annealed(T)
        events = (_cooled(T),)
        for done in walk.minimise(objective, every=every):
            objective.losses(walk.f)  # p at this very point
            state = _state(problem, walk, objective, state.t + 1, events)
            if state.transductive_objective < least:
                best, least = (state, walk.here), state.transductive_objective
            orders = (yield state) or GO_ON
            events = ()
            if orders.last or done:
                break
        if orders.last or state.entropy - problem.least_entropy < eps:
            break
    status = Status.RUNNING if orders.last else Status.FINISHED
    best, walk.here = best
    objective = problem.annealed(T)
    walk.look(objective)
    last = _state(problem, walk, objective, state.t + 1, (_returned(best),))
    yield replace(last, status=status)


def _supervised(problem, walk) -> Iterator[AnnealingState]:
    """Nothing unlabelled, or no weight on it: the labelled points' own machine."""
    objective = problem.annealed(1.0)
    yield _state(problem, walk, objective, 0)
    walk.supervised()
    yield replace(_state(problem, walk, objective, 1), status=Status.FINISHED)


def _state(problem, walk, objective, t, events=()) -> AnnealingState:
    here = walk.here
    return AnnealingState(
        t=t,
        objective=here.objective,
        grad_norm=here.grad_norm,
        T=objective.T,
        p=objective.p,
        entropy=problem.mean_entropy(objective.p),
        inner=walk.inner,
        lens=objective.lens,
        events=events,
        **at(problem, here.v, here.f),
    )


def _cooled(T) -> Event:
    text = f"The temperature is T = {T:.3g}."
    return Event("temperature", text, {"T": T}, tone="warn", narrated=False)


def _returned(best) -> Event:
    text = (
        f"The cooling is over. Iteration {best.t} (T = {best.T:.3g}) had the lowest "
        f"S3VM objective, {best.transductive_objective:.4g}, and is returned."
    )
    return Event("best", text, {"t": best.t, "T": best.T}, tone="good")
