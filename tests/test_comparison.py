"""Objectives made comparable: retraining on predicted labels, [CSK08] section 5.2."""

import numpy as np
import pytest
from scipy.optimize import minimize

from ssl_core import balanced_labels, retrained_objective
from ssl_core.kernels import gram, kernel_width

RNG = np.random.default_rng(0)
X = RNG.normal(size=(14, 2))


def by_scipy(K, signs, cost):
    """min over alpha, b of the SVM's objective, from its formula."""

    def value(x):
        f = K @ x[:-1] + x[-1]
        return 0.5 * x[:-1] @ K @ x[:-1] + cost @ np.maximum(0, 1 - signs * f) ** 2

    return minimize(value, np.zeros(len(K) + 1), method="BFGS").fun


@pytest.mark.parametrize("classes", [("a", "b"), (0, 1, 2)])
def test_it_is_the_svm_s_objective_on_the_predicted_labels(classes):
    truth = np.array(classes, dtype=object if classes[0] == "a" else int)[
        np.arange(14) % len(classes)
    ]
    y = truth.copy()
    y[6:] = -1
    K, cost = gram(X, sigma=kernel_width(X)), np.where(np.arange(14) < 6, 5.0, 2.0)
    machines = classes[1:] if len(classes) == 2 else classes
    expected = np.mean(
        [by_scipy(K, np.where(truth == c, 1.0, -1.0), cost) for c in machines]
    )
    found = retrained_objective(X, y, truth, C=5.0, C_u=2.0)
    assert found == pytest.approx(expected, rel=1e-5)
    same = retrained_objective(K, y, truth, C=5.0, C_u=2.0, kernel="precomputed")
    assert same == pytest.approx(found, rel=1e-9)


def test_predictions_of_labelled_points_are_not_looked_at():
    truth = np.arange(14) % 2
    y = np.where(np.arange(14) < 6, truth, -1)
    odd = truth.copy()
    odd[0] = 1 - odd[0]
    assert retrained_objective(X, y, odd, C=5.0, C_u=2.0) == retrained_objective(
        X, y, truth, C=5.0, C_u=2.0
    )


def test_labels_of_another_class_or_length_are_refused():
    y = np.array([0, 1] + [-1] * 12)
    with pytest.raises(ValueError, match="labels must be among the classes"):
        retrained_objective(X, y, np.full(14, 7), C=1.0, C_u=1.0)
    with pytest.raises(ValueError, match="labels must be one for each of 14 points"):
        retrained_objective(X, y, [0, 1], C=1.0, C_u=1.0)


def test_balanced_labels_take_the_largest_outputs():
    np.testing.assert_array_equal(
        balanced_labels([0.3, -2.0, 0.9, 0.1], 2), [1, -1, 1, -1]
    )
