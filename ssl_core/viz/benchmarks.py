"""Published tables as figures: ours beside theirs, differences, speed-ups.

Marks differ in shape as well as in colour, and every mark says its name and its number
under the pointer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from ssl_core import numerals
from ssl_core.viz.axes import log_axis, log_labels
from ssl_core.viz.theme import get_theme, template

MATCHES, LOWER, HIGHER, OPEN = "matches", "lower", "higher", "not judged"
MARKS = {  # verdict -> symbol and role
    MATCHES: ("circle", "good"),
    LOWER: ("triangle-down", "accent"),
    HIGHER: ("triangle-up", "warn"),
    OPEN: ("circle-open", "soft"),
}
SYMBOLS = (
    "circle",
    "square",
    "diamond",
    "triangle-up",
    "cross",
    "star",
    "x",
    "hexagon",
    "triangle-down",
    "pentagon",
)
LINE = 30  # pixels for each name
LETTER = 7.6  # pixels, about, of one letter of a name
WIDEST = 170  # pixels for names, on a telephone too
WIDE_RATIO = 30.0  # values that differ by more are drawn on a log axis
ROOM = 0.06  # of the range, at both ends


@dataclass(frozen=True)
class Number:
    """One number of ours, and the published one.

    Attributes
    ----------
    row, column : str
    mean, deviation : float or None
        None where it is not computed, or from one split.
    published : float or None
    verdict : {"matches", "lower", "higher", "not judged"}
    """

    row: str
    column: str
    mean: float | None = None
    deviation: float | None = None
    published: float | None = None
    verdict: str = OPEN

    @property
    def difference(self) -> float | None:
        if self.mean is None or self.published is None:
            return None
        return self.mean - self.published


def panel_height(names: int) -> int:
    """Pixels that suit a figure with so many names."""
    return 104 + LINE * max(names, 2)


def ours_and_published(
    numbers: Sequence[Number],
    *,
    title: str,
    unit: str = "",
    by: str = "column",
    mode="light",
) -> go.Figure:
    """Ours with error bars beside the published numbers, a line for each.

    Parameters
    ----------
    numbers : sequence of Number
    title : str
    unit : str
    by : {"column", "row"}
        Which of their names tells them apart.
    mode : {"light", "dark"}
    """
    theme = get_theme(mode)
    named = [(getattr(number, by), number) for number in numbers]
    theirs = [(name, n) for name, n in named if n.published is not None]
    ours = [(name, n) for name, n in named if n.mean is not None]
    known = [v for n in numbers for v in (n.mean, n.published) if v is not None]
    log, tail = spread(known), unit and f" {unit}"
    figure = go.Figure(layout={"template": template(theme)})
    for name, number in theirs:
        if number.difference is not None:
            ends = [number.published, number.mean]
            figure.add_trace(_tie(ends, name, theme))
    figure.add_trace(_published(theirs, tail, theme))
    figure.add_trace(_ours(ours, tail, log, theme))
    _lines(figure, [name for name, _ in named], title, legend=bool(theirs))
    axis = {"title_text": unit, "nticks": 6}
    if log:
        axis |= log_labels(min(known) / 2, 2 * max(known))
    figure.update_xaxes(**axis)
    return figure


def _published(named, tail: str, theme) -> go.Scatter:
    return _marks(
        [n.published for _, n in named],
        [name for name, _ in named],
        [f"{name}: published {printed(n.published)}{tail}" for name, n in named],
        name="published",
        marker={
            "symbol": "diamond-open",
            "size": 12,
            "color": theme.ink,
            "line": {"width": 2},
        },
    )


def _ours(named, tail: str, log: bool, theme) -> go.Scatter:
    """Our numbers with their error bars."""
    return _marks(
        [n.mean for _, n in named],
        [name for name, _ in named],
        [f"{name}: ours {_said(n, tail)}" for name, n in named],
        name="ours",
        marker={"symbol": "circle", "size": 10, "color": theme.accent},
        error_x={
            "type": "data",
            "array": [n.deviation or 0.0 for _, n in named],
            "arrayminus": [_downwards(n, log) for _, n in named],
            "color": theme.accent,
            "thickness": 1.6,
            "width": 4,
        },
    )


def _marks(x, y, said, **more) -> go.Scatter:
    """Marks that say a sentence each under the pointer."""
    return go.Scatter(
        x=x, y=y, mode="markers", hovertext=said, hoverinfo="text", **more
    )


def spread(values: Sequence[float]) -> bool:
    """Whether values differ by so much that only a log axis shows all of them."""
    known = [v for v in values if v is not None]
    return bool(known) and min(known) > 0 and max(known) > WIDE_RATIO * min(known)


def _downwards(number: Number, log: bool) -> float:
    """Length of the error bar's lower half; on a log axis it ends above zero."""
    deviation = number.deviation or 0.0
    return min(deviation, 0.9 * number.mean) if log else deviation


