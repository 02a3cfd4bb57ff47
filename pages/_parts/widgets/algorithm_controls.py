"""Which algorithm, and its parameters."""

from __future__ import annotations

from itertools import groupby

import streamlit as st

from halfmoon.common.knobs import Knob
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.screen.screen import Screen
from halfmoon.pages._parts.widgets import menu
from halfmoon.pages._parts.widgets.knob import knob_control
from halfmoon.scenario import Scenario, suggested
from halfmoon.scenario.learning_problem import NEED_VALIDATION
from halfmoon.scenario.values import knob_words
from ssl_core import ALGORITHMS
from ssl_core.registry import in_menu_order

HELP = (
    "The method that learns from the labels. Its most important settings are below; a "
    "button beside a changed one resets it."
)


def algorithm_choice(desk: Desk[Screen]) -> None:
    """All algorithms, family by family."""
    chosen = desk.scenario.algorithm
    menu.show_menu(desk, "algorithm", "Algorithm", families(), chosen, choose_algorithm)


def families() -> tuple[menu.Group, ...]:
    """All algorithms as they stand in a menu."""
    entries = [ALGORITHMS[name] for name in in_menu_order()]
    return tuple(
        menu.Group(
            family.heading,
            tuple(menu.Option(e.id, e.title, e.idea) for e in some),
        )
        for family, some in groupby(entries, key=lambda entry: entry.family)
    )


def algorithm_controls(desk: Desk[Screen]) -> None:
    scenario, hides = desk.scenario, desk.screen.hides
    entry = ALGORITHMS[scenario.algorithm]
    st.markdown("###### Algorithm", help=HELP)
    st.caption(f"{entry.idea} ({entry.family.title})")
    knobs = [k for k in entry.in_order if not hides(k.name)]
    for knob in knobs:
        if knob.name in entry.first:
            parameter_control(desk, knob)
    rest = [k for k in knobs if k.name not in entry.first]
    if rest and not hides("more"):
        with st.expander("More settings"):
            for knob in rest:
                parameter_control(desk, knob)


def choose_algorithm(screen: Screen, name: str) -> Screen:
    return screen.switched(name) if name in ALGORITHMS else screen


def parameter_control(desk: Desk[Screen], knob: Knob) -> None:
    """A knob, and beside it a way back where it was turned."""
    scenario = desk.scenario
    if knob.idle(scenario.params):
        return
    value = scenario.params[knob.name]
    usual = usual_of(scenario)[knob.name]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        knob_control(desk, knob, value, "param.", turn_parameter)
        if value != usual:
            st.button(
                "Reset",
                key=f"reset.{knob.name}",
                type="tertiary",
                help=f"Back to {knob_words(knob, usual)}.",
                on_click=desk.on(reset_parameter),
                args=(knob.name,),
            )


def usual_of(scenario: Scenario) -> dict:
    """Parameters that suit the data as they are now."""
    return dict(suggested(scenario.algorithm, scenario.data, scenario.knobs))


def reset_parameter(screen: Screen, name: str) -> Screen:
    usual = usual_of(screen.scenario)
    if name not in usual:  # of the algorithm that was shown before
        return screen
    return screen.changed(screen.scenario.with_parameter(name, usual[name]))


def turn_parameter(screen: Screen, name: str, value, index: int = 0) -> Screen:
    """A knob of a method; a stopping rule brings what it needs along."""
    if name not in screen.scenario.methods[index].params:
        return screen  # of the algorithm that was shown before
    scenario = screen.scenario.with_parameter(name, value, index)
    rule = scenario.methods[index].params.get("stop")
    if name == "stop" and rule in NEED_VALIDATION and not scenario.n_val:
        held_out = screen.changed(scenario.with_held_out(20, scenario.n_test))
        return held_out.remarked(
            "This rule needs validation points: 20 are held out now."
        )
    return screen.changed(scenario)
