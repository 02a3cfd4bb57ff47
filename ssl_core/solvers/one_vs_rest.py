"""Several classes: one binary machine for each, in step, merged into one run."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count

import numpy as np

from ssl_core.driver import GO_ON, machine
from ssl_core.quantities import merged, quantities
from ssl_core.trace import Array, Event, State, Status

SolverOfClass = Callable[[int, Array, State | None], Iterator[State]]


def one_vs_rest(Y: Array, start: State | None, make: SolverOfClass) -> Iterator[State]:
    """The runs of ``make(j, y, start)`` for every column j of Y, as one.

    Parameters
    ----------
    Y : ndarray of shape (n, k)
        One column per binary machine, in {-1, 0, +1}.
    start : State or None
        Seed: an earlier state of all machines together.
    make : callable
        A solver of one binary problem at work.
    """
    k = Y.shape[1]
    if k == 1:
        return make(0, Y[:, 0], start)
    seeds = [None if start is None else machine(start, j) for j in range(k)]
    return side_by_side([make(j, Y[:, j], seeds[j]) for j in range(k)])


def side_by_side(machines: Sequence[Iterator[State]]) -> Iterator[State]:
    """One state from each of k machines, merged: one-vs-rest in step.

    A machine that has ended, or has to rest, waits with its last state. Arrays get a
    last axis of length k; numbers are merged as the state declares, with the
    values per class beside them.
    """
    states = [next(machine) for machine in machines]
    moved = running = np.ones(len(machines), dtype=bool)
    for t in count():
        running = running & [s.status.running for s in states]
        merged_state = _merge(t, states, moved, running)
        orders = (yield merged_state) or GO_ON
        if not running.any():
            return
        if orders.resting is not None:
            running = running & ~orders.resting
        moved = running
        for j in np.flatnonzero(moved):
            states[j] = machines[j].send(orders)


def _merge(t, states, moved, running) -> State:
    fields, per_class = {}, {}
    for name, declared in quantities(type(states[0])).items():
        values = [getattr(s, name) for s in states]
        if isinstance(values[0], Array):
            fields[name] = np.stack(values, axis=-1)
        elif declared.merge == "each":
            numbers = isinstance(values[0], int | float)
            fields[name] = np.array(values) if numbers else tuple(values)
        elif name != "t" and isinstance(values[0], int | float):
            per_class[name] = np.array(values)
            fields[name] = merged(declared.merge, values)
    return replace(
        states[0],
        **fields,
        t=t,
        status=Status.RUNNING if running.any() else _joint(states),
        events=tuple(_events(states, moved)),
        per_class={**per_class, "running": running},
    )


def _joint(states) -> Status:
    """The least satisfactory of the machines' own endings, resting ones left out."""
    own = [s.status for s in states if not s.status.running]
    return next((s for s in (Status.STALLED, Status.MAX_ITER) if s in own), own[0])


def _events(states, moved) -> Iterator[Event]:
    for j, state in enumerate(states):
        for event in state.events if moved[j] else ():
            text = f"Class {j}: {event.text}"
            yield replace(event, text=text, data={**event.data, "class": j})
