"""Sentences around the stage: on what was opened or chosen, and on the run."""

from __future__ import annotations

import streamlit as st

from halfmoon.pages._parts.pictures.unreached import without_label
from halfmoon.pages._parts.pictures.worse import worse_than_svm
from halfmoon.pages._parts.screen.screen import Screen
from halfmoon.pages._parts.shell import errors
from halfmoon.scenario.learning_problem import Problem
from halfmoon.scenario.solving import Solved


def show_remarks(screen: Screen) -> None:
    """What the visitor should know of what was opened or chosen.

    They stay until other data or another algorithm are chosen: were they to go with
    the first label, the stage would move under the hand that gives the second.
    """
    if screen.remarks.about != screen.subject:
        return
    for sentence in screen.remarks.warnings:
        st.warning(errors.plain(sentence), icon=":material/info:")
    if screen.remarks.hint:
        st.info(errors.plain(screen.remarks.hint), icon=":material/lightbulb:")


def show_notes(problem: Problem | None, solved: Solved | None = None) -> None:
    """What the run should be known for; it stands below the stage and may change."""
    notes = list(problem.remarks) if problem is not None else []
    if solved is not None:
        found = (without_label(solved), worse_than_svm(solved))
        notes += filter(None, found)
    for note in notes:
        st.info(errors.plain(note), icon=":material/info:")


def offer_back(desk, scenario) -> None:
    """A way back where the data cannot be had."""
    back = desk.on(lambda screen: screen.opening(scenario))
    st.button("Back to two moons", on_click=back, key="back")
