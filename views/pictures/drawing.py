"""A frame of a view as a picture: what can be drawn, in which sizes and colours."""

from __future__ import annotations

from numbers import Real

from halfmoon.stage.panels.base import Panel
from halfmoon.stage.view import StageView
from halfmoon.views.pictures.curves import draw_curves
from halfmoon.views.pictures.losses import draw_losses
from halfmoon.views.pictures.others import draw_heat, draw_searches
from halfmoon.views.pictures.page import page
from halfmoon.views.pictures.sheet import Sheet, matplotlib_alone
from halfmoon.views.pictures.stage import stage_page
from ssl_core.viz.theme import DARK, LIGHT, Theme

KINDS = ("png", "svg", "pdf")
THEMES = {"light": LIGHT, "dark": DARK}
STAGE = "stage"
SIZES = {True: (720.0, 540.0), False: (640.0, 280.0)}  # of a stage, of a panel's plot
LEAST, MOST = 120, 4000  # of a width or a height
# How panels of a kind are drawn; others cannot be.
PANELS = {
    "curves": draw_curves,
    "norms": draw_curves,
    "loss": draw_losses,
    "search": draw_searches,
    "heat": draw_heat,
}


def picture(
    view: StageView,
    kind: str,
    *,
    frame: int | None = None,
    what: str = STAGE,
    theme: str = "light",
    caption: bool = True,
    size: tuple[float, float] | None = None,
) -> bytes:
    """The stage, or one panel of it, as a file.

    Parameters
    ----------
    view : StageView
    kind : {"png", "svg", "pdf"}
        In SVG and PDF text stays text and lines stay lines.
    frame : int, optional
        Default is the last one.
    what : str
        "stage", or the title of a panel of the view.
    theme : {"light", "dark"}
    caption : bool
        Whether data, algorithm, parameters and version stand below.
    size : (float, float), optional
        Width and height of the stage, or of a panel's plot, in pixels of a screen; a
        PNG has twice as many.

    Returns
    -------
    bytes
        The same every time.
    """
    check_one_of("kind", kind, KINDS)
    with matplotlib_alone():
        sheet = sheet_of(
            view, frame, what=what, theme=theme, caption=caption, size=size
        )
        return sheet.written(kind)


def drawable(view: StageView) -> list[str]:
    """What of a view can be drawn in a file: the stage, and its panels by title."""
    return [STAGE, *(panel.title for panel in view.panels if panel.kind in PANELS)]


def sheet_of(
    view: StageView,
    frame: int | None = None,
    *,
    what: str = STAGE,
    theme: str = "light",
    caption: bool = True,
    size=None,
    room_for=(),
) -> Sheet:
    """The page of a picture; the parameters are those of `picture`, and of `page`."""
    frame = _frame(view, frame)
    colours = THEMES[check_one_of("theme", theme, tuple(THEMES))]
    size = _size(size, SIZES[what == STAGE])
    if what == STAGE:
        return stage_page(
            view, frame, colours, size=size, about=caption, room_for=room_for
        )
    return _panel_page(view, _panel(view, what), frame, colours, size, caption)


def _panel_page(view, panel: Panel, frame: int, theme: Theme, size, about) -> Sheet:
    def draw(sheet):
        return PANELS[panel.kind](sheet, panel, view, frame, theme, size)

    return page(
        view, frame, theme, title=panel.title, draw=draw, width=size[0], about=about
    )


def _panel(view: StageView, title: str) -> Panel:
    for panel in view.panels:
        if panel.title == title and panel.kind not in PANELS:
            raise ValueError(
                f"what must be something that can be drawn in a file; {title!r} is a "
                f"panel of the kind {panel.kind!r}, which only the app draws."
            )
        if panel.title == title:
            return panel
    allowed = ", ".join(map(repr, drawable(view)))
    raise ValueError(f"what must be one of {allowed}, got {title!r}.")


def _frame(view: StageView, frame: int | None) -> int:
    last = view.n_frames - 1
    if frame is None:
        return last
    if isinstance(frame, bool) or int(frame) != frame or not 0 <= frame <= last:
        raise ValueError(f"frame must be a whole number from 0 to {last}, got {frame}.")
    return int(frame)


def _size(size, default) -> tuple[float, float]:
    if size is None:
        return default
    try:
        width, height = size
        fits = all(isinstance(v, Real) and LEAST <= v <= MOST for v in (width, height))
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise ValueError(
            f"size must be a width and a height from {LEAST} to {MOST:,} pixels, got "
            f"{size!r}."
        )
    return float(width), float(height)


def check_one_of(name: str, value, allowed):
    """The value, which must be one of a few."""
    if value not in allowed:
        names = ", ".join(map(repr, allowed))
        raise ValueError(f"{name} must be one of {names}, got {value!r}.")
    return value
