"""Probabilities by calibration on held-out labels."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.utils.metaestimators import _safe_split
from sklearn.utils.validation import indexable

from ssl_core.estimators.weighted import labeled_part
from ssl_core.model_selection.splitters import (
    MARK,
    SemiSupervisedKFold,
    check_counts,
    codes_of,
)
from ssl_core.trace import Array

FOLDS = 5


class SemiSupervisedCalibratedClassifierCV(CalibratedClassifierCV):
    """scikit-learn's `CalibratedClassifierCV` for data with unlabelled points.

    Every fold trains on its labels and all unlabelled points; the calibrator sees the
    outputs on the labels that were held out. The class of scikit-learn itself would
    take the mark in y for a further class: with two classes of labels it then
    calibrates the wrong one, and its probabilities are all 0 or 1.

    The estimators have no setting for probabilities, as scikit-learn has deprecated
    ``SVC(probability=True)`` in favour of its calibrated classifier: calibration trains
    again for every fold, which should be visible, and `predict` of a calibrated model
    need not agree with the sign of its outputs.

    Parameters
    ----------
    estimator : classifier with a `decision_function`
        Any of Halfmoon's, also as the last step of a pipeline.
    method : {"sigmoid", "isotonic", "temperature"}, default="sigmoid"
        As in scikit-learn. "isotonic" needs many labels.
    cv : int, splitter or None, default=None
        Folds of the labelled points; a number or None (5) makes a
        `SemiSupervisedKFold`.
    n_jobs : int or None, default=None
    ensemble : bool, default=False
        False fits one calibrator to the held-out outputs of all folds and trains the
        model on all labels; True averages one pair for each fold, as scikit-learn does
        by default: with few labels a fold has too few for a calibrator.
    unlabeled : default=-1
        The mark of unlabelled points in y, as of the estimator.

    Attributes
    ----------
    classes_ : ndarray of shape (k,)
    calibrated_classifiers_ : list
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        method: str = "sigmoid",
        cv: Any = None,
        n_jobs: int | None = None,
        ensemble: bool = False,
        unlabeled: Any = MARK,
    ):
        super().__init__(
            estimator, method=method, cv=cv, n_jobs=n_jobs, ensemble=ensemble
        )
        self.unlabeled = unlabeled

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Train on all points, calibrate on held-out labels.

        Parameters
        ----------
        X : {array-like, sparse matrix} of n points
        y : array-like of shape (n,)
            Class labels; ``unlabeled`` marks unlabelled points.
        """
        if self.estimator is None:
            raise ValueError(
                "estimator must be a classifier with a decision_function, got None; "
                "pass one of Halfmoon's."
            )
        X, y = indexable(X, y)
        classes, codes = codes_of(y, self.unlabeled)
        cv = FOLDS if self.cv is None else self.cv
        if isinstance(cv, int | np.integer):
            rule = f"calibration in {cv} folds needs {cv} labels of every class"
            check_counts(classes, codes, cv, rule)
            cv = SemiSupervisedKFold(cv, unlabeled=self.unlabeled)
        known = np.flatnonzero(codes >= 0)
        inner = CalibratedClassifierCV(
            _OnRows(self.estimator, X, y, np.flatnonzero(codes < 0)),
            method=self.method,
            cv=cv,
            n_jobs=self.n_jobs,
            ensemble=self.ensemble,
        ).fit(known[:, None], classes[codes[known]])
        self.classes_ = inner.classes_
        self.calibrated_classifiers_ = inner.calibrated_classifiers_
        for pair in self.calibrated_classifiers_:
            pair.estimator = pair.estimator.estimator
        trained = self.calibrated_classifiers_[0].estimator
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(trained, name):
                setattr(self, name, getattr(trained, name))
        return self

    def score(self, X: Any, y: ArrayLike, sample_weight: Any = None) -> float:
        """Accuracy on the labelled points of (X, y)."""
        return super().score(*labeled_part(X, y, self.unlabeled, sample_weight))


class _OnRows(ClassifierMixin, BaseEstimator):
    """A classifier whose points are numbers of rows; unlabelled rows always train."""

    def __init__(self, estimator, X, y, unlabeled):
        self.estimator, self.X, self.y = estimator, X, y
        self.unlabeled = unlabeled

    def __sklearn_clone__(self):
        """A copy that is not trained; the data are shared."""
        return _OnRows(clone(self.estimator), self.X, self.y, self.unlabeled)

    def fit(self, rows, labels):
        self.rows_ = np.union1d(rows, self.unlabeled)
        self.estimator.fit(*_safe_split(self.estimator, self.X, self.y, self.rows_))
        self.classes_ = np.unique(labels)
        return self

    def decision_function(self, rows) -> Array:
        return self.estimator.decision_function(self._points(rows))

    def predict(self, rows) -> Array:
        return self.estimator.predict(self._points(rows))

    def _points(self, rows):
        X, _ = _safe_split(self.estimator, self.X, None, rows.ravel(), self.rows_)
        return X
