"""Weights of points and classes, for classifiers whose loss has a cost per point.

A family that takes weights has the setting `class_weight` of `ClassWeights` and a `fit`
of its own: the others have no ``sample_weight`` in its signature, as scikit-learn asks.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike
from sklearn.utils import _safe_indexing

from ssl_core.estimators._inputs import (
    filled,
    is_missing,
    is_unlabeled,
    labels_of,
    missing_mask,
)
from ssl_core.estimators.groups import LARGEST
from ssl_core.trace import Array

Fit = TypeVar("Fit", bound=Callable)
DOC = """Train to the end: the last state that `iterate` would give.

A fit that is refused or broken off leaves the estimator as it was.

Parameters
----------
X : {array-like, sparse matrix} of shape (n, d)
y : array-like of shape (n,)
    Class labels; ``unlabeled`` (-1) marks unlabelled points.
X_val, y_val : validation points, for rules that look at them
sample_weight : array-like of shape (n,) or None
    Factors >= 0 of the losses of the points; None means 1. Every class must keep a
    labelled point with a weight above 0. Weights of unlabelled points matter in
    `tsvm` and `da`, which give these points a loss, and nowhere else. Kernel width
    and graph do not depend on weights: with weight 0 a label has no effect.

Returns
-------
self

Notes
-----
The kernel methods have sums of losses: weight 2 is a point given twice. The linear
ones have means, of labelled and of unlabelled points, in which only ratios of
weights matter. Where ``r`` is None it is the share of positive labels by weight;
``class_weight`` does not change it. `da` keeps this share by weight, `tsvm` by number
of points.
"""


def documented(fit: Fit) -> Fit:
    """Give a `fit` with weights the words that all of them share."""
    fit.__doc__ = DOC
    return fit


def costs(
    class_weight, classes: Array, codes: Array, sample_weight: ArrayLike | None
) -> tuple[Array | None, Array | None]:
    """Weights of points, and these times the weights of classes; None where all are 1.

    Parameters
    ----------
    class_weight : dict, "balanced" or None
    classes : ndarray of shape (k,)
    codes : ndarray of shape (n,)
        Indices of classes, -1 for unlabelled points.
    sample_weight : array-like of shape (n,) or None
    """
    check_classes(class_weight, classes)
    if sample_weight is None and class_weight is None:
        return None, None
    weight = np.ones(len(codes))
    if sample_weight is not None:
        weight = checked_weights(sample_weight, len(codes))
        check_sums(weight, codes, classes)
    cost, known = weight.copy(), codes >= 0
    cost[known] = class_costs(class_weight, classes, codes[known], weight[known])
    return _unless_one(weight), _unless_one(cost)


def _unless_one(weight: Array) -> Array | None:
    return None if (weight == 1.0).all() else weight


def checked_weights(sample_weight: ArrayLike, n: int) -> Array:
    """Weights as a new array of n finite numbers >= 0."""
    name = "sample_weight"
    if sp.issparse(sample_weight):
        raise TypeError(
            f"{name} must be a dense array, got {type(sample_weight).__name__}; use "
            f"{name}.toarray().ravel()."
        )
    try:
        weight = np.array(sample_weight, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(
            f"{name} must hold numbers, one for each of the {n} points; got "
            f"{sample_weight!r:.60}."
        ) from None
    if weight.shape != (n,):
        raise ValueError(
            f"{name} must be a 1D array with one number for each of the {n} points, "
            f"got shape {weight.shape}."
        )
    bad = ~((weight >= 0.0) & (weight <= LARGEST))
    if bad.any():
        i = int(np.flatnonzero(bad)[0])
        raise ValueError(
            f"{name} must hold numbers >= 0 and <= {LARGEST:g}, got {weight[i]:g} in "
            f"{int(bad.sum())} of {n} places (first: {i}); give points that do not "
            f"count the weight 0."
        )
    return weight


def labeled_part(
    X, y: ArrayLike, unlabeled, sample_weight: ArrayLike | None
) -> tuple[Any, Array, Array | None]:
    """What a score is made of: points, labels and weights of the labelled points."""
    y = labels_of(y, X)
    missing = missing_mask(y)
    if missing.any() and not is_missing(unlabeled):
        raise ValueError(
            f"y must be whole, got {missing.sum()} missing values; mark unlabelled "
            f"points by {unlabeled!r}."
        )
    known = ~is_unlabeled(y, unlabeled)
    if not known.any():
        raise ValueError(
            f"y must have a labelled point to score, got only {unlabeled!r}; "
            f"stratify the folds or label more points."
        )
    weight = None
    if sample_weight is not None:
        weight = checked_weights(sample_weight, len(known))[known]
        if not weight.any():
            raise ValueError(
                "sample_weight must have a number above 0 for a labelled point to "
                "score, got 0 for all of them."
            )
    return _safe_indexing(X, known), filled(y, missing)[known], weight


def check_sums(weight: Array, codes: Array, classes: Array) -> None:
    """Every class must have a labelled point that counts."""
    if not weight.any():
        raise ValueError(
            "sample_weight must have a number above 0, got all weights zero; None "
            "gives every point the weight 1."
        )
    known = codes >= 0
    sums = np.bincount(codes[known], weights=weight[known], minlength=len(classes))
    for name in classes[sums == 0.0]:
        raise ValueError(
            f"sample_weight must leave every class a labelled point, got only 0 for "
            f"class {name!s}; raise one of its weights or drop its points."
        )


def check_classes(class_weight, classes: Array) -> None:
    """Refuse weights of classes that have no label."""
    for label in class_weight if isinstance(class_weight, dict) else ():
        if not any(label == name for name in classes.tolist()):
            raise ValueError(
                f"class_weight must name classes among {classes.tolist()!r:.60}, got "
                f"{label!r:.40}; drop it or label one of its points."
            )


def class_costs(class_weight, classes: Array, codes: Array, weight: Array) -> Array:
    """Weights of labelled points times those of their classes."""
    if class_weight is None:
        return weight
    if isinstance(class_weight, str):  # "balanced"
        sums = np.bincount(codes, weights=weight, minlength=len(classes))
        # Divided first: the inverse of a small sum would overflow.
        return weight / sums[codes] * (sums.sum() / len(classes))
    factors = [float(class_weight.get(name, 1.0)) for name in classes.tolist()]
    return weight * np.array(factors)[codes]
