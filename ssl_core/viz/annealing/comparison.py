"""Annealed or not: how several ways of minimising one objective end."""

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from ssl_core.viz.annealing.belief import plain
from ssl_core.viz.theme import get_theme


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
    figure = plain(theme)
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
