"""The vector work of a conjugate gradient iteration, fused into two passes.

Arrays have one column per machine; machines that are not live are left alone. An
iteration at n = 4000 reads K once (64 MB in double precision): what is here moves
less than 1 MB, but as some forty array operations it cost a third of the product.
"""

from typing import NamedTuple

import numpy as np

from halfmoon.common.compiled import compiled

Array = np.ndarray


class Point(NamedTuple):
    """Where the search stands: alpha (n, k), b (k,), F = K alpha + b and L F."""

    alpha: Array
    b: Array
    F: Array
    LF: Array


class Direction(NamedTuple):
    """d (n, k) and d_b (k,), with K d and L (K d + d_b)."""

    d: Array
    b: Array
    Kd: Array
    LFd: Array


class Gradient(NamedTuple):
    """P^-1 grad = (G, b) of shapes (n, k) and (k,), with K G and L (K G + b).

    P = diag(1, K), so that (K G, b) is the gradient itself.
    """

    G: Array
    b: Array
    KG: Array
    LFG: Array


class Measures(NamedTuple):
    """What `polak_ribiere` writes beside the direction.

    Attributes
    ----------
    mixed : ndarray of shape (k,)
        grad' P^-1 grad.
    norms : ndarray of shape (3, k)
        |grad|, |P^-1 grad| and the square root of ``mixed``.
    terms : ndarray of shape (4, k)
        Of the next line search: alpha'K d, F_d'LF, d'K d, F_d'LF_d.
    restarted : ndarray of bool, shape (k,)
        Where the direction is -G.
    """

    mixed: Array
    norms: Array
    terms: Array
    restarted: Array


@compiled(nogil=True)
def move(live, step, point, direction, sums):
    """One step along a direction, in place, with the sums the objective is made of.

        alpha += s d,   b += s d_b,   F += s (K d + d_b),   LF += s L (K d + d_b)

    ``sums`` of shape (3, k) receives alpha'F, 1'alpha and F'LF of the live machines.
    """
    alpha, b, F, LF = point
    d, d_b, Kd, LFd = direction
    n, k = alpha.shape
    for j in range(k):
        if not live[j]:
            continue
        s, shift = step[j], d_b[j]
        b[j] += s * shift
        alpha_F, alpha_sum, F_LF = 0.0, 0.0, 0.0
        for i in range(n):
            alpha[i, j] += s * d[i, j]
            F[i, j] += s * (Kd[i, j] + shift)
            LF[i, j] += s * LFd[i, j]
            alpha_F += alpha[i, j] * F[i, j]
            alpha_sum += alpha[i, j]
            F_LF += F[i, j] * LF[i, j]
        sums[0, j], sums[1, j], sums[2, j] = alpha_F, alpha_sum, F_LF


@compiled(nogil=True)
def _gradient_sums(j, gradient, last):
    """|grad|^2, |P^-1 grad|^2, grad' P^-1 grad and grad' P^-1 (grad - last)."""
    G, g_b, KG, _ = gradient
    G_old, g_b_old, _, _ = last
    bias = g_b[j] * g_b[j]
    grad, precond, cross, change = bias, bias, bias, 0.0
    for i in range(G.shape[0]):
        grad += KG[i, j] * KG[i, j]
        precond += G[i, j] * G[i, j]
        cross += G[i, j] * KG[i, j]
        change += KG[i, j] * (G[i, j] - G_old[i, j])
    change += g_b[j] * (g_b[j] - g_b_old[j])
    return grad, precond, cross, change


@compiled(nogil=True)
def _turn(j, rho, point, gradient, direction, terms):
    """d = rho d - G with its products, and the terms of the next line search."""
    alpha, _, _, LF = point
    G, g_b, KG, LFG = gradient
    d, d_b, Kd, LFd = direction
    d_b[j] = rho * d_b[j] - g_b[j]
    shift = d_b[j]
    alpha_Kd, Fd_LF, d_Kd, Fd_LFd = 0.0, 0.0, 0.0, 0.0
    for i in range(G.shape[0]):
        d[i, j] = rho * d[i, j] - G[i, j]
        Kd[i, j] = rho * Kd[i, j] - KG[i, j]
        LFd[i, j] = rho * LFd[i, j] - LFG[i, j]
        Fd = Kd[i, j] + shift
        alpha_Kd += alpha[i, j] * Kd[i, j]
        Fd_LF += Fd * LF[i, j]
        d_Kd += d[i, j] * Kd[i, j]
        Fd_LFd += Fd * LFd[i, j]
    terms[0, j], terms[1, j] = alpha_Kd, Fd_LF
    terms[2, j], terms[3, j] = d_Kd, Fd_LFd


@compiled(nogil=True)
def polak_ribiere(live, point, gradient, last, direction, measures):
    """The next direction and the measures of this point, [MB11] Algorithm 1, in place.

    ``last`` is the gradient of the point before, whose grad' P^-1 grad stands in
    ``measures.mixed``; 0 there means that there was none. Then, where rho <= 0 and
    where rounding would make the direction climb, the search (re)starts at -G.
    """
    _, g_b, KG, _ = gradient
    d, d_b, _, _ = direction
    mixed, norms, terms, restarted = measures
    n, k = d.shape
    for j in range(k):
        if not live[j]:
            continue
        grad, precond, cross, change = _gradient_sums(j, gradient, last)
        rho = max(change / mixed[j], 0.0) if mixed[j] > 0.0 else 0.0
        if rho > 0.0:
            slope = -cross + rho * g_b[j] * d_b[j]
            for i in range(n):
                slope += rho * KG[i, j] * d[i, j]
            if slope >= 0.0:
                rho = 0.0
        restarted[j] = rho == 0.0
        mixed[j] = cross
        norms[0, j], norms[1, j] = np.sqrt(grad), np.sqrt(precond)
        norms[2, j] = np.sqrt(max(cross, 0.0))
        _turn(j, rho, point, gradient, direction, terms)
