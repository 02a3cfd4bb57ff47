"""One number: the runs behind it, what is known of one, and the way into it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pandas as pd
import streamlit as st

from pages._parts.benchmarks import choice, running, work
from pages._parts.benchmarks.choice import Choice, cell_of, splits
from pages._parts.benchmarks.opening import opening
from pages._parts.benchmarks.shelf import Shelf
from pages._parts.benchmarks.telling import digits_of, number, tell
from pages._parts.shell import navigation, open_in
from pages._parts.widgets import errors
from pages._parts.widgets.callbacks import choosing, moved, whole
from ssl_core import ALGORITHMS
from ssl_core.experiments import PROTOCOLS, Cell, Kept, Table
from ssl_core.experiments.table import Summary
from ssl_core.viz.words import duration
from ssl_core.viz.words import number as short

ROW, COLUMN, SPLIT = "bench_row", "bench_column", "bench_split"
LONG = 80  # characters of a value in the table of facts


def show(table: Table, shelf: Shelf) -> None:
    """Choose a number, read about one of its runs, open it."""
    st.markdown("##### The runs behind a number")
    now = choice.current()
    controls(table, shelf, now)
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
        compute(table, shelf, now)
        ways(cell)


def controls(table: Table, shelf: Shelf, now: Choice) -> None:
    """Row, column and split."""
    first, second, third = st.columns(3)
    with first:
        box("Row", ROW, table.rows, now.row)
    with second:
        columns = [
            c for c in table.columns if now.row is None or (now.row, c) in table.entries
        ]
        box("Column", COLUMN, columns, now.column)
    if now.entry is None:
        return
    summary = shelf.summaries(table)[now.row, now.column]
    with third:
        split_box(table, shelf, now, summary)


def box(label: str, name: str, options, value) -> None:
    def chosen() -> None:
        picked, now = moved(name), choice.current()
        row, column = (picked, now.column) if name == ROW else (now.row, picked)
        entries = now.declared.entries
        if (row, column) not in entries:  # one of the two is new: take what there is
            there = [p for p in entries if p[0] == row or p[1] == column]
            both = [p for p in there if picked in p]
            row, column = (both or there)[0]
        choice.choose(now.at(row, column))

    st.selectbox(
        label,
        options,
        placeholder="Choose",
        on_change=whole(chosen),
        **choosing(name, value if value in options else None, options),
    )


def split_box(table: Table, shelf: Shelf, now: Choice, summary: Summary) -> None:
    digits, options = digits_of(table, now.entry), range(splits(now.entry))

    def words(split: int) -> str:
        kept = shelf.newest.get(cell_of(now.entry, summary, split).spec)
        value = None if kept is None else kept.result.get(now.entry.metric)
        told = "not computed" if value is None else number(float(value), digits)
        return f"{split + 1} of {len(options)}: {told}"

    def chosen() -> None:
        choice.choose(replace(choice.current(), split=int(moved(SPLIT))))

    st.selectbox(
        "Split",
        options,
        format_func=words,
        on_change=whole(chosen),
        **choosing(SPLIT, now.split, options),
    )


def facts(cell: Cell, kept: Kept | None, now: Choice) -> None:
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
        rows["Time by the clock"] = duration(kept.seconds)
        rows["Version"] = (
            f"algorithm {kept.version}, protocol {kept.protocol_version} of "
            f"{PROTOCOLS[cell.protocol].version}"
        )
        rows["Finished"] = f"{when:%d %B %Y, %H:%M} UTC"
        rows["Checksum of the data"] = kept.checksum[:12]
    show_table("What was run", rows)


def results(kept: Kept | None) -> None:
    if kept is None:
        st.caption("This run is not computed yet.")
        return
    show_table("What came out", {k: said(v) for k, v in kept.result.items()})


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


def compute(table: Table, shelf: Shelf, now: Choice) -> None:
    """A button for the cells of this number that are missing."""
    left = running.missing(now.entry.every, shelf)
    if not left:
        return
    offer = work.offer(left, shelf.costs)
    if offer.small and shelf.writable:
        place = now.row, now.column
        running.compute_button(
            offer, "Compute this number", "benchmark_number", table.key, place
        )
    if offer.long or not shelf.writable:
        st.caption("For the command line:")
        line = work.command(table.key, left, table.cells)
        st.code(line, language="bash", wrap_lines=True)


def ways(cell: Cell) -> None:
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
        open_in.menu(found.scenario, choice.PAGE)
    if found.remark:
        st.caption(errors.plain(found.remark))
    if clicked:
        url = {"data": found.scenario.data, **found.scenario.to_url()}
        page = next(e for e in navigation.entries() if e.name == navigation.FIRST)
        st.switch_page(page.path, query_params=url)
