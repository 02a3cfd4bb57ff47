"""What the transport of a stage runs along, where that is not the iteration."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Axis:
    """What the transport and the curves run along, in place of the iteration.

    Two frames in a row at the same value are a jump: the player lingers there, and
    the curves break.

    Parameters
    ----------
    values : array-like of shape (T,)
        One for each frame, never falling.
    name : str
    floor : float, optional
        Makes the axis logarithmic above this value. What lies below, 0 included, has
        a narrow linear strip at the left end. None: linear throughout.
    """

    values: np.ndarray
    name: str
    floor: float | None = None

    def __post_init__(self):
        values = np.asarray(self.values)
        if np.any(np.diff(values) < 0) or not np.isfinite(values).all():
            raise ValueError("values of an axis must be finite and never fall.")
        if self.floor is not None and not (
            0 < self.floor < values[-1] and values[0] >= 0
        ):
            raise ValueError(
                f"floor must lie above 0 and below the last value, {values[-1]:g}, of "
                f"an axis that starts at 0 or above, got {self.floor!r}."
            )
