"""Choosing parameters and judging models where most labels are unknown."""

from ssl_core.model_selection import (
    SemiSupervisedCalibratedClassifierCV as SemiSupervisedCalibratedClassifierCV,
)
from ssl_core.model_selection import SemiSupervisedKFold as SemiSupervisedKFold
from ssl_core.model_selection import (
    SemiSupervisedShuffleSplit as SemiSupervisedShuffleSplit,
)
from ssl_core.model_selection import Sweep as Sweep
from ssl_core.model_selection import sweep as sweep
