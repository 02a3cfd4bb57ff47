"""What a published table is: rows, columns, cells behind each number, the paper's own.

A `Table` is a declaration; `summarise` reads one of its numbers from finished cells.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ssl_core.experiments.cell import Cell

Results = Mapping[str, Mapping[str, Any]]  # spec of a cell -> what it measured
BEATS, MATCHES, MISSES = "beats", "matches", "misses"
WAITING, OPEN = "incomplete", "nothing published"
VERDICTS = (MATCHES, BEATS, MISSES, WAITING, OPEN)
ERRORS = 2.0  # standard errors that a mean may be away
ROUNDING = 1e-12  # relative: 7.8 is 1.5 away from 6.3, whatever binary numbers say
DUEL = "duel"  # lower / same / higher, split by split
SHOWN = {  # of the splits' values
    "mean": np.mean,
    "median": np.median,
    "largest": np.max,
    "smallest": np.min,
    DUEL: np.mean,
}
CAPPED = "capped"  # in a result: 1 where a limit ended the run, not the method
SAME = 1e-6  # relative: two values nearer than this are the same in a duel
UNITS = {  # of what a cell measures, whatever stands in the other columns
    "seconds": "s",
    **dict.fromkeys(("error", "test", "val", "unlabeled", "gap", "proved"), "%"),
}
TITLE = re.compile(r"(?:\[\w+\] )?(?:((?:Tables?|Figure) [\d.]+(?: and \d+)?): )?(.+)")


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
        Instead of ``cells``: candidates by name, each with its cells, split by split.
        The one whose mean of ``select`` is least is the one shown, as a paper chooses
        on validation points.
    select : str
    digits : int or None
        Behind the point, where they are not the table's.
    against : tuple of Cell
        One for each of ``cells``, of the same problem: a split's value is then the
        ratio of the two, or in a duel which of them is lower.
    show : str
        A key of `SHOWN`: which summary of the splits' values is shown.
    better : {"lower", "higher"}
    spread : float or None
        The standard deviation over the splits that the paper prints.
    """

    cells: tuple[Cell, ...] = ()
    published: float | None = None
    metric: str = "error"
    grid: tuple[tuple[str, tuple[Cell, ...]], ...] = ()
    select: str = "val"
    digits: int | None = None
    against: tuple[Cell, ...] = ()
    show: str = "mean"
    better: str = "lower"
    spread: float | None = None

    def __post_init__(self) -> None:
        if self.show not in SHOWN:
            raise ValueError(
                f"show must be one of {', '.join(SHOWN)}, got {self.show!r}."
            )
        if self.against and len(self.against) != len(self.cells):
            raise ValueError(
                f"against must have one cell for each of the {len(self.cells)} cells, "
                f"got {len(self.against)}."
            )
        if self.show == DUEL and not self.against:
            raise ValueError("a duel needs two sides: give against.")

    @property
    def every(self) -> tuple[Cell, ...]:
        """All cells that must be there before the number is."""
        candidates = tuple(cell for _, cells in self.grid for cell in cells)
        return self.cells + self.against + candidates


