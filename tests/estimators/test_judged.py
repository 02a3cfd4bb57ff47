"""The mark of unlabelled points judged as a class: one warning, or none.

These tests go through scikit-learn's own functions: they fail where a new version of
it is built so that the warning does not come any more.
"""

import warnings

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    learning_curve,
    validation_curve,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from halfmoon import make
from halfmoon.model_selection import SemiSupervisedKFold
from tests.model_selection.moons import few_labels

X, Y, _ = few_labels(80)
EST = make("rlsc", sigma=0.35)
GRID = {"sigma": [0.2, 0.35]}
ACCURACY = {"scoring": "accuracy"}


def search(est, X, y, **how):
    grid = GRID if est is EST else {f"{est.steps[-1][0]}__sigma": [0.2, 0.35]}
    return GridSearchCV(est, grid, **how).fit(X, y)


def search_by_two(est, X, y, **how):
    """Clones are made where the loop is, with processes as with threads."""
    with parallel_config("threading"):
        return search(est, X, y, n_jobs=2, **how)


def curve(est, X, y, **how):
    return learning_curve(est, X, y, train_sizes=[0.5, 1.0], shuffle=True, **how)


def validation(est, X, y, **how):
    values = {"param_name": "sigma", "param_range": [0.2, 0.35]}
    return validation_curve(est, X, y, **values, **how)


def calibrated(est, X, y, **how):
    return CalibratedClassifierCV(est, **how).fit(X, y)


PIPELINE = make_pipeline(StandardScaler(), EST)
SCORER = make_scorer(accuracy_score)
JUDGED = {
    "grid search": (search, EST, ACCURACY),
    "grid search, 5 folds": (search, EST, {"cv": 5, **ACCURACY}),
    "grid search, two workers": (search_by_two, EST, ACCURACY),
    "grid search, pipeline": (search, PIPELINE, ACCURACY),
    "plain folds": (cross_val_score, EST, {"cv": KFold(3), **ACCURACY}),
    "a scorer": (cross_val_score, EST, {"scoring": SCORER}),
    "two scorers": (cross_validate, EST, {"scoring": ["accuracy", "f1_macro"]}),
    "learning curve": (curve, EST, ACCURACY),
    "validation curve": (validation, EST, ACCURACY),
    "calibration": (calibrated, EST, {"cv": StratifiedKFold(3)}),
    "calibration, all folds": (calibrated, EST, {"cv": 3, "ensemble": False}),
    "calibration of two classes": (calibrated, EST, {"cv": SemiSupervisedKFold(3)}),
}
RIGHT = SemiSupervisedKFold(3)
FINE = {
    "grid search": (search, EST, {"cv": RIGHT, **ACCURACY}),
    "grid search, pipeline": (search, PIPELINE, {"cv": RIGHT, **ACCURACY}),
    "two scorers": (cross_validate, EST, {"cv": RIGHT, "scoring": ["accuracy", "f1"]}),
    "learning curve": (curve, EST, {"cv": RIGHT, **ACCURACY}),
    "score knows the mark": (search, EST, {"cv": StratifiedKFold(3)}),
    "scores know it": (cross_val_score, EST, {"cv": StratifiedKFold(3)}),
    "no score": (cross_val_predict, EST, {"cv": StratifiedKFold(3)}),
}


def warned(way, y=Y, points=X):
    function, est, how = way
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(est, points, y, **how)
    return caught


@pytest.mark.parametrize("name", JUDGED)
def test_a_judged_mark_is_told_once_for_each_call_where_the_caller_is(name):
    for y in (Y, Y, Y.tolist()):
        [warning] = warned(JUDGED[name], y)
        assert warning.category is UserWarning
        assert warning.filename == __file__
        way_out = "CalibratedClassifierCV of" if "calibration" in name else "KFold or"
        assert f"SemiSupervised{way_out}" in str(warning.message)


@pytest.mark.parametrize("name", FINE)
def test_nothing_is_told_where_nothing_is_wrong(name):
    assert not warned(FINE[name])


def test_whole_labels_and_calibration_of_three_classes_are_fine():
    assert not warned(JUDGED["grid search"], np.arange(80) % 2)
    three = np.where(np.arange(80) < 30, np.arange(80) % 3, -1)
    assert not warned((calibrated, EST, {"cv": RIGHT}), three)
    [_] = warned((calibrated, EST, {"cv": StratifiedKFold(3)}), three)


def test_the_estimator_s_own_mark_counts():
    est = make("rlsc", sigma=0.35, unlabeled=0)
    ways = {"cv": StratifiedKFold(3), **ACCURACY}
    [told] = warned((cross_val_score, est, ways), 2 * Y.clip(0) - (Y >= 0))
    assert "with unlabeled=0" in str(told.message)
    right = {"cv": SemiSupervisedKFold(3, unlabeled=0), **ACCURACY}
    assert not warned((cross_val_score, est, right), 2 * Y.clip(0) - (Y >= 0))


def test_the_warned_mistake_is_a_mistake():
    wrong = warned_score(cv=StratifiedKFold(5))
    assert wrong < 0.3
    assert warned_score(cv=SemiSupervisedKFold(5)) > 0.9


def warned_score(cv):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cross_val_score(EST, X, Y, cv=cv, **ACCURACY).mean()
