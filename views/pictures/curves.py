"""A panel of curves: ``stage/js/curves.js``, without an earlier run."""

from __future__ import annotations

import math

import numpy as np

from halfmoon.stage.panels.curves import Curves, Series
from halfmoon.stage.panels.stopping import Norms
from halfmoon.stage.view import StageView
from halfmoon.views.pictures.legend import Sample, draw_legend
from halfmoon.views.pictures.plot import (
    CURSOR,
    Plot,
    draw_abscissa,
    draw_rows,
    draw_values,
    frames_axis,
    role_colour,
    widest,
)
from halfmoon.views.pictures.points import mark, ring
from halfmoon.views.pictures.scales import NEAR, multiples, nice_step
from halfmoon.views.pictures.sheet import Sheet
from ssl_core.numerals import number, rate, tick_texts
from ssl_core.viz.theme import Theme

DASHES = ((), (9, 4), (2, 4), (11, 4, 2, 4), (5, 3))  # told apart without colours, too
FEW_LINES = 20  # of a bundle, which may be thicker
TICK = 30  # units of height for each
SAMPLE = 18


def draw_curves(
    sheet: Sheet, panel: Curves, view: StageView, frame: int, theme: Theme, size
) -> float:
    """Draw a panel and its legend; the plot has the size. Returns the height used."""
    width, height = size
    left, above = sheet.origin
    top = draw_legend(sheet, _legend(panel, frame, theme), width, theme) + 12
    sheet.move(left, above)
    xs, across, name = frames_axis(view, panel.x)
    ticks, shares = ordinate(panel, max(1, height // TICK))
    room = widest(text for _, text in ticks) + 10
    plot = Plot(room, top, width - room - 8, height, across)
    draw_rows(sheet, plot, ticks, theme)
    if across.floor:
        x = plot.x(across.floor)
        sheet.line([x, x], [plot.top, plot.bottom], theme.line, 1)
    below = draw_abscissa(sheet, plot, name or panel.x_name, theme)
    for a, b in plot.x(np.reshape(panel.shaded, (-1, 2))):
        wide = max(2, b - a)
        sheet.rectangle(a, plot.top, wide, plot.height, theme.good, alpha=0.16)
    breaks = panel.x is None and view.axis is not None
    for bundle in panel.bundles:
        lines = np.asarray(bundle.values, dtype=float).T
        colour = role_colour(theme, bundle.role)
        alpha = min(0.9, max(0.3, 6 / math.sqrt(len(lines) + 1)))
        thick = 1.6 if len(lines) <= FEW_LINES else 1
        for line in lines:
            how = {"alpha": alpha, "breaks": breaks}
            draw_values(sheet, plot, xs, line, shares, colour, thick, **how)
    for j, series in enumerate(panel.series):
        _draw_series(sheet, plot, series, j, xs, shares, theme, breaks)
    _draw_thresholds(sheet, plot, panel, view, shares, theme)
    _draw_cursor(sheet, plot, panel, frame, xs, shares, theme)
    return top + height + below


def _legend(panel: Curves, frame: int, theme: Theme) -> list[Sample]:
    """The names of all lines, with the values at this frame."""
    written = rate if panel.percent else number
    entries = []
    for j, series in enumerate(panel.series):
        colour, dash = role_colour(theme, series.role), DASHES[j % len(DASHES)]
        text = f"{series.name} {written(series.values[frame])}"
        entries.append(Sample(text, SAMPLE, _swatch(series.dots, colour, dash, theme)))
    for bundle in panel.bundles:
        if np.shape(bundle.values)[1]:
            colour = role_colour(theme, bundle.role)
            entries.append(Sample(bundle.name, SAMPLE, _stroke(colour, 1.5)))
    if panel.shaded and panel.shaded_name:
        entries.append(Sample(panel.shaded_name, SAMPLE, _block(theme.good, 0.3)))
    return entries


def _swatch(dots: bool, colour: str, dash, theme: Theme):
    if dots:
        dot = list(mark(0, 0, theme, -1, 4, colour, 0, colour))
        return lambda sheet: sheet.outlines(dot)
    return _stroke(colour, 3, [0.8 * length for length in dash])


def _stroke(colour: str, width: float, dash=()):
    return lambda sheet: sheet.line([-9, 9], [0, 0], colour, width, dash=dash)


def _block(colour: str, alpha: float):
    return lambda sheet: sheet.rectangle(-8, -6, 16, 12, colour, alpha=alpha)


def _draw_series(sheet, plot, series: Series, j, xs, shares, theme, breaks) -> None:
    xs, values = series.trail or (xs, series.values)
    colour = role_colour(theme, series.role)
    if series.dots:
        ys = plot.y(shares(np.asarray(values, dtype=float)))
        shapes = []
        for x, y in zip(plot.x(xs), ys, strict=True):
            if np.isfinite(y):
                shapes += mark(x, y, theme, -1, 4, colour, 0, colour)
        sheet.outlines(shapes, clip=plot.clip())
    else:
        dash = DASHES[j % len(DASHES)]
        how = {"dash": dash, "breaks": breaks and not series.trail}
        draw_values(sheet, plot, xs, values, shares, colour, 2.2, **how)


def _draw_thresholds(sheet, plot, panel, view, shares, theme) -> None:
    """The lines that stopping rules wait for, where the view has their numbers."""
    if not isinstance(panel, Norms):
        return
    exponents, roles = dict(view.numbers), {s.name: s.role for s in panel.series}
    for rule, series in (panel.thresholds or {}).items():
        if rule in exponents:
            y = plot.y(shares(np.array(10.0 ** exponents[rule])))
            colour = role_colour(theme, roles.get(series, "ink"))
            ends = [plot.left, plot.right], [y, y]
            how = {"dash": (3, 4), "alpha": 0.75, "clip": plot.clip()}
            sheet.line(*ends, colour, 1.3, **how)


def _draw_cursor(sheet, plot, panel, frame, xs, shares, theme) -> None:
    """A line at the frame and dots on the curves."""
    x = plot.x(xs[frame])
    sheet.line([x, x], [plot.top - 4, plot.bottom], theme.ink, 1.4, dash=CURSOR)
    for series in panel.series:
        share = float(shares(np.asarray(series.values[frame], dtype=float)))
        if series.dots or not share >= 0:
            continue
        colour, y = role_colour(theme, series.role), plot.y(share)
        sheet.outlines([*mark(x, y, theme, -1, 4.5, colour, 0, colour)])
        sheet.outlines([*ring(x, y, 4.5, theme.background, 1.5)])


def ordinate(panel: Curves, count: int):
    """Ticks of a panel, (share, text), and the way from values to [0, 1]."""
    low, high, whole = _limits(panel)
    if panel.log:
        return _logarithmic(low, high, count)
    if panel.percent:
        low, high = 0.0, max(high, 0.01)
    if low == high:
        if whole:
            low, high = (low - 1 if low > 0 else low), low + 1
        else:
            low, high = low - 0.5 * abs(low), high + 0.5 * abs(high)
    step = nice_step(low, high, count, whole)
    first = math.floor(low / step + NEAR)
    last = max(first + 1, math.ceil(high / step - NEAR))
    values = np.array(multiples(first, last, step))
    bottom, span = first * step, (last - first) * step
    if panel.percent:
        texts = [f"{text} %" for text in tick_texts([*(100 * values)])]
    else:
        texts = tick_texts([*values])
    ticks = list(zip((values - bottom) / span, texts, strict=True))
    return ticks, lambda v: (v - bottom) / span


def _limits(panel: Curves) -> tuple[float, float, bool]:
    """The least and the largest value shown, and whether all are whole numbers."""
    rows = [np.ravel(np.asarray(s.values, dtype=float)) for s in panel.series]
    rows += [np.asarray(s.trail[1], dtype=float) for s in panel.series if s.trail]
    rows += [np.ravel(np.asarray(b.values, dtype=float)) for b in panel.bundles]
    floor = panel.floor if isinstance(panel, Norms) else 0.0
    values = np.concatenate([*rows, [floor] if floor else []])
    values = values[np.isfinite(values)]
    if panel.log:
        values = values[values > 0]
    if floor:
        values = values[values >= floor]
    if not len(values):
        return (0.1 if panel.log else 0.0), 1.0, False
    whole = not panel.percent and not panel.bundles
    whole = whole and bool((values == np.floor(values)).all())
    return float(values.min()), float(values.max()), whole


def _logarithmic(low: float, high: float, count: int):
    a = math.floor(math.log10(low) + 1e-6)
    b = math.ceil(math.log10(high) - 1e-6)
    b += a == b
    step = max(1, math.ceil((b - a) / count))
    tens = range(b, a - 1, -step)
    ticks = [((e - a) / (b - a), number(float(f"1e{e}"))) for e in tens]

    def shares(v):
        v = np.asarray(v, dtype=float)
        size = np.log10(v, out=np.full(v.shape, np.nan), where=v > 0)
        return (size - a) / (b - a)

    return ticks, shares
