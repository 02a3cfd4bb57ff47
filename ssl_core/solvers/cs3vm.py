"""Continuation: the S3VM objective seen ever more sharply, [CSK08] section 4.3."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.sparse.linalg import eigsh

from ssl_core.losses import Bell, SmoothedBell, SmoothedSquaredHinge
from ssl_core.problems.s3vm import S3VM
from ssl_core.quantities import DISTANCE, SCHEDULE, gradient, quantity
from ssl_core.solvers._gradient import EVERY, HINGE, TOL, Descent
from ssl_core.solvers._s3vm import S3VMState, at, idle
from ssl_core.trace import Event, ExpansionState, Status

STEPS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class CS3VMState(S3VMState):
    """Snapshot on the way; `objective` is eq. (14), smoothed as far as it is.

    Attributes
    ----------
    smoothing : float
        gamma: twice the variance of w under the Gaussian; 0 at the end.
    """

    smoothing: float = quantity("smoothing", symbol="γ", role=SCHEDULE, merge="mean")
    grad_norm: float = gradient(role=DISTANCE)


def cs3vm(
    problem: S3VM,
    *,
    s: float = 5.0,
    steps: int = STEPS,
    smooth_labeled: bool = False,
    every: int = EVERY,
    tol: float = TOL,
    start: ExpansionState | None = None,
) -> Iterator[CS3VMState]:
    """Follow a minimum of eq. (14) while its smoothing is taken away, Algorithm 5.

    Convolved with a Gaussian in w, the loss of an output is that loss convolved with
    a Gaussian of variance gamma |z|^2 / 2: both losses have it in closed form.

    Parameters
    ----------
    problem : S3VM
        With a bias that is fixed: eq. (12) in a centred kernel.
    steps : int
        Values of gamma before 0; 0 does without smoothing.
    smooth_labeled : bool
        Smooth the labelled losses as well. The paper leaves it open; without it the
        end is slightly lower.
    """
    walk = Descent(problem, start, tol)
    norms = np.einsum("ij,ij->i", problem.features.Z, problem.features.Z)
    gammas = [] if start is not None or idle(problem) else _gammas(problem, s, steps)
    gammas.append(0.0)
    t, gamma, events, status = 0, gammas[0], (), Status.RUNNING

    def sharpness():
        """The objective at this gamma."""
        if gamma == 0.0:
            return problem.smooth(HINGE, Bell(s), problem.C_u)
        variance = 0.5 * gamma * np.maximum(norms, np.finfo(float).tiny)
        labeled = HINGE
        if smooth_labeled:
            labeled = SmoothedSquaredHinge(variance[problem.labeled])
        unlabeled = SmoothedBell(variance[problem.unlabeled], s)
        return problem.smooth(labeled, unlabeled, problem.C_u)

    def state():
        here = walk.here
        return CS3VMState(
            t=t,
            objective=here.objective,
            grad_norm=here.grad_norm,
            smoothing=gamma,
            inner=walk.inner,
            lens=objective.lens,
            status=status,
            events=events,
            **at(problem, here.v, here.f),
        )

    objective = sharpness()
    walk.look(objective)
    yield state()
    for gamma in gammas:
        events, objective = (_sharper(gamma),), sharpness()
        for done in walk.minimise(objective, every=every):
            t += 1
            if done and gamma == 0.0:
                status = Status.FINISHED
            yield state()
            events = ()


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
    text = f"The objective is smoothed by γ = {gamma:.3g}."
    if gamma == 0.0:
        text = "The smoothing is gone: this is the objective itself."
    return Event("smoothing", text, {"smoothing": gamma}, tone="warn", narrated=False)
