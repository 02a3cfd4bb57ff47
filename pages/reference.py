"""Reference: every algorithm explained, from its idea to the lines of code."""

import streamlit as st

from halfmoon.common.plugins import PLUGINS, brought_by
from halfmoon.pages._parts.reference import algorithm_page
from halfmoon.pages._parts.reference.reference_choice import (
    REFERENCE,
    SECTIONS,
    ReferenceChoice,
)
from halfmoon.pages._parts.screen.choice_page import Chosen
from halfmoon.pages._parts.shell import errors
from halfmoon.views.glossary import words
from ssl_core import ALGORITHMS
from ssl_core.registry import in_menu_order

ALL = "all"  # the list, among the options of the box


# -- events --------------------------------------------------------------------------


def choose_section(screen: Chosen, section: str | None) -> Chosen:
    if section is None:
        return screen
    return screen.to(ReferenceChoice(glossary=section == SECTIONS[1]))


def choose_algorithm(screen: Chosen, name: str) -> Chosen:
    if name not in ALGORITHMS and name != ALL:
        return screen
    return screen.to(ReferenceChoice(algorithm=None if name == ALL else name))


# -- views ---------------------------------------------------------------------------


def section_control(desk) -> None:
    """Algorithms or words."""
    st.segmented_control(
        "Section",
        SECTIONS,
        on_change=desk.on(choose_section, "section"),
        label_visibility="collapsed",
        **desk.picking("section", SECTIONS[desk.screen.value.glossary]),
    )


def algorithm_control(desk, chosen: str | None) -> None:
    """One of them, or the list."""
    options = [ALL, *in_menu_order()]
    st.selectbox(
        "Algorithm",
        options,
        format_func=lambda name: (
            "All algorithms" if name == ALL else ALGORITHMS[name].full_title
        ),
        on_change=desk.on(choose_algorithm, "algorithm"),
        **desk.choosing("algorithm", chosen or ALL, options),
    )


def show_list(desk) -> None:
    """All of them by family, each with its idea and a button that opens it."""
    families = dict.fromkeys(ALGORITHMS[name].family for name in in_menu_order())
    for family in families:
        st.subheader(family.heading, anchor=False)
        for entry in ALGORITHMS.values():
            if entry.family == family:
                show_row(desk, entry)
    show_plugins()


def show_plugins() -> None:
    """What came from outside, and what could not be used."""
    if PLUGINS:
        st.subheader("Plug-ins", anchor=False)
    for plugin in PLUGINS.values():
        parts = [
            f"{kind} {', '.join(names)}"
            for kind, names in brought_by(plugin.name).items()
        ]
        words = plugin.error or f"{plugin.name}: {'; '.join(parts) or 'nothing'}."
        st.markdown(f"- {errors.plain(words)}")


def show_row(desk, entry) -> None:
    with st.container(key=f"row_{entry.id}"):
        st.button(
            entry.title,
            key=f"read_{entry.id}",
            type="tertiary",
            on_click=desk.on(choose_algorithm),
            args=(entry.id,),
        )
        st.markdown(entry.idea)


def show_words() -> None:
    """The glossary, or the part of it in which a word stands."""
    st.header("Glossary", anchor=False)
    wanted = st.text_input(
        "Find a word", key="ref_find", placeholder="margin", max_chars=60
    )
    hits = [w for w in words() if w.about(wanted)]
    if not hits:
        st.caption("No glossary entry contains this.")
    for word in sorted(hits, key=lambda word: word.term.lower()):
        title, text = algorithm_page.plain(word.title), algorithm_page.plain(word.text)
        st.markdown(f"**{title}**: {text}")


desk = REFERENCE.begin()
with st.container(key="reference"):
    section_control(desk)
    with st.container():
        desk.screen.show_remarks()
    chosen = desk.screen.value.there
    if chosen.glossary:
        show_words()
    else:
        algorithm_control(desk, chosen.algorithm)
        if chosen.algorithm is None:
            show_list(desk)
        else:
            algorithm_page.show_algorithm(ALGORITHMS[chosen.algorithm])
desk.end()
