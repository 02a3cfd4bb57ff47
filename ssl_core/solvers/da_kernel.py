"""Deterministic annealing in the features of a kernel, [CSK08] section 3.3.

The work is `da`'s, w step and p step in turns, on features with a free bias.
"""

from collections.abc import Iterator

import numpy as np

from ssl_core.problems.s3vm import S3VM
from ssl_core.solvers._mfn import Schedule
from ssl_core.solvers._s3vm import at, translated
from ssl_core.solvers.da import da
from ssl_core.solvers.nabla_da import (
    EPS,
    MAX_TEMPERATURES,
    RATE,
    T_START,
    AnnealingState,
)
from ssl_core.solvers.s3vm_light import seed
from ssl_core.trace import ExpansionState


def da_kernel(
    problem: S3VM,
    *,
    T: float = T_START,
    rate: float = RATE,
    eps: float = EPS,
    max_temperatures: int = MAX_TEMPERATURES,
    start: ExpansionState | None = None,
) -> Iterator[AnnealingState]:
    """Minimise over (w, b) and p in turns, and cool down, [CSK08] Algorithm 2.

    Parameters
    ----------
    problem : S3VM
        With a free bias.
    T, rate : float
        First temperature in units of C_u, and the factor it is divided by.
    eps : float
        KL divergence per point that ends a temperature, entropy that ends the run.
    """
    first = T * problem.C_u
    solver = da(
        problem,
        T=first,
        rate=rate,
        eps=eps,
        schedule=Schedule(eps=1e-9, tau=1e-9),
        eps_path=1e-9,
        max_temperatures=max_temperatures,
        start=seed(problem, start, T=getattr(start, "T", first)),
    )

    def translate(state):
        return AnnealingState(
            t=state.t,
            objective=state.objective,
            T=state.T,
            p=state.p,
            entropy=state.entropy,
            grad_norm=state.grad_norm,
            inner=state.cg_iterations,
            lens=state.lens,
            status=state.status,
            events=state.events,
            **at(problem, np.append(state.w, state.b), state.f),
        )

    return translated(solver, translate)
