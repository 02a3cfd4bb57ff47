"""The stage at one frame: plane, field, lines, points, axes and legend."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from halfmoon.stage.pack import shown_points
from halfmoon.stage.view import StageView
from halfmoon.views.pictures.field import colours, fine_field, regions
from halfmoon.views.pictures.legend import draw_legend, margins, samples
from halfmoon.views.pictures.lines import by_opacity, class_borders, level_lines
from halfmoon.views.pictures.page import GAP, page, row_height, write
from halfmoon.views.pictures.points import drawn_points, edge_lines, toggled
from halfmoon.views.pictures.scales import nice_ticks
from halfmoon.views.pictures.sheet import Sheet, width_of, wrapped
from ssl_core.numerals import tick_texts
from ssl_core.viz.theme import Theme

LEFT, BOTTOM, EDGE = 46, 30, 6  # room around the plane, as in axes.js
TICK_TEXT = 14


@dataclass(frozen=True)
class PlaneBox:
    """The plane's box on the sheet, and where data lie in it."""

    extent: tuple[float, float, float, float]
    left: float
    top: float
    width: float
    height: float

    @property
    def box(self):
        return self.left, self.top, self.width, self.height

    def places(self, at: np.ndarray) -> np.ndarray:
        """Places of data, (n, 2), in pixels."""
        return self.from_share(self.shares(at))

    def shares(self, at: np.ndarray) -> np.ndarray:
        """The same in [0, 1], from the lower left corner."""
        x0, x1, y0, y1 = self.extent
        low = np.array([x0, y0])
        return (np.asarray(at, dtype=float).reshape(-1, 2) - low) / (x1 - x0, y1 - y0)

    def from_share(self, share: np.ndarray) -> np.ndarray:
        return (share * [1, -1] + [0, 1]) * [self.width, self.height] + self.box[:2]

    def from_grid(self, at: np.ndarray, shape) -> np.ndarray:
        return self.from_share(at / (shape[-1] - 1, shape[-2] - 1))


def plane_box(view: StageView, size: tuple[float, float]) -> PlaneBox:
    """The largest box of the extent's shape that leaves room for ticks."""
    w, h = size[0] - LEFT - EDGE, size[1] - EDGE - BOTTOM
    x0, x1, y0, y1 = view.extent
    aspect = (x1 - x0) / (y1 - y0)
    high = min(w / aspect, h)
    wide = high * aspect
    left, top = LEFT + (w - wide) / 2, EDGE + (h - high) / 2
    return PlaneBox(view.extent, left, top, wide, high)


def stage_page(
    view: StageView,
    frame: int,
    theme: Theme,
    *,
    size: tuple[float, float],
    about: bool = True,
    room_for=(),
) -> Sheet:
    """The stage of a frame with everything around it; see `page`."""
    box = plane_box(view, size)
    _, ticks = _ticks(view.extent[2:], box.height / 80)
    widest = max((width_of(text, TICK_TEXT) for text in ticks), default=0)

    def draw(sheet):
        top = _name_above(sheet, view, box, theme, size[0])
        left, above = sheet.origin
        sheet.move(left, above + top)
        draw_scene(sheet, view, frame, theme, box)
        below = _draw_axes(sheet, view, box, theme)
        y = top + size[1] + below + GAP
        sheet.move(left, above + y)
        y += draw_legend(sheet, samples(view, theme), size[0], theme)
        sheet.move(left, above + y)
        note = wrapped(_points_left_out(view), size[0], TICK_TEXT)
        return y + write(sheet, note, TICK_TEXT, theme.soft)

    return page(
        view,
        frame,
        theme,
        title=view.title,
        draw=draw,
        width=size[0],
        left=max(0, widest - box.left + 10),
        about=about,
        room_for=room_for,
    )


def _points_left_out(view: StageView) -> str:
    shown, n = len(shown_points(view)), view.n_points
    if shown == n:
        return ""
    return (
        f"{shown:,} of {n:,} points are drawn (all labelled ones and a random part); "
        "the run used all of them."
    )


def draw_scene(sheet: Sheet, view: StageView, frame: int, theme: Theme, box: PlaneBox):
    """What is inside the box of the plane."""
    if view.field is not None:
        _draw_field(sheet, view, frame, theme, box)
    shown, places = shown_points(view), box.places(view.points)
    if view.edges is not None and toggled(view, "graph"):
        lines = edge_lines(view, shown, places)
        _stroke(sheet, lines[False], theme.soft, 1, alpha=0.5, clip=box.box)
        _stroke(sheet, lines[True], theme.bad, 2, alpha=0.9, clip=box.box)
    shapes = drawn_points(view, shown, places, frame, theme, box.width)
    sheet.outlines(list(shapes), clip=box.box)


