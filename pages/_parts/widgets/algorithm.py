"""Which algorithm, and its parameters."""

from __future__ import annotations

import streamlit as st

from pages._parts.playground.session import change, current, remark, switch
from pages._parts.running.learning_problem import NEED_VALIDATION
from pages._parts.scenario import suggested
from pages._parts.widgets.callbacks import choosing, moved, whole
from pages._parts.widgets.hiding import hidden
from pages._parts.widgets.knob import knob_control, turned_to
from ssl_core import ALGORITHMS
from ssl_core.knobs import Knob
from ssl_core.registry import in_menu_order
from ssl_core.viz.words import number

HELP = (
    "What learns from the labels. The knobs that matter most stand below; a knob that "
    "was turned has its way back beside it."
)


def algorithm_controls() -> None:
    scenario = current()
    entry = ALGORITHMS[scenario.algorithm]
    st.markdown("###### Algorithm", help=HELP)

    def chosen():
        if moved("algorithm") in ALGORITHMS:
            switch(moved("algorithm"))

    names = in_menu_order()
    st.selectbox(
        "Algorithm",
        names,
        **choosing("algorithm", scenario.algorithm, names),
        format_func=lambda name: ALGORITHMS[name].title,
        on_change=whole(chosen),
        label_visibility="collapsed",
    )
    st.caption(f"{entry.idea} ({entry.family.title})")
    knobs = [k for k in entry.in_order if not hidden(k.name)]
    for knob in knobs:
        if knob.name in entry.first:
            parameter_control(knob)
    rest = [k for k in knobs if k.name not in entry.first]
    if rest and not hidden("more"):
        with st.expander("More knobs"):
            for knob in rest:
                parameter_control(knob)


def parameter_control(knob: Knob) -> None:
    """A knob, and beside it a way back where it was turned."""
    scenario = current()
    if knob.idle(scenario.params):
        return
    value = scenario.params[knob.name]
    usual = dict(suggested(scenario.algorithm, scenario.data))[knob.name]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        knob_control(knob, value, "param.", turn_parameter)
        if value != usual:
            st.button(
                "Reset",
                key=f"reset.{knob.name}",
                type="tertiary",
                help=f"Back to {said(knob, usual)}.",
                on_click=whole(reset_parameter),
                args=(knob.name,),
            )


def said(knob: Knob, value) -> str:
    """Where a knob stands, in words."""
    if knob.kind == "choice":
        return knob.word(value)
    if value is None:
        return "automatic"
    if knob.kind == "bool":
        return "on" if value else "off"
    return number(value)


def reset_parameter(name: str) -> None:
    scenario = current()
    usual = dict(suggested(scenario.algorithm, scenario.data))
    if name in usual:  # else of the algorithm that was shown before
        change(scenario.with_parameter(name, usual[name]))


def turn_parameter(name: str) -> None:
    scenario = current()
    if name not in scenario.params:  # of the algorithm that was shown before
        return
    scenario = scenario.with_parameter(name, turned_to(f"param.{name}"))
    lacks = scenario.params.get("stop") in NEED_VALIDATION and not scenario.n_val
    if name == "stop" and lacks:
        change(scenario.with_held_out(20, scenario.n_test))
        remark("This rule needs validation points: 20 are held out now.")
    else:
        change(scenario)
