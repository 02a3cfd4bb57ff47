"""Who is labelled: how the labels are chosen, and how many."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.screen.screen import Screen
from halfmoon.scenario import COUNT, UPLOAD, Labels, Scenario
from halfmoon.scenario.learning_problem import Problem

HOW = {
    "telling": "Most informative points",
    "random": "Per class, at random",
    "hand": "By hand",
    "file": "As in the file",
}
HELP = (
    "Clicking a point on the stage labels it by hand. The most informative points are "
    "the centres of regions of the data, found without using any label."
)


def label_controls(desk: Desk[Screen], problem: Problem) -> None:
    scenario = desk.scenario
    labels = scenario.labels
    st.markdown("###### Labels", help=HELP)
    ways = ["telling", "random", "hand"]
    if scenario.data == UPLOAD and (problem.data.y < 0).any():
        ways.insert(0, "file")
    if labels.how not in ways:
        ways.append(labels.how)

    def chosen(screen: Screen, how: str) -> Screen:
        scenario = screen.scenario
        if how not in ways or how == scenario.labels.how:
            return screen
        return screen.changed(with_how(scenario, runs.server().pose(scenario), how))

    st.selectbox(
        "Labels",
        ways,
        **desk.choosing("how", labels.how, ways),
        format_func=lambda how: HOW[how],
        on_change=desk.on(chosen, "how"),
        label_visibility="collapsed",
    )
    if labels.how in ("random", "telling"):
        count_control(desk, problem)
        draw_again(desk)
    elif labels.how == "hand":
        st.caption(f"{problem.n_labelled:,} of {len(problem.train):,} points")
        st.button(
            "Clear all labels",
            on_click=desk.on(clear_labels),
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


def relabelled(screen: Screen, **changes) -> Screen:
    labels = replace(screen.scenario.labels, **changes)
    return screen.changed(screen.scenario.with_labels(labels))


def count_control(desk: Desk[Screen], problem: Problem) -> None:
    labels = desk.scenario.labels
    words = "Labels" if labels.how == "telling" else "Labels per class"
    most = max(20, labels.count, 2 * problem.data.n_classes)
    most = max(2, min(most, len(problem.train), int(COUNT.high)))

    def turned(screen: Screen, count: int) -> Screen:
        return relabelled(screen, count=int(count))

    at = desk.standing("count", min(labels.count, most))
    st.slider(words, 1, most, **at, on_change=desk.on(turned, "count"))


def draw_again(desk: Desk[Screen]) -> None:
    def again(screen: Screen) -> Screen:
        return relabelled(screen, draw=screen.scenario.labels.draw + 1)

    if desk.scenario.labels.how == "random":
        st.button("Choose other labels", on_click=desk.on(again), width="stretch")


def clear_labels(screen: Screen) -> Screen:
    return relabelled(screen, how="hand", hand=())
