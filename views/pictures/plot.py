"""Grid, ticks, lines and colours that all panels draw alike: ``stage/js/ink.js``."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from halfmoon.stage.view import StageView
from halfmoon.views.pictures.page import row_height
from halfmoon.views.pictures.scales import Ruler, are_whole, ruler
from halfmoon.views.pictures.sheet import Sheet, width_of, wrapped
from ssl_core.viz.theme import Theme

TEXT = 14
BEND = 8  # units between the points of a straight line on a logarithmic axis
ROOM = 8  # right of a plot
CURSOR = (4, 3)  # its dashes


@dataclass(frozen=True)
class Plot:
    """A box on the sheet, with the scale of its abscissa."""

    left: float
    top: float
    width: float
    height: float
    across: Ruler

    @property
    def bottom(self) -> float:
        return self.top + self.height

    @property
    def right(self) -> float:
        return self.left + self.width

    def x(self, values):
        return self.left + self.width * self.across.share(np.asarray(values, float))

    def y(self, shares):
        return self.top + self.height * (1 - np.asarray(shares, dtype=float))

    def clip(self, more: float = 3) -> tuple[float, float, float, float]:
        left, top = self.left - more, self.top - more
        return left, top, self.width + 2 * more, self.height + 2 * more


def frames_axis(view: StageView, x=None) -> tuple[np.ndarray, Ruler, str]:
    """Abscissa of each frame, its scale, and the name of the view's own axis."""
    if x is None and view.axis is not None:
        values = np.asarray(view.axis.values, dtype=float)
        scale = ruler(values[0], values[-1], view.axis.floor)
        return values, scale, view.axis.name
    values = np.asarray(view.frame_t if x is None else x, dtype=float)
    return values, ruler(values[0], values[-1], whole=are_whole(values)), ""


def role_colour(theme: Theme, role: str) -> str:
    """Colour of a meaning: "accent", "class3", ...; ink where there is none."""
    if found := re.fullmatch(r"class(\d+)", role):
        return theme.class_colour(int(found[1]))
    colour = getattr(theme, role, None)
    return colour if str(colour).startswith("#") else theme.ink


def widest(texts) -> float:
    return max((width_of(text, TEXT) for text in texts), default=0.0)


def draw_rows(sheet: Sheet, plot: Plot, ticks, theme: Theme) -> None:
    """Lines across the plot with their numbers: (share, text)."""
    for share, text in ticks:
        y = plot.y(share)
        sheet.line([plot.left, plot.right], [y, y], theme.line, 1)
        sheet.text(plot.left - 8, y + 5, text, TEXT, theme.soft, align="right")


def draw_abscissa(sheet: Sheet, plot: Plot, name: str, theme: Theme) -> float:
    """Numbers below a plot, as many as fit, and the name of the axis.

    A long name has rows of its own. Returns the height used.
    """
    rows = wrapped(name, plot.width / 2, TEXT) or [""]
    beside = len(rows) == 1
    base, free = plot.bottom + 19, -np.inf
    end = plot.right - (width_of(rows[0], TEXT) + 16 if beside else 0)
    apart = 50 if plot.across.floor else 80
    for value, text in plot.across.ticks(plot.width / apart):
        x, half = plot.x(value), width_of(text, TEXT) / 2
        if x - half >= free and x < end:
            sheet.text(x, base, text, TEXT, theme.soft, align="center")
            free = x + half + 6
    rows = rows if beside else ["", *wrapped(name, plot.width, TEXT)]
    for i, row in enumerate(rows):
        y = base + row_height(TEXT) * i
        sheet.text(plot.right, y, row, TEXT, theme.soft, align="right")
    return 10 + row_height(TEXT) * len(rows)


def draw_values(
    sheet: Sheet, plot: Plot, xs, values, shares, colour, width, **how
) -> None:
    """A line through values, broken where one is missing and at jumps of the abscissa.

    What is straight between two values is drawn as a logarithmic axis bends it.

    Parameters
    ----------
    shares : callable
        From values to [0, 1], NaN where there is no place for one.
    """
    breaks = how.pop("breaks", False)
    xs, values = np.asarray(xs, dtype=float), np.asarray(values, dtype=float)
    if plot.across.floor:
        xs, values = _bent(plot, xs, values)
    places = plot.x(xs), plot.y(shares(values))
    jumps = np.flatnonzero(np.diff(xs) == 0) + 1 if breaks else []
    line = np.insert(np.column_stack(places), jumps, np.nan, axis=0)
    sheet.line(*line.T, colour, width, clip=plot.clip(), **how)
    for i in jumps:
        xy = [part[i - 1 : i + 1] for part in places]
        sheet.line(*xy, colour, 1.2, dash=(2, 3), clip=plot.clip())


def _bent(plot: Plot, xs, values):
    """More places between the given ones, evenly apart on the sheet."""
    dense_x, dense = [xs[:1]], [values[:1]]
    share = plot.across.share(xs)
    for i in range(len(xs) - 1):
        pieces = max(1, int(np.ceil((share[i + 1] - share[i]) * plot.width / BEND)))
        between = np.linspace(share[i], share[i + 1], pieces + 1)[1:]
        x = np.append(plot.across.value(between[:-1]), xs[i + 1])
        span = xs[i + 1] - xs[i]
        part = (x - xs[i]) / span if span > 0 else np.ones(len(x))
        dense_x.append(x)
        dense.append(values[i] + part * (values[i + 1] - values[i]))
    return np.concatenate(dense_x), np.concatenate(dense)
