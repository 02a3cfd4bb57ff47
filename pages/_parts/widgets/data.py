"""Which data: their knobs, their draw, how they are laid out, what is held out."""

from __future__ import annotations

import streamlit as st

from datasets import DATASETS
from pages._parts.playground.session import change, current
from pages._parts.running import projection
from pages._parts.running.learning_problem import Problem
from pages._parts.scenario import (
    DRAWN,
    N_TEST,
    N_VAL,
    SEED,
    UPLOAD,
    Scenario,
    data_knobs,
)
from pages._parts.widgets import gallery, own_data
from pages._parts.widgets.callbacks import choosing, moved, standing, whole
from pages._parts.widgets.hiding import hidden
from pages._parts.widgets.knob import knob_control, turned_to

HELP = (
    "A picture chooses a toy; the box has all data: toys, your own, real ones and the "
    "papers' benchmarks."
)


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
    return DATASETS[name].title


def data_controls(problem: Problem | None) -> None:
    scenario = current()
    about = HELP
    if scenario.data in DATASETS:
        about = f"{DATASETS[scenario.data].description}\n\n{HELP}"
    st.markdown("###### Data", help=about)
    waiting = own_data.kept().waiting
    gallery.show(None if waiting else scenario.data, choose)

    def chosen():
        choose(moved("data"))

    names = data_names(scenario)
    st.selectbox(
        "Data",
        names,
        **choosing("data", UPLOAD if waiting else scenario.data, names),
        format_func=data_name,
        on_change=whole(chosen),
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


def choose(name: str) -> None:
    """Other data, if they are still on offer."""
    if name not in data_names(current()):
        return
    own_data.kept().waiting = name == UPLOAD
    if name != UPLOAD:
        change(current().with_data(name))


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
