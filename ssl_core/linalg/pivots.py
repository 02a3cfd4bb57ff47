"""SVMs that share points, from one tableau: principal pivots on the dual's matrix.

The dual of an SVM with squared hinge loss and a free bias,

    max  y' beta - 1/2 beta' (K + R) beta,   y_i beta_i >= 0,  sum(beta) = 0,

R = diag(1 / (2 c_i)), is solved on its active set E by the rows E and the bias of

    A = [[K + R, 1], [1', 0]].

Swept on these rows, A holds all that a walk from one machine to the next asks for:
the inverse on E, how beta_E answers to a further point, and that point's Schur
complement. A pivot costs (n + 1)^2 and takes one point in or out.
"""

import numpy as np

from halfmoon.common.compiled import compiled

VIOLATION = 1e-10  # a margin short by this adds some 1e-20 to the objective
ENTERING = 50  # points may enter this often; three times is rare
DRIFT = 1e-9  # residual of A beta = y from which the tableau is rebuilt


@compiled(nogil=True)
def sweep(T, k, sign):
    """Pivot on (k, k) in place, to take row k in (sign = +1) or out (-1).

    Swept on rows E, T is -A_EE^-1 on E, A_EE^-1 A_EF beside it, and the Schur
    complement A_FF - A_FE A_EE^-1 A_EF on the others.
    """
    m = T.shape[0]
    pivot = T[k, k]
    for i in range(m):
        factor = T[i, k] / pivot
        if i != k and factor != 0.0:
            for j in range(m):
                T[i, j] -= factor * T[k, j]
            T[i, k] = sign * factor
    for j in range(m):
        T[k, j] *= sign / pivot
    T[k, k] = -1.0 / pivot


@compiled(nogil=True)
def rebuild(A, T, active):
    """T from A, swept on the bias (its last row) and the active points, at least one.

    A point goes first: the bias has a zero on its diagonal.
    """
    bias = A.shape[0] - 1
    for i in range(bias + 1):
        for j in range(bias + 1):
            T[i, j] = A[i, j]
    first = True
    for i in range(bias):
        if active[i]:
            sweep(T, i, 1.0)
            if first:
                sweep(T, bias, 1.0)
                first = False


@compiled(nogil=True)
def resume(A, T, active, target, y, beta, o):
    """Walk to the active set ``target``, and solve there for the labels ``y``.

    ``T``, ``active``, ``beta`` (n + 1, the bias last) and the outputs ``o`` of the
    points that are not active are overwritten. Where roundings have added up, T is
    rebuilt.
    """
    n = y.shape[0]
    for i in range(n):
        if target[i] and not active[i]:
            sweep(T, i, 1.0)
    for i in range(n):  # last, so that the active set is never empty on the way
        if active[i] and not target[i]:
            sweep(T, i, -1.0)
        active[i] = target[i]
    _read(T, active, y, beta, o)
    if _residual(A, active, y, beta) > DRIFT:
        rebuild(A, T, active)
        _read(T, active, y, beta, o)


@compiled(nogil=True)
def _read(T, active, y, beta, o):
    n = y.shape[0]
    for i in range(n + 1):
        total = 0.0
        for k in range(n):
            if active[k]:
                total += T[i, k] * y[k]
        if i == n or active[i]:
            beta[i] = -total
        else:
            beta[i], o[i] = 0.0, total


@compiled(nogil=True)
def _residual(A, active, y, beta):
    n = y.shape[0]
    worst = 0.0
    for i in range(n):
        if active[i]:
            total = y[i] - beta[n]
            for k in range(n):
                total -= A[i, k] * beta[k]
            worst = max(worst, abs(total))
    return worst


@compiled(nogil=True)
def train(T, active, y, ridge, beta, o):
    """The machine of all points with y != 0, from that of some of them.

    An active-set method that climbs in the dual and stays feasible: the point that is
    furthest inside the margin enters; its coefficient grows until it is stationary or
    a coefficient of another point reaches zero, and that point leaves. Every step
    raises the dual, so that no active set comes twice; where roundings hide that, it
    ends all the same, with a dual feasible point.

    Parameters
    ----------
    T, active, beta, o
        As `resume` leaves them; they are overwritten. o is right for all points then.
    y : int8 ndarray of shape (n,)
    ridge : ndarray of shape (n,)
        1 / (2 c_i).

    Returns
    -------
    value : float
        Objective of the machine.
    """
    n = y.shape[0]
    for _ in range(ENTERING * n):
        j, worst = -1, VIOLATION
        for i in range(n):
            if y[i] != 0 and not active[i] and 1.0 - y[i] * o[i] > worst:
                worst, j = 1.0 - y[i] * o[i], i
        if j < 0:
            break
        while j >= 0:
            step = (y[j] - o[j] - ridge[j] * beta[j]) / T[j, j]
            share, leaving = 1.0, -1
            for i in range(n):
                if active[i] and y[i] * T[j, i] * step > 0.0:
                    reach = beta[i] / (T[j, i] * step)
                    if reach < share:
                        share, leaving = max(reach, 0.0), i
            step *= share
            for i in range(n):
                if active[i]:
                    beta[i] -= T[j, i] * step
                else:
                    o[i] += T[j, i] * step
            beta[n] -= T[j, n] * step
            beta[j] += step
            o[j] -= ridge[j] * step  # T has the ridge on its diagonal, K has not
            if leaving >= 0:
                sweep(T, leaving, -1.0)
                active[leaving] = False
                beta[leaving], o[leaving] = 0.0, y[leaving]
            else:
                sweep(T, j, 1.0)
                active[j] = True
                j = -1
    value = 0.0
    for i in range(n):
        if active[i]:
            value += 0.5 * y[i] * beta[i]
            o[i] = y[i] - ridge[i] * beta[i]
    return value


@compiled(nogil=True)
def train_from_zero(A, y, ridge, beta, o):
    """`train` from nothing, for labels with y_i != 0 somewhere."""
    n = y.shape[0]
    active = np.zeros(n, dtype=np.bool_)
    T = np.empty(A.shape)
    for i in range(n):
        if y[i] != 0:
            active[i] = True
            break
    rebuild(A, T, active)
    _read(T, active, y, beta, o)
    return train(T, active, y, ridge, beta, o)
