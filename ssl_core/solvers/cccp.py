"""The concave-convex procedure for S3VMs, [CSK08] section 4.1, Algorithm 4."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ssl_core.linalg.tangent import tangent_steps
from ssl_core.losses import Hat, Hinge
from ssl_core.problems.lens import Lens
from ssl_core.problems.s3vm import S3VM, sum_of_losses
from ssl_core.quantities import quantity
from ssl_core.settings import OWN, choice, shared
from ssl_core.solvers._mfn import Schedule, train
from ssl_core.solvers._s3vm import WeightedState, geometric, idle, raised
from ssl_core.solvers.settings import SETTLED, Solver, Usual
from ssl_core.trace import Array, Event, ExpansionState, Status, signs, some_points

FIRST = 1e-3  # of the final C_u, [CSK08] section 5.4.4
MAX_ROUNDS = 200  # at one C_u; every round descends, so that there is an end
EPS = 1e-9  # of the trainings
MAX_COORDINATES = 1_000_000
HINGE, HAT = Hinge(), Hat(p=1)  # of the plain machine


@dataclass(frozen=True, slots=True, kw_only=True)
class CCCPState(WeightedState):
    """Snapshot after a convex training; `objective` is [CSK08] eq. (5) at this C_u.

    Attributes
    ----------
    y_u : int8 ndarray of shape (u,)
        Signs of the outputs of the unlabelled points: the labels of the next round.
    n_changed : int
        How many of them this round changed.
    """

    y_u: Array | None
    n_changed: int = quantity("labels changed")


class CCCP(Solver):
    """Settings of `cccp`."""

    loss: str = choice(
        "squared",
        ("squared", "hinge"),
        "Hinge loss squared (p = 2) or plain (p = 1), for labelled and unlabelled "
        "points.",
        title="Loss",
        words=("Squared hinge", "Plain hinge"),
        **OWN,
        help="Loss of points inside the margin, squared or plain.",
    )
    steps: int = shared(
        Usual,
        doc="Values of C_u from a thousandth of the last; 1 means no annealing.",
        help="Number of values of C*; 1 means no annealing.",
    )
    tol: float = shared(Usual, **SETTLED)

    def __call__(self, problem: S3VM, start=None):
        return cccp(problem, **self.values, start=start)


def cccp(
    problem: S3VM,
    *,
    loss: str = CCCP.loss,
    steps: int = CCCP.steps,
    tol: float = CCCP.tol,
    start: ExpansionState | None = None,
) -> Iterator[CCCPState]:
    """Label by sign, minimise the convex bound at these labels, again.

    The hat is convex but for a multiple of |o|, whose tangent lies above it: every
    round lowers [CSK08] eq. (5). State 0 is the SVM of the labelled points.

    Parameters
    ----------
    problem : S3VM
        With a bias that is fixed: [CSK08] eq. (12) in a centred kernel.
    loss : {"squared", "hinge"}
        p = 2 or p = 1 in [CSK08] eq. (2), for labelled and unlabelled points.
    steps : int
        Values of C_u, from a thousandth of the last; 1 is [CSK08]'s "no annealing".
    tol : float
        C_u is raised, or the run ends, when at most this share of the unlabelled points
        changed sides; the paper continues until none does.
    """
    machine = LOSSES[loss](problem, start)
    if start is None:
        machine.train(np.zeros(problem.u), 0.0)
    ladder = [0.0] if idle(problem) else geometric(problem, steps, FIRST, start)
    state = _state(machine, 0, 0.0 if start is None else ladder[0])
    yield state
    for C_u in ladder:
        events = (raised(C_u),)
        for _ in range(MAX_ROUNDS):
            machine.train(state.y_u, C_u)
            moved = machine.changed(state.y_u)
            settled = len(moved) <= tol * problem.u
            if len(moved):
                events = (*events, _relabelled(moved))
            status = Status.RUNNING
            if settled and C_u == ladder[-1]:
                status = Status.CONVERGED if len(moved) else Status.FINISHED
                status = status if machine.exact else Status.STALLED
            state = _state(machine, state.t + 1, C_u, len(moved), status, events)
            yield state
            events = ()
            if settled:
                break
    if state.status.running:  # labels that go round in circles by rounding
        yield replace(state, t=state.t + 1, status=Status.STALLED, events=())


def _state(machine, t, C_u, n_changed=0, status=Status.RUNNING, events=()) -> CCCPState:
    return CCCPState(
        t=t,
        objective=machine.objective(C_u),
        C_u=C_u,
        y_u=machine.y_u,
        n_changed=n_changed,
        lens=machine.lens(C_u),
        status=status,
        events=events,
        **machine.fields(),
    )


class _Machine:
    """What both losses have: the labels that the outputs give."""

    @property
    def y_u(self) -> Array:
        return signs(self.f[self.problem.unlabeled])

    def changed(self, before: Array) -> Array:
        """Unlabelled points whose labels are not those of before."""
        return self.problem.unlabeled[self.y_u != before]


class _Squared(_Machine):
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
        return self.problem.state_fields(self.v, self.f, self.inner)


class _Plain(_Machine):
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
        losses = sum_of_losses(self.problem, self.f, C_u, HINGE, HAT)
        norm = float(self.beta @ (self.f - self.problem.bias.value))
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
    return Event("switch", text, {"points": points})
