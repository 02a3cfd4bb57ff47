"""Which data: their knobs, their draw, how they are laid out, what is held out."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from halfmoon.datasets import DATASETS
from halfmoon.pages._parts.running import projection
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.screen.screen import Screen
from halfmoon.pages._parts.widgets import gallery, menu, own_data
from halfmoon.pages._parts.widgets.knob import knob_control
from halfmoon.scenario import (
    DRAWN,
    N_TEST,
    N_VAL,
    SEED,
    UPLOAD,
    Scenario,
    data_knobs,
)
from halfmoon.scenario.learning_problem import Problem

HELP = (
    "A picture chooses toy data; the menu lists all data: toy data, your own, real "
    "data and the papers' benchmarks."
)


OWN = {  # one's own data: title, and what they are
    DRAWN: ("Draw points", "Points that you put on the stage."),
    UPLOAD: ("Upload a file", "CSV, Parquet or svmlight, from your computer."),
}
ABSENT = (
    "Benchmarks that are not on this machine: {}. `halfmoon data list` shows where "
    "they come from, `halfmoon data fetch` downloads them."
)
HEADINGS = {
    "toy": "Toy data",
    "own": "Your own data",
    "bundled": "Real data",
    "benchmark": "Benchmarks of the papers",
}


def kinds(scenario: Scenario) -> tuple[menu.Group, ...]:
    """Data on offer by their kind: toys, one's own, real ones that can be had here."""
    there = {
        name: entry
        for name, entry in DATASETS.items()
        if entry.available() or name == scenario.data
    }
    some = {kind: [] for kind in HEADINGS}
    some["own"] = [menu.Option(name, *words) for name, words in OWN.items()]
    for name, entry in there.items():
        some[entry.kind].append(menu.Option(name, entry.title, entry.description))
    found = ((HEADINGS[kind], tuple(options)) for kind, options in some.items())
    return tuple(menu.Group(title, options) for title, options in found if options)


def data_names(scenario: Scenario) -> list[str]:
    """Data on offer, in the order of the menu."""
    return [option.id for group in kinds(scenario) for option in group.options]


def data_choice(desk: Desk[Screen]) -> None:
    """The menu with all data that are on offer."""
    chosen = UPLOAD if desk.screen.awaits_file else desk.scenario.data
    menu.show_menu(desk, "data", "Data", kinds(desk.scenario), chosen, choose)


def data_controls(
    desk: Desk[Screen], problem: Problem | None, *, choice: bool = True
) -> None:
    """What there is to say of the data; without `choice`, the menu stands elsewhere."""
    scenario, hides = desk.scenario, desk.screen.hides
    about = [HELP]
    if scenario.data in DATASETS:
        about.insert(0, DATASETS[scenario.data].description)
    if absent := sum(bool(entry.absence()) for entry in DATASETS.values()):
        about.append(ABSENT.format(absent))
    st.markdown("###### Data", help="\n\n".join(about))
    waiting = desk.screen.awaits_file
    gallery.show_gallery(desk, None if waiting else scenario.data, choose)
    if choice:
        data_choice(desk)
    if waiting or scenario.data == UPLOAD:
        own_data.upload_controls(desk)
    for knob in data_knobs(scenario.data).values():
        if not hides(f"data.{knob.name}"):
            value = scenario.knobs[knob.name]
            knob_control(desk, knob, value, "data.", turn_data_knob)
    if scenario.data in DATASETS and DATASETS[scenario.data].is_random:
        seed_control(desk)
    if problem is not None:
        picture_controls(desk, problem)
        if not hides("split"):
            split_controls(desk)


def choose(screen: Screen, name: str) -> Screen:
    """Other data, if they are still on offer."""
    if name not in data_names(screen.scenario):
        return screen
    if name == UPLOAD:
        return replace(screen, awaits_file=True)
    other = screen.changed(screen.scenario.with_data(name))
    return replace(other, awaits_file=False)


def turn_data_knob(screen: Screen, name: str, value) -> Screen:
    if name not in data_knobs(screen.scenario.data):  # of data that were shown before
        return screen
    return screen.changed(screen.scenario.with_data_knob(name, value))


def turn_seed(screen: Screen, seed: int | None) -> Screen:
    if seed is None:  # the field was emptied to type another number
        return screen
    return screen.changed(screen.scenario.with_seed(int(seed)))


def seed_control(desk: Desk[Screen]) -> None:
    if desk.screen.hides("seed"):
        return
    st.number_input(
        "Random seed",
        0,
        int(SEED.high),
        **desk.standing("seed", desk.scenario.seed),
        on_change=desk.on(turn_seed, "seed"),
        help="The same number gives the same data again.",
    )


def picture_controls(desk: Desk[Screen], problem: Problem) -> None:
    """How data of more than two dimensions are laid out in the plane."""
    scenario, data = desk.scenario, problem.data
    ways = projection.offered(data)
    if ways == ("plain",) or desk.screen.hides("view"):
        return
    way = projection.chosen(scenario.view, data)

    def chosen(screen: Screen, way: str) -> Screen:
        if way not in ways:
            return screen
        return screen.changed(screen.scenario.with_view(projection=way))

    st.selectbox(
        f"{data.dims:,} dimensions shown by",
        ways,
        **desk.choosing("projection", way, ways),
        format_func=projection.TITLES.get,
        on_change=desk.on(chosen, "projection"),
    )
    if way != "features" or data.dims == 1:
        return

    def axis(screen: Screen, across: int, up: int) -> Screen:
        axes = int(across), int(up)
        return screen.changed(screen.scenario.with_view(features=axes))

    turned = desk.on(axis, "axis0", "axis1")

    for i, label in enumerate(("Across", "Up")):
        name, axis_ = f"axis{i}", min(scenario.view.features[i], data.dims - 1)
        if data.dims <= 200:
            st.selectbox(
                label,
                range(data.dims),
                **desk.choosing(name, axis_, range(data.dims)),
                format_func=lambda j: str(data.feature_names[j]),
                on_change=turned,
            )
        else:
            st.number_input(
                label,
                0,
                data.dims - 1,
                **desk.standing(name, axis_),
                on_change=turned,
                step=1,
            )


def split_controls(desk: Desk[Screen]) -> None:
    scenario = desk.scenario
    if scenario.data == DRAWN:
        return
    held = scenario.n_val + scenario.n_test
    name = f"Held out: {held}" if held else "Validation and test points"

    def turned(screen: Screen, n_val, n_test) -> Screen:
        n_val, n_test = int(n_val or 0), int(n_test or 0)
        return screen.changed(screen.scenario.with_held_out(n_val, n_test))

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
                **desk.standing(key, value),
                on_change=desk.on(turned, "n_val", "n_test"),
                help="Held out at random before the run; their errors are shown.",
            )
