"""Benchmarks: published tables beside ours, from the experiment store."""

from pathlib import Path

import streamlit as st

from pages._parts import texts
from pages._parts.benchmarks import (
    computing,
    detail,
    matrix,
    overview,
    plots,
    shelf,
    telling,
)
from pages._parts.benchmarks.table_choice import BENCHMARKS, TableChoice
from pages._parts.screen.choice_page import Chosen
from pages._parts.shell import errors
from ssl_core.experiments import PROTOCOLS, TABLES, Table, report
from ssl_core.references import REFERENCES

ALL = "all"  # the overview, among the options of the box
CSS = (Path(matrix.__file__).parent / "benchmarks.css").read_text(encoding="utf-8")


def choose(screen: Chosen, key: str) -> Chosen:
    if key not in TABLES and key != ALL:
        return screen
    return screen.to(TableChoice(None if key == ALL else key))


def table_control(desk) -> None:
    """One of the tables, or all."""
    options = [ALL, *TABLES]

    def words(key: str) -> str:
        return (
            "All tables" if key == ALL else f"{TABLES[key].paper}: {TABLES[key].title}"
        )

    st.selectbox(
        "Table",
        options,
        format_func=words,
        on_change=desk.on(choose, "table"),
        width=640,
        **desk.choosing("table", desk.screen.value.table or ALL, options),
    )


def show_table(desk, table: Table, found: shelf.Shelf, running) -> None:
    """One table, from its verdict to its notes."""
    protocol = PROTOCOLS[protocol_of(table)]
    st.header(errors.plain(table.title), anchor=False)
    source = REFERENCES[table.paper]
    head = protocol.head if table.unit == "%" else ""
    st.caption(errors.plain(f"{source} {head}"))
    words = report.verdict_line(table, found.results) or telling.open_note(table)
    st.markdown(f"**{errors.plain(words)}**")
    with st.container():
        computing.panel(desk, table.key, found, running)
    matrix.show_matrix(desk, table, found)
    limits = report.limits_line(table, found.results)
    st.caption(errors.plain(f"{telling.legend(table)} {table.note} {limits}"))
    with st.container():
        detail.show_detail(desk, table, found)
    with st.container():
        plots.show_plots(table, found)
    if protocol.notes:
        with st.expander("Notes on these tables"):
            st.markdown(protocol.notes)


def protocol_of(table: Table) -> str:
    return next(key for key, p in PROTOCOLS.items() if table in p.tables)


def page() -> None:
    st.html(f"<style>{CSS}</style>")
    desk = BENCHMARKS.begin()
    running, found = computing.under_way(desk), shelf.look()
    with st.container(key="benchmarks"):
        st.markdown(texts.lead(desk.page.name))
        table_control(desk)
        with st.container():
            desk.screen.show_remarks()
            if found.trouble:
                st.warning(errors.plain(found.trouble), icon=":material/warning:")
        table = desk.screen.value.declared
        if table is None:
            overview.show_overview(desk, found)
        else:
            show_table(desk, table, found, running)
        with st.expander("How to read this page"):
            st.markdown(texts.explanation(desk.page.name))
    desk.end()


page()
