"""Annealing over the iterations: temperature, entropy, beliefs, objectives, errors."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ssl_core.trace import Array, Trace
from ssl_core.viz.annealing.belief import belief_scale, beliefs, returned
from ssl_core.viz.curves import (
    ERRORS,
    Line,
    curve_of,
    error_axis,
    error_lines,
    with_cursor,
)
from ssl_core.viz.measures import error_rates, iterations, labeled_mask
from ssl_core.viz.theme import FONT_SIZE, Theme, get_theme, template

MAX_ROWS = 160  # points in the picture of all beliefs; more than pixels help nobody
LEAST_SHOWN = 1e-9  # entropy and divergence below this are drawn as none
DASHES = {"solid": "—", "dash": "– –", "dot": "···", "dashdot": "–·–"}

TEMPERATURE = Line("T", "temperature T", "warn", width=3)
ENTROPY = Line("entropy", "entropy of p", "accent", width=3)
DIVERGENCE = Line("kl", "its change", "soft", "dot", width=1.5)
FREE = Line("objective", "at T", "warn", "dash")
TRANSDUCTIVE = Line("transductive_objective", "at T = 0", "good", width=4)
WEIGHT = Line("lam_u", "weight λ′", "warn", width=3)
OBJECTIVE = Line("objective", "objective", "good", width=4)


def annealing_figure(
    trace: Trace, truth=None, *, mark: int | None = None, mode="light"
) -> go.Figure:
    """A run of deterministic annealing: T, every p, entropy, objectives, errors.

    The objective at T is drawn with T/2 log 2 added, the entropy of coins: without it
    the falling temperature would hide everything else.

    Parameters
    ----------
    trace : Trace
        Of `da`, with two classes.
    truth : ndarray of shape (n,) or None
        True classes +-1, 0 where unknown, for the panel of errors.
    mark : int or None
        Index of the state under the cursor.
    """
    theme = get_theme(mode)
    titles = (
        "Temperature T",
        "Belief p, one row per point",
        _key("", (ENTROPY, DIVERGENCE), theme),
        _key("Objective", (FREE, TRANSDUCTIVE), theme),
    )
    figure = _panels(trace, truth, titles, (1, 1.6, 1.1, 1.1), theme)
    t = iterations(trace)
    figure.add_trace(_steps(trace, TEMPERATURE, theme), row=1, col=1)
    figure.add_trace(_belief_map(trace, theme), row=2, col=1)
    for line in (ENTROPY, DIVERGENCE):
        values = _on_the_way(trace, line.name, LEAST_SHOWN)
        curve = curve_of(line, t, values, theme, "%{y:.2e}")
        figure.add_trace(curve, row=3, col=1)
    if returned(trace.final):
        for row, line in ((1, TEMPERATURE), (3, ENTROPY)):
            figure.add_trace(_back(trace, line, theme), row=row, col=1)
    coins = _on_the_way(trace, "T", 0.0) / 2 * np.log(2)
    free = trace.column("objective") + coins
    hard = trace.column(TRANSDUCTIVE.name)
    for line, values in ((FREE, free), (TRANSDUCTIVE, hard)):
        curve = curve_of(line, t, values, theme, "%{y:.5g}")
        figure.add_trace(curve, row=4, col=1)
    figure.update_yaxes(row=1, col=1, **_powers(1))
    figure.update_yaxes(row=3, col=1, **_powers(3))
    figure.update_yaxes(row=4, col=1, **_level([*free[1:], *hard[1:]]))
    return _cursor(figure, trace, mark, theme)


def switching_figure(
    trace: Trace, truth=None, *, mark: int | None = None, mode="light"
) -> go.Figure:
    """A run of the transductive SVM: lambda', every label, switches, objective, errors.

    Parameters
    ----------
    trace : Trace
        Of `tsvm`, with two classes.
    truth, mark : as in `annealing_figure`
    """
    theme = get_theme(mode)
    titles = (
        "Weight λ′ of unlabelled points",
        "Labels, one row per point",
        "Pairs of labels switched",
        "Objective",
    )
    figure = _panels(trace, truth, titles, (1, 1.6, 0.9, 1.1), theme)
    t = iterations(trace)
    figure.add_trace(_steps(trace, WEIGHT, theme), row=1, col=1)
    figure.add_trace(_belief_map(trace, theme), row=2, col=1)
    pairs = trace.column("n_switched")
    figure.add_trace(
        go.Bar(
            x=t,
            y=pairs,
            name="pairs switched",
            meta="n_switched",
            marker={"color": theme.bad, "line_width": 0},
            hovertemplate="%{y} pairs switched<extra></extra>",
        ),
        row=3,
        col=1,
    )
    objective = trace.column("objective")
    figure.add_trace(curve_of(OBJECTIVE, t, objective, theme, "%{y:.5g}"), row=4, col=1)
    figure.update_yaxes(row=1, col=1, **_powers(2))
    most = max(1, int(pairs.max()))
    step = {"dtick": -(-most // 3)}  # whole pairs
    figure.update_yaxes(row=3, col=1, range=[0, 1.15 * most], **step)
    figure.update_yaxes(row=4, col=1, **_level(objective))
    return _cursor(figure, trace, mark, theme)


def _panels(trace, truth, titles, heights, theme: Theme):
    """Panels over one axis of iterations, the last of them for the errors."""
    rates = {}
    if truth is not None:
        known = error_rates(trace, truth)
        rates = {part: known[part] for part in ("U", "T") if part in known}
    if rates:
        drawn = [line for line in ERRORS if line.name in rates]
        titles = (*titles, _key("Error", drawn, theme))
        heights = (*heights, 0.9)
    figure = make_subplots(
        rows=len(titles),
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.055,
        row_heights=list(heights),
        subplot_titles=titles,
    )
    figure.update_layout(
        template=template(theme.name),
        hovermode="x unified",
        showlegend=False,
        margin={"l": 52, "t": 28},
    )
    for title in figure.layout.annotations:
        title.update(x=0, xanchor="left", font={"size": FONT_SIZE + 1})
    for line in error_lines(trace, rates, theme):
        figure.add_trace(line, row=len(titles), col=1)
    if rates:
        axis = error_axis(rates) | {"title_text": "", "nticks": 4}
        figure.update_yaxes(row=len(titles), col=1, **axis)
    last = max(1, trace.final.t)
    figure.update_xaxes(range=[-0.01 * last - 0.5, 1.03 * last + 0.5])
    figure.update_xaxes(title_text="iteration t", row=len(titles), col=1)
    return figure


def _cursor(figure, trace, mark, theme: Theme) -> go.Figure:
    """The cursor, above the map of beliefs, which would hide it."""
    figure.update_yaxes(showticklabels=False, showgrid=False, row=2, col=1)
    with_cursor(figure, trace, mark, theme)
    return figure.update_shapes(layer="above", selector={"name": "cursor"})


def _key(title: str, lines: Sequence[Line], theme: Theme) -> str:
    """A title that names the lines of its panel in their colours and dashes.

    A legend would have to stand on the title where the page is narrow.
    """
    named = [
        f'<span style="color:{theme.role(line.role)}">{DASHES[line.dash]} '
        f"{line.title}</span>"
        for line in lines
    ]
    head = f"{title}:  " if title else ""
    return head + "   ".join(named)


def _steps(trace: Trace, line: Line, theme: Theme) -> go.Scatter:
    """A schedule: it stands still, then jumps."""
    values = _on_the_way(trace, line.name, 0.0)
    curve = curve_of(line, iterations(trace), values, theme, "%{y:.3g}")
    return curve.update(line_shape="vh")


def _on_the_way(trace: Trace, name: str, least: float) -> Array:
    """A column, NaN where a logarithm has no place for it."""
    values = trace.column(name)
    return np.where(values > least, values, np.nan)


def _back(trace: Trace, line: Line, theme: Theme) -> go.Scatter:
    """A diamond where the machine that is returned was found: the best of the path."""
    found = [e.data["t"] for e in trace.final.events if e.kind == "best"]
    best = [state for state in trace.states if state.t in found]
    return go.Scatter(
        x=[state.t for state in best],
        y=[max(getattr(state, line.name), LEAST_SHOWN) for state in best],
        mode="markers",
        name="the machine returned",
        meta=f"returned:{line.name}",
        marker={
            "symbol": "diamond",
            "size": 10,
            "color": theme.background,
            "line": {"color": theme.role(line.role), "width": 2},
        },
        hovertemplate="found here: the machine returned<extra></extra>",
    )


def _powers(step: int) -> dict:
    return {
        "type": "log",
        "exponentformat": "power",
        "dtick": step,
        "tickfont_size": FONT_SIZE - 3,  # plotly enlarges powers by a quarter
    }


def _level(values) -> dict:
    """From zero, or from the lowest value, to a little above the highest."""
    low, high = np.nanmin(values), np.nanmax(values)
    low = min(0.0, low)
    room = 0.08 * max(high - low, 1e-12)
    return {"range": [low - room, high + room], "nticks": 4}


def _belief_map(trace: Trace, theme: Theme) -> go.Heatmap:
    """Every point a row, in the order of its last output; every iteration a column."""
    kept = trace.kept
    unlabeled = ~labeled_mask(trace)
    rank = np.argsort(trace.final.f[unlabeled], kind="stable")
    if len(rank) > MAX_ROWS:
        rank = rank[np.linspace(0, len(rank) - 1, MAX_ROWS).round().astype(int)]
    p = np.stack([beliefs(trace.states[i])[rank] for i in kept], axis=1)
    return go.Heatmap(
        x=iterations(trace)[kept],
        z=np.round(255 * p).astype(np.uint8),  # a byte is finer than any eye
        zmin=0,
        zmax=255,
        colorscale=belief_scale(theme),
        showscale=False,
        name="p",
        meta="beliefs",
        hoverinfo="skip",
    )
