"""Buttons of a lesson page: script, table, pin, ways on and link."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from halfmoon.pages._parts import stage_component
from halfmoon.pages._parts.compare.pin import pin_button
from halfmoon.pages._parts.export.download import download, trace_button, when_asked
from halfmoon.pages._parts.running.job import Solved
from halfmoon.pages._parts.scenario import Scenario
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.shell import bar, navigation, open_in
from halfmoon.pages._parts.study.study_page import StudyScreen
from halfmoon.pages._parts.widgets import stopped


def lesson_buttons(
    desk: Desk[StudyScreen],
    run: Solved,
    script: Callable[[Solved], str],
    *,
    about: str,
    columns: str,
    of: str | None = None,
    watched: Scenario | None = None,
    own: Solved | None = None,
) -> None:
    """Script, table, pin, ways on and link of a lesson's screen, side by side.

    Parameters
    ----------
    desk : Desk
    run : Solved
    script : callable
        From the run to the script; called when it is asked for.
    about, columns : str
        What the script does, and what the table has beside the iterations.
    of : str, optional
        Key of the stage whose cursor goes into the link.
    watched : Scenario, optional
        The run that other pages are given, where it is not the screen's own.
    own : Solved, optional
        The run that a visitor can stop, where ``run`` is another.
    """
    scenario, page = desk.scenario, navigation.entry(desk.page.name)
    with bar.actions() as ways:
        with ways:
            stopped.to_the_end(own or run)
        icon = ":material/code:"
        name = page.file("py")
        download("Script", when_asked(script, run), name, icon=icon, help=about)
        trace_button("Trace", run, columns)
        pin_button(watched or scenario)
        open_in.show_ways(watched or scenario, page.name)
        with st.popover("Share", icon=":material/link:", type="primary"):
            st.markdown("This link brings others to the same screen.")
            if of is None:
                st.code(link(scenario), language=None, wrap_lines=True)
            else:
                stage_component.show_link(scenario.to_query(), key=f"{of}_link", of=of)


def link(scenario: Scenario) -> str:
    """The whole address, as this visitor's browser has it."""
    here = (st.context.url or "").split("?")[0]
    query = scenario.to_query()
    return f"{here}?{query}" if query else here
