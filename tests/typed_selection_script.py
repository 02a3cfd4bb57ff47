"""Every public name of `model_selection` at work, for mypy and pyright."""

import numpy as np

from halfmoon import model_selection
from halfmoon.model_selection import (
    SemiSupervisedCalibratedClassifierCV,
    SemiSupervisedKFold,
    SemiSupervisedShuffleSplit,
    Sweep,
)
from ssl_core.estimators import LapRLSClassifier

X = np.random.default_rng(0).normal(size=(40, 2))
y = np.where(np.arange(40) < 12, np.arange(40) % 2, -1)
est = LapRLSClassifier(sigma=0.5)
folds = SemiSupervisedKFold(3, shuffle=True, random_state=0, unlabeled=-1)
halves = SemiSupervisedShuffleSplit(4, test_size=0.5, random_state=0)
tested: list[np.ndarray] = [test for _, test in folds.split(X, y)]
found: Sweep = model_selection.sweep(est, X, y, {"gamma_I": [0.1, 1.0]})
objective: np.ndarray = found.objective
best = found.estimators[int(np.argmax(found.scores(X, y)))]
labels: np.ndarray = best.predict(X)
calibrated = SemiSupervisedCalibratedClassifierCV(est, cv=folds).fit(X, y)
print(tested, halves, objective, labels, calibrated.predict_proba(X))
