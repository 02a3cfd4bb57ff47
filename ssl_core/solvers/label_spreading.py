"""Label spreading: local and global consistency, [ZBLWS04]."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from ssl_core.problems.graph import GraphProblem, ratio
from ssl_core.settings import number, shared
from ssl_core.solvers.label_propagation import (
    FARTHEST,
    LabelPropagation,
    PropagationState,
    ending,
)
from ssl_core.solvers.settings import Solver
from ssl_core.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadingState(PropagationState):
    """Snapshot after a step; `objective` is the cost of [ZBLWS04] section 3.

    Attributes
    ----------
    mass : ndarray of shape (n,)
        What has arrived of all labels; ``f * mass`` are the scores F of the paper.
    """

    mass: Array | None


class LabelSpreading(Solver):
    """Settings of `label_spreading`."""

    share: float = number(
        0.9,
        "Share of a point's score that comes from its neighbours, alpha in the paper, "
        "whose experiments have 0.99; the rest comes from its own label.",
        above=0,
        at_most=0.9999,
        title="Neighbours' share α",
        slider=(0.01, 0.999),
        step=0.01,
        help="Share α of a point's score that comes from its neighbours.",
        up="labels that spread farther, and given labels that may be overruled",
    )
    tol: float = shared(LabelPropagation)

    def __call__(self, problem, start=None):
        return label_spreading(problem, **self.values, start=start)


def label_spreading(
    problem: GraphProblem,
    *,
    share: float = LabelSpreading.share,
    tol: float = LabelSpreading.tol,
    start: SpreadingState | None = None,
) -> Iterator[SpreadingState]:
    """F <- share S F + (1 - share) y, S = D^(-1/2) W D^(-1/2): [ZBLWS04] section 2.

    The scores F decay with the distance from the labels. Outputs f are F over the
    same sums with labels that are all +1: the difference of the classes' shares, as
    scikit-learn normalises its last iterate. The decision is that of F.
    """
    scale = ratio(np.ones(problem.n), np.sqrt(problem.degrees))
    labels = np.column_stack([problem.y, problem.labeled])  # signed, and all +1
    scores = labels
    if start is not None:
        scores = np.column_stack([start.f * start.mass, start.mass])
        scores[~problem.within_reach] = 0.0
    f, moved, grew = ratio(*scores.T), FARTHEST, True
    for t in count():
        F, mass = scores.T
        status = ending(moved, tol, grew)
        spread = scale[:, None] * (problem.W @ (scale[:, None] * scores))
        yield SpreadingState(
            t=t,
            objective=cost(problem.y, F, spread[:, 0], share),
            f=f,
            mass=mass.copy(),
            moved=moved,
            n_reached=np.count_nonzero(mass),
            status=status,
        )
        if not status.running:
            return
        before, n_before = f, np.count_nonzero(mass)
        scores = share * spread + (1.0 - share) * labels
        f = ratio(*scores.T)
        moved = float(np.abs(f - before).max())
        grew = np.count_nonzero(scores[:, 1]) > n_before


def cost(y: Array, F: Array, SF: Array, share: float) -> float:
    """1/2 (F' (I - S) F + mu |F - y|^2), mu = 1 / share - 1: [ZBLWS04] section 3.

    Each edge counts once in F' (I - S) F; then the iteration descends to the minimum.
    """
    mu = 1.0 / share - 1.0
    return 0.5 * float(F @ (F - SF) + mu * np.sum((F - y) ** 2))
