"""Problems that the S3VM path is tried on, and a QP solver that knows nothing of it."""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from scipy.optimize import minimize
from sklearn.datasets import load_breast_cancer, make_moons

from ssl_core.features import Space
from ssl_core.kernels import gram
from ssl_core.problems.s3vm_path import FixedBiasS3VM
from ssl_core.solvers.s3vm_path import s3vm_path


@dataclass(frozen=True)
class PathProblem:
    """A Gram matrix, labels in {-1, 0, +1}, C, and the run on them."""

    name: str
    K: np.ndarray
    y: np.ndarray
    C: float
    truth: np.ndarray | None = None
    centered: bool = False

    def __str__(self):
        return self.name

    @cached_property
    def problem(self):
        space = Space(self.K)
        if self.centered:
            space = space.centred(np.flatnonzero(self.y == 0))
        return FixedBiasS3VM(space.K, self.y, C=self.C, space=space)

    @cached_property
    def states(self):
        return list(s3vm_path(self.problem))

    @property
    def jumps(self):
        """States before and after every jump, and its event."""
        for a, b in zip(self.states, self.states[1:], strict=False):
            if b.step_kind == "DJ":
                yield a, b, b.events[0]

    @property
    def pieces(self):
        """Both ends of every piece of the path that is linear."""
        for a, b in zip(self.states, self.states[1:], strict=False):
            if b.step_kind == "CP":
                yield a, b


def box_qp(Q, c, cap, tol=1e-11):
    """min 1/2 b'Qb - c'b, 0 <= b <= cap, by a primal active set method."""
    bounds = list(zip(np.zeros(len(c)), cap, strict=True))
    rough = minimize(
        lambda b: (b @ Q @ b / 2 - c @ b, Q @ b - c),
        cap / 2,
        jac=True,
        bounds=bounds,
        method="L-BFGS-B",
        options={"maxiter": 5000, "ftol": 1e-15, "gtol": 1e-9},
    )
    b = np.clip(rough.x, 0, cap)
    edge = 1e-7 * cap
    b = np.where(b <= edge, 0.0, np.where(b >= cap - edge, cap, b))
    free = (b > 0) & (b < cap)
    scale = max(1.0, np.abs(c).max(), np.abs(Q).max())
    for _ in range(100 * len(c)):
        grad = Q @ b - c
        F = np.flatnonzero(free)
        if len(F):
            Q_F = Q[np.ix_(F, F)]
            p, *_ = np.linalg.lstsq(Q_F, -grad[F], rcond=1e-15)
            left = grad[F] + Q_F @ p
            if np.abs(p).max() < 1e-9 * cap.max() and np.abs(left).max() > tol * scale:
                p = -left * 1e9 * cap.max() / np.abs(left).max()  # no curvature there
            with np.errstate(divide="ignore", invalid="ignore"):
                room = np.where(p > 0, (cap[F] - b[F]) / p, -b[F] / p)
            room = np.where(np.abs(p) > 0, room, np.inf)
            i = room.argmin()
            b[F] = np.clip(b[F] + min(1.0, room[i]) * p, 0, cap[F])
            if room[i] < 1:
                b[F[i]] = 0.0 if p[i] < 0 else cap[F[i]]
                free[F[i]] = False
                continue
            grad = Q @ b - c
            if np.abs(grad[F]).max() > 1e-9 * scale:
                continue
        wrong = np.where(free, 0.0, np.where(b > 0, grad, -grad))
        wrong[cap == 0] = 0.0
        if wrong.max(initial=0.0) <= tol * scale:
            return b
        free[wrong.argmax()] = True
    raise AssertionError("the oracle did not converge")


def outputs_by_qp(problem, y_u, C_u):
    """f of the machine with fixed labels, and its objective, by `box_qp`."""
    s = problem.signs(y_u)
    Q = s[:, None] * problem.K * s[None, :]
    dual = box_qp(Q, 1 - s * problem.b, problem.caps(C_u))
    f = problem.K @ (s * dual) + problem.b
    slack = np.maximum(0, 1 - s * f)
    return f, float(dual @ Q @ dual / 2 + problem.caps(C_u) @ slack)


# Reference values ----------------------------------------------------------------


def first_labels(truth, per_class):
    y = np.zeros(len(truth))
    for c, count in enumerate(per_class):
        y[np.flatnonzero(truth == c)[:count]] = 2 * c - 1
    return y


@cache
def moons(n, C, sigma=0.5):
    X, truth = make_moons(n, noise=0.1, random_state=0)
    y = first_labels(truth, (2, 2))
    return PathProblem(f"moons_{n}", gram(X, sigma=sigma), y, C, 2 * truth - 1)


