"""[MB11] typed out in dense numpy: slow, plain, and independent of `ssl_core`.

Points are in any order; y is in {-1, 0, +1} with 0 = unlabeled, as in the paper's
eq. (9). Nothing here is imported from the library under test.

The paper's b is a variable. ``bias`` is None for that, or the value at which b is held
(0 leaves it out): the formulas are then those of alpha alone.
"""

import numpy as np
from scipy.optimize import brentq


def knn_adjacency(X, k):
    """Brute-force symmetrised k nearest neighbours, as a boolean matrix."""
    D = ((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    np.fill_diagonal(D, np.inf)
    A = np.zeros(D.shape, dtype=bool)
    nearest = np.argsort(D, axis=1, kind="stable")[:, :k]
    A[np.arange(len(X))[:, None], nearest] = True
    return A | A.T


def laplacian(W, *, normalized=True, degree=1):
    """L = D - W, normalised when asked, to a power (section 2)."""
    D = W.sum(axis=1)
    L = np.diag(D) - W
    if normalized:
        L = L / np.sqrt(np.outer(D, D))
    return np.linalg.matrix_power(L, degree)


def objective(alpha, b, K, L, y, gamma_A, gamma_I, loss="squared_hinge"):
    """Eq. (7), and its squared-loss sister of section 5."""
    f = K @ alpha + b
    labeled = y != 0
    residual = 1 - y[labeled] * f[labeled]
    if loss == "squared_hinge":
        residual = np.maximum(residual, 0)
    return 0.5 * (
        residual @ residual + gamma_A * alpha @ (K @ alpha) + gamma_I * f @ (L @ f)
    )


def gradient(alpha, b, K, L, y, gamma_A, gamma_I, loss="squared_hinge"):
    """Eq. (9): (grad_alpha, grad_b)."""
    f = K @ alpha + b
    error_vector = y != 0
    if loss == "squared_hinge":
        error_vector &= y * f < 1
    g = np.where(error_vector, f - y, 0.0) + gamma_I * (L @ f)
    return K @ (g + gamma_A * alpha), g.sum()


def newton_point(errors, K, L, y, gamma_A, gamma_I, bias=None):
    """The target of one full Newton step, eq. (10): (alpha, b)."""
    n = len(y)
    E = np.diag(errors.astype(float))
    one = np.ones(n)
    if bias is not None:
        A = E @ K + gamma_A * np.eye(n) + gamma_I * (L @ K)
        right = E @ (y - bias) - gamma_I * bias * (L @ one)
        return np.linalg.solve(A, right), bias
    A = np.zeros((n + 1, n + 1))
    A[0, 1:] = 1.0
    A[1:, 0] = E @ one + gamma_I * (L @ one)
    A[1:, 1:] = E @ K + gamma_A * np.eye(n) + gamma_I * (L @ K)
    z = np.linalg.solve(A, np.concatenate([[0.0], E @ y]))
    return z[1:], z[0]


def laprlsc(K, L, y, gamma_A, gamma_I, bias=None):
    """Eq. (14) as printed, minimal-norm where K is singular: (alpha, b)."""
    one = np.ones(len(y))
    E = np.diag((y != 0).astype(float))
    if bias is not None:
        A = K @ E @ K + gamma_A * K + gamma_I * K @ L @ K
        right = K @ (E @ (y - bias) - gamma_I * bias * (L @ one))
        return np.linalg.lstsq(A, right, rcond=None)[0], bias
    A = np.block(
        [
            [
                np.array([[E.sum() + gamma_I * one @ L @ one]]),
                (one @ E @ K + gamma_I * one @ L @ K)[None, :],
            ],
            [
                (K @ E @ one + gamma_I * K @ L @ one)[:, None],
                K @ E @ K + gamma_A * K + gamma_I * K @ L @ K,
            ],
        ]
    )
    z = np.linalg.lstsq(A, np.concatenate([[y.sum()], K @ y]), rcond=None)[0]
    return z[1:], z[0]


def dual_matrix(K, L, y, gamma_A, gamma_I):
    """Q of eq. (6) and the map from Y beta to alpha of eq. (5)."""
    labeled = np.flatnonzero(y)
    n = len(y)
    # K cancels from the left of the line above (5), which leaves L K.
    M = np.linalg.inv(2 * gamma_A * np.eye(n) + 2 * gamma_I * (L @ K))
    M_labeled = M[:, labeled]
    kernel = K[labeled] @ M_labeled
    signs = y[labeled]
    return signs[:, None] * kernel * signs[None, :], kernel, M_labeled


def dual_primal_objective(alpha, b, K, L, y, gamma_A, gamma_I):
    """Eq. (4) with f = K alpha + b and the bias outside the norms."""
    labeled = y != 0
    f = K @ alpha + b
    hinge = np.maximum(0, 1 - y[labeled] * f[labeled]).sum()
    g = K @ alpha
    return hinge + gamma_A * alpha @ g + gamma_I * g @ (L @ g)


def polak_ribiere(g, g_old, ghat, ghat_old):
    """rho of Algorithm 1 before the max with 0; each g is the stacked [b, alpha]."""
    return g @ (ghat - ghat_old) / (g_old @ ghat_old)


def stacked_gradients(
    alpha, b, K, L, y, gamma_A, gamma_I, loss="squared_hinge", bias=None
):
    """grad and P^-1 grad, each as [b, alpha]."""
    f = K @ alpha + b
    error_vector = y != 0
    if loss == "squared_hinge":
        error_vector &= y * f < 1
    g = np.where(error_vector, f - y, 0.0) + gamma_I * (L @ f)
    g_b = g.sum() if bias is None else 0.0
    ghat = np.concatenate([[g_b], g + gamma_A * alpha])
    return np.concatenate([ghat[:1], K @ ghat[1:]]), ghat


def psi(s, z, d, *problem, **keywords):
    """d/ds obj(z + s d), section 3.2.1, with z = [b, alpha]."""
    z = z + s * d
    g, _ = stacked_gradients(z[1:], z[0], *problem, **keywords)
    return g @ d


def pcg(n_iter, *problem, bias=None, **keywords):
    """Algorithm 1 with the step found by bisection on psi: list of z = [b, alpha]."""
    keywords["bias"] = bias
    z = np.zeros(len(problem[2]) + 1)
    z[0] = bias or 0.0
    g, ghat = stacked_gradients(z[1:], z[0], *problem, **keywords)
    d = -ghat
    points = [z]
    for _ in range(n_iter):
        high = 1.0
        while psi(high, z, d, *problem, **keywords) < 0:
            high *= 2
        s = brentq(
            lambda s, z=z, d=d: psi(s, z, d, *problem, **keywords),
            0,
            high,
            xtol=1e-15,
            rtol=1e-14,
        )
        z = z + s * d
        g_old, ghat_old = g, ghat
        g, ghat = stacked_gradients(z[1:], z[0], *problem, **keywords)
        d = -ghat + max(polak_ribiere(g, g_old, ghat, ghat_old), 0) * d
        points.append(z)
    return points
