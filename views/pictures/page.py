"""What stands around a picture: its title above, the moment and its caption below."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from halfmoon.stage.view import StageView
from halfmoon.views.pictures.sheet import Sheet, wrapped
from ssl_core.numerals import number
from ssl_core.viz.theme import Theme

PAD = 24
TITLE, WORDS, SMALL = 24, 17, 13  # heights of type
GAP = 8
# Draws on a sheet from its origin on; returns the height used.
Draw = Callable[[Sheet], float]


def page(
    view: StageView,
    frame: int,
    theme: Theme,
    *,
    title: str,
    draw: Draw,
    width: float,
    left: float = 0,
    about: bool = True,
    room_for: Sequence[int] = (),
) -> Sheet:
    """A sheet with a title, a picture and what is said of this frame.

    Parameters
    ----------
    width : float
        Of the picture.
    left : float
        Room that it needs beside it.
    about : bool
        Whether data, algorithm, parameters and version stand below.
    room_for : sequence of int
        Frames whose sentences have room as well, so that a film has one height.
    """
    sheet = Sheet(width + left + 2 * PAD, theme.background)
    x, y = PAD + left, float(PAD)
    sheet.move(x, y)
    rows = wrapped(title, width, TITLE, bold=True)
    y += write(sheet, rows, TITLE, theme.ink, bold=True) + (GAP if rows else 0)
    sheet.move(x, y)
    y += draw(sheet) + GAP
    sheet.move(x, y)
    y += write(sheet, [moment(view, frame)], WORDS, theme.ink, bold=True)
    said = {i: wrapped(said_at(view, i), width, WORDS) for i in {frame, *room_for}}
    sheet.move(x, y)
    write(sheet, said[frame], WORDS, theme.ink)
    y += row_height(WORDS) * max(len(rows) for rows in said.values())
    if about and view.about:
        sheet.move(x, y + GAP)
        y += GAP + write(sheet, wrapped(view.about, width, SMALL), SMALL, theme.soft)
    sheet.cut(y + PAD)
    return sheet


def write(sheet: Sheet, rows, size: float, colour: str, *, bold=False) -> float:
    """Rows of text below each other; returns their height."""
    for i, row in enumerate(rows):
        base = row_height(size) * i + 1.1 * size
        sheet.text(0, base, row, size, colour, bold=bold)
    return row_height(size) * len(rows)


def row_height(size: float) -> int:
    return round(1.45 * size)


def moment(view: StageView, frame: int) -> str:
    """What is read beside the scrubber: "t = 12 of 80"."""
    if view.axis is not None:
        return f"{view.axis.name} = {number(view.axis.values[frame])}"
    t, last = (f"{round(view.frame_t[i]):,}" for i in (frame, -1))
    return f"t = {t} of {last}".replace("-", "−")


def said_at(view: StageView, frame: int) -> str:
    return view.captions[frame] if view.captions else ""
