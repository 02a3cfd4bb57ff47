"""Plotly figures of a trace, for notebooks: `Trace.plot` and `Trace.animate`.

They are drawn from the `StageView` that the stage shows of the trace. Where a trace
does not know its points, the curves of the run stand alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from halfmoon import stage
from halfmoon.stage.view import MAX_CLASSES
from halfmoon.views.about import about, headline, status
from halfmoon.views.curves import curves, tiles, with_trails
from halfmoon.views.drawn_view import animation, figure, theme_of
from halfmoon.views.shown_run import ShownRun, run_of
from halfmoon.views.stage_view import GRID, Budget, spread_frames, trace_view
from ssl_core.registry import algorithm_of
from ssl_core.trace import Trace
from ssl_core.viz.measures import labeled_mask
from ssl_core.viz.narrate import narrate

FINE = (160, 120)  # columns and rows of a single field
NO_CLASSES = ("", "")  # of a view without points


def plot(
    trace: Trace, t: int | None = None, *, theme="light", caption=True, **shown: Any
) -> go.Figure:
    """See `Trace.plot`."""
    theme_of(theme)
    view, frame = view_at(trace, t, **{"budget": Budget(grid=FINE), **shown})
    return figure(view, frame, theme=theme, caption=caption)


def view_at(trace: Trace, t: int | None, **shown: Any) -> tuple[stage.StageView, int]:
    """A view with a state of the trace in it, and which of its frames that is.

    Parameters
    ----------
    trace : Trace
    t : int or None
        Place of a state, negative from the end; the last one with its arrays when
        None.
    **shown
        As `trace_view` takes them.
    """
    there = _drawable(trace, shown)
    place = int(there[-1]) if t is None else trace.place(t)
    if place not in there:
        raise ValueError(
            f"t must be a state that kept its arrays, but that at {place} was recorded "
            f"thin; choose from trace.kept, or record with record_states='full'."
        )
    frames = np.unique([there[0], place, there[-1]])
    return _view(trace, frames, **shown), int(np.searchsorted(frames, place))


def animate(
    trace: Trace, *, theme="light", max_frames=100, caption=True, **shown: Any
) -> go.Figure:
    """See `Trace.animate`."""
    theme_of(theme)
    if not isinstance(max_frames, int | np.integer) or max_frames < 2:
        raise ValueError(f"max_frames must be an integer >= 2, got {max_frames!r}.")
    frames = spread_frames(trace, _drawable(trace, shown), max_frames)
    view = _view(trace, frames, **{"budget": Budget(grid=GRID), **shown})
    return animation(view, theme=theme, caption=caption)


def _drawable(trace: Trace, shown) -> np.ndarray:
    """States that can be drawn: all of them where curves stand alone."""
    return trace.kept if _has_points(trace, shown) else np.arange(len(trace))


def _has_points(trace: Trace, shown) -> bool:
    placed = trace.X is not None or shown.get("points") is not None
    few = len(trace.classes) <= MAX_CLASSES
    return placed and few and trace.y is not None and len(trace.kept) > 0


def _view(trace: Trace, frames, **shown: Any) -> stage.StageView:
    if _has_points(trace, shown):
        return trace_view(trace, frames=frames, **shown)
    return _curves_view(trace, frames, **shown)


def _curves_view(
    trace: Trace,
    frames,
    *,
    truth=None,
    class_names=None,
    data="",
    title="",
    name="",
    points=None,
    axis_names=None,
    budget=None,
) -> stage.StageView:
    """The curves of a run; what `trace_view` is told of points is of no use here."""
    known = trace.y is not None
    if truth is None:
        run = ShownRun(trace, algorithm_of(trace), NO_CLASSES, np.arange(2))
    elif known:
        run, _ = run_of(trace, truth, class_names)
    else:
        raise ValueError("truth needs a trace that has the labels of its run, y.")
    labels = int(labeled_mask(trace).sum()) if known else 0
    return stage.StageView(
        points=np.empty((0, 2)),
        given=np.empty(0, dtype=int),
        class_names=NO_CLASSES,
        extent=(0.0, 1.0, 0.0, 1.0),
        frame_t=np.array([trace.states[i].t for i in frames]),
        captions=tuple(narrate(trace, int(i), run.truth) for i in frames if known),
        tiles=tiles(run, frames),
        panels=with_trails(curves(run, frames), run, len(frames)),
        title=title or (headline(labels, len(trace.y) - labels) if known else ""),
        status=status(trace),
        name=name,
        about=about(run, data) if known else "",
    )
