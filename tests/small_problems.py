"""One short table of varied problems that every solver is tried on.

Easy problems hide faults: on plain two moons Newton converges in one step. So the
table has label noise, many labels, tiny gamma_A, singular Gram matrices, plain and
iterated Laplacians, and the paper's own benchmark where the file is at hand.
"""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from sklearn.datasets import make_blobs, make_circles, make_moons

from ssl_core.graph import Laplacian, knn_weights
from ssl_core.kernels import gram

DATA = Path(__file__).parents[2] / "shared" / "data"
KERNEL_KNOBS = ("kernel", "sigma", "degree", "coef0")


@dataclass(frozen=True)
class SmallProblem:
    """Data, labels and parameters; ``knobs`` are those of the estimators.

    Attributes
    ----------
    X : ndarray of shape (n, d)
    truth : ndarray of shape (n,)
        Every point's class, 0 .. k - 1.
    y : ndarray of shape (n,)
        What the estimator is given: the class, -1 where hidden.
    """

    name: str
    X: np.ndarray
    truth: np.ndarray
    y: np.ndarray
    knobs: dict = field(default_factory=dict)

    def __str__(self):
        return self.name

    @property
    def n(self):
        return len(self.y)

    @property
    def n_classes(self):
        return int(self.truth.max()) + 1

    @cached_property
    def Y(self):
        """(n, 1) signs for two classes, (n, k) one-vs-rest signs for more."""
        classes = [1] if self.n_classes == 2 else range(self.n_classes)
        columns = [np.where(self.y == c, 1.0, -1.0) for c in classes]
        return np.where(self.y[:, None] < 0, 0.0, np.column_stack(columns))

    @property
    def gammas(self):
        return {key: self.knobs[key] for key in ("gamma_A", "gamma_I")}

    @cached_property
    def K(self):
        return gram(
            self.X, **{k: v for k, v in self.knobs.items() if k in KERNEL_KNOBS}
        )

    @cached_property
    def L(self):
        W = knn_weights(
            self.X,
            self.knobs.get("n_neighbors", 6),
            weights=self.knobs.get("weights", "binary"),
        )
        return Laplacian(
            W,
            normalized=self.knobs.get("normalized", True),
            degree=self.knobs.get("laplacian_degree", 1),
        )

    def build(self, problem_class, *, Y=None, **changes):
        """The Laplacian problem of this row, for a solver."""
        Y = self.Y if Y is None else Y
        return problem_class(self.K, self.L, Y, **(self.gammas | changes))

    def dense(self, column=0):
        """Arguments of the functions in `tests.paper`, after alpha and b."""
        y = self.Y[:, column]
        return self.K, self.L.toarray(), y, *self.gammas.values()


def hide(truth, per_class, seed, noise=0.0):
    """Keep ``per_class`` labels (a number or one per class), some of them wrong."""
    rng = np.random.default_rng(seed)
    y = np.full(len(truth), -1)
    n_classes = truth.max() + 1
    for c, keep in enumerate(np.broadcast_to(per_class, n_classes)):
        y[rng.choice(np.flatnonzero(truth == c), keep, replace=False)] = c
    labeled = np.flatnonzero(y >= 0)
    wrong = labeled[rng.random(len(labeled)) < noise]
    y[wrong] = (y[wrong] + 1) % n_classes
    return y


def _problem(name, data, per_class, *, seed=0, noise=0.0, **knobs):
    X, truth = data
    knobs = {"gamma_A": 1e-2, "gamma_I": 1.0} | knobs
    return SmallProblem(name, X, truth, hide(truth, per_class, seed, noise), knobs)


def moons(n=100, noise=0.08, seed=0):
    return make_moons(n, noise=noise, random_state=seed)


def circles(n=90, seed=0):
    return make_circles(n, noise=0.1, factor=0.5, random_state=seed)


def gaussians(n=120, d=2, distance=2.0, seed=0):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 2
    X = rng.normal(size=(n, d))
    X[:, 0] += distance * (truth - 0.5)
    return X, truth


def imbalanced(n=100, seed=0):
    sizes = [n // 10, n - n // 10]
    return make_blobs(sizes, centers=[[0, 0], [2, 1]], random_state=seed)


def doubled(data):
    X, truth = data
    return np.vstack([X, X[::2]]), np.concatenate([truth, truth[::2]])


def uspst(n=150, seed=0):
    """USPST(B), digits 0-4 against 5-9, a few points; None without the file."""
    path = DATA / "uspst.npz"
    if not path.exists():
        return None
    with np.load(path) as file:
        rows = np.random.default_rng(seed).choice(len(file["y"]), n, replace=False)
        digits = file["y"][rows]
        return file["X"][rows].astype(float), (digits - digits.min() >= 5).astype(int)


SMALL_PROBLEMS = [
    _problem("two_moons", moons(), 1, sigma=0.35),
    _problem("circles", circles(), 5, sigma=0.4, gamma_I=0.1),
    _problem("label_noise", moons(noise=0.15), 20, noise=0.2, sigma=0.3,
             gamma_A=1e-3, gamma_I=1e-2),
    _problem("many_labels", gaussians(), 45, sigma=1.0, gamma_A=1e-2, gamma_I=1e-2),
    _problem("small_gamma_A", gaussians(d=10, distance=3.0), 15, sigma=1.5,
             gamma_A=1e-6, gamma_I=1e-2),
    _problem("plain_laplacian", moons(noise=0.15), 10, noise=0.1, sigma=0.35,
             normalized=False, gamma_I=1e-2),
    _problem("degree_2", circles(), 10, sigma=0.5, laplacian_degree=2, gamma_I=0.1),
    _problem("degree_5", gaussians(d=10, distance=3.0), 12, sigma=3.0,
             n_neighbors=20, laplacian_degree=5, gamma_I=0.1),
    _problem("heat", moons(noise=0.2), 15, sigma=0.4, weights="heat", gamma_I=0.03),
    _problem("polynomial", gaussians(), 20, kernel="poly", degree=3, coef0=1.0,
             gamma_A=1e-1, gamma_I=1e-2),
    _problem("linear", gaussians(d=5), 20, kernel="linear", gamma_I=1e-2),
    _problem("duplicates", doubled(moons(80)), 4, sigma=0.35, gamma_I=0.1),
    _problem("unbalanced_labels", moons(), (1, 15), sigma=0.35, gamma_I=0.1),
    _problem("imbalanced_classes", imbalanced(), (4, 30), sigma=0.7, gamma_A=1e-3,
             gamma_I=1e-3),
]  # fmt: skip
if (_digits := uspst()) is not None:
    SMALL_PROBLEMS.append(
        _problem("uspst", _digits, 30, sigma=9.4, n_neighbors=10,
                 laplacian_degree=2, gamma_A=1e-3, gamma_I=1e-2)
    )  # fmt: skip

BY_NAME = {problem.name: problem for problem in SMALL_PROBLEMS}


def three_blobs():
    """Three classes that overlap, a few labels each."""
    data = make_blobs(90, centers=[[0, 0], [2.5, 0], [1, 2]], random_state=1)
    return _problem("three_blobs", data, (4, 6, 8), sigma=0.8, gamma_I=0.1)


MULTICLASS = three_blobs()

# Settings with which a method that is made for few points is quick enough for tests.
QUICK = {
    "branch_and_bound": {"max_nodes": 50},
    "convex_relaxation": {"tol": 0.3, "max_unlabeled": 1000},
}


def quick(name, changes):
    """The changes a test wants, over what makes the algorithm quick."""
    ours = QUICK.get(name, {})
    return ours | {k: v for k, v in changes.items() if k not in ours or v == 0}
