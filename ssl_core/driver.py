"""One driver for every solver: it asks the rules, counts, and says why a run ended.

A solver is a plain generator of states: the start, t = 0, and at least one more. It
knows its own end (a state whose status is CONVERGED, FINISHED or STALLED is its last)
and nothing of rules, limits or watchers. What it may need to know before it goes on is
the value of its ``yield``:

    orders = (yield state) or GO_ON
    if orders.last:  # one more state is allowed: DA returns its best machine now
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ssl_core.quantities import quantities
from ssl_core.stopping import NOT_YET, Verdict
from ssl_core.trace import Array, Event, State, Status

Watch = Callable[[State], Verdict]


@dataclass(frozen=True, slots=True)
class Orders:
    """What the driver tells a solver between two states.

    Attributes
    ----------
    last : bool
        Only one more state is allowed. A solver with a last word gives it now, as a
        state that is still RUNNING; all others just go on.
    resting : ndarray of bool of shape (k,) or None
        Machines of a multi-class run that a rule has ended; they stay as they are.
    """

    last: bool = False
    resting: Array | None = None


GO_ON = Orders()


def drive(
    solver: Iterator[State],
    *,
    max_iter: int | None = None,
    watch: Watch | Sequence[Watch] | None = None,
) -> Iterator[State]:
    """The states of a solver up to the one that is to be the last.

    Parameters
    ----------
    solver : generator of states
    max_iter : int or None
        Largest ``t``; None for as many as the solver makes.
    watch : callable, one callable per machine, or None
        A stopping rule at work, asked about every state. One per machine lets each
        machine of a multi-class run end by itself; the run ends with the last of them.

    Yields
    ------
    state : State
        The solver's, with the rule's events; the last one's status says why it is.
    """
    ask = _Machines(watch) if isinstance(watch, Sequence) else watch
    try:
        state = next(solver, None)
        while state is not None:
            state = _judged(state, ask, max_iter)
            yield state
            if not state.status.running:
                return
            last = max_iter is not None and state.t + 1 >= max_iter
            resting = ask.resting if isinstance(ask, _Machines) else None
            state = _send(solver, Orders(last, resting))
    finally:
        close = getattr(solver, "close", None)
        if close is not None:
            close()


def _send(solver, orders: Orders) -> State | None:
    try:
        return solver.send(orders) if hasattr(solver, "send") else next(solver)
    except StopIteration:
        return None


def _judged(state: State, ask: Watch | None, max_iter: int | None) -> State:
    """The state as it goes out: with what the rule says, and why the run ends."""
    verdict = NOT_YET if ask is None else ask(state)
    status, events = state.status, state.events
    if verdict.event is not None:
        events = (*events, verdict.event)
    # A rule that is met says more than "no further descent is possible".
    if verdict.stop and status in (Status.RUNNING, Status.STALLED):
        status = verdict.status
    if status.running and max_iter is not None and state.t >= max_iter:
        status = Status.MAX_ITER
    if status is state.status and events is state.events:
        return state
    return replace(state, status=status, events=events)


class _Machines:
    """Rules of their own for the machines of a multi-class run."""

    def __init__(self, watches: Sequence[Watch]):
        self.watches = watches
        self.resting = np.zeros(len(watches), dtype=bool)

    def __call__(self, state: State) -> Verdict:
        texts, stopped, status = [], [], Status.EARLY
        running = state.per_class["running"].astype(bool)
        for j in np.flatnonzero(running & ~self.resting):
            verdict = self.watches[j](machine(state, j))
            if verdict.stop:
                status = verdict.status
                stopped.append(int(j))
                event = verdict.event or Event("stop", "ended by its rule.")
                texts.append(f"Class {j}: {event.text}")
        if not stopped:
            return NOT_YET
        self.resting[stopped] = True
        event = Event("check", " ".join(texts), {"classes": stopped})
        return Verdict(not (running & ~self.resting).any(), event, status)


def machine(state: State, j: int) -> State:
    """Machine j of a multi-class state, as a run of its own would show it."""
    per_class = state.per_class
    k = len(per_class["objective"])
    fields = {}
    for name in quantities(type(state)):
        value = getattr(state, name)
        if name in per_class:
            fields[name] = type(value)(per_class[name][j])
        elif isinstance(value, Array) and value.shape[-1:] == (k,):
            part = value[..., j]
            fields[name] = part.copy() if part.ndim else float(part)
        elif isinstance(value, tuple) and len(value) == k and name != "events":
            fields[name] = value[j]
    return replace(state, **fields, events=(), per_class=None)
