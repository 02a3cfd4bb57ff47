"""The figures of a table: ours beside published, differences, speed-ups."""

from __future__ import annotations

from itertools import product

import streamlit as st

from halfmoon.pages._parts.benchmarks.shelf import Shelf
from halfmoon.pages._parts.pictures.charts import show_charts
from ssl_core.experiments import Table
from ssl_core.experiments.table import BEATS, DUEL, MATCHES, MISSES
from ssl_core.viz import benchmarks as viz
from ssl_core.viz.chart import Chart
from ssl_core.viz.words import count, number, signed

VERDICTS = {MATCHES: viz.MATCHES, BEATS: viz.LOWER, MISSES: viz.HIGHER}
TIMES = ("seconds", "states", "iterations", "products")  # what less of is faster
PUBLISHED = "the published numbers"
FEW_COLUMNS = 2  # with so many, a panel for each column says more than one for each row


def show_plots(table: Table, shelf: Shelf) -> None:
    """All figures that the table has numbers for."""
    numbers = numbers_of(table, shelf)
    drawn = panels(table, numbers)
    if not drawn:
        return
    st.markdown("##### Ours and published" if has_printed(numbers) else "##### Ours")
    show_charts(drawn, key=f"benchmark_panels_{table.key}")
    if any(n.difference is not None for n in numbers):
        st.markdown("##### How far apart")
        show_differences(table, numbers)
    if is_time(table):
        st.markdown("##### How many times faster")
        show_speed_ups(table, numbers)


def numbers_of(table: Table, shelf: Shelf) -> list[viz.Number]:
    """Every number of a table as the figures take it."""
    return [
        viz.Number(
            row,
            column,
            summary.value,
            summary.deviation,
            summary.published,
            VERDICTS.get(summary.verdict, viz.OPEN),
            table.unit_of(table.entries[row, column]),
        )
        for (row, column), summary in shelf.summaries(table).items()
        if summary.show != DUEL
    ]


def has_printed(numbers) -> bool:
    return any(n.published is not None for n in numbers)


def is_time(table: Table) -> bool:
    """Whether all numbers are such that half of one is twice as fast."""
    entries = table.entries.values()
    return all(e.metric in TIMES and not e.against for e in entries)


def panels(table: Table, numbers: list[viz.Number]) -> list[Chart]:
    """A small chart for each row and unit; of few columns, for each of these."""
    by_column = len(table.columns) <= FEW_COLUMNS
    outer, by = ("column", "row") if by_column else ("row", "column")
    names = table.columns if by_column else table.rows
    drawn = []
    for name, unit in product(names, dict.fromkeys(n.unit for n in numbers)):
        mine = [n for n in numbers if getattr(n, outer) == name and n.unit == unit]
        if any(n.value is not None for n in mine):
            words = panel_words(name, mine, by, unit)
            drawn.append(
                viz.ours_and_published(mine, title=name, unit=unit, by=by, alt=words)
            )
    return drawn


def panel_words(name: str, numbers: list[viz.Number], by: str, unit: str) -> str:
    """What a panel shows, for those who cannot see it."""
    parts = []
    for n in numbers:
        if n.value is None:
            continue
        text = f"{getattr(n, by)} {number(n.value)}"
        if n.published is not None:
            text += f" (published {viz.printed(n.published)})"
        parts.append(text)
    return f"{name}, ours{f' in {unit}' if unit else ''}: {', '.join(parts)}."


def show_differences(table: Table, numbers: list[viz.Number]) -> None:
    chart = viz.differences(
        numbers,
        tolerance=table.tolerance,
        relative=table.relative,
        unit=table.unit,
        alt=difference_words(numbers),
    )
    show_charts([chart], key=f"benchmark_differences_{table.key}")


def difference_words(numbers: list[viz.Number]) -> str:
    known = [n for n in numbers if n.difference is not None]
    most = max(known, key=lambda n: abs(n.difference))
    return (
        f"Ours minus published for {count(len(known), 'number')}; the largest "
        f"difference is {signed(most.difference)}, {most.column} on {most.row}."
    )


def show_speed_ups(table: Table, numbers: list[viz.Number]) -> None:
    """Against the published numbers, or against a method that is chosen."""
    columns = [c for c in table.columns if any_of(numbers, c)]
    options = [*([PUBLISHED] if has_printed(numbers) else []), *columns]
    if len(options) < 2 and options != [PUBLISHED]:
        return
    against = st.selectbox(
        "Compared with", options, key=f"speed_{table.key}", width=320
    )
    baseline = None if against == PUBLISHED else against
    found = viz.ratios(numbers, baseline)
    if not found:
        st.caption("There is nothing to compare with yet.")
        return
    best = max(found, key=found.get)
    words = f"Speed-ups against {against}; the largest is {number(found[best])} times, "
    words += f"{best[1]} on {best[0]}."
    chart = viz.speed_ups(numbers, baseline=baseline, alt=words)
    show_charts([chart], key=f"benchmark_speed_{table.key}")


def any_of(numbers: list[viz.Number], column: str) -> bool:
    return any(n.column == column and n.value for n in numbers)