@dataclass(frozen=True, slots=True)
class Table:
    """A published table, declared.

    Attributes
    ----------
    key : str
        Such as ``csk08-8``: what the command line takes.
    title : str
        Its name in the paper, if it has one, a colon, and what it shows.
    entries : mapping of (row, column) to Entry
        Rows and columns stand in the order in which they first appear.
    unit : str
        Of the numbers: "%" and the like.
    digits : int
        Behind the point.
    tolerance : float
        Ours matches the published number when they are at most so far apart: a
        share of it where ``relative``, else in ``unit``. Means also match within two
        standard errors of their difference, see `standard_error`.
    relative : bool
    graded : bool
        Whether differences are scored, and not only reported.
    note : str
        A sentence below the table.
    paper : str
        Key into `ssl_core.references.REFERENCES`; the protocol's where it is empty.
    """

    key: str
    title: str
    entries: Mapping[tuple[str, str], Entry]
    unit: str = "%"
    digits: int = 1
    tolerance: float = 1.5
    relative: bool = False
    graded: bool = True
    note: str = ""
    paper: str = ""

    @property
    def printed(self) -> str:
        """Its name in the paper, such as "Table 4"; "" where it is ours alone."""
        return TITLE.fullmatch(self.title)[1] or ""

    @property
    def words(self) -> str:
        """What it shows."""
        words = TITLE.fullmatch(self.title)[2]
        return words[:1].upper() + words[1:]

    def unit_of(self, entry: Entry) -> str:
        """The unit of one of its numbers."""
        return self.unit if entry.against else UNITS.get(entry.metric, self.unit)

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
        Key into `ssl_core.references.REFERENCES`; empty where there is none.
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

    def __post_init__(self) -> None:
        tables = (replace(t, paper=t.paper or self.paper) for t in self.tables)
        object.__setattr__(self, "tables", tuple(tables))

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
    show : str
        As `Entry.show`.
    error : float or None
        Standard error of the difference from the published number, for a mean.
    by_chance : bool
        Whether it matches within two standard errors and not within the tolerance.
    n_runs, n_capped, n_unmarked : int
        Runs behind the number; those that a limit of iterations, nodes or seconds
        ended; and those of cells that do not record how they ended.
    """

    values: tuple[float, ...]
    count: int
    published: float | None
    verdict: str
    chosen: str = ""
    show: str = "mean"
    error: float | None = None
    by_chance: bool = False
    n_runs: int = 0
    n_capped: int = 0
    n_unmarked: int = 0

    @property
    def mean(self) -> float | None:
        return float(np.mean(self.values)) if self.values else None

    @property
    def value(self) -> float | None:
        """The number that is shown; None where no split is there."""
        return float(SHOWN[self.show](self.values)) if self.values else None

    @property
    def deviation(self) -> float | None:
        """Over the splits; None for a single one, and for what is no mean."""
        if self.show != "mean" or len(self.values) < 2:
            return None
        return float(np.std(self.values, ddof=1))

    @property
    def duel(self) -> tuple[int, int, int]:
        """Splits on which the first is lower, the same, higher."""
        return tuple(self.values.count(side) for side in (-1.0, 0.0, 1.0))

    @property
    def difference(self) -> float | None:
        if self.value is None or self.published is None:
            return None
        return self.value - self.published


def summarise(table: Table, entry: Entry, results: Results) -> Summary:
    """What the finished cells say of an entry."""
    chosen, cells, count = "", entry.cells, len(entry.cells)
    if entry.grid:
        chosen, cells, count = _choose(entry, results)
    values = _values(entry, cells, results)
    error = standard_error(entry, values)
    verdict, by_chance = _verdict(table, entry, values, count, error)
    ends = endings((*cells, *entry.against), results)
    return Summary(
        *(values, count, entry.published, verdict, chosen, entry.show),
        *(error, by_chance, *ends),
    )


def standard_error(entry: Entry, values) -> float | None:
    """Of the difference between our mean and the published one.

    The paper's part counts where it prints a standard deviation; its splits are then
    taken to be as many as ours. None for what is no mean, and where neither side says
    how much its splits differ.
    """
    if entry.show != "mean" or entry.published is None or not values:
        return None
    n = len(values)
    ours = float(np.var(values, ddof=1)) / n if n > 1 else 0.0
    theirs = 0.0 if entry.spread is None else entry.spread**2 / n
    return float(np.sqrt(ours + theirs)) or None


def endings(cells: Iterable[Cell], results: Results) -> tuple[int, int, int]:
    """Finished runs of these cells, those that a limit ended, those that do not say."""
    found = [results[cell.spec] for cell in cells if cell.spec in results]
    capped = [result.get(CAPPED) for result in found]
    return len(found), sum(map(bool, capped)), capped.count(None)


def _values(entry: Entry, cells, results: Results) -> tuple[float, ...]:
    """One for each split that is there: of a cell, or of two."""
    first = [results.get(cell.spec, {}).get(entry.metric) for cell in cells]
    if not entry.against:
        return tuple(float(a) for a in first if a is not None)
    second = [results.get(cell.spec, {}).get(entry.metric) for cell in entry.against]
    compared = _side if entry.show == DUEL else _ratio
    pairs = zip(first, second, strict=True)
    return tuple(compared(a, b) for a, b in pairs if a is not None and b is not None)


def _ratio(a: float, b: float) -> float:
    return float(a / b) if b else float("inf")


def _side(a: float, b: float) -> float:
    """-1 where a is lower, 0 where they are the same, 1 where it is higher."""
    if abs(a - b) <= SAME * max(abs(a), abs(b)):
        return 0.0
    return -1.0 if a < b else 1.0


def _choose(entry: Entry, results: Results) -> tuple[str, tuple[Cell, ...], int]:
    """The candidate of least mean over the splits that every candidate has finished.

    Its name, its cells on those splits, and how many splits there should be.
    """
    names, candidates = zip(*entry.grid, strict=True)
    splits = list(zip(*candidates, strict=True))
    done = [cells for cells in splits if all(cell.spec in results for cell in cells)]
    if not done:
        return "", (), len(splits)
    scores = [[results[cell.spec][entry.select] for cell in cells] for cells in done]
    best = int(np.argmin(np.mean(scores, axis=0)))
    return names[best], tuple(cells[best] for cells in done), len(splits)


def _verdict(table: Table, entry: Entry, values, count, error) -> tuple[str, bool]:
    """The verdict, and whether only chance makes it a match."""
    if entry.published is None or not table.graded:
        return OPEN, False
    if len(values) < count or not values:
        return WAITING, False
    margin = table.tolerance * (abs(entry.published) if table.relative else 1.0)
    difference = float(SHOWN[entry.show](values)) - entry.published
    rounding = ROUNDING * abs(entry.published)
    if abs(difference) <= margin + rounding:
        return MATCHES, False
    if error is not None and abs(difference) <= ERRORS * error + rounding:
        return MATCHES, True
    return (BEATS if difference < 0 else MISSES), False


def tally(table: Table, results: Results) -> dict[str, int]:
    """How many numbers of the table match, beat or miss the published ones."""
    found = [summarise(table, entry, results).verdict for entry in each(table)]
    return {verdict: found.count(verdict) for verdict in VERDICTS}


def by_chance(table: Table, results: Results) -> int:
    """How many numbers match within two standard errors alone."""
    return sum(summarise(table, entry, results).by_chance for entry in each(table))


def each(table: Table) -> Iterator[Entry]:
    yield from table.entries.values()