@cache
def breast_cancer():
    data = load_breast_cancer()
    X = (data.data - data.data.mean(axis=0)) / data.data.std(axis=0)
    X, truth = X[:120], data.target[:120]
    y = first_labels(truth, (7, 3))
    K = gram(X, sigma=np.sqrt(30))
    return PathProblem("breast_cancer", K, y, 1.0, 2 * truth - 1)


@cache
def stripes(n, seed, gap, C, **kernel):
    """Two stripes, the lower point first; the ends that lie askew are labelled."""
    rng = np.random.RandomState(seed)
    truth = np.where(np.arange(n) % 2 == 0, -1.0, 1.0)
    x = rng.normal(size=n)
    X = np.column_stack([x, gap * truth + 0.25 * rng.normal(size=n)])
    y = np.zeros(n)
    y[np.where(truth > 0, x, np.inf).argmin()] = 1
    y[np.where(truth < 0, x, -np.inf).argmax()] = -1
    return PathProblem(f"stripes_{n}_{seed}", gram(X, **kernel), y, C, truth)


# Random problems -----------------------------------------------------------------


def _points(kind, n, rng):
    """X, and what the kernel needs."""
    X = rng.normal(size=(n, 2))
    if kind == "moons":
        return make_moons(n, noise=0.1, random_state=rng)[0], {"sigma": 0.5}
    if kind == "wide":  # K_MM is nearly singular
        return X, {"sigma": 10.0}
    if kind == "many_features":
        return rng.normal(size=(n, 30)), {"sigma": 5.0}
    if kind == "linear":
        return rng.normal(size=(n, 5)), {"kernel": "linear"}
    if kind == "low_rank":
        return X @ rng.normal(size=(2, 8)), {"kernel": "linear"}
    if kind == "twins":
        return np.vstack([X[: n // 2]] * 2), {"sigma": 1.0}
    if kind == "linear_twins":
        X = rng.normal(size=(n // 2, 3))
        return np.vstack([X, X]), {"kernel": "linear"}
    if kind.startswith("near_twins"):
        apart = 1e-9 if kind == "near_twins" else 1e-6
        X = X[: n // 2]
        return np.vstack([X, X + apart * rng.normal(size=X.shape)]), {"sigma": 1.0}
    if kind.startswith("grid"):
        side = np.arange(int(np.sqrt(n))) - (int(np.sqrt(n)) - 1) / 2
        X = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
        return X, {"kernel": "linear"} if kind == "grid_linear" else {"sigma": 2.0}
    X[:, 0] += np.where(rng.random(n) < 0.5, 1.0, -1.0)
    return X, {"sigma": float(rng.choice([0.3, 1.0, 3.0]))}


KINDS = (
    "clusters",
    "moons",
    "wide",
    "many_features",
    "linear",
    "low_rank",
    "twins",
    "linear_twins",
    "near_twins",
    "near_twins_6",
    "grid",
    "grid_linear",
)


def _random(kind, seed):
    rng = np.random.RandomState(100 * KINDS.index(kind) + seed)
    n = 300 if seed == 0 else int(rng.randint(20, 120))
    X, kernel = _points(kind, n, rng)
    y = np.zeros(len(X))
    if kind.startswith("grid"):  # a symmetry of the square
        y[0], y[-1] = -1, 1
    else:
        labeled = rng.choice(len(X), rng.randint(2, 12), replace=False)
        y[labeled] = np.where(X[labeled, 0] > np.median(X[labeled, 0]), 1.0, -1.0)
        y[labeled[X[labeled, 0].argmax()]] = 1
    C = float(rng.choice([0.1, 1.0, 10.0, 100.0]))
    centered = seed == 3
    return PathProblem(f"{kind}_{seed}", gram(X, **kernel), y, C, None, centered)


def _stubborn_twins():
    """A margin point whose dual is 0 looks like a part of a point's near twin."""
    rng = np.random.RandomState(94)
    n, sigma = rng.randint(20, 301), rng.choice([0.2, 0.5, 1.0, 3.0])
    X = rng.normal(size=(n // 2, 2))
    X = np.vstack([X, X + 1e-9 * rng.normal(size=X.shape)])
    count, y = rng.randint(2, 12), np.zeros(len(X))
    labeled = rng.permutation(len(X))[:count]
    x = X[labeled, 0]
    y[labeled] = np.sign(x - np.median(x) + 1e-9)
    return PathProblem("near_twins_stubborn", gram(X, sigma=sigma), y, 0.1)


RANDOM = [_random(kind, seed) for kind in KINDS for seed in range(5)]
RANDOM.append(_stubborn_twins())
SINGULAR = ("linear", "low_rank", "twins", "linear_twins", "near_twins", "grid_linear")
