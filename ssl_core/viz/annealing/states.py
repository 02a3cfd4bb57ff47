"""Annealing at one state: beliefs of the points, their outputs, and their loss."""

import numpy as np
import plotly.graph_objects as go

from ssl_core.trace import Array, State, Trace
from ssl_core.viz.annealing.belief import (
    LOSS,
    belief_scale,
    beliefs,
    effective_loss,
    plain,
    stages,
)
from ssl_core.viz.boundary import decision_boundary
from ssl_core.viz.fields import Extent
from ssl_core.viz.measures import known_mask, labeled_mask
from ssl_core.viz.theme import FONT_SIZE, Theme, fade, get_theme, mix
from ssl_core.viz.words import number

FAMILY = 7  # dimmed temperatures beside the one under the cursor
BINS = 20


def belief_points(
    trace: Trace,
    index: int,
    points: Array,
    given: Array,
    *,
    truth=None,
    class_names=(),
    extent: Extent | None = None,
    mode="light",
) -> go.Figure:
    """Two-dimensional points coloured by belief, the boundary f = 0 and the margins.

    Parameters
    ----------
    points : ndarray of shape (n, 2)
    given : ndarray of shape (n,)
        Class indices that the run was given, -1 where unlabelled.
    truth : ndarray of shape (n,) or None
        True classes; wrong predictions are then crossed.
    """
    theme = get_theme(mode)
    figure = decision_boundary(
        trace,
        index,
        points,
        given,
        truth=truth,
        class_names=class_names,
        extent=extent,
        resolution=24,  # a line needs no more
        mode=mode,
    )
    # The background stays free of colour: here colour is what a point believes.
    figure.data = [drawn for drawn in figure.data if drawn.type != "heatmap"]
    p = beliefs(trace.states[index])
    figure.for_each_trace(
        lambda drawn: drawn.update(
            marker=_belief_marker(p, theme, 9),
            customdata=p,
            hoverinfo=None,
            hovertemplate="p = %{customdata:.2f}<extra></extra>",
        ),
        selector={"name": "unlabelled"},
    )
    return figure


def _belief_marker(p, theme: Theme, size: float) -> dict:
    return {
        "size": size,
        "color": p,
        "cmin": 0.0,
        "cmax": 1.0,
        "colorscale": belief_scale(theme),
        "opacity": 1.0,
        "line": {"color": theme.soft, "width": 0.8},
    }


def belief_histogram(state: State, *, class_names=(), mode="light") -> go.Figure:
    """How many unlabelled points have which p."""
    theme = get_theme(mode)
    edges = np.linspace(0, 1, BINS + 1)
    heights, _ = np.histogram(np.clip(beliefs(state), 0, 1), edges)
    middle = (edges[1:] + edges[:-1]) / 2
    figure = plain(theme)
    figure.add_trace(
        go.Bar(
            x=middle,
            y=heights,
            width=0.9 / BINS,
            name="points",
            marker={
                "color": middle,
                "cmin": 0,
                "cmax": 1,
                "colorscale": belief_scale(theme),
                "line": {"color": theme.soft, "width": 0.8},
            },
            hovertemplate="p about %{x:.2f}: %{y} points<extra></extra>",
        )
    )
    ends = tuple(class_names) or ("class 1", "class 2")
    figure.update_xaxes(
        range=[0, 1],
        tickvals=[0, 0.5, 1],
        ticktext=[f"0, {ends[0]}", "½", f"{ends[1]}, 1"],
        showgrid=False,
    )
    # Labels at the ends of the axis would be cut in half by the frame.
    figure.update_layout(margin={"l": 52, "r": 52, "b": 32})
    return figure.update_yaxes(nticks=4, title_text="points")


