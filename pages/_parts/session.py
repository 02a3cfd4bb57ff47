"""One visitor's session on the playground: link in, edits in, view out, link back."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages._parts import errors, runs, stage, views
from pages._parts.controls import REMARK, SCENARIO, change, current
from pages._parts.desk import Solved
from pages._parts.problem import Problem, edit
from pages._parts.projection import Picture
from pages._parts.scenario import MAX_URL, Scenario, default

WRITTEN = "url_written"
REMARKS = "remarks"  # about a link or a file that was opened
STAGED = "staged"  # this visitor has a stage on the screen
OPENED = "opened_solving"  # the run that a link opened, for its place of the cursor


def open_scenario() -> Scenario:
    """The visitor's scenario: kept from before, or read from the link."""
    url = st.query_params.to_dict()
    if SCENARIO not in st.session_state or (url and url != st.session_state[WRITTEN]):
        scenario, remarks = Scenario.from_url(url)
        st.session_state[WRITTEN] = url
        st.session_state[REMARKS] = remarks
        st.session_state[OPENED] = scenario.solving
        change(scenario)
    return current()


def write_link() -> None:
    """Put the scenario into the address, where it is short enough for one."""
    scenario = current()
    url = scenario.to_url()
    if len(scenario.to_query()) <= MAX_URL and url != st.query_params.to_dict():
        st.query_params.from_dict(url)
    st.session_state[WRITTEN] = st.query_params.to_dict()


def take_edits(key: str) -> None:
    """Apply what was clicked, drawn or dragged on the stage since the last run."""

    def apply(edits):
        change(edited(current(), edits))

    try:
        stage.receive(key, apply, data_id=views.data_id(current()))
    except ValueError as error:
        st.session_state[REMARKS] = [str(error)]


def edited(scenario: Scenario, edits: list[dict]) -> Scenario:
    """A scenario after edits; "continue" makes what follows go on from there."""
    problem = runs.desk().pose(scenario)
    drawn = runs.desk().picture(scenario).points[problem.train]
    going_on = [e for e in edits if e.get("op") == "continue"]
    if going_on:
        scenario = scenario.going_on(int(going_on[-1]["t"]))
    return edit(scenario, problem, drawn, edits)


def view_of(solved: Solved, picture: Picture) -> stage.StageView:
    """What the stage shows of a run; made once for all who look at it alike."""
    scenario = current()
    if scenario.solving != st.session_state[OPENED]:
        scenario = scenario.with_view(t=None)  # the link's place was for its own run
    if solved.interrupted:
        return views.run_view(solved, scenario, picture)
    shelf = runs.desk().views
    key = replace(scenario, view=replace(scenario.view, thresholds=()))
    view = shelf.get(key)
    if view is None:
        view = views.run_view(solved, scenario, picture)
        shelf.put(key, view)
    return view


def preview(scenario: Scenario, problem: Problem, picture: Picture):
    """What to draw during a long run, where there is no stage yet: the points."""
    if st.session_state.get(STAGED):
        return None

    def draw():
        words = "The run is on its way."
        view = views.still_view(scenario, problem, picture, words)
        stage.show(replace(view, locked=True), key="preview")

    return draw


def show(view: stage.StageView, key: str) -> None:
    stage.show(view, key=key)
    st.session_state[STAGED] = True


def show_remarks(problem: Problem | None) -> None:
    """What the visitor should know before looking: about the link, the labels."""
    for remark in st.session_state.get(REMARKS) or ():
        st.warning(errors.plain(remark), icon=":material/info:")
    st.session_state[REMARKS] = []
    sentence, scenario = st.session_state.get(REMARK) or ("", None)
    if sentence and scenario == current():
        st.info(sentence, icon=":material/lightbulb:")
    for remark in problem.remarks if problem is not None else ():
        st.info(errors.plain(remark), icon=":material/info:")


def ways_out(solved: Solved | None) -> None:
    """Buttons for a run that was stopped, or that goes on from another."""
    if solved is not None and solved.interrupted:
        st.button(
            "Run to the end",
            on_click=runs.forget,
            key="to_the_end",
            icon=":material/resume:",
        )
    if current().start is not None:
        st.button(
            "Start afresh",
            on_click=start_afresh,
            key="afresh",
            icon=":material/restart_alt:",
            help=(
                "This run goes on from an iteration of the one before, which is drawn "
                "dotted; a changed label goes on from there again."
            ),
        )


def start_afresh() -> None:
    change(replace(current(), start=None))


def offer_default() -> None:
    def back():
        change(default())

    st.button("Back to two moons", on_click=back, key="back")
