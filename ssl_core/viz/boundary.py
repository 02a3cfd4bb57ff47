"""A classifier over the plane: field, boundary, margins and points."""

import numpy as np
import plotly.graph_objects as go

from ssl_core.trace import Array, Trace
from ssl_core.viz.fields import Extent, axes, field_frames, fit_extent
from ssl_core.viz.measures import known_mask, labeled_mask
from ssl_core.viz.theme import Theme, fade, field_scale, get_theme, mix, template

SYMBOLS = (  # a class is told by shape as well as by colour, as on the stage
    "square",
    "circle",
    "triangle-up",
    "diamond",
    "triangle-down",
    "star",
    "pentagon",
    "cross",
    "hexagon2",
    "x",
)
RESOLUTION = 64  # smoothed by the browser; more only costs time


def decision_boundary(
    trace: Trace,
    index: int,
    points: Array,
    given: Array,
    *,
    truth=None,
    class_names=(),
    extent: Extent | None = None,
    resolution=RESOLUTION,
    title="",
    mode="light",
) -> go.Figure:
    """The classifier of one state over its two-dimensional data, [MB11] Figure 3.

    Parameters
    ----------
    trace : Trace
    index : int
        Which state.
    points : ndarray of shape (n, 2)
        The training points.
    given : ndarray of shape (n,)
        Class indices that the run was given, -1 where unlabelled.
    truth : ndarray of shape (n,) or None
        True classes in the core's convention; wrong predictions are then crossed.
    class_names : sequence of str
    extent : (x0, x1, y0, y1) or None
    resolution : int or (int, int)
    """
    theme = get_theme(mode)
    extent = extent or fit_extent(points)
    field = field_frames(trace, extent, resolution, frames=[index])[0]
    x, y = axes(extent, resolution)
    figure = go.Figure(layout={"template": template(theme.name)})
    if field.ndim == 2:
        figure.add_traces(list(_two_class_field(x, y, field, theme)))
    else:
        figure.add_traces(list(_many_class_field(x, y, field, theme)))
    figure.add_traces(
        list(_points(np.asarray(points), np.asarray(given), class_names, theme))
    )
    if truth is not None:
        figure.add_traces(list(_wrong(trace, index, points, truth, theme)))
    figure.update_xaxes(range=extent[:2], constrain="domain", showgrid=False, nticks=6)
    figure.update_yaxes(
        range=extent[2:],
        scaleanchor="x",
        scaleratio=1,
        constrain="domain",
        showgrid=False,
        nticks=6,
    )
    _titled(figure, title)
    return figure.update_layout(showlegend=False, margin_l=36, margin_b=28)


def _two_class_field(x, y, field, theme: Theme):
    yield go.Heatmap(
        x=x,
        y=y,
        z=np.clip(field, -1, 1).astype(np.float32),
        zmin=-1,
        zmax=1,
        colorscale=field_scale(theme),
        showscale=False,
        zsmooth="fast",
        name="f",
        hovertemplate="f = %{z:.2f}<extra></extra>",
    )
    lines = {"x": x, "y": y, "z": field.astype(np.float32), "showscale": False}
    sides = [[0, theme.negative], [1, theme.positive]]
    yield go.Contour(
        **lines,
        contours={"start": -1, "end": 1, "size": 2, "coloring": "lines"},
        colorscale=sides,
        zmin=-1,
        zmax=1,
        line={"width": 1.5, "dash": "dash", "smoothing": 0.6},
        name="f = ±1",
        hoverinfo="skip",
    )
    yield go.Contour(
        **lines,
        contours={"start": 0, "end": 0, "size": 1, "coloring": "none"},
        line={"color": theme.ink, "width": 3, "smoothing": 0.6},
        name="f = 0",
        hoverinfo="skip",
    )


def _many_class_field(x, y, field, theme: Theme):
    k = field.shape[2]
    winner = field.argmax(axis=2)
    soft = [mix(theme.background, theme.class_colour(c), 0.35) for c in range(k)]
    scale = []
    for c, colour in enumerate(soft):
        scale += [[c / k, colour], [(c + 1) / k, colour]]
    yield go.Heatmap(
        x=x,
        y=y,
        z=winner,
        zmin=-0.5,
        zmax=k - 0.5,
        colorscale=scale,
        showscale=False,
        name="class",
        hoverinfo="skip",
    )


