"""Which algorithm, and its parameters."""

from __future__ import annotations

import streamlit as st

from pages._parts.playground.session import change, current, remark, switch
from pages._parts.running.learning_problem import NEED_VALIDATION
from pages._parts.widgets.callbacks import choosing, moved, whole
from pages._parts.widgets.hiding import hidden
from pages._parts.widgets.knob import knob_control, turned_to
from ssl_core import ALGORITHMS
from ssl_core.knobs import Knob
from ssl_core.registry import in_menu_order


def algorithm_controls() -> None:
    scenario = current()
    entry = ALGORITHMS[scenario.algorithm]
    st.markdown("###### Algorithm")

    def chosen():
        if moved("algorithm") in ALGORITHMS:
            switch(moved("algorithm"))

    names = in_menu_order()
    st.selectbox(
        "Algorithm",
        names,
        **choosing("algorithm", scenario.algorithm, names),
        format_func=lambda name: ALGORITHMS[name].full_title,
        on_change=whole(chosen),
        help=entry.idea,
        label_visibility="collapsed",
    )
    for place in ("front", "stopping"):
        for knob in entry.knobs:
            if knob.place == place:
                parameter_control(knob)
    rest = [k for k in entry.knobs if k.place == "more" and not hidden(k.name)]
    if rest and not hidden("more"):
        with st.expander("More"):
            for knob in rest:
                parameter_control(knob)


def parameter_control(knob: Knob) -> None:
    scenario = current()
    if not knob.idle(scenario.params) and not hidden(knob.name):
        value = scenario.params[knob.name]
        knob_control(knob, value, "param.", turn_parameter)


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
