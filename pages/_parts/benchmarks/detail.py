"""One number: the runs behind it, what is known of one, and the way into it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pandas as pd
import streamlit as st

from halfmoon.pages._parts.benchmarks import computing, work
from halfmoon.pages._parts.benchmarks.opening import opening
from halfmoon.pages._parts.benchmarks.shelf import Shelf
from halfmoon.pages._parts.benchmarks.table_choice import TableChoice, cell_of, splits
from halfmoon.pages._parts.benchmarks.telling import digits_of, number, tell
from halfmoon.pages._parts.export.exports import Exports
from halfmoon.pages._parts.export.menus import export_menus
from halfmoon.pages._parts.export.script import program
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.screen.choice_page import Chosen
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.shell import errors, navigation, open_in
from halfmoon.scenario import Scenario
from ssl_core import ALGORITHMS
from ssl_core.experiments import PROTOCOLS, Cell, Kept, Table
from ssl_core.experiments.table import Summary
from ssl_core.viz.words import duration
from ssl_core.viz.words import number as short

ROW, COLUMN, SPLIT = "row", "column", "split"
NO_TRACE = "There is a trace once the playground has made this run: open it there."
LONG = 80  # characters of a value in the table of facts


def show_detail(desk: Desk, table: Table, shelf: Shelf) -> None:
    """Choose a number, read about one of its runs, open it."""
    st.markdown("##### The runs behind a number")
    now = desk.screen.value
    controls(desk, table, shelf)
    if now.entry is None:
        st.caption("Click a number of the table, or choose one here.")
        return
    summary = shelf.summaries(table)[now.row, now.column]
    told = tell(table, now.entry, summary)
    st.markdown(errors.plain(f"{now.row}, {now.column}: {told.sentence}"))
    cell = cell_of(now.entry, summary, now.split)
    kept = shelf.newest.get(cell.spec)
    left, right = st.columns((3, 2), gap="medium")
    with left:
        facts(cell, kept, now)
    with right:
        results(kept)
        compute(desk, table, shelf)
        ways(desk, cell)


def controls(desk: Desk, table: Table, shelf: Shelf) -> None:
    """Row, column and split."""
    now = desk.screen.value
    first, second, third = st.columns(3)
    with first:
        box(desk, "Row", ROW, table.rows, now.row)
    with second:
        columns = [
            c for c in table.columns if now.row is None or (now.row, c) in table.entries
        ]
        box(desk, "Column", COLUMN, columns, now.column)
    if now.entry is None:
        return
    summary = shelf.summaries(table)[now.row, now.column]
    with third:
        split_box(desk, table, shelf, summary)


def box(desk: Desk, label: str, name: str, options, value) -> None:
    def chosen(screen: Chosen, picked: str) -> Chosen:
        now = screen.value
        row, column = (picked, now.column) if name == ROW else (now.row, picked)
        entries = now.declared.entries
        if (row, column) not in entries:  # one of the two is new: take what there is
            there = [p for p in entries if p[0] == row or p[1] == column]
            both = [p for p in there if picked in p]
            row, column = (both or there)[0]
        return screen.to(now.at(row, column))

    st.selectbox(
        label,
        options,
        placeholder="Choose",
        on_change=desk.on(chosen, name),
        **desk.choosing(name, value if value in options else None, options),
    )


def split_box(desk: Desk, table: Table, shelf: Shelf, summary: Summary) -> None:
    now = desk.screen.value
    digits, options = digits_of(table, now.entry), range(splits(now.entry))

    def words(split: int) -> str:
        kept = shelf.newest.get(cell_of(now.entry, summary, split).spec)
        value = None if kept is None else kept.result.get(now.entry.metric)
        told = "not computed" if value is None else number(float(value), digits)
        return f"{split + 1} of {len(options)}: {told}"

    def chosen(screen: Chosen, split: int) -> Chosen:
        return screen.to(replace(screen.value, split=int(split)))

    st.selectbox(
        "Split",
        options,
        format_func=words,
        on_change=desk.on(chosen, SPLIT),
        **desk.choosing(SPLIT, now.split, options),
    )


def facts(cell: Cell, kept: Kept | None, now: TableChoice) -> None:
    """Everything that decides the number."""
    entry = ALGORITHMS.get(cell.algorithm)
    title = cell.algorithm if entry is None else f"{entry.title} ({cell.algorithm})"
    rows = {name.capitalize(): said(value) for name, value in cell.problem}
    rows["Split"] = f"{now.split + 1} of {splits(now.entry)}"
    rows["Algorithm"] = title
    rows |= {name: said(value) for name, value in cell.params}
    rows |= {f"{name} (protocol)": said(value) for name, value in cell.setting}
    if kept is not None:
        when = datetime.fromtimestamp(kept.finished, UTC)
        rows["Wall-clock time"] = duration(kept.seconds)
        rows["Version"] = (
            f"algorithm {kept.version}, protocol {kept.protocol_version} of "
            f"{PROTOCOLS[cell.protocol].version}"
        )
        rows["Finished"] = f"{when:%d %B %Y, %H:%M} UTC"
        rows["Checksum of the data"] = kept.checksum[:12]
    show_table("Settings of the run", rows)


def results(kept: Kept | None) -> None:
    if kept is None:
        st.caption("This run is not computed yet.")
        return
    show_table("Results", {k: said(v) for k, v in kept.result.items()})


def show_table(title: str, rows: dict[str, str]) -> None:
    index = pd.Index([errors.plain(name) for name in rows], name=title)
    values = [errors.plain(value) for value in rows.values()]
    st.table(pd.DataFrame({"": values}, index=index), border="horizontal")


def said(value) -> str:
    """A value of a cell, short."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, float):
        return short(value)
    text = (
        ", ".join(map(said, value)) if isinstance(value, tuple | list) else f"{value}"
    )
    return text if len(text) <= LONG else f"{text[: LONG - 1]}…"