def _points(points, given, class_names, theme: Theme):
    unlabelled = given < 0
    if unlabelled.any():
        yield go.Scatter(
            x=points[unlabelled, 0],
            y=points[unlabelled, 1],
            mode="markers",
            name="unlabelled",
            marker={"size": 6, "color": theme.muted, "opacity": 0.9},
            hoverinfo="skip",
        )
    for c in np.unique(given[~unlabelled]):
        mine = given == c
        name = class_names[c] if len(class_names) else f"class {c}"
        yield go.Scatter(
            x=points[mine, 0],
            y=points[mine, 1],
            mode="markers",
            name=str(name),
            marker={
                "size": 16,
                "color": theme.class_colour(int(c)),
                "symbol": SYMBOLS[c % len(SYMBOLS)],
                "line": {"color": theme.ink, "width": 2},
            },
            hovertemplate=f"{name}<extra></extra>",
        )


def _wrong(trace, index, points, truth, theme: Theme):
    labels = trace.labels[index]
    judged = known_mask(trace, truth) & ~labeled_mask(trace)
    wrong = (labels != np.asarray(truth)) & judged
    # Before the first step all points are on one side: "wrong" says nothing then.
    if not wrong.any() or (labels == labels[0]).all():
        return
    yield go.Scatter(
        x=points[wrong, 0],
        y=points[wrong, 1],
        mode="markers",
        name="wrong",
        marker={
            "size": 9,
            "symbol": "x-thin",
            "line": {"color": theme.ink, "width": 1.6},
        },
        hovertemplate="predicted wrongly<extra></extra>",
    )


def output_agreement(
    trace: Trace,
    index: int,
    optimum: Trace,
    *,
    truth=None,
    class_names=("class 0", "class 1"),
    title="",
    mode="light",
) -> go.Figure:
    """Each unlabelled point's output at a state against its output at the optimum.

    Where points have more than two dimensions this takes the place of the boundary:
    points in the shaded corners are on the same side in both, and on the diagonal
    the outputs are equal.

    Parameters
    ----------
    trace, optimum : Trace
        Two runs on the same points with two classes; of ``optimum`` the last state.
    truth : ndarray of shape (n,) or None
        True classes +-1, for the colours.
    """
    theme = get_theme(mode)
    unlabeled = ~labeled_mask(trace)
    f, exact = trace.states[index].f[unlabeled], optimum.final.f[unlabeled]
    reach = 1.1 * max(1.0, np.abs(exact).max(), np.abs(f).max())
    figure = go.Figure(layout={"template": template(theme.name)})
    for sign, colour in ((-1, theme.negative), (1, theme.positive)):
        ends = sorted((0, sign * reach))
        figure.add_shape(
            type="rect",
            x0=ends[0],
            x1=ends[1],
            y0=ends[0],
            y1=ends[1],
            fillcolor=fade(colour, 0.1),
            line_width=0,
            layer="below",
        )
    figure.add_shape(
        type="line",
        x0=-reach,
        x1=reach,
        y0=-reach,
        y1=reach,
        line={"color": theme.muted, "width": 1, "dash": "dot"},
    )
    for c, sign in enumerate((-1, 1)):
        mine = np.ones(len(f), bool) if truth is None else truth[unlabeled] == sign
        if truth is None and c:
            break
        figure.add_trace(
            go.Scatter(
                x=exact[mine],
                y=f[mine],
                mode="markers",
                name="unlabelled" if truth is None else f"truly {class_names[c]}",
                marker={
                    "size": 7,
                    "color": theme.muted if truth is None else theme.class_colour(c),
                    "symbol": SYMBOLS[c],
                    "opacity": 0.75,
                },
                hovertemplate="optimum %{x:.2f}, here %{y:.2f}<extra></extra>",
            )
        )
    figure.update_xaxes(title_text="output at the optimum", range=[-reach, reach])
    figure.update_yaxes(title_text="output here", range=[-reach, reach])
    return _titled(figure, title)


def _titled(figure: go.Figure, title: str) -> go.Figure:
    """A title, or no room for one."""
    top = {} if title else {"margin_t": 8}
    return figure.update_layout(title_text=title, hovermode="closest", **top)
