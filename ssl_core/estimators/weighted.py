"""Weights of points and classes, for classifiers whose loss takes a cost per point.

A family that takes weights has the setting `class_weight` of `ClassWeights` and, in the
place of the base's own,

    fit, iterate, trace, _weigh

of this module. They are functions and no class between a family and its base: the
others have no ``sample_weight`` in their signatures, as scikit-learn asks.
"""

from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from ssl_core.estimators.base import MatrixLike, SemiSupervisedClassifier, Task
from ssl_core.estimators.groups import ClassWeights
from ssl_core.trace import MAX_BYTES, Array, State, Trace

Classifier = TypeVar("Classifier", bound=SemiSupervisedClassifier)
LARGEST = 1e12  # beyond it sums of weights keep no digits of the others


def fit(
    self: Classifier,
    X: MatrixLike,
    y: ArrayLike,
    X_val: MatrixLike | None = None,
    y_val: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> Classifier:
    """Train to the end: the last state that `iterate` would give.

    A fit that is refused or broken off leaves the estimator as it was.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n, d)
    y : array-like of shape (n,)
        Class labels; ``unlabeled`` (-1) marks unlabeled points.
    X_val, y_val : validation points, for rules that look at them
    sample_weight : array-like of shape (n,) or None
        What multiplies the loss of each point, >= 0; None means 1. Every class must
        keep a labelled point of a weight above 0. Unlabelled points have a weight in
        the methods that give them a loss, `tsvm` and `da`; elsewhere theirs has
        nothing to multiply. Kernel width and graph do not depend on weights: there a
        label of weight 0 is as good as none.

    Notes
    -----
    The kernel methods have sums of losses: weight 2 is a point given twice. The linear
    ones have means, of labelled and of unlabelled points, in which only ratios of
    weights matter. Where ``r`` is None it is the share of positive labels by weight;
    ``class_weight`` does not change it. `da` keeps it by weight, `tsvm` by number.

    Returns
    -------
    self
    """
    return self._fit(X, y, X_val, y_val, sample_weight)


def iterate(
    self,
    X: MatrixLike,
    y: ArrayLike,
    *,
    X_val: MatrixLike | None = None,
    y_val: ArrayLike | None = None,
    start: State | None = None,
    sample_weight: ArrayLike | None = None,
) -> Iterator[State]:
    """Train step by step: a generator of states, t = 0 first.

    As `SemiSupervisedClassifier.iterate`, with the weights that `fit` takes.
    """
    return self._iterate(X, y, X_val, y_val, start=start, sample_weight=sample_weight)


def trace(
    self,
    X: MatrixLike,
    y: ArrayLike,
    *,
    X_val: MatrixLike | None = None,
    y_val: ArrayLike | None = None,
    X_test: MatrixLike | None = None,
    y_test: ArrayLike | None = None,
    start: State | None = None,
    record_states: str | int = "full",
    max_bytes: float = MAX_BYTES,
    until: Callable[[State], bool] | None = None,
    sample_weight: ArrayLike | None = None,
) -> Trace:
    """Train and record: all states, seconds per iteration, watched outputs.

    As `SemiSupervisedClassifier.trace`, with the weights that `fit` takes: they are in
    the objectives of the states, and not in errors, which count points.
    """
    return self._trace(
        X,
        y,
        (X_val, y_val),
        (X_test, y_test),
        start=start,
        record_states=record_states,
        max_bytes=max_bytes,
        until=until,
        sample_weight=sample_weight,
    )


def weigh(self, task: Task, codes: Array, sample_weight: ArrayLike | None) -> None:
    """Weights and costs of a task; None where all are 1."""
    class_weight = ClassWeights.of(self).class_weight
    check_classes(class_weight, self.classes_)
    if sample_weight is None and class_weight is None:
        return
    weight = np.ones(len(codes))
    if sample_weight is not None:
        weight = checked(sample_weight, len(codes))
        check_sums(weight, codes, self.classes_)
    cost = weight.copy()
    known = codes >= 0
    factors = class_factors(class_weight, self.classes_, codes[known], weight[known])
    cost[known] *= factors[codes[known]]
    task.weight = None if (weight == 1.0).all() else weight
    task.cost = None if (cost == 1.0).all() else cost


def checked(sample_weight: ArrayLike, n: int) -> Array:
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
    """A class that is not there is a slip of the pen."""
    for label in class_weight if isinstance(class_weight, dict) else ():
        if not any(label == name for name in classes.tolist()):
            raise ValueError(
                f"class_weight must name classes among {classes.tolist()!r:.60}, got "
                f"{label!r:.40}; drop it or label one of its points."
            )


def class_factors(class_weight, classes: Array, codes: Array, weight: Array) -> Array:
    """What multiplies the weights of each class's labelled points, of shape (k,)."""
    if class_weight is None:
        return np.ones(len(classes))
    if isinstance(class_weight, str):  # "balanced"
        sums = np.bincount(codes, weights=weight, minlength=len(classes))
        return sums.sum() / (len(classes) * sums)
    return np.array([float(class_weight.get(name, 1.0)) for name in classes.tolist()])
