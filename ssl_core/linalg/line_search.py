"""Exact line searches on piecewise quadratic objectives."""

import numpy as np

from halfmoon.common.compiled import compiled
from ssl_core.linalg.roots import MAX_ROOT_STEPS, next_trial
from ssl_core.linalg.vectors import SUMS

ROOT_TOL = 1e-15  # of psi(0), below which psi(s) is rounding


@compiled(nogil=True)
def _break_points(f, f_d, y, cost, slope, curvature):
    """Where each point switches, in order; psi and its derivative at 0."""
    n = f.shape[0]
    switch = np.empty(n)
    count = 0
    for i in range(n):
        m = y[i] * f[i]
        m_d = y[i] * f_d[i]
        if m < 1.0:  # an error vector; it leaves when its margin grows to 1
            slope += cost[i] * (f[i] - y[i]) * f_d[i]
            curvature += cost[i] * f_d[i] * f_d[i]
            switch[i] = (1.0 - m) / m_d if m_d > 0.0 else np.inf
        else:  # it enters when its margin falls below 1
            switch[i] = (1.0 - m) / m_d if m_d < 0.0 else np.inf
        if switch[i] < np.inf:
            count += 1
    return switch, np.argsort(switch)[:count], slope, curvature


@compiled(nogil=True)
def squared_hinge_line_search(f, f_d, y, cost, slope, curvature, n_after):
    """Zero of the piecewise linear psi(s) = d/ds obj(z + s d), s >= 0, [MB11] 3.2.1.

    That zero is the step of [MB11] eq. (13).

        psi(s) = slope + s curvature
                 + sum_{i : y_i (f_i + s f_d,i) < 1} cost_i (f_i + s f_d,i - y_i) f_d,i

    Walks over the break points in order, from interval to interval, as the paper
    does; the sum over the error vectors is updated by the one point that switches.

    Parameters
    ----------
    f, f_d, y, cost : ndarray of shape (l,)
        Outputs, outputs of the direction, labels +-1 and costs of the labelled points.
    slope, curvature : float
        psi of the regulariser: its value at 0 and its derivative.
    n_after : int
        How many break points beyond the crossing to report (for the figure).

    Returns
    -------
    step : float
        The zero s*, or 0 where psi(0) >= 0 (no descent), or inf where psi stays
        negative (the objective is unbounded along d).
    s, psi : ndarray
        The break points visited, 0 first, with their values: a polyline.
    n_crossed : int
        Break points passed before s*; the paper's line search iterations less 1.
    """
    switch, order, slope, curvature = _break_points(f, f_d, y, cost, slope, curvature)
    count = len(order)
    s = np.empty(count + 2)
    psi = np.empty(count + 2)
    s[0], psi[0] = 0.0, slope
    step, n_crossed = -1.0, count
    if slope >= 0.0:
        step, n_crossed = 0.0, 0
    size = 1
    for j in range(count):
        i = order[j]
        here = switch[i]
        value = slope + here * curvature
        if step < 0.0 and value >= 0.0:
            step, n_crossed = min(-slope / curvature, here), j
        s[size], psi[size] = here, value
        size += 1
        if step >= 0.0 and j >= n_crossed + n_after:
            return step, s[:size].copy(), psi[:size].copy(), n_crossed
        sign = -1.0 if y[i] * f[i] < 1.0 else 1.0
        slope += sign * cost[i] * (f[i] - y[i]) * f_d[i]
        curvature += sign * cost[i] * f_d[i] * f_d[i]
    if step < 0.0:
        step = -slope / curvature if curvature > 0.0 else np.inf
    # One point past everything closes the polyline.
    last = 1.5 * max(step, s[size - 1]) if step < np.inf else s[size - 1] + 1.0
    if last == 0.0:
        last = 1.0
    s[size], psi[size] = last, slope + last * curvature
    return step, s[: size + 1].copy(), psi[: size + 1].copy(), n_crossed


@compiled(nogil=True, fastmath=SUMS)
def _psi(f, f_d, c_pos, c_neg, s):
    """Derivative of `linalg.two_sided`'s loss at s, and its own derivative."""
    value, rate = 0.0, 0.0
    for i in range(len(f)):
        at = f[i] + s * f_d[i]
        pos = c_pos[i] if at < 1.0 else 0.0
        neg = c_neg[i] if at > -1.0 else 0.0
        value += (pos * (at - 1.0) + neg * (at + 1.0)) * f_d[i]
        rate += (pos + neg) * f_d[i] * f_d[i]
    return value, rate


@compiled(nogil=True)
def two_sided_line_search(f, f_d, c_pos, c_neg, slope, curvature):
    """Zero of psi(s), the derivative of the objective along d, [SK07] eq. (1.5).

    psi is increasing and piecewise linear. The papers sort its break points and walk;
    here Newton's method on psi itself, kept in a bracket (`next_trial`), finds the
    piece with the zero in a handful of passes over the outputs.

    Parameters
    ----------
    f, f_d : ndarray of shape (n,)
        Outputs, and outputs of the direction.
    c_pos, c_neg : ndarray of shape (n,)
    slope, curvature : float
        psi of the regulariser: its value at 0 and its derivative, > 0.

    Returns
    -------
    step : float
        The zero, or 0 where psi(0) >= 0: no descent along d.
    """
    value, rate = _psi(f, f_d, c_pos, c_neg, 0.0)
    start = slope + value
    if start >= 0.0:
        return 0.0
    low, high = 0.0, np.inf
    s = 1.0  # where a Newton step of the objective would end
    for trial in range(MAX_ROOT_STEPS):
        value, rate = _psi(f, f_d, c_pos, c_neg, s)
        psi = slope + s * curvature + value
        if abs(psi) <= ROOT_TOL * -start:
            break
        new, low, high, _ = next_trial(trial, s, psi, curvature + rate, low, high, s)
        if new in (low, high):
            break
        s = new
    return s
