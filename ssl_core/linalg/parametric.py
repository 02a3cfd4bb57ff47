"""Pivots of a parametric quadratic programme: a factor that follows its set, and the
first event on a line.

Every point i has a dual s_i alpha_i between 0 and a cap, an output f_i and a place.
While a parameter moves by 1, caps move by ``dcap`` and outputs by ``g`` where nothing
answers; the points on the margin (s f = 1) and on the boundary (f = 0), the members,
answer so that their own outputs stay:

    K_AA dalpha_A = -g_A,      df = g + K_A dalpha_A

K_AA = L L' is kept as its factor, one row longer or shorter at a time.
"""

from typing import NamedTuple

import numpy as np

from halfmoon.common.compiled import compiled
from ssl_core.linalg.vectors import SUMS

Array = np.ndarray

# Places of points, by the optimality conditions [OITS13] eq. (8).
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


class Points(NamedTuple):
    """What is known of every point; all but K have shape (n,) and are written.

    Attributes
    ----------
    K : ndarray of shape (n, n)
    where : int8 ndarray
        The place of each point.
    signs, alpha, f, cap : ndarrays
        Labels s, duals times s, outputs, and the largest duals.
    sided : ndarray of bool
        Points that f = 0 stops.
    passed : ndarray of bool
        Points whose output the members determine: they cannot become one.
    """

    K: Array
    where: Array
    signs: Array
    alpha: Array
    f: Array
    cap: Array
    sided: Array
    passed: Array


class Members(NamedTuple):
    """Row numbers (n,) of the members and L; the first ``size`` of both count."""

    rows: Array
    L: Array


class Motion(NamedTuple):
    """What a unit of the parameter moves; shape (n,), ``dalpha`` by member.

    ``dcap`` and ``g`` are given, ``dalpha`` and ``df`` follow by `rates`; ``drive`` is
    the largest rate from outside.
    """

    dcap: Array
    g: Array
    dalpha: Array
    df: Array
    drive: float


class Change(NamedTuple):
    """After ``step`` a point changes its place; of two, the one with more ``speed``."""

    step: float
    point: int
    place: int
    speed: float


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
def append_row(K, members, size, j):
    """Row ``size`` of the factor for point j; returns its pivot, squared.

    A pivot that is no more than rounding leaves a row that must not be used.
    """
    rows, L = members
    pivot = float(K[j, j])
    for i in range(size):
        total = float(K[j, rows[i]])
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
def rates(K, members, size, motion):
    """Fill ``dalpha`` (of the members, in their order) and ``df``; see the module.

    Returns
    -------
    largest : float
        Largest entry of ``dalpha``, in size.
    """
    rows, g, dalpha, df = members.rows, motion.g, motion.dalpha, motion.df
    n = len(g)
    residual = np.empty(size)
    for i in range(size):
        dalpha[i] = 0.0
        residual[i] = -g[rows[i]]
    for sweep in range(2):  # the second takes back what rounding left in the factor
        if sweep:
            for i in range(size):
                total = -g[rows[i]]
                for k in range(size):
                    total -= K[rows[i], rows[k]] * dalpha[k]
                residual[i] = total
        solve_factor(members.L, size, residual)
        for i in range(size):
            dalpha[i] += residual[i]
    df[:] = g
    largest = 0.0
    for i in range(size):
        row, rate = K[rows[i]], dalpha[i]
        largest = max(largest, abs(rate))
        for k in range(n):
            df[k] += rate * row[k]
    return largest


@compiled(nogil=True)
def sooner(first, gap, speed, point, place):
    """The earlier of two: ``first``, or a point that closes a gap at this speed."""
    step = max(gap, 0.0) / speed
    if step < first.step or (step == first.step and speed > first.speed):
        return Change(step, point, place, speed)
    return first


@compiled(nogil=True)
def first_member(first, points, motion, members, size, tol):
    """`first_event` among the members: duals that come to a bound."""
    where, signs, alpha, cap = points.where, points.signs, points.alpha, points.cap
    for k in range(size):
        i = members.rows[k]
        dual = signs[i] * alpha[i]
        rate = signs[i] * motion.dalpha[k]
        to_cap = rate - motion.dcap[i]
        if where[i] == BOUNDARY:
            if to_cap < -tol:
                first = sooner(first, dual - cap[i], -to_cap, i, INSIDE)
            continue
        if rate < -tol:
            first = sooner(first, dual, -rate, i, OUT)
        if to_cap > tol:
            first = sooner(first, cap[i] - dual, to_cap, i, INSIDE)
    return first


@compiled(nogil=True)
def first_other(first, points, motion, tol):
    """`first_event` among the others: outputs that come to the margin or to 0."""
    where = points.where
    for i in range(len(where)):
        if where[i] != OUT and where[i] != INSIDE:
            continue
        rate = points.signs[i] * motion.df[i]
        margin = points.signs[i] * points.f[i]
        if where[i] == OUT:
            if rate < -tol and not points.passed[i]:
                first = sooner(first, margin - 1.0, -rate, i, MARGIN)
        elif rate > tol:
            if not points.passed[i]:
                first = sooner(first, 1.0 - margin, rate, i, MARGIN)
        elif rate < -tol and points.sided[i] and not points.passed[i]:
            first = sooner(first, margin, -rate, i, BOUNDARY)
    return first


