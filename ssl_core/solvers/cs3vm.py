"""Continuation: the S3VM objective seen ever more sharply, [CSK08] section 4.3."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.sparse.linalg import eigsh

from ssl_core.losses import Bell, SmoothedBell, SmoothedSquaredHinge
from ssl_core.numerals import number
from ssl_core.problems.s3vm import S3VM, SmoothS3VM
from ssl_core.quantities import DISTANCE, SCHEDULE, gradient, quantity
from ssl_core.settings import OWN, shared, switch
from ssl_core.solvers._gradient import HINGE, TOL, Descent
from ssl_core.solvers._s3vm import S3VMState, idle
from ssl_core.solvers.settings import GRADIENT, Solver, Usual
from ssl_core.trace import Event, ExpansionState, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class CS3VMState(S3VMState):
    """Snapshot on the way; `objective` is [CSK08] eq. (14) smoothed by gamma.

    By default only its unlabelled losses are smoothed.

    Attributes
    ----------
    smoothing : float
        gamma: twice the variance of w under the Gaussian; 0 at the end.
    """

    smoothing: float = quantity("smoothing", symbol="γ", role=SCHEDULE, merge="mean")
    grad_norm: float = gradient(role=DISTANCE)


class Continuation(Solver):
    """Settings of `cs3vm`."""

    narrowness: float = shared(Usual)
    steps: int = shared(
        Usual,
        doc="Smoothed objectives before the true one.",
        at_least=0,
        slider=(0, 100),
        help="Number of smoothed objectives before the true one.",
    )
    smooth_labeled: bool = switch(
        False,
        "Smooth the loss of the labelled points as well.",
        title="Smooth the labelled loss",
        **OWN,
        help="Smooth the loss of the labelled points, too.",
        up="first objectives that are even smoother",
    )
    every: int = shared(Usual)
    tol: float = shared(Usual, default=TOL, **GRADIENT)

    def __call__(self, problem: S3VM, start=None):
        return cs3vm(problem, **self.values, start=start)


def cs3vm(
    problem: S3VM,
    *,
    narrowness: float = Continuation.narrowness,
    steps: int = Continuation.steps,
    smooth_labeled: bool = Continuation.smooth_labeled,
    every: int = Continuation.every,
    tol: float = Continuation.tol,
    start: ExpansionState | None = None,
) -> Iterator[CS3VMState]:
    """Follow a minimum of [CSK08] eq. (14) while its smoothing falls to 0.

    This is [CSK08] Algorithm 5.

    Convolved with a Gaussian in w, the loss of an output is that loss convolved with
    a Gaussian of variance gamma |z|^2 / 2: both losses have it in closed form.

    Parameters
    ----------
    problem : S3VM
        With a bias that is fixed: [CSK08] eq. (12) in a centred kernel.
    narrowness, steps, every, tol
        As in `Continuation`; ``steps`` counts the values of gamma before 0.
    smooth_labeled : bool
        Smooth the labelled losses as well. The paper leaves it open; without it the
        end is slightly lower.
    start : ExpansionState or None
        Seed: the objective itself is minimised from there, without smoothing.
    """
    descent = Descent(problem, start, tol)
    smoothed = _Smoothing(problem, narrowness, smooth_labeled)
    gammas = [0.0]
    if start is None and not idle(problem):
        gammas = [*_gammas(problem, narrowness, steps), 0.0]
    t, status = 0, Status.RUNNING
    objective = smoothed.by(gammas[0])
    descent.look(objective)
    yield CS3VMState(t=0, smoothing=gammas[0], **descent.fields(objective))
    for gamma in gammas:
        objective, events = smoothed.by(gamma), (_sharper(gamma),)
        for done in descent.minimise(objective, every=every):
            t += 1
            if done and gamma == 0.0:
                status = Status.FINISHED
            fields = descent.fields(objective)
            yield CS3VMState(
                t=t, smoothing=gamma, status=status, events=events, **fields
            )
            events = ()


class _Smoothing:
    """[CSK08] eq. (14) convolved with a Gaussian in w, for any gamma."""

    def __init__(self, problem: S3VM, s: float, labeled: bool):
        self.problem, self.s, self.labeled = problem, s, labeled
        norms = np.einsum("ij,ij->i", problem.features.Z, problem.features.Z)
        self.norms = np.maximum(norms, np.finfo(float).tiny)  # |z|^2

    def by(self, gamma: float) -> SmoothS3VM:
        problem = self.problem
        if gamma == 0.0:
            return problem.smooth(HINGE, Bell(self.s), problem.C_u)
        variance = 0.5 * gamma * self.norms
        labeled = HINGE
        if self.labeled:
            labeled = SmoothedSquaredHinge(variance[problem.labeled])
        unlabeled = SmoothedBell(variance[problem.unlabeled], self.s)
        return problem.smooth(labeled, unlabeled, problem.C_u)


def _gammas(problem: S3VM, s, steps) -> list[float]:
    """From where the smoothed objective is convex down to where it hardly differs.

    The largest: (2 C_u lambda / sqrt(s))^(2/3), lambda the largest eigenvalue of the
    sum of z z' / |z|^3 over the unlabelled points.
    """
    Z = problem.features.Z[problem.unlabeled]
    norms = np.sqrt(np.einsum("ij,ij->i", Z, Z))
    seen = norms > 0.0
    if steps == 0 or not seen.any():
        return []
    A = Z[seen] * norms[seen, None] ** -1.5
    lam = _largest_eigenvalue(A)
    high = (2.0 * problem.C_u * lam / np.sqrt(s)) ** (2.0 / 3.0)
    low = 1.0 / (10.0 * s * norms.max() ** 2)
    return np.geomspace(max(high, low), low, steps).tolist()


def _largest_eigenvalue(A) -> float:
    """Of A A', the same however often it is asked."""
    square = A @ A.T if len(A) <= A.shape[1] else A.T @ A
    if len(square) < 3:
        return float(np.linalg.eigvalsh(square)[-1])
    start = np.ones(len(square))
    return float(eigsh(square, k=1, v0=start, return_eigenvectors=False, tol=1e-6)[0])


def _sharper(gamma) -> Event:
    text = f"The objective is smoothed by γ = {number(gamma)}."
    if gamma == 0.0:
        text = "The smoothing has ended: this is the objective itself."
    return Event("smoothing", text, {"smoothing": gamma})
