"""A short table of linear problems, dense and sparse, for the SVMlin family.

Overlapping classes, wrong labels, uneven classes, more features than points and, where
the file is at hand, the papers' own documents: problems on which the active set and
the labels of unlabeled points change several times.
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from tests.small_problems import DATA


@dataclass(frozen=True)
class LinearData:
    """X, every point's side +-1, and y with 0 where the label is hidden."""

    name: str
    X: np.ndarray
    truth: np.ndarray
    y: np.ndarray
    lam: float = 1e-2

    def __str__(self):
        return self.name

    @property
    def hidden(self):
        """y as an estimator takes it: classes 0 and 1, -1 where hidden."""
        return np.where(self.y == 0, -1, self.y > 0).astype(int)


def _hide(truth, n_labeled, rng, noise=0.0):
    y = np.zeros(len(truth))
    for side in (-1, 1):
        rows = rng.choice(np.flatnonzero(truth == side), n_labeled // 2, replace=False)
        y[rows] = side
    wrong = (rng.random(len(y)) < noise) & (y != 0)
    y[wrong] *= -1
    y[np.flatnonzero(truth == 1)[0]], y[np.flatnonzero(truth == -1)[0]] = 1, -1
    return y


def gaussians(name, n, d, distance, n_labeled, *, share=0.5, noise=0.0, lam=1e-2):
    rng = np.random.default_rng(abs(hash_of(name)))
    truth = np.where(np.arange(n) < share * n, 1.0, -1.0)
    X = rng.normal(size=(n, d))
    X[:, 0] += distance / 2 * truth + 0.5
    order = rng.permutation(n)
    X, truth = X[order], truth[order]
    return LinearData(name, X, truth, _hide(truth, n_labeled, rng, noise), lam)


def documents(name, n, d, n_labeled, *, lam=1e-3, form="csr"):
    """Sparse unit rows; a fifth of the words lean to one side."""
    rng = np.random.default_rng(abs(hash_of(name)))
    truth = np.where(rng.random(n) < 0.45, 1.0, -1.0)
    lean = np.where(np.arange(d) < d // 5, rng.choice([-1.0, 1.0], d), 0.0)
    words = rng.random((n, d)) < 0.06 * (1 + 0.9 * truth[:, None] * lean)
    words[~words.any(axis=1), 0] = True
    X = words / np.sqrt(words.sum(axis=1, keepdims=True))
    X = sp.csr_matrix(X).asformat(form)
    return LinearData(name, X, truth, _hide(truth, n_labeled, rng), lam)


def hash_of(name):
    """A seed from a name, the same in every process."""
    return sum(ord(c) * 31**i for i, c in enumerate(name)) % 2**32


def pcmac(n=400):
    """Documents of the papers' pcmac; None without the file."""
    path = DATA / "text_pcmac.npz"
    if not path.exists():
        return None
    with np.load(path) as file:
        parts = (file["X_data"].astype(float), file["X_indices"], file["X_indptr"])
        X = sp.csr_matrix(parts, shape=tuple(file["X_shape"]))
        truth = file["y"].astype(float)
    rng = np.random.default_rng(0)
    rows = rng.choice(X.shape[0], n, replace=False)
    return LinearData("pcmac", X[rows], truth[rows], _hide(truth[rows], 30, rng), 1e-3)


LINEAR_PROBLEMS = [
    gaussians("gaussians", 120, 2, 3.0, 6),
    gaussians("overlap", 200, 10, 1.5, 40, noise=0.2),
    gaussians("uneven", 150, 3, 3.0, 10, share=0.15),
    gaussians("wide", 40, 80, 4.0, 8, lam=1e-1),
    documents("documents", 300, 120, 20),
    documents("documents_csc", 300, 120, 20, form="csc"),
]
if (_pcmac := pcmac()) is not None:
    LINEAR_PROBLEMS.append(_pcmac)
