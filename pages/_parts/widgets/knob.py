"""One knob as a widget: slider, box, number or switch, as its kind wants it."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from halfmoon.common.knobs import Knob
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.scenario.values import knob_words

NOTHING = "-"  # stands for the choice None, which to a selectbox means "not chosen"


def knob_control(
    desk: Desk, knob: Knob, value: Any, prefix: str, turn: Callable[..., Any]
) -> None:
    """The widget that suits a knob's kind, standing at ``value``.

    ``turn`` is an event: from a screen, the name of the knob and its value to a screen.
    """
    name = prefix + knob.name
    shared = {
        "on_change": desk.on(turn, name),
        "args": (knob.name,),
        "help": help_text(knob),
    }
    label = knob.label
    if knob.kind == "choice":

        def word(choice):
            return knob.word(None if choice == NOTHING else choice)

        choices = [NOTHING if c is None else c for c in knob.choices]
        place = NOTHING if value is None else value

        def chosen(screen, name, value):
            if value not in choices:
                return screen
            return turn(screen, name, None if value == NOTHING else value)

        shared["on_change"] = desk.on(chosen, name)
        at = desk.choosing(name, place, choices)
        # A browser sends the words it shows; those of the box that stood here before,
        # for another algorithm, are none of these.
        st.selectbox(label, choices, format_func=word, **at, **shared)
        return
    shared |= desk.standing(name, value)
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
        steps = knob.places(value)
        st.select_slider(label, steps, format_func=partial(knob_words, knob), **shared)
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
    return f"{knob.help}{unit} {knob.meaning}".strip()
