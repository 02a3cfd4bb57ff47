"""Benchmarks: published tables beside ours, from the experiment store."""

from pathlib import Path

import streamlit as st

from halfmoon.pages._parts import texts
from halfmoon.pages._parts.benchmarks import (
    computing,
    detail,
    matrix,
    overview,
    plots,
    shelf,
    telling,
)
from halfmoon.pages._parts.benchmarks.table_choice import (
    BENCHMARKS,
    OWN,
    OWN_TITLE,
    TableChoice,
    papers,
    tables_of,
)
from halfmoon.pages._parts.screen.choice_page import Chosen
from halfmoon.pages._parts.shell import errors
from ssl_core.experiments import PROTOCOLS, TABLES, Table, report
from ssl_core.references import REFERENCES, called

ALL = "all"  # the lists, among the options of the boxes
CSS = (Path(matrix.__file__).parent / "benchmarks.css").read_text(encoding="utf-8")


def choose_paper(screen: Chosen, key: str) -> Chosen:
    return screen.to(TableChoice(papers=None if key == ALL else key))


def choose_table(screen: Chosen, key: str) -> Chosen:
    if key == ALL:
        return screen.to(TableChoice(papers=screen.value.paper))
    return screen.to(TableChoice(key)) if key in TABLES else screen


def controls(desk) -> None:
    """A paper, then one of its tables."""
    now = desk.screen.value
    keys = [ALL, *papers()]
    first, second = st.columns(2)
    first.selectbox(
        "Paper",
        keys,
        format_func=lambda key: "All papers" if key == ALL else listed(key),
        on_change=desk.on(choose_paper, "paper"),
        **desk.choosing("paper", now.paper or ALL, keys),
    )
    if now.paper is None:
        return
    names = {table.key: named(table) for table in tables_of(now.paper)}
    tables = [ALL, *names]
    second.selectbox(
        "Table",
        tables,
        format_func=lambda key: names.get(key, "All tables of this paper"),
        on_change=desk.on(choose_table, "table"),
        **desk.choosing("table", now.table or ALL, tables),
    )


def listed(paper: str) -> str:
    """Short enough for a box of half a page."""
    if paper == OWN:
        return OWN_TITLE
    return f"{REFERENCES[paper].names}, {REFERENCES[paper].year}"


def named(table: Table) -> str:
    """As its paper calls it, and what it shows."""
    return f"{table.printed}: {table.words}" if table.printed else table.words


def show_table(desk, table: Table, found: shelf.Shelf, running) -> None:
    """One table, from its verdict to its notes."""
    protocol = PROTOCOLS[protocol_of(table)]
    printed, shows = table.words, ""
    if table.paper:
        paper = called(table.paper)
        printed = f"{paper}, {table.printed}" if table.printed else table.words
        shows = f"{table.words}." if table.printed else f"Ours, beside {paper}."
    head = protocol.head if table.unit == "%" else ""
    st.header(errors.plain(printed), anchor=False)
    st.markdown(errors.plain(f"{shows} {head}"))
    words = report.verdict_line(table, found.results) or telling.open_note(table)
    st.markdown(f"**{errors.plain(words)}**")
    with st.container():
        computing.panel(desk, table.key, found, running)
    st.markdown(telling.how_to_read(table))
    matrix.show_matrix(desk, table, found)
    marks = telling.explained(table, found.summaries(table))
    limits = report.limits_line(table, found.results)
    st.caption(errors.plain(f"{marks} {limits} {table.note}"))
    with st.container():
        detail.show_detail(desk, table, found)
    with st.container():
        plots.show_plots(table, found)
    if protocol.notes:
        with st.expander("Notes on these tables"):
            st.markdown(protocol.notes)
    if table.paper:
        st.caption(errors.plain(str(REFERENCES[table.paper])))


def protocol_of(table: Table) -> str:
    return next(key for key, p in PROTOCOLS.items() if table in p.tables)


def page() -> None:
    st.html(f"<style>{CSS}</style>")
    desk = BENCHMARKS.begin()
    running, found = computing.under_way(desk), shelf.look()
    with st.container(key="benchmarks"):
        st.markdown(texts.lead(desk.page.name))
        controls(desk)
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
