"""The way on from a run that was stopped, the same on every page."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.shell.callbacks import whole
from halfmoon.scenario.solving import Solved


def to_the_end(
    run: Solved | None,
    forget: Callable[..., None] = runs.forget,
    args: tuple = (),
    key: str = "to_the_end",
) -> None:
    """A button where a run was stopped; it is then made again, to its end.

    Parameters
    ----------
    run : Solved or None
    forget : callable
        Drops the stopped run, given ``args``.
    """
    if run is not None and run.interrupted:
        icon = ":material/resume:"
        st.button(
            "Run to the end", key=key, icon=icon, on_click=whole(forget), args=args
        )
