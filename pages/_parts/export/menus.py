"""Take it home: link, script, notebook, table, file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from halfmoon.pages._parts import stage_component
from halfmoon.pages._parts.export import files
from halfmoon.pages._parts.export.download import download, trace_button
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.running.job import Solved
from halfmoon.pages._parts.scenario import MAX_URL, Scenario
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.screen.screen import Screen
from halfmoon.pages._parts.shell import door
from halfmoon.pages._parts.shell.callbacks import whole
from halfmoon.pages._parts.shell.visit import visit
from halfmoon.pages._parts.widgets import hiding

OPENED = "opened"  # the box that takes a saved scenario


def menu(name: str, icon: str, **look):
    """A popover that tells whether it is open."""
    key = f"menu_{name.lower()}"
    return st.popover(name, icon=icon, key=key, on_change="rerun", **look)


def save_controls(desk: Desk[Screen], solved: Solved | None) -> None:
    with st.container(horizontal=True):
        download("Scenario (JSON)", files.saved(desk.scenario), "halfmoon.json")
        if solved is not None:
            columns = "objective, norms, errors, events"
            trace_button("Trace (CSV)", solved, columns)

    def opened():
        file = door.given(OPENED)
        if file is None:
            return
        scenario, remarks, content = files.read_saved(file.getvalue())
        if content is not None:
            runs.server().keep_file(content, visit().token)
        desk.page.tell(lambda screen: screen.opening(scenario, remarks))

    st.file_uploader("Open a saved scenario", key=OPENED, on_change=whole(opened))


def share_controls(
    desk: Desk[Screen], query_of: Callable[[Scenario], str], of: str
) -> None:
    """A link to the screen as it is, with controls left out for a class.

    Parameters
    ----------
    query_of : callable
        From a scenario to the link's part after the question mark.
    of : str
        Key of the stage whose cursor goes along.
    """
    scenario = desk.scenario
    names = hiding.hideable(scenario)
    hidden = scenario.hidden or desk.screen.hide
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
        stage_component.show_link(query, key="link", of=of)
    if scenario.upload is not None:
        st.caption(
            "The link works while this server remembers your file; Save keeps it."
        )
    if not scenario.hidden:
        hiding.hide_controls(desk, names, hidden)
