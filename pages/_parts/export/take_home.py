"""Take it home: link, script, notebook, table, file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from pages._parts import stage
from pages._parts.compare.pin import pin_button
from pages._parts.export import files
from pages._parts.export.download import download, trace_button
from pages._parts.export.notebook import notebook
from pages._parts.export.script import script
from pages._parts.playground import session
from pages._parts.running import runs
from pages._parts.running.job import Solved
from pages._parts.running.learning_problem import Problem
from pages._parts.scenario import MAX_URL, Scenario
from pages._parts.shell import open_in
from pages._parts.widgets import hiding, own_data
from pages._parts.widgets.callbacks import whole

OPENED = "opened"  # the box that takes a saved scenario


def actions(problem: Problem | None, solved: Solved | None) -> None:
    """Code, Save, Open in and Share, side by side; before them, what the run offers.

    Each menu is made when it is opened: script, notebook and table take longer to
    write than everything else on the page.
    """
    with st.container(horizontal=True, key="actions", horizontal_alignment="right"):
        session.ways_out(solved)
        pin_button(session.current(), session.current)
        if problem is not None and solved is not None:
            with menu("Code", ":material/code:") as code:
                if code.open:
                    code_controls(problem, solved)
        with menu("Save", ":material/download:") as save:
            if save.open:
                save_controls(solved)
        open_in.menu(session.current(), session.PAGE)
        with menu("Share", ":material/link:", type="primary") as share:
            if share.open:
                share_controls()


def menu(name: str, icon: str, **look):
    """A popover that tells whether it is open."""
    key = f"menu_{name.lower()}"
    return st.popover(name, icon=icon, key=key, on_change="rerun", **look)


def code_controls(problem: Problem, solved: Solved) -> None:
    scenario = session.current()
    text = script(scenario, problem)
    st.markdown("This script runs as it is and gives the same numbers.")
    with st.container(height=320):
        st.code(text, language="python")
    with st.container(horizontal=True):
        download("Script", text, "halfmoon_run.py")
        download("Notebook", notebook(scenario, problem), "halfmoon_run.ipynb")


def save_controls(solved: Solved | None) -> None:
    scenario = session.current()
    with st.container(horizontal=True):
        download("Scenario (JSON)", files.saved(scenario), "halfmoon.json")
        if solved is not None:
            columns = "objective, norms, errors, events"
            trace_button("Trace (CSV)", solved, columns)
    st.file_uploader("Open a saved scenario", key=OPENED, on_change=whole(open_file))


def open_file() -> None:
    file = st.session_state[OPENED]
    if file is None:
        return
    scenario, remarks, content = files.read_saved(file.getvalue())
    if content is not None:
        runs.server().keep_file(content, own_data.kept().visitor)
    session.open_anew(scenario, remarks)


def share_controls(
    query_of: Callable[[Scenario], str] = Scenario.to_query, of: str = session.STAGE
) -> None:
    """A link to the screen as it is, with controls left out for a class.

    Parameters
    ----------
    query_of : callable
        From a scenario to the link's part after the question mark.
    of : str
        Key of the stage whose cursor goes along.
    """
    scenario = session.current()
    names = hiding.hideable(scenario)
    hidden = scenario.hidden or session.visitor().hide
    hidden = tuple(sorted(name for name in hidden if name in names))
    query = query_of(replace(scenario, hidden=hidden))
    if len(query) > MAX_URL:
        st.info(
            "There are too many labels or points for a link; use Save and send the "
            "file.",
            icon=":material/info:",
        )
    else:
        st.markdown("This link brings others to the same screen.")
        stage.show_link(query, key="link", of=of)
    if scenario.upload is not None:
        st.caption(
            "The link works while this server remembers your file; Save keeps it."
        )
    if not scenario.hidden:
        hiding.hide_controls(names, hidden)
