"""Deterministic annealing in the features of a kernel, [CSK08] section 3.3.

The work is `da`'s, w step and p step in turns, on features with a free bias.
"""

from collections.abc import Iterator

from ssl_core.problems.s3vm import S3VM
from ssl_core.settings import shared
from ssl_core.solvers._mfn import Schedule
from ssl_core.solvers.da import Annealing, cooling
from ssl_core.solvers.nabla_da import EPS, AnnealingState
from ssl_core.solvers.settings import COOLING, Solver, Usual
from ssl_core.trace import ExpansionState

SCHEDULE = Schedule(eps=1e-9, tau=1e-9)  # of the w steps, which are direct solves


class KernelAnnealing(Solver):
    """Settings of `da_kernel`; the first T is that of [CSK08] Algorithm 2."""

    T: float = shared(Usual)
    rate: float = shared(Usual, **COOLING)
    max_temperatures: int = shared(Usual)
    tol: float = shared(
        Usual,
        default=EPS,
        doc="KL divergence per point that ends a temperature, and entropy per point, "
        "above what the class ratio leaves, that ends the run; also the threshold of a "
        "rule given by name.",
        help="Change of the probabilities that ends a temperature, and entropy that "
        "ends the run; also the threshold of a rule.",
    )

    def __call__(self, problem: S3VM, start=None):
        return da_kernel(problem, **self.values, start=start)


def da_kernel(
    problem: S3VM,
    *,
    T: float = KernelAnnealing.T,
    rate: float = KernelAnnealing.rate,
    max_temperatures: int = KernelAnnealing.max_temperatures,
    tol: float = KernelAnnealing.tol,
    start: ExpansionState | None = None,
) -> Iterator[AnnealingState]:
    """Minimise over (w, b) and p in turns, and cool down, [CSK08] Algorithm 2.

    Parameters
    ----------
    problem : S3VM
        With a free bias.
    T, rate, max_temperatures, tol
        As in `KernelAnnealing`.
    """
    yield from cooling(
        Annealing(problem, AnnealingState, start, T * problem.C_u),
        rate=rate,
        eps=tol,
        schedule=SCHEDULE,
        path=SCHEDULE,
        max_temperatures=max_temperatures,
    )
