"""Objectives of different methods made comparable, [CSK08] section 5.2.

Some methods minimise smoothed objectives, some others. So their predictions are judged:
an SVM is trained on the predicted labels, and its objective is the one compared.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from halfmoon.common.memory import check_room
from ssl_core.estimators._inputs import MatrixLike, encode_labels, one_vs_rest
from ssl_core.estimators.base import SemiSupervisedClassifier
from ssl_core.estimators.spaces import AUTO, Kernel
from ssl_core.features import Features, Space, features
from ssl_core.kernels import gram, kernel_width
from ssl_core.solvers.svm import svm

MATRICES = 5.2  # K, its features, and a factor beside what it is made of


@dataclass(frozen=True, eq=False)
class Retraining:
    """SVMs on one set of points, trained for one labelling after another.

    The kernel and its features are made once; see `retrained_objective`.

    Attributes
    ----------
    classes : ndarray of shape (k,)
    codes : ndarray of shape (n,)
        Given labels as places among the classes; -1 for unlabelled points.
    features : Features
    cost : ndarray of shape (n,)
    """

    classes: np.ndarray
    codes: np.ndarray
    features: Features
    cost: np.ndarray

    @classmethod
    def of(
        cls,
        X: MatrixLike,
        y: ArrayLike,
        *,
        C: float,
        C_u: float,
        kernel: str | Callable[..., Any] = Kernel.kernel,
        sigma: float | str = Kernel.sigma,
        degree: int = Kernel.degree,
        coef0: float = Kernel.coef0,
        unlabeled: Any = SemiSupervisedClassifier.unlabeled,
    ) -> "Retraining":
        classes, codes = encode_labels(np.asarray(y), unlabeled)
        check_room(
            "retrained_objective",
            lambda n: 8 * MATRICES * n**2,
            len(codes),
            "use fewer points",
        )
        if kernel == "precomputed":
            K = np.array(X, dtype=float)
        else:
            if kernel == "rbf" and sigma == AUTO:
                sigma = kernel_width(X)
            K = gram(X, kernel=kernel, sigma=sigma, degree=degree, coef0=coef0)
        cost = np.where(codes < 0, float(C_u), float(C))
        return cls(classes, codes, features(Space(K)), cost)

    def objective(self, labels: ArrayLike) -> float:
        """That of the SVM on these labels of the unlabelled points."""
        labels, hidden = np.asarray(labels), self.codes < 0
        if labels.shape != self.codes.shape:
            raise ValueError(
                f"labels must be one for each of {len(self.codes)} points, got shape "
                f"{labels.shape}."
            )
        strangers = np.setdiff1d(labels[hidden], self.classes)
        if len(strangers):
            raise ValueError(
                f"labels must be among the classes {self.classes.tolist()} of y, got "
                f"{strangers[0]!r}."
            )
        full = np.where(hidden, np.searchsorted(self.classes, labels), self.codes)
        machines = one_vs_rest(full, len(self.classes)).T
        found = [svm(self.features, y, self.cost).objective for y in machines]
        return float(np.mean(found))


def retrained_objective(
    X: MatrixLike,
    y: ArrayLike,
    labels: ArrayLike,
    *,
    C: float,
    C_u: float,
    kernel: str | Callable[..., Any] = Kernel.kernel,
    sigma: float | str = Kernel.sigma,
    degree: int = Kernel.degree,
    coef0: float = Kernel.coef0,
    unlabeled: Any = SemiSupervisedClassifier.unlabeled,
) -> float:
    """Objective of the SVM trained on predicted labels, C and C_u as its weights.

        min over w, b of  1/2 |w|^2 + C sum_labeled max(0, 1 - y f)^2
                          + C_u sum_unlabeled max(0, 1 - y' f)^2

    Parameters
    ----------
    X : {ndarray, CSR matrix} of shape (n, d), or K where ``kernel="precomputed"``
    y : array-like of shape (n,)
        Given labels; ``unlabeled`` (-1) marks the others.
    labels : array-like of shape (n,)
        Predicted labels y'; only those of unlabelled points are looked at.
    kernel, sigma, degree, coef0
        As of the estimators, with their defaults.

    Returns
    -------
    objective : float
        For several classes the mean over the one-vs-rest machines.
    """
    shape = {"sigma": sigma, "degree": degree, "coef0": coef0, "unlabeled": unlabeled}
    made = Retraining.of(X, y, C=C, C_u=C_u, kernel=kernel, **shape)
    return made.objective(labels)