def printed(published: float) -> str:
    """As the paper prints it: no digits are added, and none are dropped."""
    return numerals.number(published, 6)


def _said(number: Number, tail: str) -> str:
    text = numerals.number(number.mean, 4)
    if number.deviation is not None:
        text += f" ± {numerals.number(number.deviation, 2)}"
    return f"{text}{tail}"


def _tie(ends, name, theme) -> go.Scatter:
    """A thin line from the published number to ours."""
    return go.Scatter(
        x=ends,
        y=[name, name],
        mode="lines",
        line={"color": theme.muted, "width": 1.2},
        hoverinfo="skip",
        showlegend=False,
    )


def _lines(
    figure: go.Figure, names: Sequence[str], title: str, *, legend: bool
) -> None:
    """One line for each name, the first on top."""
    order = list(dict.fromkeys(names))
    left = min(WIDEST, 22 + LETTER * max(map(len, order), default=4))
    figure.update_yaxes(
        type="category",
        categoryorder="array",
        categoryarray=order[::-1],
        range=[-0.6, len(order) - 0.4],
        showgrid=True,
    )
    figure.update_layout(
        title_text=title,
        margin={
            "l": left,
            "r": 16,
            "t": 40 if title else 12,
            "b": 78 if legend else 48,
        },
        showlegend=legend,
        hovermode="closest",
        legend={"y": 0, "yref": "container", "yanchor": "bottom", "x": 0},
    )


def differences(
    numbers: Sequence[Number],
    *,
    tolerance: float,
    relative: bool = False,
    unit: str = "",
    mode="light",
) -> go.Figure:
    """Ours minus published, a line for each row, the tolerance as a band.

    Parameters
    ----------
    numbers : sequence of Number
    tolerance : float
        Half of the band's width: in ``unit``, or a share where ``relative``.
    relative : bool
        Differences are shares of the published number, in percent.
    unit : str
    mode : {"light", "dark"}
    """
    theme = get_theme(mode)
    figure = go.Figure(layout={"template": template(theme)})
    known = [n for n in numbers if n.difference is not None]
    judged = any(n.verdict != OPEN for n in known)
    scale = 100.0 if relative else 1.0
    if judged:
        figure.add_vrect(
            x0=-scale * tolerance,
            x1=scale * tolerance,
            fillcolor=theme.good,
            opacity=0.12,
            line_width=0,
        )
    figure.add_vline(x=0, line={"color": theme.soft, "width": 1})
    tail = " %" if relative else unit and f" {unit.replace('%', 'points')}"
    for verdict in MARKS:
        mine = [n for n in known if n.verdict == verdict]
        if mine:
            figure.add_trace(_judged(mine, verdict, relative, tail, theme))
    _lines(figure, [n.row for n in numbers], "", legend=judged)
    words = "% of the published number" if relative else unit.replace("%", "points")
    figure.update_xaxes(title_text=f"ours − published{words and f', {words}'}")
    return figure


def _judged(numbers, verdict: str, relative: bool, tail: str, theme) -> go.Scatter:
    """The differences of one verdict."""
    symbol, role = MARKS[verdict]
    line = {"width": 1, "color": theme.background}
    apart = [apart_of(n, relative) for n in numbers]
    return _marks(
        apart,
        [n.row for n in numbers],
        [
            f"{n.row}, {n.column}: {numerals.signed(d)}{tail}, {verdict}"
            for n, d in zip(numbers, apart, strict=True)
        ],
        name=verdict,
        marker={
            "symbol": symbol,
            "size": 11,
            "color": theme.role(role),
            "line": {"width": 2} if symbol == "circle-open" else line,
        },
    )


