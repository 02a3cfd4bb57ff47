"""Who is labelled: how the labels are chosen, and how many."""

from __future__ import annotations

import numpy as np
import streamlit as st

from pages._parts.playground.session import change, current
from pages._parts.running import runs
from pages._parts.running.learning_problem import Problem
from pages._parts.scenario import COUNT, UPLOAD, Labels, Scenario
from pages._parts.widgets.callbacks import choosing, moved, standing, whole

HOW = {
    "telling": "The most telling ones",
    "random": "Per class, at random",
    "hand": "By hand",
    "file": "As in the file",
}
HELP = (
    "Clicking a point on the stage labels it by hand. Telling points are the middles "
    "of the data's regions, found without looking at any label."
)


def label_controls(problem: Problem) -> None:
    scenario = current()
    labels = scenario.labels
    st.markdown("###### Labels", help=HELP)
    ways = ["telling", "random", "hand"]
    if scenario.data == UPLOAD and (problem.data.y < 0).any():
        ways.insert(0, "file")
    if labels.how not in ways:
        ways.append(labels.how)

    def chosen():
        how, scenario = moved("how"), current()
        if how in ways and how != scenario.labels.how:
            change(with_how(scenario, runs.server().pose(scenario), how))

    st.selectbox(
        "Labels",
        ways,
        **choosing("how", labels.how, ways),
        format_func=lambda how: HOW[how],
        on_change=whole(chosen),
        label_visibility="collapsed",
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
