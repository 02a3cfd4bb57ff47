"""One visitor's session on the playground: link in, edits in, view out, link back.

The scenario in the session is the one truth. It changes in one assignment, and whoever
asks for it gets it with every edit that has reached the server, so that no widget and
no link can overtake a click on the stage.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages._parts import address, errors, runs, stage, views
from pages._parts.callbacks import unbroken, whole
from pages._parts.desk import Solved
from pages._parts.memory import Memory
from pages._parts.problem import Problem, edit
from pages._parts.projection import Picture
from pages._parts.scenario import MAX_URL, Scenario, default

PAGE = STAGE = "playground"  # its name among the addresses, the key of its stage
SCENARIO = "scenario"
MEMORY = "_memory"
SCREEN = "_screen"  # how often a link, a file or an example replaced everything
REMARKS = "_remarks"  # about what was opened or chosen, with what they are about
ON_ITS_WAY = "The run is on its way."
OPENED = "opened_solving"  # the run that a link opened, for its place of the cursor


def current() -> Scenario:
    """The visitor's scenario, with all edits that are here."""
    take_edits()
    return st.session_state[SCENARIO]


def change(scenario: Scenario) -> None:
    """Make it the scenario, in one assignment; parameters are remembered."""
    memory = st.session_state.get(MEMORY) or Memory()
    st.session_state[MEMORY] = memory.after(scenario)
    st.session_state[SCENARIO] = scenario


def switch(algorithm: str) -> None:
    """Choose another algorithm, with the parameters it was left with."""
    scenario = current()
    memory = st.session_state.get(MEMORY) or Memory()
    change(memory.switch(scenario, algorithm))


def open_anew(scenario: Scenario, warnings=(), hint: str = "") -> None:
    """Put another screen in the place of this one: a link, a file, an example.

    Edits that were made on the screen before do not reach this one.

    Parameters
    ----------
    scenario : Scenario
    warnings : sequence of str
        What was not understood of it.
    hint : str
        What to look for.
    """
    with unbroken():
        st.session_state[SCREEN] = st.session_state.get(SCREEN, 0) + 1
        change(scenario)
        st.session_state[OPENED] = scenario.solving
        remark(hint, warnings)


def open_scenario() -> None:
    """Begin with the scenario of the link, or go on with the one that is here."""
    url = address.brought(PAGE, first=SCENARIO not in st.session_state)
    if url is not None:
        open_anew(*Scenario.from_url(url))


def write_link() -> None:
    """Put the scenario into the address, where it is short enough for one."""
    scenario = current()
    if len(scenario.to_query()) <= MAX_URL:
        address.write(PAGE, scenario.to_url())


def take_edits() -> None:
    """Apply what was clicked, drawn or dragged on the stage and is not yet applied."""
    if SCENARIO not in st.session_state:
        return
    scenario: Scenario = st.session_state[SCENARIO]

    def apply(edits):
        change(edited(scenario, edits))

    with unbroken():
        try:
            stage.receive(STAGE, apply, data_id=data_id(scenario))
        except ValueError as error:
            errors.later(str(error))


def data_id(scenario: Scenario) -> str:
    """Names the points that edits are about, for this visitor."""
    return f"{views.data_id(scenario)}-{st.session_state.get(SCREEN, 0)}"


def edited(scenario: Scenario, edits: list[dict]) -> Scenario:
    """A scenario after edits; "continue" makes what follows go on from there.

    What cannot be applied is told and does not hold back the rest.
    """
    refused: list[str] = []
    places = [e.get("t") for e in edits if e.get("op") == "continue"]
    if places:
        try:
            scenario = scenario.going_on(places[-1])
        except ValueError as error:
            refused.append(str(error))
    scenario = edit(scenario, runs.desk().pose(scenario), edits, refused)
    for sentence in dict.fromkeys(refused):
        errors.later(sentence)
    return scenario


def view_of(solved: Solved, picture: Picture) -> stage.StageView:
    """What the stage shows of a run; made once for all who look at it alike."""
    scenario = current()
    if scenario.solving != st.session_state.get(OPENED):
        # The link's place was for its own run.
        scenario = scenario.with_view(t=None, toggles=None)
    if solved.interrupted:
        return views.run_view(solved, scenario, picture)
    shelf = runs.desk().views
    key = replace(scenario, view=replace(scenario.view, thresholds=()))
    view = shelf.get(key)
    if view is None:
        view = views.run_view(solved, scenario, picture)
        shelf.put(key, view)
    return view


def preview(scenario: Scenario, problem: Problem, picture: Picture, scene):
    """What to draw during a long run: its points, on the stage itself.

    They can be edited meanwhile: an edit breaks the page off, as always, and what is
    waited for then is the run with the edit.
    """

    def draw():
        view = views.still_view(scenario, problem, picture, ON_ITS_WAY)
        with scene:
            show(replace(view, pending=True))

    return draw


def show(view: stage.StageView) -> None:
    stage.show(replace(view, data_id=data_id(current())), key=STAGE)


def remark(hint: str = "", warnings=()) -> None:
    """Sentences for the page, shown while the data and the algorithm stay."""
    st.session_state[REMARKS] = (hint, tuple(warnings), _subject())


def show_remarks() -> None:
    """What the visitor should know of what was opened or chosen.

    They stay until other data or another algorithm are chosen: were they to go with
    the first label, the stage would move under the hand that gives the second.
    """
    hint, warnings, subject = st.session_state.get(REMARKS) or ("", (), None)
    if subject != _subject():
        return
    for sentence in warnings:
        st.warning(errors.plain(sentence), icon=":material/info:")
    if hint:
        st.info(errors.plain(hint), icon=":material/lightbulb:")


def show_notes(problem: Problem | None) -> None:
    """What the run should be known for; it stands below the stage and may change."""
    for note in problem.remarks if problem is not None else ():
        st.info(errors.plain(note), icon=":material/info:")


def _subject() -> tuple:
    scenario: Scenario = st.session_state[SCENARIO]
    return scenario.data, scenario.upload, scenario.algorithm


def ways_out(solved: Solved | None) -> None:
    """Buttons for a run that was stopped, or that goes on from another."""
    if solved is not None and solved.interrupted:
        st.button(
            "Run to the end",
            on_click=whole(runs.forget),
            key="to_the_end",
            icon=":material/resume:",
        )
    if current().start is not None:
        st.button(
            "Start afresh",
            on_click=whole(start_afresh),
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
    back = whole(lambda: open_anew(default()))
    st.button("Back to two moons", on_click=back, key="back")
