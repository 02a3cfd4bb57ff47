"""From a run to what the stage shows."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np

from halfmoon import stage
from halfmoon.datasets import Dataset
from halfmoon.pages._parts.running.graphs import graph_of
from halfmoon.scenario import DRAWN, MAX_DRAWN, Scenario, data_title
from halfmoon.scenario.headlines import gone_on, headline
from halfmoon.scenario.solving import Solved
from halfmoon.views import stage_view
from halfmoon.views.about import about, status
from halfmoon.views.graph import MAX_EDGES, edges_of
from halfmoon.views.plane import Picture
from halfmoon.views.shown_run import ShownRun
from halfmoon.views.stage_view import Budget
from ssl_core import ALGORITHMS
from ssl_core.viz.fields import fit_extent
from ssl_core.viz.words import number

THUMBNAIL_BYTES = 1_500_000


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


def shown_run(solved: Solved) -> ShownRun:
    """A run of the app as views know it."""
    data, entry = solved.problem.data, ALGORITHMS[solved.scenario.algorithm]
    return ShownRun(solved.trace, entry, data.class_names, solved.classes, solved.truth)


def run_view(
    solved: Solved,
    scenario: Scenario,
    picture: Picture,
    budget: Budget | None = None,
    frames=None,
) -> stage.StageView:
    """Everything the stage needs to play a run; ``frames`` are chosen where None."""
    problem, run = solved.problem, shown_run(solved)
    plane = picture.honest and problem.data.dims == 2
    shown = replace(picture, points=picture.points[problem.train], honest=plane)
    extent = extent_of(scenario, problem.base, picture)
    view = stage_view.run_view(run, shown, extent, budget=budget, frames=frames)
    return replace(
        view,
        given=problem.given,
        number=problem.row[problem.train],
        next_number=problem.next_number,
        max_number=problem.base.n + MAX_DRAWN,
        truth=problem.truth,
        thumbnails=thumbnails(problem.data, problem.train),
        edges=edges(solved),
        start_frame=start_frame(scenario, view.frame_t),
        toggles=scenario.view.toggles,
        title=headline(problem) + gone_on(solved.scenario),
        status=status(solved.trace),
        about=about(run, about_data(solved.scenario)),
        tools=tools_for(picture, problem.data, scenario.hidden),
        run_id=run_id(solved),
        data_id=data_id(scenario),
        scene_id=scene_id(scenario),
    )


def about_data(scenario: Scenario) -> str:
    """The data in a caption: their title, and what was chosen of them."""
    knobs = ", ".join(f"{k} = {_word(v)}" for k, v in scenario.knobs.items())
    title = data_title(scenario)
    return f"{title} ({knobs})" if knobs else title


def _word(value) -> str:
    return number(value, 6) if isinstance(value, float) else str(value)


def run_id(solved: Solved) -> str:
    """Same run, same id: the reader's place on the scrubber stays."""
    what = f"{solved.scenario!r} {len(solved.trace)}"
    return hashlib.blake2b(what.encode(), digest_size=12).hexdigest()


def data_graph(solved: Solved):
    """Weights of the data graph, for algorithms that use one that can be drawn."""
    params, X = solved.scenario.params, solved.problem.X
    if "n_neighbors" not in params:
        return None
    k = min(params["n_neighbors"], X.shape[0] - 1)
    return None if X.shape[0] * k > MAX_EDGES else graph_of(solved.scenario, X)


def edges(solved: Solved):
    """(m, 2) edges of `data_graph`, where there is one."""
    return edges_of(data_graph(solved))


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
