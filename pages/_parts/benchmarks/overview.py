"""All tables: how many of their numbers match, and a way to each."""

from __future__ import annotations

import streamlit as st

from pages._parts.benchmarks.shelf import Shelf
from pages._parts.benchmarks.table_choice import TableChoice
from pages._parts.pictures import charts
from pages._parts.screen.choice_page import Chosen
from pages._parts.screen.page import Desk
from pages._parts.shell import errors
from ssl_core.experiments import PROTOCOLS, TABLES, Protocol, Table
from ssl_core.experiments.table import BEATS, MATCHES, MISSES, VERDICTS, WAITING
from ssl_core.references import REFERENCES
from ssl_core.viz import benchmarks as viz
from ssl_core.viz.words import count

ORDER = {"match": "good", "lower": "accent", "higher": "warn", "to compute": "muted"}
WORDS = dict(zip((MATCHES, BEATS, MISSES, WAITING), ORDER, strict=True))


def show_overview(desk: Desk, shelf: Shelf) -> None:
    """A verdict on all tables, a bar for each, and what each is about."""
    tallies = {key: tally(table, shelf) for key, table in TABLES.items()}
    judged = {key: t for key, t in tallies.items() if sum(t.values())}
    totals = {word: sum(t[word] for t in judged.values()) for word in ORDER}
    words = verdict(totals)
    st.markdown(f"**{words}**")
    if judged:
        figure = viz.tallies(judged, order=ORDER, mode=charts.mode())
        height = viz.panel_height(len(judged))
        charts.show_chart(figure, key="benchmark_tallies", height=height, alt=words)
    for protocol in PROTOCOLS.values():
        section(desk, protocol, shelf, tallies)


def tally(table: Table, shelf: Shelf) -> dict[str, int]:
    """Numbers of a table by how they compare, as far as they are judged."""
    found = [summary.verdict for summary in shelf.summaries(table).values()]
    return {WORDS[v]: found.count(v) for v in VERDICTS if v in WORDS}


def verdict(totals: dict[str, int]) -> str:
    every = sum(totals.values())
    parts = [f"{totals[word]} {word}" for word in ORDER if totals[word]]
    return f"Of {count(every, 'published number')}: {', '.join(parts) or 'none'}."


def section(desk: Desk, protocol: Protocol, shelf: Shelf, tallies: dict) -> None:
    st.subheader(errors.plain(protocol.title), anchor=False)
    st.caption(errors.plain(str(REFERENCES[protocol.paper])))
    for table in protocol.tables:
        done = sum(cell.spec in shelf.results for cell in table.cells)
        text = f"{done} of {count(len(table.cells), 'training')}"
        if sum(tallies[table.key].values()):
            text = f"{verdict(tallies[table.key])} {text}"
        with st.container(key=f"bench_row_{table.key}"):
            st.button(
                errors.plain(table.title),
                key=f"bench_table_{table.key}",
                type="tertiary",
                on_click=desk.on(Chosen.to),
                args=(TableChoice(table.key),),
            )
            st.markdown(f"`{table.key}` {text}.")
