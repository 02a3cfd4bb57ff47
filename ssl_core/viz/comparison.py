"""Methods against each other: what a lower objective is worth."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ssl_core.viz.chart import Chart, ChartAxis, Marks
from ssl_core.viz.words import number, rate


@dataclass(frozen=True)
class MethodStyle:
    """How a method is drawn, in every picture that compares it with others."""

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
    routes: Sequence[Route], *, true_labels: float | None = None, alt: str = ""
) -> Chart:
    """Error over objective: the way of each method, and where it ended.

    Parameters
    ----------
    routes : sequence of Route
        At most four: each has a colour, a dash and a mark of its own.
    true_labels : float, optional
        The objective that the true labels have; their error is 0.
    alt : str
    """
    ways = [
        Marks(
            x=route.objective.tolist(),
            y=route.error.tolist(),
            role=STYLES[route.place].role,
            symbol=STYLES[route.place].symbol,
            size=3,
            line=STYLES[route.place].dash,
        )
        for route in routes
    ]
    ends = [
        _end(route.name, route.objective[-1], route.error[-1], STYLES[route.place])
        for route in routes
    ]
    if true_labels is not None:
        ends.append(
            _end("true labels", true_labels, 0.0, MethodStyle("soft", "star", ""))
        )
    return Chart(
        alt=alt,
        x=ChartAxis(title="retrained objective", log=True),
        y=ChartAxis(title="unlabelled error", percent=True),
        marks=(*ways, *ends),
    )


def _end(name: str, objective: float, error: float, style: MethodStyle) -> Marks:
    return Marks(
        x=(float(objective),),
        y=(float(error),),
        role=style.role,
        symbol=style.symbol,
        size=8,
        words=(name,),
        said=(f"{name}\nobjective {number(objective)}, {rate(error)}",),
    )
