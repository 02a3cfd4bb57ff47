"""What the page shows: all tables, one of them, one number of it, one of its splits.

The choice stands in the link: ``?table=csk08-8&row=g50c&column=CCCP&split=3``. Names
are those of the declared tables and nothing else; splits count from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st

from pages._parts.shell import address
from ssl_core.experiments import TABLES, Cell, Entry, Table
from ssl_core.experiments.table import Summary

PAGE = "benchmarks"
KEPT = "_benchmarks"


@dataclass(frozen=True, slots=True)
class Choice:
    """A table, and a number of it; ``split`` counts from 0."""

    table: str | None = None
    row: str | None = None
    column: str | None = None
    split: int = 0

    @property
    def url(self) -> dict[str, str]:
        if self.table is None:
            return {}
        url = {"table": self.table}
        if self.row is not None:
            url |= {"row": self.row, "column": self.column}
            url |= {"split": str(self.split + 1)} if self.split else {}
        return url

    @property
    def declared(self) -> Table | None:
        return TABLES.get(self.table)

    @property
    def entry(self) -> Entry | None:
        """The number that is chosen."""
        table = self.declared
        return None if table is None else table.entries.get((self.row, self.column))

    def at(self, row: str, column: str) -> Choice:
        """Another number of the table, at the same split where it has one."""
        made = replace(self, row=row, column=column)
        return made if made.split < splits(made.entry) else replace(made, split=0)


def splits(entry: Entry) -> int:
    """How many runs are behind a number; of a grid, behind each candidate."""
    return len(entry.grid[0][1]) if entry.grid else len(entry.cells)


def cell_of(entry: Entry, summary: Summary, split: int) -> Cell:
    """The run of a split: of a grid, that of the candidate which was chosen."""
    if not entry.grid:
        return entry.cells[split]
    by_name = dict(entry.grid)
    return by_name.get(summary.chosen, entry.grid[0][1])[split]


def read(url: Mapping[str, str]) -> tuple[Choice, str]:
    """The choice of a link, and a sentence where it names what is not there."""
    key = url.get("table")
    if key is None:
        return Choice(), ""
    if key not in TABLES:
        return Choice(), "The link names a table that is not here; these are all."
    plain = Choice(key)
    if "row" not in url and "column" not in url:
        return plain, ""
    place = url.get("row"), url.get("column")
    if place not in TABLES[key].entries:
        return plain, "The link names a number that is not in this table; choose one."
    chosen = plain.at(*place)
    text = url.get("split", "1")
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        return chosen, "The link names a split that is not there; this is the first."
    if not 1 <= int(text) <= splits(chosen.entry):
        return chosen, "The link names a split that is not there; this is the first."
    return replace(chosen, split=int(text) - 1), ""


@dataclass
class Kept:
    """What the session keeps; changed in place."""

    choice: Choice | None = None
    remark: str = ""


def kept() -> Kept:
    if KEPT not in st.session_state:
        st.session_state[KEPT] = Kept()
    return st.session_state[KEPT]


def open_link() -> None:
    """Read the address where it is new."""
    mine = kept()
    url = address.brought(PAGE, first=mine.choice is None)
    if url is not None:
        mine.choice, mine.remark = read(url)


def current() -> Choice:
    return kept().choice


def choose(choice: Choice) -> None:
    kept().choice, kept().remark = choice, ""


def write_link() -> None:
    address.write(PAGE, current().url)
