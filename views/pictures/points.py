"""The points of a stage: shapes, colours and rings of ``stage/js/points.js``."""

from __future__ import annotations

from functools import cache

import numpy as np

from halfmoon.stage.view import StageView
from ssl_core.viz.theme import Theme, mix

SHAPES = ("square", "circle", "up", "diamond", "down", "star", "pentagon", "plus")
SHAPES = (*SHAPES, "hexagon", "cross")
CORNERS = {  # number, turn
    "square": (4, np.pi / 4),
    "up": (3, 0),
    "diamond": (4, 0),
    "down": (3, np.pi),
    "star": (10, 0),
    "pentagon": (5, 0),
    "hexagon": (6, 0),
}
SIZES = {"square": 1.2, "up": 1.38, "down": 1.38, "diamond": 1.28, "star": 1.4}
SIZES |= {"pentagon": 1.12, "hexagon": 1.08}
HALO = 1.5  # width of the edge that sets a mark off from any field
DOUBTS = 8  # shades between a class and none
UNLABELLED = -1


@cache
def _outline(shape: str):
    """Outline of a mark around the origin, about the area of a disc of radius 1."""
    from matplotlib.path import Path
    from matplotlib.transforms import Affine2D

    if shape == "circle":
        return Path.circle()
    if shape in ("plus", "cross"):
        a, b = 1.1, 0.4
        arm = [(-b, -a), (b, -a), (b, -b)]
        turn = 45 if shape == "cross" else 0
        turns = (Affine2D().rotate_deg(turn + 90 * i) for i in range(4))
        corners = np.vstack([each.transform(arm) for each in turns])
        return Path(_closed(corners), closed=True)
    count, turn = CORNERS[shape]
    angle = turn - np.pi / 2 + 2 * np.pi * np.arange(count) / count
    reach = SIZES[shape] * np.where((shape == "star") & (np.arange(count) % 2), 0.45, 1)
    corners = np.column_stack([reach * np.cos(angle), reach * np.sin(angle)])
    return Path(_closed(corners), closed=True)


def _closed(corners):
    return np.vstack([corners, corners[:1]])


def shape_at(x: float, y: float, r: float, c: int = UNLABELLED):
    """Path of the mark of a class, or a circle."""
    from matplotlib.transforms import Affine2D

    path = _outline("circle" if c < 0 else SHAPES[c % len(SHAPES)])
    return path.transformed(Affine2D().scale(r).translate(x, y))


def mark(x, y, theme: Theme, c: int, r: float, edge: str, width: float, fill=None):
    """Shapes of one mark; classes from the eleventh on carry a hole."""
    own = theme.muted if c < 0 else theme.class_colour(c)
    yield shape_at(x, y, r, c), fill or own, edge if width else "none", width
    if c >= len(SHAPES):
        yield shape_at(x, y, 0.35 * r), theme.background, "none", 0


def ring(x: float, y: float, r: float, colour: str, width: float):
    yield shape_at(x, y, r), "none", colour, width


def cross(x: float, y: float, r: float, theme: Theme):
    from matplotlib.path import Path

    move, line = Path.MOVETO, Path.LINETO
    places = [(x - r, y - r), (x + r, y + r), (x + r, y - r), (x - r, y + r)]
    for colour, width in ((theme.background, 5), (theme.bad, 2.4)):
        yield Path(places, [move, line, move, line]), "none", colour, width


def toggled(view: StageView, name: str) -> bool:
    """Whether something is switched on, as it is when a view arrives."""
    if view.toggles is not None:
        return name in view.toggles
    bare = view.field is None and view.f_per_frame is not None
    return name == "predictions" and bare


