"""A chart as a value: marks over two axes. How it looks is decided where it is drawn.

Colours are roles of `ssl_core.viz.theme`; marks differ in shape as well. ``stage/js/
chart.js`` draws it, with the ticks, numbers and legend of all other pictures.
"""

from collections.abc import Sequence
from dataclasses import dataclass

SYMBOLS = (
    *("circle", "square", "diamond", "triangle-up", "star"),
    *("hexagon", "triangle-down", "pentagon"),
)
DASHES = ("solid", "dash", "dot", "dashdot")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartAxis:
    """An axis; its ends and ticks follow from the marks.

    Attributes
    ----------
    title : str
    log : bool
    percent : bool
        Values are shares and told in percent.
    names : sequence of str
        Of the ordinate, from the top: a value is then the place of its name.
    """

    title: str = ""
    log: bool = False
    percent: bool = False
    names: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """Marks that mean the same.

    Attributes
    ----------
    x, y : sequence of float
    name : str
        In the legend; "" stands in none.
    role : str
        Colour: "accent", "class3", ...
    symbol : str
        One of `SYMBOLS`, or "" for a line alone.
    size : float
        Radius in pixels.
    hollow : bool
    line : str
        One of `DASHES`: joins the marks; "" does not.
    said : sequence of str
        Of each mark, under the pointer.
    words : sequence of str
        Beside each mark.
    low, high : sequence of float
        Ends of each mark's bar.
    """

    x: Sequence[float]
    y: Sequence[float]
    name: str = ""
    role: str = "ink"
    symbol: str = ""
    size: float = 6.0
    hollow: bool = False
    line: str = ""
    said: Sequence[str] = ()
    words: Sequence[str] = ()
    low: Sequence[float] = ()
    high: Sequence[float] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Marks over two axes.

    Attributes
    ----------
    alt : str
        What it shows, for those who cannot see it.
    height : int
        In pixels.
    band : sequence of two floats
        A shaded part of the abscissa, or nothing.
    at : float or None
        A place of the abscissa that has a line.
    """

    x: ChartAxis
    y: ChartAxis
    marks: Sequence[Marks]
    title: str = ""
    alt: str = ""
    height: int = 420
    band: Sequence[float] = ()
    at: float | None = None
