"""What labels that are still free must add to an SVM: bounds for branch and bound.

At a machine with dual solution beta and outputs o, let a further point j have the
coefficient z_j = y_j t_j, t_j >= 0, and let the active coefficients answer so that they
stay stationary and keep the sum at zero. With S the Schur complement of the free points
(see `pivots`) the dual changes by

    sum_j t_j (1 - y_j o_j) - 1/2 sum_jk z_j z_k S_jk

and any dual feasible point is below the optimum of the labels it was made for. The
change is feasible while no active coefficient changes its sign.
"""

import numpy as np

from halfmoon.common.compiled import compiled
from ssl_core.linalg.pivots import sweep, train

ROUNDS = 4  # of setting points still that stand in the way
PASSES = 6  # of coordinate ascent in each of them; 20 give 1 % more
CROWDED = 1.4  # a point is set still if it may have to move this much too far
GOOD_SHARE = 0.95  # of the step wanted; the bound loses (1 - share)^2 of itself

OPEN, BOUND, BALANCE, SOLVED = range(4)


@compiled(nogil=True)
def _ascending(values):
    return np.sort(values)


@compiled(nogil=True)
def _rows(y, o, below):
    """Free points with |o| < below."""
    rows = np.empty(y.shape[0], dtype=np.int64)
    m = 0
    for i in range(y.shape[0]):
        if y[i] == 0 and abs(o[i]) < below:
            rows[m] = i
            m += 1
    return rows[:m]


@compiled(nogil=True)
def single_gains(T, active, y, beta, o, gain):
    """One free point alone: the best t_j for either label, into gain (n, 2).

    Columns are the labels -1 and +1. The step ends where the first active coefficient
    would change its sign.
    """
    n = y.shape[0]
    for j in range(n):
        gain[j, 0] = gain[j, 1] = 0.0
        if y[j] != 0:
            continue
        for side in range(2):
            label = 2.0 * side - 1.0
            short = 1.0 - label * o[j]
            if short <= 0.0:
                continue
            step = short / T[j, j]
            share = 1.0
            for i in range(n):
                if active[i]:
                    use = y[i] * label * T[j, i] * step
                    if use * share > y[i] * beta[i]:
                        share = max(y[i] * beta[i] / use, 0.0)
            gain[j, side] = short * step * share * (1.0 - 0.5 * share)


@compiled(nogil=True)
def _ascend(S, g, here, left):
    """Coordinate ascent on g't - 1/2 t'S t, t >= 0; left = g - S t.

    Returns the linear and the quadratic term at the end.
    """
    f = len(g)
    for _ in range(PASSES):
        for a in range(f):
            step = max(here[a] + left[a] / S[a, a], 0.0) - here[a]
            if step != 0.0:
                here[a] += step
                for c in range(f):
                    left[c] -= S[a, c] * step
    linear, quadratic = 0.0, 0.0
    for a in range(f):
        linear += g[a] * here[a]
        quadratic += 0.5 * (g[a] - left[a]) * here[a]
    return linear, quadratic


@compiled(nogil=True)
def _feasible_share(W, moving, free, here, beta, use):
    """Largest share of the steps that no active coefficient changes its sign for.

    ``use`` (n,) receives what the whole steps may take from each coefficient.
    """
    share = 1.0
    for i in range(len(moving)):
        if moving[i]:
            use[i] = 0.0
            for a in range(len(free)):
                use[i] += abs(W[i, free[a]]) * here[a]
            if use[i] * share > abs(beta[i]):
                share = abs(beta[i]) / use[i]
    return share


@compiled(nogil=True)
def _set_still(W, moving, beta, use):
    """Take points that stand in the way out of W, but one; returns how many."""
    n_moving = 0
    for i in range(len(moving)):
        n_moving += moving[i]
    taken = 0
    for i in range(len(moving)):
        if moving[i] and use[i] > CROWDED * abs(beta[i]) and n_moving - taken > 1:
            sweep(W, i, -1.0)
            moving[i] = False
            taken += 1
    return taken


@compiled(nogil=True)
def joint_gain(T, active, y, beta, o, wanted, t):
    """All free points at once: steps t that do not depend on the labels.

    The labels that come cheapest for such steps are the signs of o, up to the quadratic
    term, which is at most that of |S|. So for any labels the dual rises by at least

        sum_j t_j (1 - |o_j|) - 1/2 t' |S| t

    and by 2 t_j |o_j| more for each label against the sign of o_j. It is feasible if
    sum_j |d beta_i / d z_j| t_j <= |beta_i| for the active points i.
    Coordinate ascent finds t; where an active coefficient is too small for it, that
    point is set still (taken out of a copy of T, beta_i staying as it is) and the
    others answer alone; in the end all steps shrink by the share that is feasible.

    Returns
    -------
    best : float
        The rise; ``t`` (n,) has its steps. Ends early once ``wanted`` is reached.
    """
    free = _rows(y, o, 1.0)
    f = len(free)
    S, g, left = np.empty((f, f)), np.empty(f), np.empty(f)
    here, use = np.zeros(f), np.zeros(len(y))
    for a in range(f):
        g[a] = 1.0 - abs(o[free[a]])
    t[:] = 0.0
    best = 0.0
    W, moving = T, active
    for turn in range(ROUNDS):
        for a in range(f):
            left[a] = g[a]  # g - |S| t
            for c in range(f):
                S[a, c] = abs(W[free[a], free[c]])
                left[a] -= S[a, c] * here[c]
        linear, quadratic = _ascend(S, g, here, left)
        share = _feasible_share(W, moving, free, here, beta, use)
        rise = share * linear - share * share * quadratic
        if rise > best:
            best = rise
            for a in range(f):
                t[free[a]] = share * here[a]
        if best >= wanted or share > GOOD_SHARE or linear - quadratic <= best:
            break
        if turn == 0:
            W, moving = T.copy(), active.copy()
        if _set_still(W, moving, beta, use) == 0:
            break
    return best


