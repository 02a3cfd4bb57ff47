"""What a published table is: rows, columns, cells behind each number, the paper's own.

A `Table` is a declaration; `summarise` reads one of its numbers from finished cells.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ssl_core.experiments.cell import Cell

Results = Mapping[str, Mapping[str, Any]]  # spec of a cell -> what it measured
BEATS, MATCHES, MISSES = "beats", "matches", "misses"
WAITING, OPEN = "not all there", "nothing published"
VERDICTS = (MATCHES, BEATS, MISSES, WAITING, OPEN)


@dataclass(frozen=True, slots=True)
class Entry:
    """One number of a table.

    Attributes
    ----------
    cells : tuple of Cell
        One for each split.
    published : float or None
    metric : str
        Field of a cell's result that is averaged.
    grid : tuple of (str, tuple of Cell)
        Instead of ``cells``: candidates by name, each with its cells. The one whose
        mean of ``select`` is least is the one shown, as a paper chooses on validation
        points.
    select : str
    digits : int or None
        Behind the point, where they are not the table's.
    """

    cells: tuple[Cell, ...] = ()
    published: float | None = None
    metric: str = "error"
    grid: tuple[tuple[str, tuple[Cell, ...]], ...] = ()
    select: str = "val"
    digits: int | None = None

    @property
    def every(self) -> tuple[Cell, ...]:
        """All cells that must be there before the number is."""
        return self.cells + tuple(cell for _, cells in self.grid for cell in cells)


@dataclass(frozen=True, slots=True)
class Table:
    """A published table, declared.

    Attributes
    ----------
    key : str
        Such as ``csk08-8``: what the command line takes.
    title : str
    paper : str
        Key into `ssl_core.references.REFERENCES`.
    entries : mapping of (row, column) to Entry
        Rows and columns stand in the order in which they first appear.
    unit : str
        Of the numbers: "%" and the like.
    digits : int
        Behind the point.
    tolerance : float
        Ours matches the published number when they are at most so far apart: a
        share of it where ``relative``, else in ``unit``. Fixed before any run.
    relative : bool
    graded : bool
        Whether lower is better. Where it is not, a difference is told and not judged.
    note : str
        A sentence below the table.
    """

    key: str
    title: str
    paper: str
    entries: Mapping[tuple[str, str], Entry]
    unit: str = "%"
    digits: int = 1
    tolerance: float = 1.5
    relative: bool = False
    graded: bool = True
    note: str = ""

    @property
    def rows(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row for row, _ in self.entries))

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(column for _, column in self.entries))

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells behind the table, each once."""
        found = (cell for entry in self.entries.values() for cell in entry.every)
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class Protocol:
    """How the cells of a paper are run, and its tables.

    Attributes
    ----------
    key, title : str
    paper : str
    pose : callable
        ``pose(problem)`` gives the `Posed` of a cell's problem.
    run : callable
        ``run(posed, cell)`` gives a dict of numbers.
    tables : tuple of Table
    version : int
        Raised whenever ``pose`` or ``run`` give other numbers.
    head, notes : str
        What stands above and below the tables of a report.
    scene : callable or None
        ``scene(cell)`` gives what of it can be looked at, see `Scene`.
    """

    key: str
    title: str
    paper: str
    pose: Callable[[dict], Any]
    run: Callable[[Any, Cell], dict]
    tables: tuple[Table, ...]
    version: int = 1
    head: str = ""
    notes: str = ""
    scene: Callable[[Cell], "Scene | str"] | None = None

    @property
    def cells(self) -> tuple[Cell, ...]:
        return tuple(dict.fromkeys(c for table in self.tables for c in table.cells))


@dataclass(frozen=True, slots=True)
class Scene:
    """A cell's run in words that the playground has: data, labels and parameters.

    ``remark`` says what the playground does otherwise; empty where nothing is.
    """

    data: str
    labeled: tuple[int, ...]
    algorithm: str
    knobs: Mapping[str, Any] = field(default_factory=dict)
    params: Mapping[str, Any] = field(default_factory=dict)
    remark: str = ""


# -- numbers --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Summary:
    """One number of ours beside the published one.

    Attributes
    ----------
    values : tuple of float
        One for each split that is there.
    count : int
        Splits there should be.
    published : float or None
    verdict : str
        One of `VERDICTS`.
    chosen : str
        Of a grid: the candidate that was chosen.
    """

    values: tuple[float, ...]
    count: int
    published: float | None
    verdict: str
    chosen: str = ""

    @property
    def mean(self) -> float | None:
        return float(np.mean(self.values)) if self.values else None

    @property
    def deviation(self) -> float | None:
        """Over the splits; None for a single one."""
        return float(np.std(self.values, ddof=1)) if len(self.values) > 1 else None

    @property
    def difference(self) -> float | None:
        if self.mean is None or self.published is None:
            return None
        return self.mean - self.published


def summarise(table: Table, entry: Entry, results: Results) -> Summary:
    """What the finished cells say of an entry."""
    chosen, cells = "", entry.cells
    if entry.grid:
        chosen, cells = _choose(entry, results)
    values = tuple(
        float(results[cell.spec][entry.metric])
        for cell in cells
        if entry.metric in results.get(cell.spec, {})
    )
    verdict = _verdict(table, entry, values, len(cells))
    return Summary(values, len(cells), entry.published, verdict, chosen)


def _choose(entry: Entry, results: Results) -> tuple[str, tuple[Cell, ...]]:
    """The candidate of least mean; the first one while a cell is missing."""
    means = []
    for _, cells in entry.grid:
        found = [results[c.spec][entry.select] for c in cells if c.spec in results]
        means.append(np.mean(found) if len(found) == len(cells) else np.nan)
    if np.isnan(means).any():
        return "", entry.grid[0][1]
    return entry.grid[int(np.argmin(means))]


def _verdict(table: Table, entry: Entry, values, count) -> str:
    if entry.published is None or not table.graded:
        return OPEN
    if len(values) < count or not values:
        return WAITING
    margin = table.tolerance * (entry.published if table.relative else 1.0)
    difference = float(np.mean(values)) - entry.published
    if abs(difference) <= margin:
        return MATCHES
    return BEATS if difference < 0 else MISSES


def tally(table: Table, results: Results) -> dict[str, int]:
    """How many numbers of the table match, beat or miss the published ones."""
    found = [summarise(table, entry, results).verdict for entry in each(table)]
    return {verdict: found.count(verdict) for verdict in VERDICTS}


def each(table: Table) -> Iterator[Entry]:
    yield from table.entries.values()
