"""Coordinate steps for CCCP's convex problem with the plain hinge loss."""

from halfmoon.common.compiled import compiled

CURVATURE_MIN = 1e-12  # a point that is 0 in the kernel goes to a bound


@compiled(nogil=True)
def tangent_steps(K, sign, inside, beyond, gamma, f, tol, most):
    """Minimise  1/2 b'Kb + sum_i ( inside_i (1 - m_i)+ + beyond_i (-1 - m_i)+ ).

    with b_i = sign_i gamma_i, m_i = sign_i f_i and f = K b + const. Each step moves
    the point whose own minimum gains most; gamma and f are updated in place.

    A margin of m has gamma = 0 above 1, between 0 and ``inside`` at 1, ``inside``
    between -1 and 1, up to ``inside`` + ``beyond`` at -1, and all of it below.

    Returns
    -------
    done : int
        Steps made.
    violation : float
        Largest change of an output that a point's own step would make.
    """
    n = len(gamma)
    for done in range(most + 1):
        i, best, change, violation = -1, 0.0, 0.0, 0.0
        for k in range(n):
            curvature = max(K[k, k], CURVATURE_MIN)
            rest = sign[k] * f[k] - curvature * gamma[k]  # the margin without its own
            new = min(max((1.0 - rest) / curvature, 0.0), inside[k])
            new += min(max((-1.0 - rest) / curvature - inside[k], 0.0), beyond[k])
            step = new - gamma[k]
            violation = max(violation, abs(step) * curvature)
            gain = step * step * curvature
            if gain > best:
                i, best, change = k, gain, step
        if i < 0 or violation <= tol or done == most:
            return done, violation
        gamma[i] += change
        change *= sign[i]
        for k in range(n):
            f[k] += K[k, i] * change
    return most, violation
