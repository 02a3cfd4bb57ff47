"""Take a run home: link, script, notebook, table, file."""

from __future__ import annotations

import streamlit as st

from halfmoon.pages._parts.compare.pin import pin_button
from halfmoon.pages._parts.export.exports import Exports
from halfmoon.pages._parts.export.menus import export_menus, menu, share_controls
from halfmoon.pages._parts.playground.playground_page import STAGE
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.screen.screen import Screen
from halfmoon.pages._parts.shell import bar, open_in
from halfmoon.pages._parts.widgets import stopped
from halfmoon.scenario import Scenario
from halfmoon.scenario.solving import Solved
from halfmoon.stage import StageView


def actions(desk: Desk[Screen], solved: Solved | None, view: StageView | None) -> None:
    """Code, Save, Open in and Share, side by side; before them, what the run offers."""
    with bar.actions() as ways:
        with ways:
            ways_out(desk, solved)
        pin_button(desk.scenario, lambda: desk.page.settled().scenario)
        export_menus(exports_of(desk, solved, view), desk)
        open_in.show_ways(desk.scenario, desk.page.name)
        with menu("Share", ":material/link:", type="primary") as share:
            if share.open:
                share_controls(desk, Scenario.to_query, STAGE)


def exports_of(
    desk: Desk[Screen], solved: Solved | None, view: StageView | None
) -> Exports:
    """The run, where there is one, and what the stage shows of it."""
    if solved is None or view is None:
        return Exports(desk.page.name, desk.scenario)
    return Exports(desk.page.name, desk.scenario, {"run": solved}, views=(view,))


def ways_out(desk: Desk[Screen], solved: Solved | None) -> None:
    """Buttons for a run that was stopped, or that goes on from another."""
    stopped.to_the_end(solved)
    if desk.scenario.start is not None:
        st.button(
            "Start from the beginning",
            on_click=desk.on(lambda s: s.changed(s.scenario.from_start(0))),
            key="from_start",
            icon=":material/restart_alt:",
            help=(
                "This run continues an earlier one; a changed label continues from the "
                "same iteration."
            ),
        )
