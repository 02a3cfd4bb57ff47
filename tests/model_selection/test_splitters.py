"""Unlabelled points train in every fold, labelled ones are tested."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score

from halfmoon import make
from halfmoon.model_selection import SemiSupervisedKFold, SemiSupervisedShuffleSplit
from tests.model_selection.moons import few_labels

# Labels as an estimator takes them, and the mark: class a is rarer than class b.
NUMBERS = np.array([0, -1, 1, -1, 0, 1, 1, -1, 0, 1, -1, 1])
WORDS = np.where(NUMBERS == 0, "a", "b")
SPELLED = {
    "numbers": (NUMBERS, -1),
    "a list": (NUMBERS.tolist(), -1),
    "signs, marked by 0": (np.array([-1, 1, 0])[NUMBERS], 0),
    "words": (np.where(NUMBERS < 0, "?", WORDS), "?"),
    "words and a number": (np.where(NUMBERS < 0, -1, WORDS.astype(object)), -1),
    "NaN": (np.where(NUMBERS < 0, np.nan, NUMBERS), np.nan),
    "None": (np.where(NUMBERS < 0, None, WORDS), None),
    "pandas": (pd.Series(NUMBERS, index=range(50, 62)), -1),
    "NA of pandas": (pd.Series(NUMBERS).astype("Int64").where(NUMBERS >= 0), pd.NA),
}
X = np.arange(24.0).reshape(12, 2)
HIDDEN = np.flatnonzero(NUMBERS < 0)


def folds(splitter, y):
    return [(a.tolist(), b.tolist()) for a, b in splitter.split(X, y)]


@pytest.mark.parametrize("spelled", SPELLED)
def test_folds_are_those_of_scikit_learn_on_the_labelled_points(spelled):
    y, mark = SPELLED[spelled]
    known = np.flatnonzero(NUMBERS >= 0)
    plain = StratifiedKFold(3, shuffle=True, random_state=1)
    expected = [
        (sorted([*known[train].tolist(), *HIDDEN.tolist()]), known[test].tolist())
        for train, test in plain.split(known, NUMBERS[known])
    ]
    ours = SemiSupervisedKFold(3, shuffle=True, random_state=1, unlabeled=mark)
    assert folds(ours, y) == expected


@pytest.mark.parametrize(
    "splitter",
    [
        SemiSupervisedKFold(3),
        SemiSupervisedKFold(2, shuffle=True, random_state=0),
        SemiSupervisedShuffleSplit(4, test_size=0.5, random_state=0),
        SemiSupervisedShuffleSplit(3, test_size=3, train_size=4, random_state=2),
    ],
    ids=repr,
)
def test_all_unlabelled_points_train_and_none_is_tested(splitter):
    found = folds(splitter, NUMBERS)
    assert len(found) == splitter.get_n_splits(X, NUMBERS)
    for train, test in found:
        assert set(HIDDEN) <= set(train)
        assert not set(test) & set(train)
        assert set(NUMBERS[test]) == {0, 1}
        assert set(NUMBERS[train]) == {-1, 0, 1}


def test_every_label_is_tested_once_by_folds_and_sizes_count_labels():
    tested = [i for _, test in folds(SemiSupervisedKFold(3), NUMBERS) for i in test]
    assert sorted(tested) == np.flatnonzero(NUMBERS >= 0).tolist()
    halves = SemiSupervisedShuffleSplit(2, test_size=0.5, random_state=0)
    assert [len(test) for _, test in folds(halves, NUMBERS)] == [4, 4]


def test_they_are_cloned_and_shown_with_their_parameters():
    for splitter in (SemiSupervisedKFold(3, unlabeled=0), SemiSupervisedShuffleSplit()):
        assert repr(clone(splitter, safe=False)) == repr(splitter)
    assert "unlabeled=0" in repr(SemiSupervisedKFold(3, unlabeled=0))


@pytest.mark.parametrize(
    ("splitter", "y", "said"),
    [
        (
            SemiSupervisedKFold(4),
            NUMBERS,
            "need 4 labels.*got 3 of class 0",
        ),
        (SemiSupervisedShuffleSplit(), [0, 1, 1, *[-1] * 9], "got 1 of class 0"),
        (SemiSupervisedKFold(2), None, "got None; mark unlabelled points by -1"),
        (SemiSupervisedKFold(2), np.full(12, -1), "no labelled points"),
        (SemiSupervisedKFold(2), [-1, 1] * 6, "one labelled class.*unlabeled=0"),
        (SemiSupervisedKFold(2), NUMBERS[:-1], "inconsistent numbers"),
        (SemiSupervisedKFold(2, unlabeled=[1]), NUMBERS, "unlabeled must be one label"),
    ],
)
def test_what_cannot_be_split_is_refused_in_one_sentence(splitter, y, said):
    with pytest.raises(ValueError, match=said):
        list(splitter.split(X, y))


@pytest.mark.parametrize("n_splits", [1, 2.0, True])
def test_the_number_of_folds_is_checked(n_splits):
    with pytest.raises(ValueError, match="n_splits must be an integer >= 2"):
        SemiSupervisedKFold(n_splits)


def test_grid_search_scores_like_a_split_by_hand():
    X, y, truth = few_labels()
    grid = {"sigma": [0.05, 0.35, 5.0]}
    cv = SemiSupervisedKFold(5, shuffle=True, random_state=0)
    est = make("laprlsc")
    found = GridSearchCV(est, grid, cv=cv, scoring="accuracy").fit(X, y)
    means = found.cv_results_["mean_test_score"]
    for sigma, mean in zip(grid["sigma"], means, strict=True):
        by_hand = []
        for _, test in cv.split(X, y):
            held_out = y.copy()
            held_out[test] = -1
            train = np.setdiff1d(np.arange(len(y)), test)
            machine = clone(est).set_params(sigma=sigma).fit(X[train], held_out[train])
            by_hand.append(np.mean(machine.predict(X[test]) == truth[test]))
        assert mean == pytest.approx(np.mean(by_hand), abs=1e-12)
    assert np.mean(found.predict(X) == truth) == 1.0


def test_a_precomputed_kernel_is_cut_at_the_folds():
    X, y, _ = few_labels(80)
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=2) / (2 * 0.35**2))
    cv = SemiSupervisedKFold(5)
    rates = [
        cross_val_score(make("svm", **how), data, y, cv=cv, scoring="accuracy")
        for how, data in (({"kernel": "precomputed"}, K), ({"sigma": 0.35}, X))
    ]
    np.testing.assert_allclose(*rates)