def loss_figure(
    trace: Trace, index: int, *, lam_u: float = 1.0, mode="light"
) -> go.Figure:
    """The loss per unlabelled point, with the points standing on it, [SK07] Fig. 1.1-2.

    For deterministic annealing the curve is `effective_loss` at the temperature of the
    state, among those of other temperatures. For the transductive SVM it is
    max(0, 1 - |o|)^2; a point whose label is on the wrong side stands above it.

    Parameters
    ----------
    lam_u : float
        Weight of the unlabelled points that `da` was run with.
    """
    theme = get_theme(mode)
    state = trace.states[index]
    annealed = hasattr(state, "T")
    reach = _reach(trace)
    o = np.linspace(-reach, reach, 201)
    figure = plain(theme)
    if annealed:
        for T in _family(trace):
            figure.add_trace(_loss_curve(o, T, lam_u, theme, dimmed=True))
    figure.add_trace(
        go.Scatter(
            x=o,
            y=effective_loss(o, 0.0),
            mode="lines",
            name="T = 0",
            meta="cold",
            line={"color": theme.ink, "width": 1.5, "dash": "dot"},
            hoverinfo="skip",
        )
    )
    f = state.f[~labeled_mask(trace)]
    p = beliefs(state)
    if annealed:
        figure.add_trace(_loss_curve(o, state.T, lam_u, theme, dimmed=False))
        height = effective_loss(f, state.T, lam_u)
    else:
        height = LOSS.value(np.where(p > 0.5, 1, -1) * f)
    figure.add_trace(
        go.Scatter(
            x=f,
            y=height,
            mode="markers",
            name="unlabelled points",
            meta="points",
            marker=_belief_marker(p, theme, 9),
            customdata=p,
            hovertemplate="o = %{x:.2f}, p = %{customdata:.2f}<extra></extra>",
        )
    )
    figure.update_xaxes(title_text="output o", range=[-reach, reach], nticks=7)
    figure.update_yaxes(title_text="loss / λ′", range=[-0.12, 2.4], nticks=5)
    return figure.update_layout(margin={"l": 56, "b": 44})


def _reach(trace: Trace) -> float:
    """Outputs shown: most of those at the end, and a little more than the margins."""
    f = np.abs(trace.final.f[~labeled_mask(trace)])
    return float(np.clip(1.1 * np.quantile(f, 0.98), 1.6, 3.0)) if len(f) else 1.6


def _family(trace: Trace) -> Array:
    """A few of the temperatures visited, evenly spread over the run."""
    T = trace.column("T")[stages(trace)]
    few = np.linspace(0, len(T) - 1, min(FAMILY, len(T))).round().astype(int)
    return T[np.unique(few)]


def _loss_curve(o, T, lam_u, theme: Theme, *, dimmed: bool) -> go.Scatter:
    colour = mix(theme.background, theme.warn, 0.35) if dimmed else theme.warn
    name = f"T = {number(T)}"
    return go.Scatter(
        x=o,
        y=effective_loss(o, T, lam_u),
        mode="lines",
        name=name,
        meta="family" if dimmed else "now",
        line={"color": colour, "width": 1.5 if dimmed else 4},
        hovertemplate=f"{name}<extra></extra>",
    )


def output_histogram(
    trace: Trace, index: int, *, truth=None, class_names=(), mode="light"
) -> go.Figure:
    """Outputs of the unlabelled points, by true class where it is known.

    Where points have more than two dimensions this takes the place of the picture: a
    good boundary has few points near 0.
    """
    theme = get_theme(mode)
    figure = plain(theme)
    unlabeled = ~labeled_mask(trace)
    f = trace.states[index].f
    reach = _reach(trace)
    groups = [("unlabelled", unlabeled, theme.muted)]
    if truth is not None:
        known = unlabeled & known_mask(trace, truth)
        names = tuple(class_names) or ("class 1", "class 2")
        groups = [
            (f"truly {names[c]}", known & (np.asarray(truth) == sign), colour)
            for c, sign, colour in ((0, -1, theme.negative), (1, 1, theme.positive))
        ]
    edges = np.linspace(-reach, reach, 2 * BINS + 1)
    for name, mine, colour in groups:
        heights, _ = np.histogram(np.clip(f[mine], -reach, reach), edges)
        figure.add_trace(
            go.Bar(
                x=(edges[1:] + edges[:-1]) / 2,
                y=heights,
                name=name,
                marker={"color": fade(colour, 0.75), "line_width": 0},
                hovertemplate=f"{name}: %{{y}}<extra></extra>",
            )
        )
    for place in (-1, 0, 1):
        style = {"color": theme.ink, "width": 2.5 if place == 0 else 1.2}
        figure.add_vline(x=place, line={**style, "dash": "dash" if place else "solid"})
    figure.update_xaxes(title_text="output o", range=[-reach, reach], nticks=7)
    figure.update_yaxes(title_text="points", nticks=4)
    return figure.update_layout(
        barmode="stack",
        bargap=0.04,
        showlegend=True,
        legend={"y": 1.02, "yanchor": "bottom", "font": {"size": FONT_SIZE - 2}},
        margin={"l": 56, "b": 44, "t": 36},
    )
