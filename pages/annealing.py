"""Annealing: hidden labels decided step by step, [SK07] sections 1.3 and 1.4."""

from dataclasses import replace
from functools import partial

import streamlit as st

from halfmoon.pages._parts import stage_component
from halfmoon.pages._parts.annealing import (
    annealed_runs,
    annealing_outcomes,
    annealing_views,
)
from halfmoon.pages._parts.annealing.annealed_runs import VIEWS, AnnealingNumbers
from halfmoon.pages._parts.annealing.annealing_questions import COLD
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.study.lesson_buttons import lesson_buttons
from halfmoon.pages._parts.study.predict import Prediction, beginning
from halfmoon.pages._parts.study.run_controls import RunControls
from halfmoon.pages._parts.study.settings import available
from halfmoon.pages._parts.study.study_page import StudyScreen, show_study, study_page

STUDY = study_page("annealing", "an", annealed_runs.from_link, AnnealingNumbers)
STAGES = ("annealing_stage", "switching_stage", "annealed_stage")
COLD_STAGE = "cold_stage"


# -- events --------------------------------------------------------------------------


def choose(screen: StudyScreen, name: str) -> StudyScreen:
    return screen.restarted(annealed_runs.scenario_for(name))


def look_at(screen: StudyScreen, choice: str | None) -> StudyScreen:
    if choice is None:
        return screen
    # A moment of the other view's run means nothing here.
    other = screen.changed(screen.scenario.with_view(t=None))
    return other.with_numbers(view=VIEWS.index(choice))


# -- controls ------------------------------------------------------------------------


def head(desk) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header("Deterministic annealing", anchor=False, width="content")
        st.segmented_control(
            "What to look at",
            VIEWS,
            on_change=desk.on(look_at, "view"),
            label_visibility="collapsed",
            wrap=True,
            **desk.picking("view", VIEWS[desk.screen.numbers.view]),
        )


def run_controls(desk) -> None:
    """Data and labels, parameters of the classifier, schedule of the temperature."""
    scenario, controls = desk.scenario, RunControls(desk, StudyScreen.restarted)
    names = available(annealed_runs.OFFERED, scenario)
    title = partial(annealed_runs.title, scenario=scenario)
    controls.data(names, choose, title=title)
    controls.draw()
    st.markdown("###### Classifier and schedule")
    controls.parameters(annealed_runs.PARAMETERS)


# -- runs besides the one on the stage -----------------------------------------------


def switching_of(desk):
    """The transductive SVM's run; kept while the visitor looks at it."""
    other, words = annealed_runs.switching(desk.scenario), "Labels are switched …"
    return desk.remembered(
        "switching", other.solving, lambda: runs.beside(other, words)
    )


def outcomes_of(desk, run):
    """How every schedule ended, and the run at a low temperature throughout.

    Only these are kept: six runs of a large text are too much for one visitor.
    """

    def compare():
        rows, cold = [], None
        for name, scenario in annealed_runs.rivals(run.scenario).items():
            solved = run
            if name != "annealed":
                solved = runs.beside(scenario, "Other schedules are run …")
            rows.append(annealing_outcomes.outcome(name, solved))
            cold = solved if name == COLD else cold
        return rows, cold

    return desk.remembered("outcomes", run.key, compare)


# -- views ---------------------------------------------------------------------------


def show_stage(desk, asking: Prediction, run, make, key: str):
    """A run on its stage; before the question is answered, only its beginning.

    Returns what is shown, as the functions below do.
    """
    scenario = desk.scenario
    about = {"scenario": scenario, "picture": runs.server().picture(scenario)}
    about |= {"asked": asking.asked, "plays": asking.just_guessed}
    view = runs.server().views.made(make, run, **about)
    stage_component.show(view, key=key)
    return (view,)


def cooling(run, **about):
    has_words = annealed_runs.has_words(run)
    make = partial(annealing_views.cooling_view, has_words=has_words)
    usual = annealed_runs.melting(run.trace)
    return staged(make, run, annealed_runs.fate, usual, **about)


