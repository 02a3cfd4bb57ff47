"""Deterministic annealing for the linear semi-supervised SVM, [SK07] section 1.4."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.special import logit

from ssl_core.driver import GO_ON
from ssl_core.numerals import number
from ssl_core.problems.lens import Lens
from ssl_core.problems.linear import TransductiveSVM
from ssl_core.quantities import PROBABILITY, SCHEDULE, lens_field, quantity
from ssl_core.settings import shared, switch
from ssl_core.solvers._linear import LinearState
from ssl_core.solvers._mfn import DEFAULT, Schedule, Training, evaluate, train_from
from ssl_core.solvers.settings import Solver, Usual
from ssl_core.trace import Array, Event, State, Status

MAX_INNER = 100
EPS = 1e-6  # of KL and entropy per point, [SK07] section 1.4.3
# Measured on 20,000 documents: w steps to 3e-3 take a quarter of the passes of steps
# to 1e-6 and end at the same objective, up to 1e-5 of it; at 1e-2 it is 1e-4.
EPS_PATH = 3e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class DAState(LinearState):
    """Snapshot after a w step and a p step; `objective` is [SK07] eq. (1.6) at T.

    Attributes
    ----------
    T : float
    p : ndarray of shape (u,)
        Probability of the positive class for the unlabeled points, in the order of
        their row numbers; mean(p) = r.
    entropy, kl : float
        H(p) and KL(p, last p) per unlabeled point, in nats.
    transductive_objective : float
        The objective at T = 0; the machine with its lowest value is returned.
    cg_iterations : int
    """

    objective: float = quantity("objective at T")
    T: float = quantity("T", symbol="T", role=SCHEDULE, merge="mean")
    p: Array | None = quantity(role=PROBABILITY)
    entropy: float
    kl: float = quantity("KL divergence")
    transductive_objective: float = quantity("objective at T = 0")
    cg_iterations: int = quantity("CGLS iterations")
    lens: Lens | None = lens_field()


class DA(Solver):
    """Settings of `da`; the defaults are those of [SK07] section 1.5.

    10 / 1.5^30 = 5e-5 is colder than any margin can tell.
    """

    T: float = shared(
        Usual,
        doc="First temperature; ``rate`` divides it.",
        title="First temperature T",
        slider=(1e-5, 1e3),
        place="front",
        travels=True,
        help="Temperature at the start.",
    )
    rate: float = shared(
        Usual,
        help="Factor by which the temperature falls.",
        up="fewer temperatures: a shorter run, a coarser annealing",
        place="more",
    )
    anneal: bool = switch(
        True,
        "False stays at T.",
        title="Lower the temperature",
        help="Let the temperature fall; off keeps it where it is.",
        up="that labels are decided step by step",
    )
    max_temperatures: int = shared(Usual, default=30, slider=(1, 200))

    def __call__(self, problem, start=None, training: Training | None = None):
        training = training or Training()
        return da(
            problem,
            **self.values,
            eps=training.tol,
            schedule=training.last,
            eps_path=training.eps_path(EPS_PATH),
            start=start,
        )


def da(
    problem: TransductiveSVM,
    *,
    T: float = DA.T,
    rate: float = DA.rate,
    anneal: bool = DA.anneal,
    eps: float = EPS,
    schedule: Schedule = DEFAULT,
    eps_path: float = EPS_PATH,
    max_temperatures: int = DA.max_temperatures,
    max_inner: int = MAX_INNER,
    start: LinearState | None = None,
) -> Iterator[DAState]:
    """Minimise over w and p in turns, and cool down.

    Each state is one w step (a seeded training) and one p step (closed form, the class
    ratio kept by its multiplier). At one temperature they alternate until p settles;
    the cooling ends when p is as certain as the class ratio allows, [SK07] section
    1.4.3. The last state is
    an epilogue, also where only one more is allowed: its w step goes back to the p with
    the lowest transductive objective on the path and trains to the end, its p step is
    made at the last temperature; its event "best" tells so. T never rises, and the
    machine returned is the best one.

    Parameters
    ----------
    problem : TransductiveSVM
    T, rate : float
        First temperature, and the factor it is divided by.
    anneal : bool
        False stays at T: the paper's comparison in "Importance of annealing".
    eps : float
        KL(p, last p) / u below it ends a temperature, H(p) / u the run.
    schedule : Schedule
        How exactly the returned machine is trained.
    eps_path : float
        eps of the w steps on the way; any w step descends.
    max_temperatures, max_inner : int
        Most temperatures, and most alternations at one of them.
    start : LinearState or None
        Seed: w, and the temperature where it has one; p follows from both.
    """
    yield from cooling(
        Annealing(problem, DAState, start, T),
        rate=rate,
        anneal=anneal,
        eps=eps,
        schedule=schedule,
        path=replace(schedule, eps=max(eps_path, schedule.eps)),
        max_temperatures=max_temperatures,
        max_inner=max_inner,
    )


def cooling(
    run: "Annealing",
    *,
    rate,
    eps,
    schedule: Schedule,
    path: Schedule,
    max_temperatures,
    max_inner=MAX_INNER,
    anneal=True,
) -> Iterator[State]:
    """The loops of `da`: temperatures, and w step and p step in turns at each.

    KL(p, last p) ends a temperature and H(p) the run, [SK07] section 1.4.3.
    """
    problem, orders = run.problem, GO_ON
    if problem.u == 0 or problem.lam_u == 0.0:
        yield from _supervised(run, schedule)
        return
    yield run.state()
    for stage in range(max_temperatures if anneal else 1):
        events = (run.cool(rate if stage else 1.0),)
        for _ in range(max_inner):
            run.advance(path)
            orders = (yield replace(run.state(), events=events)) or GO_ON
            if run.kl < eps or orders.last:
                break
            events = ()
        if orders.last or run.entropy - run.least_entropy < eps:
            break
    event = run.back_to_best(schedule, "The annealing has ended." if anneal else "")
    status = Status.RUNNING if orders.last else Status.FINISHED
    yield replace(run.state(), status=status, events=(event,))


def _supervised(run, schedule) -> Iterator[State]:
    """Nothing unlabeled, or no weight on it: the labelled points' own machine."""
    yield run.state()
    run.weigh(run.problem.supervised())
    run.train(schedule)
    run.t += 1
    run.weigh(run.problem.with_probabilities(run.p))
    run.measure()
    yield replace(run.state(), status=Status.FINISHED)


