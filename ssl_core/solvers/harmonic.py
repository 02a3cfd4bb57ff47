"""Harmonic functions, [ZGL03], by conjugate gradients."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from ssl_core.problems.graph import GraphProblem
from ssl_core.quantities import DISTANCE, quantity
from ssl_core.settings import shared
from ssl_core.solvers.settings import Solver, Usual
from ssl_core.trace import State, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class HarmonicState(State):
    """Snapshot after a step; `objective` is the energy of the graph."""

    off_mean: float = quantity(
        "distance from the mean",
        role=DISTANCE,
        merge="max",
        sentence="An output is at most {value} from the mean of its neighbours.",
    )
    step: float = quantity(merge="mean")  # length of the step that led here


class Harmonic(Solver):
    """Settings of `harmonic`."""

    tol: float = shared(
        Usual,
        doc="Largest distance of an unlabelled output from the mean of its neighbours "
        "that ends the run.",
    )

    def __call__(self, problem, start=None):
        return harmonic(problem, tol=self.tol, start=start)


def harmonic(
    problem: GraphProblem,
    *,
    tol: float = Harmonic.tol,
    start: HarmonicState | None = None,
) -> Iterator[HarmonicState]:
    """f_u = (D_uu - W_uu)^-1 W_ul y_l, [ZGL03] section 2, by conjugate gradients.

    The energy f' (D - W) f is lowered over the unlabelled outputs, with D_uu as
    preconditioner: one product with W per step. Points that no label reaches keep 0.
    """
    free = problem.within_reach & ~problem.labeled
    f = problem.y if start is None else np.where(free, start.f, problem.y)
    Lf = problem.laplace(f)
    direction, before, step = np.zeros(problem.n), np.inf, 0.0
    for t in count():
        residual = np.where(free, -Lf, 0.0)
        towards = problem.per_degree(residual)  # the neighbours' mean less the output
        off_mean = float(np.abs(towards).max())
        size = float(residual @ towards)
        direction = towards + size / before * direction
        Ld = problem.laplace(direction)
        curvature = float(direction @ Ld)
        status = Status.RUNNING
        if off_mean <= tol and t > 0:
            status = Status.CONVERGED
        elif t > 0 and not curvature > 0:
            status = Status.STALLED
        objective = float(f @ Lf)
        yield HarmonicState(
            t=t, objective=objective, f=f, off_mean=off_mean, step=step, status=status
        )
        if not status.running:
            return
        step = size / curvature if curvature > 0 else 0.0
        f, Lf, before = f + step * direction, Lf + step * Ld, size or np.inf
