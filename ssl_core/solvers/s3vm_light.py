"""Label switching in the features of a kernel, [CSK08] section 3.2, Algorithm 1.

The work is `tsvm`'s, on features with a free bias; its states are told in the words of
the kernel: C_u for lambda', alpha for w.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from ssl_core.problems.s3vm import S3VM
from ssl_core.quantities import quantity
from ssl_core.solvers._mfn import Schedule
from ssl_core.solvers._s3vm import WeightedState, at, translated
from ssl_core.solvers.tsvm import tsvm
from ssl_core.trace import Array, ExpansionState

FIRST = 1e-5  # of the final C_u, [CSK08] Algorithm 1
RATE = 1.5
EPS = 1e-9  # of the trainings, which are direct solves


@dataclass(frozen=True, slots=True, kw_only=True)
class S3VMLightState(WeightedState):
    """Snapshot after a training; `objective` is that of `y_u` and `C_u`.

    Attributes
    ----------
    y_u : int8 ndarray of shape (u,)
        Labels +-1 of the unlabelled points, in the order of their row numbers.
    n_switched : int
        Pairs of labels exchanged before this training.
    """

    y_u: Array | None
    n_switched: int = quantity("pairs switched")


def s3vm_light(
    problem: S3VM,
    *,
    S: int | None = 1,
    first: float = FIRST,
    rate: float = RATE,
    start: ExpansionState | None = None,
) -> Iterator[S3VMLightState]:
    """Label, train, switch labels, train, ...; then raise C_u: [CSK08] Algorithm 1.

    Parameters
    ----------
    problem : S3VM
        With a free bias.
    S : int or None
        Most pairs switched at once: 1 is Joachims' method, None as many as there are.
    first, rate : float
        First C_u as a share of the last, and the factor it is raised by.
    """
    solver = tsvm(
        problem,
        S=S,
        lam_start=first * problem.C_u,
        rate=rate,
        schedule=Schedule(eps=EPS, tau=EPS),
        eps_path=EPS,
        start=seed(problem, start, lam_u=getattr(start, "C_u", 0.0)),
    )

    def translate(state):
        return S3VMLightState(
            t=state.t,
            objective=state.objective,
            C_u=state.lam_u,
            y_u=state.y_u,
            n_switched=state.n_switched,
            inner=state.cg_iterations,
            lens=state.lens,
            status=state.status,
            events=state.events,
            **at(problem, np.append(state.w, state.b), state.f),
        )

    return translated(solver, translate)


def seed(problem: S3VM, start, **settings):
    """An earlier state of a kernel machine as one of a linear machine on features."""
    if start is None:
        return None
    v = problem.start_vector(start)
    return SimpleNamespace(w=v[:-1], b=float(v[-1]), **settings)
