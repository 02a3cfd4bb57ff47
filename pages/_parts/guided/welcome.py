"""First visit: what this is, what to try on the stage, where to learn more."""

from __future__ import annotations

import streamlit as st

from pages._parts import stage
from pages._parts.guided import cards, session
from pages._parts.guided.lessons import LESSONS
from pages._parts.widgets.callbacks import whole

SENTENCE = (
    "Watch a machine learn from a few points with a label and many without one, step "
    "by step."
)
PROMPTS = (
    stage.Prompt("label", "Click a point"),
    stage.Prompt("drag", "Drag a label"),
    stage.Prompt("graph", "Try without the graph"),
)
FIRST = 4  # cards below the stage; the others are one click away


def show_sentence() -> None:
    st.markdown(SENTENCE)


def show_cards() -> None:
    """The first lessons, and the way to all of them."""
    st.markdown("##### New to this? Short lessons, each with a question first")
    names = list(LESSONS)[:FIRST]
    pressed = cards.show(names, session.done(), whole(session.begin), "welcome")
    everything = st.button(
        f"All {len(LESSONS)} lessons",
        key="welcome_all",
        icon=":material/school:",
        on_click=whole(session.leave),
    )
    if pressed or everything:
        st.switch_page("pages/lessons.py")
