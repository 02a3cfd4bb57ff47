"""Gradient descent on the smoothed S3VM objective, [CSK08] section 4.2."""

from collections.abc import Iterator
from dataclasses import dataclass

from ssl_core.losses import Bell
from ssl_core.problems.s3vm import S3VM
from ssl_core.quantities import DISTANCE, gradient
from ssl_core.settings import shared
from ssl_core.solvers._gradient import HINGE, TOL, Descent
from ssl_core.solvers._s3vm import WeightedState, doubling, idle, raised
from ssl_core.solvers.settings import GRADIENT, Solver, Usual
from ssl_core.trace import ExpansionState, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class NablaS3VMState(WeightedState):
    """Snapshot on the way down; `objective` is [CSK08] eq. (14) at this C_u."""

    grad_norm: float = gradient(role=DISTANCE)


class GradientDescent(Solver):
    """Settings of `nabla_s3vm`; [CSK08] section 4.2 takes ten steps."""

    narrowness: float = shared(Usual)
    steps: int = shared(Usual)
    every: int = shared(Usual)
    tol: float = shared(Usual, default=TOL, **GRADIENT)

    def __call__(self, problem: S3VM, start=None):
        return nabla_s3vm(problem, **self.values, start=start)


def nabla_s3vm(
    problem: S3VM,
    *,
    narrowness: float = GradientDescent.narrowness,
    steps: int = GradientDescent.steps,
    every: int = GradientDescent.every,
    tol: float = GradientDescent.tol,
    start: ExpansionState | None = None,
) -> Iterator[NablaS3VMState]:
    """Minimise [CSK08] eq. (14) while the unlabelled points gain weight.

        1/2 |w|^2 + C sum_labeled max(0, 1 - y o)^2 + C_u sum_unlabeled exp(-s o^2)

    State 0 is the SVM of the labelled points; C_u doubles up to its last value.

    Parameters
    ----------
    problem : S3VM
        With a bias that is fixed: [CSK08] eq. (12) in a centred kernel.
    narrowness, steps, every, tol
        As in `GradientDescent`; the narrowness is s.
    """
    descent, bell = Descent(problem, start, tol), Bell(narrowness)
    if start is None:
        descent.supervised()
    ladder = [0.0] if idle(problem) else doubling(problem, steps, start)
    t, status = 0, Status.RUNNING
    C_u = 0.0 if start is None else ladder[0]
    objective = problem.smooth(HINGE, bell, C_u)
    if start is not None:
        descent.look(objective)
    yield NablaS3VMState(t=0, C_u=C_u, **descent.fields(objective))
    for C_u in ladder:
        objective, events = problem.smooth(HINGE, bell, C_u), (raised(C_u),)
        for done in descent.minimise(objective, every=every):
            t += 1
            if done and C_u == ladder[-1]:
                status = Status.FINISHED
            fields = descent.fields(objective)
            yield NablaS3VMState(t=t, C_u=C_u, status=status, events=events, **fields)
            events = ()
