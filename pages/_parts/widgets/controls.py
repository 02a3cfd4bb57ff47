"""Widgets in, scenario out.

The scenario in the session is the one truth. Before a widget is drawn it is set to
what the scenario says, and when it is moved its callback makes a new scenario; so
links, presets, clicks on the stage and widgets can never disagree.

A message can be older than the page: it may name an option or a knob that is gone.
Callbacks take what is still on offer and leave the rest alone. For the same reason
the text of an option never changes while it is offered: it is what the browser sends.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import streamlit as st

from datasets import DATASETS
from pages._parts.pictures import projection
from pages._parts.presets import PRESETS
from pages._parts.running import runs
from pages._parts.running.learning_problem import NEED_VALIDATION, Problem
from pages._parts.scenario import (
    COUNT,
    DRAWN,
    N_TEST,
    N_VAL,
    SEED,
    UPLOAD,
    Labels,
    Scenario,
    data_knobs,
)
from pages._parts.session import change, current, open_anew, remark, switch
from pages._parts.widgets import own_data
from pages._parts.widgets.callbacks import choosing, moved, standing, whole
from ssl_core import ALGORITHMS
from ssl_core.knobs import Knob
from ssl_core.registry import in_menu_order
from ssl_core.viz.narrate import number

NOTHING = "-"  # stands for the choice None, which to a selectbox means "not chosen"

HOW = {
    "telling": "The most telling ones",
    "random": "Per class, at random",
    "hand": "By hand",
    "file": "As in the file",
}
KINDS = {"bundled": "real", "benchmark": "benchmark"}


def hidden(name: str) -> bool:
    """Whether a teacher's link hides a control."""
    return name in current().hidden


# -- the whole sidebar ---------------------------------------------------------------


def sidebar(problem: Problem | None) -> None:
    """All controls, in the order in which a run comes about."""
    if not hidden("presets"):
        preset_control()
    if not hidden("data"):
        data_controls(problem)
    if not hidden("labels") and problem is not None:
        label_controls(problem)
    if not hidden("algorithm"):
        algorithm_controls()


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


# -- data ----------------------------------------------------------------------------


def data_names(scenario: Scenario) -> list[str]:
    """Data on offer: toys, one's own, real ones that can be had here."""
    names = [n for n, entry in DATASETS.items() if entry.available()]
    if scenario.data in DATASETS and scenario.data not in names:
        names.append(scenario.data)
    toys = [n for n in names if DATASETS[n].kind == "toy"]
    return [*toys, DRAWN, UPLOAD, *(n for n in names if n not in toys)]


def data_name(name: str) -> str:
    if name == DRAWN:
        return "Draw your own"
    if name == UPLOAD:
        return "A file of yours"
    entry = DATASETS[name]
    kind = KINDS.get(entry.kind)
    return f"{entry.title} · {kind}" if kind else entry.title


def data_controls(problem: Problem | None) -> None:
    scenario = current()
    st.markdown("###### Data")
    waiting = st.session_state.get(own_data.WAITING)

    def chosen():
        name = moved("data")
        if name not in data_names(current()):
            return
        st.session_state[own_data.WAITING] = name == UPLOAD
        if name != UPLOAD:
            change(current().with_data(name))

    about = None
    if scenario.data in DATASETS:
        about = DATASETS[scenario.data].description
    names = data_names(scenario)
    st.selectbox(
        "Data",
        names,
        **choosing("data", UPLOAD if waiting else scenario.data, names),
        format_func=data_name,
        on_change=whole(chosen),
        help=about,
        label_visibility="collapsed",
    )
    if waiting or scenario.data == UPLOAD:
        own_data.upload_controls(change)
    for knob in data_knobs(scenario.data).values():
        if not hidden(f"data.{knob.name}"):
            knob_control(knob, scenario.knobs[knob.name], "data.", turn_data_knob)
    if scenario.data in DATASETS and DATASETS[scenario.data].is_random:
        seed_control("seed", "Draw of the data", scenario.seed, turn_seed)
    if problem is not None:
        picture_controls(problem)
        if not hidden("split"):
            split_controls(problem)


