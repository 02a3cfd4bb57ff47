"""From a run to what the stage shows."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from halfmoon import stage
from halfmoon.datasets import Dataset
from halfmoon.pages._parts.pictures.lens import lens_panels
from halfmoon.pages._parts.pictures.stage_curves import curves, line_searches, tiles
from halfmoon.pages._parts.pictures.stage_tree import trees
from halfmoon.pages._parts.running.graphs import graph_of
from halfmoon.pages._parts.running.projection import Picture
from halfmoon.scenario import DRAWN, MAX_DRAWN, Scenario
from halfmoon.scenario.headlines import gone_on, headline, status
from halfmoon.scenario.solving import Solved
from ssl_core import ALGORITHMS, Trace
from ssl_core.looks import look_of
from ssl_core.quantities import MARKS, PROBABILITY, with_role
from ssl_core.viz.fields import field_frames, fit_extent, thin_frames
from ssl_core.viz.measures import labeled_mask
from ssl_core.viz.narrate import narrate

GRID = (64, 48)  # columns and rows of the field, the shape of the stage
MAX_FRAMES = 120
PAYLOAD = 900_000  # bytes that fields and outputs may take, before they are packed
MAX_KEPT = 40  # frames kept for the sake of their events
MAX_EDGES = 20_000
THUMBNAIL_BYTES = 1_500_000
# Panels of a run after its curves, in order: from the run, the numbers of the states
# that are shown, and these states, to panels; none where the run has nothing to show.
MORE_PANELS: list[Callable[..., Iterable[stage.Panel]]] = [
    lambda solved, frames, states: line_searches(states),
    lambda solved, frames, states: trees(solved.trace, frames),
]


def data_id(scenario: Scenario) -> str:
    """Names the points, whatever was edited about them and however they are shown."""
    what = [scenario.data, scenario.data_knobs, scenario.seed, scenario.upload]
    if scenario.data == DRAWN:
        what = [DRAWN]  # another number of classes leaves the drawing as it is
    return _digest(what)


def scene_id(scenario: Scenario) -> str:
    """Names the plane the points lie in: in another one, zooming starts again."""
    view = scenario.view
    return _digest([data_id(scenario), view.projection, view.features])


def _digest(what: list) -> str:
    return hashlib.blake2b(repr(what).encode(), digest_size=9).hexdigest()


def extent_of(scenario: Scenario, base: Dataset, picture: Picture):
    """What the stage shows; edits only ever make it larger."""
    if scenario.data == DRAWN:
        x0, x1, y0, y1 = fit_extent(np.empty((0, 2)))
        frame = np.array([[x0, y0], [x1, y1]])
        inside = _inside(picture.points, (x0, x1, y0, y1))
        if inside:
            return x0, x1, y0, y1
        return fit_extent(np.vstack([frame, picture.points]), margin=0.05)
    if picture.honest:
        extent = fit_extent(base.X)
        if _inside(picture.points, extent):
            return extent
        return fit_extent(np.vstack([base.X, picture.points]))
    return fit_extent(picture.points, margin=0.06)


def _inside(points, extent) -> bool:
    x0, x1, y0, y1 = extent
    x, y = points[:, 0], points[:, 1]
    return bool(((x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1)).all())


def tools_for(picture: Picture, data: Dataset, hidden=()) -> tuple[str, ...]:
    """What can be done on the stage with these points."""
    if "tools" in hidden:
        return ()
    tools = ("label", "erase", "lasso", "continue")
    return (*tools, "add", "drag") if picture.honest and data.dims == 2 else tools


def still_view(scenario, problem, picture, message: str) -> stage.StageView:
    """The points alone, with a sentence on why there is no run."""
    data = problem.data
    shown = picture.points[problem.train]
    return stage.StageView(
        points=shown,
        given=problem.given,
        number=problem.row[problem.train],
        next_number=problem.next_number,
        max_number=problem.base.n + MAX_DRAWN,
        truth=problem.truth,
        class_names=data.class_names,
        extent=extent_of(scenario, problem.base, picture),
        frame_t=np.array([0]),
        axis_names=picture.axis_names,
        captions=(message,),
        tiles=(  # they also keep the layout as it is while a run is possible
            stage.Tile("labels", (f"{problem.n_labelled:,}",)),
            stage.Tile("points", (f"{len(problem.train):,}",)),
        ),
        title=headline(problem),
        tools=tuple(
            t for t in tools_for(picture, data, scenario.hidden) if t != "continue"
        ),
        thumbnails=thumbnails(data, problem.train),
        data_id=data_id(scenario),
        scene_id=scene_id(scenario),
    )


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


def run_view(
    solved: Solved,
    scenario: Scenario,
    picture: Picture,
    budget: Budget | None = None,
    frames=None,
) -> stage.StageView:
    """Everything the stage needs to play a run; ``frames`` are chosen where None."""
    budget = budget or Budget()
    problem, trace, data = solved.problem, solved.trace, solved.problem.data
    extent = extent_of(scenario, problem.base, picture)
    if frames is None:
        frames = choose_frames(trace, len(problem.train), picture.honest, budget)
    states = [trace.states[i] for i in frames]
    field = None
    if picture.honest and data.dims == 2:
        field = over_classes(
            field_frames(trace, extent, budget.grid, frames),
            solved.classes,
            data.n_classes,
        )
    return stage.StageView(
        points=picture.points[problem.train],
        given=problem.given,
        number=problem.row[problem.train],
        next_number=problem.next_number,
        max_number=problem.base.n + MAX_DRAWN,
        truth=problem.truth,
        class_names=data.class_names,
        extent=extent,
        frame_t=np.array([s.t for s in states]),
        field=field,
        f_per_frame=over_classes(
            np.stack([s.f for s in states]), solved.classes, data.n_classes
        ),
        margins=ALGORITHMS[solved.scenario.algorithm].inputs != "graph",
        p_per_frame=probabilities(states, trace) if data.n_classes == 2 else None,
        marks_per_frame=marks(solved, states),
        marks_name=ALGORITHMS[solved.scenario.algorithm].marks.removesuffix("s")
        or "error vector",
        thumbnails=thumbnails(data, problem.train),
        edges=edges(solved),
        axis_names=picture.axis_names,
        events=tuple(
            stage.TimeMark(t, event.kind, event.text, look_of(event).tone)
            for t, event in trace.events
            if look_of(event).tick
        ),
        captions=tuple(narrate(trace, int(i), solved.truth) for i in frames),
        tiles=tiles(solved, frames),
        panels=panels(solved, frames, states),
        start_frame=start_frame(scenario, [s.t for s in states]),
        toggles=scenario.view.toggles,
        title=headline(problem) + gone_on(solved.scenario),
        status=status(solved),
        tools=tools_for(picture, data, scenario.hidden),
        run_id=run_id(solved),
        data_id=data_id(scenario),
        scene_id=scene_id(scenario),
    )


def panels(solved: Solved, frames, states) -> tuple[stage.Panel, ...]:
    """Objective, errors and the unlabelled loss beside the stage; the rest below."""
    lines = curves(solved, frames)
    lens = lens_panels(solved.trace, states) if len(frames) > 1 else ()
    more = (panel for make in MORE_PANELS for panel in make(solved, frames, states))
    return (*lines[:2], *lens, *lines[2:], *more)


def run_id(solved: Solved) -> str:
    """Same run, same id: the reader's place on the scrubber stays."""
    what = f"{solved.scenario!r} {len(solved.trace)}"
    return hashlib.blake2b(what.encode(), digest_size=12).hexdigest()


