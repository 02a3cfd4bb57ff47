"""Label switching in the features of a kernel, [CSK08] section 3.2, Algorithm 1.

The work is `tsvm`'s, on features with a free bias; its states have C_u for lambda' and
alpha for w.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ssl_core.problems.s3vm import S3VM
from ssl_core.quantities import quantity
from ssl_core.settings import OWN, check_schedule, number, shared
from ssl_core.solvers._mfn import Schedule
from ssl_core.solvers._s3vm import WeightedState
from ssl_core.solvers.settings import SETTLED, Solver, Usual
from ssl_core.solvers.tsvm import LabelSwitching, switching
from ssl_core.trace import Array, ExpansionState

SCHEDULE = Schedule(eps=1e-9, tau=1e-9)  # of the trainings, which are direct solves


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


class S3VMLight(Solver):
    """Settings of `s3vm_light`; the defaults are those of [CSK08] Algorithm 1."""

    S: int | None = shared(Usual, default=1)
    first: float = number(
        1e-5,
        "First C_u as a share of the last.",
        above=0,
        at_most=1,
        title="First share of C*",
        slider=(1e-8, 1.0),
        log=True,
        **OWN,
        help="First weight of the unlabelled points, as a share of C*.",
        up="fewer trainings, a shorter annealing",
    )
    rate: float = shared(
        Usual, doc="Factor by which C_u rises.", help="Factor by which C* rises."
    )
    tol: float = shared(Usual, **SETTLED)

    def __post_init__(self):
        super().__post_init__()
        what = "C_u, as a share of the last,"
        check_schedule("rate", self.rate, self.first, 1.0, what=what)

    def __call__(self, problem: S3VM, start=None):
        return s3vm_light(problem, **self.values, start=start)


def s3vm_light(
    problem: S3VM,
    *,
    S: int | None = S3VMLight.S,
    first: float = S3VMLight.first,
    rate: float = S3VMLight.rate,
    tol: float = S3VMLight.tol,
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
    tol : float
        C_u is raised, or the run ends, when at most this share of the unlabelled points
        is in pairs worth switching; the paper continues until none is.
    """
    yield from switching(
        LabelSwitching(problem, S3VMLightState, start),
        S=S,
        lam_start=first * problem.C_u,
        rate=rate,
        schedule=SCHEDULE,
        path=SCHEDULE,
        rest=tol,
    )
