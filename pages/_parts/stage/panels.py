"""What the stage shows beside the points: its axis, and curves along it."""

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


@dataclass(frozen=True)
class Series:
    """One line of a curve panel.

    Parameters
    ----------
    name : str
    values : array-like of shape (T,)
        One value per frame; NaN leaves a gap.
    role : str
        Colour by meaning: "accent", "good", "ink", "muted", "warn", "class0",
        "class1", ... (see ``theme.js``).
    trail : (x, y), optional
        What is drawn instead of the values, where more or other places are known than
        the frames are.
    dots : bool
        Dots instead of a line.
    """

    name: str
    values: np.ndarray
    role: str = "accent"
    trail: tuple[np.ndarray, np.ndarray] | None = None
    dots: bool = False


@dataclass(frozen=True)
class Bundle:
    """Many thin lines of one meaning.

    Parameters
    ----------
    name : str
    values : array-like of shape (T, m)
        NaN leaves a gap.
    role : str
        As in `Series`.
    """

    name: str
    values: np.ndarray
    role: str = "muted"


@dataclass(frozen=True)
class Panel:
    """Curves over the frames, drawn under one title with the common cursor.

    Parameters
    ----------
    title : str
    series : sequence of Series
    log : bool
        Logarithmic ordinate; values <= 0 leave a gap.
    percent : bool
        Values are fractions, shown as percentages from zero.
    x : array-like of shape (T,), optional
        Non-decreasing abscissa; default is the view's axis, or the iteration number
        of each frame.
    x_name : str
        Of an abscissa that is not the view's axis.
    bundles : sequence of Bundle
        Drawn below the series.
    shaded : sequence of (low, high)
        Parts of the abscissa to be seen at a glance, called `shaded_name`.
    """

    title: str
    series: tuple[Series, ...]
    log: bool = False
    percent: bool = False
    x: np.ndarray | None = None
    x_name: str = "iteration"
    bundles: tuple[Bundle, ...] = ()
    shaded: tuple[tuple[float, float], ...] = ()
    shaded_name: str = ""
