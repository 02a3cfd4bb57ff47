"""Buttons that hand out a file or a link."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from halfmoon.pages._parts.running import runs
from halfmoon.scenario.solving import Solved

T = TypeVar("T", str, bytes)
BINARY = "application/octet-stream"
TYPES = {
    "py": "text/x-python",
    "ipynb": "application/x-ipynb+json",
    "csv": "text/csv",
    "json": "application/json",
}


def download(
    label: str,
    content: str | Callable[[], str | bytes],
    name: str,
    *,
    icon: str = ":material/download:",
    help: str | None = None,
) -> None:
    """A button for a file; the ending of ``name`` says what it is.

    A function is called when the button is clicked, in another thread: it knows of no
    session, and holds no run, since Streamlit holds it after the visitor has left.
    """
    st.download_button(
        label,
        content,
        name,
        TYPES.get(name.rpartition(".")[2], BINARY),
        on_click="ignore",  # nothing on the page changes
        icon=icon,
        help=help,
    )


def when_asked(write: Callable[[Solved], T], run: Solved) -> Callable[[], T]:
    """Writes a file on a run when it is asked for, and does not hold the run."""
    found, scenario = weakref.ref(run), run.scenario
    return lambda: write(found() or runs.server().ask(scenario).outcome())
