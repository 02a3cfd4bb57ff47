"""Take it home, the same on every page: script, notebook, trace, file, and the link."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from halfmoon.pages._parts import stage_component
from halfmoon.pages._parts.export import files
from halfmoon.pages._parts.export.download import download, when_asked
from halfmoon.pages._parts.export.exports import Exports
from halfmoon.pages._parts.export.notebook import as_notebook
from halfmoon.pages._parts.export.script import as_script
from halfmoon.pages._parts.export.shown_files import shown_controls
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.screen.screen import Screen
from halfmoon.pages._parts.shell import door
from halfmoon.pages._parts.shell.callbacks import whole
from halfmoon.pages._parts.shell.visit import visit
from halfmoon.pages._parts.widgets import hiding
from halfmoon.scenario import MAX_URL, Scenario
from halfmoon.scenario.saved_file import MAX_OPENED
from halfmoon.scenario.solving import Solved

OPENED = "opened"  # the box that takes a saved scenario


def menu(name: str, icon: str, **look):
    """A popover that tells whether it is open."""
    key = f"menu_{name.lower()}"
    return st.popover(name, icon=icon, key=key, on_change="rerun", **look)


def export_menus(exports: Exports, desk: Desk | None = None) -> None:
    """Code and Save, the same on every page; each is made when it is opened.

    Parameters
    ----------
    exports : Exports
    desk : Desk, optional
        Of a page that opens saved scenarios.
    """
    if exports.has_code:
        with menu("Code", ":material/code:") as code:
            if code.open:
                code_controls(exports)
    with menu("Save", ":material/download:") as save:
        if save.open:
            save_controls(exports)
            shown_controls(exports)
            if desk is not None and desk.page.opening is not None:
                open_control(desk)


def code_controls(exports: Exports) -> None:
    """The program, to be read here or taken home as script or notebook."""
    made = exports.program()
    text = as_script(made)
    st.markdown(exports.about)
    with st.container(height=320):
        st.code(text, language="python")
    with st.container(horizontal=True):
        download("Script", text, exports.file("py"))
        download("Notebook", as_notebook(made), exports.file("ipynb"))


def save_controls(exports: Exports) -> None:
    """The scenario, what happened at every iteration, and the page's own tables."""
    opens = "halfmoon.open_scenario reads it in Python."
    traces = list(exports.runs.items())
    with st.container(horizontal=True):
        saved = files.saved(exports.scenario)
        download("Scenario (JSON)", saved, exports.file("json"), help=opens)
        if len(traces) == 1:
            trace_buttons(exports, "Trace", "trace", traces[0][1])
        for title, table in exports.tables.items():
            download(f"{title} (CSV)", table(), exports.file("csv", title.lower()))
    for number, (name, run) in enumerate(traces if len(traces) > 1 else [], 1):
        with st.container(horizontal=True):  # the files of a method in one row
            trace_buttons(exports, f"Trace of {name}", f"trace_{number}", run)
    if exports.missing:
        st.caption(exports.missing)


def trace_buttons(exports: Exports, title: str, about: str, run: Solved) -> None:
    """A run as the library reads it again, and as a table."""
    for ending, write, what in (
        (
            "npz",
            files.trace_file,
            "Every state of the run; halfmoon.Trace.load reads it in Python.",
        ),
        ("csv", files.trace_table, f"One row per iteration: {exports.columns}."),
    ):
        label, name = f"{title} ({ending.upper()})", exports.file(ending, about)
        download(label, when_asked(write, run), name, help=what)


def open_control(desk: Desk) -> None:
    """A box that takes a saved scenario and shows it in the place of this one."""

    def opened():
        file = door.given(OPENED)
        if file is None:
            return
        scenario, remarks, content = files.read_saved(file.getvalue())
        if content is not None:
            runs.server().keep_file(content, visit().token)
        desk.page.tell(lambda screen: desk.page.opening(screen, scenario, remarks))

    st.file_uploader(
        "Open a saved scenario",
        key=OPENED,
        on_change=whole(opened),
        max_upload_size=MAX_OPENED // 1_000_000,
    )


def too_long(query: str) -> bool:
    """Says so where a link would be longer than what carries links."""
    if len(query) <= MAX_URL:
        return False
    st.info(
        "There are too many labels or points for a link; use Save and send the file.",
        icon=":material/info:",
    )
    return True


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
    if not too_long(query):
        st.markdown("This link brings others to the same screen.")
        stage_component.show_link(query, key="link", of=of)
    if scenario.upload is not None:
        st.caption(
            "The link works while this server remembers your file; Save keeps it."
        )
    if not scenario.hidden:
        hiding.hide_controls(desk, names, hidden)
