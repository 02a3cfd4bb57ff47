"""Buttons that hand out a file or a link."""

from __future__ import annotations

import weakref
from collections.abc import Callable

import streamlit as st

from halfmoon.pages._parts.export.files import trace_table
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.running.job import Solved

TYPES = {
    "py": "text/x-python",
    "ipynb": "application/x-ipynb+json",
    "csv": "text/csv",
    "json": "application/json",
}


def download(
    label: str,
    content: str | Callable[[], str],
    name: str,
    *,
    icon: str = ":material/download:",
    help: str | None = None,
) -> None:
    """A button for a text; the ending of ``name`` says what it is.

    A function is called when the button is clicked, in another thread: it knows of no
    session, and holds no run, since Streamlit holds it after the visitor has left.
    """
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
    download(label, when_asked(trace_table, run), "halfmoon_trace.csv", help=help)


def when_asked(write: Callable[[Solved], str], run: Solved) -> Callable[[], str]:
    """Writes a text on a run when it is asked for, and does not hold the run."""
    found, scenario = weakref.ref(run), run.scenario
    return lambda: write(found() or runs.server().ask(scenario).outcome())
