"""Panels of losses, line searches and heat maps, as the stage draws them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from halfmoon.stage.panels.heat import Heat
from halfmoon.stage.panels.loss import Losses
from halfmoon.stage.panels.search import Searches
from halfmoon.stage.view import StageView
from halfmoon.views.pictures.legend import Sample, draw_legend
from halfmoon.views.pictures.page import row_height
from halfmoon.views.pictures.plot import (
    CURSOR,
    TEXT,
    Plot,
    draw_abscissa,
    draw_rows,
    frames_axis,
    role_colour,
    widest,
)
from halfmoon.views.pictures.points import guesses, mark, marked, ring
from halfmoon.views.pictures.scales import nice_ticks, ruler, tick_texts
from halfmoon.views.pictures.sheet import Sheet, width_of, wrapped
from ssl_core.numerals import number
from ssl_core.viz.theme import Theme, mix, rgb

SAMPLE = 18
DOTS = ((300, 4.2), (1500, 3.2), (np.inf, 2.4))  # points, radius of their dots
PALE = 0.6  # beliefs less sure than this have an outline
ROW_TEXT, LONGEST_ROW = 13, 160


# -- losses --------------------------------------------------------------------


def draw_losses(
    sheet: Sheet, panel: Losses, view: StageView, frame: int, theme: Theme, size
) -> float:
    """The loss of an unlabelled point, with all points on it."""
    width, height = size
    left, above = sheet.origin
    top = draw_legend(sheet, _loss_legend(panel, frame, theme), width, theme) + 8
    sheet.move(left, above)
    low, high = panel.limits
    values = nice_ticks(low, high, 4)
    texts = tick_texts(values)
    room = widest(texts) + 10
    outputs = np.asarray(panel.outputs, dtype=float)
    reach = float(outputs[-1])
    across = replace(ruler(-reach, reach), ticks=lambda _: _whole_numbers(reach))
    plot = Plot(room, top, width - room - 8, height, across)

    def shares(v):
        return (np.asarray(v, dtype=float) - low) / (high - low)

    draw_rows(sheet, plot, zip(shares(values), texts, strict=True), theme)
    below = draw_abscissa(sheet, plot, "output f", theme)
    for o in (-1, 0, 1):
        how = {"dash": (5, 4)} if o else {}
        x = plot.x(o)
        ends = [x, x], [plot.top, plot.bottom]
        sheet.line(*ends, theme.muted, 1 if o else 1.6, **how)

    def curve(values, colour, wide, dash=()):
        xy = plot.x(outputs), plot.y(shares(values))
        sheet.line(*xy, colour, wide, dash=dash, clip=plot.clip(2))

    for other in panel.others:
        curve(panel.curves[other], _faint(theme), 1.4)
    if panel.labelled is not None:
        curve(panel.labelled, theme.positive, 1.4, (2, 4))
        curve(np.flip(panel.labelled), theme.negative, 1.4, (2, 4))
    curve(panel.curves[frame], theme.warn, 3.4)
    _draw_dots(sheet, plot, panel, view, frame, theme, shares)
    return top + height + below


def _whole_numbers(reach: float) -> list[tuple[float, str]]:
    most = int(reach)
    return [(v, number(v)) for v in range(-most, most + 1)]


def _faint(theme: Theme) -> str:
    return mix(theme.background, theme.warn, 0.35)


def _loss_legend(panel: Losses, frame: int, theme: Theme) -> list[Sample]:
    def strokes(*lines):
        def paint(sheet):
            for i, (colour, width, dash) in enumerate(lines):
                y = 6 * i - 3 * (len(lines) - 1)
                sheet.line([-8, 8], [y, y], colour, width, dash=dash)

        return paint

    entries = [Sample(panel.notes[frame], SAMPLE, strokes((theme.warn, 3.4, ())))]
    if panel.others:
        paint = strokes((_faint(theme), 2, ()))
        entries.append(Sample("other iterations", SAMPLE, paint))
    if panel.labelled is not None:
        words = "labelled points" if panel.positive is None else "with either label"
        paint = strokes(*((theme.class_colour(c), 2, (3, 3)) for c in (0, 1)))
        entries.append(Sample(words, SAMPLE, paint))
    return entries


def _draw_dots(sheet, plot, panel, view, frame, theme, shares) -> None:
    """All points at their outputs; what lies beyond the picture is counted."""
    f = np.nan_to_num(np.asarray(view.f_per_frame[frame], dtype=float))
    given = np.asarray(view.given)
    outputs = np.asarray(panel.outputs, dtype=float)
    heights = np.interp(f, outputs, panel.curves[frame])
    lean = guesses(view, frame).astype(float)
    if panel.positive is not None:
        lean = np.asarray(panel.positive[frame], dtype=float)
        heights = np.interp(np.where(lean > 0, f, -f), outputs, panel.labelled)
    if panel.heights is not None:
        heights = np.asarray(panel.heights[frame], dtype=float)
    if view.p_per_frame is not None:
        lean = np.clip(np.nan_to_num(np.asarray(view.p_per_frame[frame])), 0, 1)
    shown = given < 0
    if panel.labelled is not None:
        own = np.interp(np.where(given > 0, f, -f), outputs, panel.labelled)
        heights, shown = np.where(given >= 0, own, heights), given > -2
    inside = np.abs(f) <= outputs[-1]
    seen = shown & inside & (heights <= panel.limits[1])
    r = next(r for most, r in DOTS if view.n_points <= most)
    x, y = plot.x(f), plot.y(shares(heights))
    shapes, tops = [], []
    for i in np.flatnonzero(seen):
        if given[i] >= 0:
            tops += mark(x[i], y[i], theme, given[i], r + 2, theme.ink, 1.6)
        else:
            share = 2 * lean[i] - 1
            colour = theme.positive if share >= 0 else theme.negative
            fill = mix(theme.background, colour, abs(share))
            rim = 0.8 if abs(share) < PALE else 0
            shapes += mark(x[i], y[i], theme, -1, r, theme.muted, rim, fill)
        if marked(view.struck_per_frame, frame, i):
            tops += ring(x[i], y[i], r + 5, theme.accent, 2.4)
    sheet.outlines(shapes + tops)
    left, right = ((shown & ~inside & (f * side > 0)).sum() for side in (-1, 1))
    base = plot.top + 14
    if left:
        sheet.text(plot.left + 6, base, f"‹ {left:,} more", TEXT, theme.soft)
    if right:
        place = plot.right - 6, base
        sheet.text(*place, f"{right:,} more ›", TEXT, theme.soft, align="right")


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
