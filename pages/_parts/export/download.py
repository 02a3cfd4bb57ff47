"""Buttons that hand out a file or a link."""

from __future__ import annotations

import streamlit as st

from pages._parts import stage
from pages._parts.compare.pin import pin_button
from pages._parts.export.files import trace_table
from pages._parts.running.job import Solved
from pages._parts.scenario import Scenario
from pages._parts.shell import open_in

TYPES = {
    "py": "text/x-python",
    "ipynb": "application/x-ipynb+json",
    "csv": "text/csv",
    "json": "application/json",
}


def download(
    label: str,
    content: str,
    name: str,
    *,
    icon: str = ":material/download:",
    help: str | None = None,
) -> None:
    """A button for a text; the ending of ``name`` says what it is."""
    st.download_button(
        label,
        content,
        name,
        TYPES[name.rpartition(".")[2]],
        on_click="ignore",  # nothing on the page changes
        icon=icon,
        help=help,
    )


def trace_button(label: str, run: Solved, columns: str) -> None:
    """The table of a run; ``columns`` says what is in it."""
    help = f"One row per iteration: {columns}."
    download(label, trace_table(run), "halfmoon_trace.csv", help=help)


def lesson_buttons(
    scenario: Scenario,
    run: Solved,
    script: str,
    page: str,
    *,
    about: str,
    columns: str,
    of: str | None = None,
    watched: Scenario | None = None,
) -> None:
    """Script, table, pin, ways on and link of a lesson's screen, side by side.

    Parameters
    ----------
    scenario : Scenario
    run : Solved
    script, page : str
        The script, and the page's name, which names its file.
    about, columns : str
        What the script does, and what the table has beside the iterations.
    of : str, optional
        Key of the stage whose cursor goes into the link.
    watched : Scenario, optional
        The run that other pages are given, where it is not the screen's own.
    """
    with st.container(horizontal=True, key="actions", horizontal_alignment="right"):
        download(
            "Script", script, f"halfmoon_{page}.py", icon=":material/code:", help=about
        )
        trace_button("Trace", run, columns)
        pin_button(watched or scenario)
        open_in.menu(watched or scenario, page)
        with st.popover("Share", icon=":material/link:", type="primary"):
            st.markdown("This link brings others to the same screen.")
            if of is None:
                st.code(link(scenario), language=None, wrap_lines=True)
            else:
                stage.show_link(scenario.to_query(), key=f"{of}_link", of=of)


def link(scenario: Scenario) -> str:
    """The whole address, as this visitor's browser has it."""
    here = (st.context.url or "").split("?")[0]
    query = scenario.to_query()
    return f"{here}?{query}" if query else here
