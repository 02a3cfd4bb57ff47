"""The exact line search of Newton and PCG, as both show it."""

from dataclasses import dataclass

import numpy as np

from ssl_core.linalg.line_search import squared_hinge_line_search
from ssl_core.trace import Array

BREAK_POINTS_SHOWN = 4  # beyond the crossing, enough to see psi bend


@dataclass(frozen=True, slots=True)
class LineSearch:
    """psi(s) of one line search as a polyline, with its zero ([MB11] Figure 2)."""

    s: Array
    psi: Array
    step: float


def exact_step(loss, f, f_d, y, cost, slope, curvature) -> tuple[LineSearch, int]:
    """The exact line search of [MB11] section 3.2.1.

    For the squared loss it is the closed form of [MB11] section 5.
    """
    if loss == "squared_hinge":
        step, s, psi, crossed = squared_hinge_line_search(
            f, f_d, y, cost, slope, curvature, BREAK_POINTS_SHOWN
        )
        return LineSearch(s, psi, step), crossed
    slope += float(cost @ ((f - y) * f_d))
    curvature += float(cost @ f_d**2)
    step = max(-slope / curvature, 0.0) if curvature > 0 else np.inf
    end = 2 * step if 0 < step < np.inf else 1.0
    s = np.array([0.0, end])
    return LineSearch(s, slope + s * curvature, step), 0
