"""Methods against each other: what a lower objective is worth."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from ssl_core.viz.axes import log_axis, percent_axis
from ssl_core.viz.theme import FONT_SIZE, Theme, get_theme, template
from ssl_core.viz.words import number, rate

NEAR = 0.08  # of the largest error: names at heights closer than this would touch
ROOM = 0.12  # of the range, so that no name and no mark is cut off


@dataclass(frozen=True)
class MethodStyle:
    """How a method is drawn, in every figure that compares it with others."""

    role: str
    symbol: str
    dash: str


STYLES = (  # by the method's place on the page
    MethodStyle("accent", "circle", "solid"),
    MethodStyle("warn", "square", "dash"),
    MethodStyle("good", "diamond", "dot"),
    MethodStyle("ink", "triangle-up", "dashdot"),
)


@dataclass(frozen=True)
class Route:
    """A method's way through objective and error, its end last.

    Attributes
    ----------
    name : str
    place : int
        Among all methods of the page, with or without a route: it has one of `STYLES`.
    objective, error : ndarray of shape (m,)
    """

    name: str
    place: int
    objective: np.ndarray
    error: np.ndarray


def objective_against_error(
    routes: Sequence[Route], *, true_labels: float | None = None, mode="light"
) -> go.Figure:
    """Error over objective: the way of each method, and where it ended.

    Parameters
    ----------
    routes : sequence of Route
        At most four: each has a colour, a dash and a mark of its own.
    true_labels : float, optional
        The objective that the true labels have; their error is 0.
    mode : {"light", "dark"}
    """
    theme = get_theme(mode)
    figure = go.Figure(layout={"template": template(theme)})
    values = [route.objective for route in routes]
    values = np.concatenate([*values, [] if true_labels is None else [true_labels]])
    top = max([0.05, *(float(route.error.max()) for route in routes)])
    low, high = (values.min(), values.max()) if len(values) else (1.0, 10.0)
    sides = name_places(routes, top, float(np.sqrt(low * high)))
    for route, side in zip(routes, sides, strict=True):
        figure.add_traces([_way(route, theme), _end(route, side, theme)])
    if true_labels is not None:
        figure.add_trace(_truth(true_labels, theme))
    room = ROOM * (np.log10(high / low) or 1.0)
    figure.update_xaxes(
        title_text="retrained objective",
        **log_axis(float(low * 10**-room), float(high * 10**room)),
    )
    figure.update_yaxes(
        title_text="unlabelled error",
        range=[-ROOM * top, (1 + ROOM) * top],
        **percent_axis((1 + ROOM) * top),
    )
    figure.update_layout(
        showlegend=False, hovermode="closest", margin={"t": 16, "r": 16}
    )
    return figure


def name_places(routes: Sequence[Route], top: float, middle: float) -> list[str]:
    """Where each name stands beside its end, so that names near others part.

    Of ends at nearly one height the leftmost has its name on the left, the rightmost on
    the right, those between above and below; an end by itself, where there is room.
    """
    places = []
    for route in routes:
        objective, error = route.objective[-1], route.error[-1]
        near = [r for r in routes if abs(r.error[-1] - error) < NEAR * top]
        near.sort(key=lambda r: (r.objective[-1], r.name))
        rank = [r is route for r in near].index(True)
        if len(near) == 1:
            places.append("middle right" if objective <= middle else "middle left")
        elif rank in (0, len(near) - 1):
            places.append("middle right" if rank else "middle left")
        else:
            places.append("top center" if rank % 2 else "bottom center")
    return places


def _way(route: Route, theme: Theme) -> go.Scatter:
    """The line that leads to the end, thin."""
    style = STYLES[route.place]
    return go.Scatter(
        x=route.objective,
        y=route.error,
        mode="lines+markers",
        name=route.name,
        line={"color": theme.role(style.role), "dash": style.dash, "width": 1.6},
        marker={"symbol": style.symbol, "size": 5},
        hoverinfo="skip",
    )


def _end(route: Route, side: str, theme: Theme) -> go.Scatter:
    style = STYLES[route.place]
    objective, error = route.objective[-1], route.error[-1]
    return go.Scatter(
        x=[objective],
        y=[error],
        mode="markers+text",
        name=route.name,
        text=[f"  {route.name}  "],
        textposition=side,
        textfont={"size": FONT_SIZE, "color": theme.ink},
        cliponaxis=False,
        marker={
            "symbol": style.symbol,
            "size": 14,
            "color": theme.role(style.role),
            "line": {"color": theme.background, "width": 1.5},
        },
        hovertext=[f"{route.name}<br>objective {number(objective)}, {rate(error)}"],
        hoverinfo="text",
    )


def _truth(objective: float, theme: Theme) -> go.Scatter:
    return go.Scatter(
        x=[objective],
        y=[0.0],
        mode="markers+text",
        name="true labels",
        text=["true labels"],
        textposition="bottom center",
        textfont={"size": FONT_SIZE, "color": theme.soft},
        cliponaxis=False,
        marker={"symbol": "star", "size": 14, "color": theme.soft},
        hovertext=[f"the true labels<br>objective {number(objective)}, 0 %"],
        hoverinfo="text",
    )
