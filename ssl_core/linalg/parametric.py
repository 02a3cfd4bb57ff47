"""Pivots of a parametric quadratic programme: a factor that follows its set, and the
first event on a line.

Every point i has a dual s_i alpha_i between 0 and a cap, an output f_i and a place.
While a parameter moves by 1, caps move by ``dcap`` and outputs by ``g`` where nothing
answers; the points on the margin (s f = 1) and on the boundary (f = 0), the members,
answer so that their own outputs stay:

    K_AA dalpha_A = -g_A,      df = g + K_A dalpha_A

K_AA = L L' is kept as its factor, one row longer or shorter at a time.
"""

import numpy as np

from ssl_core.linalg.compiled import compiled
from ssl_core.linalg.vectors import SUMS

OUT = 0  # s f > 1, dual 0
MARGIN = 1  # s f = 1, dual between 0 and its cap
INSIDE = 2  # s f < 1, dual at its cap
BOUNDARY = 3  # f = 0 and held there, dual at its cap or above
ABSENT = 4  # takes no part
END = -1  # in place of a point: nothing happens before the limit

# A rate below this, times the largest rate of a dual, is rounding: the outputs of a
# point's exact twin do not move while it answers. What is passed over so in one step is
# at most this, times the largest dual.
RATE = 1e-12
# A pivot below this many roundings of K_ii is none: the point's output is, up to the
# root of it, a combination of the members'. More would mistake points for it that are
# none.
PIVOT = 16.0
SHARE = 1e-7  # of a combination; members with less only look like a part of it


@compiled(nogil=True, fastmath=SUMS)
def two_products(K, a, b):
    """K a and K b by one pass over K, summed in double whatever K is stored in."""
    n = len(K)
    first, second = np.empty(n), np.empty(n)
    for i in range(n):
        row = K[i]
        total, other = 0.0, 0.0
        for k in range(len(a)):
            total += row[k] * a[k]
            other += row[k] * b[k]
        first[i], second[i] = total, other
    return first, second


@compiled(nogil=True, fastmath=SUMS)
def solve_factor(L, size, x):
    """x := (L L')^-1 x in place, for the leading ``size`` rows."""
    for i in range(size):
        total = x[i]
        for k in range(i):
            total -= L[i, k] * x[k]
        x[i] = total / L[i, i]
    for i in range(size - 1, -1, -1):
        x[i] /= L[i, i]
        value = x[i]
        for k in range(i):
            x[k] -= L[i, k] * value


@compiled(nogil=True, fastmath=SUMS)
def append_row(K, members, size, L, j):
    """Row ``size`` of the factor for point j; returns its pivot, squared.

    A pivot that is no more than rounding leaves a row that must not be used.
    """
    pivot = float(K[j, j])
    for i in range(size):
        total = float(K[j, members[i]])
        for k in range(i):
            total -= L[i, k] * L[size, k]
        L[size, i] = total / L[i, i]
        pivot -= L[size, i] ** 2
    L[size, size] = np.sqrt(max(pivot, 0.0))
    return pivot


@compiled(nogil=True)
def delete_row(L, size, gone):
    """Take row and column ``gone`` out of the product L L'; later rows move up."""
    for i in range(gone + 1, size):
        for k in range(i + 1):
            L[i - 1, k] = L[i, k]
    # The rows that moved have one entry too many: rotate it away, column by column.
    for k in range(gone, size - 1):
        a, b = L[k, k], L[k, k + 1]
        radius = np.hypot(a, b)
        c, s = a / radius, b / radius
        L[k, k], L[k, k + 1] = radius, 0.0
        for i in range(k + 1, size - 1):
            x, y = L[i, k], L[i, k + 1]
            L[i, k], L[i, k + 1] = c * x + s * y, c * y - s * x


@compiled(nogil=True, fastmath=SUMS)
def rates(K, members, size, L, g, dalpha, df):
    """Fill ``dalpha`` (of the members, in their order) and ``df``; see the module.

    Returns
    -------
    largest : float
        Largest entry of ``dalpha``, in size.
    """
    n = len(g)
    residual = np.empty(size)
    for i in range(size):
        dalpha[i] = 0.0
        residual[i] = -g[members[i]]
    for sweep in range(2):  # the second takes back what rounding left in the factor
        if sweep:
            for i in range(size):
                total = -g[members[i]]
                for k in range(size):
                    total -= K[members[i], members[k]] * dalpha[k]
                residual[i] = total
        solve_factor(L, size, residual)
        for i in range(size):
            dalpha[i] += residual[i]
    df[:] = g
    largest = 0.0
    for i in range(size):
        row, rate = K[members[i]], dalpha[i]
        largest = max(largest, abs(rate))
        for k in range(n):
            df[k] += rate * row[k]
    return largest


