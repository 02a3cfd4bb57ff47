"""Squared hinge loss with a cost on either side of 0, and its exact line search.

    1/2 sum_i ( c+_i max(0, 1 - f_i)^2 + c-_i max(0, 1 + f_i)^2 )

A labelled point has one cost; an unlabeled point of deterministic annealing has both,
and still appears once in every product with X ([SK07] section 1.4.1).
"""

import numpy as np

from ssl_core.linalg.compiled import compiled

ROOT_TOL = 1e-15  # of psi(0), below which psi(s) is rounding
MAX_ROOT_STEPS = 200  # bisection alone ends long before


@compiled(nogil=True)
def two_sided_terms(f, c_pos, c_neg, weight, slope):
    """Loss; its first and second derivative per point are written.

    Parameters
    ----------
    f, c_pos, c_neg : ndarray of shape (n,)
    weight : ndarray of shape (n,), written
        Second derivative; 0 marks an inactive point.
    slope : ndarray of shape (n,), written
        First derivative.

    Returns
    -------
    loss : float
    """
    loss = 0.0
    for i in range(len(f)):
        above, below = 1.0 - f[i], 1.0 + f[i]
        pos = c_pos[i] if above > 0.0 else 0.0
        neg = c_neg[i] if below > 0.0 else 0.0
        weight[i] = pos + neg
        slope[i] = neg * below - pos * above
        loss += pos * above * above + neg * below * below
    return 0.5 * loss


@compiled(nogil=True)
def _psi(f, f_d, c_pos, c_neg, s):
    """Derivative of the loss along the line at s, and its own derivative."""
    value, rate = 0.0, 0.0
    for i in range(len(f)):
        at = f[i] + s * f_d[i]
        if at < 1.0:
            value += c_pos[i] * (at - 1.0) * f_d[i]
            rate += c_pos[i] * f_d[i] * f_d[i]
        if at > -1.0:
            value += c_neg[i] * (at + 1.0) * f_d[i]
            rate += c_neg[i] * f_d[i] * f_d[i]
    return value, rate


@compiled(nogil=True)
def two_sided_line_search(f, f_d, c_pos, c_neg, slope, curvature):
    """Zero of psi(s), the derivative of the objective along d, [SK07] eq. (1.5).

    psi is increasing and piecewise linear. The papers sort its break points and walk;
    here Newton's method on psi itself finds the piece with the zero, in a handful of
    passes over the outputs. Each trial becomes an end of the bracket and every fourth
    one halves it, so that the search cannot go round in circles.

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
        if psi < 0.0:
            low = s
        else:
            high = s
        new = s - psi / (curvature + rate)
        if not low < new < high or (trial % 4 == 3 and high < np.inf):
            new = 0.5 * (low + high) if high < np.inf else 2.0 * low
        if new in (s, low, high):
            break
        s = new
    return s
