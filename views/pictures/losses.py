"""A panel of losses, with all points standing on them: ``stage/js/loss.js``."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from halfmoon.stage.panels.loss import Losses
from halfmoon.stage.view import StageView
from halfmoon.views.pictures.legend import Sample, draw_legend
from halfmoon.views.pictures.plot import TEXT, Plot, draw_abscissa, draw_rows, widest
from halfmoon.views.pictures.points import guesses, mark, marked, ring
from halfmoon.views.pictures.scales import nice_ticks, ruler
from halfmoon.views.pictures.sheet import Sheet
from ssl_core.numerals import number, tick_texts
from ssl_core.viz.theme import Theme, mix

SAMPLE = 18
DOTS = ((300, 4.2), (1500, 3.2), (np.inf, 2.4))  # points, radius of their dots
PALE = 0.6  # beliefs less sure than this have an outline


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
