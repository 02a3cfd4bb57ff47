"""Who may run now: places go to visitors in turn, not to runs in the order they came.

Solvers are generators of states, so a run can hand over its place between two of them.
That makes a queue of short turns:

- **A turn** lasts `SLICE` seconds while others wait, then the run hands over at its
  next state and lines up again. What it holds in memory stays.
- **The order** is by what a visitor has had: whoever had least goes first, and of two
  with the same, who has waited longer. A visitor's second run stands behind by a turn
  of the first, so that eight runs of one take turns with one run of another. Who comes
  new, or after a rest, is one turn ahead of the least served, so that a quick run is
  next, and no more, so that nobody saves up turns. Visitors who have waited `PATIENCE`
  seconds go before all others, in the order they came.
- **A late place**: a run whose step takes longer than `LATE` cannot hand over. Its
  place is lent, once, so that a long factorisation holds up nobody.
- **Memory**: a run begins when its bytes fit beside those of all that have begun,
  paused ones included. One that does not fit yet waits, and later ones may begin before
  it only if it fits beside all of them: small runs pass, and it is not passed for ever.

No streamlit here, and no solver.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

SLICE = 0.3  # seconds of a turn while others wait
LATE = 1.5  # seconds after which a place that was not handed over is lent
SOON = 0.25  # seconds between two looks of a waiting run: is it wanted, is one late?
PATIENCE = 5.0  # seconds of waiting after which only those go first who waited longer
MOST = 1.0  # seconds that a turn counts at most: nobody pays for a step for minutes
MEMORY = 60.0  # seconds for which a visitor who left is remembered
RECENT = 0.1  # weight of the last turn in the mean length of a turn
STOPPED_EARLY = "The run was stopped before its turn came."


class Standing(NamedTuple):
    """Where a run is in the line.

    Attributes
    ----------
    place : int
        1 is next, 0 has a place. Those that wait for memory stand in a line of
        their own.
    seconds : float or None
        A guess from the length of the last turns; None for one that waits for memory.
    others : int
        Runs to take turns with; 0 where there is a place for each.
    """

    place: int
    seconds: float | None
    others: int


class QueueFigures(NamedTuple):
    """What an operator may want to know of a queue."""

    places: int
    running: int
    paused: int  # have begun and wait for their next turn
    waiting: int  # have not begun
    memory: float  # bytes that may be held
    held: float  # bytes that are
    turns: int
    handed_over: int


@dataclass(eq=False)
class Ticket:
    """One run in the queue, from its coming to its end.

    Attributes
    ----------
    need : float
        Bytes that it holds from its first turn to its end.
    begun : bool
        It has had a turn.
    first_wait, waited : float
        Seconds until its first turn, and in all.
    """

    visitor: str
    need: float
    number: int
    given_up: Callable[[], bool]
    since: float  # when it began to wait, or to hold its place
    begun: bool = False
    first_wait: float = 0.0
    waited: float = 0.0
    go: threading.Event = field(default_factory=threading.Event)


class Queue:
    """Places for runs, and bytes for what they hold.

    Parameters
    ----------
    places : int
        Runs at once; while places are late, up to twice as many.
    memory : float
        Bytes that all runs may hold together. A run that needs more than that waits
        until it is alone.
    """

    def __init__(self, places: int, memory: float = float("inf")):
        self.places, self.memory = places, memory
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._waiting: list[Ticket] = []
        self._running: list[Ticket] = []
        self._had: dict[str, float] = {}  # visitor: seconds of turns
        self._seen: dict[str, float] = {}  # visitor: when a run of theirs was here
        self._least = 0.0  # what the one had who was served last
        self._wanted = 0.0  # since when somebody waits
        self._dealt = 0.0  # when places were last given away
        self._turn = SLICE  # mean length of the last turns
        self._turns = self._handed_over = 0

    def line_up(
        self, visitor: str, need: float, given_up: Callable[[], bool]
    ) -> Ticket:
        """Take a place at the end of a visitor's line; `turns` waits for it.

        Parameters
        ----------
        visitor : str
            Runs of one visitor share what is due to one.
        need : float
            Bytes.
        given_up : callable
            Whether nobody waits for this run any more.
        """
        now = time.monotonic()
        with self._lock:
            if not any(t.visitor == visitor for t in self._present()):
                self._forget(now)
                had = self._had.get(visitor, 0.0)
                self._had[visitor] = max(had, self._least - SLICE)
            ticket = Ticket(visitor, need, next(self._numbers), given_up, now)
            self._await(ticket, now)
            self._deal()
        return ticket

    @contextmanager
    def turns(self, ticket: Ticket) -> Iterator[None]:
        """Wait for the first turn; the run is here until the block ends.

        Raises
        ------
        ValueError
            When it was given up before its first turn.
        """
        try:
            if not self._turn_comes(ticket) or ticket.given_up():
                raise ValueError(STOPPED_EARLY)
            yield
        finally:
            self._leave(ticket)

    def between_states(self, ticket: Ticket) -> None:
        """Called by a run that could pause here; returns when it may go on.

        A run that was given up while it paused comes back without a place: all that is
        left for it is to end.
        """
        now = time.monotonic()
        if now - ticket.since < SLICE:
            return
        with self._lock:
            if not self._waiting:
                return
            self._hand_over(ticket, now)
            self._handed_over += 1
            self._await(ticket, now)
            self._deal()
        self._turn_comes(ticket)

    def standing(self, ticket: Ticket) -> Standing | None:
        """Where a run is; None after its end."""
        with self._lock:
            begun = sum(t.begun for t in self._present())
            others = begun - 1 if ticket.begun and begun > self.places else 0
            if ticket in self._running:
                return Standing(0, 0.0, others)
            if ticket not in self._waiting:
                return None
            if not self._may_go_on()(ticket):
                new = (t.number for t in self._waiting if not t.begun)
                return Standing(sum(n <= ticket.number for n in new), None, others)
            place = self._line().index(ticket) + 1
            return Standing(place, place * self._turn / self.places, others)

    def figures(self) -> QueueFigures:
        with self._lock:
            paused = sum(ticket.begun for ticket in self._waiting)
            return QueueFigures(
                self.places,
                len(self._running),
                paused,
                len(self._waiting) - paused,
                self.memory,
                self._held(),
                self._turns,
                self._handed_over,
            )

    # -- with the lock held ----------------------------------------------------------

    def _present(self) -> list[Ticket]:
        return self._waiting + self._running

    def _held(self) -> float:
        return sum(ticket.need for ticket in self._present() if ticket.begun)

    def _await(self, ticket: Ticket, now: float) -> None:
        if not self._waiting:
            self._wanted = now
        ticket.since = now
        ticket.go.clear()
        self._waiting.append(ticket)

    def _line(self) -> list[Ticket]:
        """Those who wait, in the order of their turns."""
        long_ago = time.monotonic() - PATIENCE
        ahead = Counter(ticket.visitor for ticket in self._running)
        keys = {}
        for ticket in sorted(self._waiting, key=lambda t: t.since):
            others, had = ahead[ticket.visitor], self._had[ticket.visitor]
            patient = ticket.since < long_ago and not others
            keys[ticket] = not patient, not patient and had + SLICE * others
            ahead[ticket.visitor] += 1
        return sorted(keys, key=keys.get)

    def _deal(self) -> None:
        """Give away what places there are."""
        self._dealt = now = time.monotonic()
        while self._waiting:
            late = sum(
                now - max(ticket.since, self._wanted) > LATE for ticket in self._running
            )
            if len(self._running) - min(late, self.places) >= self.places:
                return
            ticket = next(filter(self._may_go_on(), self._line()), None)
            if ticket is None:
                return
            self._waiting.remove(ticket)
            self._running.append(ticket)
            self._least = max(self._least, self._had[ticket.visitor])
            self._turns += 1
            ticket.waited += now - ticket.since
            if not ticket.begun:
                ticket.begun, ticket.first_wait = True, ticket.waited
            ticket.since = now
            ticket.go.set()

    def _may_go_on(self) -> Callable[[Ticket], bool]:
        """Who has their bytes, or would fit beside all others'.

        Behind the first that waits for memory those may begin that fit beside it, too.
        """
        held, room = self._held(), float("inf")
        new = sorted((t for t in self._waiting if not t.begun), key=lambda t: t.number)
        first = next((t for t in new if held and held + t.need > self.memory), None)
        if first is not None:
            later = (t for t in self._present() if t.begun and t.number > first.number)
            room = self.memory - first.need - sum(t.need for t in later)

        def may(ticket: Ticket) -> bool:
            if ticket.begun or not held:
                return True
            passes = first is not None and ticket.number > first.number
            fits = held + ticket.need <= self.memory
            return fits and (not passes or ticket.need <= room)

        return may

    def _hand_over(self, ticket: Ticket, now: float) -> None:
        """Give a place back and count the turn; nothing where it had none."""
        if ticket not in self._running:
            return
        self._running.remove(ticket)
        turn = now - ticket.since
        self._turn += RECENT * (turn - self._turn)
        self._had[ticket.visitor] += min(turn, MOST)

    def _forget(self, now: float) -> None:
        """Who left a while ago comes as somebody new."""
        here = {ticket.visitor for ticket in self._present()}
        for visitor in [v for v, at in self._seen.items() if now - at > MEMORY]:
            if visitor not in here:
                del self._seen[visitor], self._had[visitor]

    # -- in the run's own thread -----------------------------------------------------

    def _turn_comes(self, ticket: Ticket) -> bool:
        """Wait for it; False when the run was given up before."""
        while not ticket.go.wait(SOON):
            if ticket.given_up():
                return False
            with self._lock:
                if time.monotonic() - self._dealt >= SOON:  # one for all who wait
                    self._deal()  # a place may have become late
        return True

    def _leave(self, ticket: Ticket) -> None:
        now = time.monotonic()
        with self._lock:
            self._hand_over(ticket, now)
            if ticket in self._waiting:
                self._waiting.remove(ticket)
            self._seen[ticket.visitor] = now
            self._deal()
