"""The door: what a browser says of its widgets is read here, or it did not arrive.

A message may be forged, or older than the widget it is about. Streamlit reads it when
it is first asked for, before any line of a page runs, and whatever its reader raises
then ends the page, and every later run of that session with it.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from halfmoon.pages._parts.shell import inside


def guard() -> None:
    """Have every value of every widget checked, and every callback called, in all
    sessions of this process.

    Where a message cannot be a value of its widget (another type, no number, a word
    that is none of the options), the widget stands at its default, and for those of
    `Desk.standing` that is where the page put it.
    """
    inside.check_widgets()
    inside.answer_before_looking()


def mounted(key: str) -> bool:
    """Whether an element was on the page when the browser last spoke."""
    return key in st.session_state


def given(key: str) -> Any:
    """The file that an uploader holds, or None."""
    return st.session_state[key]


def message(key: str, name: str, kind: type | tuple[type, ...] = object) -> Any:
    """What a component says under a name; None where that is not of the kind."""
    said = st.session_state.get(key)
    said = said.get(name) if hasattr(said, "get") else None
    return said if isinstance(said, kind) else None