def frame_bytes(trace: Trace, n: int, grid: tuple[int, int]) -> int:
    """What one frame takes before packing: outputs of the points, a field a machine."""
    machines = trace.final.f.shape[1] if trace.multiclass else 1
    return 2 * (min(n, stage.MAX_POINTS) + machines * grid[0] * grid[1]) or 1


def choose_frames(trace: Trace, n: int, with_field: bool, budget: Budget) -> np.ndarray:
    """Indices of the states to show: as many as the payload allows, events first."""
    cost = frame_bytes(trace, n, budget.grid if with_field else (0, 0))
    most = int(np.clip(budget.payload / cost, 30, budget.frames))
    telling = [
        i
        for i, state in enumerate(trace.states)
        if any(look_of(event).tick for event in state.events)
    ]
    if len(telling) > MAX_KEPT:
        telling = telling[:: len(telling) // MAX_KEPT + 1]
    kept = trace.kept
    place = np.searchsorted(kept, telling)
    return kept[thin_frames(len(kept), most, keep=[int(p) for p in place])]


def over_classes(F: np.ndarray, classes: np.ndarray, k: int) -> np.ndarray:
    """Outputs of a run over all k classes of the data.

    A run knows only the classes that have a label; the others never win.

    Parameters
    ----------
    F : ndarray of shape (T, ...) for two known classes, or (T, ..., m)
    classes : ndarray of shape (m,)
    k : int

    Returns
    -------
    F as it is for k = 2, else (T, ..., k)
    """
    if k == 2 or (len(classes) == k and k > 2):
        return F
    if len(classes) == 2:
        F = np.stack([-F, F], axis=-1)
    full = np.full((*F.shape[:-1], k), F.min() - 1.0)
    full[..., classes] = F
    return full


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


def marks(solved: Solved, states):
    """Which points are ringed at each frame: error vectors or support vectors.

    A labelled point inside the margin, y f < 1, in any of the machines; where a dual
    variable says who supports the solution, that decides.
    """
    if not ALGORITHMS[solved.scenario.algorithm].marks:
        return None
    y = solved.trace.y
    if solved.trace.multiclass:
        k = len(solved.classes)
        signs = np.where(y[:, None] == np.arange(k), 1.0, -1.0)
        signs[y < 0] = 0.0
    else:
        signs = y.astype(float)[:, None]
    rows, names = [], with_role(type(solved.trace.final), MARKS)
    for state in states:
        if names:
            ringed = getattr(state, names[0]).reshape(len(y), -1) > 0
        else:
            f = state.f.reshape(len(y), -1)
            ringed = (signs != 0) & (signs * f < 1)
        rows.append(ringed.any(axis=1))
    return np.stack(rows)


def data_graph(solved: Solved):
    """Weights of the data graph, for algorithms that use one that can be drawn."""
    params, X = solved.scenario.params, solved.problem.X
    if "n_neighbors" not in params:
        return None
    k = min(params["n_neighbors"], X.shape[0] - 1)
    return None if X.shape[0] * k > MAX_EDGES else graph_of(solved.scenario, X)


def edges(solved: Solved):
    """(m, 2) edges of `data_graph`, where there is one."""
    weights = data_graph(solved)
    if weights is None:
        return None
    W = weights.tocoo()
    upper = W.row < W.col
    return np.column_stack([W.row[upper], W.col[upper]])


def thumbnails(data: Dataset, rows):
    """Grey images of the points, small enough to travel."""
    if not data.image_shape or data.is_sparse:
        return None
    images = data.X[rows].reshape(-1, *data.image_shape)
    step = 1
    while images[:, ::step, ::step].size > THUMBNAIL_BYTES:
        step += 1
    images = images[:, ::step, ::step]
    low, high = images.min(), images.max()
    return np.rint(255 * (images - low) / ((high - low) or 1.0)).astype(np.uint8)


def start_frame(scenario: Scenario, times) -> int | None:
    """Where the cursor opens among the iterations shown, when the link says so."""
    if scenario.view.t is None:
        return None
    return int(np.abs(np.asarray(times) - scenario.view.t).argmin())