class Best(NamedTuple):
    """The point of the path with the lowest transductive objective."""

    value: float
    t: int
    T: float
    v: Array
    f: Array
    p: Array
    grad_norm: float


class Annealing:
    """w, p and T as they move, and the best point so far.

    Parameters
    ----------
    problem : TransductiveSVM
    kind : type
        Class of the states; the problem knows what its states say.
    start : State or None
    T : float
        First temperature, where ``start`` has none.
    """

    def __init__(self, problem: TransductiveSVM, kind: type[State], start, T):
        self.problem, self.kind = problem, kind
        self.v, self.f = problem.start_point(start)
        self.T = float(getattr(start, "T", T))
        self.crude = start is None
        self.t, self.kl, self.cg_iterations = 0, 0.0, 0
        if start is None or problem.u == 0:
            # All outputs are 0, and r is what the best p must be.
            self.p, self.nu = (
                np.full(problem.u, problem.r),
                self.T * logit(problem.r) / 2,
            )
        else:
            self.p, self.nu = problem.probabilities(self.f[problem.unlabeled], self.T)
        self.weigh(problem.with_probabilities(self.p))
        self.grad_norm = self.here.grad_norm
        self.best = None
        self.measure()
        if start is not None:  # a seed is a point of the path
            self.compare()

    def weigh(self, machine):
        """The machine that is trained next, and where it stands."""
        self.machine, self.here = machine, evaluate(machine, self.v, self.f)

    def measure(self):
        """[SK07] eq. (1.6) at p, and the objective at T = 0."""
        problem = self.problem
        self.entropy = problem.mean_entropy(self.p)
        self.objective = self.here.objective - problem.heat(self.entropy, self.T)
        self.transductive = problem.objective(self.v, self.f)

    @property
    def least_entropy(self) -> float:
        return self.problem.least_entropy(self.f[self.problem.unlabeled])

    def train(self, schedule):
        here, self.cg_iterations = train_from(
            self.machine, self.here, schedule=schedule, crude=self.crude
        )
        self.v, self.f, self.grad_norm = here.v, here.f, here.grad_norm
        self.crude = False

    def advance(self, schedule):
        """The w step, then the p step."""
        self.train(schedule)
        self.p_step(self.p)
        self.t += 1
        self.measure()
        self.compare()

    def compare(self):
        if self.best is None or self.transductive < self.best.value:
            self.best = Best(
                self.transductive,
                self.t,
                self.T,
                self.v,
                self.f,
                self.p,
                self.grad_norm,
            )

    def p_step(self, last):
        problem, f_u = self.problem, self.f[self.problem.unlabeled]
        self.p, self.nu = problem.probabilities(f_u, self.T)
        self.kl = problem.mean_divergence(self.p, last)
        self.weigh(problem.with_probabilities(self.p))

    def cool(self, rate) -> Event:
        self.T /= rate
        text = f"The temperature is T = {number(self.T)}."
        return Event("temperature", text, {"T": self.T})

    def back_to_best(self, schedule, why: str) -> Event:
        """The best point of the path, trained to the end; kept as it was if better."""
        problem, last, best = self.problem, self.p, self.best
        # Outputs follow by recurrence along the path; here they are computed again.
        self.v, self.f = best.v, problem.design.outputs(best.v)
        self.weigh(problem.with_probabilities(best.p))
        self.train(schedule)
        if problem.objective(self.v, self.f) > best.value:
            self.v, self.f, self.grad_norm = best.v, best.f, best.grad_norm
        self.p_step(last)
        self.t += 1
        self.measure()
        text = (
            f"{why} Iteration {best.t:,} (T = {number(best.T)}) had the lowest "
            f"objective at T = 0; its classifier is trained to convergence, to "
            f"{number(self.transductive)}, and returned."
        ).strip()
        data = {"t": best.t, "T": best.T, "transductive_objective": best.value}
        return Event("best", text, data)

    def state(self) -> State:
        known = {
            "t": self.t,
            "objective": self.objective,
            "grad_norm": self.grad_norm,
            "T": self.T,
            "p": self.p,
            "entropy": self.entropy,
            "kl": self.kl,
            "transductive_objective": self.transductive,
            "lens": self.problem.lens_of_temperature(self.T, self.nu),
        }
        fields = self.problem.state_fields(self.v, self.f, self.cg_iterations)
        return self.kind.of(known | fields)
