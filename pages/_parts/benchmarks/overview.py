"""All tables, or a paper's: how many of their numbers match, and a way to each."""

from __future__ import annotations

from html import escape

import streamlit as st

from halfmoon.pages._parts.benchmarks.shelf import Shelf
from halfmoon.pages._parts.benchmarks.table_choice import (
    OWN,
    OWN_TITLE,
    TableChoice,
    papers,
    tables_of,
)
from halfmoon.pages._parts.screen.choice_page import Chosen
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.shell import errors
from ssl_core.experiments import TABLES, Table
from ssl_core.experiments.table import BEATS, MATCHES, MISSES, VERDICTS, WAITING
from ssl_core.references import REFERENCES, called
from ssl_core.viz.words import count

WORDS = {MATCHES: "match", BEATS: "lower", MISSES: "higher", WAITING: "to compute"}


def show_overview(desk: Desk, shelf: Shelf) -> None:
    """A verdict on the tables, and what each is about."""
    chosen = desk.screen.value.paper
    shown = papers() if chosen is None else (chosen,)
    tallies = {key: tally(table, shelf) for key, table in TABLES.items()}
    mine = [tallies[table.key] for paper in shown for table in tables_of(paper)]
    totals = {word: sum(t[word] for t in mine) for word in WORDS.values()}
    st.markdown(f"**{verdict(totals)}** Lower is better.")
    for paper in shown:
        title = OWN_TITLE if paper == OWN else called(paper)
        st.subheader(errors.plain(title), anchor=False)
        if paper != OWN:
            st.caption(errors.plain(str(REFERENCES[paper])))
        for table in tables_of(paper):
            row(desk, table, tallies[table.key], shelf)


def tally(table: Table, shelf: Shelf) -> dict[str, int]:
    """Numbers of a table by how they compare, as far as they are judged."""
    found = [summary.verdict for summary in shelf.summaries(table).values()]
    return {WORDS[v]: found.count(v) for v in VERDICTS if v in WORDS}


def verdict(totals: dict[str, int]) -> str:
    every = sum(totals.values())
    parts = [f"{totals[word]} {word}" for word in totals if totals[word]]
    return f"Of {count(every, 'published number')}: {', '.join(parts) or 'none'}."


def row(desk: Desk, table: Table, found: dict[str, int], shelf: Shelf) -> None:
    """A table: the way to it, what it shows, how it ended."""
    done = sum(cell.spec in shelf.results for cell in table.cells)
    total = len(table.cells)
    words = table.words
    if done < total:
        words += f"; {done} of {count(total, 'training')}"
    told = [f"{n} {word}" if n else "" for word, n in found.items()]
    told = told if any(told) else ["not scored"]
    with st.container(key=f"bench_row_{table.key}"):
        st.button(
            errors.plain(table.printed or "Ours"),
            key=f"bench_table_{table.key}",
            type="tertiary",
            on_click=desk.on(Chosen.to),
            args=(TableChoice(table.key),),
        )
        parts = "".join(f"<span>{escape(text)}</span>" for text in (words, *told))
        st.html(f'<div class="bench-told">{parts}</div>')