@compiled(nogil=True)
def first_event(
    where,
    signs,
    alpha,
    f,
    cap,
    dcap,
    sided,
    passed,
    members,
    size,
    dalpha,
    df,
    tol,
    end,
):
    """The first point on the way that changes its place.

    Parameters
    ----------
    where, signs, alpha, f, cap, dcap : ndarrays of shape (n,)
    sided : ndarray of bool of shape (n,)
        Points that f = 0 stops.
    passed : ndarray of bool of shape (n,)
        Points whose output the members determine: they cannot become one.
    tol : tuple of two floats
        Rates of outputs and of duals up to these are rounding.
    end : float
        How far the parameter may go.

    Returns
    -------
    step : float
        How far it goes; 0 where several events fall together.
    point : int
        `END` where nothing happens up to ``end``.
    place : int
        Where the point goes.
    """
    step, point, place, speed = end, END, ABSENT, 0.0
    tol_f, tol_alpha = tol
    for k in range(size):
        i = members[k]
        rate = signs[i] * dalpha[k]
        to_cap = rate - dcap[i]
        if where[i] == BOUNDARY:
            if to_cap < -tol_alpha:
                t = max(signs[i] * alpha[i] - cap[i], 0.0) / -to_cap
                if t < step or (t == step and -to_cap > speed):
                    step, point, place, speed = t, i, INSIDE, -to_cap
            continue
        if rate < -tol_alpha:
            t = max(signs[i] * alpha[i], 0.0) / -rate
            if t < step or (t == step and -rate > speed):
                step, point, place, speed = t, i, OUT, -rate
        if to_cap > tol_alpha:
            t = max(cap[i] - signs[i] * alpha[i], 0.0) / to_cap
            if t < step or (t == step and to_cap > speed):
                step, point, place, speed = t, i, INSIDE, to_cap
    for i in range(len(where)):
        if where[i] != OUT and where[i] != INSIDE:
            continue
        rate = signs[i] * df[i]
        margin = signs[i] * f[i]
        if where[i] == OUT:
            if rate < -tol_f and not passed[i]:
                t = max(margin - 1.0, 0.0) / -rate
                if t < step or (t == step and -rate > speed):
                    step, point, place, speed = t, i, MARGIN, -rate
        elif rate > tol_f:
            if not passed[i]:
                t = max(1.0 - margin, 0.0) / rate
                if t < step or (t == step and rate > speed):
                    step, point, place, speed = t, i, MARGIN, rate
        elif rate < -tol_f and sided[i] and not passed[i]:
            t = max(margin, 0.0) / -rate
            if t < step or (t == step and -rate > speed):
                step, point, place, speed = t, i, BOUNDARY, -rate
    return step, point, place


@compiled(nogil=True)
def advance(step, where, signs, alpha, f, cap, dcap, members, size, dalpha, df):
    """Move caps, duals and outputs by ``step`` of the parameter, in place."""
    for i in range(len(f)):
        f[i] += step * df[i]
        cap[i] += step * dcap[i]
        if where[i] == INSIDE:
            alpha[i] = signs[i] * cap[i]
    for k in range(size):
        alpha[members[k]] += step * dalpha[k]


@compiled(nogil=True, fastmath=SUMS)
def relocate(K, where, signs, alpha, cap, dcap, g, members, size, L, i, place, eps):
    """Put point i in its new place: set, factor, dual and g follow.

    Returns
    -------
    size : int
        Members afterwards; `END` where the point cannot become one.
    """
    before = where[i]
    if place in (MARGIN, BOUNDARY):
        pivot = append_row(K, members, size, L, i)
        if pivot <= PIVOT * eps * K[i, i]:
            return END
        members[size] = i
        size += 1
    else:
        if before in (MARGIN, BOUNDARY):
            k = 0
            while members[k] != i:
                k += 1
            delete_row(L, size, k)
            for j in range(k, size - 1):
                members[j] = members[j + 1]
            size -= 1
        alpha[i] = 0.0 if place == OUT else signs[i] * cap[i]
    if dcap[i] != 0.0 and before != place:
        rate = 0.0
        if before == INSIDE:
            rate = -signs[i] * dcap[i]
        elif place == INSIDE:
            rate = signs[i] * dcap[i]
        if rate != 0.0:
            for k in range(len(g)):
                g[k] += rate * K[i, k]
    where[i] = place
    return size


