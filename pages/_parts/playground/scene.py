"""What the playground's stage shows: the run, the run before it, and prompts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from halfmoon import stage
from halfmoon.pages._parts import stage_component
from halfmoon.pages._parts.pictures import stage_views
from halfmoon.pages._parts.pictures.ghosts import ghost_of
from halfmoon.pages._parts.pictures.kept import Earlier, keep
from halfmoon.pages._parts.playground import welcome
from halfmoon.pages._parts.playground.playground_page import (
    STAGE,
    hand_at_work,
    read_link,
)
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.screen.screen import ON_ITS_WAY, Screen
from halfmoon.pages._parts.shell.callbacks import unbroken, whole
from halfmoon.scenario import DRAWN, Scenario, default
from halfmoon.scenario.learning_problem import Problem
from halfmoon.scenario.solving import Solved
from halfmoon.views.plane import Picture

WITHOUT_GRAPH = "svm"
EARLIER = "earlier"  # in what the page has made: this run and the one before


def view_of(
    screen: Screen, scenario: Scenario, solved: Solved, picture: Picture
) -> stage.StageView:
    """What the stage shows of a scenario's run; made once for all who look alike."""
    if scenario.solving != screen.opened:
        # The link's place was for its own run.
        scenario = scenario.with_view(t=None, toggles=None)
    scenario = scenario.with_view(thresholds=())  # numbers of other pages
    make, made = stage_views.run_view, runs.server().views.made
    return made(make, solved, scenario=scenario, picture=picture)


def with_ghost(
    view: stage.StageView, desk: Desk[Screen], solved: Solved
) -> stage.StageView:
    """The view with the run before behind it: this visitor's own, and nobody else's.

    That is the last run that came to its end on the same points. Who has just opened
    a run that goes on from another one meets that one.
    """
    if solved.interrupted:
        return view
    screen, scenario = desk.screen, desk.scenario
    about = stage_views.scene_id(scenario)  # what is kept lies in a plane
    if scenario.data == DRAWN:  # numbers of another drawing mean other points
        about = screen.data_id
    with unbroken():
        made, live = desk.page.holder.made, hand_at_work(screen)
        _, earlier = made.get(EARLIER, ("", Earlier()))
        if not earlier.shows(solved.scenario, about, live):
            earlier = earlier.after(keep(solved, view, about, live))
        if earlier.before is None and solved.origin is not None:
            origin = replace(solved.origin.scenario, view=scenario.view)
            picture = runs.server().picture(origin)
            seen = view_of(screen, origin, solved.origin, picture)
            earlier = replace(earlier, before=keep(solved.origin, seen, about))
        made[EARLIER] = about, earlier
    now, before = earlier.now, earlier.before
    return view if before is None else replace(view, ghost=ghost_of(before, now))


def preview(desk: Desk[Screen], problem: Problem, picture: Picture, place):
    """What to draw during a long run: its points, on the stage itself.

    They can be edited meanwhile: an edit breaks the page off, as always, and what is
    waited for then is the run with the edit.
    """

    def draw():
        view = stage_views.still_view(desk.scenario, problem, picture, ON_ITS_WAY)
        with place:
            show_scene(desk, replace(view, pending=True))

    return draw


def for_visitor(screen: Screen, view: stage.StageView) -> stage.StageView:
    """The view as one visitor sees it: a new one is shown around."""
    view = replace(view, data_id=screen.data_id)
    if not screen.new:
        return view
    plays = not view.pending and screen.scenario.solving == default().solving
    return replace(view, autoplay=plays, prompts=welcome.PROMPTS)


def first_view(url: Mapping[str, str]) -> bytes | None:
    """What the stage shows first to whoever opens a link; None where a run has to be
    made for it, or more than one.
    """
    scenario = read_link(url, None).scenario
    solved = runs.server().runs.get(scenario.solving)
    if solved is None or solved.origin is not None or scenario.upload is not None:
        return None
    made = runs.server().views.made
    return made(packed, solved, url=tuple(sorted(url.items())))


def packed(solved: Solved, *, url: tuple[tuple[str, str], ...]) -> bytes:
    """A run as the stage of a link shows it first."""
    screen = read_link(dict(url), None)
    picture = runs.server().picture(screen.scenario)
    view = view_of(screen, screen.scenario, solved, picture)
    return stage_component.payload(for_visitor(screen, view), STAGE, stage.Seen())


def show_scene(desk: Desk[Screen], view: stage.StageView) -> None:
    view = for_visitor(desk.screen, view)

    @whole
    def asked():
        """A prompt on the stage asks for the machine that sees the labels alone."""
        if stage_component.asked(STAGE) == "graph":
            desk.page.tell(lambda screen: screen.switched(WITHOUT_GRAPH))

    stage_component.show(view, key=STAGE, confirmed=desk.seen, on_asked=asked)