def turned_to(key: str) -> Any:
    """Where a knob's widget stands now."""
    value = moved(key)
    return None if value == NOTHING else value


def turn_data_knob(name: str) -> None:
    scenario = current()
    if name in data_knobs(scenario.data):  # else of data that were shown before
        change(scenario.with_data_knob(name, turned_to(f"data.{name}")))


def turn_seed() -> None:
    if moved("seed") is not None:
        change(current().with_seed(int(moved("seed"))))


def seed_control(key: str, label: str, value: int, on_change) -> None:
    if hidden(key):
        return
    st.number_input(
        label,
        0,
        int(SEED.high),
        **standing(key, value),
        on_change=whole(on_change),
        help="Another number, another draw; the same number, the same draw.",
    )


def picture_controls(problem: Problem) -> None:
    """How data of more than two dimensions are laid out in the plane."""
    scenario, data = current(), problem.data
    ways = projection.offered(data)
    if ways == ("plain",) or hidden("view"):
        return
    way = projection.chosen(scenario.view, data)

    def chosen():
        if moved("projection") in ways:
            change(current().with_view(projection=moved("projection")))

    st.selectbox(
        f"{data.dims:,} dimensions shown by",
        ways,
        **choosing("projection", way, ways),
        format_func=projection.TITLES.get,
        on_change=whole(chosen),
    )
    if way != "features" or data.dims == 1:
        return

    def axis():
        axes = (int(moved("axis0")), int(moved("axis1")))
        change(current().with_view(features=axes))

    for i, label in enumerate(("Across", "Up")):
        name, axis_ = f"axis{i}", min(scenario.view.features[i], data.dims - 1)
        if data.dims <= 200:
            st.selectbox(
                label,
                range(data.dims),
                **choosing(name, axis_, range(data.dims)),
                format_func=lambda j: str(data.feature_names[j]),
                on_change=whole(axis),
            )
        else:
            st.number_input(
                label,
                0,
                data.dims - 1,
                **standing(name, axis_),
                on_change=whole(axis),
                step=1,
            )


def split_controls(problem: Problem) -> None:
    scenario = current()
    if scenario.data == DRAWN:
        return
    held = scenario.n_val + scenario.n_test
    name = f"Held out: {held}" if held else "Validation and test points"

    def turned():
        n_val = int(moved("n_val") or 0)
        n_test = int(moved("n_test") or 0)
        change(current().with_held_out(n_val, n_test))

    with st.expander(name):
        for key, knob, value in (
            ("n_val", N_VAL, scenario.n_val),
            ("n_test", N_TEST, scenario.n_test),
        ):
            st.number_input(
                knob.help.removesuffix("."),
                int(knob.low),
                int(knob.high),
                step=int(knob.step),
                **standing(key, value),
                on_change=whole(turned),
                help="Taken out at random before the run; their errors are shown.",
            )


# -- labels --------------------------------------------------------------------------


def label_controls(problem: Problem) -> None:
    scenario = current()
    labels = scenario.labels
    st.markdown("###### Labels")
    ways = ["telling", "random", "hand"]
    if scenario.data == UPLOAD and (problem.data.y < 0).any():
        ways.insert(0, "file")
    if labels.how not in ways:
        ways.append(labels.how)

    def chosen():
        how, scenario = moved("how"), current()
        if how in ways and how != scenario.labels.how:
            change(with_how(scenario, runs.desk().pose(scenario), how))

    st.selectbox(
        "Labels",
        ways,
        **choosing("how", labels.how, ways),
        format_func=lambda how: HOW[how],
        on_change=whole(chosen),
        label_visibility="collapsed",
        help=(
            "Clicking a point on the stage labels it by hand. Telling points are the "
            "middles of the data's regions, found without looking at any label."
        ),
    )
    if labels.how in ("random", "telling"):
        count_control(labels, problem)
        draw_again(labels)
    elif labels.how == "hand":
        st.caption(f"{problem.n_labelled:,} of {len(problem.train):,} points")
        st.button(
            "Take all labels away",
            on_click=whole(clear_labels),
            width="stretch",
            disabled=not labels.hand,
        )


