"""Cards of lessons: a small picture of their data, a title, a sentence, a button."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import streamlit as st
from scipy.sparse import csr_array

from halfmoon.pages._parts.lessons.lesson import Lesson
from halfmoon.pages._parts.lessons.plans import LESSONS
from halfmoon.pages._parts.running.graphs import graph_of
from halfmoon.scenario.learning_problem import pose, read_data
from ssl_core.viz.theme import LIGHT

WIDTH, HEIGHT, EDGE = 240, 120, 10  # of the picture, in its own units
MOST = 160  # points drawn
CARD = 248  # pixels
INK = LIGHT.soft  # seen on a light and on a dark page


def show_row(
    names: Sequence[str], done: Sequence[str], on_begin: Callable[[str], None], key: str
) -> str:
    """A row of cards, as many beside each other as there is room for.

    Parameters
    ----------
    names : sequence of str
    done : sequence of str
        Lessons that bear a tick.
    on_begin : callable
        Takes the name of the lesson whose button is pressed.
    key : str
        Names the row on its page.

    Returns
    -------
    pressed : str
        The lesson whose button was pressed in this run, or "".
    """
    pressed = ""
    with st.container(horizontal=True, key=key, gap="medium"):
        for name in names:
            lesson = LESSONS[name]
            with st.container(border=True, width=CARD, height="stretch", gap="small"):
                st.html(picture(name))
                st.markdown(f"**{lesson.title}**  \n{lesson.sentence}")
                minutes = f"{lesson.minutes} min"
                tick = ":green[:material/check_circle:] done · " if name in done else ""
                st.caption(f"{tick}{minutes}")
                if st.button(
                    "Again" if name in done else "Begin",
                    key=f"{key}_{name}",
                    help=f"Open the lesson: {lesson.title}",
                    on_click=on_begin,
                    args=(name,),
                ):
                    pressed = name
    return pressed


@cache
def picture(name: str) -> str:
    """The lesson's points as a picture; labels large, classes by colour and shape."""
    lesson: Lesson = LESSONS[name]
    scenario = lesson.scenes[lesson.thumbnail].scenario
    problem = pose(scenario, read_data(scenario))
    X, given, truth = problem.X, problem.given, problem.truth
    low, high = X.min(axis=0), X.max(axis=0)
    room = np.array([WIDTH, HEIGHT]) - 2 * EDGE
    scale = (room / np.maximum(high - low, 1e-9)).min()
    at = (X - (low + high) / 2) * [scale, -scale] + [WIDTH / 2, HEIGHT / 2]
    at = np.rint(at).astype(int)
    parts = []
    if lesson.with_graph:
        parts.append(_edges(graph_of(scenario, problem.X), at))
    shown = np.flatnonzero(given < 0)
    shown = shown[:: len(shown) // MOST + 1]
    for c, colour in enumerate(LIGHT.classes[:2]):
        of_class = shown[truth[shown] == c]
        dots = "".join(f"M{x} {y}h0" for x, y in at[of_class])
        parts.append(
            f'<path d="{dots}" stroke="{colour}" stroke-opacity=".55" '
            f'stroke-width="5" stroke-linecap="round"/>'
        )
    for i in np.flatnonzero(given >= 0):
        parts.append(_label(*at[i], given[i]))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"{''.join(parts)}</svg>"
    )
    coded = base64.b64encode(svg.encode()).decode()
    return (
        f'<img alt="" src="data:image/svg+xml;base64,{coded}" '
        f'style="display:block;width:100%">'
    )


def _label(x: int, y: int, c: int) -> str:
    """A labelled point as on the stage: class 1 a square, class 2 a circle."""
    style = f'fill="{LIGHT.class_colour(c)}" stroke="{INK}" stroke-width="2"'
    if c == 0:
        return f'<rect x="{x - 7}" y="{y - 7}" width="14" height="14" {style}/>'
    return f'<circle cx="{x}" cy="{y}" r="8" {style}/>'


def _edges(W: csr_array, at: np.ndarray) -> str:
    W = W.tocoo()
    pairs = zip(W.row, W.col, strict=True)
    lines = (f"M{at[i][0]} {at[i][1]}L{at[j][0]} {at[j][1]}" for i, j in pairs if i < j)
    return f'<path d="{"".join(lines)}" stroke="{INK}" stroke-opacity=".3"/>'
