"""Controls of a comparison: data and labels as on the playground, then the methods."""

from __future__ import annotations

import streamlit as st

from halfmoon.common.knobs import Knob
from halfmoon.pages._parts.compare import comparison
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.screen.screen import Screen
from halfmoon.pages._parts.widgets import menu
from halfmoon.pages._parts.widgets.algorithm_controls import families, turn_parameter
from halfmoon.pages._parts.widgets.data_controls import data_controls
from halfmoon.pages._parts.widgets.knob import knob_control
from halfmoon.pages._parts.widgets.label_controls import label_controls
from halfmoon.scenario import MAX_METHODS, Method, suggested
from halfmoon.scenario.learning_problem import Problem
from halfmoon.scenario.values import knob_words
from ssl_core import ALGORITHMS


def comparison_sidebar(desk: Desk[Screen], problem: Problem | None) -> None:
    """All controls, in the order in which a comparison comes about."""
    hides = desk.screen.hides
    if not hides("data"):
        data_controls(desk, problem)
    if not hides("labels") and problem is not None:
        label_controls(desk, problem)
    if not hides("algorithm"):
        method_controls(desk)


def method_controls(desk: Desk[Screen]) -> None:
    st.markdown("###### Methods")
    places = desk.screen.places
    for index, number in enumerate(places):
        with st.container(border=True, key=desk.key(f"method{number}")):
            one_method(desk, index, number)
            if len(places) > 1:
                remove_control(desk, number)
    if len(places) < MAX_METHODS:
        add_control(desk)


def add_control(desk: Desk[Screen]) -> None:
    menu.show_menu(desk, "add", "Add a method", families(), None, comparison.add)


def remove_control(desk: Desk[Screen], number: int) -> None:
    st.button(
        "Remove",
        on_click=desk.on(comparison.remove),
        args=(number,),
        key=desk.key(f"m{number}.remove"),
        icon=":material/close:",
        type="tertiary",
    )


def one_method(desk: Desk[Screen], index: int, number: int) -> None:
    """Which algorithm stands in this place, and its knobs."""
    method = desk.scenario.methods[index]
    entry = ALGORITHMS[method.algorithm]
    menu.show_menu(
        desk,
        f"m{number}.algorithm",
        f"Method {index + 1}",
        families(),
        method.algorithm,
        comparison.switch,
        number,
    )
    able = (k for k in entry.in_order if not k.idle(method.params))
    knobs = [k for k in able if not desk.screen.hides(k.name)]
    front = [k for k in knobs if k.name in entry.first]
    for knob in front:
        parameter_control(desk, knob, method, number)
    rest = [k for k in knobs if k not in front]
    if rest and not desk.screen.hides("more"):
        with st.expander("More settings", key=desk.key(f"m{number}.more")):
            for knob in rest:
                parameter_control(desk, knob, method, number)


def parameter_control(
    desk: Desk[Screen], knob: Knob, method: Method, number: int
) -> None:
    """A knob of one method, and beside it a way back where it was turned."""
    prefix, scenario = f"m{number}.{method.algorithm}.", desk.scenario
    usual = dict(suggested(method.algorithm, scenario.data, scenario.knobs))[knob.name]

    def turn(screen: Screen, name: str, value) -> Screen:
        """If the method is still there and has the knob."""
        index = comparison.index_of(screen, number)
        return screen if index is None else turn_parameter(screen, name, value, index)

    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        knob_control(desk, knob, method.params[knob.name], prefix, turn)
        if method.params[knob.name] != usual:
            st.button(
                "Reset",
                key=desk.key(f"{prefix}{knob.name}.reset"),
                type="tertiary",
                help=f"Back to {knob_words(knob, usual)}.",
                on_click=desk.on(turn),
                args=(knob.name, usual),
            )
