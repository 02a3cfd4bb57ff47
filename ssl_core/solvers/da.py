"""Deterministic annealing for the linear semi-supervised SVM, [SK07] section 1.4."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import logit

from ssl_core.driver import GO_ON
from ssl_core.problems.lens import Lens
from ssl_core.problems.linear import TransductiveSVM
from ssl_core.quantities import PROBABILITY, SCHEDULE, lens_field, quantity
from ssl_core.solvers._linear import LinearState, start_vector, weights
from ssl_core.solvers._mfn import DEFAULT, Schedule, evaluate, train_from
from ssl_core.trace import Array, Event, Status

T_START = 10.0  # [SK07] section 1.5
RATE = 1.5
MAX_TEMPERATURES = 30  # 10 / 1.5^30 = 5e-5: colder than any margin can tell
EPS = 1e-6  # of KL and entropy per point, section 1.4.3
# Measured on 20,000 documents: w steps to 3e-3 take a quarter of the passes of steps
# to 1e-6 and end at the same objective, up to 1e-5 of it; at 1e-2 it is 1e-4.
EPS_PATH = 3e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class DAState(LinearState):
    """Snapshot after a w step and a p step; `objective` is eq. (1.6) at T.

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


def da(
    problem: TransductiveSVM,
    *,
    T: float = T_START,
    rate: float = RATE,
    anneal: bool = True,
    eps: float = EPS,
    schedule: Schedule = DEFAULT,
    eps_path: float = EPS_PATH,
    max_temperatures: int = MAX_TEMPERATURES,
    max_inner: int = 100,
    start: LinearState | None = None,
) -> Iterator[DAState]:
    """Minimise over w and p in turns, and cool down.

    Each state is one w step (a seeded training) and one p step (closed form, the class
    ratio kept by its multiplier). At one temperature they alternate until p settles;
    the cooling ends when p is as certain as the class ratio allows. The last state is
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
    walk = _Walk(problem, start, T)
    if problem.u == 0 or problem.lam_u == 0.0:
        yield from _supervised(walk, schedule)
        return
    yield walk.state()
    path = replace(schedule, eps=max(eps_path, schedule.eps))
    orders = GO_ON
    for stage in range(max_temperatures if anneal else 1):
        events = (walk.cool(rate if stage else 1.0),)
        for _ in range(max_inner):
            walk.advance(path)
            orders = (yield replace(walk.state(), events=events)) or GO_ON
            if walk.kl < eps or orders.last:
                break
            events = ()
        if orders.last or walk.entropy - problem.least_entropy < eps:
            break
    event = walk.back_to_best(schedule, "The cooling is over." if anneal else "")
    status = Status.RUNNING if orders.last else Status.FINISHED
    yield replace(walk.state(), status=status, events=(event,))


def _supervised(walk, schedule) -> Iterator[DAState]:
    """Nothing unlabeled, or no weight on it: the labelled points' own machine."""
    yield walk.state()
    walk.weigh(walk.problem.supervised())
    walk.train(schedule)
    walk.t += 1
    walk.weigh(walk.problem.with_probabilities(walk.p))
    walk.measure()
    yield replace(walk.state(), status=Status.FINISHED)


class _Walk:
    """w, p and T as they move, and the best point so far."""

    def __init__(self, problem, start, T):
        self.problem = problem
        self.v, self.f = start_vector(problem.design, start)
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
        self.best = (np.inf,)
        self.measure()
        if start is not None:  # a seed is a point of the path
            self.best = (self.transductive, self.state())

    def weigh(self, machine):
        """The machine that is trained next, and where it stands."""
        self.machine, self.here = machine, evaluate(machine, self.v, self.f)

    def measure(self):
        """Eq. (1.6) at p, whose machine is at hand, and the objective at T = 0."""
        problem = self.problem
        self.entropy = problem.mean_entropy(self.p)
        self.objective = self.here.objective - problem.heat(self.entropy, self.T)
        self.transductive = problem.objective(self.v, self.f)

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
        if self.transductive < self.best[0]:
            self.best = (self.transductive, self.state())

    def p_step(self, last):
        problem, f_u = self.problem, self.f[self.problem.unlabeled]
        self.p, self.nu = problem.probabilities(f_u, self.T)
        self.kl = problem.mean_divergence(self.p, last)
        self.weigh(problem.with_probabilities(self.p))

    def cool(self, rate) -> Event:
        self.T /= rate
        text = f"The temperature is T = {self.T:.3g}."
        return Event("temperature", text, {"T": self.T}, tone="warn", narrated=False)

    def back_to_best(self, schedule, why: str) -> Event:
        """The best point of the path, trained to the end; kept as it was if better."""
        problem, last = self.problem, self.p
        value, best = self.best
        # Outputs follow by recurrence along the path; here they start afresh.
        self.v = np.append(best.w, best.b)
        self.f = problem.design.outputs(self.v)
        self.weigh(problem.with_probabilities(best.p))
        self.train(schedule)
        if problem.objective(self.v, self.f) > value:
            self.v, self.f = np.append(best.w, best.b), best.f
            self.grad_norm = best.grad_norm
        self.p_step(last)
        self.t += 1
        self.measure()
        text = (
            f"{why} Iteration {best.t} (T = {best.T:.3g}) had the lowest objective at "
            f"T = 0; its machine is trained to the end, to {self.transductive:.3g}, "
            "and returned."
        ).strip()
        data = {"t": best.t, "T": best.T, "transductive_objective": value}
        return Event("best", text, data, tone="good")

    def state(self) -> DAState:
        return DAState(
            t=self.t,
            objective=self.objective,
            f=self.f,
            grad_norm=self.grad_norm,
            T=self.T,
            p=self.p,
            entropy=self.entropy,
            kl=self.kl,
            transductive_objective=self.transductive,
            cg_iterations=self.cg_iterations,
            lens=self.problem.lens_of_temperature(self.T, self.nu),
            **weights(self.v),
        )
