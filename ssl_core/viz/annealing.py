"""Figures of annealing: temperature, entropy, beliefs and the loss that deforms.

A *belief* is the probability p of the positive class that a run gives to an unlabelled
point: p itself for deterministic annealing, 0 or 1 for the labels of a transductive
SVM. It is coloured from class -1 over the background, undecided, to class +1.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ssl_core.losses import SquaredHinge
from ssl_core.trace import Array, State, Trace
from ssl_core.viz.boundary import decision_boundary
from ssl_core.viz.curves import (
    ERRORS,
    Line,
    error_axis,
    error_lines,
    remark,
    with_cursor,
)
from ssl_core.viz.fields import Extent
from ssl_core.viz.measures import error_rates, iterations, known_mask, labeled_mask
from ssl_core.viz.theme import FONT_SIZE, Theme, fade, get_theme, mix, template
from ssl_core.viz.words import number

LOSS = SquaredHinge()
UNDECIDED = (0.4, 0.6)  # a belief in here is nearly a coin
MAX_ROWS = 160  # points in the picture of all beliefs; more than pixels help nobody
FAMILY = 7  # dimmed temperatures beside the one under the cursor
LEAST_SHOWN = 1e-9  # entropy and divergence below this are drawn as none
BINS = 20
DASHES = {"solid": "—", "dash": "– –", "dot": "···", "dashdot": "–·–"}


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
    kept = [i for i in trace.kept if not _returned(trace.states[i])]
    T = np.array([trace.states[i].T for i in kept])
    last = np.append(T[1:] != T[:-1], True)
    return np.array(kept)[last]


def _returned(state: State) -> bool:
    return any(event.kind == "best" for event in state.events)


# -- over the iterations -------------------------------------------------------------

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
        curve = _curve(line, t, values, theme, "%{y:.2e}")
        figure.add_trace(curve, row=3, col=1)
    if _returned(trace.final):
        for row, line in ((1, TEMPERATURE), (3, ENTROPY)):
            figure.add_trace(_back(trace, line, theme), row=row, col=1)
    coins = _on_the_way(trace, "T", 0.0) / 2 * np.log(2)
    free = trace.column("objective") + coins
    hard = trace.column(TRANSDUCTIVE.name)
    for line, values in ((FREE, free), (TRANSDUCTIVE, hard)):
        curve = _curve(line, t, values, theme, "%{y:.5g}")
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
    figure.add_trace(_curve(OBJECTIVE, t, objective, theme, "%{y:.5g}"), row=4, col=1)
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
    curve = _curve(line, iterations(trace), values, theme, "%{y:.3g}")
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


def _curve(line: Line, x, y, theme: Theme, value: str) -> go.Scatter:
    return go.Scatter(
        x=x,
        y=y,
        mode="lines",
        name=line.title,
        meta=line.name,
        line={"color": theme.role(line.role), "width": line.width, "dash": line.dash},
        hovertemplate=f"{line.title}: {value}<extra></extra>",
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


def belief_scale(theme: Theme) -> list[list]:
    """Plotly colour scale of p: class -1, undecided (background), class +1."""
    return [[0.0, theme.negative], [0.5, theme.background], [1.0, theme.positive]]


# -- at one state --------------------------------------------------------------------


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
    figure = _plain(theme)
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
    figure = _plain(theme)
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
    figure = _plain(theme)
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


def _plain(theme: Theme) -> go.Figure:
    figure = go.Figure(layout={"template": template(theme.name)})
    return figure.update_layout(margin_t=8, showlegend=False, hovermode="closest")


# -- words ---------------------------------------------------------------------------


def leading_words(w: Array, k: int) -> Array:
    """Indices of the k most positive and the k most negative weights, largest first.

    A weight of zero leads nowhere and is left out.
    """
    order = np.argsort(w, kind="stable")
    negative = [j for j in order[:k] if w[j] < 0]
    positive = [j for j in order[::-1][:k] if w[j] > 0]
    return np.array([*positive, *negative[::-1]], dtype=int)


def word_map(
    trace: Trace,
    names: Sequence[str],
    *,
    k=10,
    mark: int | None = None,
    mode="light",
) -> go.Figure:
    """Weights of the words that lead at the end, at every temperature.

    Weights are divided by the largest of their temperature: they all grow as the run
    gets surer, and what changes between words would be hidden.

    Parameters
    ----------
    names : sequence of str
        Name of every feature.
    k : int
        Words of each class.
    mark : int or None
        Index of the state under the cursor.
    """
    theme = get_theme(mode)
    at = stages(trace)
    # At the start no word has a weight, and there is nothing to divide by.
    at = at[[bool(np.any(trace.states[i].w)) for i in at]]
    figure = _plain(theme)
    if not len(at):
        return remark(figure, "No word has a weight yet.", theme)
    words = leading_words(trace.final.w, k)
    T = trace.column("T")
    W = np.stack([trace.states[i].w / np.abs(trace.states[i].w).max() for i in at], 1)
    labels = [str(names[j]) for j in words]
    columns = np.arange(len(at))
    figure.add_trace(
        go.Heatmap(
            x=columns,
            y=np.arange(len(words)),
            z=W[words].astype(np.float32),
            zmin=-1,
            zmax=1,
            colorscale=belief_scale(theme),
            showscale=False,
            xgap=1,
            ygap=1,
            name="weights",
            customdata=np.broadcast_to(T[at], (len(words), len(at))),
            hovertemplate="T = %{customdata:.3g}: %{z:.2f}<extra></extra>",
        )
    )
    figure.update_yaxes(
        tickvals=np.arange(len(words)),
        ticktext=labels,
        autorange="reversed",
        showgrid=False,
        tickfont_size=FONT_SIZE - 2,
    )
    every = max(1, round(len(at) / 7))
    figure.update_xaxes(
        tickvals=columns[::every],
        ticktext=[number(T[i]) for i in at[::every]],
        title_text="temperature T",
        showgrid=False,
    )
    if mark is not None:
        # The column of the cursor's temperature.
        column = int(np.abs(np.log(T[at]) - np.log(T[mark])).argmin())
        figure.add_shape(
            name="cursor",
            type="rect",
            x0=column - 0.5,
            x1=column + 0.5,
            y0=-0.5,
            y1=len(words) - 0.5,
            line={"color": theme.accent, "width": 2},
        )
    return figure.update_layout(margin={"l": 130, "b": 48, "r": 8})


def word_bars(state: State, names: Sequence[str], *, k=10, mode="light") -> go.Figure:
    """The words with the largest weights at one state."""
    theme = get_theme(mode)
    words = leading_words(state.w, k)
    w = state.w[words]
    figure = _plain(theme)
    figure.add_trace(
        go.Bar(
            x=w,
            y=np.arange(len(words)),
            orientation="h",
            name="weights",
            marker={
                "color": [theme.positive if v > 0 else theme.negative for v in w],
                "line_width": 0,
            },
            hovertemplate="%{x:.3g}<extra></extra>",
        )
    )
    figure.update_yaxes(
        tickvals=np.arange(len(words)),
        ticktext=[str(names[j]) for j in words],
        autorange="reversed",
        showgrid=False,
        tickfont_size=FONT_SIZE - 2,
    )
    figure.update_xaxes(title_text="weight", nticks=5)
    return figure.update_layout(margin={"l": 130, "b": 48, "r": 8})


# -- annealed or not -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one way of minimising the same objective ended.

    Attributes
    ----------
    name, title : str
    objective : float
        The transductive objective of the machine it returned.
    errors : dict from "L", "U", "V", "T" to float
    seconds : float
    annealed : bool
        Whether the temperature fell.
    """

    name: str
    title: str
    objective: float
    errors: dict[str, float]
    seconds: float
    annealed: bool = False


