"""Multi-switch transductive SVM, [SK07] section 1.3."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ssl_core.numerals import number
from ssl_core.problems.lens import Lens
from ssl_core.problems.linear import TransductiveSVM
from ssl_core.quantities import SCHEDULE, lens_field, quantity
from ssl_core.settings import OWN, check_schedule, shared
from ssl_core.settings import number as setting
from ssl_core.solvers._linear import LinearState
from ssl_core.solvers._mfn import (
    DEFAULT,
    MFNIterate,
    Schedule,
    Training,
    evaluate,
    reweighed,
    train_from,
)
from ssl_core.solvers.settings import Solver, Usual
from ssl_core.trace import Array, Event, State, Status

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


class MultiSwitch(Solver):
    """Settings of `tsvm`; the defaults are those of [SK07] section 1.5."""

    S: int | None = shared(Usual)
    lam_start: float = setting(
        1e-5,
        "First lambda'; ``rate`` raises it.",
        above=0,
        title="First weight λ′",
        slider=(1e-8, 1e2),
        log=True,
        **OWN,
        help="First weight λ' of the unlabelled points.",
        up="fewer trainings, a shorter annealing",
    )
    rate: float = shared(Usual, help="Factor by which λ' rises.", place="more")

    def check_to(self, lam_u: float) -> None:
        """Refuse a schedule that takes too many steps to reach lambda'."""
        check_schedule("rate", self.rate, self.lam_start, lam_u, what="lam_u")

    def __call__(self, problem, start=None, training: Training | None = None):
        training = training or Training()
        return tsvm(
            problem,
            **self.values,
            schedule=training.last,
            eps_path=training.eps_path(EPS_PATH),
            start=start,
        )


def tsvm(
    problem: TransductiveSVM,
    *,
    S: int | None = MultiSwitch.S,
    lam_start: float = MultiSwitch.lam_start,
    rate: float = MultiSwitch.rate,
    schedule: Schedule = DEFAULT,
    eps_path: float = EPS_PATH,
    rest: float = 0.0,
    start: LinearState | None = None,
) -> Iterator[TSVMState]:
    """Label, train, switch labels, train, ...; then raise lambda' and continue.

    State 0 is the SVM of the labelled points with the labels it gives to the
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
    rest : float
        lambda' is raised, or the run ends, when at most this share of the unlabelled
        points is in pairs worth switching.
    start : LinearState or None
        Seed: labels are assigned by its outputs, and lambda' goes on from its own
        where it has one.
    """
    yield from switching(
        LabelSwitching(problem, TSVMState, start),
        S=S,
        lam_start=lam_start,
        rate=rate,
        schedule=schedule,
        path=replace(schedule, eps=max(eps_path, schedule.eps)),
        rest=rest,
    )


def switching(
    run: "LabelSwitching",
    *,
    S,
    lam_start,
    rate,
    schedule: Schedule,
    path: Schedule,
    rest,
) -> Iterator[State]:
    """The loops of `tsvm`: values of lambda', and training and switching at each."""
    problem = run.problem
    ladder = list(_ladder(run.lam_u or lam_start, problem, rate))
    if ladder and run.lam_u == 0.0:
        run.train_supervised(schedule)
    yield run.state()
    if not ladder:
        run.train_supervised(schedule)
        run.t += 1
        yield replace(run.state(), status=Status.FINISHED)
        return
    S = problem.u if S is None else S
    for lam_u in ladder:
        last = lam_u == ladder[-1]
        events = [run.raise_to(lam_u, recompute=last)]
        while True:
            run.train(schedule if last else path)
            switched, event = run.switch(S, rest)
            status = Status.FINISHED if last and not switched else Status.RUNNING
            yield replace(run.state(), status=status, events=tuple(events))
            if not switched:
                break
            run.accept(switched)
            events = [event]


def _ladder(first, problem, rate) -> Iterator[float]:
    """lambda' from ``first`` to the problem's own, each ``rate`` times the last.

    The defaults, from 1e-5 by 1.5, are those of [SK07] section 1.5.
    """
    if problem.u == 0 or problem.lam_u == 0.0:
        return
    lam_u = first
    while lam_u < problem.lam_u:
        yield lam_u
        lam_u *= rate
    yield problem.lam_u


class LabelSwitching:
    """The machine, the labels and lambda' as they move.

    Parameters
    ----------
    problem : TransductiveSVM
    kind : type
        Class of the states; the problem knows what its states say.
    start : State or None
    """

    def __init__(self, problem: TransductiveSVM, kind: type[State], start):
        self.problem, self.kind = problem, kind
        v, f = problem.start_point(start)
        self.crude = start is None
        self.lam_u = min(getattr(start, problem.weight[0], 0.0), problem.lam_u)
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

    def _outputs(self, here: MFNIterate):
        return here.f[self.problem.unlabeled]

    def raise_to(self, lam_u, recompute) -> Event:
        problem, here = self.problem, self.here
        machine = problem.with_labels(self.y_u, lam_u)
        if recompute or self.lam_u == 0.0:
            # Outputs and gradient follow by recurrence along the path.
            f = problem.design.outputs(here.v)
            self.here = evaluate(machine, here.v, f)
        else:
            ratio = lam_u / self.lam_u
            self.here = reweighed(machine, here, problem.labeled, ratio)
        self.machine, self.lam_u, self.n_switched = machine, lam_u, 0
        name, symbol = problem.weight
        text = f"The unlabelled points now weigh {symbol} = {number(lam_u)}."
        return Event(name, text, {name: lam_u})

    def train(self, schedule):
        self.here, self.cg_iterations = train_from(
            self.machine, self.here, schedule=schedule
        )
        self.t += 1

    def switch(self, S, rest):
        """New labels and the event that tells of them; None where no switch helps."""
        problem, here = self.problem, self.here
        f_u = self._outputs(here)
        i, j = problem.switches(f_u, self.y_u, problem.u, problem.stakes(f_u))
        if 2 * len(i) <= rest * problem.u:
            return None, None
        i, j = i[:S], j[:S]
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
            f"{number(here.objective, 6)} to {number(there.objective, 6)}."
        )
        data = {
            "to_negative": problem.unlabeled[i],
            "to_positive": problem.unlabeled[j],
            "before": here.objective,
            "after": there.objective,
        }
        return (y_u, len(i), machine, there), Event("switch", text, data)

    def accept(self, switched):
        self.y_u, self.n_switched, self.machine, self.here = switched

    def state(self) -> State:
        problem, here, y_u = self.problem, self.here, np.array(self.y_u)
        known = {
            "t": self.t,
            "objective": here.objective,
            "grad_norm": here.grad_norm,
            problem.weight[0]: self.lam_u,
            "y_u": y_u,
            "n_switched": self.n_switched,
            "lens": problem.lens_of_labels(y_u, self.lam_u),
        }
        fields = problem.state_fields(here.v, here.f, self.cg_iterations)
        return self.kind.of(known | fields)
