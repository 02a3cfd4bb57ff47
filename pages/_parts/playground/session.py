"""One visitor's session on the playground: link in, edits in, view out, link back.

The scenario in the session is the one truth. It changes in one assignment, and whoever
asks for it gets it with every edit that has reached the server, so that no widget and
no link can overtake a click on the stage.

Other pages with the same controls have a screen of their own, see `on_screen`; what
is here is then about theirs.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import streamlit as st

from pages._parts import stage
from pages._parts.guided import welcome
from pages._parts.pictures import stage_views
from pages._parts.pictures.ghosts import ghost_of
from pages._parts.pictures.kept import Earlier, keep
from pages._parts.playground.memory import Memory
from pages._parts.running import runs
from pages._parts.running.job import Solved
from pages._parts.running.learning_problem import Problem
from pages._parts.running.projection import Picture
from pages._parts.running.stage_edits import edit
from pages._parts.scenario import DRAWN, MAX_URL, Scenario, default
from pages._parts.shell import address
from pages._parts.widgets import errors
from pages._parts.widgets.callbacks import key_of, screen, unbroken, whole

PAGE = STAGE = "playground"  # its name among the addresses, the key of its stage
VISITOR = "_visitor"
WITHOUT_GRAPH = "svm"
ON_ITS_WAY = "The run is on its way."


@dataclass
class Visitor:
    """What is kept for one visitor.

    It is one object, changed in place. Two runs of one visitor can be under way in
    two threads, one of them about to be broken off; while the newer begins, Streamlit
    tidies up ``st.session_state``, and what the older then writes there is gone.

    Parameters
    ----------
    scenario : Scenario or None
        The screen; None before the first link is read.
    memory : Memory
        Parameters of the algorithms that were left.
    screens : int
        How often a link, a file or an example replaced everything.
    opened : Scenario or None
        The run that was opened then, for its place of the cursor.
    hint, warnings, subject
        Sentences about what was opened or chosen, and what they are about.
    hide : tuple of str
        Controls that the link to be shared leaves out.
    stages : tuple of str
        Keys of the stages that may have edits for the scenario.
    new : bool
        Whether the visitor came without a link.
    earlier : Earlier
        The run that is shown and the one before it.
    """

    scenario: Scenario | None = None
    memory: Memory = field(default_factory=Memory)
    screens: int = 0
    opened: Scenario | None = None
    hint: str = ""
    warnings: tuple[str, ...] = ()
    subject: tuple | None = None
    hide: tuple[str, ...] = ()
    stages: tuple[str, ...] = (STAGE,)
    new: bool = False
    earlier: Earlier = field(default_factory=Earlier)


def visitor() -> Visitor:
    kept = key_of(VISITOR)
    if kept not in st.session_state:
        st.session_state[kept] = Visitor()
    return st.session_state[kept]


def current() -> Scenario:
    """The visitor's scenario, with all edits that are here."""
    with unbroken():
        take_edits()
        return visitor().scenario


def begin() -> tuple[Scenario, stage.Seen]:
    """What a run of the page is about, and up to which edit that goes."""
    with unbroken():
        return current(), stage.seen(log())


def log() -> str:
    """Names the edits of a screen: those of its stage, or of all its stages."""
    return screen() or STAGE


def change(scenario: Scenario) -> None:
    """Make it the scenario; parameters are remembered."""
    me = visitor()
    me.memory = me.memory.after(scenario)
    me.scenario = scenario


def switch(algorithm: str) -> None:
    """Choose another algorithm, with the parameters it was left with."""
    scenario = current()
    change(visitor().memory.switch(scenario, algorithm))


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
        me = visitor()
        me.screens += 1
        me.opened = scenario.solving
        change(scenario)
        remark(hint, warnings)


def open_scenario() -> None:
    """Begin with the scenario of the link, or go on with the one that is here."""
    with unbroken():
        first = visitor().scenario is None
        url = address.brought(PAGE, first=first)
        if url is not None:
            visitor().new = not url and (first or visitor().new)
            open_anew(*Scenario.from_url(url))


def write_link(scenario: Scenario) -> None:
    """Put the scenario into the address, where it is short enough for one.

    What a hand passes on its way is no step to go back to.
    """
    if under_way():
        return
    if len(scenario.to_query()) <= MAX_URL:
        address.write(PAGE, scenario.to_url())


def under_way() -> bool:
    """Whether a hand is still at what it draws."""
    return stage.under_way(log(), stages=visitor().stages)


def take_edits() -> None:
    """Apply what was clicked, drawn or dragged on the stage and is not yet applied."""
    with unbroken():
        me = visitor()
        if me.scenario is None:
            return

        def apply(edits):
            change(edited(me.scenario, edits))

        about = data_id(me.scenario)
        try:
            stage.receive(log(), apply, data_id=about, stages=me.stages)
        except ValueError as error:
            errors.later(str(error))


