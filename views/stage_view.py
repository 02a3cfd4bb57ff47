"""From a run to what the stage shows."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from halfmoon import stage
from halfmoon.common.lists import listed
from halfmoon.views.about import about, headline, status
from halfmoon.views.curves import curves, line_searches, tiles, with_trails
from halfmoon.views.graph import edges_of, graph_of
from halfmoon.views.lens import lens_panels
from halfmoon.views.plane import Picture, picture_of
from halfmoon.views.shown_run import ShownRun, run_of
from halfmoon.views.tree import trees
from ssl_core import Trace
from ssl_core.looks import look_of
from ssl_core.quantities import MARKS, PROBABILITY, with_role
from ssl_core.viz.fields import Extent, field_frames, fit_extent, thin_frames
from ssl_core.viz.measures import labeled_mask
from ssl_core.viz.narrate import narrate

GRID = (64, 48)  # columns and rows of the field, the shape of the stage
MAX_FRAMES = 120
PAYLOAD = 900_000  # bytes that fields and outputs may take, before they are packed
MAX_KEPT = 40  # frames kept for the sake of their events
PROJECTED = 0.06  # free space around points that are shown by a projection
# Panels of a run after its curves, in order: from the run, the numbers of the states
# that are shown, and these states, to panels; none where the run has nothing to show.
MORE_PANELS: list[Callable[..., Iterable[stage.Panel]]] = [
    lambda run, frames, states: line_searches(states),
    lambda run, frames, states: trees(run.trace, frames),
]


@dataclass(frozen=True)
class Budget:
    """How much of a run is sent: one stage may take more than one of four.

    Parameters
    ----------
    frames : int
    grid : (int, int)
        Columns and rows of the field.
    payload : int
        Bytes that fields and outputs may take together, before packing.
    """

    frames: int = MAX_FRAMES
    grid: tuple[int, int] = GRID
    payload: int = PAYLOAD


def trace_view(
    trace: Trace,
    *,
    truth: Sequence[Any] | None = None,
    class_names: Sequence[str] | None = None,
    points: np.ndarray | None = None,
    axis_names: tuple[str, str] | None = None,
    data: str = "",
    title: str = "",
    name: str = "",
    budget: Budget | None = None,
    frames: Sequence[int] | np.ndarray | None = None,
) -> stage.StageView:
    """What the stage shows of a trace.

    Parameters
    ----------
    trace : Trace
    truth : array-like of shape (n,), optional
        True classes of the training points; None or NaN where nobody knows. With them
        errors are shown.
    class_names : sequence of str, optional
        Of the trace's classes, in their order.
    points : ndarray of shape (n, 2), optional
        Where the points are drawn. By default two features as they are, with the
        decision field, and more by principal components.
    axis_names : (str, str), optional
    data : str
        What the points are called in captions.
    title : str
        Default are the numbers of labelled and unlabelled points.
    name : str
        What the run is called beside others.
    budget : Budget, optional
    frames : sequence of int, optional
        Which of ``trace.kept`` are shown, increasing; chosen by the budget when None.
    """
    if not len(trace.kept) or trace.y is None:
        raise ValueError(
            "trace must hold outputs of some state and the labels of its run, as "
            "est.trace(X, y) records them."
        )
    run, true = run_of(trace, truth, class_names)
    picture = picture_for(trace.X, points, trace.labels.shape[1])
    if axis_names is not None:
        names = tuple(map(str, listed(axis_names, "axis_names")))
        if len(names) != 2:
            raise ValueError(f"axis_names must be two, got {len(names)}: {names}.")
        picture = replace(picture, axis_names=names)
    view = whole_view(run, picture, true, data=data, budget=budget, frames=frames)
    return replace(view, title=title or view.title, name=name)


def whole_view(
    run: ShownRun,
    picture: Picture,
    true: np.ndarray | None = None,
    *,
    extent: Extent | None = None,
    data: str = "",
    budget: Budget | None = None,
    frames: Sequence[int] | None = None,
) -> stage.StageView:
    """A run with all that is known of it; nothing in it can be edited.

    Parameters
    ----------
    run : ShownRun
    picture : Picture
    true : ndarray of shape (n,), optional
        True classes as places in the run's names, -1 = unknown.
    extent : (x0, x1, y0, y1), optional
        Around the points when None.
    data, budget, frames
        As `trace_view` takes them.
    """
    trace = run.trace
    labels = int(labeled_mask(trace).sum())
    seen = extent or extent_of(picture)
    view = run_view(run, picture, seen, budget=budget, frames=frames)
    return replace(
        view,
        panels=with_trails(view.panels, run, view.n_frames),
        truth=true,
        edges=edges_of(graph_of(trace, run.entry)),
        title=headline(labels, len(trace.y) - labels),
        status=status(trace),
        tools=(),
        about=about(run, data),
        run_id=_digest(view),
    )


def extent_of(picture: Picture) -> Extent:
    """What is seen around the points of a picture."""
    margin = {} if picture.honest else {"margin": PROJECTED}
    return fit_extent(picture.points, **margin)


def picture_for(X, points, n: int) -> Picture:
    """Where ``n`` points are drawn: as ``points`` say, or as X has them."""
    if points is not None:
        try:
            points = np.asarray(points, dtype=float)
        except (TypeError, ValueError):
            raise ValueError(
                f"points must hold two numbers for each point, got {points!r:.60}."
            ) from None
        if points.shape != (n, 2) or not np.isfinite(points).all():
            raise ValueError(
                f"points must hold two finite numbers for each of the {n:,} training "
                f"points, got shape {points.shape}."
            )
        return Picture(points, ("", ""), honest=False)
    if X is None:
        raise ValueError(
            "points must be given for a trace of a precomputed kernel: two numbers "
            "for each training point, which say where it is drawn."
        )
    return picture_of(X)


def _digest(view: stage.StageView) -> str:
    """Tells one run from another."""
    mark = hashlib.blake2b(digest_size=12)
    for array in (view.points, view.given, view.frame_t, view.f_per_frame, view.field):
        mark.update(b"" if array is None else np.ascontiguousarray(array).tobytes())
    return mark.hexdigest()


def run_view(
    run: ShownRun,
    picture: Picture,
    extent: Extent,
    *,
    budget: Budget | None = None,
    frames=None,
) -> stage.StageView:
    """Everything the stage needs to play a run; ``frames`` are chosen where None.

    Parameters
    ----------
    run : ShownRun
    picture : Picture
        Where its training points are drawn.
    extent : (x0, x1, y0, y1)
    budget : Budget, optional
    frames : int ndarray of shape (T,), optional
    """
    budget = budget or Budget()
    trace, entry = run.trace, run.entry
    if frames is None:
        frames = choose_frames(trace, len(picture.points), picture.honest, budget)
    states = [trace.states[i] for i in frames]
    field = None
    if picture.honest and trace.model is not None:
        field = run.outputs(field_frames(trace, extent, budget.grid, frames))
    marks_name = "" if entry is None else entry.marks.removesuffix("s")
    return stage.StageView(
        points=picture.points,
        given=run.given,
        class_names=run.class_names,
        extent=extent,
        frame_t=np.array([s.t for s in states]),
        field=field,
        f_per_frame=run.outputs(np.stack([s.f for s in states])),
        margins=entry is None or entry.inputs != "graph",
        p_per_frame=probabilities(states, trace) if run.n_classes == 2 else None,
        marks_per_frame=marks(run, states),
        marks_name=marks_name or "error vector",
        axis_names=picture.axis_names,
        events=tuple(
            stage.TimeMark(t, event.kind, event.text, look_of(event).tone)
            for t, event in trace.events
            if look_of(event).tick
        ),
        captions=tuple(narrate(trace, int(i), run.truth) for i in frames),
        tiles=tiles(run, frames),
        panels=panels(run, frames, states),
    )


def panels(run: ShownRun, frames, states) -> tuple[stage.Panel, ...]:
    """Objective, errors and the unlabelled loss beside the stage; the rest below."""
    lines = curves(run, frames)
    lens = lens_panels(run.trace, states) if len(frames) > 1 else ()
    more = (panel for make in MORE_PANELS for panel in make(run, frames, states))
    return (*lines[:2], *lens, *lines[2:], *more)


def frame_bytes(trace: Trace, n: int, grid: tuple[int, int]) -> int:
    """What one frame takes before packing: outputs of the points, a field a machine."""
    machines = trace.final.f.shape[1] if trace.multiclass else 1
    return 2 * (min(n, stage.MAX_POINTS) + machines * grid[0] * grid[1]) or 1


def choose_frames(trace: Trace, n: int, with_field: bool, budget: Budget) -> np.ndarray:
    """Indices of the states to show: as many as the payload allows, events first."""
    cost = frame_bytes(trace, n, budget.grid if with_field else (0, 0))
    most = int(np.clip(budget.payload / cost, 30, budget.frames))
    return spread_frames(trace, trace.kept, most)


def spread_frames(trace: Trace, there: np.ndarray, most: int) -> np.ndarray:
    """Some of the states ``there``, and those with events; see `thin_frames`."""
    telling = [
        i
        for i, state in enumerate(trace.states)
        if any(look_of(event).tick for event in state.events)
    ]
    if len(telling) > MAX_KEPT:
        telling = telling[:: len(telling) // MAX_KEPT + 1]
    place = np.searchsorted(there, telling)
    return there[thin_frames(len(there), most, keep=[int(p) for p in place])]


def probabilities(states, trace: Trace):
    """(T, n) probability of class 1, where the solver has one for unlabelled points.

    A labelled point is as certain as its label.
    """
    names = with_role(type(trace.final), PROBABILITY)
    found = [getattr(state, name) for state in states for name in names[:1]]
    if not found or any(p is None for p in found):
        return None
    if len(found[0]) == len(trace.y):
        return np.stack(found)
    p = np.tile((trace.y > 0).astype(float), (len(states), 1))
    p[:, ~labeled_mask(trace)] = found
    return p


def marks(run: ShownRun, states):
    """Which points are ringed at each frame: error vectors or support vectors.

    A labelled point inside the margin, y f < 1, in any of the machines; where a dual
    variable says who supports the solution, that decides.
    """
    if run.entry is None or not run.entry.marks:
        return None
    y = run.trace.y
    if run.trace.multiclass:
        k = len(run.classes)
        signs = np.where(y[:, None] == np.arange(k), 1.0, -1.0)
        signs[y < 0] = 0.0
    else:
        signs = y.astype(float)[:, None]
    rows, names = [], with_role(type(run.trace.final), MARKS)
    for state in states:
        if names:
            ringed = getattr(state, names[0]).reshape(len(y), -1) > 0
        else:
            f = state.f.reshape(len(y), -1)
            ringed = (signs != 0) & (signs * f < 1)
        rows.append(ringed.any(axis=1))
    return np.stack(rows)
