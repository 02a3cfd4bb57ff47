"""Benchmarks: published tables beside ours, from the experiment store."""

from pathlib import Path

import streamlit as st

from pages._parts.benchmarks import (
    choice,
    detail,
    matrix,
    overview,
    plots,
    running,
    shelf,
    telling,
)
from pages._parts.benchmarks.choice import Choice
from pages._parts.lessons import texts
from pages._parts.shell import navigation
from pages._parts.widgets import errors
from pages._parts.widgets.callbacks import choosing, moved, whole
from ssl_core.experiments import PROTOCOLS, TABLES, Table, report
from ssl_core.references import REFERENCES

ALL = "all"  # the overview, among the options of the box
CSS = (Path(choice.__file__).parent / "benchmarks.css").read_text(encoding="utf-8")


def table_control() -> None:
    """One of the tables, or all."""
    options = [ALL, *TABLES]

    def chosen():
        key = moved("bench_table")
        if key in TABLES or key == ALL:
            choice.choose(Choice(None if key == ALL else key))

    def words(key: str) -> str:
        return (
            "All tables" if key == ALL else f"{TABLES[key].paper}: {TABLES[key].title}"
        )

    st.selectbox(
        "Table",
        options,
        format_func=words,
        on_change=whole(chosen),
        width=640,
        **choosing("bench_table", choice.current().table or ALL, options),
    )


def show_table(table: Table, found: shelf.Shelf) -> None:
    """One table, from its verdict to its notes."""
    protocol = PROTOCOLS[protocol_of(table)]
    st.header(errors.plain(table.title), anchor=False)
    source = REFERENCES[table.paper]
    head = protocol.head if table.unit == "%" else ""
    st.caption(errors.plain(f"{source} {head}"))
    words = report.verdict_line(table, found.results) or telling.open_note(table)
    st.markdown(f"**{errors.plain(words)}**")
    with st.container():
        running.panel(table.key, found)
    matrix.show(table, found)
    st.caption(errors.plain(f"{telling.legend(table)} {table.note}"))
    with st.container():
        detail.show(table, found)
    with st.container():
        plots.show(table, found)
    if protocol.notes:
        with st.expander("Notes on these tables"):
            st.markdown(protocol.notes)


def protocol_of(table: Table) -> str:
    return next(key for key, p in PROTOCOLS.items() if table in p.tables)


def page() -> None:
    st.html(f"<style>{CSS}</style>")
    choice.open_link()
    found = shelf.look()
    with st.container(key="benchmarks"):
        st.markdown(texts.lead(choice.PAGE))
        table_control()
        with st.container():
            if choice.kept().remark:
                st.info(choice.kept().remark, icon=":material/info:")
            if found.trouble:
                st.warning(errors.plain(found.trouble), icon=":material/warning:")
        table = choice.current().declared
        if table is None:
            overview.show(found)
        else:
            show_table(table, found)
        with st.expander("How to read this page"):
            st.markdown(texts.explanation(choice.PAGE))
    choice.write_link()


navigation.through_app()
page()
