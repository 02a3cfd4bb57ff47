"""One algorithm's page of the reference, made of its entry in the catalogue.

What an entry does not say is left out: an algorithm without a guide still has its
idea, its objective, its knobs and its limits.
"""

from __future__ import annotations

import pandas as pd
import streamlit as st

from halfmoon.common.knobs import Knob
from halfmoon.pages._parts import glossary
from halfmoon.pages._parts.shell import errors, navigation
from halfmoon.scenario import Scenario, default
from halfmoon.scenario.values import knob_words
from ssl_core.guide import Guide, Place
from ssl_core.registry import ALGORITHMS, Algorithm

SYMBOLS = (
    "$f(x)$ is the output at a point $x$, $y_i$ a given label, $\\mathcal{L}$ the "
    "labelled points and $\\mathcal{U}$ the others, $l$ and $u$ of them."
)
DATA = {
    "kernel": "any data, through a kernel",
    "graph": "any data with distances, through a graph",
    "linear": "dense or sparse features",
}


def show_algorithm(entry: Algorithm) -> None:
    """The whole page, from the idea to the lines of code."""
    st.header(entry.title, anchor=False)
    st.markdown(f"{entry.family.title} · `{entry.id}`")
    open_button(entry)
    glossary.show_explained(entry.idea if entry.guide is None else story(entry))
    objective(entry)
    if entry.guide is not None:
        judgement(entry.guide)
    knobs(entry)
    limits_and_source(entry)
    if entry.guide is not None and entry.guide.places:
        code(entry)


def story(entry: Algorithm) -> str:
    return f"**{entry.idea}** {entry.guide.story}"


def open_button(entry: Algorithm) -> None:
    chosen = st.button(
        "Open in the playground",
        key=f"open_{entry.id}",
        icon=":material/play_circle:",
        type="primary",
    )
    if chosen:
        url = {"data": scenario(entry).data, **scenario(entry).to_url()}
        page = next(e for e in navigation.entries() if e.name == navigation.FIRST)
        st.switch_page(page.path, query_params=url)


def scenario(entry: Algorithm) -> Scenario:
    """The first screen with this algorithm, and no more points than it takes."""
    made = default().with_algorithm(entry.id)
    most = int(0.75 * entry.max_n)
    return made.with_data_knob("n", most) if made.knobs["n"] > most else made


def objective(entry: Algorithm) -> None:
    st.subheader("What it minimises", anchor=False)
    st.latex(entry.objective)
    if entry.guide is not None:
        for term in entry.guide.terms:
            with st.container(key=f"term_{entry.guide.terms.index(term)}"):
                st.markdown(f"$\\displaystyle {term.latex}$")
                glossary.show_explained(term.words)
    st.markdown(SYMBOLS)


def judgement(guide: Guide) -> None:
    """Good and bad side by side, and what is worth watching."""
    for column, title, lines in zip(
        st.columns(2, gap="medium"),
        ("Strengths", "Weaknesses"),
        (guide.good, guide.bad),
        strict=True,
    ):
        with column:
            st.subheader(title, anchor=False)
            glossary.show_explained(listed(lines))
    st.subheader("What to watch", anchor=False)
    glossary.show_explained(listed(guide.watch))


def listed(lines) -> str:
    return "\n".join(f"- {line}" for line in lines)


def knobs(entry: Algorithm) -> None:
    st.subheader("Settings", anchor=False)
    order = ("front", "stopping", "more")
    known = sorted(entry.knobs, key=lambda knob: order.index(knob.place))
    rows = [
        {"Setting": f"**{plain(knob.label)}**", "What it does": does(knob)}
        for knob in known
    ]
    st.table(pd.DataFrame(rows).set_index("Setting"), border="horizontal")


def does(knob: Knob) -> str:
    words = [plain(knob.help)]
    if knob.kind == "choice":
        choices = "; ".join(knob.word(choice) for choice in knob.choices)
        words.append(f"Choices: {plain(choices)}.")
    if knob.meaning:
        words.append(f"**{plain(knob.meaning)}**")
    return f"{' '.join(words)} Default: {plain(knob_words(knob, knob.default))}."


def plain(text: str) -> str:
    """Text in which markdown sees no sign of its own."""
    return text.replace("*", "\\*").replace("_", "\\_")


def limits_and_source(entry: Algorithm) -> None:
    st.subheader("Limits and source", anchor=False)
    st.markdown(
        f"- Up to {entry.max_n:,} points in the app; {DATA[entry.inputs]}.\n"
        f"- More than two classes: one classifier per class, all in step.\n"
        f"- {plain(entry.source or 'No paper describes it.')}"
    )
    plugin = ALGORITHMS.brought.get(entry.id)
    if plugin:
        st.markdown(f"- From the plug-in {errors.plain(plugin)}.")


def code(entry: Algorithm) -> None:
    """Where each equation of the paper is computed."""
    st.subheader("From the paper to the code", anchor=False)
    rows = [
        {
            "In the paper": place.equation,
            "What": what(entry, place),
            "In the code": where(place),
        }
        for place in entry.guide.places
    ]
    st.table(pd.DataFrame(rows).set_index("In the paper"), border="horizontal")
    st.markdown(
        "Each of these functions is executed when the algorithm runs. Files are below "
        "`ssl_core/`; the docstring or a comment there cites the equation."
        if ALGORITHMS.brought.get(entry.id) is None
        else "The modules are those of the plug-in, or files below `ssl_core/`."
    )


def what(entry: Algorithm, place: Place) -> str:
    """What stands there, and the setting without which it is not executed."""
    if place.needs is None:
        return place.what
    name, value = place.needs
    knob = entry.knob(name)
    return f"{place.what} (with “{knob.label}: {knob.word(value)}”)"


def where(place: Place) -> str:
    return f"`{place.file}` `{place.name}`, line {place.lines()[0]}"
