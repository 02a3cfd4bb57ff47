"""Buttons for the ways out of a refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from halfmoon.pages._parts.screen.page import Desk


def by_size(error: Exception | None) -> bool:
    """Whether the size was refused, which no click on the stage brings about."""
    return any(way.other_algorithm for way in getattr(error, "ways", ()))


def offer(
    desk: Desk,
    error: Exception | None,
    take: Callable[..., Any],
    *,
    key: str = "",
    other_algorithm: bool = True,
    lead: str = "No run yet.",
) -> None:
    """A button for each way out that the error has.

    Parameters
    ----------
    error : Exception or None
        A `RefusedError`; nothing else has any.
    take : callable
        Event: from a screen and a `refusals.Way` to a screen.
    key : str
        Tells several refusals of one page apart.
    other_algorithm : bool
        Whether the page can show another algorithm.
    lead : str
        What is missing, before the buttons.
    """
    ways = getattr(error, "ways", ())
    ways = [way for way in ways if other_algorithm or not way.other_algorithm]
    if not ways:
        return
    row = {"horizontal": True, "vertical_alignment": "center"}
    with st.container(key=desk.key(f"ways_out{key}"), **row):
        st.markdown(lead, width="content")
        for number, way in enumerate(ways):
            st.button(
                way.title,
                on_click=desk.on(take),
                args=(way,),
                key=desk.key(f"way_out{key}_{number}"),
            )
