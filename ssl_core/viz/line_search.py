"""The part of a line search that is worth drawing."""

import numpy as np

from ssl_core.trace import Array


def shown_search(search) -> tuple[Array, Array]:
    """The part of psi(s) worth drawing: s* and the break points around it."""
    return _clip(search.s, search.psi, _search_end(search))


def _search_end(search) -> float:
    """Where to cut psi: beyond s* and every break point passed, not much further."""
    passed = search.s[1:-1]
    nearby = passed[passed <= 3 * search.step] if search.step > 0 else passed
    far = max([search.step, *nearby])
    return float(1.6 * far if far > 0 else search.s[-1])


def _clip(s: Array, psi: Array, end: float) -> tuple[Array, Array]:
    """The polyline up to ``end``, the last piece prolonged where it falls short."""
    inside = s < end
    last = np.interp(end, s, psi)
    if end > s[-1]:
        slope = (psi[-1] - psi[-2]) / (s[-1] - s[-2])
        last = psi[-1] + slope * (end - s[-1])
    return np.append(s[inside], end), np.append(psi[inside], last)