def data_id(scenario: Scenario) -> str:
    """Names the points that edits are about, for this visitor."""
    return f"{stage_views.data_id(scenario)}-{visitor().screens}"


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
    scenario = edit(scenario, runs.server().pose(scenario), edits, refused)
    for sentence in dict.fromkeys(refused):
        errors.later(sentence)
    return scenario


def view_of(scenario: Scenario, solved: Solved, picture: Picture) -> stage.StageView:
    """What the stage shows of a scenario's run; made once for all who look alike."""
    if scenario.solving != visitor().opened:
        # The link's place was for its own run.
        scenario = scenario.with_view(t=None, toggles=None)
    if solved.interrupted:
        return stage_views.run_view(solved, scenario, picture)
    cache = runs.server().views
    key = replace(scenario, view=replace(scenario.view, thresholds=()))
    view = cache.get(key)
    if view is None:
        view = stage_views.run_view(solved, scenario, picture)
        cache.put(key, view)
    return view


def with_ghost(
    view: stage.StageView, scenario: Scenario, solved: Solved
) -> stage.StageView:
    """The view with the run before behind it: this visitor's own, and nobody else's.

    That is the last run that came to its end on the same points. Who has just opened
    a run that goes on from another one meets that one.
    """
    if solved.interrupted:
        return view
    about = stage_views.data_id(scenario)
    if scenario.data == DRAWN:  # numbers of another drawing mean other points
        about = data_id(scenario)
    with unbroken():
        me, live = visitor(), under_way()
        if not me.earlier.shows(solved.scenario, about, live):
            me.earlier = me.earlier.after(keep(solved, view, about, live))
        if me.earlier.before is None and solved.origin is not None:
            origin = replace(solved.origin.scenario, view=scenario.view)
            picture = runs.server().picture(origin)
            seen = view_of(origin, solved.origin, picture)
            begun = keep(solved.origin, seen, about)
            me.earlier = replace(me.earlier, before=begun)
        now, before = me.earlier.now, me.earlier.before
    return view if before is None else replace(view, ghost=ghost_of(before, now))


def preview(
    scenario: Scenario, problem: Problem, picture: Picture, scene, seen: stage.Seen
):
    """What to draw during a long run: its points, on the stage itself.

    They can be edited meanwhile: an edit breaks the page off, as always, and what is
    waited for then is the run with the edit.
    """

    def draw():
        view = stage_views.still_view(scenario, problem, picture, ON_ITS_WAY)
        with scene:
            show(replace(view, pending=True), scenario, seen)

    return draw


def show(view: stage.StageView, scenario: Scenario, seen: stage.Seen) -> None:
    view = replace(view, data_id=data_id(scenario))
    if visitor().new:
        plays = not view.pending and scenario.solving == default().solving
        view = replace(view, autoplay=plays, prompts=welcome.PROMPTS)
    stage.show(view, key=STAGE, seen=seen, on_asked=whole(without_graph))


def without_graph() -> None:
    """A prompt on the stage asks for the machine that sees the labels alone."""
    if stage.asked(STAGE) == "graph":
        switch(WITHOUT_GRAPH)


def remark(hint: str = "", warnings=()) -> None:
    """Sentences for the page, shown while the data and the algorithm stay."""
    me = visitor()
    me.hint, me.warnings, me.subject = hint, tuple(warnings), _subject()


def show_remarks() -> None:
    """What the visitor should know of what was opened or chosen.

    They stay until other data or another algorithm are chosen: were they to go with
    the first label, the stage would move under the hand that gives the second.
    """
    me = visitor()
    if me.subject != _subject():
        return
    for sentence in me.warnings:
        st.warning(errors.plain(sentence), icon=":material/info:")
    if me.hint:
        st.info(errors.plain(me.hint), icon=":material/lightbulb:")


def show_notes(problem: Problem | None) -> None:
    """What the run should be known for; it stands below the stage and may change."""
    for note in problem.remarks if problem is not None else ():
        st.info(errors.plain(note), icon=":material/info:")


def _subject() -> tuple:
    scenario = visitor().scenario
    algorithms = tuple(method.algorithm for method in scenario.methods)
    return scenario.data, scenario.upload, algorithms


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
                "This run goes on from an iteration of an earlier one; a changed "
                "label goes on from there again."
            ),
        )


def start_afresh() -> None:
    change(current().afresh(0))


def offer_default() -> None:
    back = whole(lambda: open_anew(default()))
    st.button("Back to two moons", on_click=back, key="back")
