"""Choosing parameters and judging models where most labels are unknown.

from halfmoon.model_selection import SemiSupervisedKFold

search = GridSearchCV(est, grid, cv=SemiSupervisedKFold(5), scoring="accuracy")
"""

from ssl_core.model_selection.calibration import SemiSupervisedCalibratedClassifierCV
from ssl_core.model_selection.splitters import (
    SemiSupervisedKFold,
    SemiSupervisedShuffleSplit,
)
from ssl_core.model_selection.sweeping import Sweep, sweep

__all__ = [
    "SemiSupervisedCalibratedClassifierCV",
    "SemiSupervisedKFold",
    "SemiSupervisedShuffleSplit",
    "Sweep",
    "sweep",
]
