"""Label propagation, [ZG02]."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from ssl_core.problems.graph import GraphProblem, ratio
from ssl_core.quantities import DISTANCE, quantity
from ssl_core.settings import shared
from ssl_core.solvers.settings import Solver, Usual
from ssl_core.trace import State, Status

FARTHEST = 2.0  # from one label to the other, before the first step
ROUNDING = 4 * np.finfo(float).eps  # a step that moves outputs of 1 no farther


@dataclass(frozen=True, slots=True, kw_only=True)
class PropagationState(State):
    """Snapshot after a step; `objective` is the energy of the graph."""

    moved: float = quantity(
        "largest change",
        role=DISTANCE,
        merge="max",
        sentence="The largest change of an output is {value}.",
    )
    n_reached: int = quantity("points reached", merge="same")


class LabelPropagation(Solver):
    """Settings of `label_propagation`."""

    tol: float = shared(
        Usual,
        doc="Largest change of an output in a step that ends the run.",
    )

    def __call__(self, problem, start=None):
        return label_propagation(problem, tol=self.tol, start=start)


def label_propagation(
    problem: GraphProblem,
    *,
    tol: float = LabelPropagation.tol,
    start: PropagationState | None = None,
) -> Iterator[PropagationState]:
    """Propagate, normalise, put the labels back: [ZG02] section 2.2.

    Each class has a row-stochastic matrix of probabilities Y there. One machine of
    two classes knows their difference f, and which points labels have reached; the
    rows of these add up to 1. So normalising divides by the weight of the neighbours
    that are reached, and f is exactly the difference of the columns of Y. The weights
    are divided by the degree of the point that receives, as in scikit-learn, whose
    iterates these are.
    """
    f, reached = problem.y, problem.labeled
    if start is not None:
        reached = problem.within_reach
        f = np.where(problem.labeled, problem.y, np.where(reached, start.f, 0.0))
    moved, grew = FARTHEST, True
    for t in count():
        status = ending(moved, tol, grew)
        yield PropagationState(
            t=t,
            objective=problem.energy(f),
            f=f,
            moved=moved,
            n_reached=int(reached.sum()),
            status=status,
        )
        if not status.running:
            return
        before, n_before = f, int(reached.sum())
        weight = problem.W @ reached.astype(float)
        f = np.where(problem.labeled, problem.y, ratio(problem.W @ f, weight))
        reached = problem.labeled | (weight > 0)
        moved = float(np.abs(f - before).max())
        grew = int(reached.sum()) > n_before


def ending(moved: float, tol: float, grew: bool) -> Status:
    """Whether the run ends with a step: by its tolerance, or because of rounding."""
    if grew:
        return Status.RUNNING
    if moved <= tol:
        return Status.CONVERGED
    return Status.STALLED if moved <= ROUNDING else Status.RUNNING
