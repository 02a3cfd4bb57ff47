"""How numbers are written for a reader: 1,777, 0.0424, 3.1·10⁻⁴, 12.5 %, 46 ms.

``stage/js/numerals.js`` has the twins of `number`, `rate`, `duration` and
`tick_texts`, so that a number reads the same in a tile, a sentence and a legend;
``tests/numerals.json`` has the cases that both must write alike. Halves are rounded up,
as in JavaScript.
"""

import math
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Context, Decimal

import numpy as np

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
UNKNOWN = "–"
DIGITS = 3
SHORT = 9.995e-4  # below it a number is written as a power of ten ...
LONG = 1e5  # ... and from here on, or from 10^digits on where that is more
EXACT = 6  # digits of a tick at most; where more would be needed, distances are written


def number(value: float, digits: int = DIGITS) -> str:
    """So many significant digits at most, powers of ten where zeros would be many.

    Digits before the point are all written, as far as `LONG` goes.
    """
    if not np.isfinite(value):
        return UNKNOWN
    if value == 0:
        return "0"
    size = abs(float(value))
    if SHORT <= size < max(LONG, 10.0**digits) - 0.5:
        text = _plain(size, digits)
    else:
        text = power(size, digits - 1)
    return f"−{text}" if value < 0 else text


def signed(value: float, digits: int = DIGITS) -> str:
    """A difference with its sign, 0 without."""
    return f"+{number(value, digits)}" if value > 0 else number(value, digits)


def power(value: float, digits: int = 1) -> str:
    """A positive number as 2·10⁻⁶, or 10⁻⁶ where the first digit is 1."""
    rounded = _rounded(value, digits)
    first, exponent = f"{rounded:e}".split("e")
    first = first.rstrip("0").rstrip(".") if "." in first else first
    ten = "10" + str(int(exponent)).translate(SUPERSCRIPTS)
    return ten if first == "1" else f"{first}·{ten}"


def percent(share: float) -> str:
    """A share in the digits a reader can use: 42 %, 4.1 %, 0.03 %, 2·10⁻⁶."""
    if share == 0:
        return "0 %"
    if share >= 0.0995:
        return f"{_fixed(100 * share)} %"
    if share >= 0.00995:
        return f"{_fixed(100 * share, 1)} %"
    if share >= 0.0001:
        return f"{_fixed(100 * share, 2)} %"
    return power(share)


def rate(share: float | None) -> str:
    """An error rate or a probability, the same wherever it stands: 12.5 %, 0 %, 100 %.

    Unknown rates are a dash.
    """
    if share is None or not np.isfinite(share):
        return UNKNOWN
    return f"{_fixed(100 * float(share), 0 if share in (0, 1) else 1)} %"


def duration(seconds: float) -> str:
    """A measured time in the unit a person would choose: 3.2 ms, 46 ms, 1.4 s, 12 s."""
    if not np.isfinite(seconds):
        return UNKNOWN
    value, unit = (1000 * seconds, "ms") if seconds < 0.0995 else (seconds, "s")
    return f"{number(value, 2) if value < 9.95 else _fixed(value)} {unit}"


def tick_texts(ticks: Sequence[float]) -> list[str]:
    """Labels of ticks at equal distances, all different and of one kind.

    Plain digits or powers of ten; far from zero the first is written in full and the
    others as distances.
    """
    largest = max(map(abs, ticks), default=0)
    if len(ticks) < 2 or largest == 0:
        return [number(v, EXACT) for v in ticks]
    digits = _decade(largest) - _decade(ticks[1] - ticks[0]) + 1
    if digits > EXACT:
        return [
            f"+{number(v - ticks[0])}" if i else number(v, EXACT)
            for i, v in enumerate(ticks)
        ]
    written = _plain if SHORT <= largest < LONG - 0.5 else power

    def label(v):
        if v == 0:
            return "0"
        own = max(1, digits + _decade(abs(v)) - _decade(largest))
        return f"{'−' if v < 0 else ''}{written(abs(v), own)}"

    return [label(v) for v in ticks]


def _decade(size: float) -> int:
    return math.floor(math.log10(size) + 1e-9)


def _rounded(value: float, digits: int) -> Decimal:
    return Context(digits, ROUND_HALF_UP).create_decimal(float(value))


def _plain(size: float, digits: int) -> str:
    if size >= 10.0**digits - 0.5:
        return _fixed(size)
    return f"{_rounded(size, digits).normalize():,f}"


def _fixed(value: float, places: int = 0) -> str:
    """So many digits behind the point."""
    last = Decimal(1).scaleb(-places)
    size = Decimal(abs(float(value))).quantize(last, ROUND_HALF_UP)
    return f"{'−' if value < 0 else ''}{size:,f}"
