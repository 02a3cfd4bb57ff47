"""The panels of curves of a `StageView` in Plotly, one below the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from halfmoon.stage import Curves, Series, StageView
from halfmoon.views.sheet import SMALL, axis, axis_name, entry_width, words
from ssl_core.viz.theme import Theme

DASHES = ("solid", "9px,4px", "2px,4px", "11px,4px,2px,4px", "5px,3px")
CURVE, CURSOR = 2.0, 1.4  # widths of lines in pixels
HEAD, ROW, GAP = 26, 18, 12  # heights: a title, a row of a legend, below the curves
NARROW, BROAD = 320, 860  # widths of a legend, beside a plane and without one
TICKS = 4  # of an ordinate, beside the first
FEW = 6  # iterations that have a number each


@dataclass(frozen=True)
class DrawnCurves:
    """The panels of a view.

    Parameters
    ----------
    view : StageView
    theme : Theme
    first : int
        Number of the first panel's axes; a plane has those before.
    left : float
        Where the panels begin, as a share of the width.
    tall : int
        Height of all of them in pixels.
    """

    view: StageView
    theme: Theme
    first: int
    left: float
    tall: int

    @property
    def panels(self) -> list[Curves]:
        return panels_of(self.view)

    def lines(self) -> list[go.Scatter]:
        """The curves. Each row of a legend is a legend of its own: Plotly would make
        one as wide as the figure.
        """
        return [
            self._line(panel, j, number, f"legend{number}{row}")
            for number, panel in enumerate(self.panels, self.first)
            for row, places in enumerate(self._rows(panel), 1)
            for j in places
        ]

    def cursor(self, frame: int) -> list[dict]:
        """A line at the frame, in every panel."""
        line = {"color": self.theme.ink, "width": CURSOR, "dash": "4px,3px"}
        shapes = []
        for number, panel in enumerate(self.panels, self.first):
            x, at = axis_name("x", number), float(self._abscissa(panel)[frame])
            y = f"{axis_name('y', number)} domain"
            ends = {"x0": at, "x1": at, "y0": 0, "y1": 1}
            shapes.append({"type": "line", "xref": x, "yref": y, "line": line, **ends})
        return shapes

    def lay_out(self, picture: go.Figure) -> None:
        panels = self.panels
        for p, panel in enumerate(panels):
            place = 1 - (p + 1) / len(panels), 1 - p / len(panels)
            self._lay_out(picture, self.first + p, panel, *place)

    def _rows(self, panel: Curves) -> list[list[int]]:
        """Numbers of the series in each row of the legend."""
        room, x, rows = NARROW if self.left else BROAD, 0.0, [[]]
        for j, line in enumerate(panel.series):
            width = entry_width(line.name)
            if x and x + width > room:
                x, rows = 0.0, [*rows, []]
            rows[-1].append(j)
            x += width
        return rows

    def _abscissa(self, panel: Curves) -> np.ndarray:
        if panel.x is not None:
            return np.asarray(panel.x)
        own = self.view.axis
        return np.asarray(self.view.frame_t if own is None else own.values)

    def _line(self, panel: Curves, j: int, number: int, legend: str) -> go.Scatter:
        line = panel.series[j]
        x = self._abscissa(panel) if line.trail is None else line.trail[0]
        y, colour = _values(line), self.theme.role_colour(line.role)
        name, told = words(line.name), ".2~%" if panel.percent else ".4g"
        return go.Scatter(
            x=x,
            y=np.where(y > 0, y, np.nan) if panel.log else y,
            name=name,
            showlegend=True,
            legend=legend,
            mode="markers" if line.dots else "lines",
            line={"color": colour, "dash": DASHES[j % len(DASHES)], "width": CURVE},
            marker={"color": colour},
            xaxis=axis_name("x", number),
            yaxis=axis_name("y", number),
            hovertemplate=f"t = %{{x}}<br>{name} %{{y:{told}}}<extra></extra>",
        )

    def _lay_out(self, picture, number: int, panel: Curves, below, above) -> None:
        """Title, legend, and the curves below these."""
        last = panel is self.panels[-1]
        rows = len(self._rows(panel))
        top = above - (HEAD + ROW * rows) / self.tall
        corner = {"x": self.left, "xanchor": "left"}
        picture.update_layout(
            {
                axis_name("xaxis", number): self._across(panel, number, last),
                axis_name("yaxis", number): axis(
                    self.theme,
                    "",
                    domain=[below if last else below + GAP / self.tall, top],
                    anchor=axis_name("x", number),
                    **self._ordinate(panel),
                ),
            }
        )
        for row in range(rows):
            legend = {
                **corner | {"y": top + ROW * (rows - 1 - row) / self.tall},
                **{"yanchor": "bottom", "orientation": "h"},
                "bgcolor": "rgba(0,0,0,0)",
                "font": {"size": SMALL, "color": self.theme.soft},
            }
            picture.update_layout({f"legend{number}{row + 1}": legend})
        picture.add_annotation(
            text=f"<b>{words(panel.title)}</b>",
            **corner | {"y": above, "yanchor": "top", "xref": "paper", "yref": "paper"},
            showarrow=False,
            font={"size": SMALL + 2},
        )

    def _across(self, panel: Curves, number: int, last: bool) -> dict:
        own, x = self.view.axis, self._abscissa(panel)
        alone = panel.x is not None or self.panels[-1].x is not None
        name = own.name if own is not None and panel.x is None else panel.x_name
        more = {"dtick": 1} if len(x) and np.ptp(x) < FEW else {}
        if not (last or alone):
            more["matches"] = axis_name("x", self.first + len(self.panels) - 1)
        return axis(
            self.theme,
            name if last else "",
            domain=[self.left, 1],
            anchor=axis_name("y", number),
            showticklabels=last or alone,
            **more,
        )

    def _ordinate(self, panel: Curves) -> dict:
        """Percent from zero; logarithms between whole powers of ten."""
        if panel.percent:
            return {"nticks": TICKS + 1, "tickformat": "~%", "rangemode": "tozero"}
        if not panel.log:
            return {"nticks": TICKS + 1}
        values = np.concatenate([_values(line) for line in panel.series])
        known = values[np.isfinite(values) & (values > 0)]
        low, high = (known.min(), known.max()) if len(known) else (0.1, 1.0)
        first = int(np.floor(np.log10(low) + 1e-6))
        last = max(first + 1, int(np.ceil(np.log10(high) - 1e-6)))
        return {
            **{"type": "log", "exponentformat": "power", "range": [first, last]},
            **{"tick0": last, "dtick": -(-(last - first) // TICKS)},
            # Plotly writes powers larger than other numbers.
            "tickfont": {"size": SMALL - 2, "color": self.theme.soft},
        }


def panels_of(view: StageView) -> list[Curves]:
    """Its panels of curves; those of other kinds are for the stage."""
    return [panel for panel in view.panels if isinstance(panel, Curves)]


def _values(line: Series) -> np.ndarray:
    """What is drawn of a line."""
    return np.asarray(line.values if line.trail is None else line.trail[1], dtype=float)
