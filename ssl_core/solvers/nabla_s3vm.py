"""Gradient descent on the smoothed S3VM objective, [CSK08] section 4.2."""

from collections.abc import Iterator
from dataclasses import dataclass

from ssl_core.losses import Bell
from ssl_core.problems.s3vm import S3VM
from ssl_core.quantities import DISTANCE, gradient
from ssl_core.solvers._gradient import EVERY, HINGE, TOL, Descent
from ssl_core.solvers._s3vm import WeightedState, at, doubling, idle, raised
from ssl_core.trace import ExpansionState, Status

STEPS = 10  # [CSK08] section 4.2


@dataclass(frozen=True, slots=True, kw_only=True)
class NablaS3VMState(WeightedState):
    """Snapshot on the way down; `objective` is eq. (14) at the C_u of the moment."""

    grad_norm: float = gradient(role=DISTANCE)


def nabla_s3vm(
    problem: S3VM,
    *,
    s: float = 5.0,
    steps: int = STEPS,
    every: int = EVERY,
    tol: float = TOL,
    start: ExpansionState | None = None,
) -> Iterator[NablaS3VMState]:
    """Minimise eq. (14) while the unlabelled points gain weight.

        1/2 |w|^2 + C sum_labeled max(0, 1 - y o)^2 + C_u sum_unlabeled exp(-s o^2)

    State 0 is the machine of the labelled points; C_u doubles up to its last value.

    Parameters
    ----------
    problem : S3VM
        With a bias that is fixed: eq. (12) in a centred kernel.
    s : float
        The bell's narrowness.
    steps : int
        Values of C_u; 1 does without annealing.
    every : int
        Gradient steps from one state to the next.
    tol : float
        Size of the gradient that ends a step, relative to w = 0.
    """
    walk = Descent(problem, start, tol)
    if start is None:
        walk.supervised()
    ladder = [0.0] if idle(problem) else doubling(problem, steps, start)
    t, C_u, events, status = 0, 0.0, (), Status.RUNNING
    if start is not None:
        C_u = ladder[0]
        walk.look(problem.smooth(HINGE, Bell(s), C_u))

    def state():
        here = walk.here
        return NablaS3VMState(
            t=t,
            objective=here.objective,
            grad_norm=here.grad_norm,
            C_u=C_u,
            inner=walk.inner,
            lens=problem.smooth(HINGE, Bell(s), C_u).lens,
            status=status,
            events=events,
            **at(problem, here.v, here.f),
        )

    yield state()
    for C_u in ladder:
        events = (raised(C_u),)
        objective = problem.smooth(HINGE, Bell(s), C_u)
        for done in walk.minimise(objective, every=every):
            t += 1
            if done and C_u == ladder[-1]:
                status = Status.FINISHED
            yield state()
            events = ()