@compiled(nogil=True)
def first_event(points, motion, members, size, tol, end):
    """The first point on the way that changes its place.

    Parameters
    ----------
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
    first = Change(end, END, ABSENT, 0.0)
    first = first_member(first, points, motion, members, size, tol[1])
    first = first_other(first, points, motion, tol[0])
    return first.step, first.point, first.place


@compiled(nogil=True)
def advance(step, points, motion, members, size):
    """Move caps, duals and outputs by ``step`` of the parameter, in place."""
    where, signs, alpha, f, cap = (
        points.where,
        points.signs,
        points.alpha,
        points.f,
        points.cap,
    )
    for i in range(len(f)):
        f[i] += step * motion.df[i]
        cap[i] += step * motion.dcap[i]
        if where[i] == INSIDE:
            alpha[i] = signs[i] * cap[i]
    for k in range(size):
        alpha[members.rows[k]] += step * motion.dalpha[k]


@compiled(nogil=True, fastmath=SUMS)
def relocate(points, motion, members, size, i, place, eps):
    """Put point i in its new place: set, factor, dual and g follow.

    Returns
    -------
    size : int
        Members afterwards; `END` where the point cannot become one.
    """
    K, rows, dcap, g = points.K, members.rows, motion.dcap, motion.g
    sign, before = points.signs[i], points.where[i]
    if place in (MARGIN, BOUNDARY):
        pivot = append_row(K, members, size, i)
        if pivot <= PIVOT * eps * K[i, i]:
            return END
        rows[size] = i
        size += 1
    else:
        if before in (MARGIN, BOUNDARY):
            k = 0
            while rows[k] != i:
                k += 1
            delete_row(members.L, size, k)
            for j in range(k, size - 1):
                rows[j] = rows[j + 1]
            size -= 1
        points.alpha[i] = 0.0 if place == OUT else sign * points.cap[i]
    if dcap[i] != 0.0 and before != place:
        rate = 0.0
        if before == INSIDE:
            rate = -sign * dcap[i]
        elif place == INSIDE:
            rate = sign * dcap[i]
        if rate != 0.0:
            for k in range(len(g)):
                g[k] += rate * K[i, k]
    points.where[i] = place
    return size


@compiled(nogil=True, fastmath=SUMS)
def trade(points, members, size, i, place):
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
    K, alpha, f, rows = points.K, points.alpha, points.f, members.rows
    v = np.empty(size)
    for k in range(size):
        v[k] = K[i, rows[k]]
    solve_factor(members.L, size, v)
    inwards = points.where[i] == INSIDE and place == MARGIN
    away = -points.signs[i] if inwards else points.signs[i]
    length, point, goes = first_bound(points, rows, v, i, place, away)
    if point == END:
        return point, goes
    alpha[i] += away * length
    for k in range(len(f)):
        f[k] += away * length * K[i, k]
    for k in range(size):
        change = -away * length * v[k]
        alpha[rows[k]] += change
        for j in range(len(f)):
            f[j] += change * K[rows[k], j]
    return point, goes


@compiled(nogil=True, fastmath=SUMS)
def first_bound(points, rows, v, i, place, away):
    """How far duals can move in a `trade`, who ends it, and where that one belongs."""
    where, signs, cap = points.where, points.signs, points.cap
    largest = 0.0
    for k in range(len(v)):
        largest = max(largest, abs(v[k]))
    length, point, goes = np.inf, END, ABSENT
    if place == MARGIN:
        length, point, goes = cap[i], i, OUT if where[i] == INSIDE else INSIDE
    for k in range(len(v)):
        j = rows[k]
        rate = -away * v[k] * signs[j]
        if abs(rate) <= SHARE * largest:
            continue
        dual = signs[j] * points.alpha[j]
        if where[j] == BOUNDARY:
            if rate < 0.0 and (cap[j] - dual) / rate < length:
                length, point, goes = max((cap[j] - dual) / rate, 0.0), j, INSIDE
        elif rate < 0.0 and -dual / rate < length:
            length, point, goes = max(-dual / rate, 0.0), j, OUT
        elif rate > 0.0 and (cap[j] - dual) / rate < length:
            length, point, goes = max((cap[j] - dual) / rate, 0.0), j, INSIDE
    return length, point, goes


@compiled(nogil=True)
def look(points, motion, members, size, scale, end):
    """`rates`, then `first_event`; ``scale`` is the largest diagonal entry of K."""
    largest = RATE * max(rates(points.K, members, size, motion), motion.drive)
    tol = (largest * scale, largest)
    return first_event(points, motion, members, size, tol, end)


@compiled(nogil=True)
def go(points, motion, members, size, scale, end, eps, most):
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
        step, point, place = look(points, motion, members, size, scale, end)
        advance(step, points, motion, members, size)
        end -= step
        if point == END or size + 1 >= len(members.L) or pivots == most:
            return end, point, place, size, pivots
        after = relocate(points, motion, members, size, point, place, eps)
        if after == END:
            return end, point, place, size, pivots
        size = after
        pivots += 1
        points.passed[:] = False


# The three calls of every pivot, from plain arrays: numba takes 4 microseconds longer
# to recognise three named tuples, which is as much as a small pivot.


@compiled(nogil=True)
def named(arrays, drive):
    """`Points`, `Motion` and `Members`, of their arrays one after the other."""
    motion = Motion(arrays[8], arrays[9], arrays[10], arrays[11], drive)
    return Points(*arrays[:8]), motion, Members(*arrays[12:])


@compiled(nogil=True)
def look_along(arrays, drive, size, scale, end):
    points, motion, members = named(arrays, drive)
    return look(points, motion, members, size, scale, end)


@compiled(nogil=True)
def advance_along(arrays, drive, size, step):
    points, motion, members = named(arrays, drive)
    advance(step, points, motion, members, size)


@compiled(nogil=True)
def relocate_along(arrays, drive, size, i, place, eps):
    points, motion, members = named(arrays, drive)
    return relocate(points, motion, members, size, i, place, eps)


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
