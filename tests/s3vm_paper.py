"""[CSK08] typed out in plain numpy and scipy: slow, and independent of `ssl_core`.

Labels y are in {-1, 0, +1} with 0 = unlabeled, points in any order. A machine is
(alpha, b) with outputs o = K alpha + b in the kernel K as it is; what is centred or
deformed is written in that kernel as well, see `norm`. Losses have numerical
derivatives only. Nothing here is imported from the library under test.
"""

from itertools import combinations

import numpy as np
from scipy.linalg import solve_triangular
from scipy.optimize import brentq, lsq_linear, minimize, nnls
from scipy.special import entr

# ---------------------------------------------------------------- kernels


def rbf(X, Z, sigma):
    """exp(-|x - z|^2 / (2 sigma^2)), by differences."""
    return np.exp(-((X[:, None] - Z[None]) ** 2).sum(axis=2) / (2 * sigma**2))


def linear(X, Z, sigma=None):
    return X @ Z.T


def centred(K, unlabeled, K_new=None):
    """Eq. (13) with sums over the unlabeled points.

    ``K_new`` (m, n) are the kernel's values between m new points and the n points of
    K; the result is then between these. Without it the new points are the old ones.
    """
    K_new = K if K_new is None else K_new
    rows = K_new[:, unlabeled].mean(axis=1)
    columns = K[:, unlabeled].mean(axis=1)
    everything = K[np.ix_(unlabeled, unlabeled)].mean()
    return K_new - rows[:, None] - columns[None, :] + everything


def deformed(K, M, K_new=None):
    """k(x, z) - k_x' (I + M K)^-1 M k_z."""
    K_new = K if K_new is None else K_new
    inner = np.linalg.solve(np.eye(len(K)) + M @ K, M @ K)
    return K_new - K_new @ inner


def norm(alpha, K, M=None):
    """|w|^2 of a machine given in the kernel K.

    Centred: w = sum_i alpha_i phi(x_i) is what it is, wherever the origin lies.
    Deformed: |f|^2 + f' M f.
    """
    g = K @ alpha
    return alpha @ g + (0.0 if M is None else g @ M @ g)


# ---------------------------------------------------------------- losses


def hinge(t, p=2):
    """Eq. (2) as a function of t = y o."""
    return np.maximum(0.0, 1.0 - t) ** p


def effective(o, p=2):
    """Figure 2, the last term of eq. (5)."""
    return np.maximum(0.0, 1.0 - np.abs(o)) ** p


def gaussian(o, s=5.0):
    """The last term of eq. (14)."""
    return np.exp(-s * o**2)


def flat(o):
    """Figure 7: 1 up to 0.5, ramps of width 0.1, linear between, 0 from 1 on.

    Its slope is a trapezium with the corners 0.5, 0.6, 0.9 and 1, whose area is 1.
    """
    corners = np.array([0.5, 0.6, 0.9, 1.0])
    height = 1.0 / 0.4
    slope = np.array([0.0, -height, -height, 0.0])
    o = np.clip(np.abs(o), 0.5, 1.0)
    value = np.ones_like(o)
    for left, right, at_left, at_right in zip(
        corners, corners[1:], slope, slope[1:], strict=False
    ):
        reach = np.clip(o, left, right) - left
        end = at_left + (at_right - at_left) * reach / (right - left)
        value += reach * (at_left + end) / 2
    return value


def cccp_squared(t):
    """The convex loss of section 4.1 for a point labelled by its sign, t = y o."""
    return np.where(t >= 1, 0.0, np.where(t > -1, (1 - t) ** 2, -4 * t))


def cccp_plain(t):
    """Its sister for p = 1: max(0, 1 - |t|) + |t|, less the tangent t of |t|."""
    return np.maximum(1.0, np.abs(t)) - t


def slope_of(loss, t, h=1e-6):
    return (loss(t + h) - loss(t - h)) / (2 * h)


# The trapezium rule on 12 standard deviations to either side: for smooth integrands
# that vanish at the ends it has all digits, as long as a step resolves the loss.
_NOISE = np.linspace(-12.0, 12.0, 2001)
_DENSITY = np.exp(-(_NOISE**2) / 2)
_DENSITY = _DENSITY / _DENSITY.sum()
_LEGENDRE = np.polynomial.legendre.leggauss(80)


