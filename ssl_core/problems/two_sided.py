"""Squared hinge loss with a cost on either side of 0.

    1/2 sum_i ( c+_i max(0, 1 - f_i)^2 + c-_i max(0, 1 + f_i)^2 )

A labelled point has one cost; an unlabeled point of deterministic annealing has both,
and still appears once in every product with X ([SK07] section 1.4.1). Its exact line
search is in `linalg.line_search`.
"""

from ssl_core.linalg.compiled import compiled


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
def two_sided_excess(f, end, c_pos, c_neg, excess):
    """First derivative at ``end`` less that of the pieces at f, continued to ``end``.

    It is 0 but for points that crossed 1 or -1 on a side where they have a cost.
    """
    for i in range(len(f)):
        above, below = 1.0 - end[i], 1.0 + end[i]
        pos = (f[i] < 1.0) - (above > 0.0)
        neg = (below > 0.0) - (f[i] > -1.0)
        excess[i] = pos * c_pos[i] * above + neg * c_neg[i] * below
