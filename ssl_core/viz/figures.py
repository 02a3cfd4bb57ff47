"""Plotly figures of a trace, for notebooks: `Trace.plot` and `Trace.animate`.

On the left the plane with the decision field of a state, on the right curves of the run
with a mark at that state. Points that do not lie in a plane have the curves alone.
Panels and titles follow from what the states declare; colours are those of the theme.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from ssl_core.looks import look_of
from ssl_core.numerals import number
from ssl_core.quantities import DISTANCE, quantities, title_of, with_role
from ssl_core.trace import Array, State, Trace
from ssl_core.viz.chart import DASHES, SYMBOLS
from ssl_core.viz.fields import axes, field_frames, fit_extent, thin_frames
from ssl_core.viz.measures import PARTS, error_rates, iterations, labeled_mask
from ssl_core.viz.theme import DARK, LIGHT, Theme, mix

RESOLUTION = 80  # columns and rows of a field
RESOLUTION_PLAYED = 50  # of each field of an animation
RANGE = 1.0  # outputs beyond the margin have the strongest colour
HEIGHT, PLAYER = 520, 90  # in pixels; the second for slider and buttons
BELOW = 110  # of these under the axes, for the legend
PLANE = 0.58  # of the width
GAP = 0.12  # between the panels of curves, of the height
LEGEND, BUTTONS, SLIDER = -0.17, -0.37, -0.3  # places below the axes
SMALL = 11  # letters of ticks
MILLISECONDS = 200  # of a frame; a browser needs a part of it to draw one
THEMES = {"light": LIGHT, "dark": DARK}


@dataclass(frozen=True)
class CurveLine:
    """A curve of a panel; one value for each state, NaN where there is none."""

    title: str
    values: Array


@dataclass(frozen=True)
class CurvePanel:
    """Curves over one axis; its title is theirs, in a legend where they are several."""

    lines: Sequence[CurveLine]
    log: bool = False
    percent: bool = False


def figure(trace: Trace, t: int | None = None, *, theme: str = "light") -> go.Figure:
    """The state at a place of the trace, the last one with its arrays when None."""
    colours, plane = _theme(theme), _in_plane(trace)
    place = _place(trace, t, plane)
    drawing = _Drawing(trace, colours, plane)
    (field,) = drawing.fields([place], RESOLUTION)
    picture = go.Figure([*drawing.curves(), *drawing.points(), *field])
    drawing.lay_out(picture)
    picture.update_layout(drawing.cursor(place))
    return picture


def animation(
    trace: Trace, *, theme: str = "light", max_frames: int = 100
) -> go.Figure:
    """A frame for each state, or for some of a long run.

    A frame replaces fields and the layout's cursor, nothing else: Plotly clears the
    plane for the time of a transition where a frame has scattered marks, too.
    """
    if not isinstance(max_frames, int | np.integer):
        raise ValueError(f"max_frames must be an integer >= 2, got {max_frames!r}.")
    colours, plane = _theme(theme), _in_plane(trace)
    places = _places(trace, plane, max_frames)
    drawing = _Drawing(trace, colours, plane)
    still = [*drawing.curves(), *drawing.points()]
    fields = drawing.fields(places, RESOLUTION_PLAYED)
    picture = go.Figure([*still, *fields[0]])
    picture.frames = [
        go.Frame(
            name=str(trace.states[place].t),
            data=field,
            traces=list(range(len(still), len(still) + len(field))),
            layout=drawing.cursor(place),
        )
        for place, field in zip(places, fields, strict=True)
    ]
    drawing.lay_out(picture)
    picture.update_layout(drawing.cursor(places[0]))
    _add_player(picture, colours)
    return picture


def panels(trace: Trace) -> list[CurvePanel]:
    """What is worth plotting, as states declare it, and errors where they are known.

    The objective; what falls to 0 as the run converges, on a logarithmic scale; the
    schedule; the error on the watched points.
    """
    kind = type(trace.final)
    told = trace.told_names()
    falling = [n for n in told if n in with_role(kind, DISTANCE) or n == "grad_norm"]
    made = [CurvePanel([CurveLine("objective", trace.column("objective"))])]
    if falling:
        lines = [CurveLine(_words(kind, name), trace.column(name)) for name in falling]
        positive = any((line.values > 0).any() for line in lines)
        made.append(CurvePanel(lines, log=positive))
    for name in told:
        if name not in falling:
            made.append(CurvePanel([CurveLine(_words(kind, name), trace.column(name))]))
    errors = error_rates(trace).items()
    if errors:
        lines = [CurveLine(f"{PARTS[part]} error", rate) for part, rate in errors]
        made.append(CurvePanel(lines, percent=True))
    return made


def _words(kind, name) -> str:
    declared = quantities(kind)[name]
    title, symbol = title_of(kind, name), declared.symbol
    return f"{title} {symbol}" if symbol and symbol != title else title


def _theme(name: str) -> Theme:
    if not isinstance(name, str) or name not in THEMES:
        raise ValueError(f'theme must be "light" or "dark", got {name!r}.')
    return THEMES[name]


def _in_plane(trace: Trace) -> bool:
    """Whether there is a plane to draw: two features, and outputs anywhere."""
    X = trace.X
    drawn = X is not None and trace.model is not None and len(trace.kept) > 0
    return drawn and X.shape[1] == 2


def _place(trace: Trace, t: int | None, plane: bool) -> int:
    if t is None:
        return int(trace.kept[-1]) if plane else len(trace) - 1
    place = trace.place(t)
    if plane and trace.states[place].f is None:
        raise ValueError(
            f"t must be a state that kept its arrays, but that at {place} was recorded "
            f"thin; choose from trace.kept, or record with record_states='full'."
        )
    return place


def _places(trace: Trace, plane: bool, max_frames: int) -> Array:
    """States of an animation: those that can be drawn, or some of them."""
    there = trace.kept if plane else np.arange(len(trace))
    told = [
        i
        for i, place in enumerate(there)
        if any(look_of(event).tick for event in trace.states[place].events)
    ]
    keep = told if len(told) <= max_frames else ()
    return there[thin_frames(len(there), max_frames, keep)]


def _caption(state: State) -> str:
    told = f"t = {state.t:,}: objective {number(state.objective, 5)}"
    return told if state.status.running else f"{told}. {state.status.value}"


class _Drawing:
    """What a figure is made of."""

    def __init__(self, trace: Trace, colours: Theme, plane: bool):
        self.trace, self.colours, self.plane = trace, colours, plane
        self.panels, self.t = panels(trace), iterations(trace)
        if plane:
            X = trace.X.toarray() if hasattr(trace.X, "toarray") else trace.X
            self.X = np.asarray(X, dtype=float)
            self.extent = fit_extent(self.X, margin=0.08)

    def fields(self, places, resolution) -> list[list]:
        """For every place the field of its state, in the plane."""
        if not self.plane:
            return [[] for _ in places]
        F = field_frames(self.trace, self.extent, resolution, places)
        xy = axes(self.extent, resolution)
        field = self._regions if self.trace.multiclass else self._sides
        return [field(f, *xy) for f in F]

    def cursor(self, place) -> dict:
        """A line through all panels at the state, and what there is to say of it."""
        t = self.t[place]
        line = {"color": self.colours.bad, "width": 1.5}
        shape = {"type": "line", "x0": t, "x1": t, "y0": 0, "y1": 1, "line": line}
        shape |= {"xref": _axis("x", self._first), "yref": "paper"}
        return {
            "shapes": [shape],
            "title": {"text": _caption(self.trace.states[place])},
        }

    # The run.

    def curves(self) -> list:
        """Of the whole run, in panels."""
        colours = (self.colours.accent, self.colours.ink, self.colours.warn)
        return [
            go.Scatter(
                x=self.t,
                y=_drawable(line.values, panel),
                name=line.title,
                showlegend=len(panel.lines) > 1,
                legend=f"legend{p + 2}",
                mode="lines",
                line={
                    "color": colours[i % len(colours)],
                    "dash": DASHES[i % len(DASHES)],
                    "width": 1.8,
                },
                xaxis=_axis("x", self._first + p),
                yaxis=_axis("y", self._first + p),
                hovertemplate=f"t = %{{x}}<br>{line.title} %{{y:.4g}}<extra></extra>",
            )
            for p, panel in enumerate(self.panels)
            for i, line in enumerate(panel.lines)
        ]

    @property
    def _first(self) -> int:
        """Number of the first panel's axes; the plane has those before."""
        return 2 if self.plane else 1

    # The plane.

    def points(self) -> list:
        """Unlabelled points, and those of each class that were labelled."""
        if not self.plane:
            return []
        y, labeled = self.trace.y, labeled_mask(self.trace)
        made = [self._scatter(~labeled, "unlabelled", self.colours.soft, "circle", 5)]
        for code in np.unique(y[labeled]):
            j = int(code) if self.trace.multiclass else int(code > 0)
            name = f"class {code}" if self.trace.multiclass else f"class {code:+d}"
            name = name.replace("-", "−")
            symbol = SYMBOLS[j % len(SYMBOLS)]
            colour = self.colours.class_colour(j)
            made.append(self._scatter(y == code, name, colour, symbol, 12))
        return made

    def _scatter(self, mask, name, colour, symbol, size):
        rim = self.colours.background if name == "unlabelled" else self.colours.ink
        return go.Scatter(
            x=self.X[mask, 0],
            y=self.X[mask, 1],
            name=name,
            mode="markers",
            marker={
                "color": colour,
                "symbol": symbol,
                "size": size,
                "line": {"color": rim, "width": 0.5 if size < 9 else 1.5},
            },
            customdata=np.flatnonzero(mask),
            hovertemplate=f"point %{{customdata}}, {name}<extra></extra>",
        )

    def _sides(self, f, x, y) -> list:
        """Colours of a side and of a distance, lines at f = 0 and f = +-1."""
        tints = [self._tint(0), self.colours.background, self._tint(1)]
        field = go.Heatmap(
            x=x,
            y=y,
            z=_light(f),
            zmin=-RANGE,
            zmax=RANGE,
            zsmooth="fast",
            showscale=False,
            colorscale=[[i / 2, tint] for i, tint in enumerate(tints)],
            hovertemplate="f = %{z:.3f}<extra></extra>",
        )
        ink, soft = self.colours.ink, self.colours.soft
        return [
            field,
            _contour(f, x, y, "f = ±1", start=-1, end=1, line=(soft, 1, "dash")),
            _contour(f, x, y, "f = 0", line=(ink, 2.5, "solid")),
        ]

    def _regions(self, f, x, y) -> list:
        """The colour of the winning class, and where each one's lead is 0."""
        k = f.shape[2]
        ends = [(j, (j + i) / k) for j in range(k) for i in (0, 1)]
        field = go.Heatmap(
            x=x,
            y=y,
            z=f.argmax(axis=2).astype(np.uint8),
            zmin=-0.5,
            zmax=k - 0.5,
            showscale=False,
            colorscale=[[at, self._tint(j)] for j, at in ends],
            hovertemplate="class %{z}<extra></extra>",
        )
        line = (self.colours.ink, 1.5, "solid")
        leads = (_contour(lead(f, j), x, y, "", line=line) for j in range(k))
        return [field, *leads]

    def _tint(self, j: int) -> str:
        colours = self.colours
        return mix(colours.background, colours.class_colour(j), colours.strength)

    # The sheet.

    def lay_out(self, picture: go.Figure) -> None:
        colours = self.colours
        picture.update_layout(
            template="none",
            paper_bgcolor=colours.background,
            plot_bgcolor=colours.background,
            font={"color": colours.ink, "family": "system-ui, sans-serif", "size": 13},
            title={"font": {"size": 15}, "x": 0.01, "xanchor": "left"},
            height=HEIGHT,
            margin={"l": 48, "r": 24, "t": 64, "b": BELOW},
            legend={"orientation": "h", "x": 0, "y": LEGEND, "yanchor": "top"},
            hoverlabel={"bgcolor": colours.panel, "font": {"color": colours.ink}},
        )
        if self.plane:
            x0, x1, y0, y1 = self.extent
            picture.update_layout(
                xaxis=self._axis(domain=[0, PLANE], range=[x0, x1], constrain="domain"),
                yaxis=self._axis(range=[y0, y1], scaleanchor="x", constrain="domain"),
            )
        for p, panel in enumerate(self.panels):
            self._lay_out_panel(picture, p, panel)

    def _lay_out_panel(self, picture, p, panel) -> None:
        """Panels stand one above the other; the last one has the iterations."""
        count, number = len(self.panels), self._first + p
        left, small = (PLANE + 0.08 if self.plane else 0.0), {"size": SMALL + 1}
        height = (1 - GAP * (count - 1)) / count
        top, last = 1 - p * (height + GAP), p == count - 1
        x = {
            "domain": [left, 1],
            "anchor": _axis("y", number),
            "showticklabels": last,
            "title": {
                "text": "iteration t" if last else "",
                "font": small,
                "standoff": 4,
            },
        }
        if not last:
            x["matches"] = _axis("x", self._first + count - 1)
        y = {
            "domain": [max(0.0, top - height), top],
            "anchor": _axis("x", number),
            "nticks": 5,
        }
        if panel.log:
            y |= {"type": "log", "exponentformat": "power"}
        if panel.percent:
            y |= {"tickformat": ".0%", "rangemode": "tozero"}
        places = {"x": x, "y": y}
        picture.update_layout(
            {
                f"{side}axis{'' if number == 1 else number}": self._axis(**place)
                for side, place in places.items()
            }
        )
        place = {"x": left, "y": top, "xanchor": "left", "yanchor": "bottom"}
        if len(panel.lines) > 1:
            legend = {"orientation": "h", "font": small, **place}
            picture.update_layout({f"legend{p + 2}": legend})
            return
        picture.add_annotation(
            **place,
            text=panel.lines[0].title,
            showarrow=False,
            xref="paper",
            yref="paper",
            font={"color": self.colours.soft, **small},
        )

    def _axis(self, **more) -> dict:
        line = self.colours.line
        return {
            **{"gridcolor": line, "linecolor": line, "zeroline": False},
            **{"showline": True, "automargin": True, "tickfont": {"size": SMALL}},
            **more,
        }