@compiled(nogil=True, fastmath=SUMS)
def trade(K, where, signs, alpha, f, cap, members, size, L, i, place):
    """Point i, whose output the members determine, takes over the dual of one of them.

    Duals move along K_A v = K_i, which leaves all outputs where they are up to rounding
    (and moves those of near twins by what they differ), until one comes to its bound.

    Returns
    -------
    point : int
        Whose dual that is, i itself or a member; `END` where none has a bound.
    place : int
        Where it belongs now.
    """
    v = np.empty(size)
    for k in range(size):
        v[k] = K[i, members[k]]
    solve_factor(L, size, v)
    largest = 0.0
    for k in range(size):
        largest = max(largest, abs(v[k]))
    away = -signs[i] if where[i] == INSIDE and place == MARGIN else signs[i]
    length, point, goes = np.inf, END, ABSENT
    if place == MARGIN:
        length, point, goes = cap[i], i, OUT if where[i] == INSIDE else INSIDE
    for k in range(size):
        j = members[k]
        rate = -away * v[k] * signs[j]
        if abs(rate) <= SHARE * largest:
            continue
        dual = signs[j] * alpha[j]
        if where[j] == BOUNDARY:
            if rate < 0.0 and (cap[j] - dual) / rate < length:
                length, point, goes = max((cap[j] - dual) / rate, 0.0), j, INSIDE
        elif rate < 0.0 and -dual / rate < length:
            length, point, goes = max(-dual / rate, 0.0), j, OUT
        elif rate > 0.0 and (cap[j] - dual) / rate < length:
            length, point, goes = max((cap[j] - dual) / rate, 0.0), j, INSIDE
    if point == END:
        return point, goes
    alpha[i] += away * length
    for k in range(len(f)):
        f[k] += away * length * K[i, k]
    for k in range(size):
        change = -away * length * v[k]
        alpha[members[k]] += change
        for j in range(len(f)):
            f[j] += change * K[members[k], j]
    return point, goes


@compiled(nogil=True)
def look(
    K,
    where,
    signs,
    alpha,
    f,
    cap,
    dcap,
    sided,
    passed,
    g,
    members,
    size,
    L,
    dalpha,
    df,
    drive,
    scale,
    end,
):
    """`rates`, then `first_event`; ``drive`` is the largest rate from outside."""
    largest = RATE * max(rates(K, members, size, L, g, dalpha, df), drive)
    tol = (largest * scale, largest)
    return first_event(
        where,
        signs,
        alpha,
        f,
        cap,
        dcap,
        sided,
        passed,
        members,
        size,
        dalpha,
        df,
        tol,
        end,
    )


@compiled(nogil=True)
def go(
    K,
    where,
    signs,
    alpha,
    f,
    cap,
    dcap,
    sided,
    passed,
    g,
    members,
    size,
    L,
    dalpha,
    df,
    drive,
    scale,
    end,
    eps,
    most,
):
    """`look`, `advance` and `relocate` until the end, or until a pivot needs more.

    Returns
    -------
    left : float
        Of the way.
    point, place : int
        A point that must trade, or for which L has no row; `END` at the end.
    size, pivots : int
        At most ``most`` pivots are made.
    """
    pivots = 0
    while True:
        step, point, place = look(
            K,
            where,
            signs,
            alpha,
            f,
            cap,
            dcap,
            sided,
            passed,
            g,
            members,
            size,
            L,
            dalpha,
            df,
            drive,
            scale,
            end,
        )
        advance(step, where, signs, alpha, f, cap, dcap, members, size, dalpha, df)
        end -= step
        if point == END or size + 1 >= len(L) or pivots == most:
            return end, point, place, size, pivots
        after = relocate(
            K, where, signs, alpha, cap, dcap, g, members, size, L, point, place, eps
        )
        if after == END:
            return end, point, place, size, pivots
        size = after
        pivots += 1
        passed[:] = False


@compiled(nogil=True)
def census(where, labeled):
    """Points outside, on the margin, and labelled and other ones inside."""
    outside, on_it, inside_l, inside_u = 0, 0, 0, 0
    for i in range(len(where)):
        if where[i] == OUT:
            outside += 1
        elif where[i] == MARGIN:
            on_it += 1
        elif where[i] == INSIDE:
            if labeled[i]:
                inside_l += 1
            else:
                inside_u += 1
    return outside, on_it, inside_l, inside_u