def comparison_figure(
    rows: Sequence[Outcome], quantity="objective", *, mode="light"
) -> go.Figure:
    """One quantity of several ways as bars; annealing stands out.

    Parameters
    ----------
    rows : sequence of Outcome
    quantity : {"objective", "L", "U", "V", "T"}
        The transductive objective, or the error on one of the sets; rows that do not
        know it are left out.
    """
    theme = get_theme(mode)
    if quantity == "objective":
        bars, digits = [(row, row.objective) for row in rows], ".4f"
    else:
        known = [row for row in rows if quantity in row.errors]
        bars, digits = [(row, row.errors[quantity]) for row in known], ".1%"
    figure = _plain(theme)
    figure.add_trace(
        go.Bar(
            x=[value for _, value in bars],
            y=[row.title for row, _ in bars],
            orientation="h",
            name=quantity,
            marker={
                "color": [
                    theme.accent if row.annealed else theme.muted for row, _ in bars
                ],
                "line_width": 0,
            },
            texttemplate=f"%{{x:{digits}}}",
            textposition="outside",
            cliponaxis=False,
            hoverinfo="skip",
        )
    )
    top = max([*(value for _, value in bars), 1e-9])
    figure.update_xaxes(range=[0, 1.45 * top], showticklabels=False, showgrid=False)
    figure.update_yaxes(autorange="reversed", showgrid=False)
    return figure.update_layout(margin={"l": 144, "b": 8, "r": 8})
