"""How far a run is, how fast it goes and how long it will take."""

import time
from collections.abc import Iterable

from ssl_core.experiments.cell import Cell
from ssl_core.experiments.store import Store
from ssl_core.experiments.work import Outcome, Work

BAR = 24  # characters


class Costs:
    """Seconds that a cell is likely to take: as one like it took, else as the mean."""

    def __init__(self, store: Store):
        found: dict[tuple, list[float]] = {}
        for kept in store.rows():
            for name in _kinds(kept.cell):
                found.setdefault(name, []).append(kept.seconds)
        self._means = {name: sum(s) / len(s) for name, s in found.items()}

    def of(self, cell: Cell) -> float:
        """Never zero, so that every cell counts."""
        for name in _kinds(cell):
            if name in self._means:
                return max(self._means[name], 1e-3)
        return 1.0

    def known(self, cell: Cell) -> bool:
        """Whether one like it was measured: these data, this algorithm."""
        return _kinds(cell)[0] in self._means


def _kinds(cell: Cell) -> tuple[tuple, ...]:
    data = dict(cell.problem).get("data")
    return (
        (cell.protocol, data, cell.algorithm),
        (cell.protocol, data),
        (cell.protocol,),
        (),
    )


class Progress:
    """Counts outcomes of a run.

    The time left is what the unfinished cells are likely to cost, at the speed at which
    the finished ones were worked off: a crowded machine or many workers count by
    themselves.
    """

    def __init__(self, work: Iterable[Work], costs: Costs):
        self._left = {w.key: costs.of(w.cell) for w in work}
        self.total, self.done, self.failed = len(self._left), 0, 0
        self._paid, self._began = 0.0, time.monotonic()

    def count(self, outcome: Outcome) -> None:
        cost = self._left.pop(outcome.work.key, 0.0)
        if outcome.error:
            self.failed += 1
        else:
            self.done += 1
        if not outcome.elsewhere:
            self._paid += cost

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    @property
    def seconds_left(self) -> float | None:
        """None until a cell is finished."""
        if self._paid == 0.0:
            return None
        return self.seconds * sum(self._left.values()) / self._paid

    @property
    def share(self) -> float:
        every = self._paid + sum(self._left.values())
        return self._paid / every if every else 1.0

    def __str__(self) -> str:
        filled = round(BAR * self.share)
        bar = "█" * filled + "·" * (BAR - filled)
        ended = self.done + self.failed
        text = f"{bar} {ended} of {self.total} cells"
        if self.failed:
            text += f", {self.failed} failed"
        if self.seconds_left is not None:
            rate = 60.0 * ended / max(self.seconds, 1e-9)
            text += f", {rate:.3g} a minute, {duration(self.seconds_left)} left"
        return text


def duration(seconds: float) -> str:
    """Time in the largest unit that suits it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
