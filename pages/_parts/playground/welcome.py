"""First visit: what this is, what to try on the stage, where to learn more."""

from __future__ import annotations

import streamlit as st

from halfmoon import stage
from halfmoon.pages._parts.lessons import cards, student
from halfmoon.pages._parts.lessons.place import Place
from halfmoon.pages._parts.lessons.plans import LESSONS
from halfmoon.pages._parts.lessons.student import STUDENT
from halfmoon.pages._parts.screen.choice_page import Chosen
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.shell import navigation

SENTENCE = (
    "Watch a classifier learn from a few labelled and many unlabelled points, step "
    "by step."
)
PROMPTS = (
    stage.Prompt("label", "Click a point"),
    stage.Prompt("drag", "Drag a label"),
    stage.Prompt("graph", "Try without the graph"),
)
FIRST = 4  # cards below the stage; the others are one click away


def show_welcome() -> None:
    """What this is, the first lessons, and the way to all of them."""
    st.markdown(SENTENCE)
    st.markdown("##### New to this? Short lessons, each starts with a question")
    names = list(LESSONS)[:FIRST]
    lessons = Desk(STUDENT, STUDENT.settled() or Chosen(Place()))
    done = lessons.screen.value.done
    pressed = cards.show_row(names, done, lessons.on(student.begin), "welcome")
    everything = st.button(
        f"All {len(LESSONS)} lessons",
        key="welcome_all",
        icon=":material/school:",
        on_click=lessons.on(student.leave),
    )
    if pressed or everything:
        st.switch_page(navigation.entry(STUDENT.name).path)
