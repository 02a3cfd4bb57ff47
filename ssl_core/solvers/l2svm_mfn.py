"""Modified finite Newton for the linear l2-SVM, [SK07] section 1.2 and [KD05]."""

from collections.abc import Iterator
from dataclasses import dataclass

from ssl_core.problems.linear import LinearSVM, start_point
from ssl_core.quantities import quantity
from ssl_core.solvers._events import exchange
from ssl_core.solvers._linear import LinearState
from ssl_core.solvers._mfn import DEFAULT, Schedule, evaluate, newton_steps
from ssl_core.trace import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class MFNState(LinearState):
    """Snapshot after a Newton step."""

    # Points with a loss, j(w) of the paper
    n_active: int = quantity("active points")
    # Of the step that led here
    cg_iterations: int = quantity("CGLS iterations")
    # Its length, 1 is the full Newton step
    step: float = quantity(merge="mean")


def l2svm_mfn(
    problem: LinearSVM,
    *,
    schedule: Schedule = DEFAULT,
    start: LinearState | None = None,
) -> Iterator[MFNState]:
    """CGLS on the active points and an exact line search, in turns.

    From w = 0 the first systems are solved loosely, so that the line search can shrink
    the active set before anything is solved well; a seed skips that phase.

    Parameters
    ----------
    problem : LinearSVM
    schedule : Schedule
        eps and tau of the paper, and how loose CGLS may be on the way.
    start : LinearState or None
        Seed: continue from this state's w and b.
    """
    seed = evaluate(problem, *start_point(problem.design, start))
    active = None
    steps = newton_steps(problem, seed, schedule=schedule, crude=start is None)
    for t, here in enumerate(steps):
        before, active = active, here.terms.weight > 0
        status = Status.STALLED if here.stalled else Status.RUNNING
        yield MFNState(
            t=t,
            status=Status.CONVERGED if here.converged else status,
            objective=here.objective,
            f=here.f,
            grad_norm=here.grad_norm,
            n_active=len(here.terms.rows),
            cg_iterations=here.cg_iterations,
            step=here.step,
            events=() if t == 0 else exchange("active set", before, active),
            w=here.v[:-1],
            b=float(here.v[-1]),
        )
