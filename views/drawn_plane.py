"""The plane of a `StageView` in Plotly: field, lines, points and rings."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from halfmoon.stage import StageView
from halfmoon.views.sheet import axis, words
from ssl_core.viz.fields import axes
from ssl_core.viz.shading import (
    STRONGEST,
    class_shades,
    lead,
    shades,
    winners,
)
from ssl_core.viz.theme import Theme

# Plotly's names of the stage's shapes, and their sizes: about the same area each.
SYMBOLS = (
    *(("square", 0.85), ("circle", 1.0), ("triangle-up", 1.25), ("diamond", 1.0)),
    *(("triangle-down", 1.25), ("star", 1.0), ("pentagon", 1.12), ("cross", 0.95)),
    *(("hexagon", 1.08), ("x", 0.95)),
)
STOPS = 50  # of a colour scale; between them colours are within rounding
FULL = 0.98  # of a class's part of the scale: where its colours end
BOUNDARY, BORDER, MARGIN = 2.6, 2.0, 1.6  # widths of lines in pixels
DASHED = "7px,6px"
RIM, HALO = 2.0, 1.0  # widths of a mark's edge, with and without a label
RING, AROUND = 1.6, 5.5  # width of a ring, and its distance from a mark
CLASSES, RINGS, LINES = 900, 1100, 1200  # places in the legend; other points: 1000
NOWHERE = np.array([[np.nan, np.nan]])  # keeps an entry of the legend


class DrawnPlane:
    """Points and field of a view, over the left part of a figure."""

    def __init__(self, view: StageView, theme: Theme, *, right: float = 1):
        self.view, self.theme, self.right = view, theme, right
        self.several = len(view.class_names) > 2
        self.names = [words(name) for name in view.class_names]
        n, labels = view.n_points, int((view.given >= 0).sum())
        self.small = 2 * (2.4 if n > 1500 else 2.9 if n > 500 else 3.6)
        self.large = 2 * (5.0 if labels > 80 else 6.4 if labels > 24 else 8.0)
        if view.field is not None:
            _, height, width, *_ = view.field.shape
            self.x, self.y = axes(view.extent, (width, height))
            self.margins = self._margins()

    @property
    def predicted(self) -> bool:
        """Whether points have the class they are predicted: where no field says it."""
        return self.view.field is None and self.view.f_per_frame is not None

    def still(self) -> list[go.Scatter]:
        """Points without a label, and above them those with one, class by class."""
        given = self.view.given
        made = [
            self._marks(given == c, name, c, self.large).update(legendrank=CLASSES)
            for c, name in enumerate(self.names)
        ]
        if self.view.marks_per_frame is not None:
            made.append(self._ring())
        if self.predicted:
            return made
        return [self._marks(given < 0, "unlabelled", -1, self.small), *made]

    def moving(self, frame: int) -> list:
        """The traces that differ from frame to frame: a field, or predictions.

        Never both: Plotly clears a field for the time of a transition in which marks
        change as well. Rings are shapes for this reason, see `rings`.
        """
        if self.predicted:
            return [self._predictions(frame)]
        if self.view.field is None:
            return []
        f = self.view.field[frame]
        return self._regions(f) if self.several else self._sides(f)

    def rings(self, frame: int) -> list[dict]:
        """Shapes around the marked points of a frame."""
        if self.view.marks_per_frame is None:
            return []
        made = []
        for i in np.flatnonzero(self.view.marks_per_frame[frame]):
            r = (self.large if self.view.given[i] >= 0 else self.small) / 2 + AROUND
            x, y = map(float, self.view.points[i])
            made.append(
                {
                    **{"type": "circle", "xref": "x", "yref": "y"},
                    **{"xsizemode": "pixel", "xanchor": x, "x0": -r, "x1": r},
                    **{"ysizemode": "pixel", "yanchor": y, "y0": -r, "y1": r},
                    "line": {"color": self.theme.ink, "width": RING},
                }
            )
        return made

    def lay_out(self, picture: go.Figure) -> None:
        x0, x1, y0, y1 = self.view.extent
        x_name, y_name = self.view.axis_names
        bare = {"showgrid": False, "constrain": "domain"}
        x = {"domain": [0, self.right], "range": [x0, x1], **bare}
        y = {"scaleanchor": "x", "constraintoward": "top", "range": [y0, y1], **bare}
        picture.update_layout(
            xaxis=axis(self.theme, x_name, **x), yaxis=axis(self.theme, y_name, **y)
        )

    # Points.

    def _marks(self, mask, name: str, c: int, size: float) -> go.Scatter:
        labelled = c >= 0
        symbol, scale = mark(c)
        edge = self.theme.ink if labelled else self.theme.background
        return self._scatter(
            mask,
            name,
            color=self.theme.class_colour(c) if labelled else self.theme.muted,
            symbol=symbol,
            size=scale * size,
            line={"color": edge, "width": RIM if labelled else HALO},
        )

    def _predictions(self, frame: int) -> go.Scatter:
        """Points without a label, small, as the class that wins there."""
        f, mask = self.view.f_per_frame[frame], self.view.given < 0
        codes = (f.argmax(axis=-1) if self.several else (f >= 0).astype(int))[mask]
        marks = [mark(c) for c in codes]
        return self._scatter(
            mask,
            "small: predicted",
            color=[self.theme.class_colour(c) for c in codes],
            symbol=[symbol for symbol, _ in marks],
            size=[scale * self.small for _, scale in marks],
            opacity=1,  # marks of several sizes are pale otherwise
            line={"color": self.theme.background, "width": HALO},
        )

    def _ring(self) -> go.Scatter:
        """What a ring means, for the legend."""
        return self._scatter(
            np.zeros(self.view.n_points, dtype=bool),
            words(self.view.marks_name),
            color=self.theme.ink,
            symbol="circle-open",
            size=self.small + 2 * AROUND,
            line={"color": self.theme.ink, "width": RING},
        ).update(legendrank=RINGS)

    def _scatter(self, mask, name: str, **marker) -> go.Scatter:
        points = self.view.points[mask] if mask.any() else NOWHERE
        return go.Scatter(
            x=points[:, 0],
            y=points[:, 1],
            name=name,
            mode="markers",
            marker=marker,
            customdata=np.flatnonzero(mask) if mask.any() else [0],
            hovertemplate=f"point %{{customdata}}, {name}<extra></extra>",
        )

    # Field.

    def _sides(self, f) -> list:
        """Colour by f, a line at f = 0, dashed ones where the margins are."""
        outputs = np.linspace(-STRONGEST, STRONGEST, 2 * STOPS + 1)
        field = self._heat(
            f,
            (-STRONGEST, STRONGEST),
            scale(np.linspace(0, 1, len(outputs)), shades(outputs, self.theme)),
            hovertemplate="f = %{z:.3g}<extra></extra>",
        )
        ink = {"color": self.theme.ink, "width": BOUNDARY}
        return [
            field,
            self._line(f, "boundary, f = 0", ink),
            *(
                self._line(
                    f,
                    f"margin, f = {'1' if level > 0 else '−1'}",
                    {
                        "color": self.theme.class_colour(int(level > 0)),
                        "width": MARGIN,
                        "dash": DASHED,
                    },
                    level,
                )
                for level in self.margins
            ),
        ]

    def _margins(self) -> list[int]:
        """Which of f = +1 and f = -1 some frame crosses."""
        if self.several or not self.view.margins:
            return []
        low, high = self.view.field.min(), self.view.field.max()
        return [level for level in (1, -1) if low < level <= high]

    def _regions(self, F) -> list:
        """The class that wins, the stronger the more it leads, and the borders.

        A value of the field is the class, and after the point how strong it is. Every
        border is one of a class that is not the last.
        """
        k = len(self.names)
        best, size = winners(F)
        # Two more outputs at the end: there the scale of one class meets the next.
        sizes = np.append(np.linspace(0, STRONGEST, STOPS + 1), STRONGEST)
        within = np.append(np.linspace(0, FULL, STOPS + 1), 1 - 1e-9)
        at = [(j + within) / k for j in range(k)]
        colours = [class_shades(j, sizes, self.theme, several=True) for j in range(k)]
        at[-1][-1] = 1.0
        field = self._heat(
            best + FULL * np.minimum(size, STRONGEST) / STRONGEST,
            (0, k),
            scale(np.concatenate(at), np.concatenate(colours)),
            text=np.array(self.names)[best],
            hovertemplate="%{text}<extra></extra>",
        )
        ink = {"color": self.theme.ink, "width": BORDER}
        name = "border between classes"
        borders = [self._line(lead(F, j), name, ink) for j in range(k - 1)]
        for line in borders:
            line.update(legendgroup=name, showlegend=line is borders[0])
        return [field, *borders]

    def _heat(self, z, limits, colorscale, **more) -> go.Heatmap:
        """``zsmooth`` mixes the colours of neighbours, never their values."""
        return go.Heatmap(
            x=self.x,
            y=self.y,
            z=_light(z),
            zmin=limits[0],
            zmax=limits[1],
            zsmooth="fast",
            showscale=False,
            colorscale=colorscale,
            **more,
        )

    def _line(self, z, name: str, line: dict, level: int = 0) -> go.Contour:
        return go.Contour(
            x=self.x,
            y=self.y,
            z=_light(z),
            name=name,
            showlegend=True,
            legendrank=LINES,
            autocontour=False,
            contours={"start": level, "end": level, "size": 1, "coloring": "none"},
            line=line,
            showscale=False,
            hoverinfo="skip",
        )


def mark(c: int) -> tuple[str, float]:
    """Symbol and size of a class's mark, -1 = unlabelled; the second ten have a dot."""
    if c < 0:
        return "circle", 1.0
    symbol, size = SYMBOLS[c % len(SYMBOLS)]
    return (symbol if c < len(SYMBOLS) else f"{symbol}-dot"), size


def scale(at, colours) -> list[list]:
    """A colour scale of Plotly."""
    texts = ("rgb({},{},{})".format(*colour) for colour in colours)
    return [[float(a), text] for a, text in zip(at, texts, strict=True)]


def _light(values) -> np.ndarray:
    """Half the bytes of an animation, and more digits than a picture shows."""
    return np.asarray(values, dtype=np.float32)
