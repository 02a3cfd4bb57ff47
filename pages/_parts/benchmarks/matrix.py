"""The table on the page: every number a button, readable without colours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from pages._parts.benchmarks import choice
from pages._parts.benchmarks.shelf import Shelf
from pages._parts.benchmarks.telling import tell
from pages._parts.widgets.callbacks import whole
from ssl_core.experiments import Table

ASSETS = Path(__file__).parent / "assets"
KEY = "published_table"
_table = st.components.v2.component(
    "halfmoon_published",
    html='<div class="hm-published" tabindex="0" role="region"></div>',
    css=(ASSETS / "table.css").read_text(encoding="utf-8"),
    js=(ASSETS / "table.js").read_text(encoding="utf-8"),
)


def show(table: Table, shelf: Shelf) -> None:
    """The table; a click chooses a number."""
    made = data(table, shelf)

    def chosen() -> None:
        row, column = st.session_state[KEY]["chosen"]
        place = table.rows[int(row)], table.columns[int(column)]
        if place in table.entries and choice.current().table == table.key:
            choice.choose(choice.current().at(*place))

    _table(key=KEY, data=made, on_chosen_change=whole(chosen))


def data(table: Table, shelf: Shelf) -> dict[str, Any]:
    """What the browser draws."""
    summaries, now = shelf.summaries(table), choice.current()

    def one(row: str, column: str) -> dict[str, Any] | None:
        entry = table.entries.get((row, column))
        if entry is None:
            return None
        told = tell(table, entry, summaries[row, column])
        return {
            "ours": told.ours,
            "paper": told.published,
            "verdict": told.verdict,
            "kind": told.kind,
            "sentence": f"{row}, {column}: {told.sentence}",
            "chosen": (row, column) == (now.row, now.column),
        }

    rows = [
        {"name": row, "numbers": [one(row, column) for column in table.columns]}
        for row in table.rows
    ]
    unit = f" ({table.unit})" if table.unit else ""
    return {
        "about": table.key,
        "caption": f"{table.title}: ours beside the published numbers",
        "corner": f"Data{unit}",
        "columns": list(table.columns),
        "rows": rows,
    }
