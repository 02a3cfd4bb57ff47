"""Annealing on text: which words count, at one state and over the temperatures."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from ssl_core.trace import Array, State, Trace
from ssl_core.viz.annealing.belief import belief_scale, plain, stages
from ssl_core.viz.curves import remark
from ssl_core.viz.theme import FONT_SIZE, get_theme
from ssl_core.viz.words import number


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
    figure = plain(theme)
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
    figure = plain(theme)
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
