"""Ticks of plotly's axes, with labels written as all other numbers are."""

from math import ceil, floor, log10

from ssl_core.numerals import number

MOST = 8  # ticks of an axis
FEWEST = 2  # by which a reader can tell a scale
FINEST = 1e-14  # of the largest value: nearer numbers are equal in double precision
MANTISSAS = (range(1, 10), (1, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,))


def nice_ticks(low: float, high: float, most: int = MOST) -> list[float]:
    """The multiples of a round step (1, 2 or 5 times a power of ten) in a range."""
    raw = max((high - low) / most, FINEST * max(abs(low), abs(high)), 1e-300)
    power = 10.0 ** floor(log10(raw))
    step = next(m * power for m in (1, 2, 5, 10, 20) if m * power >= raw * (1 - 1e-9))
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [float(f"{i * step:.15g}") for i in range(first, last + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    """Round values in a range above 0: as many in each decade as there is room for."""
    decades = range(floor(log10(low)), ceil(log10(high)) + 1)
    for some in MANTISSAS:
        found = [float(f"{m}e{e}") for e in decades for m in some]
        found = [v for v in found if low <= v <= high]
        if len(found) <= MOST:
            break
    else:
        found = found[:: ceil(len(found) / MOST)]
    return found if len(found) >= FEWEST else nice_ticks(low, high, MOST // 2)


def log_labels(low: float, high: float) -> dict:
    """Ticks of a logarithmic axis; each label is the whole number, all are different.

    Plotly would write 20 as 2 and 0.5 as 5.
    """
    ticks = log_ticks(low, high)
    for digits in range(3, 16):
        texts = [number(v, digits) for v in ticks]
        if len(set(texts)) == len(ticks):
            break
    return {"type": "log", "tickvals": ticks, "ticktext": texts}


def log_axis(low: float, high: float) -> dict:
    """A logarithmic axis with these ends."""
    return log_labels(low, high) | {"range": [log10(low), log10(high)]}


def percent_axis(high: float) -> dict:
    """Ticks of an axis of rates, from 0 up."""
    ticks = nice_ticks(0.0, high, MOST - 2)
    return {"tickvals": ticks, "ticktext": [f"{number(100 * v)} %" for v in ticks]}
