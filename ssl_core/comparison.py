"""Objectives of different methods made comparable, [CSK08] section 5.2.

Some methods minimise smoothed objectives, some others. So their predictions are judged:
an SVM is trained on the predicted labels, and its objective is the one compared.
"""

import numpy as np

from ssl_core.estimators._inputs import encode_labels, one_vs_rest
from ssl_core.features import Space, features
from ssl_core.kernels import gram
from ssl_core.solvers._svm import svm


def retrained_objective(
    X, y, labels, *, C, C_u, kernel="rbf", sigma=1.0, degree=3, coef0=1.0, unlabeled=-1
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

    Returns
    -------
    objective : float
        For several classes the mean over the one-vs-rest machines.
    """
    labels = np.asarray(labels)
    classes, codes = encode_labels(np.asarray(y), unlabeled)
    if labels.shape != codes.shape:
        raise ValueError(
            f"labels must be one for each of {len(codes)} points, got shape "
            f"{labels.shape}."
        )
    hidden = codes < 0
    strangers = np.setdiff1d(labels[hidden], classes)
    if len(strangers):
        raise ValueError(
            f"labels must be among the classes {classes.tolist()} of y, got "
            f"{strangers[0]!r}."
        )
    if kernel == "precomputed":
        K = np.array(X, dtype=float)
    else:
        K = gram(X, kernel=kernel, sigma=sigma, degree=degree, coef0=coef0)
    full = np.where(hidden, np.searchsorted(classes, labels), codes)
    labels_of = one_vs_rest(full, len(classes))
    made = features(Space(K))
    cost = np.where(hidden, float(C_u), float(C))
    return float(np.mean([svm(made, y_j, cost).objective for y_j in labels_of.T]))


def balanced_labels(f, n_positive):
    """Labels +-1 that put exactly ``n_positive`` of the outputs on the positive side.

    How [CSK08] judges methods whose class ratio is only nearly kept.
    """
    f = np.asarray(f)
    labels = np.full(len(f), -1, dtype=np.int8)
    labels[np.argsort(-f, kind="stable")[:n_positive]] = 1
    return labels
