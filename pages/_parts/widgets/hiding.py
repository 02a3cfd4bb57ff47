"""Controls that a teacher's link leaves out."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.screen.screen import Screen
from halfmoon.scenario import Scenario, data_knobs
from ssl_core import ALGORITHMS

GROUPS = {
    "presets": "Examples",
    "data": "Data",
    "seed": "Random seed",
    "split": "Validation and test points",
    "view": "Projection",
    "labels": "Labels",
    "algorithm": "Algorithm",
    "more": "More parameters",
    "tools": "Editing on the stage",
}


def hide_controls(
    desk: Desk[Screen], names: dict[str, str], hidden: tuple[str, ...]
) -> None:
    """What the link leaves out; the screen it is made on keeps everything."""

    def chosen(screen: Screen, names: list[str]) -> Screen:
        return replace(screen, hide=tuple(names))

    st.multiselect(
        "For a class: controls to hide",
        list(names),
        format_func=names.get,
        placeholder="none",
        help="They stay on your screen and are hidden where the link is opened.",
        on_change=desk.on(chosen, "hide"),
        **desk.picking("hide", list(hidden)),
    )


def hideable(scenario: Scenario) -> dict[str, str]:
    """Controls that a link can hide, by name."""
    names = dict(GROUPS)
    for knob in data_knobs(scenario.data).values():
        names[f"data.{knob.name}"] = knob.label
    for method in scenario.methods:
        for knob in ALGORITHMS[method.algorithm].knobs:
            names.setdefault(knob.name, knob.label)
    return names
