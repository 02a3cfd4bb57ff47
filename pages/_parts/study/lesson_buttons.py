"""Buttons of a lesson page: exports, pin, ways on and link."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from halfmoon.pages._parts import stage_component
from halfmoon.pages._parts.compare.pin import pin_button
from halfmoon.pages._parts.export.exports import Exports
from halfmoon.pages._parts.export.menus import export_menus, too_long
from halfmoon.pages._parts.export.script import Program
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.shell import bar, open_in
from halfmoon.pages._parts.study.study_page import StudyScreen
from halfmoon.pages._parts.widgets import stopped
from halfmoon.scenario import Scenario
from halfmoon.scenario.solving import Solved
from halfmoon.stage import StageView


def lesson_buttons(
    desk: Desk[StudyScreen],
    run: Solved,
    code: Callable[[], Program],
    *,
    about: str,
    columns: str,
    of: str | None = None,
    watched: Scenario | None = None,
    own: Solved | None = None,
    views: Sequence[StageView] = (),
) -> None:
    """Exports, pin, ways on and link of a lesson's screen, side by side.

    Parameters
    ----------
    desk : Desk
    run : Solved
        What the page shows.
    code : callable
        Makes the page's program.
    about, columns : str
        What the program does, and what the trace has beside the iterations.
    of : str, optional
        Key of the stage whose cursor goes into the link.
    watched : Scenario, optional
        The run that other pages are given, where it is not the screen's own.
    own : Solved, optional
        The run that a visitor can stop, where ``run`` is another.
    views : sequence of StageView
        What the stages show; none while a question is open.
    """
    scenario, page = desk.scenario, desk.page.name
    shown = watched or scenario
    with bar.actions() as ways:
        with ways:
            stopped.to_the_end(own or run)
        words = {"about": about, "columns": columns}
        found = {} if of is None else {"views": views}
        export_menus(Exports(page, shown, {"run": run}, code, **words, **found), desk)
        pin_button(shown)
        open_in.show_ways(shown, page)
        with st.popover("Share", icon=":material/link:", type="primary"):
            if not too_long(scenario.to_query()):
                st.markdown("This link brings others to the same screen.")
                show_address(scenario, of)


def show_address(scenario: Scenario, of: str | None) -> None:
    """The link; with the stage's cursor, where there is one."""
    if of is None:
        st.code(link(scenario), language=None, wrap_lines=True)
    else:
        stage_component.show_link(scenario.to_query(), key=f"{of}_link", of=of)


def link(scenario: Scenario) -> str:
    """The whole address, as this visitor's browser has it."""
    here = (st.context.url or "").split("?")[0]
    query = scenario.to_query()
    return f"{here}?{query}" if query else here
