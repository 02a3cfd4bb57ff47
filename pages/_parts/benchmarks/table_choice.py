"""What the page shows: all tables, a paper's, one table, a number of it, one split.

The choice stands in the link: ``?table=csk08-8&row=g50c&column=CCCP&split=3``, or
``?paper=CSK08`` for all tables of a paper. Names are those of the declared tables and
nothing else; splits count from 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from halfmoon.pages._parts.screen.choice_page import choice_page
from halfmoon.pages._parts.screen.link_words import LinkWord
from ssl_core.experiments import TABLES, Cell, Entry, Table
from ssl_core.experiments.table import Summary

OWN = "own"  # instead of a paper: tables of protocols that no paper describes
OWN_TITLE = "Own protocols"


@dataclass(frozen=True, slots=True)
class TableChoice:
    """A paper or a table, and a number of it; ``split`` counts from 0."""

    table: str | None = None
    row: str | None = None
    column: str | None = None
    split: int = 0
    papers: str | None = None

    @property
    def paper(self) -> str | None:
        """The key of the paper; None where all tables are shown."""
        return self.papers if self.declared is None else paper_of(self.declared)

    @property
    def declared(self) -> Table | None:
        return TABLES.get(self.table)

    @property
    def entry(self) -> Entry | None:
        """The number that is chosen."""
        table = self.declared
        return None if table is None else table.entries.get((self.row, self.column))

    def at(self, row: str, column: str) -> TableChoice:
        """Another number of the table, at the same split where it has one."""
        made = replace(self, row=row, column=column)
        return made if made.split < splits(made.entry) else replace(made, split=0)


def paper_of(table: Table) -> str:
    """The key of its paper; `OWN` where there is none."""
    return table.paper or OWN


def papers() -> tuple[str, ...]:
    """Keys of all papers, and `OWN` where protocols of somebody's own are there."""
    return tuple(dict.fromkeys(map(paper_of, TABLES.values())))


def tables_of(paper: str) -> tuple[Table, ...]:
    """A paper's tables: those that it prints, then those that are ours alone."""
    found = (table for table in TABLES.values() if paper_of(table) == paper)
    return tuple(sorted(found, key=lambda table: not table.printed))


def splits(entry: Entry) -> int:
    """How many runs are behind a number; of a grid, behind each candidate."""
    return len(entry.grid[0][1]) if entry.grid else len(entry.cells)


def cell_of(entry: Entry, summary: Summary, split: int) -> Cell:
    """The run of a split: of a grid, that of the candidate which was chosen."""
    if not entry.grid:
        return entry.cells[split]
    by_name = dict(entry.grid)
    return by_name.get(summary.chosen, entry.grid[0][1])[split]


def _table(choice: TableChoice, key: str) -> TableChoice:
    if key not in TABLES:
        raise ValueError("The link names an unknown table; all tables are shown.")
    return TableChoice(key)


def _paper(choice: TableChoice, key: str) -> TableChoice:
    if key not in papers():
        raise ValueError("The link names an unknown paper; all papers are shown.")
    return choice if choice.declared else TableChoice(papers=key)


def _number(choice: TableChoice, row: str | None, column: str | None) -> TableChoice:
    if choice.declared is None:
        return choice
    if (row, column) not in choice.declared.entries:
        raise ValueError(
            "The link names a number that is not in this table; choose one."
        )
    return choice.at(row, column)


def _split(choice: TableChoice, text: str) -> TableChoice:
    if choice.entry is None:
        return choice
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    if not 1 <= number <= splits(choice.entry):
        raise ValueError("The link names an unknown split; the first one is shown.")
    return replace(choice, split=number - 1)


WORDS = (
    LinkWord(("table",), lambda choice: (choice.table or "",), _table),
    LinkWord(("paper",), lambda choice: (choice.papers or "",), _paper),
    LinkWord(
        ("row", "column"),
        lambda choice: (choice.row or "", choice.column or ""),
        _number,
    ),
    LinkWord(
        ("split",),
        lambda choice: (str(choice.split + 1) if choice.split else "",),
        _split,
    ),
)
BENCHMARKS = choice_page("benchmarks", WORDS, TableChoice(), "bench_")
