"""Panels of line searches and heat maps: ``stage/js/search.js`` and ``heat.js``."""

from __future__ import annotations

import numpy as np

from halfmoon.stage.panels.heat import Heat
from halfmoon.stage.panels.search import Searches
from halfmoon.stage.view import StageView
from halfmoon.views.pictures.legend import Sample, draw_legend
from halfmoon.views.pictures.page import row_height
from halfmoon.views.pictures.plot import (
    CURSOR,
    TEXT,
    Plot,
    draw_abscissa,
    frames_axis,
    role_colour,
)
from halfmoon.views.pictures.points import mark
from halfmoon.views.pictures.scales import ruler
from halfmoon.views.pictures.sheet import Sheet, width_of, wrapped
from ssl_core.numerals import number
from ssl_core.viz.theme import Theme, rgb

SAMPLE = 18
ROW_TEXT, LONGEST_ROW = 13, 160


# -- line searches -------------------------------------------------------------


def draw_searches(
    sheet: Sheet, panel: Searches, view: StageView, frame: int, theme: Theme, size
) -> float:
    """psi(s) of this step: piecewise linear, break points as dots, zero at s*."""
    width, height = size
    search = panel.searches[frame]
    if search is None:
        sheet.text(0, 16, "No line search at this step.", TEXT, theme.soft)
        return row_height(TEXT)
    s, psi = np.asarray(search.s, float), np.asarray(search.psi, float)
    star = float(search.s_star)
    low, high = min(0.0, psi.min()), max(0.0, psi.max())
    first, last = min(s[0], star), max(s[-1], star)
    plot = Plot(44, 8, width - 60, height, ruler(first, last))

    def shares(v):
        return (v - low) / ((high - low) or 1.0)

    zero = float(plot.y(shares(0.0)))
    sheet.line([plot.left, plot.right], [zero, zero], theme.muted, 1)
    sheet.text(0, plot.top + 12, "ψ(s)", TEXT, theme.soft)
    sheet.text(plot.left - 8, zero + 5, "0", TEXT, theme.soft, align="right")
    base = plot.bottom + 20
    sheet.text(plot.left, base, number(first), TEXT, theme.soft)
    end = f"s = {number(last)}"
    sheet.text(plot.right, base, end, TEXT, theme.soft, align="right")
    xs, ys = plot.x(s), plot.y(shares(psi))
    sheet.line(xs, ys, theme.accent, 2.2, round=True)
    shapes = []
    if len(s) <= 40:
        for x, y in zip(xs[1:-1], ys[1:-1], strict=True):
            shapes += mark(x, y, theme, -1, 3.2, "none", 0, theme.accent)
    x = float(plot.x(star))
    shapes += mark(x, zero, theme, -1, 6, "none", 0, theme.ink)
    sheet.outlines(shapes)
    late = x > plot.left + 0.6 * plot.width
    place, side = (x - 10, zero - 8) if late else (x + 10, zero + 19), ("left", "right")
    text = f"s* = {number(star)}"
    sheet.text(*place, text, TEXT, theme.ink, align=side[late])
    return height + 8 + 10 + row_height(TEXT)


# -- heat maps -----------------------------------------------------------------


def draw_heat(
    sheet: Sheet, panel: Heat, view: StageView, frame: int, theme: Theme, size
) -> float:
    """Rows of numbers between two meanings, a column for each frame."""
    width, height = size
    left, above = sheet.origin
    ends = [role_colour(theme, role) for role in panel.roles]
    shades = zip(
        (ends[0], theme.background, ends[1]),
        (panel.ends[0], panel.middle, panel.ends[1]),
        strict=True,
    )
    entries = [Sample(text, SAMPLE, _shade(c, theme)) for c, text in shades if text]
    top = draw_legend(sheet, entries, width, theme) + 8
    sheet.move(left, above)
    xs, across, name = frames_axis(view)
    name = name or "iteration"
    named = max((width_of(row, ROW_TEXT) for row in panel.rows), default=0)
    room = min(LONGEST_ROW, named) + 10 if panel.rows else 2
    plot = Plot(room, top, width - room - 8, height, across)
    values = np.asarray(panel.values, dtype=float)
    values = np.where(np.isfinite(values), values, 0.5).T
    at = plot.x(xs)
    pixels = np.arange(round(2 * plot.width)) / 2 + 0.25 + plot.left
    column = np.searchsorted((at[1:] + at[:-1]) / 2, pixels)
    colours = _leaning(values[:, column], ends, theme.background)
    box = plot.clip(0)
    sheet.image(colours, box, clip=box, smooth=False)
    edges = (plot.left + 0.5, plot.top + 0.5, plot.width, plot.height)
    sheet.rectangle(*edges, "none", edge=theme.line)
    _name_rows(sheet, plot, panel.rows, theme)
    below = draw_abscissa(sheet, plot, name, theme)
    x = plot.x(xs[frame])
    for colour, thick, dash in ((theme.background, 4, ()), (theme.ink, 1.6, CURSOR)):
        sheet.line([x, x], [plot.top - 4, plot.bottom], colour, thick, dash=dash)
    return top + height + below


def _shade(colour: str, theme: Theme):
    return lambda sheet: sheet.rectangle(-8, -6, 16, 12, colour, edge=theme.muted)


def _leaning(values, ends, middle: str) -> np.ndarray:
    """Colours of numbers from 0, the first end, over one half to 1."""
    lean = (2 * values - 1)[..., None]
    background = np.array(rgb(middle), dtype=float)
    low, high = (np.array(rgb(end)) - background for end in ends)
    mixed = background + np.abs(lean) * np.where(lean < 0, low, high)
    return np.rint(mixed).astype(np.uint8)


def _name_rows(sheet, plot, rows, theme) -> None:
    """Names of the rows, as many as have room; long ones end in an ellipsis."""
    each = plot.height / max(1, len(rows))
    for i in range(0, len(rows), max(1, int(np.ceil((ROW_TEXT + 1) / each)))):
        first, *more = wrapped(rows[i], LONGEST_ROW - 12, ROW_TEXT) or [""]
        text = f"{first} …" if more else first
        y = plot.top + (i + 0.5) * each + 5
        sheet.text(plot.left - 8, y, text, ROW_TEXT, theme.soft, align="right")
