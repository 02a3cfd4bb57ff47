"""States of linear machines, their seeds, and several machines side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ssl_core.driver import GO_ON, machine
from ssl_core.quantities import DISTANCE, gradient, merged, quantities, quantity
from ssl_core.trace import Array, Event, State, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearState(State):
    """State of a linear machine f(x) = w'x + b.

    Attributes
    ----------
    w : ndarray of shape (d,) or (d, k)
    b : float or ndarray of shape (k,)
        The weight of the constant feature, regularised with w.
    grad_norm : float
        Norm of the gradient in (w, b) of the problem last trained.
    """

    w: Array | None
    b: float | Array | None = quantity("bias", merge="each")
    grad_norm: float = gradient(role=DISTANCE)


def weights(v) -> dict:
    """The fields w and b of a solver's v = (w, b), which must not change later."""
    return {"w": v[:-1], "b": float(v[-1])}


def start_vector(design, start: LinearState | None):
    """v = (w, b) and f = X v to start from: zeros, or an earlier state's."""
    if start is None:
        return np.zeros(design.d + 1), np.zeros(design.n)
    if start.w is None:
        raise ValueError(
            "start must be a state that kept its arrays; this one was recorded thin. "
            'Record with record_states="full", or start from the last state.'
        )
    if start.w.shape != (design.d,):
        raise ValueError(
            f"start must come from a run with the same {design.d} features and number "
            f"of classes, got w of shape {start.w.shape}."
        )
    v = np.append(start.w, start.b)
    return v, design.outputs(v)


def side_by_side(machines: Sequence[Iterator[State]]) -> Iterator[State]:
    """One state from each of k machines, merged: one-vs-rest in step.

    A machine that has ended, or that is told to rest, waits with its last state. Arrays
    get a last axis of length k; numbers are merged as the state declares, with the
    values per class beside them.
    """
    states = [next(machine) for machine in machines]
    moved = np.ones(len(machines), dtype=bool)
    t = 0
    while True:
        running = np.array([s.status.running for s in states])
        merged_state = _merge(t, states, moved, running)
        orders = (yield merged_state) or GO_ON
        if not merged_state.status.running:
            return
        moved = running if orders.resting is None else running & ~orders.resting
        for j in np.flatnonzero(moved):
            states[j] = machines[j].send(orders)
        t += 1


def _merge(t, states, moved, running) -> State:
    fields, per_class = {}, {}
    for name, declared in quantities(type(states[0])).items():
        values = [getattr(s, name) for s in states]
        if isinstance(values[0], Array):
            fields[name] = np.stack(values, axis=-1)
        elif declared.merge == "each":
            fields[name] = np.array(values)
        elif name != "t" and isinstance(values[0], int | float):
            per_class[name] = np.array(values)
            fields[name] = merged(declared.merge, values)
    return replace(
        states[0],
        **fields,
        t=t,
        status=_joint([s.status for s in states]),
        events=tuple(_events(states, moved)),
        per_class={**per_class, "running": running},
    )


def _joint(statuses) -> Status:
    """Running while one runs; then the least satisfactory of the endings."""
    for status in (Status.RUNNING, Status.STALLED):
        if status in statuses:
            return status
    return statuses[0]


def _events(states, moved) -> Iterator[Event]:
    for j, state in enumerate(states):
        for event in state.events if moved[j] else ():
            text = f"Class {j}: {event.text}"
            yield replace(event, text=text, data={**event.data, "class": j})


def class_start(start: LinearState | None, j: int, k: int):
    """The j-th of k machines' own part of a merged state."""
    if start is None or k == 1 or start.w is None:
        return start
    if start.w.ndim != 2 or start.w.shape[1] != k:
        raise ValueError(
            f"start must come from a run with the same {k} classes, got w of shape "
            f"{start.w.shape}."
        )
    return machine(start, j)
