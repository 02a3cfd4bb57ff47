"""What marks and lines mean, below a picture of the stage: ``stage/js/legend.js``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from halfmoon.stage.view import StageView
from halfmoon.views.pictures.points import (
    UNLABELLED,
    between_classes,
    mark,
    ring,
    struck_colour,
    toggled,
)
from halfmoon.views.pictures.sheet import Sheet, width_of, wrapped
from ssl_core.viz.theme import Theme

TEXT = 14
LINE, MARK = 30, 20  # widths of line and mark samples
ROW, GAP = 24, 20


@dataclass(frozen=True)
class Sample:
    """An entry: its text, and what is painted around the origin."""

    text: str
    width: float
    paint: Callable[[Sheet], None]


def samples(view: StageView, theme: Theme) -> list[Sample]:
    """The entries of a legend, in order."""
    return [*_of_points(view, theme), *_of_lines(view, theme)]


def _shapes(text: str, width: float, *shapes) -> Sample:
    made = [shape for some in shapes for shape in some]
    return Sample(text, width, lambda sheet: sheet.outlines(made))


def _strokes(text: str, *strokes) -> Sample:
    """Lines under each other: colour, width, dash."""

    def paint(sheet):
        for i, (colour, width, dash) in enumerate(strokes):
            y = 6 * i - 3 * (len(strokes) - 1)
            sheet.line([-14, 14], [y, y], colour, width, dash=dash)

    return Sample(text, LINE, paint)


def _of_points(view: StageView, theme: Theme) -> Iterator[Sample]:
    names, rim = view.class_names, theme.background
    for c, name in enumerate(names):
        yield _shapes(name, MARK, mark(0, 0, theme, c, 6, theme.ink, 2))
    if toggled(view, "predictions"):
        text = "small: predicted"
        text += ", paler if uncertain" if view.p_per_frame is not None else ""
        pair = [mark(14 * c - 7, 0, theme, c, 4, rim, 0) for c in (0, 1)]
        yield _shapes(text, LINE, *pair)
    else:
        yield _shapes("unlabelled", MARK, mark(0, 0, theme, UNLABELLED, 4.5, rim, 0))

    def ringed(text, colour, width):
        dot = mark(0, 0, theme, UNLABELLED, 4, rim, 0)
        return _shapes(text, MARK, dot, ring(0, 0, 8.5, colour, width))

    if view.marks_per_frame is not None:
        yield ringed(view.marks_name, theme.ink, 1.6)
    if view.struck_per_frame is not None:
        if view.guess_per_frame is None:
            yield ringed(view.struck_name, theme.accent, 3)
        else:
            for c, name in enumerate(names):
                text = f"{view.struck_name}, label {name} now"
                yield ringed(text, struck_colour(theme, c), 3)


def _of_lines(view: StageView, theme: Theme) -> Iterator[Sample]:
    if view.field is not None:
        many = len(view.class_names) > 2
        name = "border between classes" if many else "boundary, f = 0"
        yield _strokes(f"{name} (pale: separates no points)", (theme.ink, 2.6, ()))
        shown = margins(view)
        if shown:
            text = "±1" if len(shown) > 1 else "1" if shown[0] > 0 else "−1"
            ends = [theme.class_colour(int(m > 0)) for m in shown]
            dashed = [(colour, 1.8, (6, 4)) for colour in ends]
            yield _strokes(f"margin, f = {text}", *dashed)
    if view.edges is not None and toggled(view, "graph"):
        pairs = np.asarray(view.edges, dtype=int).reshape(-1, 2)
        yield _strokes(f"{len(pairs):,} edges of the graph", (theme.soft, 1, ()))
        if view.truth is not None:
            between = int(between_classes(view, pairs).sum())
            yield _strokes(f"{between:,} between the classes", (theme.bad, 2, ()))
    if view.ghost is not None:
        yield _strokes(view.ghost.name, (theme.soft, 2.4, (2, 5)))


def margins(view: StageView) -> list[int]:
    """Which of the margins f = +1 and f = -1 some frame crosses."""
    if view.field is None or not view.margins or len(view.class_names) > 2:
        return []
    field = np.nan_to_num(view.field)
    return [m for m in (1, -1) if field.min() < m <= field.max()]


def draw_legend(sheet: Sheet, entries, width: float, theme: Theme) -> float:
    """Draw entries in rows; returns the height used."""
    left, top = sheet.origin
    x = y = 0.0
    for entry in entries:
        rows = wrapped(entry.text, width - entry.width - 6, TEXT)
        taken = entry.width + 6 + max((width_of(row, TEXT) for row in rows), default=0)
        if x and x + taken > width:
            x, y = 0.0, y + ROW
        sheet.move(left + x + entry.width / 2, top + y + ROW / 2)
        entry.paint(sheet)
        sheet.move(left + x, top + y)
        for i, row in enumerate(rows):
            sheet.text(entry.width + 6, ROW * i + 17, row, TEXT, theme.soft)
        x, y = x + taken + GAP, y + ROW * (max(1, len(rows)) - 1)
    sheet.move(left, top)
    return y + ROW