def smoothed(loss, o, variance):
    """Mean of loss(o + noise), noise Gaussian: for losses without a kink."""
    sd = np.sqrt(np.broadcast_to(variance, np.shape(o)))
    return loss(o[:, None] + sd[:, None] * _NOISE) @ _DENSITY


def smoothed_hinge(t, variance):
    """Mean of max(0, 1 - t + noise)^2, integrated where it is not zero."""
    sd = np.sqrt(np.broadcast_to(variance, np.shape(t)))
    result = hinge(t)
    for i in np.flatnonzero(sd > 0):
        low, high = max(-(1 - t[i]) / sd[i], -12.0), 12.0
        x = (high - low) / 2 * _LEGENDRE[0] + (high + low) / 2
        density = np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)
        values = (1 - t[i] + sd[i] * x) ** 2 * density
        result[i] = (high - low) / 2 * _LEGENDRE[1] @ values
    return result


def smoothing_variance(gamma, squared_length):
    """Of an output w'z when w is smoothed by exp(-|t|^2 / gamma), Algorithm 5."""
    return gamma * squared_length / 2


# ---------------------------------------------------------------- objectives


def _labeled(norm2, o, y, C, p=2):
    labeled = y != 0
    return 0.5 * norm2 + C * hinge(y[labeled] * o[labeled], p).sum()


def objective_1(norm2, o, y, y_u, C, C_u):
    """Eq. (1) for given labels of the unlabeled points."""
    return _labeled(norm2, o, y, C) + C_u * hinge(y_u * o[y == 0]).sum()


def objective_5(norm2, o, y, C, C_u, p=2):
    return _labeled(norm2, o, y, C, p) + C_u * effective(o[y == 0], p).sum()


def objective_7(norm2, o, y, prob, C, C_u):
    o_u = o[y == 0]
    expected = prob * hinge(o_u) + (1 - prob) * hinge(-o_u)
    return _labeled(norm2, o, y, C) + C_u * expected.sum()


def entropy(prob):
    """H of section 3.3, a sum over the points."""
    return (entr(prob) + entr(1 - prob)).sum()


def best_probabilities(o_u, C_u, T, r):
    """Eq. (8), nu by bisection."""
    g = C_u * (hinge(o_u) - hinge(-o_u))

    def prob(nu):
        return 0.5 * (1 + np.tanh((nu - g) / (2 * T)))

    edge = 60 * T
    nu = brentq(
        lambda nu: prob(nu).mean() - r, g.min() - edge, g.max() + edge, xtol=1e-14
    )
    return prob(nu)


def objective_9(norm2, o, y, C, C_u, T, r):
    """S(w, b) of eq. (9)."""
    prob = best_probabilities(o[y == 0], C_u, T, r)
    return objective_7(norm2, o, y, prob, C, C_u) - T * entropy(prob)


def objective_14(norm2, o, y, C, C_u, s=5.0):
    return _labeled(norm2, o, y, C) + C_u * gaussian(o[y == 0], s).sum()


def objective_14_smoothed(
    norm2, o, y, C, C_u, s, gamma, squared_lengths, smooth_labeled
):
    """Eq. (14) after Algorithm 5's convolution, but for a constant of |w|^2."""
    if gamma == 0:
        return objective_14(norm2, o, y, C, C_u, s)
    labeled = y != 0
    v = smoothing_variance(gamma, squared_lengths)
    t = y[labeled] * o[labeled]
    known = smoothed_hinge(t, v[labeled]) if smooth_labeled else hinge(t)
    hidden = smoothed(lambda o: gaussian(o, s), o[~labeled], v[~labeled])
    return 0.5 * norm2 + C * known.sum() + C_u * hidden.sum()


def objective_15(norm2, o, y, C, C_u, loss):
    psi = {"flat": flat, "quadratic": effective}[loss]
    return _labeled(norm2, o, y, C) + C_u * psi(o[y == 0]).sum()


# ---------------------------------------------------------------- minimisers