def _draw_field(sheet, view, frame, theme, box):
    field = fine_field(view.field[frame])
    shape = field.outputs.shape
    sheet.image(colours(field, theme), box.box, clip=box.box)
    how = {"clip": box.box, "round": True}
    _draw_ghost(sheet, view, theme, box)
    for margin in margins(view):
        colour = theme.class_colour(int(margin > 0))
        for line in level_lines(field.outputs, margin):
            xy = box.from_grid(line, shape)
            _stroke(sheet, xy, colour, 1.6, dash=(7, 6), **how)
    lines = class_borders(field) if field.many else level_lines(field.outputs, 0)
    points = np.asarray(view.points)[shown_points(view)]
    found = regions(field, box.shares(points))
    for opacity, line in by_opacity(field, lines, found).items():
        xy, width = box.from_grid(line, shape), 2 if field.many else 2.6
        _stroke(sheet, xy, theme.ink, width, alpha=opacity, **how)


def _draw_ghost(sheet, view, theme, box):
    """The boundary of an earlier run, dotted."""
    ghost = view.ghost
    if ghost is None or ghost.field is None:
        return
    field = fine_field(ghost.field)
    lines = class_borders(field) if field.many else level_lines(field.outputs, 0)
    x0, x1, y0, y1 = extent = ghost.extent or view.extent
    (left, top), (right, bottom) = box.places([[x0, y1], [x1, y0]])
    own = PlaneBox(extent, left, top, right - left, bottom - top)
    for line in lines:
        xy = own.from_grid(line, field.outputs.shape)
        how = {"dash": (2, 6), "round": True, "clip": box.box}
        _stroke(sheet, xy, theme.soft, 2.4, **how)


def _stroke(sheet, xy, colour, width, **how):
    if len(xy):
        sheet.line(*xy.T, colour, width, **how)


# -- axes ----------------------------------------------------------------------


def _ticks(limits, count):
    values = nice_ticks(*limits, max(3, count))
    return values, tick_texts(values)


def _name_above(sheet, view, box, theme, width) -> float:
    """A long name of the ordinate has rows of its own; returns their height."""
    name = view.axis_names[1]
    if _is_short(name, LEFT):
        return 0.0
    return write(sheet, wrapped(name, width, TICK_TEXT), TICK_TEXT, theme.soft)


def _is_short(name: str, room: float) -> bool:
    return width_of(name, TICK_TEXT) <= room


def _draw_axes(sheet, view, box, theme) -> float:
    """The edge of the plane, ticks and names; returns the height of a long name."""
    left, top, width, height = box.box
    right, bottom = left + width, top + height
    sheet.rectangle(
        left + 0.5, top + 0.5, width - 1, height - 1, "none", edge=theme.line
    )
    x_name, y_name = view.axis_names
    beside = _is_short(x_name, width / 2)
    free = right - (width_of(x_name, TICK_TEXT) + 18 if beside else 0)
    values, texts = _ticks(view.extent[:2], width / 100)
    x0, x1, y0, y1 = view.extent
    for value, text in zip(values, texts, strict=True):
        x = left + (value - x0) / (x1 - x0) * width
        sheet.line([x, x], [bottom, bottom + 4], theme.muted, 1)
        if x < free:
            sheet.text(x, bottom + 19, text, TICK_TEXT, theme.soft, align="center")
    values, texts = _ticks(view.extent[2:], height / 80)
    named = _is_short(y_name, LEFT)
    for value, text in zip(values, texts, strict=True):
        y = bottom - (value - y0) / (y1 - y0) * height
        sheet.line([left - 4, left], [y, y], theme.muted, 1)
        if y > top + (24 if named and y_name else 0):
            sheet.text(left - 8, y + 5, text, TICK_TEXT, theme.soft, align="right")
    if named:
        sheet.text(left - 8, top + 12, y_name, TICK_TEXT, theme.soft, align="right")
    rows = [x_name] if beside else wrapped(x_name, width, TICK_TEXT)
    below = 0.0 if beside else row_height(TICK_TEXT)
    for i, row in enumerate(rows):
        y = bottom + 19 + below + i * row_height(TICK_TEXT)
        sheet.text(right, y, row, TICK_TEXT, theme.soft, align="right")
    return 0.0 if beside else row_height(TICK_TEXT) * len(rows)
