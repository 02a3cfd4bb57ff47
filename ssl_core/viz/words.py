"""Numbers as a person says them: counts, shares, powers of ten, times."""

from decimal import ROUND_HALF_UP, Context, Decimal

import numpy as np

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def percent(share: float) -> str:
    """A share in the digits a reader can use: 42 %, 4.1 %, 0.03 %, 2·10⁻⁶."""
    if share == 0:
        return "0 %"
    if share >= 0.0995:
        return f"{100 * share:.0f} %"
    if share >= 0.00995:
        return f"{100 * share:.1f} %"
    if share >= 0.0001:
        return f"{100 * share:.2f} %"
    return power(share)


def rate(share: float | None) -> str:
    """An error rate or a probability, the same wherever it stands: 12.5 %, 0 %, 100 %.

    Halves go up, as in the browser's ``toFixed``: ``theme.js`` has the twin. Unknown
    rates are a dash.
    """
    if share is None or not np.isfinite(share):
        return "–"
    last = "1" if share in (0, 1) else "0.1"
    return f"{Decimal(100 * float(share)).quantize(Decimal(last), ROUND_HALF_UP)} %"


def power(value: float, digits: int = 1) -> str:
    """A number as 2·10⁻⁶, or 10⁻⁶ where the first digit is 1."""
    rounded = Context(digits, ROUND_HALF_UP).create_decimal(float(value))
    digits, exponent = f"{rounded:.{digits - 1}e}".split("e")
    digits = digits.removesuffix(".0")
    ten = "10" + str(int(exponent)).translate(SUPERSCRIPTS)
    return ten if digits == "1" else f"{digits}·{ten}"


def number(value: float) -> str:
    """Three digits at most, powers of ten where plain digits would be long.

    ``theme.js`` has the twin: one number reads the same in a tile and in a legend.
    """
    if value == 0:
        return "0"
    if not np.isfinite(value):
        return "–"
    if not 1e-3 <= abs(value) < 1e5:
        text = power(value, 2)
    elif abs(value) < 999.5:
        rounded = Context(3, ROUND_HALF_UP).create_decimal(float(value))
        text = f"{rounded.normalize():f}"
    else:
        text = f"{Decimal(float(value)).quantize(Decimal(1), ROUND_HALF_UP)}"
    return text.replace("-", "−")


def count(n: int, noun: str) -> str:
    """ "1 point", "3 points", "no points"."""
    return f"{n or 'no'} {plural(n, noun)}"


def plural(n: int, noun: str) -> str:
    """The noun as it stands behind a number: "label", "labels", "guesses"."""
    if n == 1:
        return noun
    return f"{noun}es" if noun.endswith("s") else f"{noun}s"


def duration(seconds: float) -> str:
    """A measured time in the unit a person would choose: 3.2 ms, 46 ms, 1.4 s, 12 s."""
    if seconds < 0.0995:
        digits = ".2g" if seconds < 0.00995 else ".0f"
        return f"{1000 * seconds:{digits}} ms"
    return f"{seconds:.2g} s" if seconds < 9.95 else f"{seconds:.0f} s"


def waiting_time(seconds: float) -> str:
    """A time that somebody waits, as roughly as it is known: 1 s, 40 s, 3 min."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min"
