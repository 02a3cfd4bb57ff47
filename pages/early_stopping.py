"""Early stopping: when is a classifier good enough? [MB11] section 4, live.

Cursor, thresholds, rows and sentences are the browser's: it has the whole record. The
server hears of a threshold when it is let go, for the address, the script and the link.
"""

from dataclasses import asdict, replace

import streamlit as st

from pages._parts import glossary, stage
from pages._parts.export.download import lesson_buttons
from pages._parts.lessons import early_stopping as page
from pages._parts.lessons import texts
from pages._parts.lessons.early_stopping import Thresholds
from pages._parts.lessons.early_stopping_facts import facts_of
from pages._parts.lessons.lesson_session import LessonSession, finished
from pages._parts.lessons.run_controls import RunControls
from pages._parts.pictures.stage_views import start_frame
from pages._parts.pictures.stopping_views import stopping_view
from pages._parts.running import runs
from pages._parts.scenario import Scenario, pairs
from pages._parts.shell import navigation
from pages._parts.widgets import errors

LESSON = LessonSession("early_stopping", "es", page.from_link, Thresholds)
current, change = LESSON.current, LESSON.change
thresholds = LESSON.numbers
STAGE = "stopping_stage"


def run_controls() -> None:
    """Which data, how noisy, how many labels; a few parameters."""

    def choose(name: str):
        kept = current().view.thresholds
        change(page.scenario_for(name).with_view(thresholds=kept))

    controls = RunControls(LESSON, change)
    controls.data(page.offered(current()), choose)
    controls.draw()
    st.markdown("###### Machine")
    controls.parameters(page.PARAMETERS)


def optimum_of(scenario: Scenario):
    """Newton's solution of the same problem; solved once, beside the watched run."""
    exact = page.newton_of(scenario)
    job = LESSON.remembered(
        "optimum", exact.solving, lambda: runs.ask(exact), lambda job: not job.left
    )
    return finished(job, "Newton’s method finds the exact optimum …")


def view_of(run, exact):
    """The run as the stage shows it, made once; where the reader begins is another."""
    scenario, cache = current(), runs.server().views
    seen = scenario.view.projection, scenario.view.features
    key = "early_stopping", scenario.solving, seen
    view = None if run.interrupted else cache.get(key)
    if view is None:
        with runs.one_thread():
            view = stopping_view(
                run,
                exact,
                scenario.with_view(t=None),
                runs.server().picture(scenario),
                rules=page.titles_of(run.trace),
                exponents=page.EXPONENTS,
                usual=asdict(Thresholds()),
            )
        if not run.interrupted:
            cache.put(key, view)
    return view


def show_stage(view, told) -> None:
    """Under way the stage is told the numbers of its opening: those now are its own."""
    scenario = current()
    begin = replace(
        view,
        numbers=pairs(asdict(told.first)),
        opening=told.opening,
        start_frame=start_frame(scenario, view.frame_t),
        toggles=scenario.view.toggles,
    )
    stage.show(begin, key=STAGE)


# -- the page ------------------------------------------------------------------------

navigation.through_app()
LESSON.open()
told = LESSON.numbers_on(STAGE)
st.header("When to stop", anchor=False)
glossary.show(texts.lead("early_stopping"))
with st.sidebar:
    run_controls()
# What only some runs show stands in a place of its own: elements that move down
# the page when it appears would be built anew, and a slider under way let go.
waiting = st.container()
facts = {}
try:
    with waiting:
        run = runs.solve(current())
        exact = optimum_of(current())
    show_stage(view_of(run, exact), told)
    st.caption(page.remarks_on(run, exact))
    lesson_buttons(
        current(),
        run,
        page.script_of(current(), run, thresholds()),
        "halfmoon_early_stopping.py",
        about="Runs as it is: the same run, and every rule judged on its record.",
        columns="objective, norms, errors, events",
        of=STAGE,
    )
    if not thresholds().hide:
        about = run.scenario, run.interrupted
        facts = LESSON.remembered("facts", about, lambda: facts_of(run, exact))
except ValueError as error:
    st.warning(errors.plain(str(error)), icon=":material/warning:")
with st.expander("What is going on here?"):
    glossary.show(texts.explanation("early_stopping", facts))
LESSON.write_link()
