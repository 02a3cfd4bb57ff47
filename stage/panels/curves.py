"""Panels of curves over the frames of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from halfmoon.stage.panels.base import Panel


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
class Curves(Panel):
    """Curves over the frames, drawn under one title with the common cursor.

    Parameters
    ----------
    title, below
        As in `Panel`.
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

    kind: ClassVar[str] = "curves"

    series: tuple[Series, ...]
    log: bool = False
    percent: bool = False
    x: np.ndarray | None = None
    x_name: str = "iteration"
    bundles: tuple[Bundle, ...] = ()
    shaded: tuple[tuple[float, float], ...] = ()
    shaded_name: str = ""

    def per_frame(self):
        lines = (*self.series, *self.bundles)
        found = {f"curve {line.name!r}": line.values for line in lines}
        return found | {f"x of {self.title!r}": self.x}

    def packed(self, pack, name):
        if self.x is not None:
            pack.add(f"{name}_x", self.x, "float32")
        return super().packed(pack, name) | {
            "log": self.log,
            "percent": self.percent,
            "x_name": self.x_name,
            "series": [
                _pack_series(pack, f"{name}_{j}", series)
                for j, series in enumerate(self.series)
            ],
            "bundles": [
                {
                    "name": bundle.name,
                    "role": bundle.role,
                    "limits": _pack_bundle(pack, f"{name}_lines{j}", bundle.values),
                }
                for j, bundle in enumerate(self.bundles)
            ],
            "shaded": [[float(a), float(b)] for a, b in self.shaded],
            "shaded_name": self.shaded_name,
        }


def _pack_series(pack, name, series):
    # In full: the legend's digits are those of the tiles and sentences.
    pack.add(name, series.values, "float64")
    for part, trail in zip("xy", series.trail or (), strict=False):
        pack.add(f"{name}_{part}", trail, "float64")
    return {"name": series.name, "role": series.role, "dots": series.dots}


def _pack_bundle(pack, name, values):
    """Lines in 16 bits over their range, the least of which means a gap."""
    values = np.asarray(values, dtype=float)
    known = np.isfinite(values)
    low, high = (values[known].min(), values[known].max()) if known.any() else (0, 1)
    share = (np.where(known, values, low) - low) / ((high - low) or 1.0)
    steps = np.where(known, np.rint(65534 * share) - 32767, -32768)
    pack.add(name, steps, "int16", delta=True)
    return [float(low), float(high)]
