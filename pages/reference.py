"""Reference: every algorithm explained, from its idea to the lines of code."""

import streamlit as st

from pages._parts import glossary
from pages._parts.reference import algorithm, choice
from pages._parts.reference.choice import Choice
from pages._parts.shell import navigation
from pages._parts.widgets.callbacks import choosing, moved, picking, whole
from ssl_core import ALGORITHMS
from ssl_core.registry import in_menu_order

ALL = "all"  # the list, among the options of the box


def section_control() -> None:
    """Algorithms or words."""

    def chosen():
        section = moved("ref_section")
        if section is not None:
            choice.choose(Choice(glossary=section == choice.SECTIONS[1]))

    st.segmented_control(
        "What to look up",
        choice.SECTIONS,
        on_change=whole(chosen),
        label_visibility="collapsed",
        **picking("ref_section", choice.SECTIONS[choice.current().glossary]),
    )


def algorithm_control() -> None:
    """One of them, or the list."""
    options = [ALL, *in_menu_order()]

    def chosen():
        name = moved("ref_algorithm")
        if name in ALGORITHMS or name == ALL:
            choice.choose(Choice(algorithm=None if name == ALL else name))

    st.selectbox(
        "Algorithm",
        options,
        format_func=lambda name: (
            "All algorithms" if name == ALL else ALGORITHMS[name].full_title
        ),
        on_change=whole(chosen),
        **choosing("ref_algorithm", choice.current().algorithm or ALL, options),
    )


def show_list() -> None:
    """All of them by family, each with its idea and a button that opens it."""
    families = dict.fromkeys(ALGORITHMS[name].family for name in in_menu_order())
    for family in families:
        st.subheader(family.title[:1].upper() + family.title[1:], anchor=False)
        for entry in ALGORITHMS.values():
            if entry.family == family:
                show_row(entry)


def show_row(entry) -> None:
    with st.container(key=f"row_{entry.id}"):
        st.button(
            entry.title,
            key=f"read_{entry.id}",
            type="tertiary",
            on_click=whole(choice.choose),
            args=(Choice(algorithm=entry.id),),
        )
        st.markdown(entry.idea)


def show_words() -> None:
    """The glossary, or the part of it in which a word stands."""
    st.header("Glossary", anchor=False)
    wanted = st.text_input(
        "Find a word", key="ref_find", placeholder="margin", max_chars=60
    )
    hits = [w for w in glossary.words() if w.about(wanted)]
    if not hits:
        st.caption("No word of the glossary has this in it.")
    for word in sorted(hits, key=lambda word: word.term.lower()):
        st.markdown(f"**{algorithm.plain(word.title)}**: {algorithm.plain(word.text)}")


navigation.through_app()
choice.open_link()
with st.container(key="reference"):
    section_control()
    with st.container():
        if choice.kept().remark:
            st.info(choice.kept().remark, icon=":material/info:")
    chosen = choice.current()
    if chosen.glossary:
        show_words()
    else:
        algorithm_control()
        if chosen.algorithm is None:
            show_list()
        else:
            algorithm.show(ALGORITHMS[chosen.algorithm])
choice.write_link()
