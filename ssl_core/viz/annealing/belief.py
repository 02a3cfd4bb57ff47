"""What the points of a run believe, and the loss that follows from it.

A *belief* is the probability p of the positive class that a run gives to an unlabelled
point: p itself for deterministic annealing, 0 or 1 for the labels of a transductive
SVM. It is coloured from class -1 over the background, undecided, to class +1.
"""

import numpy as np
import plotly.graph_objects as go

from ssl_core.losses import SquaredHinge
from ssl_core.trace import Array, State, Trace
from ssl_core.viz.measures import iterations
from ssl_core.viz.theme import Theme, template

LOSS = SquaredHinge()
UNDECIDED = (0.4, 0.6)  # a belief in here is nearly a coin


def effective_loss(o, T: float, lam_u: float = 1.0) -> Array:
    """Loss of an unlabelled point with output o, its best p put in, [SK07] Figure 1.2.

        min_p  p l(o) + (1 - p) l(-o) - T / lam_u (h(p) - log 2),
        l(m) = max(0, 1 - m)^2,     h(p) = -p log p - (1 - p) log(1 - p)

    It tends to max(0, 1 - |o|)^2 for T -> 0 and to the mean of l(o) and l(-o) for
    T -> infinity. Two departures from the paper: it is in units of lam_u, and log 2,
    the entropy of a coin, is taken off, so that curves of all temperatures can be
    drawn together. Neither moves a minimum. The class ratio, which tilts the
    optimal p towards one class, is left out as in the paper's figure.

    Parameters
    ----------
    o : float or ndarray
    T : float, >= 0
    lam_u : float, >= 0
        With 0 no point cares: the limit of an infinite temperature.

    Returns
    -------
    loss : ndarray of the shape of ``o``
    """
    o = np.asarray(o, dtype=float)
    if T < 0 or lam_u < 0:
        raise ValueError(f"T and lam_u must be >= 0, got {T!r} and {lam_u!r}.")
    here, there = LOSS.value(o), LOSS.value(-o)
    low, gap = np.minimum(here, there), np.abs(here - there)
    if T == 0:
        return low
    if lam_u == 0:
        return low + gap / 2
    tau = T / lam_u
    return low - tau * np.log1p(np.expm1(-gap / tau) / 2)


def beliefs(state: State) -> Array:
    """(u,) probability of the positive class, unlabelled points in row order."""
    p = getattr(state, "p", None)
    return (state.y_u > 0).astype(float) if p is None else p


def kept_at(trace: Trace, t: int) -> int:
    """Index of the state nearest to iteration ``t`` that still has its arrays."""
    kept = trace.kept
    return int(kept[np.abs(iterations(trace)[kept] - t).argmin()])


def stages(trace: Trace) -> Array:
    """Indices of the last kept state of every temperature, hottest first.

    The state that a run returns at its end has a machine of an earlier temperature
    and is left out.
    """
    kept = [i for i in trace.kept if not returned(trace.states[i])]
    T = np.array([trace.states[i].T for i in kept])
    last = np.append(T[1:] != T[:-1], True)
    return np.array(kept)[last]


def returned(state: State) -> bool:
    return any(event.kind == "best" for event in state.events)


def belief_scale(theme: Theme) -> list[list]:
    """Plotly colour scale of p: class -1, undecided (background), class +1."""
    return [[0.0, theme.negative], [0.5, theme.background], [1.0, theme.positive]]


def plain(theme: Theme) -> go.Figure:
    figure = go.Figure(layout={"template": template(theme.name)})
    return figure.update_layout(margin_t=8, showlegend=False, hovermode="closest")