def _add_player(picture: go.Figure, colours: Theme) -> None:
    """A slider, and buttons that play and pause."""
    still = {"mode": "immediate", "transition": {"duration": 0}}
    shown = {**still, "frame": {"duration": 0, "redraw": True}}
    played = {
        "fromcurrent": True,
        "transition": {"duration": 0},
        "frame": {"duration": MILLISECONDS, "redraw": True},
    }
    names = [frame.name for frame in picture.frames]
    picture.update_layout(
        height=HEIGHT + PLAYER,
        margin={"b": BELOW + PLAYER},
        updatemenus=[
            {
                **{"type": "buttons", "direction": "left", "showactive": False},
                **{"x": 0, "y": BUTTONS, "xanchor": "left", "yanchor": "top"},
                "bgcolor": colours.panel,
                "bordercolor": colours.line,
                "font": {"color": colours.ink},
                "buttons": [
                    {"label": "Play", "method": "animate", "args": [None, played]},
                    {"label": "Pause", "method": "animate", "args": [[None], shown]},
                ],
            }
        ],
        sliders=[
            {
                **{"x": 0.17, "y": SLIDER, "len": 0.83, "yanchor": "top"},
                "pad": {"t": 0, "b": 0},
                "bgcolor": colours.line,
                "activebgcolor": colours.accent,
                "bordercolor": colours.line,
                "tickcolor": colours.muted,
                "font": {"color": colours.soft},
                "currentvalue": {"prefix": "t = ", "font": {"color": colours.ink}},
                "steps": [
                    {"label": name, "method": "animate", "args": [[name], shown]}
                    for name in names
                ],
            }
        ],
    )


def lead(f: Array, j: int) -> Array:
    """By how much the output of a class exceeds the best of the others."""
    return f[..., j] - np.delete(f, j, axis=-1).max(axis=-1)


def _contour(z, x, y, name, *, start=0, end=0, line) -> go.Contour:
    """The lines at one value, or at two."""
    colour, width, dash = line
    return go.Contour(
        x=x,
        y=y,
        z=_light(z),
        name=name,
        showlegend=bool(name),
        autocontour=False,
        contours={
            **{"start": start, "end": end, "size": max(end - start, 1)},
            "coloring": "none",
        },
        line={"color": colour, "width": width, "dash": dash},
        showscale=False,
        hoverinfo="skip",
    )


def _light(values: Array) -> Array:
    """Half the bytes of an animation, and more digits than a picture shows."""
    return np.asarray(values, dtype=np.float32)


def _drawable(values: Array, panel: CurvePanel) -> Array:
    """Values that a logarithmic axis has a place for; the others are gaps."""
    return np.where(values > 0, values, np.nan) if panel.log else values


def _axis(side: str, number: int) -> str:
    """As a trace names its axis: "x", "x2", ..."""
    return side if number == 1 else f"{side}{number}"
