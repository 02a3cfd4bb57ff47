"""Multi-switch transductive SVM, [SK07] section 1.3."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ssl_core.problems.lens import Lens
from ssl_core.problems.linear import TransductiveSVM
from ssl_core.quantities import SCHEDULE, lens_field, quantity
from ssl_core.solvers._linear import LinearState, start_vector, weights
from ssl_core.solvers._mfn import (
    DEFAULT,
    Schedule,
    Step,
    evaluate,
    reweighed,
    train_from,
)
from ssl_core.trace import Array, Event, Status

LAM_START = 1e-5  # [SK07] section 1.5
RATE = 1.5
# Measured on 20,000 documents: the path solved to 1e-2 takes a fifth of the passes
# of one solved to 1e-6 and ends at the same objective, up to 1e-4 of it.
EPS_PATH = 1e-2


@dataclass(frozen=True, slots=True, kw_only=True)
class TSVMState(LinearState):
    """Snapshot after a training; `objective` is that of `y_u` and `lam_u`.

    Attributes
    ----------
    lam_u : float
        Weight of the unlabeled points in this training; 0 at the start.
    y_u : int8 ndarray of shape (u,)
        Labels +-1 of the unlabeled points, in the order of their row numbers.
    n_switched : int
        Pairs of labels exchanged before this training.
    cg_iterations : int
    """

    lam_u: float = quantity("λ′", symbol="λ′", role=SCHEDULE, merge="mean")
    y_u: Array | None
    n_switched: int = quantity("pairs switched")
    cg_iterations: int = quantity("CGLS iterations")
    lens: Lens | None = lens_field()


def tsvm(
    problem: TransductiveSVM,
    *,
    S: int | None = None,
    lam_start: float = LAM_START,
    rate: float = RATE,
    schedule: Schedule = DEFAULT,
    eps_path: float = EPS_PATH,
    start: LinearState | None = None,
) -> Iterator[TSVMState]:
    """Label, train, switch labels, train, ...; then raise lambda' and go on.

    State 0 is the machine of the labelled points with the labels it gives to the
    others, a share r of them positive. Every further state is one seeded training.
    Every switch lowers the objective and keeps the number of positive labels. With
    nothing unlabeled, or no weight on it, state 0 is w = 0 and state 1 the machine.

    Parameters
    ----------
    problem : TransductiveSVM
    S : int or None
        Most pairs switched at once: 1 is Joachims' method, None as many as there are.
    lam_start, rate : float
        First lambda' and the factor it is raised by, up to `problem.lam_u`.
    schedule : Schedule
        How exactly the first and the last machines are trained.
    eps_path : float
        eps of the trainings before the last lambda'. Any training descends, and any
        pair that is switched lowers the objective, however exact w is.
    start : LinearState or None
        Seed: labels are assigned by its outputs, and lambda' goes on from its own
        where it has one.
    """
    walk = _Walk(problem, start)
    ladder = list(_ladder(walk.lam_u or lam_start, problem, rate))
    if ladder and walk.lam_u == 0.0:
        walk.train_supervised(schedule)
    yield walk.state()
    if not ladder:
        walk.train_supervised(schedule)
        walk.t += 1
        yield replace(walk.state(), status=Status.FINISHED)
        return
    path = replace(schedule, eps=max(eps_path, schedule.eps))
    S = problem.u if S is None else S
    for lam_u in ladder:
        last = lam_u == ladder[-1]
        events = [walk.raise_to(lam_u, afresh=last)]
        while True:
            walk.train(schedule if last else path)
            switched, event = walk.switch(S)
            status = Status.FINISHED if last and not switched else Status.RUNNING
            yield replace(walk.state(), status=status, events=tuple(events))
            if not switched:
                break
            walk.accept(switched)
            events = [event]


def _ladder(first, problem, rate) -> Iterator[float]:
    """lambda' from ``first`` to the problem's own, each ``rate`` times the last."""
    if problem.u == 0 or problem.lam_u == 0.0:
        return
    lam_u = first
    while lam_u < problem.lam_u:
        yield lam_u
        lam_u *= rate
    yield problem.lam_u


class _Walk:
    """The machine, the labels and lambda' as they move."""

    def __init__(self, problem, start):
        self.problem = problem
        v, f = start_vector(problem.design, start)
        self.crude = start is None
        self.lam_u = min(getattr(start, "lam_u", 0.0), problem.lam_u)
        self.t, self.n_switched, self.cg_iterations = 0, 0, 0
        self.y_u = problem.assign(f[problem.unlabeled])
        self.here = evaluate(problem.with_labels(self.y_u, self.lam_u), v, f)

    def train_supervised(self, schedule):
        """The labelled points' own machine, and the labels it gives to the others."""
        machine = self.problem.supervised()
        self.here, self.cg_iterations = train_from(
            machine,
            evaluate(machine, self.here.v, self.here.f),
            schedule=schedule,
            crude=self.crude,
        )
        self.y_u = self.problem.assign(self._outputs(self.here))

    def _outputs(self, here: Step):
        return here.f[self.problem.unlabeled]

    def raise_to(self, lam_u, afresh) -> Event:
        problem, here = self.problem, self.here
        machine = problem.with_labels(self.y_u, lam_u)
        if afresh or self.lam_u == 0.0:
            # Outputs and gradient follow by recurrence along the path.
            f = problem.design.outputs(here.v)
            self.here = evaluate(machine, here.v, f)
        else:
            ratio = lam_u / self.lam_u
            self.here = reweighed(machine, here, problem.labeled, ratio)
        self.machine, self.lam_u, self.n_switched = machine, lam_u, 0
        name, symbol = problem.weight
        text = f"The unlabelled points now weigh {symbol} = {lam_u:.3g}."
        return Event(name, text, {name: lam_u}, narrated=False)

    def train(self, schedule):
        self.here, self.cg_iterations = train_from(
            self.machine, self.here, schedule=schedule
        )
        self.t += 1

    def switch(self, S):
        """New labels and the event that tells of them; None where no switch helps."""
        problem, here = self.problem, self.here
        i, j = problem.switches(self._outputs(here), self.y_u, S)
        if len(i) == 0:
            return None, None
        y_u = self.y_u.copy()
        y_u[i], y_u[j] = -1, 1
        rows = problem.unlabeled[np.concatenate([i, j])]
        machine = problem.with_labels(y_u, self.lam_u)
        there = reweighed(machine, here, rows)
        if not there.objective < here.objective:  # outputs differ by rounding only
            return None, None
        pairs = "1 pair" if len(i) == 1 else f"{len(i)} pairs"
        text = (
            f"{pairs} of labels switched: the objective falls from "
            f"{here.objective:.6g} to {there.objective:.6g}."
        )
        data = {
            "to_negative": problem.unlabeled[i],
            "to_positive": problem.unlabeled[j],
            "before": here.objective,
            "after": there.objective,
        }
        return (y_u, len(i), machine, there), Event("switch", text, data, tone="accent")

    def accept(self, switched):
        self.y_u, self.n_switched, self.machine, self.here = switched

    def state(self) -> TSVMState:
        y_u = np.array(self.y_u)
        return TSVMState(
            t=self.t,
            objective=self.here.objective,
            f=self.here.f,
            grad_norm=self.here.grad_norm,
            lam_u=self.lam_u,
            y_u=y_u,
            n_switched=self.n_switched,
            cg_iterations=self.cg_iterations,
            lens=self.problem.lens_of_labels(y_u, self.lam_u),
            **weights(self.here.v),
        )