def with_how(scenario: Scenario, problem: Problem, how: str) -> Scenario:
    """Choose labels another way; "by hand" begins with those that are there."""
    labels = scenario.labels
    if how == "hand":
        rows = problem.row[problem.train]
        marked = np.flatnonzero(problem.given >= 0)
        hand = tuple(sorted((int(rows[i]), int(problem.given[i])) for i in marked))
        return scenario.with_labels(Labels(how, labels.count, labels.draw, hand))
    count = labels.count
    if how != labels.how and labels.how in ("random", "telling"):
        k = problem.data.n_classes
        count = max(1, count // k) if how == "random" else count * k
    return scenario.with_labels(Labels(how, count, labels.draw))


def count_control(labels: Labels, problem: Problem) -> None:
    words = "Labels" if labels.how == "telling" else "Labels per class"
    most = max(20, labels.count, 2 * problem.data.n_classes)
    most = max(2, min(most, len(problem.train), int(COUNT.high)))

    def turned():
        labels = current().labels
        count = int(moved("count"))
        change(
            current().with_labels(Labels(labels.how, count, labels.draw, labels.hand))
        )

    at = standing("count", min(labels.count, most))
    st.slider(words, 1, most, **at, on_change=whole(turned))


def draw_again(labels: Labels) -> None:
    def again():
        labels = current().labels
        change(
            current().with_labels(
                Labels(labels.how, labels.count, labels.draw + 1, labels.hand)
            )
        )

    if labels.how == "random":
        st.button("Draw other labels", on_click=whole(again), width="stretch")


def clear_labels() -> None:
    labels = current().labels
    change(current().with_labels(Labels("hand", labels.count, labels.draw)))


# -- algorithm -----------------------------------------------------------------------


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


# -- one knob ------------------------------------------------------------------------


def knob_control(knob: Knob, value: Any, prefix: str, turn) -> None:
    """The widget that suits a knob's kind, standing at ``value``."""
    name = prefix + knob.name
    shared = {
        "on_change": whole(turn),
        "args": (knob.name,),
        "help": help_text(knob),
    }
    label = knob.label
    if knob.kind == "choice":

        def word(choice):
            return knob.word(None if choice == NOTHING else choice)

        choices = [NOTHING if c is None else c for c in knob.choices]
        place = NOTHING if value is None else value
        at = choosing(name, place, choices)
        st.selectbox(label, choices, format_func=word, **at, **shared)
        return
    shared |= standing(name, value)
    if knob.kind == "bool":
        st.toggle(label, **shared)
    elif None in knob.also or knob.low is None or knob.high is None:
        st.number_input(
            label,
            knob.low,
            knob.high,
            step=knob.step or None,
            placeholder="automatic",
            **shared,
        )
    elif knob.kind == "log":
        st.select_slider(label, log_steps(knob, value), format_func=number, **shared)
    elif knob.kind == "int" and knob.high > 1000 * (knob.step or 1):
        st.number_input(
            label, int(knob.low), int(knob.high), step=int(knob.step or 1), **shared
        )
    else:
        kind = int if knob.kind == "int" else float
        step = kind(knob.step or (1 if kind is int else (knob.high - knob.low) / 100))
        if kind is float:
            shared["format"] = f"%.{max(0, -math.floor(math.log10(step)))}f"
        st.slider(label, kind(knob.low), kind(knob.high), step=step, **shared)


def help_text(knob: Knob) -> str:
    unit = f" In {knob.unit}." if knob.unit and knob.unit != "points" else ""
    return f"{knob.help}{unit}"


def log_steps(knob: Knob, value: float) -> list[float]:
    """Round values over a knob's range, with those that are or were in use.

    A value that only a link has gets its own place, so that no slider moves it.
    """
    decades = math.log10(knob.high / knob.low)
    mantissas = (1.0, 2.0, 5.0)
    if decades <= 6:
        mantissas = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0)
    low, high = math.floor(math.log10(knob.low)), math.ceil(math.log10(knob.high))
    steps = {
        float(f"{m}e{e}")
        for e in range(low, high + 1)
        for m in mantissas
        if knob.low <= float(f"{m}e{e}") <= knob.high
    }
    steps |= {v for v in (*knob.also, knob.default, value) if v is not None}
    return sorted(steps)
