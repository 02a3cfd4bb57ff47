"""The table on the page: every number a button, readable without colours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from halfmoon.pages._parts.benchmarks.shelf import Shelf
from halfmoon.pages._parts.benchmarks.table_choice import TableChoice
from halfmoon.pages._parts.benchmarks.telling import NONE, better, has_published, tell
from halfmoon.pages._parts.bundles import bundle
from halfmoon.pages._parts.screen.choice_page import Chosen
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.shell import door
from halfmoon.pages._parts.shell.callbacks import whole
from ssl_core.experiments import Table

ASSETS = Path(__file__).parent / "assets"
KEY = "published_table"
_table = st.components.v2.component(
    "halfmoon_published",
    html='<div class="hm-published" tabindex="0" role="region"></div>',
    css=(ASSETS / "table.css").read_text(encoding="utf-8"),
    js=bundle("table"),
)


def show_matrix(desk: Desk, table: Table, shelf: Shelf) -> None:
    """The table; a click chooses a number."""
    made = data(desk.screen.value, table, shelf)

    def chosen() -> None:
        place = place_in(table, door.message(KEY, "chosen", list))
        desk.page.tell(lambda screen: choose(screen, table, place))

    _table(key=KEY, data=made, on_chosen_change=whole(chosen))


def place_in(table: Table, cell: list | None) -> tuple[Any, Any] | None:
    """Row and column of a cell that the browser names by their numbers."""
    rows, columns = dict(enumerate(table.rows)), dict(enumerate(table.columns))
    match cell:
        case [int(row), int(column)] if row in rows and column in columns:
            return rows[row], columns[column]
    return None


def choose(screen: Chosen, table: Table, place: tuple[Any, Any] | None) -> Chosen:
    if place not in table.entries or screen.value.table != table.key:
        return screen
    return screen.to(screen.value.at(*place))


def data(now: TableChoice, table: Table, shelf: Shelf) -> dict[str, Any]:
    """What the browser draws."""
    summaries = shelf.summaries(table)
    published = has_published(table.entries.values())
    mixed = not better(table.entries.values())

    def one(row: str, column: str) -> dict[str, Any] | None:
        entry = table.entries.get((row, column))
        if entry is None:
            return None
        told = tell(table, entry, summaries[row, column])
        return {
            "ours": [told.ours, told.after],
            "paper": [told.paper or NONE, told.apart] if published else None,
            "kind": told.kind,
            "sentence": f"{row}, {column}: {told.sentence}",
            "chosen": (row, column) == (now.row, now.column),
        }

    rows = [
        {"name": row, "numbers": [one(row, column) for column in table.columns]}
        for row in table.rows
    ]
    return {
        "about": table.key,
        "caption": f"{table.title}: ours above the paper's numbers",
        "columns": [
            {"name": name, "better": column_words(table, name) if mixed else ""}
            for name in table.columns
        ],
        "which": ["ours", "paper"] if published else [],
        "none": NONE,
        "rows": rows,
    }


def column_words(table: Table, column: str) -> str:
    """Which of a column's numbers are better."""
    return better(e for (_, name), e in table.entries.items() if name == column)
