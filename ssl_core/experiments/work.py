"""What a runner hands to its workers, and what comes back."""

from dataclasses import dataclass
from typing import Any

from ssl_core.experiments.cell import Cell

TRIES = 2  # of a cell whose worker died while no other cell was under way
DIED = (
    f"its worker died {TRIES} times: it was killed from outside, or the machine had no "
    f"memory left"
)


class RunError(RuntimeError):
    """The run cannot continue; finished cells are kept. The message is a sentence."""


class WorkerDied(RuntimeError):  # noqa: N818 - it names what happened
    """A process that computed cells is gone, and nobody knows which one killed it."""


@dataclass(frozen=True, slots=True)
class Work:
    """A cell that is not finished, and the key of its result."""

    cell: Cell
    key: str
    checksum: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a cell: its result, or why there is none."""

    work: Work
    result: dict[str, Any] | None = None
    error: str = ""
    seconds: float = 0.0  # wall time
    elsewhere: bool = False  # another runner has finished it
    died: bool = False  # the process that computed it has