def apart_of(number: Number, relative: bool) -> float:
    """The difference, in percent of the published number where ``relative``."""
    if not relative:
        return number.difference
    if number.published == 0:
        return float(np.sign(number.difference)) * np.inf if number.difference else 0.0
    return 100.0 * number.difference / abs(number.published)


def ratios(
    numbers: Sequence[Number], baseline: str | None
) -> dict[tuple[str, str], float]:
    """How many times less each number is than the published one, or than a column's.

    Parameters
    ----------
    numbers : sequence of Number
    baseline : str or None
        A column; None is the published number.
    """
    base = {n.row: n.mean for n in numbers if n.column == baseline}
    found = {}
    for n in numbers:
        against = n.published if baseline is None else base.get(n.row)
        if against and n.mean and n.column != baseline:
            found[n.row, n.column] = against / n.mean
    return found


def speed_ups(
    numbers: Sequence[Number], *, baseline: str | None = None, mode="light"
) -> go.Figure:
    """How many times faster, on a log axis, a line for each row.

    Parameters
    ----------
    numbers : sequence of Number
        Of seconds or iterations.
    baseline : str or None
        The column against which the others are measured; None for the published
        numbers.
    mode : {"light", "dark"}
    """
    theme = get_theme(mode)
    figure = go.Figure(layout={"template": template(theme)})
    found = ratios(numbers, baseline)
    figure.add_vline(x=1, line={"color": theme.soft, "width": 1.5, "dash": "dash"})
    columns = list(dict.fromkeys(n.column for n in numbers if n.column != baseline))
    for place, column in enumerate(columns):
        mine = {row: ratio for (row, name), ratio in found.items() if name == column}
        if not mine:
            continue
        said = [
            f"{row}, {column}: {numerals.number(ratio)} times"
            for row, ratio in mine.items()
        ]
        marker = {
            "symbol": SYMBOLS[place % len(SYMBOLS)],
            "size": 11,
            "color": theme.class_colour(place),
            "line": {"width": 1, "color": theme.background},
        }
        at = list(mine.values()), list(mine)
        figure.add_trace(_marks(*at, said, name=column, marker=marker))
    _lines(figure, [n.row for n in numbers], "", legend=True)
    against = "published" if baseline is None else baseline
    low, high = _decades(list(found.values()))
    figure.update_xaxes(
        title_text=f"{against} / ours"
        if baseline is None
        else f"times less than {against}",
        **log_axis(10**low, 10**high),
    )
    return figure


def _decades(values: Sequence[float]) -> tuple[float, float]:
    """Ends of a log axis around all values and 1."""
    logs = np.log10([1.0, *values])
    low, high = float(logs.min()), float(logs.max())
    room = max(ROOM * (high - low), 0.15)
    return low - room, high + room


def tallies(
    counts: Mapping[str, Mapping[str, int]], *, order: Mapping[str, str], mode="light"
) -> go.Figure:
    """Numbers of every table that match, beat or miss, one bar for each table.

    Parameters
    ----------
    counts : mapping of table to mapping of kind to int
    order : mapping of kind to role
        Kinds from left to right, and the colour of each.
    mode : {"light", "dark"}
    """
    theme = get_theme(mode)
    figure = go.Figure(layout={"template": template(theme), "barmode": "stack"})
    shapes = ("", "/", "x", ".")
    for place, (kind, role) in enumerate(order.items()):
        figure.add_trace(
            go.Bar(
                y=list(counts),
                x=[found.get(kind, 0) for found in counts.values()],
                name=kind,
                orientation="h",
                marker={
                    "color": theme.role(role),
                    "line": {"color": theme.background, "width": 1},
                    "pattern": {
                        "shape": shapes[place % len(shapes)],
                        "fillmode": "overlay",
                        "fgcolor": theme.background,
                        "size": 6,
                        "solidity": 0.35,
                    },
                },
                hovertext=[f"{t}: {f.get(kind, 0)} {kind}" for t, f in counts.items()],
                hoverinfo="text",
            )
        )
    _lines(figure, list(counts), "", legend=True)
    figure.update_layout(bargap=0.35, legend={"traceorder": "normal"})
    figure.update_xaxes(title_text="published numbers")
    return figure
