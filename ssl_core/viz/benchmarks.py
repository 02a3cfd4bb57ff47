"""Published tables as charts: ours beside theirs, differences, speed-ups.

Marks differ in shape as well as in colour, and every mark says its name and its number
under the pointer.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ssl_core import numerals
from ssl_core.viz.chart import SYMBOLS, Chart, ChartAxis, Marks

MATCHES, LOWER, HIGHER, OPEN = "matches", "lower", "higher", "not judged"
MARKS = {  # verdict -> symbol and role
    MATCHES: ("circle", "good"),
    LOWER: ("triangle-down", "accent"),
    HIGHER: ("triangle-up", "warn"),
    OPEN: ("circle", "soft"),
}
LINE = 30  # pixels for each name
AROUND = 110  # pixels for title, legend and ticks
WIDE_RATIO = 30.0  # values that differ by more are drawn on a log axis


@dataclass(frozen=True)
class Number:
    """One number of ours, and the published one.

    Attributes
    ----------
    row, column : str
    value, deviation : float or None
        None where it is not computed, or from one split.
    published : float or None
    verdict : {"matches", "lower", "higher", "not judged"}
    unit : str
    """

    row: str
    column: str
    value: float | None = None
    deviation: float | None = None
    published: float | None = None
    verdict: str = OPEN
    unit: str = ""

    @property
    def difference(self) -> float | None:
        if self.value is None or self.published is None:
            return None
        return self.value - self.published


def height_of(names: Sequence[str]) -> int:
    """Pixels that suit a chart with a row for each name."""
    return AROUND + LINE * max(len(names), 2)


def ours_and_published(
    numbers: Sequence[Number],
    *,
    title: str,
    unit: str = "",
    by: str = "column",
    alt: str = "",
) -> Chart:
    """Ours with their deviations beside the published numbers, a row for each.

    Parameters
    ----------
    numbers : sequence of Number
    title : str
    unit : str
    by : {"column", "row"}
        Which of their names tells them apart.
    alt : str
    """
    names = list(dict.fromkeys(getattr(n, by) for n in numbers))
    at = {name: place for place, name in enumerate(names)}
    rows = [(getattr(n, by), n) for n in numbers]
    ours = [(name, n) for name, n in rows if n.value is not None]
    theirs = [(name, n) for name, n in rows if n.published is not None]
    known = [v for n in numbers for v in (n.value, n.published) if v is not None]
    log, tail = spread(known), unit and f" {unit}"
    ties = [
        Marks(x=(n.published, n.value), y=(at[name],) * 2, role="muted", line="solid")
        for name, n in ours
        if n.published is not None
    ]
    published = Marks(
        name="published" if theirs else "",
        x=[n.published for _, n in theirs],
        y=[at[name] for name, _ in theirs],
        symbol="diamond",
        hollow=True,
        said=[f"{name}: published {printed(n.published)}{tail}" for name, n in theirs],
    )
    computed = Marks(
        name="ours" if theirs else "",
        x=[n.value for _, n in ours],
        y=[at[name] for name, _ in ours],
        role="accent",
        symbol="circle",
        size=5,
        low=[n.value - _downwards(n, log) for _, n in ours],
        high=[n.value + (n.deviation or 0.0) for _, n in ours],
        said=[f"{name}: ours {_said(n, tail)}" for name, n in ours],
    )
    return Chart(
        title=title,
        alt=alt,
        height=height_of(names),
        x=ChartAxis(title=unit, log=log),
        y=ChartAxis(names=names),
        marks=(*ties, published, computed),
    )


def spread(values: Sequence[float]) -> bool:
    """Whether values differ by so much that only a log axis shows all of them."""
    return bool(values) and min(values) > 0 and max(values) > WIDE_RATIO * min(values)


def _downwards(number: Number, log: bool) -> float:
    """Length of the bar's lower half; on a log axis it ends above zero."""
    deviation = number.deviation or 0.0
    return min(deviation, 0.9 * number.value) if log else deviation


