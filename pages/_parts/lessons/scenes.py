"""From a scene to what the stage shows of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from halfmoon import stage
from halfmoon.pages._parts.lessons.lesson import Scene
from halfmoon.pages._parts.lessons.place import Place
from halfmoon.pages._parts.lessons.watched import WatchedRun
from halfmoon.pages._parts.path.path_places import with_places
from halfmoon.pages._parts.path.path_views import path_view
from halfmoon.pages._parts.pictures import stage_views
from halfmoon.scenario import Scenario
from halfmoon.scenario.learning_problem import Problem
from halfmoon.scenario.solving import Solved
from halfmoon.views.curves import curves_named
from halfmoon.views.plane import Picture
from ssl_core.viz.measures import iterations
from ssl_core.viz.words import number

HIDDEN = "Predict first: the run is shown when you have answered."
TOOLS = ("label", "erase")  # where a lesson invites to label


def step_id(place: Place) -> str:
    """Names the points of a step; views switched on are the step's own."""
    told = "asking" if place.asking else "told"
    return f"{place.lesson}/{place.step}/{place.shown}/{told}"


def tools_at(place: Place) -> tuple[str, ...]:
    return TOOLS if place.here.invites and not place.asking else ()


def title_of(scene: Scene, scenario: Scenario, view: stage.StageView) -> str:
    """The scene's own title; where the student gave other labels, their number."""
    own = scenario.labels == scene.scenario.labels
    return scene.title if own else view.title


def points_view(
    place: Place, problem: Problem, picture: Picture, why: str = HIDDEN
) -> stage.StageView:
    """The points without a run, and why there is none to see."""
    scene = place.plan.scenes[place.shown]
    view = stage_views.still_view(place.scenario, problem, picture, why)
    return replace(
        view,
        # One for both stages.
        title=view.title if scene.beside else title_of(scene, place.scenario, view),
        tiles=(),
        tools=tools_at(place),
        toggles=(),
        data_id=step_id(place),
        run_id=step_id(place),
    )


def scene_view(
    place: Place, scene: Scene, solved: Solved, picture: Picture, t: int | None
) -> stage.StageView:
    """The run of a scene, with what the lesson speaks of beside it.

    Parameters
    ----------
    t : int or None
        Iteration at which it opens; None is the end.
    """
    scenario = solved.scenario
    if scene.is_path:
        view = path_view(with_places(solved), scenario, picture)
        panels = tuple(p for p in view.panels if p.title in scene.curves)
    else:
        view = stage_views.run_view(solved, scenario, picture)
        frames = np.searchsorted(iterations(solved.trace), view.frame_t)
        panels = curves_named(stage_views.shown_run(solved), frames, scene.curves)
    frame = view.n_frames - 1
    if t is not None:
        frame = int(np.abs(np.asarray(view.frame_t) - t).argmin())
    plays = place.here.plays and not place.scene
    return replace(
        view,
        title=title_of(scene, scenario, view),
        captions=view.captions if scene.is_path else captions(WatchedRun(solved), view),
        panels=tuple(with_lines(panel, scene.lines) for panel in panels),
        tiles=tuple(tile for tile in view.tiles if tile.label in scene.tiles),
        marks_per_frame=view.marks_per_frame if scene.marks else None,
        toggles=scene.toggles,
        tools=tools_at(place),
        status="",
        start_frame=frame,
        autoplay=plays,
        data_id=step_id(place),
        run_id=f"{view.run_id}/{step_id(place)}",
        sync=place.lesson if scene.beside else "",
    )


def with_lines(panel: stage.Curves, names: tuple[str, ...]) -> stage.Curves:
    """A panel with these of its lines, or with all where it has none of them."""
    kept = tuple(line for line in panel.series if line.name in names)
    return replace(panel, series=kept) if kept else panel


def captions(run: WatchedRun, view: stage.StageView) -> tuple[str, ...]:
    """A plain sentence for every frame: where the run is, and how many are wrong."""
    found = run.trace.scalar_names()
    told = []
    for t in view.frame_t:
        at = run.at(t)
        text = f"Step {t} of {run.end}."
        for name, words in (("T", "Temperature T"), ("C_u", "Weight C*")):
            if name in found:
                text += f" {words} = {number(run.column(name)[at])}."
        wrong = int(run.wrong[at])
        of = f"of {run.n_guesses} predictions {'is' if wrong == 1 else 'are'} wrong."
        told.append(f"{text} {wrong or 'None'} {of}")
    return tuple(told)


def remark_on_labels(
    first: WatchedRun, now: WatchedRun, last: WatchedRun | None = None
) -> str:
    """What the student's last change of the labels did, and where the step began.

    Parameters
    ----------
    first, now : WatchedRun
        The scene's own run and the present one.
    last : WatchedRun or None
        The run before the student's last change, where that is not ``first``.
    """
    before = first if last is None else last
    given = (before.problem.given >= 0).sum(), (now.problem.given >= 0).sum()
    more = int(given[1] - given[0])
    was, is_now = before.last_wrong, now.last_wrong
    if more > 0:
        label = "One more label" if more == 1 else f"{more} more labels"
    elif more < 0:
        label = "One label fewer" if more == -1 else f"{-more} labels fewer"
    else:
        label = "The same number of labels"
    flipped = int((before.sides[-1] != now.sides[-1]).sum())
    began = "" if last is None else f"; {first.last_wrong} at the start of this step"
    if flipped == 0:
        same = f"{label}: no prediction has changed. Errors: {is_now}, as before"
        return f"{same}{began}."
    points = "1 point" if flipped == 1 else f"{flipped} points"
    return (
        f"{label}: {points} changed sides. Errors: {was} before, {is_now} now{began}."
    )
