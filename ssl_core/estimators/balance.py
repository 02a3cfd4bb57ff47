"""The share of positive points that a transductive machine is told, or estimates."""

import numpy as np

from ssl_core.estimators.base import SemiSupervisedClassifier
from ssl_core.estimators.parameters import anything


def check_share(name, value):
    for share in [] if value is None else np.atleast_1d(value):
        if not (isinstance(share, float | np.floating) and 0 < share < 1):
            raise ValueError(
                f"{name} must be a share of positive points above 0 and below 1, one "
                f"per class for several classes, or None to estimate it, "
                f"got {value!r}."
            )


class Balanced(SemiSupervisedClassifier):
    """A machine with a class ratio r."""

    r = anything(
        None,
        "Share of positive points among the unlabelled, one per class for several "
        "classes (the share of that class); None takes it from the labels.",
        kind="float, array-like of shape (k,) or None",
        check=check_share,
    )

    def _check_task(self, task):
        super()._check_task(task)
        n_machines = task.Y.shape[1]
        if np.ndim(self.r) > 0 and len(self.r) != n_machines:
            raise ValueError(
                f"r must be one number, or one per class for more than two classes; "
                f"got {len(self.r)} for {len(self.classes_)} classes."
            )

    def _share(self, j: int) -> float | None:
        """r of machine j."""
        return self.r[j] if np.ndim(self.r) > 0 else self.r
