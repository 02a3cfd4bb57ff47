"""Poisson learning, [CCTS20]."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from ssl_core.problems.graph import GraphProblem, ratio
from ssl_core.quantities import DISTANCE, quantity
from ssl_core.settings import shared
from ssl_core.solvers.settings import Solver, Usual
from ssl_core.trace import Array, State, Status

CANCEL = 1e-9  # sums of sources below it are 0
ROUNDING = 4 * np.finfo(float).eps  # of the walk, relative to its largest chance


@dataclass(frozen=True, slots=True, kw_only=True)
class PoissonState(State):
    """Snapshot after a step; `objective` is the energy less what the sources give."""

    mixing: float = quantity(
        "distance from its limit",
        role=DISTANCE,
        merge="max",
        sentence="The random walk from the labels is {value} / n from its limit.",
    )


class Poisson(Solver):
    """Settings of `poisson`."""

    tol: float = shared(
        Usual,
        default=0.1,
        doc="The run ends when no probability of a random walk that starts at the "
        "labels is farther than tol / n from its limit. "
        "The paper has 1, which a few points meet before labels have reached them all.",
        help="The run ends when no probability of a random walk that starts at the "
        "labels is farther than this, divided by n, from its limit.",
        slider=(1e-10, 10.0),
    )

    def __call__(self, problem, start=None):
        return poisson(problem, tol=self.tol, start=start)


def poisson(
    problem: GraphProblem,
    *,
    tol: float = Poisson.tol,
    start: PoissonState | None = None,
) -> Iterator[PoissonState]:
    """u <- u + D^-1 (b - L u) from u = 0, b = y - mean(y): [CCTS20] Algorithm 1.

    The limit solves L u = b, with sum_i d_i u_i = 0 over each connected part of the
    graph. As in the paper, the run ends when a random walk from the labels is close to
    its limit.
    """
    b = sources(problem)
    u = np.zeros(problem.n) if start is None else centred(problem, start.f)
    walk = problem.labeled / np.count_nonzero(problem.labeled)
    limit = walk_limit(problem, walk)
    solvable = np.abs(np.bincount(problem.parts, b)).max() <= CANCEL
    ending = Status.CONVERGED if solvable else Status.FINISHED  # outputs would grow on
    before = (limit, limit)  # the walk one step and two steps ago
    for t in count():
        mixing = problem.n * float(np.abs(walk - limit).max())
        status = Status.RUNNING
        if t > 0 and mixing <= tol:
            status = ending
        elif t > 1 and np.abs(walk - before[1]).max() <= ROUNDING * walk.max():
            status = Status.STALLED  # it swings from side to side, or has settled
        Lu = problem.laplace(u)
        yield PoissonState(
            t=t,
            objective=float(u @ (0.5 * Lu - b)),
            f=u,
            mixing=mixing,
            status=status,
        )
        if not status.running:
            return
        u = u + problem.per_degree(b - Lu)
        walk, before = problem.W @ problem.per_degree(walk), (walk, before[0])


def sources(problem: GraphProblem) -> Array:
    """Each label less the mean of all labels; they add up to 0: [CCTS20] section 2."""
    labeled = problem.labeled
    return np.where(labeled, problem.y - problem.y[labeled].mean(), 0.0)


def walk_limit(problem: GraphProblem, walk: Array) -> Array:
    """Where a random walk ends: in each part of the graph in proportion to degrees.

    It leaves points without an edge.
    """
    parts, degrees = problem.parts, problem.degrees
    share = ratio(np.bincount(parts, walk), np.bincount(parts, degrees))
    return share[parts] * degrees


def centred(problem: GraphProblem, u: Array) -> Array:
    """u with weighted mean 0 in each part, as from u = 0; 0 out of reach.

    The iteration keeps these means, so that a seed would otherwise shift whole parts.
    """
    parts, degrees = problem.parts, problem.degrees
    mean = ratio(np.bincount(parts, degrees * u), np.bincount(parts, degrees))
    return np.where(problem.within_reach & (degrees > 0.0), u - mean[parts], 0.0)
