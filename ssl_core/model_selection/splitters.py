"""Splitters for scikit-learn's `cv=`: unlabelled points train, labelled ones test."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit
from sklearn.utils.validation import column_or_1d, indexable

from ssl_core.estimators._inputs import (
    check_labels,
    check_mark,
    encode_labels,
    filled,
    is_missing,
    is_unlabeled,
    plain,
    without_string_type,
)
from ssl_core.estimators.base import SemiSupervisedClassifier
from ssl_core.settings import check_number
from ssl_core.trace import Array

MARK = SemiSupervisedClassifier.unlabeled


def codes_of(y: ArrayLike | None, unlabeled: Any) -> tuple[Array, Array]:
    """Classes and class indices, -1 for unlabelled points, as estimators read y."""
    check_mark("unlabeled", unlabeled)
    if y is None:
        raise ValueError(
            f"y must hold class labels to split by, got None; mark unlabelled points "
            f"by {unlabeled!r}."
        )
    y, hidden = without_string_type(y), None
    if is_missing(unlabeled):
        hidden = is_unlabeled(plain(y), unlabeled)
        y = filled(y, hidden)
    check_labels(y, unlabeled)
    return encode_labels(column_or_1d(y), unlabeled, hidden)


def check_counts(classes: Array, codes: Array, needed: int, why: str) -> None:
    """Refuse a class that has fewer labels than a split needs."""
    counts = np.bincount(codes[codes >= 0], minlength=len(classes))
    least = int(np.argmin(counts))
    if counts[least] < needed:
        raise ValueError(
            f"{why}, got {counts[least]} of class {classes[least]!s}; label more "
            f"of its points or take fewer splits."
        )


class _OfLabels:
    """Splits the labelled points as the next class does; the others always train."""

    unlabeled: Any

    def _least(self) -> tuple[int, str]:
        """Labels that every class needs, and why, as the start of a sentence."""
        raise NotImplementedError  # a subclass knows its splits

    def split(
        self, X: Any, y: ArrayLike | None = None, groups: Any = None
    ) -> Iterator[tuple[Array, Array]]:
        """Numbers of the training and the test points of every split.

        Parameters
        ----------
        X : array-like of n points
        y : array-like of shape (n,)
            Class labels; ``unlabeled`` marks unlabelled points.
        groups : ignored
        """
        indexable(X, y)
        classes, codes = codes_of(y, self.unlabeled)
        check_counts(classes, codes, *self._least())
        known, others = np.flatnonzero(codes >= 0), np.flatnonzero(codes < 0)
        splits = super().split(known, codes[known], groups)  # type: ignore[misc]
        for train, test in splits:
            yield np.union1d(known[train], others), known[test]


class SemiSupervisedKFold(_OfLabels, StratifiedKFold):
    """Stratified folds of the labelled points; unlabelled points train in every fold.

    Every training fold holds all unlabelled points, as at training, and every test
    fold labelled points only, of all classes in the proportions of y. So a scorer of
    scikit-learn never meets the mark of unlabelled points, which it would count as a
    class, and every model learns from all points.

    Parameters
    ----------
    n_splits : int, default=5
        At most the labels of the rarest class.
    shuffle : bool, default=False
    random_state : int, RandomState instance or None, default=None
        Of ``shuffle=True``.
    unlabeled : default=-1
        The mark of unlabelled points in y, as of the estimator.

    Examples
    --------
    >>> from halfmoon.model_selection import SemiSupervisedKFold
    >>> y = [0, -1, 1, -1, 0, 1]
    >>> for train, test in SemiSupervisedKFold(2).split(y, y):
    ...     print(train, test)
    [1 3 4 5] [0 2]
    [0 1 2 3] [4 5]
    """

    def __init__(
        self,
        n_splits: int = 5,
        *,
        shuffle: bool = False,
        random_state: Any = None,
        unlabeled: Any = MARK,
    ):
        check_number("n_splits", n_splits, at_least=2, integer=True)
        super().__init__(n_splits, shuffle=shuffle, random_state=random_state)
        self.unlabeled = unlabeled

    def _least(self) -> tuple[int, str]:
        n = self.n_splits
        return n, f"{n} folds need {n} labels of every class"


class SemiSupervisedShuffleSplit(_OfLabels, StratifiedShuffleSplit):
    """Random stratified splits of the labelled points; unlabelled points always train.

    As `SemiSupervisedKFold`, but test folds are independent and may share points.

    Parameters
    ----------
    n_splits : int, default=10
    test_size, train_size : float, int or None, default=None
        Share or number of the labelled points; a tenth is tested where both are None.
    random_state : int, RandomState instance or None, default=None
    unlabeled : default=-1
        The mark of unlabelled points in y, as of the estimator.
    """

    def __init__(
        self,
        n_splits: int = 10,
        *,
        test_size: float | int | None = None,
        train_size: float | int | None = None,
        random_state: Any = None,
        unlabeled: Any = MARK,
    ):
        check_number("n_splits", n_splits, at_least=1, integer=True)
        super().__init__(
            n_splits,
            test_size=test_size,
            train_size=train_size,
            random_state=random_state,
        )
        self.unlabeled = unlabeled

    def _least(self) -> tuple[int, str]:
        return 2, "a split needs 2 labels of every class, one to train and one to test"
