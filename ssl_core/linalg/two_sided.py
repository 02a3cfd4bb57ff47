"""Squared hinge loss with a cost on either side of 0.

    1/2 sum_i ( c+_i max(0, 1 - f_i)^2 + c-_i max(0, 1 + f_i)^2 )

A labelled point has one cost; an unlabelled point of deterministic annealing has both,
and still appears once in every product with X ([SK07] section 1.4.1). Its exact line
search is in `linalg.line_search`.
"""

import numpy as np

from halfmoon.common.compiled import compiled
from ssl_core.linalg.vectors import SUMS


@compiled(nogil=True, fastmath=SUMS)
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
def two_sided_costs(y, cost, cost_u, p):
    """c+ and c- of all points, [SK07] eq. (1.8).

    A labelled point has ``cost`` on its own side and 0 on the other, the j-th
    unlabelled one, 0 in y, has ``cost_u`` p_j and ``cost_u`` (1 - p_j).
    """
    c_pos, c_neg = np.empty(len(y)), np.empty(len(y))
    j = 0
    for i in range(len(y)):
        if y[i] == 0.0:
            c_pos[i], c_neg[i] = cost_u * p[j], cost_u * (1.0 - p[j])
            j += 1
        else:
            c_pos[i] = cost if y[i] > 0.0 else 0.0
            c_neg[i] = 0.0 if y[i] > 0.0 else cost
    return c_pos, c_neg


@compiled(nogil=True, fastmath=SUMS)
def transductive_loss(f, y, cost, cost_u):
    """Half the losses of [SK07] section 1.3 at the labels that suit f best.

    cost max(0, 1 - y f)^2 for a labelled point, cost_u max(0, 1 - |f|)^2 for others.
    """
    loss = 0.0
    for i in range(len(f)):
        m = 1.0 - (abs(f[i]) if y[i] == 0.0 else y[i] * f[i])
        c = cost_u if y[i] == 0.0 else cost
        loss += c * m * m if m > 0.0 else 0.0
    return 0.5 * loss


@compiled(nogil=True)
def two_sided_excess(f, end, c_pos, c_neg, excess):
    """First derivative at ``end`` less that of the pieces at f, continued to ``end``.

    It is 0 but for points that crossed 1 or -1 on a side where they have a cost.
    """
    for i in range(len(f)):
        above, below = 1.0 - end[i], 1.0 + end[i]
        # As integers: numpy, which runs this where JIT is disabled, subtracts no bools.
        pos = int(f[i] < 1.0) - int(above > 0.0)
        neg = int(below > 0.0) - int(f[i] > -1.0)
        excess[i] = pos * c_pos[i] * above + neg * c_neg[i] * below