def drawn_points(view, shown, places, frame: int, theme: Theme, width: float):
    """Shapes of all points, labelled ones on top.

    Parameters
    ----------
    shown : int ndarray
        Which points of the view are drawn.
    places : ndarray of shape (n, 2)
    width : float
        Of the plane, which says how large marks are.
    """
    given = np.asarray(view.given)
    small, large = _radii(len(shown), int((given[shown] >= 0).sum()), width)
    guessed = guesses(view, frame)
    predicting = guessed is not None and toggled(view, "predictions")
    doubt = doubts(view, frame, guessed) if predicting else np.zeros(len(given), int)
    wrong = _mistakes(view, guessed)
    for i in sorted(shown.tolist(), key=lambda i: given[i] >= 0):
        x, y = places[i]
        if given[i] >= 0:
            r = large
            yield from mark(x, y, theme, given[i], r + 1.6, theme.background, 3)
            yield from mark(x, y, theme, given[i], r, theme.ink, 2.4)
        elif not doubt[i]:
            c, r = (int(guessed[i]), small + 0.8) if predicting else (UNLABELLED, small)
            yield from mark(x, y, theme, c, r, theme.background, HALO)
        else:
            c, r = int(guessed[i]), small + 0.8
            fill = mix(theme.class_colour(c), theme.background, doubt[i] / DOUBTS)
            yield from mark(x, y, theme, c, r, theme.soft, 1.2, fill)
        if marked(view.marks_per_frame, frame, i):
            yield from ring(x, y, r + 5.5, theme.ink, 1.6)
        if marked(view.struck_per_frame, frame, i):
            c = _guess_given(view, frame, i)
            if c >= 0:
                yield from ring(x, y, r + 9, theme.background, 6)
            yield from ring(x, y, r + 9, struck_colour(theme, c), 3)
        if wrong[i]:
            yield from cross(x, y, r + 4, theme)


def _radii(n: int, labels: int, width: float) -> tuple[float, float]:
    """Of unlabelled and of labelled points: more of them are smaller."""
    fit = min(1.15, max(0.72, width / 700))
    small = fit * (2.8 if n > 1500 else 3.4 if n > 500 else 4.2)
    large = fit * (6 if labels > 80 else 7.5 if labels > 24 else 9.5)
    return np.floor(2 * small + 0.5) / 2, np.floor(2 * large + 0.5) / 2


def _mistakes(view: StageView, guessed) -> np.ndarray:
    """Which points are crossed out."""
    if guessed is None or view.truth is None or not toggled(view, "mistakes"):
        return np.zeros(view.n_points, dtype=bool)
    return (np.asarray(view.truth) >= 0) & (guessed != view.truth)


def guesses(view: StageView, frame: int) -> np.ndarray | None:
    """Predicted classes of all points."""
    if view.f_per_frame is None:
        return None
    f = np.nan_to_num(np.asarray(view.f_per_frame[frame], dtype=float))
    return f.argmax(axis=-1) if f.ndim == 2 else (f >= 0).astype(int)


def doubts(view: StageView, frame: int, guessed) -> np.ndarray:
    """How far each belief is from its class: 0 for a sure one, at most `DOUBTS`."""
    if view.p_per_frame is None:
        return np.zeros(len(guessed), dtype=int)
    p = np.clip(np.nan_to_num(np.asarray(view.p_per_frame[frame])), 0, 1)
    sure = np.maximum(0, 2 * np.where(guessed == 1, p, 1 - p) - 1)
    return np.floor(DOUBTS * (1 - sure) + 0.5).astype(int)


def marked(rows, frame: int, i: int) -> bool:
    return rows is not None and bool(rows[frame][i])


def _guess_given(view: StageView, frame: int, i: int) -> int:
    if view.guess_per_frame is None or view.given[i] >= 0:
        return -1
    return int(bool(view.guess_per_frame[frame][i]))


def struck_colour(theme: Theme, c: int) -> str:
    return theme.class_colour(c) if c >= 0 else theme.accent


def edge_lines(view: StageView, shown, places) -> dict[bool, np.ndarray]:
    """Edges of the graph as lines with gaps, by whether they join two true classes."""
    drawn = np.zeros(len(places), dtype=bool)
    drawn[shown] = True
    pairs = np.asarray(view.edges, dtype=int).reshape(-1, 2)
    pairs = pairs[drawn[pairs].all(axis=1)]
    apart = between_classes(view, pairs)
    gap = np.full((len(pairs), 1, 2), np.nan)
    lines = np.concatenate([places[pairs], gap], axis=1)
    return {side: lines[apart == side].reshape(-1, 2) for side in (False, True)}


def between_classes(view: StageView, pairs: np.ndarray) -> np.ndarray:
    if view.truth is None:
        return np.zeros(len(pairs), dtype=bool)
    one, other = np.asarray(view.truth)[pairs].T
    return (one >= 0) & (other >= 0) & (one != other)