def switching(run, **about):
    usual = max(annealed_runs.busiest(run.trace) - 1, 0)
    make, words = annealing_views.switching_view, annealing_views.switch_words
    return staged(make, run, words, usual, **about)


def staged(make, run, words, usual: int, *, scenario, picture, asked, plays):
    """The view of a run, with a sentence on each frame.

    The cursor opens where the link says, at 0 after a guess, or where it is telling.
    """
    if asked:
        frames = annealing_views.first_frames(run, picture)
        said, start = [""] * len(frames), None
    else:
        frames = annealing_views.frames_of(run, picture)
        said, start = [words(run.trace, int(i)) for i in frames], scenario.view.t
        start = (0 if plays else usual) if start is None else start
    view = make(run, scenario, picture, frames=frames, words=said, start=start)
    return beginning(view) if asked else replace(view, autoplay=plays)


def show_cooling(desk, asking: Prediction, run):
    """The run of deterministic annealing, its loss and the probabilities."""
    views = show_stage(desk, asking, run, cooling, STAGES[0])
    note = runs.server().picture(desk.scenario).note
    st.caption(f"{annealed_runs.remarks_on(run)} {note}")
    return views


def show_switching(desk, asking: Prediction, run):
    """The transductive SVM on the same data: lambda' rises, labels switch."""
    views = show_stage(desk, asking, run, switching, STAGES[1])
    st.caption(
        "A point above the thick curve has a label that does not fit its output: "
        "two such points, one of each class, are a pair to switch."
    )
    return views


def show_comparison(desk, asking: Prediction, run):
    """Annealed against fixed temperatures, and against the transductive SVM."""
    rows, cold = ((), None) if asking.asked else outcomes_of(desk, run)
    pair, views = {STAGES[2]: (run, "annealed")}, []
    if cold is not None:
        pair[COLD_STAGE] = cold, COLD
    scenario, picture = desk.scenario, runs.server().picture(desk.scenario)
    for column, (key, (solved, name)) in zip(st.columns(2), pair.items(), strict=False):
        with column:
            title = annealing_outcomes.title_of(name)
            view = annealing_views.beside_view(solved, scenario, picture, title=title)
            stage_component.show(view, key=key)
            views.append(view)
    with st.container():
        if rows:
            st.markdown(annealing_outcomes.verdict(rows))
            st.table(annealing_outcomes.table(rows), border="horizontal")
            st.caption(
                "All minimise the same objective on the same points and labels, "
                "measured at T = 0. Lowest objective in bold. Other seeds can give "
                "another order."
            )
    return views


def react(desk, asking: Prediction, run) -> None:
    """Question or reaction, above what is shown."""
    if asking.asked:
        asking.ask()
    elif desk.screen.numbers.view == 2:
        asking.react(outcomes_of(desk, run)[0], COLD)
    else:
        asking.react(run.trace)


def body(desk, waiting, _) -> None:
    scenario, numbers = desk.scenario, desk.screen.numbers
    asking, switched = Prediction(desk, numbers.question), numbers.view == 1
    with waiting:
        runs.server().check(scenario)
        annealed_runs.check(runs.server().pose(scenario), scenario)
        run = own = runs.solve(scenario)
        if switched:
            run = switching_of(desk)
    with st.container():
        react(desk, asking, run)
    show = (show_cooling, show_switching, show_comparison)[numbers.view]
    views = show(desk, asking, run)
    lesson_buttons(
        desk,
        run,
        partial(annealed_runs.program_of, scenario, run, view=numbers.view),
        about="A complete script of what this view shows.",
        columns="temperature or λ′, objectives, errors",
        of=None if asking.asked else STAGES[numbers.view],
        watched=annealed_runs.switching(scenario) if switched else None,
        own=own,
        views=views,
    )


show_study(STUDY, head, run_controls, body, StudyScreen.restarted)