def svm(K, y, weights, bias=None):
    """min 1/2 |w|^2 + sum_i weights_i max(0, 1 - y_i o_i)^2: (objective, beta, b).

    The dual for a fixed b is a least squares problem with non-negative variables; a
    free b is where y'a = 0, which falls in b.
    """
    used = np.flatnonzero(weights > 1e-12 * weights.max())
    signs = np.asarray(y, dtype=float)[used]
    Q = signs[:, None] * K[np.ix_(used, used)] * signs + np.diag(0.5 / weights[used])
    scale = 1 / np.sqrt(np.diag(Q))  # weights may differ by many powers of ten
    R = np.linalg.cholesky(scale[:, None] * Q * scale).T

    def dual(b):
        right = solve_triangular(R, scale * (1 - signs * b), trans="T")
        return scale * nnls(R, right, maxiter=100 * len(used))[0]

    if bias is None:
        edge = 1.0
        while signs @ dual(edge) > 0 or signs @ dual(-edge) < 0:
            edge *= 2
        bias = brentq(lambda b: signs @ dual(b), -edge, edge, xtol=1e-13, rtol=1e-13)
    beta = np.zeros(len(K))
    beta[used] = signs * dual(bias)
    o = K @ beta + bias
    loss = weights[used] @ hinge(signs * o[used])
    return 0.5 * beta @ (K @ beta) + loss, beta, bias


def plain_svm(K, points, signs, margins, weights, bias):
    """min 1/2 |w|^2 + sum_j weights_j max(0, margins_j - signs_j o(points_j)).

    By the dual with bounded variables; (primal value, dual value), which are equal
    but for a ridge of 1e-9 that makes the dual definite.
    """
    signs = np.asarray(signs, dtype=float)
    Q = signs[:, None] * K[np.ix_(points, points)] * signs
    R = np.linalg.cholesky(Q + 1e-9 * np.eye(len(Q))).T
    c = margins - signs * bias
    right = solve_triangular(R, c, trans="T")
    a = lsq_linear(
        R, right, bounds=(0, weights), method="bvls", tol=1e-14, max_iter=5000
    ).x
    o = K[np.ix_(points, points)] @ (signs * a) + bias
    value = 0.5 * a @ Q @ a
    primal = value + weights @ np.maximum(0.0, margins - signs * o)
    return primal, c @ a - value


def factor(K):
    """Z with Z Z' = K, by eigenvectors."""
    values, vectors = np.linalg.eigh(K)
    keep = values > 1e-12 * values[-1]
    return vectors[:, keep] * np.sqrt(values[keep])


def descend(Z, w, b, losses, *, free_bias=False):
    """Lowest value that scipy finds from (w, b): 1/2 |w|^2 + sum of losses(Z w + b).

    ``losses`` gives each point's own term; gradients are numerical in the outputs.
    """

    def value(x):
        o = Z @ x[:-1] + x[-1]
        slopes = slope_of(losses, o)
        gradient = np.append(x[:-1] + Z.T @ slopes, slopes.sum() * free_bias)
        return 0.5 * x[:-1] @ x[:-1] + losses(o).sum(), gradient

    options = {"maxiter": 2000, "maxfun": 5000, "ftol": 1e-15, "gtol": 1e-9}
    found = minimize(
        value, np.append(w, b), jac=True, method="L-BFGS-B", options=options
    )
    return found.fun


def n_positive(r, u):
    return int(np.floor(r * u + 0.5))


def labelings(u, count):
    """All labels of u points with ``count`` positive ones."""
    for positive in combinations(range(u), count):
        y_u = -np.ones(u)
        y_u[list(positive)] = 1.0
        yield y_u


def brute_force(K, y, C, C_u, r):
    """min of J over all balanced labelings, by enumeration: (J, y_u)."""
    weights = np.where(y != 0, C, C_u).astype(float)
    best = np.inf, None
    for y_u in labelings((y == 0).sum(), n_positive(r, (y == 0).sum())):
        full = y.astype(float)
        full[y == 0] = y_u
        J = svm(K, full, weights)[0]
        if best[0] > J:
            best = J, y_u
    return best


def pair_that_should_switch(o_u, y_u, slack=0.0):
    """A pair (i, j) with eq. (6) by more than ``slack``, or None."""
    for i in np.flatnonzero(y_u > 0):
        for j in np.flatnonzero(y_u < 0):
            here = hinge(o_u[i]) + hinge(-o_u[j])
            there = hinge(-o_u[i]) + hinge(o_u[j])
            if here > there + slack:
                return i, j
    return None
