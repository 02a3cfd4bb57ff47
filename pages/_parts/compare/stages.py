"""The runs of a comparison on stages that move in step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from halfmoon import stage
from halfmoon.pages._parts import stage_component
from halfmoon.pages._parts.compare import comparison
from halfmoon.pages._parts.compare.comparison import SCREEN, stage_key
from halfmoon.pages._parts.pictures import stage_views
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.running.job import Job
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.screen.screen import ON_ITS_WAY, Screen
from halfmoon.pages._parts.shell import errors
from halfmoon.pages._parts.widgets import refused, stopped
from halfmoon.scenario import Scenario
from halfmoon.scenario.learning_problem import Problem
from halfmoon.scenario.solving import Solved
from halfmoon.views.plane import Picture
from halfmoon.views.side_by_side import BUDGETS, compact, run_headline
from halfmoon.views.stage_view import Budget
from ssl_core import ALGORITHMS
from ssl_core.viz.words import number

TOOLS = ("label", "erase")  # points themselves are edited on the playground
COLUMNS = 2


@dataclass(frozen=True)
class ComparedRun:
    """One method of the comparison, and what came of it so far.

    Parameters
    ----------
    scenario : Scenario
        Of this method alone.
    number : int
        Its place; see `comparison`.
    name : str
        What it is called, unlike all others here.
    outcome : Solved, Exception or Job
    """

    scenario: Scenario
    number: int
    name: str
    outcome: Solved | Exception | Job

    @property
    def solved(self) -> Solved | None:
        return self.outcome if isinstance(self.outcome, Solved) else None


def names_of(scenario: Scenario) -> list[str]:
    """Titles of the methods; those that occur twice say what tells them apart."""
    methods = scenario.methods
    titles = [ALGORITHMS[m.algorithm].title for m in methods]
    names = []
    for method, title in zip(methods, titles, strict=True):
        alike = [m for m in methods if m.algorithm == method.algorithm]
        if len(alike) > 1:
            title = f"{title} ({_difference(method, alike)})"
        names.append(title)
    return [
        name if names.count(name) == 1 else f"{name}, {names[: i + 1].count(name)}"
        for i, name in enumerate(names)
    ]


def places(found: Sequence[ComparedRun]) -> dict[int, int]:
    """Place of every method on the page, by its number; by it figures draw a method."""
    return {run.number: place for place, run in enumerate(found)}


def _difference(method, alike) -> str:
    """The knobs in which methods of one algorithm differ, two at most."""
    entry = ALGORITHMS[method.algorithm]
    words = []
    for knob in entry.knobs:
        if len({m.params[knob.name] for m in alike}) > 1:
            value = method.params[knob.name]
            shown = knob.word(value) if knob.kind == "choice" else _short(value)
            words.append(f"{knob.name} = {shown}")
    return ", ".join(words[:2]) or "the same"


def _short(value) -> str:
    return number(value, 4) if isinstance(value, float) else str(value)


def solve(screen: Screen) -> list[ComparedRun]:
    """All methods, solved side by side; those that take long are still jobs."""
    scenario, numbers = screen.scenario, screen.places
    alone = [scenario.alone(i) for i in range(len(scenario.methods))]
    outcomes = runs.side_by_side(alone)
    every = zip(alone, numbers, names_of(scenario), outcomes, strict=True)
    return [ComparedRun(*one) for one in every]


def show_stages(
    desk: Desk[Screen],
    found: Sequence[ComparedRun],
    problem: Problem,
    picture: Picture,
) -> tuple[list[tuple[Job, str, object]], list[stage.StageView]]:
    """The deck and a stage for each run.

    Returns
    -------
    waiting : list of (job, name, place)
        Runs under way and where their progress is to be shown; see `runs.watch`.
    views : list of StageView
        Of the runs that are there.
    """
    screen = desk.screen
    about = f"{screen.data_id}-{screen.number}"
    opened = desk.scenario.view.t if _as_opened(screen) else None
    with st.container(key=f"{SCREEN}_deck"):
        stage_component.show_deck(
            key=f"{SCREEN}_deck_itself", sync=SCREEN, about=about, t=opened
        )
    waiting, views = [], []
    with st.container(key=f"{SCREEN}_stages"):
        for first in range(0, len(found), COLUMNS):
            columns = st.columns(min(COLUMNS, len(found)), gap="medium")
            for run, column in zip(found[first:], columns, strict=False):
                with column:
                    view = view_of(run, screen, problem, picture, len(found))
                    stage_component.show(
                        view, key=stage_key(run.number), confirmed=desk.seen
                    )
                    place = st.empty()
                    if run.solved is not None:
                        views.append(view)
                    if isinstance(run.outcome, Job):
                        waiting.append((run.outcome, str(run.number), place))
                    elif run.solved is None:
                        with place.container():
                            refused.offer(
                                desk,
                                run.outcome,
                                partial(comparison.take_way, number=run.number),
                                key=f"_{run.number}",
                            )
                    with place:
                        again, key = (run.scenario,), f"to_the_end_{run.number}"
                        stopped.to_the_end(run.solved, runs.forget_one, again, key)
    return waiting, views


def _as_opened(screen: Screen) -> bool:
    return screen.scenario.solving == screen.opened


def view_of(
    run: ComparedRun, screen: Screen, problem: Problem, picture: Picture, count: int
) -> stage.StageView:
    """What one stage shows; finished runs are packed once for all who look alike."""
    view = None
    if run.solved is not None:
        view = _run_view(run, picture, count)
    else:
        pending = isinstance(run.outcome, Job)
        message = ON_ITS_WAY if pending else sentence(run.outcome)
        view = stage_views.still_view(run.scenario, problem, picture, message)
        title = f"{run.name}: {'running' if pending else 'no run'}"
        view = replace(view, pending=pending, title=title)
    tools = () if screen.hides("tools") else TOOLS
    return replace(
        view,
        sync=SCREEN,
        compact=True,
        name=run.name,
        tools=tools,
        toggles=screen.scenario.view.toggles if _as_opened(screen) else None,
        data_id=screen.data_id,
    )


def _run_view(run: ComparedRun, picture: Picture, count: int) -> stage.StageView:
    plain = run.scenario.with_view(t=None, toggles=None)
    about = {"scenario": plain, "picture": picture, "budget": BUDGETS[count]}
    view = runs.server().views.made(compact_view, run.solved, **about)
    return replace(view, title=method_headline(run))


def compact_view(
    solved: Solved, *, scenario: Scenario, picture: Picture, budget: Budget
) -> stage.StageView:
    """A run with less around the picture: few figures, two curves, the clock."""
    view = stage_views.run_view(solved, scenario, picture, budget)
    return compact(view, stage_views.shown_run(solved))


def method_headline(run: ComparedRun) -> str:
    """Method and result: "Laplacian SVM, PCG: 0 % wrong"."""
    solved = run.solved
    shown = stage_views.shown_run(solved)
    return run_headline(run.name, shown, stopped=solved.interrupted)


def sentence(error: Exception) -> str:
    """Why there is no run, for its own place."""
    if isinstance(error, ValueError):
        return str(error)
    if isinstance(error, MemoryError):
        return "This needs more memory than is free; choose fewer points."
    errors.LOG.error("A run of a comparison ended with an error.", exc_info=error)
    return "Something went wrong here, and it is not your fault; the others go on."
