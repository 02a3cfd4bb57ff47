"""Cells computed for a visitor of the page: small ones only, in a thread, in turn.

What can be asked for are cells of declared tables. Each waits for its turn among all
runs of the server. A run ends when it is stopped, when nobody has looked at it for a
while, or when its time is over; what was finished before is kept. No streamlit here.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from halfmoon.common.plugins import PLUGINS
from halfmoon.datasets.store import at_hand_only
from halfmoon.pages._parts.running.job import ABANDONED
from ssl_core.experiments import (
    TABLES,
    Cell,
    Outcome,
    RunError,
    Store,
    StoreError,
    open_store,
    plan,
    posed,
    run,
)
from ssl_core.experiments.progress import Costs, Progress

LOG = logging.getLogger("halfmoon")
CELL_SECONDS = 15.0  # a cell cannot be stopped half-way, so it must be short
RUN_SECONDS = 300.0  # of one run, as estimated
LONGEST = 2 * RUN_SECONDS  # of one run, by the clock
MOST_RUNS = 6  # at once, of all visitors
STOPPED, LEFT = "stopped", "left"
_under_way: set[Computing] = set()
_counting = threading.Lock()


@dataclass(frozen=True)
class Offer:
    """What of the missing cells can be computed from a page.

    Attributes
    ----------
    small : tuple of Cell
        These.
    seconds : float
        They will take about so long.
    long : tuple of Cell
        Those that take too long, or of which nobody knows how long they take.
    later : int
        Small ones that are left for the next run.
    """

    small: tuple[Cell, ...] = ()
    seconds: float = 0.0
    long: tuple[Cell, ...] = ()
    later: int = 0


def offer(missing: Iterable[Cell], costs: Costs) -> Offer:
    """Sort cells by what they are likely to cost."""
    small, long, total, later = [], [], 0.0, 0
    for cell in in_order(missing):
        cost = costs.of(cell)
        if not costs.known(cell) or cost > CELL_SECONDS:
            long.append(cell)
        elif total + cost > RUN_SECONDS:
            later += 1
        else:
            small.append(cell)
            total += cost
    return Offer(tuple(small), total, tuple(long), later)


def in_order(cells: Iterable[Cell]) -> list[Cell]:
    """Data set by data set, split by split: data are read once."""
    return sorted(dict.fromkeys(cells), key=lambda cell: str(cell.problem))


def command(table: str, cells: Sequence[Cell], every: Sequence[Cell]) -> str:
    """The line that computes some cells of a table, and as few others as it can."""
    plugin = PLUGINS.get(TABLES.brought.get(table, ""))
    script = f" --plugin {plugin.module}" if plugin and plugin.source else ""
    line = f"halfmoon{script} experiments run {table}"
    for option, of in (("data", _data), ("algorithms", lambda c: c.algorithm)):
        wanted, all_of = dict.fromkeys(map(of, cells)), set(map(of, every))
        if None not in wanted and set(wanted) < all_of:
            line += f" --{option} {','.join(wanted)}"
    return line


def _data(cell: Cell) -> str | None:
    return dict(cell.problem).get("data")


@dataclass(frozen=True)
class News:
    """How far a run is; a value, so that a page can read it at any moment."""

    total: int = 0
    done: int = 0
    failed: int = 0
    share: float = 0.0
    per_minute: float | None = None
    until: float | None = None  # on the monotonic clock

    @property
    def seconds_left(self) -> float | None:
        return None if self.until is None else max(0.0, self.until - time.monotonic())


class Computing:
    """One visitor's run.

    Parameters
    ----------
    cells : sequence of Cell
        Of declared tables.
    slot : callable
        ``slot(given_up)`` gives a block that holds a place of the server.
    about : str
        The table's key.

    Attributes
    ----------
    phase : {"preparing", "waiting", "running", "over"}
    news : News
    ended : str
        "" when all was done, else "stopped" (by its visitor), "left" or "time".
    trouble : tuple of str
        Sentences on what could not be done.
    """

    def __init__(
        self,
        cells: Sequence[Cell],
        slot: Callable[[Callable[[], bool]], AbstractContextManager],
        about: str = "",
    ):
        self.cells, self.about = tuple(cells), about
        self.phase, self.news, self.ended = "preparing", News(len(cells)), ""
        self.trouble: tuple[str, ...] = ()
        self._slot, self._first_error = slot, ""
        self._stop, self._over = threading.Event(), threading.Event()
        self._seen = self._began = time.monotonic()

    def start(self) -> None:
        """Begin; a ValueError where too many runs are under way."""
        with _counting:
            if len(_under_way) >= MOST_RUNS:
                raise ValueError(
                    f"{MOST_RUNS} visitors compute tables now; try again in a few "
                    f"minutes. Their results will appear here, too."
                )
            _under_way.add(self)
        threading.Thread(target=self._work, daemon=True, name="benchmark").start()

    def look(self) -> None:
        """Somebody looks at it."""
        self._seen = time.monotonic()

    def stop(self) -> None:
        """Begin no further cell."""
        self._stop.set()

    @property
    def over(self) -> bool:
        return self._over.is_set()

    @property
    def stopping(self) -> bool:
        return self._stop.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        return self._over.wait(seconds)

    def given_up(self) -> bool:
        """Whether it is to end; says why."""
        now = time.monotonic()
        if self._stop.is_set():
            self.ended = STOPPED
        elif now - self._seen > ABANDONED:
            self.ended = LEFT
        elif now - self._began > LONGEST:
            self.ended = "time"
        return bool(self.ended)

    def _work(self) -> None:
        try:
            with at_hand_only(), open_store() as store:
                self._run(store)
        except (StoreError, RunError) as error:
            self._tell(str(error))
        except ValueError as error:  # it was stopped before its turn came
            if not self.ended:
                self._tell(str(error))
        except MemoryError:
            self._tell("There is not enough free memory for this here.")
        except Exception:
            LOG.exception("A run of the benchmark page ended with an unexpected error.")
            self._tell("The run failed; the server's log has the reason.")
        finally:
            with _counting:
                _under_way.discard(self)
                last = not _under_way
            if last:
                posed.forget()
            self.phase = "over"
            self._over.set()

    def _run(self, store: Store) -> None:
        with self._turn():
            made = plan(self.cells, store)
        for reason, count in made.missing.items():
            self._tell(f"{_trainings(count)} cannot be computed here: {reason}")
        progress = Progress(made.work, Costs(store))
        self.news = News(progress.total)
        self.phase = "waiting"
        for outcome in run(made.work, store, stopped=self.given_up, within=self._turn):
            progress.count(outcome)
            self._note(progress, outcome)
        if self.news.failed:
            self._tell(f"{_trainings(self.news.failed)} failed: {self._first_error}")

    def _turn(self) -> AbstractContextManager:
        return _Turn(self, self._slot(self.given_up))

    def _note(self, progress: Progress, outcome: Outcome) -> None:
        if outcome.error and not self._first_error:
            self._first_error = f"{outcome.work.cell}: {outcome.error}"
        left, ended = progress.seconds_left, progress.done + progress.failed
        self.news = News(
            progress.total,
            progress.done,
            progress.failed,
            progress.share,
            60.0 * ended / max(progress.seconds, 1e-9),
            None if left is None else time.monotonic() + left,
        )

    def _tell(self, sentence: str) -> None:
        self.trouble = (*self.trouble, sentence)


class _Turn:
    """A place of the server, and what the page says while it is waited for."""

    def __init__(self, computing: Computing, place: AbstractContextManager):
        self.computing, self.place = computing, place

    def __enter__(self):
        self.computing.phase = "waiting"
        self.place.__enter__()
        self.computing.phase = "running"

    def __exit__(self, *error):
        self.computing.phase = "waiting"
        return self.place.__exit__(*error)


def _trainings(count: int) -> str:
    return "One training" if count == 1 else f"{count} trainings"