def compute(desk: Desk, table: Table, shelf: Shelf) -> None:
    """A button for the cells of this number that are missing."""
    now = desk.screen.value
    left = computing.missing(now.entry.every, shelf)
    if not left:
        return
    offer = work.offer(left, shelf.costs)
    if offer.small and shelf.writable:
        place = now.row, now.column
        words, key = "Compute this number", "benchmark_number"
        computing.compute_button(desk, offer, words, key, table.key, place)
    if offer.long or not shelf.writable:
        st.caption("For the command line:")
        line = work.command(table.key, left, table.cells)
        st.code(line, language="bash", wrap_lines=True)


def exports_of(page: str, scenario: Scenario) -> Exports:
    """The run of a number; its trace where a page has made that run already."""
    server = runs.server()
    made = {"run": server.ask(scenario).outcome()} if runs.at_hand(scenario) else {}
    return Exports(
        page,
        scenario,
        made,
        lambda: program(scenario, server.pose(scenario)),
        about="A complete script that makes this run.",
        missing="" if made else NO_TRACE,
    )


def ways(desk: Desk, cell: Cell) -> None:
    """Into the playground, or a sentence on why not."""
    with st.spinner("Looking for its data …"):
        found = opening(cell)
    if isinstance(found, str):
        st.info(errors.plain(found), icon=":material/info:")
        return
    with st.container(horizontal=True):
        clicked = st.button(
            "Open in the playground",
            key="bench_open",
            icon=":material/play_circle:",
            type="primary",
        )
        open_in.show_ways(found.scenario, desk.page.name)
        export_menus(exports_of(desk.page.name, found.scenario))
    if found.remark:
        st.caption(errors.plain(found.remark))
    if clicked:
        url = {"data": found.scenario.data, **found.scenario.to_url()}
        page = next(e for e in navigation.entries() if e.name == navigation.FIRST)
        st.switch_page(page.path, query_params=url)
