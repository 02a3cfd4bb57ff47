"""Ticks and scales, the twins of ``ticks.js`` and ``track.js``."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ssl_core.numerals import number, tick_texts

FINEST = 1e-14  # of the largest value: nearer numbers are not told apart by doubles
LEAST = 1e-300
CROWD = 100  # ticks at most
STRIP = 0.07  # of a logarithmic axis, for what lies between 0 and its floor
DECADES = 8  # ticks at most
NEAR = 1e-9


def nice_step(low: float, high: float, count: float, whole: bool = False) -> float:
    """1, 2 or 5 times a power of ten, about ``count`` of them from low to high."""
    pieces = min(CROWD, max(1, count))
    finest = FINEST * max(abs(low), abs(high))
    raw = max(high / pieces - low / pieces, finest, LEAST)
    ten = 10.0 ** math.floor(math.log10(raw))
    step = ten * min((1, 2, 5, 10), key=lambda m: abs(math.log(m * ten / raw)))
    return max(1, math.floor(step + 0.5)) if whole else step


def multiples(first: int, last: int, step: float) -> list[float]:
    count = min(2 * CROWD, last - first + 1)
    return [float(f"{(first + i) * step:.15g}") for i in range(max(0, count))]


def nice_ticks(low: float, high: float, count: float, whole=False) -> list[float]:
    """The round values from low to high."""
    if not (math.isfinite(low) and math.isfinite(high) and high > low):
        return [low] if math.isfinite(low) else []
    step = nice_step(low, high, count, whole)
    first, last = math.ceil(low / step - NEAR), math.floor(high / step + NEAR)
    found = multiples(first, last, step)
    return found if found or whole else [low]


@dataclass(frozen=True)
class Ruler:
    """From values to [0, 1] and back, and so many ticks: (value, text)."""

    share: Callable[[np.ndarray], np.ndarray]
    value: Callable[[np.ndarray], np.ndarray]
    ticks: Callable[[float], list[tuple[float, str]]]
    floor: float | None = None


def ruler(low: float, high: float, floor: float | None = None, whole=False) -> Ruler:
    """Linear, or logarithmic above a floor with a narrow linear strip below it."""
    if floor is None:
        span = high - low

        def even(v):
            v = np.asarray(v, dtype=float)
            return (v - low) / span if span > 0 else np.full(v.shape, 0.5)

        def round_values(count):
            values = nice_ticks(low, high, count, whole)
            return list(zip(values, tick_texts(values), strict=True))

        return Ruler(even, lambda s: low + s * span, round_values)
    decades = math.log10(high / floor)

    def bent(v):
        v = np.asarray(v, dtype=float)
        above = STRIP + (1 - STRIP) * np.log10(np.maximum(v, floor) / floor) / decades
        return np.where(v <= floor, STRIP * v / floor, above)

    def back(s):
        above = floor * 10 ** ((np.asarray(s) - STRIP) / (1 - STRIP) * decades)
        return np.where(s <= STRIP, floor * s / STRIP, above)

    def tens(count):
        return _decades(floor, high, min(count, DECADES))

    return Ruler(bent, back, tens, floor)


def _decades(floor: float, high: float, count: float) -> list[tuple[float, str]]:
    first = math.ceil(math.log10(floor) - NEAR)
    last = math.floor(math.log10(high) + NEAR)
    step = max(1, math.ceil((last - first) / max(1, count - 1)))
    tens = (float(f"1e{e}") for e in range(first, last + 1, step))
    return [(0.0, "0"), *((v, number(v)) for v in tens)]


def are_whole(values) -> bool:
    values = np.asarray(values, dtype=float)
    values = values[np.isfinite(values)]
    return bool((values == np.floor(values)).all())
