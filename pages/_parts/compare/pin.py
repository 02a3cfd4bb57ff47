"""The button that puts the run of a page into the visitor's comparison."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from halfmoon.pages._parts.compare import comparison
from halfmoon.pages._parts.shell import errors
from halfmoon.pages._parts.shell.callbacks import whole
from halfmoon.scenario import MAX_METHODS, Scenario

LABEL, ICON = "Pin", ":material/push_pin:"
HELP = "Add this run to Compare, with up to three others on the same data and labels."


def pin_button(
    scenario: Scenario, settled: Callable[[], Scenario] | None = None
) -> None:
    """One line for every page that shows a run.

    Parameters
    ----------
    scenario : Scenario
        What the page shows; its first method is pinned.
    settled : callable, optional
        Gives it again when the button is pressed, with all edits that have come.
    """
    why = reason(scenario)
    now = settled or (lambda: scenario)
    with st.container(width="content"):  # of its own: what it holds changes
        if not why:
            act = whole(lambda: errors.later(comparison.pin(now())))
            st.button(LABEL, icon=ICON, on_click=act, key="pin", help=HELP)
        else:
            with st.popover(LABEL, icon=ICON, key="pin_anew", help=HELP):
                st.markdown(why)
                act = whole(lambda: errors.later(comparison.start(now())))
                st.button("Start a new comparison here", on_click=act, key="pin_start")


def reason(scenario: Scenario) -> str:
    """Why a run cannot go into the comparison as it is; empty where it can."""
    kept = comparison.pinned()
    if kept is None:
        return ""
    if kept.setting != scenario.setting:
        return (
            "Compare shows other data or labels now, and all its methods share one "
            "setting. This run can be the first of a new comparison."
        )
    if scenario.method.from_start() in kept.methods:
        return "This run is in Compare already."
    if len(kept.methods) >= MAX_METHODS:
        return (
            f"Compare has {MAX_METHODS} methods, the most it takes; remove one there."
        )
    return ""
