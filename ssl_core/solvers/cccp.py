"""The concave-convex procedure for S3VMs, [CSK08] section 4.1, Algorithm 4."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ssl_core.linalg.tangent import tangent_steps
from ssl_core.losses import Hat, Hinge
from ssl_core.problems.lens import Lens
from ssl_core.problems.s3vm import S3VM
from ssl_core.quantities import quantity
from ssl_core.solvers._mfn import Schedule, train
from ssl_core.solvers._s3vm import (
    WeightedState,
    at,
    geometric,
    idle,
    raised,
    signs,
)
from ssl_core.trace import Array, Event, ExpansionState, Status, some_points

STEPS = 10
FIRST = 1e-3  # of the final C_u, [CSK08] section 5.4.4
MAX_ROUNDS = 200  # at one C_u; every round descends, so that there is an end
EPS = 1e-9  # of the trainings
MAX_COORDINATES = 1_000_000
HINGE, HAT = Hinge(), Hat(p=1)  # of the plain machine


@dataclass(frozen=True, slots=True, kw_only=True)
class CCCPState(WeightedState):
    """Snapshot after a convex training; `objective` is eq. (5) at this C_u.

    Attributes
    ----------
    y_u : int8 ndarray of shape (u,)
        Signs of the outputs of the unlabelled points: the labels of the next round.
    n_changed : int
        How many of them this round changed.
    """

    y_u: Array | None
    n_changed: int = quantity("labels changed")


def cccp(
    problem: S3VM,
    *,
    loss: str = "squared",
    steps: int = STEPS,
    start: ExpansionState | None = None,
) -> Iterator[CCCPState]:
    """Label by sign, minimise the convex bound at these labels, again.

    The hat is convex but for a multiple of |o|, whose tangent lies above it: every
    round lowers eq. (5). State 0 is the machine of the labelled points.

    Parameters
    ----------
    problem : S3VM
        With a bias that is fixed: eq. (12) in a centred kernel.
    loss : {"squared", "hinge"}
        p = 2 or p = 1 in eq. (2), for labelled and unlabelled points.
    steps : int
        Values of C_u, from a thousandth of the last; 1 is [CSK08]'s "no annealing".
    """
    machine = LOSSES[loss](problem, start)
    if start is None:
        machine.train(np.zeros(problem.u), 0.0)
    ladder = [0.0] if idle(problem) else geometric(problem, steps, FIRST, start)
    t, C_u, events, status = 0, 0.0 if start is None else ladder[0], (), Status.RUNNING
    y_u, changed = signs(machine.f[problem.unlabeled]), 0

    def state():
        return CCCPState(
            t=t,
            objective=machine.objective(C_u),
            C_u=C_u,
            y_u=y_u,
            n_changed=changed,
            lens=machine.lens(C_u),
            status=status,
            events=events,
            **machine.fields(),
        )

    yield state()
    for C_u in ladder:
        events = (raised(C_u),)
        for _ in range(MAX_ROUNDS):
            machine.train(y_u, C_u)
            before, y_u = y_u, signs(machine.f[problem.unlabeled])
            moved = problem.unlabeled[y_u != before]
            t, changed = t + 1, len(moved)
            if changed:
                events = (*events, _relabelled(moved))
            elif C_u == ladder[-1]:
                status = Status.FINISHED if machine.exact else Status.STALLED
            yield state()
            events = ()
            if not changed:
                break
    if status.running:  # labels that go round in circles by rounding
        t, status = t + 1, Status.STALLED
        yield state()


class _Squared:
    """The machine with the squared hinge: Newton's method on quadratic pieces."""

    schedule = Schedule(eps=EPS, tau=EPS)
    exact = True  # Newton's method on pieces is finite

    def __init__(self, problem: S3VM, start):
        self.problem, self.inner = problem, 0
        self.v = problem.start_vector(start)
        self.f = problem.features.outputs(self.v)

    def train(self, y_u, C_u):
        convex = self.problem.tangent(y_u, C_u)
        here, self.inner = train(convex, self.v, self.f, schedule=self.schedule)
        self.v, self.f = here.v, here.f

    def objective(self, C_u) -> float:
        return self.problem.hard_objective(self.v, self.f, C_u)

    def lens(self, C_u) -> Lens:
        return Lens(Hat(), C_u)

    def fields(self) -> dict:
        return {"inner": self.inner, **at(self.problem, self.v, self.f)}


class _Plain:
    """The machine with the plain hinge: coordinate steps in the dual variables."""

    def __init__(self, problem: S3VM, start):
        self.problem, self.inner, self.exact = problem, 0, True
        self.beta = np.zeros(problem.n)
        self.f = np.full(problem.n, problem.bias.value)
        if start is not None:
            self.beta = np.array(problem.features.space.contract(start.alpha))
            self.f = problem.K @ self.beta + problem.bias.value

    def train(self, y_u, C_u):
        problem = self.problem
        sign, inside = problem.y.copy(), np.full(problem.n, problem.C)
        sign[problem.unlabeled], inside[problem.unlabeled] = y_u, C_u
        beyond = np.where(problem.y == 0.0, C_u, 0.0)
        gamma = np.clip(sign * self.beta, 0.0, inside + beyond)
        f = problem.K @ (sign * gamma) + problem.bias.value
        self.inner, violation = tangent_steps(
            problem.K, sign, inside, beyond, gamma, f, EPS, MAX_COORDINATES
        )
        self.exact = violation <= EPS
        self.beta = sign * gamma
        self.f = problem.K @ self.beta + problem.bias.value

    def objective(self, C_u) -> float:
        problem = self.problem
        L, U = problem.labeled, problem.unlabeled
        losses = problem.C * HINGE.value(problem.y[L] * self.f[L]).sum()
        losses += C_u * HAT.value(self.f[U]).sum()
        norm = float(self.beta @ (self.f - problem.bias.value))
        return 0.5 * norm + float(losses)

    def lens(self, C_u) -> Lens:
        return Lens(HAT, C_u, labeled=HINGE)

    def fields(self) -> dict:
        alpha, b = self.problem.features.express(self.beta, self.problem.bias.value)
        return {
            "inner": self.inner,
            "f": self.f,
            "alpha": alpha,
            "b": b,
            "transductive_objective": self.objective(self.problem.C_u),
        }


LOSSES = {"squared": _Squared, "hinge": _Plain}


def _relabelled(points) -> Event:
    text = f"{some_points(len(points))} changed sides."
    return Event("switch", text, {"points": points}, tone="accent")
