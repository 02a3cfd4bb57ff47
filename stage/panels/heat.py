"""Rows of numbers between two meanings, one column for each frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from halfmoon.stage.panels.base import Panel


@dataclass(frozen=True)
class Heat(Panel):
    """A heat map over the frames: what every row leans to, with the common cursor.

    Parameters
    ----------
    title, below
        As in `Panel`.
    values : array-like of shape (T, m)
        Between 0 and 1, one row of the picture for each of the m columns, the first
        one on top. 0.5 has no colour, nor has NaN. Beliefs are values as they are;
        numbers v around 0 become ``0.5 + v / (2 * largest)``.
    ends : (str, str)
        What 0 and 1 mean, for the legend.
    middle : str
        What 0.5 means; empty where nothing is in between.
    rows : sequence of m str
        Names of the rows; empty for rows without names.
    row_name : str
        What one row is, for screen readers.
    roles : (str, str)
        Colours of 0 and 1, as in `Series`.
    """

    kind: ClassVar[str] = "heat"

    values: np.ndarray
    ends: tuple[str, str]
    middle: str = "undecided"
    rows: tuple[str, ...] = ()
    row_name: str = "point"
    roles: tuple[str, str] = ("class0", "class1")

    def __post_init__(self):
        values = np.asarray(self.values)
        if values.ndim != 2:
            raise ValueError(
                f"values of a heat map must have shape (frames, rows), got "
                f"{values.shape}."
            )
        if self.rows and len(self.rows) != values.shape[1]:
            raise ValueError(
                f"rows must hold one name for each of the {values.shape[1]} rows, got "
                f"{len(self.rows)}."
            )
        known = values[np.isfinite(values)]
        if known.size and not (known.min() >= 0 and known.max() <= 1):
            raise ValueError(
                f"values of a heat map must lie between 0 and 1, got {known.min():g} "
                f"to {known.max():g}; divide them by their range."
            )

    def per_frame(self):
        return {f"heat map {self.title!r}": self.values}

    def packed(self, pack, name):
        """In 8 bits, finer than any eye, each frame as what changed since the last."""
        values = np.asarray(self.values, dtype=float)
        values = np.where(np.isfinite(values), values, 0.5)
        pack.add(name, np.rint(255 * values), "uint8", delta=True)
        return super().packed(pack, name) | {
            "ends": list(self.ends),
            "middle": self.middle,
            "rows": [str(row) for row in self.rows],
            "row_name": self.row_name,
            "roles": list(self.roles),
        }
