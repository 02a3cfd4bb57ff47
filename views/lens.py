"""The loss lens: the unlabelled loss of every frame, with the outputs on it.

What the loss is stands in the states, in the field with the role `LENS`; a method that
has one is drawn here, whatever it is called.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from halfmoon import stage
from ssl_core.quantities import LENS, SCHEDULE, quantities, with_role
from ssl_core.trace import State, Trace
from ssl_core.viz.measures import labeled_mask
from ssl_core.viz.words import number

TITLE = "Loss of an unlabelled point"
STEP = 0.05  # of the outputs: 0 and the margins are among them
NARROWEST, WIDEST = 1.6, 3.0  # outputs shown on either side
MOST = 0.98  # of the outputs at the end should be seen
FAMILY = 7  # curves of other iterations
SAME = 1e-3  # curves nearer than this are one


def lens_panels(
    trace: Trace, states: Sequence[State], *, title: str = TITLE, below=None
) -> tuple[stage.Losses, ...]:
    """A panel of the loss at each of these states; none where they have no lens.

    Parameters
    ----------
    trace : Trace
    states : sequence of State
        One for each frame, with their arrays.
    title, below
        As in `stage.Losses`.
    """
    names = with_role(type(trace.final), LENS)
    if not names or trace.multiclass:
        return ()
    lenses = [getattr(state, names[0]) for state in states]
    if any(lens is None for lens in lenses):
        return ()
    unlabelled = ~labeled_mask(trace)
    o = outputs_shown(trace.final.f[unlabelled])
    curves = np.stack([lens.curve(o) for lens in lenses])
    heights = positive = None
    if any(lens.differs for lens in lenses):
        heights = np.zeros((len(states), len(trace.y)))
        for row, state, lens in zip(heights, states, lenses, strict=True):
            row[unlabelled] = lens.heights(state.f[unlabelled])
    if lenses[-1].labels is not None:
        positive = np.zeros((len(states), len(trace.y)), dtype=bool)
        positive[:, unlabelled] = [lens.labels > 0 for lens in lenses]
    panel = stage.Losses(
        title,
        o,
        curves,
        tuple(note(state) for state in states),
        labelled=lenses[-1].labeled.value(o),
        positive=positive,
        heights=heights,
        others=telling(curves),
        below=below,
    )
    return (panel,)


def outputs_shown(f_u) -> np.ndarray:
    """Evenly spaced outputs that hold most of those at the end, and the margins."""
    reach = 1.1 * np.quantile(np.abs(f_u), MOST) if len(f_u) else NARROWEST
    steps = int(np.ceil(np.clip(reach, NARROWEST, WIDEST) / STEP - 1e-9))
    return STEP * np.arange(-steps, steps + 1)


def note(state: State) -> str:
    """What the loss is at a state: the setting that its method moves."""
    for name in with_role(type(state), SCHEDULE):
        symbol = quantities(type(state))[name].symbol or name
        return f"{symbol} = {number(getattr(state, name))}"
    return "now"


def telling(curves) -> tuple[int, ...]:
    """A few frames whose curves differ, evenly spread over all that differ."""
    found = [0]
    for i, curve in enumerate(curves):
        if np.abs(curve - curves[found[-1]]).max() > SAME:
            found.append(i)
    if len(found) == 1:
        return ()
    few = np.linspace(0, len(found) - 1, min(FAMILY, len(found))).round().astype(int)
    return tuple(found[i] for i in np.unique(few))
