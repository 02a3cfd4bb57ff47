"""What an operator can see of a server: a line for each run, and figures now and then.

With ``HALFMOON_LOG`` set to a file, or to ``-`` for the error output, each line is a
JSON object with the time and either a ``run`` or ``figures``. Visitors are numbered as
they come; nothing of what they do is written but the algorithm and how many points.
"""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections import Counter, OrderedDict
from dataclasses import asdict, dataclass
from logging.handlers import WatchedFileHandler

LOG = logging.getLogger("halfmoon.runs")
KNOWN = 1000  # visitors whose numbers are remembered


@dataclass
class LedgerEntry:
    """One run.

    Parameters
    ----------
    visitor : str
    algorithm : str
    n : int
    bytes : float
        What it was expected to hold.
    first_wait, waited : float
        Seconds in the queue, before its first turn and in all.
    cpu, seconds : float
        Of its own thread, and from being asked for to its end.
    iterations : int
    end : str
        "done", "stopped", "left" (its visitor), "refused" (a sentence) or "failed".
    """

    visitor: str
    algorithm: str
    n: int = 0
    bytes: float = 0.0
    first_wait: float = 0.0
    waited: float = 0.0
    cpu: float = 0.0
    seconds: float = 0.0
    iterations: int = 0
    end: str = ""


class Ledger:
    """Counts runs by how they ended, and writes a line for each."""

    def __init__(self):
        self._ends: Counter[str] = Counter()
        self._numbers: OrderedDict[str, int] = OrderedDict()
        self._came = 0
        self._lock = threading.Lock()

    def note(self, entry: LedgerEntry, job, outcome) -> None:
        """A run is over; called in its own thread, whose CPU time it has."""
        entry.cpu = time.thread_time()
        entry.seconds = time.monotonic() - job.asked
        entry.iterations = job.t
        if isinstance(outcome, ValueError) and not (job.stopped or job.left):
            entry.end = "refused"
        elif isinstance(outcome, ValueError) or getattr(outcome, "interrupted", False):
            entry.end = "left" if job.left else "stopped"
        else:
            entry.end = "failed" if isinstance(outcome, Exception) else "done"
        with self._lock:
            self._ends[entry.end] += 1
            visitor = self._number(entry.visitor)
        if entry.end == "failed":
            LOG.error("A run ended with an unexpected error.", exc_info=outcome)
        write("run", asdict(entry) | {"visitor": visitor})

    def figures(self) -> dict[str, int]:
        with self._lock:
            return dict(self._ends)

    def _number(self, visitor: str) -> int:
        """A session's own name would let whoever reads the log take it over."""
        if visitor not in self._numbers:
            self._came += 1
            self._numbers[visitor] = self._came
            if len(self._numbers) > KNOWN:
                self._numbers.popitem(last=False)
        self._numbers.move_to_end(visitor)
        return self._numbers[visitor]


def write(kind: str, content: dict) -> None:
    """One line of the log, where there is one."""
    if LOG.isEnabledFor(logging.INFO):
        rounded = {
            key: round(value, 4) if isinstance(value, float) else value
            for key, value in content.items()
        }
        LOG.info(json.dumps({"time": round(time.time(), 3), kind: rounded}))


class _File(WatchedFileHandler):
    """A log whose folder may be removed: lines are then lost, and no run."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            super().emit(record)
        except OSError:
            self.handleError(record)


def open_log(where: str | None = None) -> None:
    """Write lines to where the environment says; nowhere by default."""
    where = os.environ.get("HALFMOON_LOG", "") if where is None else where
    if not where:
        return
    try:
        handler = logging.StreamHandler() if where == "-" else _File(where)
    except OSError as error:
        logging.getLogger("halfmoon").warning(
            f"HALFMOON_LOG must be a file that can be written, got {where!r:.200} "
            f"({error.strerror}); no log is kept."
        )
        return
    handler.setFormatter(logging.Formatter("%(message)s"))
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    LOG.propagate = False