@compiled(nogil=True)
def balanced_gain(y, o, t, n_positive, extra):
    """What the balance adds to `joint_gain`, and what each label against o adds to it.

    Labels by the sign of o have too many of one sign: the cheapest of these must turn.
    ``extra`` (n,) receives, for each free point, the least that comes on top if its
    label is not the sign of o; inf where the balance cannot be met then.
    """
    n = y.shape[0]
    excess = -n_positive
    for i in range(n):
        excess += y[i] == 0 and o[i] > 0.0
    many = excess >= 0  # whether there are too many positive labels, or just enough
    turns = abs(excess)
    crowd, others = np.empty(n), np.inf  # costs of those too many; least of the rest
    m = 0
    for i in range(n):
        if y[i] == 0:
            cost = 2.0 * t[i] * abs(o[i])
            if (o[i] > 0.0) == many:
                crowd[m] = cost
                m += 1
            else:
                others = min(others, cost)
    crowd = _ascending(crowd[:m])
    total = 0.0
    for k in range(turns):
        total += crowd[k]
    last = crowd[turns - 1] if turns else -others
    after = crowd[turns] if turns < m else np.inf
    for i in range(n):
        if y[i] != 0:
            extra[i] = 0.0
        elif (o[i] > 0.0) == many:
            extra[i] = max(2.0 * t[i] * abs(o[i]) - last, 0.0)
        else:
            extra[i] = 2.0 * t[i] * abs(o[i]) + after
    return total


@compiled(nogil=True)
def _least_single(gain, free, n_positive):
    """What any labels must add: n_positive points pay for +1, the others for -1."""
    plus, minus = np.empty(len(free)), np.empty(len(free))
    least = 0.0
    for k in range(len(free)):
        minus[k], plus[k] = gain[free[k]]
        least = max(least, min(minus[k], plus[k]))
    least = max(least, _ascending(plus)[n_positive - 1])
    return max(least, _ascending(minus)[len(free) - n_positive - 1])


@compiled(nogil=True)
def tighten(T, active, y, ridge, beta, o, gain, t, n_positive, cutoff):
    """Train a node and fix labels until nothing more follows from ``cutoff``.

    A label whose bound reaches the cutoff is excluded, hence the other one fixed; where
    the balance leaves one sign, all are. ``y``, the machine, ``gain`` (of both labels,
    from `single_gains`) and ``t`` are overwritten.

    Returns
    -------
    value, bound : float
        Of the machine trained on the decided points, and of all its completions.
    n_positive : int
        Positive labels left for the free points.
    verdict : int
        OPEN, BOUND, BALANCE or SOLVED (all labels decided).
    """
    bound = 0.0
    extra = np.empty(len(y))
    while True:
        free = _rows(y, o, np.inf)
        if n_positive < 0 or n_positive > len(free):
            return np.inf, np.inf, n_positive, BALANCE
        if n_positive == 0 or n_positive == len(free):
            for i in free:
                y[i] = -1 if n_positive == 0 else 1
            value = train(T, active, y, ridge, beta, o)
            return value, value, 0, SOLVED
        value = train(T, active, y, ridge, beta, o)
        bound = max(bound, value)
        if bound >= cutoff:
            return value, bound, n_positive, BOUND
        single_gains(T, active, y, beta, o, gain)
        bound = max(bound, value + _least_single(gain, free, n_positive))
        if bound >= cutoff:
            return value, bound, n_positive, BOUND
        fixed = 0
        for i in free:
            if value + gain[i, 0] >= cutoff or value + gain[i, 1] >= cutoff:
                y[i] = 1 if value + gain[i, 0] >= cutoff else -1
                n_positive -= y[i] > 0
                fixed += 1
        if fixed:
            continue
        rise = joint_gain(T, active, y, beta, o, cutoff - value, t)
        rise += balanced_gain(y, o, t, n_positive, extra)
        bound = max(bound, value + rise)
        if bound >= cutoff:
            return value, bound, n_positive, BOUND
        for i in free:
            if value + rise + extra[i] >= cutoff:
                y[i] = 1 if o[i] > 0.0 else -1
                n_positive -= y[i] > 0
                fixed += 1
        if fixed == 0:
            return value, bound, n_positive, OPEN
