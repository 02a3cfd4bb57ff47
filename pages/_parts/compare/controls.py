"""Controls of a comparison: data and labels as on the playground, then the methods."""

from __future__ import annotations

import streamlit as st

from pages._parts.compare import session as comparison
from pages._parts.playground.session import change, current, remark
from pages._parts.running.learning_problem import NEED_VALIDATION, Problem
from pages._parts.scenario import MAX_METHODS, Method, suggested
from pages._parts.widgets import data, labels
from pages._parts.widgets.algorithm import said
from pages._parts.widgets.callbacks import choosing, key_of, moved, whole
from pages._parts.widgets.hiding import hidden
from pages._parts.widgets.knob import knob_control, turned_to
from ssl_core import ALGORITHMS
from ssl_core.knobs import Knob
from ssl_core.registry import in_menu_order


def sidebar(problem: Problem | None) -> None:
    """All controls, in the order in which a comparison comes about."""
    if not hidden("data"):
        data.data_controls(problem)
    if not hidden("labels") and problem is not None:
        labels.label_controls(problem)
    if not hidden("algorithm"):
        method_controls()


def method_controls() -> None:
    st.markdown("###### Methods")
    scenario, places, _ = comparison.begin()
    for index, number in enumerate(places):
        with st.container(border=True, key=key_of(f"method{number}")):
            one_method(scenario.methods[index], index, number)
            if len(places) > 1:
                remove_control(number)
    if len(places) < MAX_METHODS:
        add_control()


def add_control() -> None:
    names = in_menu_order()

    def chosen():
        comparison.add(moved("add"))

    st.selectbox(
        "Add a method",
        names,
        **choosing("add", None, names),
        placeholder="Add a method",
        format_func=lambda name: ALGORITHMS[name].title,
        on_change=whole(chosen),
        label_visibility="collapsed",
    )


def remove_control(number: int) -> None:
    st.button(
        "Remove",
        on_click=whole(comparison.remove),
        args=(number,),
        key=key_of(f"m{number}.remove"),
        icon=":material/close:",
        type="tertiary",
    )


def one_method(method: Method, index: int, number: int) -> None:
    """Which algorithm stands in this place, and its knobs."""
    entry = ALGORITHMS[method.algorithm]
    box = f"m{number}.algorithm"

    def chosen():
        comparison.switch(number, moved(box))

    names = in_menu_order()
    st.selectbox(
        f"Method {index + 1}",
        names,
        **choosing(box, method.algorithm, names),
        format_func=lambda name: ALGORITHMS[name].title,
        on_change=whole(chosen),
        help=entry.idea,
    )
    able = (k for k in entry.in_order if not k.idle(method.params))
    knobs = [k for k in able if not hidden(k.name)]
    front = [k for k in knobs if k.name in entry.first]
    for knob in front:
        parameter_control(knob, method, number)
    rest = [k for k in knobs if k not in front]
    if rest and not hidden("more"):
        with st.expander("More knobs", key=key_of(f"m{number}.more")):
            for knob in rest:
                parameter_control(knob, method, number)


def parameter_control(knob: Knob, method: Method, number: int) -> None:
    """A knob of one method, and beside it a way back where it was turned."""
    prefix = f"m{number}.{method.algorithm}."
    usual = dict(suggested(method.algorithm, current().data))[knob.name]

    def turn(name: str) -> None:
        turn_parameter(number, name, turned_to(prefix + name))

    def reset() -> None:
        turn_parameter(number, knob.name, usual)

    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        knob_control(knob, method.params[knob.name], prefix, turn)
        if method.params[knob.name] != usual:
            st.button(
                "Reset",
                key=key_of(f"{prefix}{knob.name}.reset"),
                type="tertiary",
                help=f"Back to {said(knob, usual)}.",
                on_click=whole(reset),
            )


def turn_parameter(number: int, name: str, value) -> None:
    """Turn a knob of the method in a place, if it is still there and has one."""
    scenario, index = current(), comparison.index_of(number)
    if index is None or name not in scenario.methods[index].params:
        return
    scenario = scenario.with_parameter(name, value, index)
    rule = scenario.methods[index].params.get("stop")
    if name == "stop" and rule in NEED_VALIDATION and not scenario.n_val:
        change(scenario.with_held_out(20, scenario.n_test))
        remark("This rule needs validation points: 20 are held out now.")
    else:
        change(scenario)