def printed(published: float) -> str:
    """As the paper prints it: no digits are added, and none are dropped."""
    return numerals.number(published, 6)


def _said(number: Number, tail: str) -> str:
    text = numerals.number(number.value, 4)
    if number.deviation is not None:
        text += f" ± {numerals.number(number.deviation, 2)}"
    return f"{text}{tail}"


def differences(
    numbers: Sequence[Number],
    *,
    tolerance: float,
    relative: bool = False,
    unit: str = "",
    alt: str = "",
) -> Chart:
    """Ours minus published, a row for each of the table's, the tolerance as a band.

    Parameters
    ----------
    numbers : sequence of Number
    tolerance : float
        Half of the band's width: in ``unit``, or a share where ``relative``.
    relative : bool
        Differences are shares of the published number, in percent.
    unit, alt : str
    """
    names = list(dict.fromkeys(n.row for n in numbers))
    known = [n for n in numbers if n.difference is not None]
    judged = any(n.verdict != OPEN for n in known)
    half = tolerance * (100.0 if relative else 1.0)
    points = unit.replace("%", "points")
    tail = " %" if relative else points and f" {points}"
    words = "% of the published number" if relative else points
    kinds = {v: [n for n in known if n.verdict == v] for v in MARKS}
    return Chart(
        alt=alt,
        height=height_of(names),
        x=ChartAxis(title=f"ours − published{words and f', {words}'}"),
        y=ChartAxis(names=names),
        marks=[
            _judged(mine, verdict, names, relative, tail)
            for verdict, mine in kinds.items()
            if mine
        ],
        band=(-half, half) if judged else (),
        at=0.0,
    )


def _judged(numbers, verdict: str, names, relative: bool, tail: str) -> Marks:
    """The differences of one verdict."""
    symbol, role = MARKS[verdict]
    apart = [apart_of(n, relative) for n in numbers]
    return Marks(
        name=verdict,
        x=apart,
        y=[names.index(n.row) for n in numbers],
        role=role,
        symbol=symbol,
        hollow=verdict == OPEN,
        said=[
            f"{n.row}, {n.column}: {numerals.signed(d)}{tail}, {verdict}"
            for n, d in zip(numbers, apart, strict=True)
        ],
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
    base = {n.row: n.value for n in numbers if n.column == baseline}
    found = {}
    for n in numbers:
        against = n.published if baseline is None else base.get(n.row)
        if against and n.value and n.column != baseline:
            found[n.row, n.column] = against / n.value
    return found


def speed_ups(
    numbers: Sequence[Number], *, baseline: str | None = None, alt: str = ""
) -> Chart:
    """How many times faster, on a log axis, a row for each of the table's.

    Parameters
    ----------
    numbers : sequence of Number
        Of seconds or iterations.
    baseline : str or None
        The column against which the others are measured; None for the published
        numbers.
    alt : str
    """
    names = list(dict.fromkeys(n.row for n in numbers))
    found = ratios(numbers, baseline)
    columns = list(dict.fromkeys(n.column for n in numbers if n.column != baseline))
    kinds = {
        c: {row: v for (row, name), v in found.items() if name == c} for c in columns
    }
    return Chart(
        alt=alt,
        height=height_of(names),
        x=ChartAxis(
            title="published / ours"
            if baseline is None
            else f"times less than {baseline}",
            log=True,
        ),
        y=ChartAxis(names=names),
        marks=[
            Marks(
                name=column,
                x=list(mine.values()),
                y=[names.index(row) for row in mine],
                role=f"class{place}",
                symbol=SYMBOLS[place % len(SYMBOLS)],
                said=[
                    f"{row}, {column}: {numerals.number(ratio)} times"
                    for row, ratio in mine.items()
                ],
            )
            for place, (column, mine) in enumerate(kinds.items())
            if mine
        ],
        at=1.0,
    )
