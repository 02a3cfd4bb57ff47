"""Widgets in, scenario out.

The scenario is the one truth. Before a widget is drawn it is set to what the scenario
says, and when it is moved its callback tells an event; so links, presets, clicks on the
stage and widgets can never disagree.

A message can be older than the page: it may name an option or a knob that is gone.
Events take what is still on offer and leave the rest alone. For the same reason
the text of an option never changes while it is offered: it is what the browser sends.
"""

from __future__ import annotations

import streamlit as st

from halfmoon.pages._parts.playground.presets import PRESETS
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.screen.screen import Screen
from halfmoon.pages._parts.widgets.algorithm_controls import (
    algorithm_choice,
    algorithm_controls,
)
from halfmoon.pages._parts.widgets.data_controls import data_choice, data_controls
from halfmoon.pages._parts.widgets.label_controls import label_controls
from halfmoon.scenario.learning_problem import Problem


def sidebar(desk: Desk[Screen], problem: Problem | None) -> None:
    """All other controls, in the order in which a run comes about."""
    hides = desk.screen.hides
    if not hides("presets"):
        preset_control(desk)
    if not hides("data"):
        data_controls(desk, problem, choice=False)
    if not hides("labels") and problem is not None:
        label_controls(desk, problem)
    if not hides("algorithm"):
        algorithm_controls(desk)


def choices(desk: Desk[Screen]) -> None:
    """What is on the stage: data and algorithm, named above it and chosen there."""
    hides = desk.screen.hides
    # The key keeps them in present mode.
    with st.container(horizontal=True, key="stage-choices", gap="small"):
        if not hides("data"):
            data_choice(desk)
        if not hides("algorithm"):
            algorithm_choice(desk)


def preset_control(desk: Desk[Screen]) -> None:
    def chosen(screen: Screen, name: str) -> Screen:
        if name not in PRESETS:
            return screen
        return screen.opening(PRESETS[name].scenario, hint=PRESETS[name].look)

    st.selectbox(
        "Examples",
        list(PRESETS),
        **desk.choosing("preset", None, PRESETS),
        placeholder="Start from an example",
        format_func=lambda name: PRESETS[name].title,
        on_change=desk.on(chosen, "preset"),
        label_visibility="collapsed",
    )
