"""Early stopping: when is a classifier good enough? [MB11] section 4, live.

Cursor, thresholds, rows and sentences are the browser's: it has the whole record. The
server hears of a threshold when it is let go, for the address, the script and the link.
"""

from dataclasses import asdict, replace
from functools import partial

import streamlit as st

from halfmoon.pages._parts import glossary, stage_component, texts
from halfmoon.pages._parts.early_stopping import stopping_runs
from halfmoon.pages._parts.early_stopping.stopping_facts import stopping_facts_of
from halfmoon.pages._parts.early_stopping.stopping_runs import Thresholds
from halfmoon.pages._parts.early_stopping.stopping_views import stopping_view
from halfmoon.pages._parts.pictures.stage_views import start_frame
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.shell import address
from halfmoon.pages._parts.study.lesson_buttons import lesson_buttons
from halfmoon.pages._parts.study.run_controls import RunControls
from halfmoon.pages._parts.study.settings import available
from halfmoon.pages._parts.study.study_page import StudyScreen, show_study, study_page
from halfmoon.scenario import Scenario, pairs

STAGE = "stopping_stage"
STUDY = study_page("early_stopping", "es", stopping_runs.from_link, Thresholds, STAGE)


def choose(screen: StudyScreen, name: str) -> StudyScreen:
    return screen.restarted(stopping_runs.scenario_for(name))


def head(desk) -> None:
    st.header("Early stopping", anchor=False)
    glossary.show_explained(texts.lead(desk.page.name))


def run_controls(desk) -> None:
    """Which data, how noisy, how many labels; a few parameters."""
    controls = RunControls(desk, StudyScreen.changed)
    controls.data(available(stopping_runs.OFFERED, desk.scenario), choose)
    controls.draw()
    st.markdown("###### Classifier")
    controls.parameters(stopping_runs.PARAMETERS)


def optimum_of(desk):
    """Newton's solution of the same problem; solved once, beside the watched run."""
    exact = stopping_runs.newton_of(desk.scenario)
    words = "Newton’s method finds the exact optimum …"
    return desk.remembered("optimum", exact.solving, lambda: runs.beside(exact, words))


def view_of(scenario: Scenario, run, exact):
    """The run as the stage shows it, made once; where the reader begins is another."""
    plain = scenario.with_view(t=None, toggles=None, thresholds=())
    about = {"scenario": plain, "picture": runs.server().picture(plain)}
    return runs.server().views.made(staged, run, exact, **about)


def staged(run, exact, *, scenario, picture):
    with runs.one_thread():
        return stopping_view(
            run,
            exact,
            scenario,
            picture,
            rules=stopping_runs.titles_of(run.trace),
            exponents=stopping_runs.EXPONENTS,
            usual=asdict(Thresholds()),
        )


def show_stage(desk, view) -> None:
    """Under way the stage is sent the numbers of its opening: those now are its own.

    In a frame it shows its run at once: there is no room for the question.
    """
    sent, scenario = desk.screen.sent, desk.scenario
    first = replace(sent.first, hide=0) if address.embedding() else sent.first
    begin = replace(
        view,
        numbers=pairs(asdict(first)),
        opening=sent.opening,
        start_frame=start_frame(scenario, view.frame_t),
        toggles=scenario.view.toggles,
    )
    stage_component.show(begin, key=STAGE)


def with_numbers(view, thresholds):
    """The view as a page that is saved opens it: with the thresholds of now."""
    return replace(view, numbers=pairs(asdict(thresholds)), opening=1)


def body(desk, waiting, _):
    thresholds = desk.screen.numbers
    with waiting:
        run = runs.solve(desk.scenario)
        exact = optimum_of(desk)
    view = view_of(desk.scenario, run, exact)
    show_stage(desk, view)
    st.caption(stopping_runs.remarks_on(run, exact))
    lesson_buttons(
        desk,
        run,
        partial(stopping_runs.program_of, desk.scenario, run, at=thresholds),
        about="A complete script: the same run, and every rule evaluated on it.",
        columns="objective, norms, errors, events",
        of=STAGE,
        views=() if thresholds.hide else (with_numbers(view, thresholds),),
    )
    if thresholds.hide:
        return {}
    return desk.remembered("facts", run.key, lambda: stopping_facts_of(run, exact))


show_study(STUDY, head, run_controls, body, StudyScreen.changed)
