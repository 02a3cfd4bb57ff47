"""Widgets in, scenario out.

The scenario in the session is the one truth. Before a widget is drawn it is set to
what the scenario says, and when it is moved its callback makes a new scenario; so
links, presets, clicks on the stage and widgets can never disagree.

A message can be older than the page: it may name an option or a knob that is gone.
Callbacks take what is still on offer and leave the rest alone. For the same reason
the text of an option never changes while it is offered: it is what the browser sends.
"""

from __future__ import annotations

import streamlit as st

from pages._parts.playground.presets import PRESETS
from pages._parts.playground.session import open_anew
from pages._parts.running.learning_problem import Problem
from pages._parts.widgets import algorithm, data, labels
from pages._parts.widgets.callbacks import choosing, moved, whole
from pages._parts.widgets.hiding import hidden


def sidebar(problem: Problem | None) -> None:
    """All controls, in the order in which a run comes about."""
    if not hidden("presets"):
        preset_control()
    if not hidden("data"):
        data.data_controls(problem)
    if not hidden("labels") and problem is not None:
        labels.label_controls(problem)
    if not hidden("algorithm"):
        algorithm.algorithm_controls()


def preset_control() -> None:
    def chosen():
        name = moved("preset")
        if name in PRESETS:
            open_anew(PRESETS[name].scenario, hint=PRESETS[name].look)

    st.selectbox(
        "Examples",
        list(PRESETS),
        **choosing("preset", None, PRESETS),
        placeholder="Start from an example",
        format_func=lambda name: PRESETS[name].title,
        on_change=whole(chosen),
        label_visibility="collapsed",
    )
