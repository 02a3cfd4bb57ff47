"""Places between the break points of a path, where they lie far apart.

All of a path is linear in C* between two break points, so what a class wants to see on
the way costs nothing: these states are as exact as those that the solver recorded.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from halfmoon.pages._parts.path.path_views import WAY, floor_of
from halfmoon.scenario.solving import Solved
from ssl_core.trace import Event, State, Trace

ALONG = 48  # places on a logarithmic axis, and on a linear one
BELOW = 3  # on the strip below the logarithm's floor
LINEAR = ("f", "alpha", "b", "beta")
ON_THE_WAY = "Between two break points every output is a straight line in C*."


def with_places(solved: Solved) -> Solved:
    """The run with states in the gaps of its path, and all states numbered again."""
    trace = solved.trace
    C_u = trace.column("C_u")
    if len(trace) < 2 or len(trace.kept) < len(trace) or C_u[-1] <= C_u[0]:
        return solved
    wanted = gaps(C_u, floor_of(trace))
    # A place lies behind the last break point before it: after a jump, not between.
    at = np.searchsorted(C_u, wanted, side="right") - 1
    share = (wanted - C_u[at]) / (C_u[at + 1] - C_u[at])
    return replace(solved, trace=_filled(trace, solved, at, share))


def gaps(C_u: np.ndarray, floor: float | None) -> np.ndarray:
    """Values of C* with no break point near them, on either axis."""
    inside = C_u[(C_u > 0) & (C_u < C_u[-1])]
    even = np.linspace(C_u[0], C_u[-1], ALONG + 1)[1:-1]
    wanted = [_lonely(even, inside, (C_u[-1] - C_u[0]) / ALONG)]
    if floor is not None:
        strip = np.linspace(0, floor, BELOW + 1)[1:]
        wanted.append(_lonely(strip, inside, floor / BELOW))
        powers = np.linspace(np.log(floor), np.log(C_u[-1]), ALONG + 1)[1:-1]
        step = powers[1] - powers[0]
        above = np.append(inside[inside > floor], C_u[-1])
        wanted.append(np.exp(_lonely(powers, np.log(above), step)))
    found = np.unique(np.concatenate(wanted))
    return found[(found > C_u[0]) & (found < C_u[-1]) & ~np.isin(found, C_u)]


def _lonely(places, others, step) -> np.ndarray:
    """Those places that have no other within half a step."""
    if len(others) == 0:
        return places
    distance = np.abs(places[:, None] - others[None, :]).min(axis=1)
    return places[distance > step / 2]


def _filled(trace: Trace, solved: Solved, at, share) -> Trace:
    """A trace with a state after each of ``at``, that share of the way to the next."""
    n, order = len(trace), np.concatenate([np.arange(len(trace)), at + share])
    order = np.argsort(order, kind="stable")
    between = [_between(trace, solved, i, s) for i, s in zip(at, share, strict=True)]
    states = [*trace.states, *between]

    def lines(rows):
        weight = share.reshape(-1, *[1] * (rows.ndim - 1))
        way = (1 - weight) * rows[at] + weight * rows[at + 1]
        return np.concatenate([rows, way])[order]

    return replace(
        trace,
        states=[replace(states[i], t=t) for t, i in enumerate(order)],
        seconds=np.where(order < n, trace.seconds[np.minimum(order, n - 1)], 0.0),
        labels=np.concatenate([trace.labels, trace.labels[at]])[order],
        outputs={name: lines(rows) for name, rows in trace.outputs.items()},
    )


def _between(trace: Trace, solved: Solved, i: int, share: float) -> State:
    a, b = trace.states[i], trace.states[i + 1]
    C_u = (1 - share) * a.C_u + share * b.C_u
    way = {n: (1 - share) * getattr(a, n) + share * getattr(b, n) for n in LINEAR}
    problem = solved.machine.path_[0].problem
    objective = problem.objective(way["beta"], way["f"], a.y_u, C_u)
    event = Event(WAY, ON_THE_WAY)
    changes = {"C_u": C_u, "objective": objective, "flipped": (), "events": (event,)}
    return replace(a, **way, **changes, lens=problem.lens(a.y_u, C_u))
